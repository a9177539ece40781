//! The context of a command or a hook, found from a folder: the user's folders, the project, its
//! configuration and its database.
//!
//! Finding it takes a few file reads. The database is opened by the first query.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::claude::Transcript;
use crate::claude::settings::user_folder;
use crate::claude::transcript_files::{TranscriptFile, project_transcripts};
use crate::clock::Clock;
use crate::config::{ClientKind, Config};
use crate::database::Database;
use crate::dirs::Folders;
use crate::error::Result;
use crate::grant::HostContext;
use crate::layer::Layer;
use crate::llm::{CompletionRequest, ConfiguredModel, Model};
use crate::log::Log;
use crate::memory::{Branches, Memories, SentenceVectors, SqliteStore};
use crate::project::{CommitStore, Project};
use crate::redact::Redactor;
use crate::replica::{MEMORY_FOLDER, MEMORY_FOLDER_PLACE, Replica, ReplicaKind};
use crate::roster::{FileLayers, GateRegistry, Hashing, LayerFolders, Roster};
use crate::sentence_model;
use crate::sessions::{Consent, RECORD_FILE, Record};
use crate::state::{BranchRecords, HOST_OWNER, ReplicaRecords, Scope, State};
use crate::switched_off::SwitchedOffSessions;

/// The longest wait of a session's start for a lock. What needs no lock is shown although one is held.
const START_LOCK_TIMEOUT: Duration = Duration::from_millis(300);

/// The name of the file with the sentence vectors.
const VECTOR_FILE: &str = "sentence-vectors";

/// The key of the value that holds the newest commits.
const COMMITS_KEY: &str = "recent-commits";

/// A project with this user's folders, configuration, database and log.
pub struct ProjectContext {
    /// The user's folders.
    pub folders: Folders,
    /// The project: its root and its id.
    pub project: Project,
    /// The effective configuration.
    pub config: Config,
    /// The project's database.
    pub database: Database,
    /// The log of all projects.
    pub log: Log,
    /// The source of the time.
    pub clock: Clock,
}

impl ProjectContext {
    /// Finds the project of the folder `dir`.
    ///
    /// # Errors
    /// `Unavailable` if no variable names this user's folders.
    pub fn find(dir: &Path) -> Result<Self> {
        let env = |name: &str| std::env::var_os(name);
        let project = Project::locate(dir);
        let folders = Folders::find(&env, &project.source_folders())?;
        let project = project.identify(&folders.data);
        let config = Config::load(Some(&folders), &project.config_file(), &project.id).with_env(&env);
        let database = database(&project, &folders);
        let clock = Clock::System;
        let log = Log::in_folder(&folders.state, clock);
        Ok(Self { folders, project, config, database, log, clock })
    }

    /// Returns the path of the project's database.
    pub fn database_file(&self) -> PathBuf {
        database_file(&self.folders, &self.project.id)
    }

    /// Returns the memories of the project.
    ///
    /// # Errors
    /// `Invalid` if one of the user's redaction patterns is not valid.
    pub fn memories(&self) -> Result<Memories> {
        Ok(self.memories_with(self.config.redactor()?))
    }

    /// Returns the memories of another project, which are in this database.
    ///
    /// # Errors
    /// As for [`ProjectContext::memories`].
    pub fn memories_in(&self, database: &Path) -> Result<Memories> {
        let store = SqliteStore::new(Database::at(database));
        let memories = Memories::new(Arc::new(store), self.config.redactor()?, self.clock);
        Ok(memories.with_policy(self.config.policy.clone()))
    }

    /// Returns the recorded sessions of the project, whether or not the person agreed that there are any.
    ///
    /// # Errors
    /// As for [`ProjectContext::memories`].
    pub fn record(&self) -> Result<Record> {
        let record = Record::at(self.record_file(), self.config.redactor()?, self.clock);
        Ok(record.with_root(&self.project.root).with_model(sentence_model::file(&self.folders)))
    }

