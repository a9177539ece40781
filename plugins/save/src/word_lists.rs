//! The word lists of the rules: the file `plugins/save/word-lists.txt`, which says what each one is for.

use std::sync::LazyLock;

use interleaf_classifier::words::{WordList, sections};

const FILE: &str = include_str!("../word-lists.txt");

pub static FILLING: WordList = WordList::new(FILE, "filling");
pub static ANSWERING: WordList = WordList::new(FILE, "answering");
pub static NOTING: WordList = WordList::new(FILE, "noting");
pub static QUESTION_WORDS: WordList = WordList::new(FILE, "question_words");
pub static POINTING: WordList = WordList::new(FILE, "pointing");
pub static ARTICLES: WordList = WordList::new(FILE, "articles");
pub static REASONS: WordList = WordList::new(FILE, "reasons");
pub static VERBS: WordList = WordList::new(FILE, "verbs");
pub static MODAL: WordList = WordList::new(FILE, "modal");
pub static TAGS: WordList = WordList::new(FILE, "tags");
pub static USERS: WordList = WordList::new(FILE, "users");
pub static VAGUE: WordList = WordList::new(FILE, "vague");
pub static CHECKING: WordList = WordList::new(FILE, "checking");
pub static ASKING: WordList = WordList::new(FILE, "asking");
pub static BESIDE: WordList = WordList::new(FILE, "beside");
pub static NO_SOURCE: WordList = WordList::new(FILE, "no_source");
pub static NAMING: WordList = WordList::new(FILE, "naming");
pub static COMMAND_WORDS: WordList = WordList::new(FILE, "command_words");
pub static LOOKED_AT: WordList = WordList::new(FILE, "looked_at");
pub static CONFIGURATION_EXTENSIONS: WordList = WordList::new(FILE, "configuration_extensions");

/// A list of texts, each on a line of its own.
type Lines = LazyLock<Vec<&'static str>>;

pub static CONFIGURATION_NAMES: Lines = LazyLock::new(|| lines("configuration_names"));
pub static NUMBERS: Lines = LazyLock::new(|| lines("numbers"));

fn lines(name: &str) -> Vec<&'static str> {
    let lines = sections(FILE).remove(name).unwrap_or_default();
    lines.into_iter().map(|line| line.trim_matches('"')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_of_the_file_is_read_and_every_list_that_is_read_is_there() {
        let statics = include_str!("word_lists.rs").lines().filter(|line| line.starts_with("pub static "));
        let mut names: Vec<&str> = statics.filter_map(|line| line.split('"').nth(1)).collect();
        names.sort_unstable();
        let sections = sections(FILE);
        assert_eq!(names, sections.keys().copied().collect::<Vec<_>>());
        assert!(sections.values().all(|lines| !lines.is_empty()));
    }
}
