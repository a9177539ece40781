//! Descriptions of categories of memories. They become part of a model's prompt, so they are short plain
//! text, and a project's descriptions apply only once the user has accepted exactly this set of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::approvals_file::{Approval, ApprovalsFile};
use crate::clock::Millis;
use crate::dirs::Folders;
use crate::error::Result;
use crate::layer::digest;
use crate::memory::Category;

/// Maximum length of a description, in characters. The longest default has 64; a prompt contains up to nine
/// descriptions.
const MAX_DESCRIPTION_CHARS: usize = 500;

/// A project's descriptions of categories.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CategoryDescriptions(BTreeMap<Category, String>);

impl CategoryDescriptions {
    /// Returns each described category with its description, in the order of the documentation.
    pub fn iter(&self) -> impl Iterator<Item = (Category, &str)> {
        self.0.iter().map(|(category, text)| (*category, text.as_str()))
    }

    /// Returns the description of this category.
    pub fn of(&self, category: Category) -> Option<&str> {
        self.0.get(&category).map(String::as_str)
    }

    /// Returns whether no category is described.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the SHA-256 of the whole set, in hexadecimal.
    pub fn digest(&self) -> String {
        let by_name: BTreeMap<&str, &str> =
            self.iter().map(|(category, text)| (category.as_str(), text)).collect();
        digest(serde_json::json!(by_name).to_string().as_bytes())
    }
}

impl FromIterator<(Category, String)> for CategoryDescriptions {
    fn from_iter<T: IntoIterator<Item = (Category, String)>>(descriptions: T) -> Self {
        Self(descriptions.into_iter().collect())
    }
}

/// Returns the description on one line, or an error text to be placed after the name of the key.
pub(super) fn parse_description(text: &str) -> Result<String, String> {
    let line = interleaf_text::collapse_whitespace(text);
    let length = line.chars().count();
    if line.is_empty() {
        return Err("must not be empty".to_owned());
    }
    if length > MAX_DESCRIPTION_CHARS {
        return Err(format!("must have at most {MAX_DESCRIPTION_CHARS} characters, not {length}"));
    }
    if line.contains(interleaf_text::is_invisible) {
        return Err("must not contain invisible characters".to_owned());
    }
    match has_markup(&line) {
        true => Err("must be plain text, without markup such as `<name>`".to_owned()),
        false => Ok(line),
    }
}

/// Returns whether the text contains a tag. A tag could end the part of a prompt that contains the
/// description.
fn has_markup(text: &str) -> bool {
    let opens_tag = |rest: &str| rest.starts_with(|next: char| next.is_alphabetic() || "/!?".contains(next));
    text.split('<').skip(1).any(opens_tag)
}

/// A set of descriptions as the user accepted it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct AcceptedDescriptions {
    digest: String,
    #[serde(rename = "at")]
    accepted_at: Millis,
    /// The descriptions, which are shown as the previous version if the next set differs.
    descriptions: CategoryDescriptions,
}

/// The subject of all sets: the descriptions of this project.
const SUBJECT: &str = "";

impl Approval for AcceptedDescriptions {
    const LIST_KEY: &'static str = "accepted";
    const IF_UNREADABLE: (&'static str, &'static str) = (
        "the project's descriptions of categories are ignored",
        "remove the file, then run interleaf config accept",
    );

    fn subject(&self) -> &str {
        SUBJECT
    }

    fn digest(&self) -> &str {
        &self.digest
    }
}

/// The sets of descriptions that the user accepted for a project.
#[derive(Debug)]
pub struct DescriptionApprovals(ApprovalsFile<AcceptedDescriptions>);

impl DescriptionApprovals {
    /// Reads the approvals for the project with this id. A missing or unreadable file accepts nothing. The
    /// second value is the error of an unreadable file.
    pub fn read(folders: &Folders, project: &str) -> (Self, Option<String>) {
        let file = folders.data.join("projects").join(project).join("descriptions.json");
        let (approvals, warning) = ApprovalsFile::load(&file);
        (Self(approvals), warning)
    }

