//! Builds the report of a flush for the log: numbers, names and ids, but no words of the session. With the
//! setting `explain`, which `interleaf triage` uses, it contains the quotes as well.

use serde_json::{Value, json};

use crate::finding::Evidence;
use crate::flush_input::FlushInput;
use crate::reading::{Reading, Refusal};
use crate::writer::WriteOutcome;

/// Returns the report as a JSON object.
pub fn report(
    input: &FlushInput,
    candidates: usize,
    reading: &Reading,
    outcomes: &[WriteOutcome],
    explain: bool,
) -> Value {
    let refused = reading.refused.iter().map(|refusal| refused_change(refusal, explain));
    let (written, nothing): (Vec<&WriteOutcome>, Vec<_>) =
        outcomes.iter().partition(|outcome| outcome.is_written());
    json!({ "flush": {
        "entries": input.unread().entries.len(),
        "captures": input.captures.len(),
        "candidates": candidates,
        "model": reading.is_answered,
        "refused": refused.collect::<Vec<_>>(),
        "failed": reading.failed,
        "written": written.into_iter().map(|outcome| memory(outcome, explain)).collect::<Vec<_>>(),
        "nothing": nothing.into_iter().map(|outcome| memory(outcome, explain)).collect::<Vec<_>>(),
    }})
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

fn refused_change(refusal: &Refusal, explain: bool) -> Value {
    match explain {
        true => json!({ "title": refusal.title, "why": refusal.reason.to_string() }),
        false => json!({ "why": refusal.reason.rule }),
    }
}

/// Maximum number of quotes of one memory in a report.
const MAX_QUOTES: usize = 8;

fn quotes(evidence: &[Evidence]) -> Value {
    evidence.iter().take(MAX_QUOTES).map(|evidence| evidence.quote.as_str()).collect::<Vec<_>>().into()
}

fn rounded(score: f32) -> f64 {
    (f64::from(score) * 100.0).round() / 100.0
}
