//! The decision table: maps the allowed actions and the author's intent to the action taken for a draft. A
//! draft about a known subject becomes a new memory only if it does not repeat a known one; a retirement that
//! the category does not allow becomes an update; if the intent contradicts the allowed actions, nothing
//! changes.

use super::{AllowedActions, Intent, ResolutionAction, Similarity};

use AllowedActions::{Any, AnyExceptRetire, CreateOnly, NoAction};
use Intent::{Create, Retire, Supersede, Update};
use ResolutionAction::{Created, Retired, Skipped, Superseded, Updated};

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub(super) allowed: AllowedActions,
    pub(super) intent: Intent,
    /// The similarity that the rule requires; `None` matches any.
    pub(super) similarity: Option<Similarity>,
    pub(super) action: ResolutionAction,
    pub(super) reason: &'static str,
}

const ANY_SIMILARITY: Option<Similarity> = None;
const DUPLICATE: Option<Similarity> = Some(Similarity::Duplicate);

// Reasons of rules for a known subject.
const IS_DUPLICATE: &str = "a duplicate updates the memory that it repeats";
const IS_NEW: &str = "it says something else about a known subject";
const NEEDS_SUCCESSOR: &str = "the category needs a successor, so it is updated instead";

/// All rules. The first one that matches applies, and vetoes are checked before.
#[rustfmt::skip]
pub(super) const DECISION_TABLE: &[Rule] = &[
    rule(CreateOnly, Create,    ANY_SIMILARITY, Created, "no memory matches"),
    rule(CreateOnly, Update,    ANY_SIMILARITY, Created, "there is no memory to update"),
    rule(CreateOnly, Supersede, ANY_SIMILARITY, Created, "there is no memory to supersede"),
    rule(CreateOnly, Retire,    ANY_SIMILARITY, Skipped, "there is no memory to retire"),

    rule(Any, Create,    DUPLICATE,      Updated,    IS_DUPLICATE),
    rule(Any, Create,    ANY_SIMILARITY, Created,    IS_NEW),
    rule(Any, Update,    ANY_SIMILARITY, Updated,    "the memory matches"),
    rule(Any, Supersede, DUPLICATE,      Updated,    "a duplicate supersedes nothing"),
    rule(Any, Supersede, ANY_SIMILARITY, Superseded, "it supersedes the known memory"),
    rule(Any, Retire,    ANY_SIMILARITY, Retired,    "the category allows it"),

    rule(AnyExceptRetire, Create,    DUPLICATE,      Updated,    IS_DUPLICATE),
    rule(AnyExceptRetire, Create,    ANY_SIMILARITY, Created,    IS_NEW),
    rule(AnyExceptRetire, Update,    ANY_SIMILARITY, Updated,    "the memory matches"),
    rule(AnyExceptRetire, Supersede, DUPLICATE,      Updated,    "a duplicate supersedes nothing"),
    rule(AnyExceptRetire, Supersede, ANY_SIMILARITY, Superseded, "it supersedes the known memory"),
    rule(AnyExceptRetire, Retire,    ANY_SIMILARITY, Updated,    NEEDS_SUCCESSOR),

    rule(NoAction, Create,    ANY_SIMILARITY, Skipped, "no memory mentions what it ends"),
    rule(NoAction, Update,    ANY_SIMILARITY, Skipped, "no memory mentions what it ends"),
    rule(NoAction, Supersede, ANY_SIMILARITY, Skipped, "no memory mentions what it ends"),
    rule(NoAction, Retire,    ANY_SIMILARITY, Skipped, "no memory mentions what it ends"),
];

/// Returns the rule that applies.
pub(super) fn look_up(allowed: AllowedActions, intent: Intent, similarity: Similarity) -> &'static Rule {
    let matches = |rule: &&Rule| {
        rule.allowed == allowed && rule.intent == intent && rule.similarity.is_none_or(|it| it == similarity)
    };
    // A test looks up every combination.
    DECISION_TABLE.iter().find(matches).unwrap_or(&NO_RULE)
}

const NO_RULE: Rule = rule(NoAction, Create, ANY_SIMILARITY, Skipped, "no rule applies");

const fn rule(
    allowed: AllowedActions,
    intent: Intent,
    similarity: Option<Similarity>,
    action: ResolutionAction,
    reason: &'static str,
) -> Rule {
    Rule { allowed, intent, similarity, action, reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Returns the row of the documentation for a rule, up to the test that proves it.
    fn documented_row(rule: &Rule) -> String {
        let has_duplicate_rule = |other: &Rule| {
            (other.allowed, other.intent, other.similarity) == (rule.allowed, rule.intent, DUPLICATE)
        };
        let known = match rule.allowed {
            CreateOnly => "no match",
            Any => "a match that may be retired",
            AnyExceptRetire => "a match that needs a successor",
            NoAction => "no match for what the draft ends",
        };
        let intent = match rule.intent {
            Create => "create",
            Update => "update",
            Retire => "retire",
            Supersede => "supersede",
        };
        let similarity = match rule.similarity {
            Some(Similarity::Duplicate) => "duplicate",
            None if DECISION_TABLE.iter().any(has_duplicate_rule) => "no duplicate",
            None => "any",
            Some(other) => panic!("the documentation has no word for {other:?}"),
        };
        let action = match rule.action {
            Created => "created",
            Updated => "updated",
            Retired => "retired",
            Superseded => "superseded",
            Skipped => "skipped",
        };
        format!("| {known} | {intent} | {similarity} | {action} | {} | `", rule.reason)
    }

    #[test]
    fn the_documentation_lists_the_rules_in_order() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/write-rules.md");
        let page = std::fs::read_to_string(path).expect("docs/write-rules.md is in the repository");
        let table = page.split_once("| stored memories |").expect("the table").1;
        let rows: Vec<&str> = table.lines().skip(2).filter(|line| line.starts_with("| ")).collect();

        assert_eq!(rows.len(), DECISION_TABLE.len());
        for (rule, found) in DECISION_TABLE.iter().zip(rows) {
            let expected = documented_row(rule);
            assert!(
                found.starts_with(&expected),
                "expected in docs/write-rules.md:\n{expected}…`\nfound:\n{found}"
            );
        }
    }
}
