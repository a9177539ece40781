//! One process from spawn to exit: how long it took, and how much memory it had at most.
//!
//! The kernel counts into a process's peak what its memory was before it became the new program, and until
//! then it shared ours. So this program stays small: nothing here holds a corpus, and no figure below our own
//! size is true.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use wait4::Wait4;

/// What one process cost, and said.
pub struct Ran {
    took: Duration,
    /// In bytes.
    peak: u64,
    /// Its standard output.
    pub stdout: String,
}

/// Runs a program with `input` as its whole standard input, as Claude Code does: spawned directly, no shell.
pub fn run(command: &mut Command, input: &str) -> Result<Ran> {
    let mut stdout = String::new();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let began = Instant::now();
    let mut child =
        command.spawn().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does nothing does not read, either.
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
    Ok(Ran { took, peak: usage.rusage.maxrss, stdout })
}

/// What many runs of the same thing cost.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    times: Vec<Duration>,
    peak: u64,
}

impl Sample {
    /// One run more.
    pub fn add(&mut self, ran: Ran) {
        self.times.push(ran.took);
        self.peak = self.peak.max(ran.peak);
    }

    /// The median, in milliseconds.
    pub fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort();
        times.get(times.len() / 2).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
    }

    /// The largest peak, in MiB.
    pub fn peak(&self) -> f64 {
        self.peak as f64 / f64::from(1 << 20)
    }
}