    /// Returns whether the person agreed that the sessions of the project are recorded.
    pub fn record_consent(&self) -> Consent {
        let database = self.database_file();
        Consent::of(&self.config.record, database.parent().unwrap_or(&database))
    }

    fn record_file(&self) -> PathBuf {
        self.database_file().with_file_name(RECORD_FILE)
    }

    /// Returns the record for reading, with a deadline. It opens no file yet.
    fn record_until(&self, redactor: Redactor, deadline: Instant) -> Record {
        let record = Record::at(self.record_file(), redactor, self.clock);
        record.database().set_deadline(deadline);
        record
    }

    /// Records which project the memories belong to, if there are any.
    ///
    /// # Errors
    /// `Unavailable` if the record cannot be written.
    pub fn record_project(&self) -> Result<()> {
        if self.database_file().exists() { self.project.record(&self.folders.data) } else { Ok(()) }
    }

    /// Remembers the newest commits for the next session's start.
    ///
    /// # Errors
    /// `Unavailable` if git failed; as for [`ProjectContext::memories`].
    pub fn refresh_commits(&self) -> Result<()> {
        let store = RememberedCommits { state: self.state()? };
        self.project.clone().with_commit_store(Arc::new(store)).refresh_commits()
    }

    /// Returns the values, captures and jobs of the project.
    ///
    /// # Errors
    /// As for [`ProjectContext::memories`].
    pub fn state(&self) -> Result<State> {
        Ok(self.state_with(self.config.redactor()?))
    }

    /// Returns what is recorded of the replicas of the project's memories.
    pub fn replica_records(&self) -> ReplicaRecords {
        ReplicaRecords::new(self.database.clone(), self.clock)
    }

    /// Returns what is recorded of the branches on which memories were written.
    pub fn branch_records(&self) -> BranchRecords {
        BranchRecords::new(self.database.clone())
    }

    /// Returns the folder with what was fetched for a project from its remote.
    pub fn replica_folder(&self, project_id: &str) -> PathBuf {
        self.folders.state.join("replicas").join(project_id)
    }

