//! The program, project and store that are measured: a project with a history, a store of a given size, and
//! optionally an accepted team layer.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use interleaf_tests::scratch::ACCOUNT_HOME_VARIABLE;

use crate::checkout;

use super::corpus::Corpus;
use super::options::Program;
use super::process::{self, ProcessRun};
use crate::example::Language;

/// Number of commits of the project.
const COMMITS: usize = 12;

/// Memories of this user's own sessions, because imported ones are not shown at a session start.
const RULES: [(&str, &str); 7] = [
    ("decision", "Sessions are kept in Redis, because the load balancer moves people between machines"),
    ("decision", "The export writes Parquet instead of CSV: the warehouse reads it ten times faster"),
    (
        "constraint",
        "The billing partner accepts 20 requests a second and closes idle connections after a minute",
    ),
    ("constraint", "Nothing may be deployed on a Friday after noon"),
    ("constraint", "git push --force to main is forbidden: the mirror keeps what it once had"),
    ("preference", "Commit messages follow Conventional Commits"),
    ("preference", "Tests are named after the rule they prove"),
];

/// A program, a project, and a store.
pub struct Fixture {
    /// The program's name in the table.
    pub program: String,
    /// Number of memories in the store, without a few rules.
    pub memories: usize,
    /// The language of the project's own layer, if it has one.
    pub layer: Option<&'static str>,
    /// The corpus of the store's memories.
    pub corpus: Corpus,
    path: PathBuf,
    home: PathBuf,
    /// The project's folder.
    pub project: PathBuf,
}

impl Fixture {
    /// Creates a fixture in a folder of its own below `folder`, and replaces an earlier one.
    pub fn new(folder: &Path, program: &Program, memories: usize, layer: Option<&Language>) -> Result<Self> {
        let Program { name, path } = program;
        let home = layer.map_or_else(
            || folder.join(format!("{name}-{memories}")),
            |layer| folder.join(format!("{name}-{memories}-{}", layer.name)),
        );
        if home.exists() {
            fs::remove_dir_all(&home)?;
        }
        let project = home.join("project");
        fs::create_dir_all(&project)?;
        let path = path.canonicalize().with_context(|| path.display().to_string())?;
        let (program, corpus) = (name.clone(), Corpus::new());
        let fixture =
            Self { program, memories, layer: layer.map(|layer| layer.name), corpus, path, home, project };
        fixture.commit()?;
        // Compiled beforehand, because compilation would miss the deadlines of the first hooks.
        checkout::output_of(&mut fixture.interleaf(&["compile"])).context("compiling the layers")?;
        if memories > 0 {
            fixture.import().context("filling the store")?;
            fixture.remember_rules()?;
        }
        if let Some(layer) = layer {
            accept(&fixture, layer).context("accepting the example layer")?;
        }
        Ok(fixture)
    }

    /// Returns an `interleaf` command in the project, with only `PATH` from this process's environment.
    pub fn interleaf(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(&self.path);
        command.args(arguments);
        command
    }

    /// Returns a hook command, as Claude Code runs it.
    pub fn hook(&self) -> Command {
        self.as_claude_code(self.interleaf(&["hook"]))
    }

    /// Returns a hook command that another program runs, such as one that traces it.
    pub fn hook_under(&self, tracer: &str, arguments: &[&str]) -> Command {
        let mut command = self.command(Path::new(tracer));
        command.args(arguments).arg(&self.path).arg("hook");
        self.as_claude_code(command)
    }

    fn as_claude_code(&self, mut hook: Command) -> Command {
        hook.env("CLAUDE_PROJECT_DIR", &self.project).env("CLAUDECODE", "1");
        hook
    }

    /// Returns the payload of an event of this session: the fields that all events have, and `fields`, with a
    /// line break as Claude Code sends it.
    pub fn payload(&self, session: &str, fields: Value) -> String {
        let mut event = json!({
            "session_id": session, "transcript_path": self.transcript(session), "cwd": self.project,
            "permission_mode": "default",
        });
        if let (Value::Object(event), Value::Object(fields)) = (&mut event, fields) {
            event.extend(fields);
        }
        format!("{event}\n")
    }

    /// Returns the path of a session's transcript. Most sessions have none.
    pub fn transcript(&self, session: &str) -> PathBuf {
        self.project.join(format!("{session}.jsonl"))
    }

    /// Returns the path of the database.
    pub fn database(&self) -> Result<PathBuf> {
        database_in(&self.stores())
    }

    /// Returns the path of the person's configuration, which exists only beside the example layer.
    pub fn config(&self) -> PathBuf {
        self.home.join("interleaf/config/config.toml")
    }

    /// Returns the folder of project stores, which holds one project.
    pub fn stores(&self) -> PathBuf {
        self.home.join("interleaf/data/projects")
    }

