//! A round of kills: a project of its own, what was killed in it, and what is wrong afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::Value;

use crate::bench::fixture::database_in;

use super::killer::{Ended, Moments, kill_after};
use super::ledger::{Differences, Ledger};
use super::soundness;

/// Maximum number of failures of a round that are listed. Most of the others have the same cause.
const MAX_LISTED: usize = 3;

/// Numbers of a round, or of many.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    /// Number of killed processes, by what they were.
    pub kills: BTreeMap<&'static str, usize>,
    /// Number of entries that had to be stored.
    pub acknowledged: usize,
    /// Number of lost entries.
    pub lost: usize,
    /// Number of entries that are stored more than once.
    pub doubled: usize,
    /// What is wrong.
    pub failures: Vec<String>,
}

impl Tally {
    /// Returns the number of killed processes.
    pub fn killed(&self) -> usize {
        self.kills.values().sum()
    }

    /// Counts a process, and notes its failure.
    pub fn count(&mut self, kind: &'static str, ended: &Ended) {
        *self.kills.entry(kind).or_default() += usize::from(ended.was_killed);
        self.failures.extend(ended.failure().map(|failure| format!("{kind}: {failure}")));
    }

    /// Adds the numbers of another round.
    pub fn add(&mut self, other: Self) {
        other.kills.into_iter().for_each(|(kind, kills)| *self.kills.entry(kind).or_default() += kills);
        self.acknowledged += other.acknowledged;
        self.lost += other.lost;
        self.doubled += other.doubled;
        self.failures.extend(other.failures);
    }

    fn differ(&mut self, ledger: &Ledger, differences: &Differences) {
        self.acknowledged += ledger.acknowledged.len();
        self.lost += differences.lost.len();
        self.doubled += differences.doubled.len();
        self.failures.extend(differences.sentences());
    }
}

/// A project whose processes are killed.
pub struct Round<'a> {
    program: &'a Path,
    /// Its home, its project, and the program's folders.
    pub scratch: Scratch,
    /// The seed of its moments and words.
    pub seed: u64,
    /// Its numbers.
    pub tally: Tally,
}

impl<'a> Round<'a> {
    /// Creates a round. Its processes have time: what a deadline does is not the question here.
    pub fn new(program: &'a Path, seed: u64) -> Self {
        let scratch = Scratch::new();
        scratch.configure("[limits]\njobs = 5000\n\n[layers.save.settings]\ndebounce_seconds = 0\n");
        Self { program, scratch, seed, tally: Tally::default() }
    }

    /// Creates the same round again, for what happens without kills.
    pub fn undisturbed(&self) -> Self {
        Self::new(self.program, self.seed)
    }

    /// Returns an `interleaf` command in the project.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.scratch.command(self.program);
        command.args(arguments);
        command
    }

    /// Runs a command to its end, and returns its output.
    pub fn run(&self, arguments: &[&str]) -> ProcessOutput {
        run(&mut self.command(arguments), b"", HANG_TIMEOUT)
    }

    /// Runs a command that must succeed, and returns what it printed.
    pub fn succeed(&mut self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        if ran.code != Some(0) {
            let (line, code) = (arguments.join(" "), ran.code);
            self.note(format!("interleaf {line}: exit code {code:?}: {}{}", ran.out(), ran.err()));
        }
        ran.out()
    }

    /// Notes that something is wrong.
    pub fn note(&mut self, failure: String) {
        self.tally.failures.push(failure);
    }

    /// Runs a command and kills it at the next moment.
    pub fn kill(&mut self, kind: &'static str, arguments: &[&str], moments: &mut Moments) -> Result<Ended> {
        let ended = kill_after(&mut self.command(arguments), "", Some(moments.next()))?;
        moments.learn(&ended);
        self.tally.count(kind, &ended);
        Ok(ended)
    }

    /// Imports these entries.
    pub fn import(&mut self, entries: &[Value]) -> Result<()> {
        let file = self.scratch.root.join("entries.jsonl");
        fs::write(&file, entries.iter().map(|entry| format!("{entry}\n")).collect::<String>())?;
        let _ = self.succeed(&["memory", "import", path_text(&file)?]);
        Ok(())
    }

    /// Returns all stored memories.
    pub fn memories(&mut self) -> Vec<Value> {
        let export = self.succeed(&["memory", "export"]);
        export.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Returns the texts of all stored memories.
    pub fn texts(&mut self) -> Vec<String> {
        self.memories().iter().filter_map(|memory| Some(memory["text"].as_str()?.to_owned())).collect()
    }

    /// Returns the path of the database.
    pub fn database(&self) -> Result<PathBuf> {
        database_in(&self.scratch.interleaf_home.join("data/projects"))
    }

    /// Compares the texts of the memories with the ledger, and checks that the store is sound.
    pub fn check(&mut self, ledger: &Ledger) -> Result<()> {
        let texts = self.texts();
        self.check_stored(ledger, texts)
    }

    /// Compares what is stored with the ledger, and checks that the store is sound.
    pub fn check_stored(&mut self, ledger: &Ledger, stored: Vec<String>) -> Result<()> {
        self.tally.differ(ledger, &ledger.compare(stored));
        let _ = self.succeed(&["memory", "verify"]);
        let database = self.database()?;
        self.tally.failures.extend(soundness::problems(&database)?);
        Ok(())
    }

    /// Checks that no process and no lock is left.
    pub fn check_idle(&mut self) -> Result<()> {
        let left = soundness::wait_for_processes(&self.scratch.root);
        self.tally.failures.extend(left.into_iter().map(|process| format!("still running: {process}")));
        let locks = soundness::locks(self.database()?.parent().context("a file lies in a folder")?)?;
        self.tally.failures.extend(locks.into_iter().map(|path| format!("still locked: {}", path.display())));
        Ok(())
    }

    /// Removes the folders, or keeps them if something is wrong, and returns the numbers.
    pub fn finish(self, name: &str) -> Tally {
        let mut tally = self.tally;
        if !tally.failures.is_empty() {
            let more = tally.failures.len().saturating_sub(MAX_LISTED);
            tally.failures.truncate(MAX_LISTED);
            tally.failures.extend((more > 0).then(|| format!("and {more} more")));
            let place = format!("{name}, seed {}, in {}", self.seed, self.scratch.root.display());
            tally.failures.iter_mut().for_each(|failure| *failure = format!("{place}: {failure}"));
            tally.failures.iter().for_each(|failure| println!("  {failure}"));
            std::mem::forget(self.scratch);
        }
        tally
    }
}

/// Returns a path as text, for an argument.
pub fn path_text(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))
}
