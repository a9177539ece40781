//! One child process with a deadline. It gets input, its output is read up to a limit, and it is killed
//! together with all processes that it started. The caller decides which line of output is the last one that
//! it needs.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// Maximum length of standard output in bytes. An answer arrives in one line for every few words.
const MAX_STDOUT_BYTES: u64 = 16 << 20;
/// Maximum length of standard error in bytes.
const MAX_STDERR_BYTES: u64 = 64 << 10;
/// Interval at which the exit of a process is polled once it has closed its output.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// What a process left behind.
pub(super) struct ProcessResult {
    /// Whether it was ended because its time was over.
    pub late: bool,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// All that came out of a pipe, and whether nothing more is wanted.
type PipeOutput = (Vec<u8>, bool);

/// A process group that does not outlive this.
struct ProcessGroup(Child);

/// Runs a command to its end, until a line of its output for which `is_enough`, or until the deadline.
///
/// # Errors
/// Why it could not be started.
pub(super) fn run(
    mut command: Command,
    stdin: &[u8],
    deadline: Instant,
    is_enough: fn(&[u8]) -> bool,
) -> io::Result<ProcessResult> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut group = ProcessGroup(command.spawn()?);
    feed(&mut group.0, stdin.to_owned());
    let stdout = collect(group.0.stdout.take(), MAX_STDOUT_BYTES, is_enough);
    let stderr = collect(group.0.stderr.take(), MAX_STDERR_BYTES, |_| false);
    let left = || deadline.saturating_duration_since(Instant::now());
    let said = stdout.recv_timeout(left());
    let late = !said.as_ref().is_ok_and(|(_, enough)| *enough || group.ends_by(deadline));
    // Nobody writes any more: the group is gone, or ended now.
    drop(group);
    let ((stdout, _), (stderr, _)) =
        (said.unwrap_or_default(), stderr.recv_timeout(POLL_INTERVAL * 20).unwrap_or_default());
    Ok(ProcessResult { late, stdout, stderr })
}

/// Input that does not fit into the pipe would otherwise wait for output to be read.
fn feed(child: &mut Child, input: Vec<u8>) {
    if let Some(mut pipe) = child.stdin.take() {
        thread::spawn(move || pipe.write_all(&input));
    }
}

/// Reads to the end, to the limit or to a line that is enough, and closes the pipe. The thread ends with the
/// process.
fn collect(
    pipe: Option<impl Read + Send + 'static>,
    most: u64,
    is_enough: fn(&[u8]) -> bool,
) -> Receiver<PipeOutput> {
    let (sender, receiver) = mpsc::channel();
    if let Some(pipe) = pipe {
        thread::spawn(move || {
            let (mut lines, mut said, mut enough) = (BufReader::new(pipe.take(most)), Vec::new(), false);
            while !enough {
                let before = said.len();
                match lines.read_until(b'\n', &mut said) {
                    Ok(0) | Err(_) => break,
                    Ok(_) => enough = is_enough(&said[before..]),
                }
            }
            sender.send((said, enough))
        });
    }
    receiver
}

impl ProcessGroup {
    fn ends_by(&mut self, deadline: Instant) -> bool {
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
        // The number is the group's for as long as its first process was not waited for.
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
    fn input_that_fits_no_pipe_goes_in_and_comes_out() {
        let ended = sh("cat; echo no >&2", Duration::from_secs(60));

        assert_eq!((ended.late, ended.stdout.len(), ended.stderr), (false, 200_000, b"no\n".to_vec()));
    }

    #[test]
    fn at_the_deadline_it_ends_with_all_that_it_started() {
        let mark = std::env::temp_dir().join(format!("interleaf-group-{}", std::process::id()));
        let script = format!("(sleep 1; touch '{}') & sleep 60", mark.display());

        let ended = sh(&script, Duration::from_millis(200));
        thread::sleep(Duration::from_millis(1500));

        assert!(ended.late && !mark.exists());
    }

    #[test]
    fn after_a_line_that_is_enough_it_ends() {
        let ended = sh(
            "cat >/dev/null; echo one; echo enough; sleep 1; echo more; sleep 60",
            Duration::from_secs(60),
        );

        assert_eq!((ended.late, ended.stdout), (false, b"one\nenough\n".to_vec()));
    }

    #[test]
    fn what_never_ends_is_cut() {
        let ended = sh("cat >/dev/null; yes", Duration::from_secs(60));

        assert_eq!((ended.late, ended.stdout.len() as u64), (false, MAX_STDOUT_BYTES));
    }
}
