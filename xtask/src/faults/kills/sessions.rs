//! Kills the hooks of sessions, the workers that they start, and `interleaf jobs run`. What the same sessions
//! save without kills must be saved in the end, once.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::Result;
use interleaf_tests::harmless::check_harmless;
use interleaf_tests::random::Random;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::faults::lessons::{Lesson, Step};

use super::killer::{Ended, Moments, kill_after, kill_process};
use super::ledger::Ledger;
use super::round::Round;
use super::soundness::{belongs_to, wait_for_processes};

/// Number of sessions of a round.
const SESSIONS: usize = 8;

/// Number of kills of workers after the end of a turn. A job whose workers were killed five times is given up
/// by design.
const WORKER_KILLS: usize = 2;

/// First guesses of run times.
const HOOK_TIME: Duration = Duration::from_millis(15);
const WORKER_TIME: Duration = Duration::from_millis(40);

/// Maximum wait for the worker that a hook has just started.
const WORKER_START: Duration = Duration::from_millis(200);

const HOUR: Duration = Duration::from_secs(3_600);

/// Number of session starts within which the ends of all sessions are replayed: five each.
const LATER_SESSIONS: usize = SESSIONS / 5 + 2;

/// A session has been answered if one of these hooks ran to its end. The others leave no trace of a session.
const SESSION_EVENTS: [&str; 4] = ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"];

/// Kills as many processes of a round of sessions, as far as it has so many.
pub fn kill(round: &mut Round, kills: usize) -> Result<()> {
    let mut random = Random::new(round.seed);
    let lessons: Vec<Lesson> = (0..SESSIONS).map(|number| Lesson::new(number, &mut random)).collect();
    let expected = undisturbed(round, &lessons)?;
    let mut client = Client::new(round, kills);
    for lesson in &lessons {
        client.play(lesson)?;
    }
    settle(round)?;
    let stored = saved(round);
    round.check_stored(&Ledger::of(expected), stored)?;
    round.check_idle()
}

/// Returns what the sessions save if nothing is killed.
fn undisturbed(round: &mut Round, lessons: &[Lesson]) -> Result<BTreeSet<String>> {
    let mut quiet = round.undisturbed();
    let mut client = Client::new(&mut quiet, 0);
    for lesson in lessons {
        client.play(lesson)?;
    }
    settle(&mut quiet)?;
    let stored = saved(&mut quiet);
    let texts: BTreeSet<String> = stored.iter().cloned().collect();
    if texts.len() < stored.len() || texts.len() < 2 * SESSIONS {
        quiet.note(format!("without kills, {} memories were saved: {stored:?}", stored.len()));
    }
    round.tally.add(quiet.finish("sessions without kills"));
    Ok(texts)
}

/// Returns what was saved: texts, and of the summaries only their sessions, because what a summary says may
/// depend on where a flush began.
fn saved(round: &mut Round) -> Vec<String> {
    let name = |memory: &Value| match memory["category"].as_str() {
        Some("session_summary") => format!("the summary of {}", memory["source"]["session"]),
        _ => memory["text"].as_str().unwrap_or_default().to_owned(),
    };
    round.memories().iter().map(name).collect()
}

/// The client of the sessions, whose processes are killed.
struct Client<'a, 'b> {
    round: &'a mut Round<'b>,
    random: Random,
    hooks: Moments,
    workers: Moments,
    kills_left: usize,
}

impl<'a, 'b> Client<'a, 'b> {
    fn new(round: &'a mut Round<'b>, kills: usize) -> Self {
        let seed = round.seed;
        let (hooks, workers) = (Moments::new(seed, HOOK_TIME), Moments::new(seed + 1, WORKER_TIME));
        let random = Random::new(seed + 2);
        Self { round, random, hooks, workers, kills_left: kills }
    }

    fn play(&mut self, lesson: &Lesson) -> Result<()> {
        let mut is_answered = false;
        for step in lesson.steps() {
            match step {
                Step::Said(lines) => self.append(lesson, &lines)?,
                Step::Event(name, fields) => {
                    let ended = self.event(lesson, name, fields)?;
                    is_answered |= !ended.was_killed && SESSION_EVENTS.contains(&name);
                    if matches!(name, "Stop" | "SessionEnd") {
                        self.kill_workers()?;
                    }
                }
            }
        }
        if !is_answered {
            self.send(lesson, "UserPromptSubmit", json!({ "prompt": "thanks" }), None)?;
        }
        Ok(())
    }

    fn append(&self, lesson: &Lesson, lines: &str) -> Result<()> {
        let path = transcript(self.round, &lesson.session);
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(file.write_all(lines.as_bytes())?)
    }

    /// Sends an event, and kills every second hook.
    fn event(&mut self, lesson: &Lesson, name: &'static str, fields: Value) -> Result<Ended> {
        let is_killed = self.kills_left > 0 && self.random.below(2) == 0;
        let moment = is_killed.then(|| self.hooks.next());
        self.send(lesson, name, fields, moment)
    }

