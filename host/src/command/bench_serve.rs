//! `interleaf bench-serve`: answers searches for a benchmark, over standard input and output.
//!
//! Each line of standard input is a JSON object. `{"op": "add", "id", "text", "tags": [], "created_at"}`,
//! with cues in `asked_as`, saves a memory and has no answer. `{"op": "search", "query", "limit", "now"}` is
//! answered with a line `{"ids": […]}`, the best first. Times are milliseconds or seconds since the Unix
//! epoch, or in RFC 3339. The memories are in the empty folder that the variable `BENCH_STORE` names, which
//! the caller deletes.
//!
//! The search is that of `interleaf memory search`. `cargo xtask recall --compare` speaks the same protocol
//! with programs of others.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::output::Output;
use super::remember::requested_draft;
use crate::clock::{Clock, Millis};
use crate::database::Database;
use crate::error::{Error, Result};
use crate::memory::{Category, Draft, Filter, Memories, Origin, Policy, SentenceVectors, SqliteStore};
use crate::project_context::ProjectContext;
use crate::redact::Redactor;
use crate::sentence_model;

/// The variable that names the folder of the memories.
const STORE_VARIABLE: &str = "BENCH_STORE";

/// The category of the memories: that of `interleaf remember`.
const CATEGORY: Category = Category::Learning;

/// Maximum length of a text; the rest does not count. A memory may be a little longer, because what replaces
/// a secret may be.
const MAX_TEXT_BYTES: usize = 7 * 1024;

/// Maximum number of tags that count.
const MAX_TAGS: usize = 12;

/// Number of memories whose sentence vectors are computed in one step.
const EMBEDDED_AT_ONCE: usize = 64;

/// Number from which a time is in milliseconds: in seconds it would be the year 5138.
const MIN_MILLIS: f64 = 1e11;

/// A line of standard input.
#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
enum Request {
    Add(AddedText),
    Search {
        query: String,
        limit: usize,
        #[serde(default)]
        now: Value,
    },
}

/// A text to save.
#[derive(Debug, Deserialize)]
struct AddedText {
    id: String,
    text: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    asked_as: Vec<String>,
    #[serde(default)]
    created_at: Value,
}

/// The memories of a benchmark.
struct BenchStore {
    store: Arc<SqliteStore>,
    /// The benchmark's id of each memory.
    ids: HashMap<String, String>,
    needs_vectors: bool,
}

/// Answers requests until standard input ends.
///
/// # Errors
/// `Invalid`, which names the line, for a request that cannot be read; `Unavailable` if the memories cannot
/// be written.
pub fn run(context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let folder = std::env::var_os(STORE_VARIABLE).map(PathBuf::from).ok_or_else(|| {
        Error::invalid(format!("the variable {STORE_VARIABLE} is not set"))
            .hint("set it to an empty folder for the memories")
    })?;
    let mut store = BenchStore::in_folder(folder, sentence_model::file(&context.folders));
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = store.answer(&line).map_err(|error| error.context(format!("line {}", number + 1)))?;
        if let Some(answer) = answer {
            out.json(&answer)?;
            out.flush()?;
        }
    }
    Ok(())
}

impl BenchStore {
    fn in_folder(folder: PathBuf, model: PathBuf) -> Self {
        let vectors = SentenceVectors::new(model, folder.join("sentence-vectors"));
        let store = SqliteStore::new(Database::at(folder.join("memories.db"))).with_vectors(vectors);
        Self { store: Arc::new(store), ids: HashMap::new(), needs_vectors: false }
    }

    fn answer(&mut self, line: &str) -> Result<Option<Value>> {
        let request = serde_json::from_str(line)
            .map_err(|error| Error::invalid(format!("this is not a request: {error}")))?;
        match request {
            Request::Add(text) => {
                self.add(text)?;
                Ok(None)
            }
            Request::Search { query, limit, now } => {
                let ids = self.search(&query, limit, time(&now)?)?;
                Ok(Some(json!({ "ids": ids })))
            }
        }
    }

