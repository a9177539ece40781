//! Decides which categories a model is asked about: those that the classifier finds in what was said, a
//! runbook if a failing command later succeeded, and a summary if something was done.

use crate::activity::{Activity, excerpt};
use crate::classifier::{CATEGORIES, Message, Probabilities, Sentence, Speaker, classify};
use crate::finding::Evidence;
use crate::rules::{asks, conversation};
use crate::settings::Settings;
use crate::transcript::Transcript;
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
pub fn triage(transcript: &Transcript, settings: &Settings) -> Vec<Triaged> {
    let activity = Activity::of(transcript);
    let classified = classified(transcript);
    let triaged = TRIAGED_CATEGORIES.map(|category| {
        let (score, evidence) = match category {
            Category::SessionSummary => activity.score(),
            Category::Runbook => fixes(&activity, transcript),
            _ => best(&classified, category, settings.threshold(category)),
        };
        let triggered = score > 0.0 && score >= settings.threshold(category);
        Triaged { category, score, triggered, evidence }
    });
    triaged.into()
}

/// A sentence and its probabilities.
type Classified = (Evidence, Probabilities);

/// Classifies what was said.
fn classified(transcript: &Transcript) -> Vec<Classified> {
    let mut classified = Vec::new();
    for turn in conversation(transcript) {
        for (said, speaker) in [(&turn.said, Speaker::Person), (&turn.answers, Speaker::Assistant)] {
            let sentences =
                said.iter().map(|said| Sentence { text: said.text, words: &said.words }).collect();
            let probabilities = classify(&Message { sentences, speaker, previous: None });
            let evidence = said.iter().map(|said| (said.evidence(), asks(said)));
            let answered = evidence.zip(probabilities).filter(|((_, is_question), _)| !is_question);
            classified.extend(answered.map(|((evidence, _), probabilities)| (evidence, probabilities)));
        }
    }
    classified
}

/// Returns the greatest probability of a category, and the sentences that reach the threshold.
fn best(classified: &[Classified], category: Category, threshold: f32) -> (f32, Vec<Evidence>) {
    debug_assert!(CATEGORIES.contains(&category), "the classifier does not know {category:?}");
    let score = classified.iter().map(|(_, each)| each.of(category)).fold(0.0, f32::max);
    let reaching = classified.iter().filter(|(_, each)| each.of(category) >= threshold);
    (score, reaching.take(MAX_EVIDENCE).map(|(evidence, _)| evidence.clone()).collect())
}

/// Returns the score of a runbook, with the failures and the successes.
fn fixes(activity: &Activity, transcript: &Transcript) -> (f32, Vec<Evidence>) {
    let fixed = activity.fixed_failures();
    let score = if fixed.is_empty() { 0.0 } else { FIXED_SCORE };
    let entries = fixed.into_iter().flat_map(|(failure, success)| [failure, success]);
    (score, entries.take(MAX_EVIDENCE).map(|at| excerpt(&transcript.entries[at])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::*;
    use crate::transcript::Entry;
    use interleaf_layer::memory::Category::{Decision, Preference, Runbook, SessionSummary};

    fn triggered(parts: impl IntoIterator<Item = Vec<Entry>>) -> Vec<Category> {
        let found = triage(&talk(parts), &Settings::default());
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
        assert!(triage(&talk, &settings).iter().all(|it| !it.triggered));
    }
}
