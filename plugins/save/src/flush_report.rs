//! Builds the report of a flush for the log: numbers, names and ids, but no words of the session. With the
//! setting `explain`, which `interleaf triage` uses, it contains the quotes as well.

use serde_json::{Map, Value, json};

use crate::drafting::{Drafted, Refusal};
use crate::finding::Evidence;
use crate::flush_input::FlushInput;
use crate::triage::Triaged;
use crate::writer::WriteOutcome;

/// Returns the report as a JSON object.
pub fn report(
    input: &FlushInput,
    triaged: &[Triaged],
    drafted: Option<&Drafted>,
    outcomes: &[WriteOutcome],
    explain: bool,
) -> Value {
    let categories = triaged.iter().filter(|triaged| triaged.triggered || explain);
    let categories =
        categories.map(|triaged| (triaged.category.as_str().to_owned(), category(triaged, explain)));
    let refused = drafted.map_or(&[][..], |drafted| &drafted.refused).iter();
    let failed = drafted.map_or(&[][..], |drafted| &drafted.failed).iter();
    let failed = failed.map(|(category, why)| json!({ "category": category.as_str(), "why": why }));
    let (written, nothing): (Vec<&WriteOutcome>, Vec<_>) =
        outcomes.iter().partition(|outcome| outcome.is_written());
    json!({ "flush": {
        "entries": input.unread().entries.len(),
        "captures": input.captures.len(),
        "categories": categories.collect::<Map<_, _>>(),
        "model": drafted.is_some(),
        "refused": refused.map(|refusal| refused_draft(refusal, explain)).collect::<Vec<_>>(),
        "failed": failed.collect::<Vec<_>>(),
        "written": written.into_iter().map(|outcome| memory(outcome, explain)).collect::<Vec<_>>(),
        "nothing": nothing.into_iter().map(|outcome| memory(outcome, explain)).collect::<Vec<_>>(),
    }})
}

fn category(triaged: &Triaged, explain: bool) -> Value {
    let mut line = json!({ "score": rounded(triaged.score) });
    if explain {
        line["triggered"] = triaged.triggered.into();
        line["evidence"] = quotes(&triaged.evidence);
    }
    line
}

fn memory(outcome: &WriteOutcome, explain: bool) -> Value {
    let category = outcome.category.as_str();
    let mut line =
        json!({ "category": category, "action": outcome.action(), "because": outcome.resolution.reason });
    let more = [
        ("id", outcome.resolution.id.as_deref().map(Value::from)),
        ("superseded", outcome.resolution.superseded.as_deref().map(Value::from)),
        ("score", outcome.score.map(|score| rounded(score).into())),
        ("evidence", explain.then(|| quotes(&outcome.evidence))),
    ];
    for (name, value) in more.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        line[name] = value;
    }
    line
}

fn refused_draft(refusal: &Refusal, explain: bool) -> Value {
    let category = refusal.category.as_str();
    match explain {
        true => json!({ "category": category, "title": refusal.title, "why": refusal.reason.to_string() }),
        false => json!({ "category": category, "why": refusal.reason.rule }),
    }
}

/// Maximum number of quotes of one memory or category in a report.
const MAX_QUOTES: usize = 8;

fn quotes(evidence: &[Evidence]) -> Value {
    evidence.iter().take(MAX_QUOTES).map(|evidence| evidence.quote.as_str()).collect::<Vec<_>>().into()
}

fn rounded(score: f32) -> f64 {
    (f64::from(score) * 100.0).round() / 100.0
}
