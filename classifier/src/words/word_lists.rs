//! Lists of words in data files. A line `[name]` begins a list, a line that begins with `# ` is a comment.

use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

const FILE: &str = include_str!("word-lists.txt");

pub static JOINING: WordList = WordList::new(FILE, "joining");
pub static LEADING: WordList = WordList::new(FILE, "leading");
pub static ELIDED: WordList = WordList::new(FILE, "elided");
pub static COMMON: WordList = WordList::new(FILE, "common");
pub static SHORT: WordList = WordList::new(FILE, "short");

/// A list of words of a data file, read when it is first needed.
#[derive(Debug)]
pub struct WordList {
    file: &'static str,
    name: &'static str,
    words: OnceLock<HashSet<&'static str>>,
}

impl WordList {
    /// Returns the list of this name in the text of a file.
    pub const fn new(file: &'static str, name: &'static str) -> Self {
        Self { file, name, words: OnceLock::new() }
    }

    /// Tells whether a word is in the list.
    pub fn has(&self, word: &str) -> bool {
        let lines = || sections(self.file).remove(self.name).unwrap_or_default();
        let words = || lines().into_iter().flat_map(str::split_whitespace).collect();
        self.words.get_or_init(words).contains(word)
    }
}

/// Returns the lines of each list of a file.
pub fn sections(text: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut sections: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut name = "";
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(section) => name = section,
            None => sections.entry(name).or_default().push(line),
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_of_the_file_is_there() {
        let names: Vec<&str> = [&JOINING, &LEADING, &ELIDED, &COMMON, &SHORT].map(|list| list.name).into();
        assert!(names.iter().all(|name| sections(FILE).contains_key(name)));
        assert!(JOINING.has("and") && !JOINING.has("words") && SHORT.has("e.g"));
    }
}
