//! A fix in words, with what it rests on.

use serde_json::{Value, json};

use super::explained::Explanation;
use super::pair::Pair;
use super::remedy::Remedy;
use crate::finding::{Evidence, Finding, Origin};
use crate::rules::context::Context;
use crate::rules::wording::cut;
use interleaf_layer::memory::Category;

/// What stands in the text of a fix after the command, and after the failure.
const FAILED: &str = "` failed: ";
const HELPED: &str = ". What helped: ";

/// Characters of the main line of an error.
const LONGEST_LINE: usize = 160;

/// What a pair teaches; nothing where nobody says why and the code says the rest.
pub fn find(context: &Context, pair: &Pair, remedy: &Remedy, why: Option<&Explanation>) -> Option<Finding> {
    let name = pair.name();
    let said = pair.error().filter(|_| why.is_none());
    let cause = match (why, &said) {
        (Some(why), _) => why.text.clone(),
        // What git wants is common knowledge.
        (None, Some(said)) if !remedy.is_code() && !name.starts_with("git ") => cut(said, LONGEST_LINE),
        _ => return None,
    };
    // The cause and what helped are two sentences.
    let cause = cause.trim_end_matches(['.', '!', '。']);
    let key = Evidence { quote: name.clone(), cursor: pair.last().deed.call.cursor };
    Some(Finding {
        category: Category::Runbook,
        title: None,
        text: format!("`{name}{FAILED}{cause}{HELPED}{}.", remedy.steps().join(", ")),
        content: content(&name, remedy, why),
        tags: vec!["error-fix".to_owned()],
        files: remedy.files(),
        confidence: if why.is_some() { 0.85 } else { 0.65 },
        importance: if remedy.is_code() { 0.5 } else { 0.75 },
        origin: if why.is_some() { Origin::Assistant } else { Origin::ToolOutput },
        score: remedy.score(why.is_some()),
        cues: Vec::new(),
        about: None,
        evidence: evidence(pair, why, said),
        key: context.key(Category::Runbook, &key),
    })
}

fn content(name: &str, remedy: &Remedy, why: Option<&Explanation>) -> Value {
    json!({
        "trigger": format!("`{name}` fails"),
        "symptoms": [],
        "steps": remedy.steps(),
        "verification": format!("`{name}` succeeds"),
        "root_cause": why.map(|why| &why.text),
    })
}

/// Tells whether two texts tell of the same failure and the same remedy. It is the same where the program fails
/// with other arguments, or at another place of a file.
pub fn is_same_failure(one: &str, other: &str) -> bool {
    failure(one).is_some_and(|one| failure(other) == Some(one))
}

/// Returns the program, how it failed, and what helped.
fn failure(text: &str) -> Option<(&str, String, &str)> {
    let (command, rest) = text.strip_prefix('`')?.split_once(FAILED)?;
    let (cause, remedy) = rest.rsplit_once(HELPED)?;
    let cause: Vec<&str> = cause.split_whitespace().map(without_position).collect();
    Some((command.split(' ').next()?, cause.join(" "), remedy))
}

/// Returns the file of `src/a.rs:12:5:`, and any other word as it is.
fn without_position(word: &str) -> &str {
    let file = word.trim_end_matches(|c: char| c == ':' || c.is_ascii_digit());
    let is_file = file.rsplit_once('.').is_some_and(|(_, suffix)| suffix.starts_with(char::is_alphabetic));
    if is_file { file } else { word }
}

/// The explanation first, then the calls; the error's own line only where nobody explained it.
fn evidence(pair: &Pair, why: Option<&Explanation>, said: Option<String>) -> Vec<Evidence> {
    let result = pair.told().and_then(|run| run.deed.result);
    let line = said.zip(result).map(|(quote, result)| Evidence { quote, cursor: result.cursor });
    why.into_iter().flat_map(|why| why.evidence.clone()).chain(line).chain(pair.calls()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(command: &str, cause: &str, remedy: &str) -> String {
        format!("`{command}{FAILED}{cause}{HELPED}{remedy}.")
    }

    #[test]
    fn a_failure_is_the_same_with_other_arguments_and_at_another_place() {
        let first =
            text("cargo test", "src/a.rs:12:5: error: no port. Is it up?", "`docker compose up -d db`");
        let other =
            text("cargo test -p db", "src/a.rs:80: error: no port. Is it up?", "`docker compose up -d db`");
        assert!(is_same_failure(&first, &other));
    }

    #[test]
    fn another_program_cause_or_remedy_is_another_failure() {
        let first = text("make test", "127.0.0.1:5432 refused the connection", "`make db`");
        for other in [
            text("npm test", "127.0.0.1:5432 refused the connection", "`make db`"),
            text("make test", "127.0.0.1:6379 refused the connection", "`make db`"),
            text("make test", "127.0.0.1:5432 refused the connection", "`make cache`"),
            "Tests need a database.".to_owned(),
        ] {
            assert!(!is_same_failure(&first, &other), "{other}");
        }
    }
}
