//! Hooks and workers killed at any moment: every acknowledged capture is saved exactly once.
//!
//! Only [`Saver`] knows which layer saves, so that the same test holds for any layer that does.

use super::project::{TestProject, spawn_silent};
use interleaf_tests::program::program;
use interleaf_tests::random::Random;
use serde_json::json;
use std::cell::Cell;
use std::io::Write;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

/// Minimum number of processes to kill while they run, each at another moment.
const MIN_KILLS: u32 = 50;

/// Maximum number of rounds. A process that exits before its kill does not count, so another round follows.
const MAX_ROUNDS: u32 = 500;

/// Number of a capture during which no process is killed.
const UNDISTURBED: u32 = MAX_ROUNDS + 1;

/// A limit on jobs that is high enough for one session to submit all of them.
const HIGH_JOB_LIMIT: &str = "[limits]\njobs = 5000\n";

/// A project with layers that capture and save, and the events that trigger both.
struct Saver {
    project: TestProject,
    /// Returns an event that captures these words.
    capture_event: fn(&TestProject, u32, &str) -> String,
    /// The number of memories that the saving layer makes of a capture.
    memories_of_capture: usize,
}

impl Saver {
    /// Creates a project with the worker layer.
    fn with_worker_layer() -> Self {
        Self {
            project: TestProject::with(&format!(
                "{HIGH_JOB_LIMIT}[limits.deadline_ms]\nstop = 20000\nuser-prompt = 20000\njob = 20000\n"
            )),
            capture_event: |project, number, words| {
                project.capture_event("one", &format!("c{number}"), words)
            },
            memories_of_capture: 1,
        }
    }

    /// Creates a project with the embedded layers: posttool captures, save settles and makes no memory of it.
    fn with_embedded_layers() -> Self {
        let deadlines = "stop = 20000\ntool-failure = 20000\njob = 20000\n";
        let project = TestProject::with_embedded_layers(&format!(
            "{HIGH_JOB_LIMIT}[limits.deadline_ms]\n{deadlines}[layers.save.settings]\ndebounce_seconds = 0\n"
        ));
        let _ = project.scratch.interleaf(&["compile"]).success();
        let capture_event = |project: &TestProject, _, words: &str| {
            let (first, rest) = words.split_once(' ').expect("there are six");
            let fields = json!({
                "session_id": "one", "tool_name": "Bash", "tool_use_id": "t1", "is_interrupt": false,
                "tool_input": {"command": format!("cargo build --package {first}")},
                "error": format!(
                    "Exit code 101\nerror[E0382]: borrow of moved value: `{rest}`\n --> src/a.rs:4:5"
                ),
            });
            project.scratch.event("PostToolUseFailure", fields)
        };
        Self { project, capture_event, memories_of_capture: 0 }
    }

    /// Returns the event that captures the words of this number.
    fn capture_event(&self, number: u32) -> String {
        (self.capture_event)(&self.project, number, &words(number))
    }

    /// Returns the event after which captures are saved.
    fn stop_event(&self) -> String {
        self.project.stop_event("one", "done")
    }

    /// Returns a function that counts the memories with the words of a number.
    fn count_memories(&self) -> impl Fn(u32) -> usize {
        let memories = self.project.memories();
        move |number| {
            // A memory may hold only the beginning of a long text.
            let word = words(number).split(' ').nth(1).expect("there are six").to_owned();
            memories.iter().filter(|memory| memory.contains(&word)).count()
        }
    }
}

/// Returns six words for a number, none of which belongs to another number, so there are no near duplicates.
pub fn words(number: u32) -> String {
    let word = |index: u32| {
        let mut left = number * 6 + index;
        let mut word = String::from("zq");
        for _ in 0..4 {
            word.push(char::from(b"bcdfghklmnprstvw"[(left % 16) as usize]));
            word.push(char::from(b"aeiou"[(left % 5) as usize]));
            left /= 16;
        }
        word
    };
    (0..6).map(word).collect::<Vec<_>>().join(" ")
}

