//! A value that somebody with the right to it prescribes in place of an earlier one, which nobody found worth keeping:
//! `retention is 30 days for raw data` … `legal says 90 days retention for raw, so change it to that`.

use serde_json::json;

use super::phrases::{CHANGES, CORRECTS, end, has, opens};
use super::values::quantities;
use super::{Told, is_of};
use crate::finding::{Finding, Origin};
use crate::rules::context::Context;
use crate::rules::stated::signs::signs;
use crate::rules::stated::wording::{cleaned, cut, raised};
use crate::rules::turns::Said;
use crate::rules::words::stems;
use interleaf_layer::memory::Category;

/// Characters of such a limit.
const LONGEST: usize = 300;

/// Limits that nothing else found.
pub fn decreed(context: &Context, told: &[Told], finds: &[Finding]) -> Vec<Finding> {
    let found =
        |said: &Said| finds.iter().any(|find| find.evidence.iter().any(|evidence| is_of(evidence, said)));
    let all = told.iter().enumerate().filter(|(_, later)| !found(later.said));
    all.filter(|(at, later)| is_decreed(context, &told[..*at], later))
        .map(|(_, later)| find(context, later.said))
        .collect()
}

/// Whether it cannot be helped, stands alone, and puts right a number that the person said before.
fn is_decreed(context: &Context, before: &[Told], later: &Told) -> bool {
    let signs = signs(later.said, &context.turns[later.turn].tongues);
    let words = &later.said.words;
    let corrects = has(&CHANGES, words) || opens(&CORRECTS, words);
    let own = stems(later.said.text);
    let quantities_now = quantities(words);
    let [now] = &quantities_now[..] else { return false };
    let other = |known: &Told| {
        let shared = stems(known.said.text);
        let shared = shared.intersection(&own).filter(|stem| !stem.starts_with(|c: char| c.is_ascii_digit()));
        let counts = quantities(&known.said.words);
        let changed =
            |was: &super::values::Quantity| was.number != now.number && !was.of.is_disjoint(&now.of);
        known.turn < later.turn && shared.count() >= 2 && counts.iter().any(changed)
    };
    signs.firm && corrects && !signs.asks && !signs.supposes && before.iter().any(other)
}

fn find(context: &Context, said: &Said) -> Finding {
    let text = raised(&cut(told(said), LONGEST));
    let evidence = said.evidence();
    Finding {
        category: Category::Constraint,
        title: None,
        content: json!({ "kind": "limitation", "rule": text, "impact": [text], "severity": "medium", "active": true }),
        tags: Vec::new(),
        files: context.files_in(&text),
        confidence: 0.85,
        importance: 0.75,
        origin: Origin::Assistant,
        score: 0.84,
        about: None,
        key: context.key(Category::Constraint, &evidence),
        evidence: vec![evidence],
        text,
    }
}

/// The sentence without the task at its end: `…, so change it to that`.
fn told<'a>(said: &'a Said<'a>) -> &'a str {
    let text = cleaned(said);
    let task = end(&CHANGES, &said.words)
        .and_then(|end| said.words.get(end - 1))
        .map_or(said.text.len(), |it| it.start);
    let comma = said.text[..task].rfind([',', ';', '，']).unwrap_or(said.text.len());
    let from = said.text.len() - text.len();
    let whole = &said.text[from.min(comma)..comma];
    if whole.split_whitespace().count() >= 4 { whole.trim() } else { text }
}
