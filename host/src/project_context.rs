//! What a command works on: the folders, the project, its configuration and its one database, found from a folder.
//!
//! Everything here is found by a few file reads; the database opens when something is first asked of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::claude::Transcript;
use crate::clock::Clock;
use crate::config::{ClientKind, Config};
use crate::database::Database;
use crate::dirs::Folders;
use crate::error::{Error, Result};
use crate::grant::HostContext;
use crate::layer::Layer;
use crate::llm::{CompletionRequest, ConfiguredModel, Model};
use crate::log::Log;
use crate::memory::{Memories, SqliteStore};
use crate::project::Project;
use crate::redact::Redactor;
use crate::roster::{FileLayers, LayerFolders, Roster};
use crate::state::State;

/// A project and everything this user has for it.
pub struct ProjectContext {
    /// Where things live.
    pub folders: Folders,
    /// The project.
    pub project: Project,
    /// Its configuration.
    pub config: Config,
    /// Its database.
    pub database: Database,
    /// The log.
    pub log: Log,
    /// What time it is.
    pub clock: Clock,
}

impl ProjectContext {
    /// What there is for the project that `dir` belongs to.
    ///
    /// # Errors
    /// `Unavailable` when nothing tells where this user's files are.
    pub fn find(dir: &Path) -> Result<Self> {
        let env = |name: &str| std::env::var_os(name);
        let project = Project::locate(dir);
        let folders = Folders::find(&env, Some(&project.root)).ok_or_else(|| {
            Error::unavailable("no home folder is known")
                .hint("set HOME, or INTERLEAF_HOME to an absolute path")
        })?;
        let project = project.with_joined_id(&folders.data);
        let config = Config::load(Some(&folders), &project.config_file(), &project.id).with_env(&env);
        let database = Database::at(store(&folders, &project.id));
        let clock = Clock::System;
        let log = Log::in_folder(&folders.state, clock);
        Ok(Self { folders, project, config, database, log, clock })
    }

    /// Where the project's database is.
    pub fn store(&self) -> PathBuf {
        store(&self.folders, &self.project.id)
    }

    /// The memories of the project.
    ///
    /// # Errors
    /// `Invalid` when the user's own redaction patterns are.
    pub fn memories(&self) -> Result<Memories> {
        Ok(self.memories_with(self.redactor()?))
    }

    /// Values, captures and jobs of the project.
    ///
    /// # Errors
    /// As [`ProjectContext::memories`].
    pub fn state(&self) -> Result<State> {
        Ok(self.state_with(self.redactor()?))
    }

    fn memories_with(&self, redactor: Redactor) -> Memories {
        Memories::new(Arc::new(SqliteStore::new(self.database.clone())), redactor, self.clock)
            .with_policy(self.config.policy.clone())
            .with_project_root(&self.project.root)
    }

    fn state_with(&self, redactor: Redactor) -> State {
        State::new(self.database.clone(), self.clock).with_redactor(redactor)
    }

    /// The language model that the person chose, under the cap on what it may cost; one that cannot be asked says why. None
    /// where nobody chose one.
    pub fn model(&self) -> Option<Arc<dyn Model>> {
        asked_or_told(self.chosen())
    }

    /// Likewise, for who asks about it.
    ///
    /// # Errors
    /// `Invalid` where the configuration says too little, or as [`ProjectContext::memories`].
    pub fn chosen(&self) -> Result<Option<ConfiguredModel>> {
        match self.config.llm.client {
            ClientKind::None => Ok(None),
            _ => self.chosen_with(self.redactor()?),
        }
    }

    fn chosen_with(&self, redactor: Redactor) -> Result<Option<ConfiguredModel>> {
        ConfiguredModel::from_config(
            &self.config.llm,
            &self.folders,
            &self.project.root,
            redactor,
            self.clock,
        )
    }

    /// Compiles the user's own patterns, about 0.3 ms each.
    fn redactor(&self) -> Result<Redactor> {
        Redactor::new(&self.config.redact)
    }

    /// The layers from files: the project's and the person's own.
    pub fn team(&self) -> FileLayers {
        FileLayers::find(&self.folders, &self.places(), &self.project.id, &self.config)
    }

    /// The layers that take part here.
    pub fn roster(&self) -> Roster {
        Roster::with_files(Layer::embedded(), self.team(), &self.config)
    }

    /// Where layers from files are looked for.
    fn places(&self) -> LayerFolders {
        // The nearest folder with a `.claude/interleaf.toml` in it, else the root.
        let file = self.project.config_file();
        let project = file.ancestors().nth(2).unwrap_or(&self.project.root).to_path_buf();
        let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        LayerFolders { user: self.folders.config.clone(), home, project }
    }

    /// What the host functions work on during `event`, which names this transcript, with git and the database held to
    /// `deadline`.
    ///
    /// # Errors
    /// As [`ProjectContext::memories`].
    pub fn host_context(
        &self,
        event: &str,
        transcript: Option<&str>,
        deadline: Instant,
    ) -> Result<HostContext> {
        self.database.set_deadline(deadline);
        let redactor = self.redactor()?;
        Ok(HostContext {
            memories: self.memories_with(redactor.clone()),
            state: self.state_with(redactor.clone()),
            model: asked_or_told(self.chosen_with(redactor.clone())),
            transcript: transcript.map(|path| Transcript::file(path, redactor.clone())),
            project: Arc::new(self.project.clone().with_deadline(deadline)),
            log: self.log.for_event(&self.project.id, event).with_redactor(redactor),
            clock: self.clock,
            trace: None,
        })
    }
}

/// The model, or one that says why it cannot be asked.
fn asked_or_told(chosen: Result<Option<ConfiguredModel>>) -> Option<Arc<dyn Model>> {
    match chosen {
        Ok(chosen) => Some(Arc::new(chosen?)),
        Err(error) => Some(Arc::new(move |_: &CompletionRequest| Err(error.clone()))),
    }
}

fn store(folders: &Folders, project: &str) -> PathBuf {
    folders.data.join("projects").join(project).join("interleaf.db")
}
