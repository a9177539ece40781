//! One child process with a deadline. It receives input, its output is read up to a limit, and at the
//! deadline it is killed together with all processes that it started. The caller decides which line of output
//! is the last one that it needs.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// Maximum length of standard output in bytes. Streaming takes one line of JSON for every few words.
const MAX_STDOUT_BYTES: u64 = 16 << 20;
/// Maximum length of standard error in bytes.
const MAX_STDERR_BYTES: u64 = 64 << 10;
/// Interval at which the exit of a process is polled once it has closed its output.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The output of a process.
pub(super) struct ProcessResult {
    /// Whether it was killed at its deadline.
    pub timed_out: bool,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// The bytes from a pipe, and whether a line among them was enough.
type PipeOutput = (Vec<u8>, bool);

/// A process group that is killed when this value is dropped.
struct ProcessGroup(Child);

/// Runs a command until it exits, prints a line for which `is_enough` holds, or reaches the deadline.
///
/// # Errors
/// If it cannot be started.
pub(super) fn run(
    mut command: Command,
    stdin: &[u8],
    deadline: Instant,
    is_enough: fn(&[u8]) -> bool,
) -> io::Result<ProcessResult> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut group = ProcessGroup(command.spawn()?);
    write_stdin(&mut group.0, stdin.to_owned());
    let stdout = collect(group.0.stdout.take(), MAX_STDOUT_BYTES, is_enough);
    let stderr = collect(group.0.stderr.take(), MAX_STDERR_BYTES, |_| false);
    let output = stdout.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    let timed_out = !output.as_ref().is_ok_and(|(_, enough)| *enough || group.exits_by(deadline));
    // The process has exited or is killed here, so nothing more is written.
    drop(group);
    let ((stdout, _), (stderr, _)) =
        (output.unwrap_or_default(), stderr.recv_timeout(POLL_INTERVAL * 20).unwrap_or_default());
    Ok(ProcessResult { timed_out, stdout, stderr })
}

/// Writes the input in a thread: input larger than the pipe would otherwise block until output is read.
fn write_stdin(child: &mut Child, input: Vec<u8>) {
    if let Some(mut pipe) = child.stdin.take() {
        thread::spawn(move || pipe.write_all(&input));
    }
}

/// Reads in a thread to the end, to the limit or to a line that is enough, then closes the pipe. The thread
/// ends with the process.
fn collect(
    pipe: Option<impl Read + Send + 'static>,
    max_bytes: u64,
    is_enough: fn(&[u8]) -> bool,
) -> Receiver<PipeOutput> {
    let (sender, receiver) = mpsc::channel();
    if let Some(pipe) = pipe {
        thread::spawn(move || {
            let (mut lines, mut output, mut enough) =
                (BufReader::new(pipe.take(max_bytes)), Vec::new(), false);
            while !enough {
                let before = output.len();
                match lines.read_until(b'\n', &mut output) {
                    Ok(0) | Err(_) => break,
                    Ok(_) => enough = is_enough(&output[before..]),
                }
            }
            sender.send((output, enough))
        });
    }
    receiver
}

impl ProcessGroup {
    fn exits_by(&mut self, deadline: Instant) -> bool {
        loop {
            match self.0.try_wait() {
                Ok(None) if Instant::now() < deadline => thread::sleep(POLL_INTERVAL),
                Ok(None) => return false,
                _ => return true,
            }
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let running = matches!(self.0.try_wait(), Ok(None));
        let group = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw);
        // The id stays the group's until its first process has been waited for.
        if let Some(group) = group.filter(|_| running) {
            let _ = kill_process_group(group, Signal::KILL);
            let _ = self.0.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, deadline: Duration) -> ProcessResult {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let enough = |line: &[u8]| line == b"enough\n";
        run(command, &vec![b'x'; 200_000], Instant::now() + deadline, enough)
            .unwrap_or_else(|error| panic!("sh: {error}"))
    }

    #[test]
    fn input_larger_than_a_pipe_passes_through() {
        let result = sh("cat; echo no >&2", Duration::from_secs(60));

        assert_eq!(
            (result.timed_out, result.stdout.len(), result.stderr),
            (false, 200_000, b"no\n".to_vec())
        );
    }

    #[test]
    fn at_the_deadline_a_process_is_killed_with_its_children() {
        let file_of_child = std::env::temp_dir().join(format!("interleaf-group-{}", std::process::id()));
        let script = format!("(sleep 1; touch '{}') & sleep 60", file_of_child.display());

        let result = sh(&script, Duration::from_millis(200));
        thread::sleep(Duration::from_millis(1500));

        assert!(result.timed_out && !file_of_child.exists());
    }

    #[test]
    fn a_line_that_is_enough_ends_the_process() {
        let result = sh(
            "cat >/dev/null; echo one; echo enough; sleep 1; echo more; sleep 60",
            Duration::from_secs(60),
        );

        assert_eq!((result.timed_out, result.stdout), (false, b"one\nenough\n".to_vec()));
    }

    #[test]
    fn endless_output_is_cut_at_the_limit() {
        let result = sh("cat >/dev/null; yes", Duration::from_secs(60));

        assert_eq!((result.timed_out, result.stdout.len() as u64), (false, MAX_STDOUT_BYTES));
    }
}
