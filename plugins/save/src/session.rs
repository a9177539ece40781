//! A session, or the part of it since the last flush: tool calls with their results, and turns.

pub mod calls;
pub mod issue_title;
pub mod own_words;
pub mod read_only;
pub mod replies;
pub mod turns;
pub mod wording;

use std::collections::HashSet;

use self::calls::ToolCall;
use self::turns::Turn;
use crate::finding::Evidence;
use crate::transcript::Transcript;
use interleaf_layer::memory::Category;

/// Maximum number of files named for a finding.
const MAX_FILES: usize = 5;

/// The design.md of an OpenSpec change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Design {
    /// The change.
    pub change: String,
    /// The path, relative to the root.
    pub path: String,
    /// The text.
    pub text: String,
}

/// What is known besides the transcript.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// The id of the session.
    pub session_id: &'a str,
    /// The project's root. Paths are named relative to it; those outside of it are left out.
    pub root: Option<&'a str>,
    /// The designs of the OpenSpec changes that the session works on.
    pub designs: &'a [Design],
}

/// A session as the rules read it.
#[derive(Debug)]
pub struct Session<'a> {
    /// What was said and done, in order.
    pub transcript: &'a Transcript,
    /// What is known besides.
    pub surroundings: &'a Surroundings<'a>,
    /// The tool calls.
    pub calls: &'a [ToolCall<'a>],
    /// The turns.
    pub turns: Vec<Turn<'a>>,
}

impl<'a> Session<'a> {
    /// Reads a session.
    pub fn new(
        transcript: &'a Transcript,
        surroundings: &'a Surroundings<'a>,
        calls: &'a [ToolCall<'a>],
    ) -> Self {
        Self { transcript, surroundings, calls, turns: turns::turns(transcript, calls) }
    }

    /// Returns the tool calls of a turn.
    pub fn calls_in(&self, turn: &Turn) -> &'a [ToolCall<'a>] {
        self.calls.get(turn.calls.clone()).unwrap_or_default()
    }

    /// Returns the turn before one.
    pub fn turn_before(&self, turn: &Turn) -> Option<&Turn<'a>> {
        self.turns.get(self.turns.partition_point(|other| other.at < turn.at).checked_sub(1)?)
    }

    /// Returns the key of a finding: where its evidence stands, and a digest of its words.
    pub fn key(&self, category: Category, evidence: &Evidence) -> String {
        let hash = hash(evidence.quote.split_whitespace());
        format!("{}/{}/{}-{hash:016x}", self.surroundings.session_id, category.as_str(), evidence.cursor)
    }

    /// Returns a path relative to the project's root; none if it lies outside.
    pub fn relative<'p>(&self, path: &'p str) -> Option<&'p str> {
        let relative = match self.surroundings.root {
            Some(root) if path.starts_with('/') => {
                path.strip_prefix(root.trim_end_matches('/'))?.strip_prefix('/')?
            }
            _ => path.strip_prefix("./").unwrap_or(path),
        };
        let inside = !relative.starts_with('/') && !relative.starts_with('~') && !relative.contains("..");
        (inside && !relative.is_empty()).then_some(relative)
    }

    /// Returns the files of the project that a text names and a tool call touched.
    pub fn files_in(&self, text: &str) -> Vec<String> {
        let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || "`\"'(),;:".contains(c)).collect();
        let named = |path: &&str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            words.iter().any(|word| word == path || word.trim_end_matches('.') == name)
        };
        let paths = self.calls.iter().filter_map(|call| self.relative(call.text("file_path")));
        distinct(paths.filter(named), MAX_FILES)
    }
}

/// Returns the first of these texts, each once.
pub fn distinct<'t>(texts: impl Iterator<Item = &'t str>, limit: usize) -> Vec<String> {
    let mut known = HashSet::new();
    texts.filter(|text| known.insert(*text)).take(limit).map(str::to_owned).collect()
}

/// Returns the FNV-1a hash of some words.
fn hash<'a>(words: impl Iterator<Item = &'a str>) -> u64 {
    let bytes = words.flat_map(|word| word.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
