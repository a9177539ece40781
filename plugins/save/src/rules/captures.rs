//! The captures, which posttool makes of what it notices after a tool: which are dealt with by a fix, which
//! were resolved, and what the others say in one memory.

use serde::Deserialize;
use serde_json::json;

use super::context::{Context, hash};
use super::runs::{Known, known_of};
use super::wording::cut;
use crate::finding::{Finding, Origin};
use interleaf_layer::memory::Category;

/// Characters of the memory, of one line of it, and lines.
const MOST: usize = 1_000;
const LONGEST: usize = 220;
const MOST_LINES: usize = 8;

/// How the memory begins.
const BEGINNING: &str = "Went wrong without a known remedy: ";

/// Tools whose output is somebody's text and no event.
const READING: &[&str] =
    &["Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "NotebookRead", "Task", "Agent", "TodoWrite"];

/// A capture, as far as the rules read it. What its payload lacks is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Captured {
    /// The id it is known by.
    pub id: String,
    /// `sev-0`, the worst, to `sev-3`.
    pub severity: String,
    /// Command and main line.
    pub summary: String,
    /// `Running: …`, or what another tool was to do.
    pub attempted: String,
    /// The tool.
    pub tool: String,
    /// Paths named in it.
    pub files: Vec<String>,
}

impl Captured {
    /// Reads a capture from its payload.
    pub fn read(id: &str, payload: &str) -> Self {
        Self { id: id.to_owned(), ..serde_json::from_str(payload).unwrap_or_default() }
    }

    /// The command line that was run, if it was one.
    pub fn command(&self) -> Option<&str> {
        self.attempted.strip_prefix("Running: ")
    }
}

/// Failures of one kind.
struct Kind<'a> {
    first: &'a Captured,
    times: usize,
}

/// What becomes of the captures. What the memory has no room for waits for the next one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SortedCaptures {
    /// Of what nothing else covers.
    pub memory: Option<Finding>,
    /// The ids of the captures that it tells.
    pub told: Vec<String>,
    /// The ids of those that are over: mended, interrupted, or no event.
    pub over: Vec<String>,
}

/// Sorts the captures; `resolved` are the commands that failed and succeeded later.
pub fn sorted(context: &Context, resolved: &[Vec<Known>]) -> SortedCaptures {
    let captures = context.around.captures.iter();
    let (left, over): (Vec<&Captured>, Vec<&Captured>) =
        captures.partition(|capture| is_left(context, capture, resolved));
    let kinds = kinds(&left);
    let is_told = |capture: &&Captured| kinds.iter().any(|kind| kind.first.summary == capture.summary);
    let id = |capture: &Captured| capture.id.clone();
    SortedCaptures {
        memory: (!kinds.is_empty()).then(|| find(context, &kinds)),
        told: left.iter().copied().filter(is_told).map(id).collect(),
        over: over.into_iter().map(id).collect(),
    }
}

/// Returns the kinds that one memory has room for, the most frequent first.
fn kinds<'a>(left: &[&'a Captured]) -> Vec<Kind<'a>> {
    let mut kinds: Vec<Kind> = Vec::new();
    for capture in left {
        match kinds.iter_mut().find(|kind| kind.first.summary == capture.summary) {
            Some(kind) => kind.times += 1,
            None => kinds.push(Kind { first: capture, times: 1 }),
        }
    }
    kinds.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.first.severity.cmp(&b.first.severity)));
    kinds.truncate(fitting(&kinds));
    kinds
}

/// How many of them one memory has room for.
fn fitting(kinds: &[Kind]) -> usize {
    let mut room = MOST - BEGINNING.len();
    let fits = |kind: &&Kind| {
        let needed = line(kind).chars().count() + 2;
        room.checked_sub(needed).map(|left| room = left).is_some()
    };
    kinds.iter().take(MOST_LINES).take_while(fits).count()
}

/// Whether nothing else deals with it.
fn is_left(context: &Context, capture: &Captured, resolved: &[Vec<Known>]) -> bool {
    if capture.summary.is_empty() || READING.contains(&capture.tool.as_str()) {
        return false;
    }
    let Some(line) = capture.command() else { return true };
    let known = known_of(line);
    let covered = resolved.iter().any(|other| {
        !known.is_empty() && known.iter().all(|known| other.iter().any(|other| other.is(known)))
    });
    let interrupted = || {
        context.deeds.iter().any(|deed| {
            deed.command().map(str::trim) == Some(line.trim())
                && deed.ending() == Some(crate::transcript::Ending::Interrupted)
        })
    };
    !known.is_empty() && !covered && !interrupted()
}

fn find(context: &Context, kinds: &[Kind]) -> Finding {
    let text = format!("{BEGINNING}{}", kinds.iter().map(line).collect::<Vec<_>>().join("; "));
    let mut files: Vec<String> = kinds.iter().flat_map(|kind| kind.first.files.clone()).collect();
    files.sort();
    files.dedup();
    files.truncate(5);
    Finding {
        category: Category::Learning,
        title: None,
        text,
        content: json!({}),
        tags: vec!["captured".to_owned()],
        files,
        confidence: 0.6,
        importance: 0.3,
        origin: Origin::ToolOutput,
        score: 0.4,
        cues: Vec::new(),
        about: None,
        evidence: Vec::new(),
        key: format!(
            "{}/captured/{:016x}",
            context.around.session,
            hash(kinds.iter().map(|kind| kind.first.id.as_str()))
        ),
    }
}

fn line(kind: &Kind) -> String {
    let times = if kind.times > 1 { format!(" ({} times)", kind.times) } else { String::new() };
    format!("{}{times}", cut(&kind.first.summary, LONGEST))
}
