//! Decides which categories a model is asked about: those that the classifier finds in what was said, a
//! runbook if a failing command later succeeded, and a summary if something was done.

use crate::classifier::CATEGORIES;
use crate::finding::Evidence;
use crate::rules::{Classified, Work};
use crate::settings::Settings;
use interleaf_layer::memory::Category;

/// The categories that triage scores and a model can be asked about.
pub const TRIAGED_CATEGORIES: [Category; 6] = [
    Category::SessionSummary,
    Category::Decision,
    Category::Runbook,
    Category::Constraint,
    Category::TechDebt,
    Category::Preference,
];

/// The score of a failure after which the same command succeeded.
const FIXED_SCORE: f32 = 0.9;

/// The score of a summary for each change of the session, up to three, which reach its threshold (0.6).
const CHANGE_SCORE: f32 = 0.25;
const MAX_CHANGES: usize = 3;

/// Maximum number of lines that are evidence for a category.
const MAX_EVIDENCE: usize = 8;

/// The score of one category.
#[derive(Debug, Clone, PartialEq)]
pub struct Triaged {
    /// The category.
    pub category: Category,
    /// The score, from 0 to 1.
    pub score: f32,
    /// Whether the score reaches the category's threshold.
    pub triggered: bool,
    /// The lines that contributed to the score, verbatim.
    pub evidence: Vec<Evidence>,
}

/// Scores all categories.
pub fn triage(work: &Work, settings: &Settings) -> Vec<Triaged> {
    let triaged = TRIAGED_CATEGORIES.map(|category| {
        let (score, evidence) = match category {
            Category::SessionSummary => summary(work),
            Category::Runbook if work.fixed.is_empty() => (0.0, Vec::new()),
            Category::Runbook => (FIXED_SCORE, work.fixed.iter().take(MAX_EVIDENCE).cloned().collect()),
            _ => best(&work.stated, category, settings.threshold(category)),
        };
        let triggered = score > 0.0 && score >= settings.threshold(category);
        Triaged { category, score, triggered, evidence }
    });
    triaged.into()
}

/// Returns the greatest probability of a category, and the sentences that reach the threshold.
fn best(classified: &[Classified], category: Category, threshold: f32) -> (f32, Vec<Evidence>) {
    debug_assert!(CATEGORIES.contains(&category), "the classifier does not know {category:?}");
    let score = classified.iter().map(|(_, each)| each.of(category)).fold(0.0, f32::max);
    let reaching = classified.iter().filter(|(_, each)| each.of(category) >= threshold);
    (score, reaching.take(MAX_EVIDENCE).map(|(evidence, _)| evidence.clone()).collect())
}

/// Returns the score of a summary, with what the rules would tell.
fn summary(work: &Work) -> (f32, Vec<Evidence>) {
    let score =
        if work.told.is_empty() { 0.0 } else { work.changes.len().min(MAX_CHANGES) as f32 * CHANGE_SCORE };
    (score, work.told.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Around, mine};
    use crate::sample::*;
    use crate::transcript::Entry;
    use interleaf_layer::memory::Category::{Decision, Preference, Runbook, SessionSummary};

    fn triggered(parts: impl IntoIterator<Item = Vec<Entry>>) -> Vec<Category> {
        let work = mine(&talk(parts), &Around::default()).work;
        let found = triage(&work, &Settings::default());
        found.into_iter().filter(|it| it.triggered).map(|it| it.category).collect()
    }

    #[test]
    fn what_is_stated_triggers_its_category() {
        assert_eq!(triggered([user("from now on always run the linter before you commit")]), [Preference]);
        assert_eq!(
            triggered([user("we decided to go with postgres, because one database is less to operate")]),
            [Decision]
        );
        assert_eq!(triggered([user("run the tests again")]), []);
    }

    #[test]
    fn a_command_that_fails_and_later_succeeds_triggers_a_runbook() {
        let fixed = [user("go"), failed("make app", "error"), ran("make app", "ok")];
        let other = [user("go"), failed("make app", "error"), ran("make lib", "ok")];

        assert_eq!(triggered(fixed), [Runbook]);
        assert_eq!(triggered(other), []);
    }

    #[test]
    fn a_session_with_work_triggers_a_summary() {
        let edits = || ["a.rs", "b.rs", "c.rs"].map(edited);
        let reads = || ["ls", "cat a", "git status"].map(|command| ran(command, ""));

        assert!(
            triggered([user("go"), user("on")].into_iter().chain(edits()).chain([ran("make", "")]))
                .contains(&SessionSummary)
        );
        assert_eq!(triggered([user("a"), user("b"), user("c")].into_iter().chain(reads())), []);
    }

    #[test]
    fn what_tools_print_triggers_nothing() {
        let stated = "From now on always use tabs, we decided so.";
        assert_eq!(triggered([user("show me"), ran("cat NOTES.md", stated)]), []);
    }

    #[test]
    fn a_threshold_can_be_set() {
        let settings = Settings::read(
            r#"{"thresholds": {"preference": 1, "decision": 1, "constraint": 1, "tech_debt": 1}}"#,
        );
        let talk = talk([user("from now on always run the linter before you commit")]);
        let work = mine(&talk, &Around::default()).work;
        assert!(triage(&work, &settings).iter().all(|it| !it.triggered));
    }
}
