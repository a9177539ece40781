//! A program that saves memories and answers searches over standard input and output, as
//! `interleaf bench-serve` does, so that searches of others can be measured on the same data.
//!
//! It reads JSON lines: `{"op": "add", "id", "text", "tags", "asked_as", "created_at"}`, which has no answer,
//! and `{"op": "search", "query", "limit", "now"}`, which is answered with `{"ids": ["best", …]}`. The
//! variable `BENCH_STORE` names its own empty folder.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::family::StoredMemory;

/// The time of every memory and every search, in milliseconds since the Unix epoch: 2026-01-01.
const TIME: i64 = 1_767_225_600_000;

/// A running program.
pub struct SearchProcess {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    _store: TempDir,
}

#[derive(Deserialize)]
struct Answer {
    ids: Vec<String>,
}

impl SearchProcess {
    /// Starts the program with an empty store.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(mut command: Command) -> Result<Self> {
        let store = tempfile::tempdir()?;
        command.env("BENCH_STORE", store.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
        let stdout = child.stdout.take().context("its output is piped")?;
        Ok(Self { stdin: child.stdin.take(), stdout: BufReader::new(stdout), child, _store: store })
    }

    /// Saves a memory.
    ///
    /// # Errors
    /// If the program has ended.
    pub fn add(&mut self, memory: &StoredMemory) -> Result<()> {
        self.send(&json!({
            "op": "add", "id": memory.id, "text": memory.text, "tags": memory.tags,
            "asked_as": memory.asked_as, "created_at": TIME,
        }))
    }

    /// Returns the ids of the best memories, and the time that the program took.
    ///
    /// # Errors
    /// If the program does not answer.
    pub fn search(&mut self, query: &str, limit: usize) -> Result<(Vec<String>, Duration)> {
        let began = Instant::now();
        self.send(&json!({ "op": "search", "query": query, "limit": limit, "now": TIME }))?;
        let mut line = String::new();
        if self.stdout.read_line(&mut line)? == 0 {
            bail!("the program has ended without an answer");
        }
        let took = began.elapsed();
        let answer: Answer = serde_json::from_str(&line).with_context(|| format!("not an answer: {line}"))?;
        Ok((answer.ids, took))
    }

    /// Returns the most memory that the program has used so far, in megabytes.
    pub fn peak_megabytes(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<f64>().ok());
        kilobytes.unwrap_or_default() / 1024.0
    }

    fn send(&mut self, request: &Value) -> Result<()> {
        let stdin = self.stdin.as_mut().context("the program's input is open")?;
        writeln!(stdin, "{request}")?;
        Ok(stdin.flush()?)
    }
}

impl Drop for SearchProcess {
    /// Ends the program's input, which ends the program; what goes on is killed.
    fn drop(&mut self) {
        self.stdin = None;
        let waited = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && waited.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
