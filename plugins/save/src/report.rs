//! What the log tells of a flush: numbers, names and ids, never what somebody said. Only who asks to have it explained is
//! told the words as well.

use serde_json::{Map, Value, json};

use crate::batch::Stretch;
use crate::drafting::{Drafted, Refusal};
use crate::find::Evidence;
use crate::keep::Done;
use crate::triage::Triaged;

/// The object for the log.
pub fn of(
    stretch: &Stretch,
    triaged: &[Triaged],
    drafted: Option<&Drafted>,
    done: &[Done],
    explain: bool,
) -> Value {
    let categories = triaged.iter().filter(|triaged| triaged.triggered || explain);
    let categories =
        categories.map(|triaged| (triaged.category.as_str().to_owned(), category(triaged, explain)));
    let refused = drafted.map_or(&[][..], |drafted| &drafted.refused).iter();
    let (written, nothing): (Vec<&Done>, Vec<&Done>) = done.iter().partition(|done| done.is_written());
    let failed = drafted.map_or(&[][..], |drafted| &drafted.failed).iter();
    json!({ "flush": {
        "entries": stretch.fresh().entries.len(),
        "captures": stretch.captures.len(),
        "categories": categories.collect::<Map<_, _>>(),
        "model": drafted.is_some(),
        "refused": refused.map(|refusal| refused_draft(refusal, explain)).collect::<Vec<_>>(),
        "failed": failed.map(|(category, why)| json!({ "category": category.as_str(), "why": why })).collect::<Vec<_>>(),
        "written": written.into_iter().map(|done| memory(done, explain)).collect::<Vec<_>>(),
        "nothing": nothing.into_iter().map(|done| memory(done, explain)).collect::<Vec<_>>(),
    }})
}

fn category(triaged: &Triaged, explain: bool) -> Value {
    let mut told = json!({ "score": rounded(triaged.score) });
    if explain {
        told["triggered"] = triaged.triggered.into();
        told["evidence"] = quotes(&triaged.evidence);
    }
    told
}

fn memory(done: &Done, explain: bool) -> Value {
    let category = done.category.as_str();
    let mut told = json!({ "category": category, "action": done.action(), "because": done.because });
    let more = [
        ("id", done.id.as_deref().map(Value::from)),
        ("superseded", done.superseded.as_deref().map(Value::from)),
        ("score", done.score.map(|score| rounded(score).into())),
        ("evidence", explain.then(|| quotes(&done.evidence))),
    ];
    for (name, value) in more.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        told[name] = value;
    }
    told
}

fn refused_draft(refusal: &Refusal, explain: bool) -> Value {
    let category = refusal.category.as_str();
    match explain {
        true => json!({ "category": category, "title": refusal.title, "why": refusal.why.to_string() }),
        false => json!({ "category": category, "why": refusal.why.because }),
    }
}

fn quotes(evidence: &[Evidence]) -> Value {
    evidence.iter().map(|evidence| evidence.quote.as_str()).collect::<Vec<_>>().into()
}

fn rounded(score: f32) -> f64 {
    (f64::from(score) * 100.0).round() / 100.0
}
