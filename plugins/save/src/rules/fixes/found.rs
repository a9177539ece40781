//! A fix in words, with what it rests on.

use serde_json::{Value, json};

use super::explained::Explanation;
use super::pair::Pair;
use super::remedy::Remedy;
use crate::finding::{Evidence, Finding, Origin};
use crate::rules::context::Context;
use crate::rules::wording::cut;
use interleaf_layer::memory::Category;

/// Characters of the main line of an error.
const LONGEST_LINE: usize = 160;

/// What a pair teaches; nothing where nobody says why and the code says the rest.
pub fn find(context: &Context, pair: &Pair, remedy: &Remedy, why: Option<&Explanation>) -> Option<Finding> {
    let name = pair.name();
    let said = pair.error().filter(|_| why.is_none());
    let cause = match (why, &said) {
        (Some(why), _) => why.text.clone(),
        // What git wants is common knowledge.
        (None, Some(said)) if !remedy.is_code() && !name.starts_with("git ") => cut(said, LONGEST_LINE),
        _ => return None,
    };
    // The cause and what helped are two sentences.
    let cause = cause.trim_end_matches(['.', '!', '。']);
    let key = Evidence { quote: name.clone(), cursor: pair.last().deed.call.cursor };
    Some(Finding {
        category: Category::Runbook,
        title: None,
        text: format!("`{name}` failed: {}. What helped: {}.", cause, remedy.steps().join(", ")),
        content: content(&name, remedy, why),
        tags: vec!["error-fix".to_owned()],
        files: remedy.files(),
        confidence: if why.is_some() { 0.85 } else { 0.65 },
        importance: if remedy.is_code() { 0.5 } else { 0.75 },
        origin: if why.is_some() { Origin::Assistant } else { Origin::ToolOutput },
        score: remedy.score(why.is_some()),
        cues: Vec::new(),
        about: None,
        evidence: evidence(pair, why, said),
        key: context.key(Category::Runbook, &key),
    })
}

fn content(name: &str, remedy: &Remedy, why: Option<&Explanation>) -> Value {
    json!({
        "trigger": format!("`{name}` fails"),
        "symptoms": [],
        "steps": remedy.steps(),
        "verification": format!("`{name}` succeeds"),
        "root_cause": why.map(|why| &why.text),
    })
}

/// The explanation first, then the calls; the error's own line only where nobody explained it.
fn evidence(pair: &Pair, why: Option<&Explanation>, said: Option<String>) -> Vec<Evidence> {
    let result = pair.told().and_then(|run| run.deed.result);
    let line = said.zip(result).map(|(quote, result)| Evidence { quote, cursor: result.cursor });
    why.into_iter().flat_map(|why| why.evidence.clone()).chain(line).chain(pair.calls()).collect()
}
