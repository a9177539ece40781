//! One category's score: each line that says one of its phrases counts once, more with a second phrase near it that
//! makes it weigh (a reason, a cure, whose limit it is).

use std::collections::BTreeMap;

use crate::find::Evidence;
use crate::talk::{Role, Talk};

use super::doubt;
use super::families::Family;
use super::lines::Line;
use super::words::{Found, all};
use super::work;

/// Lines on either side in which a booster counts (seed 003).
const WINDOW: usize = 4;
/// Boosted hits that count; two are a sure thing.
const MOST_BOOSTED: usize = 2;
/// Lines that are shown as evidence.
const MOST_EVIDENCE: usize = 24;
/// Words of a clause that explains something.
const CLAUSE: usize = 4;

/// Failures with the success that followed.
pub(super) type Fixed = BTreeMap<usize, usize>;

/// A line that counted.
pub(super) struct Hit {
    /// Its place in the lines.
    pub line: usize,
    /// The line that boosts it, where one does.
    pub booster: Option<usize>,
    phrase: &'static str,
}

/// All hits of a family, in order. `fixed`: the failures after which the same succeeded.
pub(super) fn hits(lines: &[Line], fixed: &Fixed, family: &Family) -> Vec<Hit> {
    let hits = (0..lines.len()).filter_map(|at| hit(lines, at, fixed, family));
    hits.filter(|hit| !doubt::is_joke(lines, hit.line)).collect()
}

fn hit(lines: &[Line], at: usize, fixed: &Fixed, family: &Family) -> Option<Hit> {
    let line = &lines[at];
    if !family.hears(line.role) || doubt::is_question(line) {
        return None;
    }
    if line.role == Role::Tool {
        let booster =
            if fixed.contains_key(&line.entry) { Some(at) } else { booster(lines, at, (0, 0), family) };
        return Some(Hit { line: at, booster, phrase: "" });
    }
    let stands =
        |found: &Found| !doubt::is_taken_back(line, found.1) && !family.excepts(&line.words[found.2..]);
    let strong = all(&line.words, &family.strong).into_iter().find(stands);
    if let Some((phrase, ..)) = strong.filter(|_| line.role == Role::User) {
        return Some(Hit { line: at, booster: Some(at), phrase });
    }
    let plain =
        all(&line.words, &family.strong).into_iter().chain(all(&line.words, &family.plain)).find(stands);
    let measure = family.measure.filter(|_| line.role == Role::User);
    let measured = measure.and_then(|measure| measure(&line.words)).filter(stands);
    let (phrase, start, end) = plain.or(measured)?;
    let booster = booster(lines, at, (start, end), family);
    let explained = || family.explained.then(|| explanation(lines, at, end)).flatten();
    Some(Hit { line: at, booster: booster.or_else(explained), phrase })
}

/// The person's next clause or sentence, if it says something.
fn explanation(lines: &[Line], at: usize, end: usize) -> Option<usize> {
    let says = |words: &str| words.split_whitespace().filter(|word| *word != ",").count() >= CLAUSE;
    let line = &lines[at];
    let clause = line.words[end..].split_once(", ").is_some_and(|(_, rest)| says(rest));
    let next = lines.get(at + 1).filter(|next| next.entry == line.entry && !doubt::is_question(next));
    let sentence = next.filter(|next| says(&next.words)).map(|_| at + 1);
    (line.role == Role::User).then_some(if clause { Some(at) } else { sentence }).flatten()
}

/// The nearest line with a booster, other than the words of the hit itself.
fn booster(lines: &[Line], at: usize, hit: (usize, usize), family: &Family) -> Option<usize> {
    let boosts = |near: usize| {
        let words = &lines[near].words;
        let mut found = all(words, &family.boost).into_iter();
        found.any(|(_, start, end)| near != at || end <= hit.0 || start >= hit.1)
    };
    let range = at.saturating_sub(WINDOW)..(at + WINDOW + 1).min(lines.len());
    let said = range.filter(|near| lines[*near].role != Role::Tool && !doubt::is_question(&lines[*near]));
    said.filter(|near| boosts(*near)).min_by_key(|near| near.abs_diff(at))
}

/// What the hits come to. A phrase that is said again and again counts once, unless it is boosted.
pub(super) fn score(hits: &[Hit], family: &Family) -> f32 {
    let boosted = hits.iter().filter(|hit| hit.booster.is_some()).count();
    let mut phrases: Vec<&str> =
        hits.iter().filter(|hit| hit.booster.is_none()).map(|hit| hit.phrase).collect();
    phrases.sort_unstable();
    phrases.dedup();
    let plain = phrases.len() + boosted.saturating_sub(MOST_BOOSTED);
    let sum = boosted.min(MOST_BOOSTED) as f32 * family.boosted
        + plain.min(family.most_plain) as f32 * family.weight;
    (sum / family.full).min(1.0)
}

/// The lines of the hits, of what boosts them and of the successes after failures, each once.
pub(super) fn evidence(talk: &Talk, lines: &[Line], hits: &[Hit], fixed: &Fixed) -> Vec<Evidence> {
    let mut shown: Vec<usize> = hits.iter().flat_map(|hit| [Some(hit.line), hit.booster]).flatten().collect();
    shown.sort_unstable();
    shown.dedup();
    shown.truncate(MOST_EVIDENCE);
    let mut cures: Vec<usize> = shown.iter().filter_map(|at| fixed.get(&lines[*at].entry).copied()).collect();
    cures.dedup();
    let shown = shown.into_iter().map(|at| &lines[at]);
    let shown =
        shown.map(|line| Evidence { quote: line.text.to_owned(), cursor: talk.entries[line.entry].cursor });
    shown.chain(cures.into_iter().map(|at| work::shown(&talk.entries[at]))).collect()
}
