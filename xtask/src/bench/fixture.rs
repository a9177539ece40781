//! The program, project and store that are measured: a project with a history, a store of a certain size, and
//! sometimes a team's own layer, which a person has accepted.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::checkout;

use super::corpus::Corpus;
use super::options::Program;
use crate::example::Language;

/// Number of commits of the project.
const COMMITS: usize = 12;

/// Memories of this user's own sessions: an imported one may not lead a session.
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
    /// What the program is called in the table.
    pub program: String,
    /// Memories in the store, but for a few rules.
    pub memories: usize,
    /// The language of the layer that the project brings along, if it does.
    pub layer: Option<&'static str>,
    /// The texts that the store was filled from.
    pub corpus: Corpus,
    path: PathBuf,
    home: PathBuf,
    /// The project's folder.
    pub project: PathBuf,
}

impl Fixture {
    /// Makes one in a folder of its own below `folder`, and removes an earlier one there.
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
        // What is compiled only once the first hooks run may miss its deadline in them.
        checkout::said(&mut fixture.interleaf(&["compile"])).context("compiling the layers")?;
        if memories > 0 {
            fixture.fill().context("filling the store")?;
        }
        if let Some(layer) = layer {
            accept(&fixture, layer).context("accepting the example layer")?;
        }
        Ok(fixture)
    }

    /// `interleaf` in the project, with nothing of this process's environment but where programs are.
    pub fn interleaf(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(&self.path);
        command.args(arguments);
        command
    }

    /// The person's configuration, a file that usually does not exist.
    pub fn config(&self) -> PathBuf {
        self.home.join("interleaf/config/config.toml")
    }

    /// The folder that holds the folders of projects, which is one.
    pub fn stores(&self) -> PathBuf {
        self.home.join("interleaf/data/projects")
    }

    /// The log of this user's hooks.
    pub fn log(&self) -> PathBuf {
        self.home.join("interleaf/state/log.jsonl")
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.project).env_clear().env("HOME", &self.home);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("INTERLEAF_HOME", self.home.join("interleaf")).env("GIT_CONFIG_NOSYSTEM", "1");
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

    fn fill(&self) -> Result<()> {
        let file = self.home.join("memories.jsonl");
        self.corpus.write(self.memories, &file)?;
        let file = file.to_string_lossy();
        checkout::said(&mut self.interleaf(&["memory", "import", &file]))?;
        for (category, text) in RULES {
            checkout::said(&mut self.interleaf(&["remember", "--category", category, text]))?;
        }
        Ok(())
    }
}

/// The example layer's name.
const EXAMPLE_LAYER: &str = "protect-branch";

/// What it asks for. Pretool has something to say of a force push as well; what is measured is this layer
/// alone.
const EXAMPLE_GRANTS: &str = "\
[layers.pretool]
enabled = false
[layers.protect-branch.grants]
decide = [\"ask\"]
memory = { read = [\"constraint\"] }
project = true
";

/// The constraint that it shows with its question.
const EXAMPLE_RULE: &str =
    "Never force push to main: the deploy robot follows it, and the auditors read its history";

/// Puts the layer into the fixture's project and accepts it, which compiles it.
fn accept(fixture: &Fixture, language: &Language) -> Result<()> {
    let folder = fixture.project.join(".claude/layers");
    fs::create_dir_all(&folder)?;
    fs::copy(language.component()?, folder.join(EXAMPLE_LAYER).with_extension("wasm"))?;
    fs::write(fixture.project.join(".claude/interleaf.toml"), EXAMPLE_GRANTS)?;
    checkout::said(&mut fixture.interleaf(&["remember", "--category", "constraint", EXAMPLE_RULE]))?;
    let digest = format!("sha256:{}", digest(fixture)?);
    checkout::said(&mut fixture.interleaf(&["layer", "accept", EXAMPLE_LAYER, "--digest", &digest])).map(drop)
}

fn digest(fixture: &Fixture) -> Result<String> {
    let list = checkout::said(&mut fixture.interleaf(&["layer", "list", "--json"]))?;
    let mut layers = list.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let layer = layers.find(|layer| layer["name"] == EXAMPLE_LAYER).context("the layer is not listed")?;
    Ok(layer["digest"].as_str().context("the layer has no digest")?.to_owned())
}

/// Makes the job of a stopped session due at once.
const NO_DEBOUNCE: &str = "[layers.save.settings]\ndebounce_seconds = 0\n";

/// After this time no worker was started.
const WORKER_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Runs the hook of this session, and waits for the worker that it starts: the job is done before anything
/// else is measured.
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

/// Whether the job of this session was done.
fn is_done(fixture: &Fixture, session: &str) -> Result<bool> {
    let jobs = checkout::said(&mut fixture.interleaf(&["jobs", "--json"]))?;
    let mut jobs = jobs.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    Ok(jobs.any(|job| job["session"] == session && job["progress"] == "done"))
}

/// Whether a worker still runs.
fn has_worker(fixture: &Fixture) -> bool {
    let projects = fs::read_dir(fixture.stores()).into_iter().flatten().flatten();
    let locks = projects.filter_map(|project| File::open(project.path().join("worker.lock")).ok());
    locks.into_iter().any(|lock| lock.try_lock().is_err())
}