    fn add(&mut self, added: AddedText) -> Result<()> {
        let AddedText { id, text, mut tags, asked_as, created_at } = added;
        if text.trim().is_empty() {
            return Ok(());
        }
        tags.truncate(MAX_TAGS);
        let (text, created_at) = (&text[..text.floor_char_boundary(MAX_TEXT_BYTES)], time(&created_at)?);
        let draft = requested_draft(Some(CATEGORY), text.to_owned(), Origin::Person);
        // A benchmark may hold one text under several ids.
        let written =
            self.memories(created_at).remember_again(Draft { tags, asked_as, created_at, ..draft })?;
        self.ids.insert(written.id, id);
        self.needs_vectors = true;
        Ok(())
    }

    fn search(&mut self, query: &str, limit: usize, now: Option<Millis>) -> Result<Vec<&str>> {
        let memories = self.memories(now);
        while self.needs_vectors {
            self.needs_vectors = memories.embed_some(EMBEDDED_AT_ONCE)? > 0;
        }
        let hits = memories.search_on_request(0.0, query, &Filter::default(), limit)?;
        Ok(hits.iter().filter_map(|hit| self.ids.get(&hit.memory.id).map(String::as_str)).collect())
    }

    fn memories(&self, now: Option<Millis>) -> Memories {
        let mut policy = Policy::default();
        policy.of_mut(CATEGORY).max_kept = 0;
        let clock = now.map_or(Clock::System, Clock::Fixed);
        Memories::new(self.store.clone(), Redactor::BUILT_IN, clock).with_policy(policy)
    }
}

/// Reads a time; `None` for none.
fn time(value: &Value) -> Result<Option<Millis>> {
    let time = match value {
        Value::Null => return Ok(None),
        Value::Number(number) => number.as_f64().map(millis),
        Value::String(text) => parse_time(text),
        _ => None,
    };
    let cannot_read =
        || Error::invalid(format!("`{value}` is not a time")).hint("write milliseconds, seconds or RFC 3339");
    time.map(Some).ok_or_else(cannot_read)
}

fn millis(number: f64) -> Millis {
    if number.abs() < MIN_MILLIS { (number * 1000.0) as Millis } else { number as Millis }
}

fn parse_time(text: &str) -> Option<Millis> {
    let date = || text.parse::<jiff::civil::Date>().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok();
    let timestamp = text.parse::<jiff::Timestamp>().ok();
    timestamp.or_else(|| Some(date()?.timestamp())).map(jiff::Timestamp::as_millisecond)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    fn answer(store: &mut BenchStore, request: Value) -> Option<Value> {
        store.answer(&request.to_string()).expect("it is answered")
    }

    #[test]
    fn the_best_memories_are_returned_under_the_benchmark_s_ids() {
        let scratch = Scratch::new();
        let folder = scratch.path().to_owned();
        let mut store = BenchStore::in_folder(folder.clone(), folder.join("no model"));
        for (id, text) in [
            ("Doc 1/a", "Deploys wait for the canary in Frankfurt"),
            ("2", "The linter rejects unused imports"),
            ("3", "The linter rejects unused imports"),
        ] {
            let add =
                json!({ "op": "add", "id": id, "text": text, "tags": ["x"], "created_at": 1_700_000_000 });
            assert_eq!(answer(&mut store, add), None);
        }
        let search = |query| json!({ "op": "search", "query": query, "limit": 5, "now": "2026-01-01" });

        assert_eq!(answer(&mut store, search("canary deploys")), Some(json!({ "ids": ["Doc 1/a"] })));
        let both = answer(&mut store, search("unused imports")).expect("an answer");
        assert_eq!(both["ids"].as_array().map(Vec::len), Some(2), "{both}");
        assert_eq!(answer(&mut store, search("zebra")), Some(json!({ "ids": [] })));
    }

    #[test]
    fn a_time_is_in_seconds_milliseconds_or_rfc_3339() {
        let at = 1_767_225_600_000;
        for value in [json!(at), json!(at / 1000), json!("2026-01-01"), json!("2026-01-01T00:00:00Z")] {
            assert_eq!(time(&value).expect("a time"), Some(at), "{value}");
        }
        assert_eq!(time(&Value::Null).expect("none"), None);
        assert!(time(&json!("yesterday")).is_err() && time(&json!([])).is_err());
    }
}