    /// Returns the replica of a kind.
    ///
    /// # Errors
    /// As for [`ReplicaKind::open`].
    pub fn replica(&self, kind: ReplicaKind) -> Result<Box<dyn Replica + '_>> {
        kind.open(&self.project, &self.config.sync, &self.replica_folder(&self.project.id))
    }

    /// Returns the folder of the project in which memories are exchanged as files; `None` if this user did
    /// not accept that.
    pub fn memory_folder(&self) -> Option<&'static str> {
        // Most projects have none, and a hook asks before each tool call.
        if !self.project.root.join(MEMORY_FOLDER).is_dir() {
            return None;
        }
        let accepted = self.replica_records().accepted().unwrap_or_default();
        accepted.iter().any(|record| record.place == MEMORY_FOLDER_PLACE).then_some(MEMORY_FOLDER)
    }

    /// Returns the replicas that this user accepted. A remote with another address is another replica.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be read; as for [`ReplicaKind::open`].
    pub fn accepted_replicas(&self) -> Result<Vec<Box<dyn Replica + '_>>> {
        let accepted = self.replica_records().accepted()?;
        if accepted.is_empty() {
            return Ok(Vec::new());
        }
        let mut replicas = Vec::new();
        for kind in ReplicaKind::ALL {
            // A project without git has no notes to ask for.
            let Ok(replica) = self.replica(kind) else { continue };
            if accepted.iter().any(|record| record.place == replica.place()) {
                replicas.push(replica);
            }
        }
        Ok(replicas)
    }

    /// Returns the places that the settings and the remote lead to now, one of each kind.
    pub fn places(&self) -> Vec<String> {
        let replicas = ReplicaKind::ALL.into_iter().filter_map(|kind| self.replica(kind).ok());
        replicas.map(|replica| replica.place().to_owned()).collect()
    }

    fn memories_with(&self, redactor: Redactor) -> Memories {
        let store = SqliteStore::new(self.database.clone()).with_vectors(self.sentence_vectors());
        Memories::new(Arc::new(store), redactor, self.clock)
            .with_policy(self.config.policy.clone())
            .with_project_root(&self.project.root)
            .with_head({
                let project = self.project.clone();
                move || project.head_hash()
            })
            .with_branches(
                {
                    // What cannot be read is not known, and then every memory is everybody's.
                    let records = self.branch_records();
                    move || records.states().unwrap_or_default()
                },
                {
                    let project = self.project.clone();
                    move |states| Branches {
                        current: project.branch().unwrap_or_default(),
                        default: project.default_branch().unwrap_or_default(),
                        states,
                    }
                },
            )
    }

    /// Makes unreadable what was deleted for good, with what was derived from it, in the database and beside
    /// it. Backups are deleted.
    ///
    /// # Errors
    /// `Unavailable` if a file cannot be written or deleted.
    pub fn erase_deleted(&self) -> Result<()> {
        self.memories()?.remove_derived()?;
        self.database.erase_deleted()
    }

    /// Returns the sentence vectors of the project's memories, in a file beside the database.
    fn sentence_vectors(&self) -> SentenceVectors {
        SentenceVectors::new(
            sentence_model::file(&self.folders),
            self.database_file().with_file_name(VECTOR_FILE),
        )
    }

    fn state_with(&self, redactor: Redactor) -> State {
        State::new(self.database.clone(), self.clock).with_redactor(redactor)
    }

    /// Returns the configured language model, limited by the spend cap; `None` if none is configured. An
    /// unusable model answers every request with the error.
    pub fn model(&self) -> Option<Arc<dyn Model>> {
        model_or_error(self.configured_model())
    }

    /// Returns the configured language model, for commands that report on it; `None` if none is configured.
    ///
    /// # Errors
    /// `Invalid` if the configuration is incomplete; otherwise as for [`ProjectContext::memories`].
    pub fn configured_model(&self) -> Result<Option<ConfiguredModel>> {
        match self.config.llm.client {
            ClientKind::None => Ok(None),
            _ => self.configured_model_with(self.config.redactor()?),
        }
    }

    fn configured_model_with(&self, redactor: Redactor) -> Result<Option<ConfiguredModel>> {
        ConfiguredModel::from_config(
            &self.config.llm,
            &self.folders,
            &self.project.root,
            redactor,
            self.clock,
        )
    }

    /// Returns the layers from files: the project's and the user's own.
    pub fn file_layers(&self) -> FileLayers {
        self.find_file_layers(&GateRegistry::read(), Hashing::Complete)
    }

    /// Returns the layers of this project in the order of their replies.
    pub fn roster(&self) -> Roster {
        Roster::with_files(Layer::embedded(), self.file_layers(), &self.config)
    }

    /// Returns the layers from files as a hook finds them: within a limited time.
    pub fn file_layers_for_hook(&self, registry: &GateRegistry) -> FileLayers {
        self.find_file_layers(registry, Hashing::Bounded)
    }

    fn find_file_layers(&self, registry: &GateRegistry, hashing: Hashing) -> FileLayers {
        let searched = self.layer_folders();
        FileLayers::find(&self.folders, &searched, &self.project, &self.config, registry, hashing)
    }

    /// Returns the layer of this name if it is enabled and can run.
    pub fn running_layer(&self, name: &str) -> Option<Layer> {
        let roster = self.roster();
        let running =
            roster.members().iter().filter(|member| member.is_enabled() && member.unavailable.is_none());
        running.map(|member| &member.layer).find(|layer| layer.name == name).cloned()
    }

    /// Returns the folders that are searched for layer files.
    fn layer_folders(&self) -> LayerFolders {
        // The nearest folder with a `.claude/interleaf.toml`, otherwise the root.
        let file = self.project.config_file();
        let project = file.ancestors().nth(2).unwrap_or(&self.project.root).to_path_buf();
        let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        LayerFolders { user: self.folders.config.clone(), home, project }
    }

    /// Returns the transcripts of the project's sessions in all its work trees and subfolders, those that
    /// changed last at the end, without sessions for which Interleaf was switched off. Empty if no variable
    /// names the person's Claude Code folder.
    pub fn transcripts(&self) -> Vec<TranscriptFile> {
        let Some(user_folder) = user_folder(&|name| std::env::var_os(name)) else { return Vec::new() };
        let belongs = |folder: &Path| Project::find(folder, &self.folders.data).id == self.project.id;
        let switched_off = self.switched_off();
        let mut files = project_transcripts(&user_folder, &self.project.work_trees(), belongs);
        files.retain(|file| !switched_off.include(&file.session));
        files
    }

    /// Returns the sessions for which Interleaf was switched off.
    pub fn switched_off(&self) -> SwitchedOffSessions {
        SwitchedOffSessions::in_data_folder(&self.folders.data)
    }

    /// Returns the context of the host functions for `event` of `session`, with git and the database limited
    /// by `deadline`.
    ///
    /// # Errors
    /// As for [`ProjectContext::memories`].
    pub fn host_context(
        &self,
        event: &str,
        session: &str,
        transcript: Option<&str>,
        deadline: Instant,
    ) -> Result<HostContext> {
        self.database.set_deadline(deadline);
        if event == "SessionStart" {
            self.database.set_lock_deadline(Instant::now() + START_LOCK_TIMEOUT);
        }
        let redactor = self.config.redactor()?;
        let commits = RememberedCommits { state: self.state_with(redactor.clone()) };
        let project = self.project.clone().with_deadline(deadline).with_commit_store(Arc::new(commits));
        let log = self.log.for_event(&self.project.id, event).for_session(session);
        let transcript = transcript.map(|path| {
            Transcript::file(path, redactor.clone()).withheld_by(self.switched_off().note(session))
        });
        Ok(HostContext {
            memories: self.memories_with(redactor.clone()),
            state: self.state_with(redactor.clone()),
            model: model_or_error(self.configured_model_with(redactor.clone())),
            transcript,
            record: Some(self.record_until(redactor.clone(), deadline)),
            project: Arc::new(project),
            log: log.with_redactor(redactor),
            clock: self.clock,
            trace: None,
        })
    }
}

