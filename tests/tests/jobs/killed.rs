//! Whoever is killed, wherever: what was acknowledged is written down once.
//!
//! Which layer saves is said in one project, [`Saver`], so that the same holds for any that does.

use super::project::{TestProject, quiet};
use interleaf_tests::program::program;
use interleaf_tests::random::Random;
use serde_json::json;
use std::cell::Cell;
use std::io::Write;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

/// So many are killed while they are at it, at as many moments.
const KILLED: u32 = 50;

/// Who is over before their moment comes was not killed, and there is another round; but not for ever.
const ROUNDS: u32 = 500;

/// The number of something noticed that nobody is killed over.
const LAST: u32 = ROUNDS + 1;

/// One session sees everything here.
const MANY: &str = "[limits]\njobs = 5000\n";

/// How something noticed gets into the queue, and what is to be found of it in the end.
struct Saver {
    project: TestProject,
    /// The event in which these words are noticed.
    noticing: fn(&TestProject, u32, &str) -> String,
}

impl Saver {
    /// The layer of these tests.
    fn ours() -> Self {
        Self {
            project: TestProject::with(&format!(
                "{MANY}[limits.deadline_ms]\nstop = 20000\nuser-prompt = 20000\njob = 20000\n"
            )),
            noticing: |project, number, words| project.noticing("one", &format!("c{number}"), words),
        }
    }

    /// What comes with Interleaf: posttool notices, save writes down.
    fn embedded() -> Self {
        let deadlines = "stop = 20000\ntool-failure = 20000\njob = 20000\n";
        let project = TestProject::saving(&format!(
            "{MANY}[limits.deadline_ms]\n{deadlines}[layers.save.settings]\ndebounce_seconds = 0\n"
        ));
        let _ = project.scratch.interleaf(&["compile"]).success();
        let noticing = |project: &TestProject, _, words: &str| {
            let (first, rest) = words.split_once(' ').expect("there are six");
            let fields = json!({
                "session_id": "one", "tool_name": "Bash", "tool_use_id": "t1", "is_interrupt": false,
                "tool_input": {"command": format!("cargo build --package {first}")},
                "error": format!("Exit code 101\nerror[E0382]: borrow of moved value: `{rest}`\n --> src/a.rs:4:5"),
            });
            project.scratch.event("PostToolUseFailure", fields)
        };
        Self { project, noticing }
    }

    /// The event in which the thing of this number is noticed.
    fn noticing(&self, number: u32) -> String {
        (self.noticing)(&self.project, number, &words(number))
    }

    /// The event after which it is to be saved.
    fn pausing(&self) -> String {
        self.project.stopping("one", "done")
    }

    /// How many memories tell of the thing of each number.
    fn written(&self) -> impl Fn(u32) -> usize {
        let memories = self.project.memories();
        move |number| {
            // Of what is long only the beginning may be told.
            let word = words(number).split(' ').nth(1).expect("there are six").to_owned();
            memories.iter().filter(|memory| memory.contains(&word)).count()
        }
    }
}

/// Six words for a number, which share none with those of another: nothing here is a near duplicate.
pub fn words(number: u32) -> String {
    let word = |project: u32| {
        let mut left = number * 6 + project;
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
    // A hook that was killed does not read.
    let _ = child.stdin.take().map(|mut pipe| pipe.write_all(event.as_bytes()));
    child
}

fn random_micros(random: &mut Random, limit: u64) -> Duration {
    Duration::from_micros(random.below(limit as usize) as u64)
}

/// Kills it after so long, unless it is over by then; whether it ended well.
fn kill_after(mut child: Child, time: Duration) -> bool {
    thread::sleep(time);
    let _ = child.kill();
    child.wait().expect("it is ours").success()
}

/// How long such a process takes, so that the moments to kill it at lie within its life.
fn life(mut child: Child) -> u64 {
    let began = std::time::Instant::now();
    assert!(child.wait().expect("it is ours").success());
    began.elapsed().as_micros() as u64 + 1
}

#[test]
fn a_job_whose_worker_was_killed_is_taken_up_by_the_next_event() {
    let project = TestProject::new();
    let held = project.hold_workers_off();
    let _ = project.stop("one", "a busy 0 3000").success();
    drop(held);
    let mut worker = project.worker();
    project.wait("it is at work", || project.progress("a") == "running");
    worker.kill().expect("it is ours");
    let _ = worker.wait();
    let listed = project.scratch.interleaf(&["jobs"]).success();
    assert!(listed.contains("worker exited; will resume on the next event"), "{listed}");

    project.begin("two");

    project.finished();
    assert_eq!(project.memories(), ["The job that took its time is over"]);
    assert_eq!(project.job("a")["attempts"], 2);
}

#[test]
fn hooks_and_workers_killed_anywhere_lose_nothing_that_was_acknowledged_and_double_nothing() {
    kill_everybody(&Saver::ours());
}

#[test]
fn what_posttool_noticed_is_saved_once_whoever_is_killed() {
    kill_everybody(&Saver::embedded());
}

fn kill_everybody(saver: &Saver) {
    let project = &saver.project;
    let mut random = Random::new(20_261_120);
    // Nobody works but those we can kill.
    let held = project.hold_workers_off();
    let hook_life = life(hook(project, &saver.noticing(LAST)));
    assert!(project.scratch.hook(saver.pausing()).code == Some(0));
    drop(held);
    let worker_life = life(project.worker());
    let mut acknowledged = vec![LAST];
    let (mut unsure, killed) = (Vec::new(), Cell::new(0));

    for round in (0..ROUNDS).take_while(|_| killed.get() < KILLED) {
        let held = project.hold_workers_off();
        let mut noticing = hook(project, &saver.noticing(round));
        let noticed = match round % 3 {
            0 => kill_after(noticing, random_micros(&mut random, hook_life)),
            _ => noticing.wait().expect("it is ours").success(),
        };
        if noticed { &mut acknowledged } else { &mut unsure }.push(round);
        match round % 3 {
            1 => {
                // With nobody at work this one starts a worker of its own, or is killed before it does.
                drop(held);
                let ended =
                    kill_after(hook(project, &saver.pausing()), random_micros(&mut random, hook_life));
                killed.set(killed.get() + u32::from(!ended));
            }
            _ => {
                assert!(hook(project, &saver.pausing()).wait().expect("it is ours").success());
                drop(held);
            }
        }
        let ended = kill_after(project.worker(), random_micros(&mut random, worker_life));
        killed.set(killed.get() + u32::from(!ended) + u32::from(!noticed));
    }

    let _ = project.scratch.hook(saver.pausing()).success();
    project.finished();
    let _ = quiet(project.scratch.command(program()).args(["jobs", "run"])).wait();
    assert!(killed.get() >= KILLED, "only {} were still alive when they were killed", killed.get());
    assert_eq!(project.waiting(), 0);
    let written = saver.written();
    for number in acknowledged {
        assert_eq!(written(number), 1, "{number} was acknowledged");
    }
    // A capture whose hook was killed may have been written down before it was, or not.
    for number in unsure {
        assert!(written(number) <= 1, "{number} is doubled");
    }
}
