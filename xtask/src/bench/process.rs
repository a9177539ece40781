//! One process from spawn to exit: its run time and its peak memory.
//!
//! The kernel's peak of a process includes its memory before it executed the new program, when it still
//! shared ours. So this program stays small: nothing here holds a corpus, and a peak below our own size
//! cannot be measured.

use std::io::{Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use wait4::Wait4;

const MEBIBYTE: f64 = (1 << 20) as f64;

/// The cost and output of one process.
pub struct ProcessRun {
    took: Duration,
    /// Time on a processor.
    busy: Duration,
    /// Peak memory in bytes.
    peak: u64,
    status: ExitStatus,
    /// Its standard output, if it was kept.
    pub stdout: String,
}

impl ProcessRun {
    /// Returns the run time in seconds.
    pub fn seconds(&self) -> f64 {
        self.took.as_secs_f64()
    }

    /// Returns its time on a processor in seconds.
    pub fn busy_seconds(&self) -> f64 {
        self.busy.as_secs_f64()
    }

    /// Returns the peak memory in MiB.
    pub fn peak(&self) -> f64 {
        self.peak as f64 / MEBIBYTE
    }
}

/// Runs a program with `input` as its whole standard input, as Claude Code does: spawned directly, no shell.
pub fn run(command: &mut Command, input: &str) -> Result<ProcessRun> {
    let ran = run_any(command, input, Stdio::piped())?;
    if !ran.status.success() {
        bail!("{} ended with {}", command.get_program().display(), ran.status);
    }
    Ok(ran)
}

/// Runs a program as [`run`] does, whatever its exit code, and drops its output, which may be larger than the
/// memory that this process should have.
pub fn run_without_output(command: &mut Command) -> Result<ProcessRun> {
    run_any(command, "", Stdio::null())
}

fn run_any(command: &mut Command, input: &str, output: Stdio) -> Result<ProcessRun> {
    let mut stdout = String::new();
    command.stdin(Stdio::piped()).stdout(output).stderr(Stdio::null());
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
    let busy = usage.rusage.utime + usage.rusage.stime;
    Ok(ProcessRun { took, busy, peak: usage.rusage.maxrss, status: usage.status, stdout })
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
        self.peak as f64 / MEBIBYTE
    }
}