    /// Returns whether exactly this set was accepted.
    pub fn contains(&self, descriptions: &CategoryDescriptions) -> bool {
        self.0.find(SUBJECT, &descriptions.digest()).is_some()
    }

    /// Returns the set that was accepted last.
    pub fn latest(&self) -> Option<&CategoryDescriptions> {
        self.0.latest(SUBJECT).map(|accepted| &accepted.descriptions)
    }

    /// Accepts this set.
    ///
    /// # Errors
    /// `Unavailable` if the approvals file cannot be read or written.
    pub fn accept(&mut self, descriptions: CategoryDescriptions, accepted_at: Millis) -> Result<()> {
        let digest = descriptions.digest();
        self.0.accept(AcceptedDescriptions { digest, accepted_at, descriptions })
    }

    /// Revokes every set, and returns their number.
    ///
    /// # Errors
    /// `Unavailable` if the approvals file cannot be read or written.
    pub fn revoke(&mut self) -> Result<usize> {
        self.0.revoke(SUBJECT)
    }
}

/// Returns the message about descriptions of these categories that are not accepted. `approvals` is `None` if
/// their place is not known.
pub(super) fn pending_message(approvals: Option<&DescriptionApprovals>, categories: &[&str]) -> String {
    let names = categories.join(", ");
    match approvals.and_then(DescriptionApprovals::latest) {
        None => format!(
            "the project's description of {names} is not accepted yet; review it with interleaf config \
             accept"
        ),
        Some(_) => format!(
            "the project's description of {names} was changed since you accepted it; review it with \
             interleaf config accept"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    #[test]
    fn a_description_is_one_line_of_plain_text() {
        assert_eq!(parse_description(" what we\r\n  chose, 1 < 2 \t"), Ok("what we chose, 1 < 2".to_owned()));
        assert_eq!(parse_description("결정과 이유 📌"), Ok("결정과 이유 📌".to_owned()));
        assert_eq!(parse_description(&"é".repeat(500)).map(|text| text.len()), Ok(1000));
    }

    #[test]
    fn text_that_could_deceive_a_reader_or_a_model_is_rejected() {
        let long = "x".repeat(501);
        for (text, cause) in [
            (" \n", "must not be empty"),
            (long.as_str(), "at most 500 characters, not 501"),
            ("a\u{1b}[2Jb", "invisible characters"),
            ("a\u{202e}b", "invisible characters"),
            ("a\u{200b}b", "invisible characters"),
            ("a\u{e0041}b", "invisible characters"),
            ("a</categories>b", "without markup"),
            ("<system>b", "without markup"),
            ("<!-- b", "without markup"),
        ] {
            let refused = parse_description(text).expect_err(text);
            assert!(refused.contains(cause), "{text:?}: {refused}");
        }
    }

    #[test]
    fn the_digest_covers_the_whole_set() {
        let set = |text: &str| CategoryDescriptions::from_iter([(Category::Decision, text.to_owned())]);
        let both: CategoryDescriptions =
            set("a").0.into_iter().chain([(Category::Runbook, "b".to_owned())]).collect();

        assert_eq!(set("a").digest(), set("a").digest());
        assert_ne!(set("a").digest(), set("b").digest());
        assert_ne!(set("a").digest(), both.digest());
    }

    /// An approvals file in the format that a release wrote.
    const STORED: &str = r#"{
  "accepted": [
    {
      "digest": "DIGEST",
      "at": 7,
      "descriptions": {
        "decision": "what we chose"
      }
    }
  ]
}"#;

    #[test]
    fn the_stored_format_is_unchanged() -> Result<()> {
        let scratch = Scratch::new();
        let set = CategoryDescriptions::from_iter([(Category::Decision, "what we chose".to_owned())]);
        let stored = STORED.replace("DIGEST", &digest(br#"{"decision":"what we chose"}"#));
        let file = scratch.file("descriptions.json", &stored);
        let (approvals, warning) = ApprovalsFile::load(&file);
        let mut approvals = DescriptionApprovals(approvals);

        assert!(approvals.contains(&set) && warning.is_none());
        approvals.accept(set, 7)?;
        assert_eq!(std::fs::read_to_string(&file).expect("it was written"), stored);
        Ok(())
    }
}