    /// Returns the path of the log.
    pub fn log(&self) -> PathBuf {
        self.home.join("interleaf/state/log.jsonl")
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.project).env_clear().env("HOME", &self.home);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("INTERLEAF_HOME", self.home.join("interleaf")).env("GIT_CONFIG_NOSYSTEM", "1");
        // A program with debug assertions takes this for the home in the account database.
        command.env(ACCOUNT_HOME_VARIABLE, &self.home);
        command
    }

    fn commit(&self) -> Result<()> {
        let git = |arguments: &[&str]| checkout::run(self.command(Path::new("git")).args(arguments));
        git(&["init", "--quiet", "--initial-branch", "main"])?;
        git(&["config", "user.name", "bench"])?;
        git(&["config", "user.email", "bench@localhost"])?;
        (0..COMMITS).try_for_each(|number| {
            let subject = self.corpus.subject(number * 7);
            git(&["commit", "--quiet", "--allow-empty", "--message", &subject])
        })
    }

    /// Imports the memories of the corpus, as many as the store shall have.
    pub fn import(&self) -> Result<ProcessRun> {
        let file = self.home.join("memories.jsonl");
        self.corpus.write(self.memories, &file)?;
        process::run(&mut self.interleaf(&["memory", "import", &file.to_string_lossy()]), "")
    }

    /// Adds the memories of this user's own sessions.
    pub fn remember_rules(&self) -> Result<()> {
        RULES.iter().try_for_each(|(category, text)| {
            checkout::output_of(&mut self.interleaf(&["remember", "--category", category, text])).map(drop)
        })
    }
}

impl Drop for Fixture {
    /// Revokes the acceptance of the layer. The registry of gates lies in the account's own home, and every
    /// gate in it takes some time of every tool call of this account.
    fn drop(&mut self) {
        if self.layer.is_some() {
            let _ = self.interleaf(&["layer", "revoke", EXAMPLE_LAYER]).output();
        }
    }
}

/// Returns the database in a folder of project stores, which holds one project.
pub fn database_in(stores: &Path) -> Result<PathBuf> {
    let projects = fs::read_dir(stores).with_context(|| stores.display().to_string())?.flatten();
    let mut databases = projects.map(|project| project.path().join("interleaf.db"));
    databases.find(|path| path.exists()).context("the project has no database")
}

/// Name of the example layer.
const EXAMPLE_LAYER: &str = "protect-branch";

/// The person's configuration: pretool also answers a force push, and only the example layer is measured.
const WITHOUT_PRETOOL: &str = "[layers.pretool]\nenabled = false\n";

/// The grants of the example layer.
const EXAMPLE_GRANTS: &str = "\
[layers.protect-branch.grants]
decide = [\"ask\"]
memory = { read = [\"constraint\"] }
project = true
";

/// The constraint that the layer shows when it asks.
const EXAMPLE_RULE: &str =
    "Never force push to main: the deploy robot follows it, and the auditors read its history";

/// Adds the layer to the fixture's project and accepts it, which compiles it.
fn accept(fixture: &Fixture, language: &Language) -> Result<()> {
    let folder = fixture.project.join(".claude/layers");
    fs::create_dir_all(&folder)?;
    fs::copy(language.component()?, folder.join(EXAMPLE_LAYER).with_extension("wasm"))?;
    fs::write(fixture.project.join(".claude/interleaf.toml"), EXAMPLE_GRANTS)?;
    let config = fixture.config();
    fs::create_dir_all(config.parent().unwrap_or(&config))?;
    fs::write(&config, WITHOUT_PRETOOL)?;
    checkout::output_of(&mut fixture.interleaf(&["remember", "--category", "constraint", EXAMPLE_RULE]))?;
    let digest = format!("sha256:{}", digest(fixture)?);
    checkout::output_of(&mut fixture.interleaf(&["layer", "accept", EXAMPLE_LAYER, "--digest", &digest]))
        .map(drop)
}

fn digest(fixture: &Fixture) -> Result<String> {
    let list = checkout::output_of(&mut fixture.interleaf(&["layer", "list", "--json"]))?;
    let mut layers = list.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    // A layer of this name that an earlier benchmark accepted is listed as gone.
    let is_new = |layer: &Value| layer["name"] == EXAMPLE_LAYER && layer["standing"] == "new";
    let layer = layers.find(is_new).context("the layer is not listed")?;
    Ok(layer["digest"].as_str().context("the layer has no digest")?.to_owned())
}

/// Makes the job of a stopped session due immediately.
const NO_DEBOUNCE: &str = "[layers.save.settings]\ndebounce_seconds = 0\n";

/// Maximum wait for a worker.
const WORKER_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Runs the hook of this session and waits for the worker that it starts, so that its job does not disturb
/// the next measurement.
pub fn run_with_worker(fixture: &Fixture, session: &str, hook: impl FnOnce() -> Result<()>) -> Result<()> {
    let config = fixture.config();
    fs::create_dir_all(config.parent().unwrap_or(&config))?;
    fs::write(&config, NO_DEBOUNCE)?;
    let ran = hook();
    fs::remove_file(&config)?;
    ran?;
    let began = Instant::now();
    while !is_done(fixture, session)? || has_worker(fixture) {
        if began.elapsed() > WORKER_TIMEOUT {
            bail!("{}: no worker did the job of session {session}", fixture.program);
        }
        thread::sleep(POLL_INTERVAL);
    }
    Ok(())
}

/// Tells whether the job of this session is done.
fn is_done(fixture: &Fixture, session: &str) -> Result<bool> {
    let jobs = checkout::output_of(&mut fixture.interleaf(&["jobs", "--json"]))?;
    let mut jobs = jobs.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    Ok(jobs.any(|job| job["session"] == session && job["progress"] == "done"))
}

/// Tells whether a worker is still running.
fn has_worker(fixture: &Fixture) -> bool {
    let projects = fs::read_dir(fixture.stores()).into_iter().flatten().flatten();
    let locks = projects.filter_map(|project| File::open(project.path().join("worker.lock")).ok());
    locks.into_iter().any(|lock| lock.try_lock().is_err())
}
