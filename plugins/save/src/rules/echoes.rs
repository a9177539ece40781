//! What tools said, so that it is known again when the assistant repeats it word for word: text out of a tool is data,
//! whoever reads it aloud.

use std::collections::HashSet;

use crate::transcript::{Kind, Transcript};
use interleaf_classifier::stable_hash;
use interleaf_classifier::words::lowered;

/// Words in a row that are no accident.
const ROW: usize = 8;

/// Rows of words remembered.
const MOST: usize = 400_000;

/// What tools said.
#[derive(Debug, Default)]
pub struct Echoes {
    rows: HashSet<u64>,
}

impl Echoes {
    /// All results of a stretch.
    pub fn of(talk: &Transcript) -> Self {
        let mut echoes = Self::default();
        for entry in talk.entries.iter().filter(|entry| entry.kind == Kind::ToolResult) {
            let room = MOST - echoes.rows.len().min(MOST);
            echoes.rows.extend(rows(&entry.text).into_iter().take(room));
        }
        echoes
    }

    /// Whether a tool said this, or eight words in a row of it.
    pub fn has(&self, text: &str) -> bool {
        rows(text).iter().any(|row| self.rows.contains(row))
    }
}

fn rows(text: &str) -> Vec<u64> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    // Each word is hashed once, because the outputs of a session have many.
    let words: Vec<u64> = words.map(|word| stable_hash(&lowered(word))).collect();
    words.windows(ROW).map(|row| row.iter().fold(0, |hash: u64, word| hash.rotate_left(7) ^ word)).collect()
}
