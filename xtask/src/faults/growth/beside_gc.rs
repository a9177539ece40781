//! Hooks beside `interleaf memory gc`, which deletes many memories of a large store.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail};
use interleaf_tests::random::Random;
use rusqlite::Connection;
use serde_json::Value;

use crate::bench::fixture::Fixture;
use crate::bench::process;
use crate::checkout;
use crate::faults::lessons::{Lesson, Step};

use super::promises::Promise;
use super::thousands;

/// The first cell of the table.
const TABLE_HEAD: &str = "beside `memory gc`";

/// Number of memories that are deleted: imported, and retired since by newer ones.
const DELETED: usize = 20_000;
/// How long ago they were retired, in milliseconds: their grace period is over.
const RETIRED_MS: i64 = 60 * 24 * 3_600_000;
/// Seed of the words of the sessions.
const SEED: u64 = 14;

/// What happened beside the deletion.
pub struct BesideGc {
    memories: usize,
    took: Duration,
    hooks: usize,
    slowest: f64,
    sessions: usize,
    /// Warnings and errors in the log.
    logged: Vec<String>,
    /// Sessions whose memory is missing.
    lost: Vec<String>,
}

/// Deletes the memories, and plays sessions meanwhile.
pub fn measure(fixture: &Fixture) -> Result<BesideGc> {
    let before = prepare(fixture)?;
    let (began, since) = (Instant::now(), SystemTime::now());
    let _ = fs::remove_file(fixture.log());
    let mut gc = fixture.interleaf(&["memory", "gc", "--yes"]);
    let mut gc = gc.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
    let (mut random, mut lessons, mut times) = (Random::new(SEED), Vec::new(), Vec::new());
    while gc.try_wait()?.is_none() {
        let lesson = Lesson::new(lessons.len(), &mut random);
        play(fixture, &lesson, &mut times)?;
        lessons.push(lesson);
    }
    let took = began.elapsed();
    let logged = warnings(fixture);
    if !gc.wait()?.success() || before.saturating_sub(retired(fixture)?) < DELETED {
        bail!("`memory gc` did not delete {DELETED} memories");
    }
    checkout::output_of(&mut fixture.interleaf(&["jobs", "run", "--all"]))?;
    let lost = lost(fixture, &lessons, since)?;
    let slowest = times.iter().copied().fold(0.0, f64::max);
    let (memories, hooks, sessions) = (fixture.memories, times.len(), lessons.len());
    Ok(BesideGc { memories, took, hooks, slowest, sessions, logged, lost })
}

impl BesideGc {
    /// Returns the promises.
    pub fn promises(&self) -> [Promise; 2] {
        self.logged.iter().for_each(|message| println!("logged beside `memory gc`: {message}"));
        self.lost.iter().for_each(|session| println!("lost beside `memory gc`: session {session}"));
        let count = |list: &[String]| list.len() as f64;
        [
            Promise::new(
                "hooks that failed or missed a deadline beside `memory gc`",
                count(&self.logged),
                0.0,
            ),
            Promise::new("sessions whose Stop was lost beside `memory gc`", count(&self.lost), 0.0),
        ]
    }

    /// Returns the table.
    pub fn table(&self) -> String {
        let rows = [
            (format!("memories deleted, of {}", thousands(self.memories)), DELETED),
            ("seconds".to_owned(), self.took.as_secs() as usize),
            ("hooks meanwhile".to_owned(), self.hooks),
            ("the slowest of them, ms".to_owned(), self.slowest as usize),
            ("failures and missed deadlines".to_owned(), self.logged.len()),
            ("sessions meanwhile".to_owned(), self.sessions),
            ("sessions whose Stop was lost".to_owned(), self.lost.len()),
        ];
        let rows = rows.map(|(name, figure)| format!("| {name} | {} |\n", thousands(figure)));
        format!("| {TABLE_HEAD} | |\n|---|---:|\n{}", rows.concat())
    }
}

/// Makes retired memories due, and returns how many are retired.
fn prepare(fixture: &Fixture) -> Result<usize> {
    let sqlite = Connection::open(fixture.database()?)?;
    let due = "UPDATE memories SET status_since = status_since - ?1 WHERE number IN
               (SELECT number FROM memories WHERE status = 'retired' LIMIT ?2)";
    let made_due = sqlite.execute(due, (RETIRED_MS, DELETED))?;
    if made_due != DELETED {
        bail!("the store has {made_due} retired memories instead of {DELETED}");
    }
    retired(fixture)
}

fn retired(fixture: &Fixture) -> Result<usize> {
    let sqlite = Connection::open(fixture.database()?)?;
    Ok(sqlite.query_row("SELECT count(*) FROM memories WHERE status = 'retired'", [], |row| row.get(0))?)
}

/// Plays a session up to its last turn, and adds the times of its hooks in milliseconds.
fn play(fixture: &Fixture, lesson: &Lesson, times: &mut Vec<f64>) -> Result<()> {
    for step in lesson.steps() {
        match step {
            Step::Said(lines) => {
                let path = fixture.transcript(&lesson.session);
                let mut file = fs::OpenOptions::new().create(true).append(true).open(path)?;
                file.write_all(lines.as_bytes())?;
            }
            // Its job would be due now, and its worker would delete memories, too.
            Step::Event("SessionEnd", _) => {}
            Step::Event(name, mut fields) => {
                fields["hook_event_name"] = name.into();
                let ran = process::run(&mut fixture.hook(), &fixture.payload(&lesson.session, fields))?;
                times.push(ran.seconds() * 1_000.0);
            }
        }
    }
    Ok(())
}

/// Returns the messages of the log that are no information.
fn warnings(fixture: &Fixture) -> Vec<String> {
    let log = fs::read_to_string(fixture.log()).unwrap_or_default();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let serious = lines.filter(|line| line["level"] == "warn" || line["level"] == "error");
    serious.map(|line| format!("{} {}", line["event"], line["message"])).collect()
}

/// Returns the sessions of which no memory was saved.
fn lost(fixture: &Fixture, lessons: &[Lesson], since: SystemTime) -> Result<Vec<String>> {
    let sqlite = Connection::open(fixture.database()?)?;
    let since = since.duration_since(SystemTime::UNIX_EPOCH)?.as_millis() as i64;
    let mut statement = sqlite.prepare("SELECT text FROM memories WHERE updated_at >= ?1")?;
    let texts = statement.query_map([since], |row| row.get::<_, String>(0))?;
    let texts = texts.collect::<rusqlite::Result<Vec<_>>>().context("the memories can be read")?;
    let is_saved = |lesson: &&Lesson| texts.iter().any(|text| text.contains(lesson.rule_word()));
    Ok(lessons.iter().filter(|lesson| !is_saved(lesson)).map(|lesson| lesson.session.clone()).collect())
}
