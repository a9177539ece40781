//! Scores a category by the phrases of `phrases/*.txt`, which people use when they decide, fail, meet a
//! limit, postpone work or ask for a habit. A line that contains a phrase is a hit and counts once; it weighs
//! more with a *booster* near it (a reason, a fix, the owner of a limit). `strong` phrases need no booster if
//! the person says them, `plain` ones do, and an `except` word after a phrase gives it another meaning
//! ("error handling"). Ambiguous words ("standard", "important") are left out.
//!
//! A score is the sum of the weights divided by `full`. The divisor is the largest round number with which
//! one boosted hit reaches the category's threshold (.5 / 1.2 = .42 >= .40, .5 / 1.1 = .45 >= .45, .6 / 1.2 =
//! .50 >= .50). One plain hit never reaches it, nor does one phrase said three times, because a phrase counts
//! once. Plain phrases of a runbook or a constraint do not reach it in any number: an error without a fix is
//! not a runbook, and "at most" is in every report.

use std::collections::BTreeMap;

use super::activity::excerpt;
use super::numeric_limits::numeric_limit;
use super::retraction;
use super::sentences::{Found, Line, find, find_all};
use crate::finding::Evidence;
use crate::transcript::{Role, Transcript};
use interleaf_layer::memory::Category;

/// Number of lines before and after a hit in which a booster counts.
const BOOSTER_WINDOW_LINES: usize = 4;
/// Maximum number of boosted hits that count: two suffice for certainty.
const MAX_BOOSTED: usize = 2;
/// Maximum number of lines of evidence.
const MAX_EVIDENCE: usize = 24;
/// Minimum number of words of a clause that explains something.
const MIN_CLAUSE_WORDS: usize = 4;

/// The phrases and weights of a category.
pub(super) struct CategoryPhrases {
    /// The category.
    pub category: Category,
    speakers: &'static [Role],
    /// The weight of a plain hit.
    pub weight: f32,
    /// The weight of a boosted hit.
    pub boosted: f32,
    /// Maximum number of plain hits that count.
    pub max_plain: usize,
    /// The sum of weights that scores 1.
    pub full: f32,
    /// Phrases that need no booster if the person says them.
    pub strong: Vec<&'static str>,
    /// Phrases that need a booster.
    pub plain: Vec<&'static str>,
    /// Boosters.
    pub boost: Vec<&'static str>,
    /// Words that give the phrase before them another meaning: "error handling".
    pub except: Vec<&'static str>,
    /// Whether a second clause of the person counts as a booster: people explain a choice or a limit without
    /// saying "because".
    pub explained: bool,
    /// A pattern that counts as a phrase.
    pub pattern: Option<fn(&str) -> Option<Found>>,
}

const SPOKEN: &[Role] = &[Role::User, Role::Assistant];

/// Returns the phrases of all categories except the summary, which depends on activity instead of words.
pub(super) fn category_phrases() -> [CategoryPhrases; 5] {
    [
        CategoryPhrases {
            explained: true,
            ..CategoryPhrases::of(Category::Decision, (0.3, 0.5, 1.2), include_str!("phrases/decision.txt"))
        },
        CategoryPhrases {
            speakers: &[Role::User, Role::Assistant, Role::Tool],
            max_plain: 2,
            ..CategoryPhrases::of(Category::Runbook, (0.2, 0.6, 1.2), include_str!("phrases/runbook.txt"))
        },
        CategoryPhrases {
            explained: true,
            pattern: Some(numeric_limit),
            max_plain: 1,
            ..CategoryPhrases::of(
                Category::Constraint,
                (0.3, 0.5, 1.1),
                include_str!("phrases/constraint.txt"),
            )
        },
        CategoryPhrases {
            explained: true,
            ..CategoryPhrases::of(Category::TechDebt, (0.3, 0.5, 1.2), include_str!("phrases/tech_debt.txt"))
        },
        // Only the person can state a preference. The assistant's "always" is advice.
        CategoryPhrases {
            speakers: &[Role::User],
            ..CategoryPhrases::of(
                Category::Preference,
                (0.35, 0.5, 1.2),
                include_str!("phrases/preference.txt"),
            )
        },
    ]
}

impl CategoryPhrases {
    fn of(category: Category, (weight, boosted, full): (f32, f32, f32), phrases: &'static str) -> Self {
        let list = |name: &str| -> Vec<&'static str> {
            let lines = phrases.lines().filter_map(|line| line.split_once(": "));
            let lines = lines.filter(|(head, _)| head.split(' ').nth(1) == Some(name));
            lines.flat_map(|(_, phrases)| phrases.split(" | ")).collect()
        };
        Self {
            category,
            speakers: SPOKEN,
            weight,
            boosted,
            max_plain: 3,
            full,
            strong: list("strong"),
            plain: list("plain"),
            boost: list("boost"),
            except: list("except"),
            explained: false,
            pattern: None,
        }
    }

    /// Tells whether this speaker's words count.
    fn counts_speaker(&self, role: Role) -> bool {
        self.speakers.contains(&role)
    }

    /// Tells whether the text after a phrase begins with a word that gives the phrase another meaning.
    fn is_exception(&self, after: &str) -> bool {
        self.except.iter().any(|word| find(after, word).is_some_and(|(start, _)| start == 1))
    }
}

/// The entry index of each fixed failure, with the entry index of the later success.
pub(super) type FixedFailures = BTreeMap<usize, usize>;

/// A line that contains a phrase.
pub(super) struct Hit {
    /// The index of the line.
    pub line: usize,
    /// The index of the line that boosts it.
    pub booster: Option<usize>,
    phrase: &'static str,
}

