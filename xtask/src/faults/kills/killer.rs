//! Kills processes at random moments of their run.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use interleaf_tests::random::Random;
use interleaf_tests::run::ProcessOutput;
use interleaf_tests::scratch::HANG_TIMEOUT;

/// SIGKILL, by POSIX.
const SIGKILL: i32 = 9;

/// Time between two looks at a process that may have exited before its moment.
const POLL_INTERVAL: Duration = Duration::from_micros(500);

/// Latest moment of a kill, in thousandths of the run time: some processes take longer than the last one.
const LATEST: usize = 1_100;

/// The moments of kills: random parts of the time that such a process runs.
pub struct Moments {
    random: Random,
    run_time: Duration,
}

impl Moments {
    /// Creates the moments for processes that run for about this time.
    pub fn new(seed: u64, run_time: Duration) -> Self {
        Self { random: Random::new(seed), run_time }
    }

    /// Returns how long the next process may run.
    pub fn next(&mut self) -> Duration {
        let thousandths = self.random.below(LATEST);
        self.run_time.mul_f64(thousandths as f64 / 1_000.0)
    }

    /// Follows the run time of processes that were not killed, which changes with the load of the machine.
    pub fn learn(&mut self, ended: &Ended) {
        if !ended.was_killed {
            self.run_time = (self.run_time * 7 + ended.output.took) / 8;
        }
    }
}

/// A process that has ended by itself or was killed.
pub struct Ended {
    /// Whether it was still running at its moment.
    pub was_killed: bool,
    /// What it printed until then.
    pub output: ProcessOutput,
}

impl Ended {
    /// Returns why it failed, if it was not killed and failed.
    pub fn failure(&self) -> Option<String> {
        let (code, output) = (self.output.code, &self.output);
        let failed = !self.was_killed && code != Some(0);
        failed.then(|| format!("exit code {code:?}: {}{}", output.out(), output.err()))
    }
}

/// Runs a program with this input, and kills it at this moment of its run. Without one it ends by itself; if
/// it hangs, it has no exit code.
pub fn kill_after(command: &mut Command, input: &str, moment: Option<Duration>) -> Result<Ended> {
    let began = Instant::now();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child =
        command.spawn().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    // A killed process does not read its input, so a write error is ignored.
    let _ = child.stdin.take().map(|mut pipe| pipe.write_all(input.as_bytes()));
    wait_until(&mut child, began + moment.unwrap_or(HANG_TIMEOUT))?;
    let _ = child.kill();
    let Output { status, stdout, stderr } = child.wait_with_output()?;
    let output = ProcessOutput { code: status.code(), stdout, stderr, took: began.elapsed() };
    Ok(Ended { was_killed: moment.is_some() && status.signal() == Some(SIGKILL), output })
}

fn wait_until(child: &mut Child, moment: Instant) -> Result<()> {
    while child.try_wait()?.is_none() {
        let left = moment.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        thread::sleep(left.min(POLL_INTERVAL));
    }
    Ok(())
}

/// Kills a process that is not a child of this one. Returns whether it was still running.
pub fn kill_process(id: u32) -> bool {
    // The system call would need an `unsafe` block or a dependency.
    let killed = Command::new("kill").args(["-KILL", &id.to_string()]).stderr(Stdio::null()).status();
    killed.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_killed_at_its_moment_and_one_that_is_over_is_not() {
        let long = kill_after(Command::new("sleep").arg("60"), "", Some(Duration::from_millis(20))).unwrap();
        let short = kill_after(Command::new("cat").arg("-"), "acknowledged", None).unwrap();

        assert!(long.was_killed && long.output.took < Duration::from_secs(10) && long.failure().is_none());
        assert!(!short.was_killed && short.failure().is_none(), "{:?}", short.failure());
        assert_eq!(short.output.out(), "acknowledged");
    }

    #[test]
    fn the_same_seed_gives_the_same_moments_within_the_run_time() {
        let moments = |seed| {
            let mut moments = Moments::new(seed, Duration::from_millis(100));
            (0..100).map(|_| moments.next()).collect::<Vec<_>>()
        };

        assert_eq!(moments(1), moments(1));
        assert_ne!(moments(1), moments(2));
        assert!(moments(1).iter().all(|moment| *moment <= Duration::from_millis(110)));
    }
}
