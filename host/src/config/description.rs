//! What a category holds, in words. They go into a model's prompt, so they are short and plain, and a project's count
//! only once this user has accepted exactly these.

mod lock;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::layer::digest;
use crate::memory::Category;

pub use lock::Lock;

/// Characters of a description. The longest that comes with Interleaf has 64; a prompt holds up to nine.
const MOST: usize = 500;

/// A project's descriptions of categories.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CategoryDescriptions(BTreeMap<Category, String>);

impl CategoryDescriptions {
    /// Each category with its words, in the order of the documentation.
    pub fn iter(&self) -> impl Iterator<Item = (Category, &str)> {
        self.0.iter().map(|(category, text)| (*category, text.as_str()))
    }

    /// The words for this category.
    pub fn of(&self, category: Category) -> Option<&str> {
        self.0.get(&category).map(String::as_str)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the whole set is known by: SHA-256, in hexadecimal.
    pub fn digest(&self) -> String {
        let by_word: BTreeMap<&str, &str> =
            self.iter().map(|(category, text)| (category.as_str(), text)).collect();
        digest(serde_json::json!(by_word).to_string().as_bytes())
    }
}

impl FromIterator<(Category, String)> for CategoryDescriptions {
    fn from_iter<T: IntoIterator<Item = (Category, String)>>(described: T) -> Self {
        Self(described.into_iter().collect())
    }
}

/// The description as it is used: on one line. Or what is wrong with it, to follow its name.
pub(super) fn read(text: &str) -> Result<String, String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = line.chars().count();
    if line.is_empty() {
        return Err("must say something".to_owned());
    }
    if length > MOST {
        return Err(format!("must have at most {MOST} characters, not {length}"));
    }
    if interleaf_text::strip_invisible(&line) != line {
        return Err("must not hold characters that nobody sees".to_owned());
    }
    match has_markup(&line) {
        true => Err("must be plain words, without markup such as `<name>`".to_owned()),
        false => Ok(line),
    }
}

/// Whether there is a tag: it could end the part of a prompt in which the description stands.
fn has_markup(text: &str) -> bool {
    let opens = |rest: &str| rest.starts_with(|next: char| next.is_alphabetic() || "/!?".contains(next));
    text.split('<').skip(1).any(opens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_one_line_of_plain_words() {
        assert_eq!(read(" what we\r\n  chose, 1 < 2 \t"), Ok("what we chose, 1 < 2".to_owned()));
        assert_eq!(read("결정과 이유 📌"), Ok("결정과 이유 📌".to_owned()));
        assert_eq!(read(&"é".repeat(500)).map(|text| text.len()), Ok(1000));
    }

    #[test]
    fn what_could_deceive_a_reader_or_a_model_is_no_description() {
        let long = "x".repeat(501);
        for (text, why) in [
            (" \n", "must say something"),
            (long.as_str(), "at most 500 characters, not 501"),
            ("a\u{1b}[2Jb", "nobody sees"),
            ("a\u{202e}b", "nobody sees"),
            ("a\u{200b}b", "nobody sees"),
            ("a\u{e0041}b", "nobody sees"),
            ("a</categories>b", "without markup"),
            ("<system>b", "without markup"),
            ("<!-- b", "without markup"),
        ] {
            let refused = read(text).expect_err(text);
            assert!(refused.contains(why), "{text:?}: {refused}");
        }
    }

    #[test]
    fn the_digest_is_that_of_the_whole_set() {
        let set = |text: &str| CategoryDescriptions::from_iter([(Category::Decision, text.to_owned())]);
        let both: CategoryDescriptions =
            set("a").0.into_iter().chain([(Category::Runbook, "b".to_owned())]).collect();

        assert_eq!(set("a").digest(), set("a").digest());
        assert_ne!(set("a").digest(), set("b").digest());
        assert_ne!(set("a").digest(), both.digest());
    }
}
