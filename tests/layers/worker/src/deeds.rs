//! Jobs that do one thing each, good or bad.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::bindings::exports::interleaf::layer::job::Job;
use crate::bindings::interleaf::layer::memory::{self, Category, Draft, Origin};
use crate::bindings::interleaf::layer::types::Error;
use crate::bindings::interleaf::layer::{jobs, log, state, transcript};

pub(crate) fn run(job: &Job) -> Result<(), Error> {
    let words = job.payload.trim_matches('"');
    match job.kind.as_str() {
        "write" => write(&job.id, words),
        "say" => {
            log::write(log::Level::Info, &format!("{{\"did\":\"{words}\"}}"));
            Ok(())
        }
        "read" => read(job),
        "busy" => {
            busy(words);
            write(&job.id, "The job that took its time is over")
        }
        "alone" => alone(job, words),
        "again" => again(job),
        "fail" => Err(Error::Unavailable(words.to_owned())),
        "fail-once" if job.attempt == 1 => Err(Error::Unavailable(words.to_owned())),
        "fail-once" => write(&job.id, words),
        "spin" => spin(),
        "trap" => std::process::abort(),
        other => Err(Error::Invalid(format!("no job is of the kind {other}"))),
    }
}

/// Writes the words down, once for each key.
pub(crate) fn write(key: &str, words: &str) -> Result<(), Error> {
    let draft = Draft {
        category: Category::Learning,
        title: None,
        text: words.to_owned(),
        content: None,
        tags: Vec::new(),
        related_files: Vec::new(),
        confidence: 0.8,
        importance: 0.5,
        origin: Origin::Assistant,
        key: Some(key.to_owned()),
        quotes: Vec::new(),
    };
    memory::create(&draft).map(drop)
}

/// Writes down what the transcript begins with.
fn read(job: &Job) -> Result<(), Error> {
    let page = transcript::read(0, 1)?;
    let said = page.entries.first().map(|entry| entry.text.as_str()).unwrap_or("nothing");
    write(&job.id, &format!("Session {} began with: {said}", job.session_id))
}

/// Writes down whether somebody else is at work at the same time.
fn alone(job: &Job, words: &str) -> Result<(), Error> {
    if state::get(state::Scope::Project, "inside")?.is_some_and(|inside| inside == "yes") {
        write(&job.id, "Two workers are at work at the same time")?;
    }
    state::set(state::Scope::Project, "inside", "yes")?;
    busy(words);
    state::set(state::Scope::Project, "inside", "no")
}

/// Puts itself off, for ever if nobody minds.
fn again(job: &Job) -> Result<(), Error> {
    let (id, kind, payload) = (job.id.clone(), job.kind.clone(), job.payload.clone());
    jobs::submit(&jobs::Request { id, kind, payload, delay_ms: 0 }).map(drop)
}

fn busy(milliseconds: &str) {
    let end = Instant::now() + Duration::from_millis(milliseconds.parse().unwrap_or(0));
    while Instant::now() < end {}
}

fn spin<T>() -> T {
    let mut n = 0u64;
    loop {
        n = black_box(n.wrapping_add(1));
    }
}
