//! The stretch as all finders see it.

use std::collections::HashSet;

use super::Around;
use super::deeds::Deed;
use super::echoes::Echoes;
use super::turns::{self, Turn};
use crate::finding::Evidence;
use crate::transcript::Transcript;
use interleaf_layer::memory::Category;

/// Files named for a find.
const MOST_FILES: usize = 5;

/// The stretch.
#[derive(Debug)]
pub struct Context<'a> {
    /// What was said and done.
    pub talk: &'a Transcript,
    /// What is known besides.
    pub around: &'a Around<'a>,
    /// What was done.
    pub deeds: &'a [Deed<'a>],
    /// In turns.
    pub turns: Vec<Turn<'a>>,
    /// What tools said.
    pub echoes: Echoes,
}

impl<'a> Context<'a> {
    /// Reads the stretch.
    pub fn new(talk: &'a Transcript, around: &'a Around<'a>, deeds: &'a [Deed<'a>]) -> Self {
        Self { talk, around, deeds, turns: turns::turns(talk, deeds), echoes: Echoes::of(talk) }
    }

    /// What was done in a turn.
    pub fn deeds_in(&self, turn: &Turn) -> &'a [Deed<'a>] {
        self.deeds.get(turn.deeds.clone()).unwrap_or_default()
    }

    /// The turn before one.
    pub fn turn_before(&self, turn: &Turn) -> Option<&Turn<'a>> {
        self.turns.get(self.turns.partition_point(|other| other.at < turn.at).checked_sub(1)?)
    }

    /// By what a find is known: where it stands, and its first words.
    pub fn key(&self, category: Category, evidence: &Evidence) -> String {
        let hash = hash(evidence.quote.split_whitespace());
        format!("{}/{}/{}-{hash:016x}", self.around.session, category.as_str(), evidence.cursor)
    }

    /// A path relative to the project's root; none outside of it.
    pub fn relative<'p>(&self, path: &'p str) -> Option<&'p str> {
        let relative = match self.around.root {
            Some(root) if path.starts_with('/') => {
                path.strip_prefix(root.trim_end_matches('/'))?.strip_prefix('/')?
            }
            _ => path.strip_prefix("./").unwrap_or(path),
        };
        let inside = !relative.starts_with('/') && !relative.starts_with('~') && !relative.contains("..");
        (inside && !relative.is_empty()).then_some(relative)
    }

    /// Files of the project that a text names and this stretch has touched.
    pub fn files_in(&self, text: &str) -> Vec<String> {
        let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || "`\"'(),;:".contains(c)).collect();
        let named = |path: &&str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            words.iter().any(|word| word == path || word.trim_end_matches('.') == name)
        };
        let paths = self.deeds.iter().filter_map(|deed| self.relative(deed.text("file_path")));
        distinct(paths.filter(named), MOST_FILES)
    }
}

/// The first of these texts, each once.
pub fn distinct<'t>(texts: impl Iterator<Item = &'t str>, most: usize) -> Vec<String> {
    let mut known = HashSet::new();
    texts.filter(|text| known.insert(*text)).take(most).map(str::to_owned).collect()
}

/// FNV-1a over words.
pub fn hash<'a>(words: impl Iterator<Item = &'a str>) -> u64 {
    let bytes = words.flat_map(|word| word.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