fn hook(project: &TestProject, event: &str) -> Child {
    let mut command = project.scratch.command(program());
    command.arg("hook").env("CLAUDECODE", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("it can be started");
    // A killed hook does not read its input, so a write error is ignored.
    let _ = child.stdin.take().map(|mut pipe| pipe.write_all(event.as_bytes()));
    child
}

fn random_micros(random: &mut Random, limit: u64) -> Duration {
    Duration::from_micros(random.below(limit as usize) as u64)
}

/// Kills a process after this time unless it has exited by then. Returns whether it succeeded.
fn kill_after(mut child: Child, time: Duration) -> bool {
    thread::sleep(time);
    let _ = child.kill();
    child.wait().expect("it is ours").success()
}

/// Measures how long such a process runs, so that the kills happen while it runs.
fn run_time_micros(mut child: Child) -> u64 {
    let began = std::time::Instant::now();
    assert!(child.wait().expect("it is ours").success());
    began.elapsed().as_micros() as u64 + 1
}

#[test]
fn a_job_whose_worker_was_killed_resumes_on_the_next_event() {
    let project = TestProject::new();
    let lock = project.block_workers();
    let _ = project.stop("one", "a busy 0 3000").success();
    drop(lock);
    let mut worker = project.spawn_worker();
    project.wait_until("it is running", || project.progress("a") == "running");
    worker.kill().expect("it is ours");
    let _ = worker.wait();
    let listed = project.scratch.interleaf(&["jobs"]).success();
    assert!(listed.contains("worker exited; will resume on the next event"), "{listed}");

    project.start_session("two");

    project.wait_until_finished();
    assert_eq!(project.memories(), ["The job that took its time is over"]);
    assert_eq!(project.job("a")["attempts"], 2);
}

#[test]
fn killed_hooks_and_workers_lose_no_acknowledged_capture_and_duplicate_none() {
    kill_hooks_and_workers(&Saver::with_worker_layer());
}

#[test]
fn a_capture_of_posttool_is_settled_whichever_process_is_killed() {
    kill_hooks_and_workers(&Saver::with_embedded_layers());
}

fn kill_hooks_and_workers(saver: &Saver) {
    let project = &saver.project;
    let mut random = Random::new(20_261_120);
    // Only the workers that this test starts may run.
    let lock = project.block_workers();
    let hook_micros = run_time_micros(hook(project, &saver.capture_event(UNDISTURBED)));
    assert!(project.scratch.hook(saver.stop_event()).code == Some(0));
    drop(lock);
    let worker_micros = run_time_micros(project.spawn_worker());
    let mut acknowledged = vec![UNDISTURBED];
    let (mut unacknowledged, killed) = (Vec::new(), Cell::new(0));

    for round in (0..MAX_ROUNDS).take_while(|_| killed.get() < MIN_KILLS) {
        let lock = project.block_workers();
        let mut hook_process = hook(project, &saver.capture_event(round));
        let captured = match round % 3 {
            0 => kill_after(hook_process, random_micros(&mut random, hook_micros)),
            _ => hook_process.wait().expect("it is ours").success(),
        };
        if captured { &mut acknowledged } else { &mut unacknowledged }.push(round);
        match round % 3 {
            1 => {
                // Without a running worker this hook starts one, or is killed before it does.
                drop(lock);
                let ended =
                    kill_after(hook(project, &saver.stop_event()), random_micros(&mut random, hook_micros));
                killed.set(killed.get() + u32::from(!ended));
            }
            _ => {
                assert!(hook(project, &saver.stop_event()).wait().expect("it is ours").success());
                drop(lock);
            }
        }
        let ended = kill_after(project.spawn_worker(), random_micros(&mut random, worker_micros));
        killed.set(killed.get() + u32::from(!ended) + u32::from(!captured));
    }

    let _ = project.scratch.hook(saver.stop_event()).success();
    project.wait_until_finished();
    let _ = spawn_silent(project.scratch.command(program()).args(["jobs", "run"])).wait();
    assert!(killed.get() >= MIN_KILLS, "only {} were still alive when they were killed", killed.get());
    assert_eq!(project.waiting_captures(), 0);
    let count = saver.count_memories();
    for number in acknowledged {
        assert_eq!(count(number), saver.memories_of_capture, "{number} was acknowledged");
    }
    // A capture whose hook was killed may be saved or not.
    for number in unacknowledged {
        assert!(count(number) <= saver.memories_of_capture, "{number} is duplicated");
    }
}
