mod injection;
mod known;
mod merged;
mod recorded;
mod scripted;

use serde_json::{Value, json};

use super::*;
use crate::finding::{Evidence, Intent, Origin};
use crate::known_memory::{KnownMemory, NoMemories};
use crate::rules::{Around, mine};
use crate::sample::{assistant, edited, failed, pasted, ran, talk, user};
use crate::settings::CategoryPolicies;
use crate::triage::{Triaged, triage};

/// A model that gives the same answer to every drafting request and to every verifying request, and records
/// the prompts.
struct FixedModel {
    draft: Result<String, String>,
    verify: Result<String, String>,
    asked: std::cell::RefCell<Vec<Prompt>>,
    max_concurrent: std::cell::Cell<usize>,
}

impl FixedModel {
    fn new(memories: Value) -> Self {
        Self::with_draft(&json!({ "memories": memories }).to_string())
    }

    /// Returns a model that answers with this draft and supports everything.
    fn with_draft(draft: &str) -> Self {
        let verdicts: Vec<Value> = (0..9).map(|at| json!({ "index": at, "supported": true })).collect();
        let verify = json!({ "verdicts": verdicts }).to_string();
        Self {
            draft: Ok(draft.to_owned()),
            verify: Ok(verify),
            asked: Default::default(),
            max_concurrent: Default::default(),
        }
    }

    fn asked(&self, task: &str) -> usize {
        let line = format!("Task: {task}\n");
        self.asked.borrow().iter().filter(|prompt| prompt.prompt.starts_with(&line)).count()
    }
}

impl Model for FixedModel {
    fn complete(&self, prompts: &[Prompt]) -> Vec<Result<String, String>> {
        self.asked.borrow_mut().extend_from_slice(prompts);
        self.max_concurrent.set(self.max_concurrent.get().max(prompts.len()));
        let drafts = |prompt: &&Prompt| prompt.prompt.starts_with("Task: draft\n");
        let answer = |prompt| if drafts(&prompt) { self.draft.clone() } else { self.verify.clone() };
        prompts.iter().map(answer).collect()
    }
}

fn memory(title: &str, text: &str, quotes: &[&str]) -> Value {
    let tags = ["cheat-sheet", "t"];
    json!({
        "title": title, "text": text, "quotes": quotes, "tags": tags, "confidence": 0.9, "importance": 0.8,
    })
}

fn finding(category: Category, text: &str, quote: &str, cursor: u64) -> Finding {
    Finding {
        category,
        title: None,
        text: text.to_owned(),
        content: json!({}),
        tags: Vec::new(),
        files: Vec::new(),
        confidence: 0.8,
        importance: 0.6,
        origin: Origin::Assistant,
        score: 0.7,
        cues: Vec::new(),
        about: None,
        evidence: vec![Evidence { quote: quote.to_owned(), cursor }],
        key: format!("rule/{text}"),
    }
}

/// Returns a session that contains only a preference.
fn session_with_preference() -> Transcript {
    talk([user("from now on use tabs, please"), assistant("Tabs it is."), user("thanks")])
}

/// Returns these findings of the rules as the only known information.
fn known_findings(findings: &[Finding]) -> Known<'_> {
    static ALL: CategoryPolicies = CategoryPolicies::all_enabled();
    Known { findings, saved: &[], memories: &NoMemories, policies: &ALL, saved_until: 0 }
}

fn triaged(talk: &Transcript, settings: &Settings) -> Vec<Triaged> {
    triage(&mine(talk, &Around::default()).work, settings)
}

fn drafted(talk: &Transcript, known: &[Finding], model: &dyn Model) -> Drafted {
    let settings = Settings::default();
    draft(talk, &triaged(talk, &settings), known_findings(known), "s", &settings, model)
}