/// The newest commits, in the project's state.
struct RememberedCommits {
    state: State,
}

impl CommitStore for RememberedCommits {
    fn load(&self) -> Option<String> {
        self.state.get(Scope::Project, HOST_OWNER, COMMITS_KEY).ok()?
    }

    fn store(&self, text: &str) {
        // A project in which nothing is remembered gets no database for this.
        if self.state.has_database() {
            let _ = self.state.set(Scope::Project, HOST_OWNER, COMMITS_KEY, text);
        }
    }
}

/// Returns the model, or a substitute that answers every request with the error.
fn model_or_error(model: Result<Option<ConfiguredModel>>) -> Option<Arc<dyn Model>> {
    match model {
        Ok(model) => Some(Arc::new(model?)),
        Err(error) => Some(Arc::new(move |_: &CompletionRequest| Err(error.clone()))),
    }
}

/// Returns the project's database. What tells which project it belongs to is recorded before it exists.
fn database(project: &Project, folders: &Folders) -> Database {
    let (recorded, data) = (project.clone(), folders.data.clone());
    // Without the record, the memories are found by the path, as before a move.
    Database::prepared_by(database_file(folders, &project.id), move || drop(recorded.record(&data)))
}

fn database_file(folders: &Folders, project: &str) -> PathBuf {
    folders.data.join("projects").join(project).join("interleaf.db")
}

/// Returns the folder of the session's project: the folder that Claude Code names, otherwise `current`, which
/// changes with every `cd`.
pub(crate) fn session_folder(current: PathBuf) -> PathBuf {
    let named = std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let is_usable = |path: &PathBuf| path.is_absolute() && !path.as_os_str().as_encoded_bytes().contains(&0);
    let folder = named.filter(is_usable).or_else(|| Some(current).filter(is_usable));
    folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}
