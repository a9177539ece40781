//! One process from spawn to exit: its run time and its peak memory.
//!
//! The kernel's peak of a process includes its memory before it executed the new program, when it still
//! shared ours. So this program stays small: nothing here holds a corpus, and a peak below our own size
//! cannot be measured.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use wait4::Wait4;

/// The cost and output of one process.
pub struct ProcessRun {
    took: Duration,
    /// Peak memory in bytes.
    peak: u64,
    /// Its standard output.
    pub stdout: String,
}

/// Runs a program with `input` as its whole standard input, as Claude Code does: spawned directly, no shell.
pub fn run(command: &mut Command, input: &str) -> Result<ProcessRun> {
    let mut stdout = String::new();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let began = Instant::now();
    let mut child =
        command.spawn().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // The empty program does not read its input, so a write error is ignored.
        let _ = stdin.write_all(input.as_bytes());
    }
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_string(&mut stdout)?;
    }
    let usage = child.wait4()?;
    let took = began.elapsed();
    if !usage.status.success() {
        bail!("{} ended with {}", command.get_program().display(), usage.status);
    }
    Ok(ProcessRun { took, peak: usage.rusage.maxrss, stdout })
}

/// The costs of many runs of the same command.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    times: Vec<Duration>,
    peak: u64,
}

impl Sample {
    /// Adds a run.
    pub fn add(&mut self, ran: ProcessRun) {
        self.times.push(ran.took);
        self.peak = self.peak.max(ran.peak);
    }

    /// Returns the median run time in milliseconds.
    pub fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort();
        times.get(times.len() / 2).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
    }

    /// Returns the largest peak in MiB.
    pub fn peak(&self) -> f64 {
        self.peak as f64 / f64::from(1 << 20)
    }
}
