//! What the log tells of a flush: numbers, names and ids, never what somebody said. Only who asks to have it explained is
//! told the words as well.

use serde_json::{Map, Value, json};

use crate::batch::Stretch;
use crate::drafting::Drafted;
use crate::find::{Evidence, Find};
use crate::triage::Triaged;

/// The object for the log.
pub fn of(
    stretch: &Stretch,
    triaged: &[Triaged],
    drafted: Option<&Drafted>,
    written: &[(String, Find)],
    explain: bool,
) -> Value {
    let categories = triaged.iter().filter(|triaged| triaged.triggered || explain);
    let categories =
        categories.map(|triaged| (triaged.category.as_str().to_owned(), category(triaged, explain)));
    let refused = drafted.map_or(&[][..], |drafted| &drafted.refused).iter();
    let refused = refused.map(|refusal| match explain {
        true => json!({ "category": refusal.category.as_str(), "title": refusal.title, "why": refusal.why }),
        false => json!({ "category": refusal.category.as_str() }),
    });
    let failed = drafted.map_or(&[][..], |drafted| &drafted.failed).iter();
    json!({ "flush": {
        "entries": stretch.fresh().entries.len(),
        "captures": stretch.captures.len(),
        "categories": categories.collect::<Map<_, _>>(),
        "model": drafted.is_some(),
        "refused": refused.collect::<Vec<_>>(),
        "failed": failed.map(|(category, why)| json!({ "category": category.as_str(), "why": why })).collect::<Vec<_>>(),
        "written": written.iter().map(|(id, find)| memory(id, find, explain)).collect::<Vec<_>>(),
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

fn memory(id: &str, find: &Find, explain: bool) -> Value {
    let mut told = json!({ "id": id, "category": find.category.as_str(), "score": rounded(find.score) });
    if explain {
        told["evidence"] = quotes(&find.evidence);
    }
    told
}

fn quotes(evidence: &[Evidence]) -> Value {
    evidence.iter().map(|evidence| evidence.quote.as_str()).collect::<Vec<_>>().into()
}

fn rounded(score: f32) -> f64 {
    (f64::from(score) * 100.0).round() / 100.0
}
