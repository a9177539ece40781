//! The kinds of jobs. Most do one thing each, correct or faulty; a flush turns captures into memories.

use std::hint::black_box;
use std::time::{Duration, Instant};

use interleaf_layer::prelude::*;
use job::Job;

/// Key in the session's state that holds how many flushes were done.
pub(crate) const FLUSHES_KEY: &str = "done";

/// Key in the session's state that holds the ids of the captures of the current flush.
const BATCH_KEY: &str = "batch";

pub(crate) fn run(job: &Job) -> Result<()> {
    let words = job.payload.trim_matches('"');
    match job.kind.as_str() {
        "flush" => flush(job),
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

/// Writes a memory, once for each key.
fn write(key: &str, words: &str) -> Result<()> {
    memory::create(&Draft::new(Category::Learning, words).with_key(key)).map(drop)
}

/// Writes a memory of the first entry of the transcript.
fn read(job: &Job) -> Result<()> {
    let page = transcript::read(0, 1)?;
    let first = page.entries.first().map(|entry| entry.text.as_str()).unwrap_or("nothing");
    write(&job.id, &format!("Session {} began with: {first}", job.session_id))
}

/// Writes a memory if two workers run at the same time.
fn alone(job: &Job, words: &str) -> Result<()> {
    if state::get(Scope::Project, "inside")?.is_some_and(|inside| inside == "yes") {
        write(&job.id, "Two workers are at work at the same time")?;
    }
    state::set(Scope::Project, "inside", "yes")?;
    busy(words);
    state::set(Scope::Project, "inside", "no")
}

/// Submits itself again, forever unless the host stops it.
fn again(job: &Job) -> Result<()> {
    let request = jobs::Request { payload: job.payload.clone(), ..jobs::Request::new(&*job.id, &*job.kind) };
    jobs::submit(&request).map(drop)
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

/// Makes one memory of every capture of the session, even if the job is killed and repeated.
fn flush(job: &Job) -> Result<()> {
    // A batch that an earlier attempt fixed does not hold what was captured since, so another one follows.
    while flush_batch(job)? {}
    let done: u64 = state::get(Scope::Session, FLUSHES_KEY)?.and_then(|done| done.parse().ok()).unwrap_or(0);
    state::set(Scope::Session, FLUSHES_KEY, &(done + 1).to_string())
}

/// Makes one memory of every capture of a batch. Returns false if nothing was waiting.
fn flush_batch(job: &Job) -> Result<bool> {
    let waiting: Vec<jobs::Waiting> = jobs::captures(1000)?;
    let batch = fixed_batch(job, &waiting)?;
    for capture in waiting.iter().filter(|capture| batch.contains(&capture.id)) {
        write(&capture.id, capture.payload.trim_matches('"'))?;
    }
    jobs::settle_captures(&batch)?;
    state::set(Scope::Session, BATCH_KEY, "")?;
    Ok(!batch.is_empty())
}

/// Returns the batch that an earlier attempt fixed, else all waiting captures of the session.
fn fixed_batch(job: &Job, waiting: &[jobs::Waiting]) -> Result<Vec<String>> {
    if let Some(batch) = state::get(Scope::Session, BATCH_KEY)?.filter(|batch| !batch.is_empty()) {
        return Ok(batch.split(' ').map(str::to_owned).collect());
    }
    let mine = waiting.iter().filter(|capture| capture.session_id == job.session_id);
    let ids: Vec<String> = mine.map(|capture| capture.id.clone()).collect();
    state::set(Scope::Session, BATCH_KEY, &ids.join(" "))?;
    Ok(ids)
}
