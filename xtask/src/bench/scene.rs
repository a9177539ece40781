//! What one program finds when it is measured: a project with a history, and a store of a certain size.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::checkout;

use super::corpus::Corpus;
use super::example;
use super::options::Program;
use crate::example::Language;

/// Commits of the project.
const COMMITS: usize = 12;

/// A command that memories of this user's own are about; it is irreversible, too.
pub const COMMAND: &str = "git push --force origin main";

/// What this user's own sessions wrote down: nothing that was imported may lead a session.
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
pub struct Scene {
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

impl Scene {
    /// Sets it in a folder of its own below `folder`, where nothing is left of an earlier one.
    pub fn set(folder: &Path, program: &Program, memories: usize, layer: Option<&Language>) -> Result<Self> {
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
        let scene =
            Self { program, memories, layer: layer.map(|layer| layer.name), corpus, path, home, project };
        scene.commit()?;
        // What is compiled only once the first hooks run may miss its deadline in them.
        checkout::said(&mut scene.interleaf(&["compile"])).context("compiling the layers")?;
        if memories > 0 {
            scene.fill().context("filling the store")?;
        }
        if let Some(layer) = layer {
            example::accept(&scene, layer).context("accepting the example layer")?;
        }
        Ok(scene)
    }

    /// `interleaf` in the project, with nothing of this process's environment but where programs are.
    pub fn interleaf(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(&self.path);
        command.args(arguments);
        command
    }

    /// The person's configuration, which there usually is none of.
    pub fn config(&self) -> PathBuf {
        self.home.join("interleaf/config/config.toml")
    }

    /// The folders of projects: of this one, that is.
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