/// Returns all hits of a category, in order.
pub(super) fn hits(lines: &[Line], fixed: &FixedFailures, phrases: &CategoryPhrases) -> Vec<Hit> {
    let hits = (0..lines.len()).filter_map(|at| hit(lines, at, fixed, phrases));
    hits.filter(|hit| !retraction::is_joke(lines, hit.line)).collect()
}

fn hit(lines: &[Line], at: usize, fixed: &FixedFailures, phrases: &CategoryPhrases) -> Option<Hit> {
    let line = &lines[at];
    if !phrases.counts_speaker(line.role) || retraction::is_question(line) {
        return None;
    }
    if line.role == Role::Tool {
        let booster =
            if fixed.contains_key(&line.entry) { Some(at) } else { booster(lines, at, (0, 0), phrases) };
        return Some(Hit { line: at, booster, phrase: "" });
    }
    let counts = |(_, start, end): &Found| {
        !retraction::is_retracted(line, *start) && !phrases.is_exception(&line.words[*end..])
    };
    let strong = find_all(&line.words, &phrases.strong).into_iter().find(counts);
    if let Some((phrase, ..)) = strong.filter(|_| line.role == Role::User) {
        return Some(Hit { line: at, booster: Some(at), phrase });
    }
    let weak = find_all(&line.words, &phrases.strong).into_iter();
    let plain = weak.chain(find_all(&line.words, &phrases.plain)).find(counts);
    let pattern = phrases.pattern.filter(|_| line.role == Role::User);
    let measured = pattern.and_then(|pattern| pattern(&line.words)).filter(counts);
    let (phrase, start, end) = plain.or(measured)?;
    let booster = booster(lines, at, (start, end), phrases);
    let explained = || phrases.explained.then(|| explanation(lines, at, end)).flatten();
    Some(Hit { line: at, booster: booster.or_else(explained), phrase })
}

/// Returns the line with the person's next clause or sentence, if it is long enough to explain something.
fn explanation(lines: &[Line], at: usize, end: usize) -> Option<usize> {
    let says = |words: &str| words.split_whitespace().filter(|word| *word != ",").count() >= MIN_CLAUSE_WORDS;
    let line = &lines[at];
    let clause = line.words[end..].split_once(", ").is_some_and(|(_, rest)| says(rest));
    let next = lines.get(at + 1).filter(|next| next.entry == line.entry && !retraction::is_question(next));
    let sentence = next.filter(|next| says(&next.words)).map(|_| at + 1);
    (line.role == Role::User).then_some(if clause { Some(at) } else { sentence }).flatten()
}

/// Returns the nearest line with a booster other than the words of the hit itself.
fn booster(lines: &[Line], at: usize, hit: (usize, usize), phrases: &CategoryPhrases) -> Option<usize> {
    let boosts = |near: usize| {
        let words = &lines[near].words;
        let mut found = find_all(words, &phrases.boost).into_iter();
        found.any(|(_, start, end)| near != at || end <= hit.0 || start >= hit.1)
    };
    let range = at.saturating_sub(BOOSTER_WINDOW_LINES)..(at + BOOSTER_WINDOW_LINES + 1).min(lines.len());
    let said =
        range.filter(|near| lines[*near].role != Role::Tool && !retraction::is_question(&lines[*near]));
    said.filter(|near| boosts(*near)).min_by_key(|near| near.abs_diff(at))
}

/// Returns the score of the hits. A phrase without a booster counts once, however often it is said.
pub(super) fn score(hits: &[Hit], phrases: &CategoryPhrases) -> f32 {
    let boosted = hits.iter().filter(|hit| hit.booster.is_some()).count();
    let mut unboosted: Vec<&str> =
        hits.iter().filter(|hit| hit.booster.is_none()).map(|hit| hit.phrase).collect();
    unboosted.sort_unstable();
    unboosted.dedup();
    let plain = unboosted.len() + boosted.saturating_sub(MAX_BOOSTED);
    let sum = boosted.min(MAX_BOOSTED) as f32 * phrases.boosted
        + plain.min(phrases.max_plain) as f32 * phrases.weight;
    (sum / phrases.full).min(1.0)
}

/// Returns the lines of the hits, their boosters, and the successes after failures, each once.
pub(super) fn evidence(
    transcript: &Transcript,
    lines: &[Line],
    hits: &[Hit],
    fixed: &FixedFailures,
) -> Vec<Evidence> {
    let mut shown: Vec<usize> = hits.iter().flat_map(|hit| [Some(hit.line), hit.booster]).flatten().collect();
    shown.sort_unstable();
    shown.dedup();
    shown.truncate(MAX_EVIDENCE);
    let mut fixes: Vec<usize> = shown.iter().filter_map(|at| fixed.get(&lines[*at].entry).copied()).collect();
    fixes.dedup();
    let shown = shown.into_iter().map(|at| &lines[at]);
    let shown = shown
        .map(|line| Evidence { quote: line.text.to_owned(), cursor: transcript.entries[line.entry].cursor });
    shown.chain(fixes.into_iter().map(|at| excerpt(&transcript.entries[at]))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sentences::words;
    use super::*;

    #[test]
    fn every_phrase_is_written_in_normalized_form() {
        for phrases in category_phrases() {
            let all = [&phrases.strong, &phrases.plain, &phrases.boost, &phrases.except];
            for phrase in all.into_iter().flatten() {
                let bare = phrase.trim_start_matches('^').trim_end_matches(['*', '!']);
                assert_eq!(words(bare).trim(), bare, "{:?}", phrases.category);
            }
        }
    }
}