    fn send(
        &mut self,
        lesson: &Lesson,
        name: &str,
        mut fields: Value,
        moment: Option<Duration>,
    ) -> Result<Ended> {
        fields["session_id"] = lesson.session.clone().into();
        fields["transcript_path"] = transcript(self.round, &lesson.session).display().to_string().into();
        let event = self.round.scratch.event(name, fields);
        let mut hook = self.round.command(&["hook"]);
        let ended = kill_after(hook.env("CLAUDECODE", "1"), &event, moment)?;
        self.hooks.learn(&ended);
        self.kills_left -= self.kills_left.min(usize::from(ended.was_killed));
        self.round.tally.count("hook", &ended);
        if let Err(harm) = check_harmless(&ended.output)
            && !ended.was_killed
        {
            self.round.note(format!("{name}: {harm}"));
        }
        Ok(ended)
    }

    /// Kills workers in each of the three ways in which they run.
    fn kill_workers(&mut self) -> Result<()> {
        for _ in 0..WORKER_KILLS.min(self.kills_left) {
            let killed = match self.random.below(3) {
                0 => self.kill_detached(),
                1 => self.kill_started("work", &["work"])?,
                _ => self.kill_started("jobs run", &["jobs", "run", "--all"])?,
            };
            self.kills_left -= usize::from(killed);
        }
        Ok(())
    }

    /// Kills the worker that a hook has started.
    fn kill_detached(&mut self) -> bool {
        let Some(id) = wait_for_worker(self.round) else { return false };
        thread::sleep(self.workers.next());
        let killed = belongs_to(id, &self.round.scratch.root) && kill_process(id);
        *self.round.tally.kills.entry("worker").or_default() += usize::from(killed);
        killed
    }

    fn kill_started(&mut self, kind: &'static str, arguments: &[&str]) -> Result<bool> {
        let mut command = self.round.command(arguments);
        command.env("CLAUDE_PROJECT_DIR", &self.round.scratch.project);
        let ended = kill_after(&mut command, "", Some(self.workers.next()))?;
        self.workers.learn(&ended);
        self.round.tally.count(kind, &ended);
        Ok(ended.was_killed)
    }
}

/// Returns the path of a session's transcript.
fn transcript(round: &Round, session: &str) -> PathBuf {
    let folder = round.scratch.root.join("transcripts");
    let _ = fs::create_dir(&folder);
    folder.join(format!("{session}.jsonl"))
}

/// Waits a moment for the process that holds the worker's lock.
fn wait_for_worker(round: &Round) -> Option<u32> {
    let lock = round.database().ok()?.with_file_name("worker.lock");
    let began = Instant::now();
    while began.elapsed() < WORKER_START {
        if let Ok(file) = File::open(&lock)
            && file.try_lock_shared().is_err()
        {
            return fs::read_to_string(&lock).ok()?.trim().parse().ok();
        }
        thread::sleep(Duration::from_millis(1));
    }
    None
}

/// Lets everything be done that was noted down, and everything be found that was not.
fn settle(round: &mut Round) -> Result<()> {
    run_jobs(round)?;
    age(round)?;
    for number in 0..LATER_SESSIONS {
        let later = Lesson::new(1_000 + number, &mut Random::new(round.seed));
        Client::new(round, 0).send(&later, "SessionStart", json!({ "source": "startup" }), None)?;
        wait_for_processes(&round.scratch.root);
    }
    run_jobs(round)
}

/// Makes it an hour ago that the sessions spoke, and two that their jobs ended, as if their client had been
/// killed and were started again later.
fn age(round: &Round) -> Result<()> {
    for file in fs::read_dir(round.scratch.root.join("transcripts"))? {
        let file = OpenOptions::new().append(true).open(file?.path())?;
        file.set_modified(SystemTime::now() - HOUR)?;
    }
    let ago = 2 * HOUR.as_millis() as i64;
    let sqlite = Connection::open(round.database()?)?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_millis() as i64;
    sqlite.execute("UPDATE jobs SET settled_at = ?1 WHERE settled_at > ?1", [now - ago])?;
    Ok(())
}

/// Runs all jobs, also those that were given up because their workers were killed again and again.
fn run_jobs(round: &mut Round) -> Result<()> {
    wait_for_processes(&round.scratch.root);
    let _ = round.run(&["jobs", "run", "--all"]);
    let jobs = round.succeed(&["jobs", "--json"]);
    let jobs: Vec<Value> = jobs.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    for job in jobs.iter().filter(|job| job["progress"] == "failed") {
        let _ = round.succeed(&["jobs", "retry", job["id"].as_str().unwrap_or_default()]);
    }
    let _ = round.succeed(&["jobs", "run", "--all"]);
    Ok(())
}
