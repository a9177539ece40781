//! A model that answers from the `drafts.json` of a recorded session. It recognizes the task and the category
//! by the two fixed lines of a prompt.

use std::fs;

use serde_json::{Value, json};

use super::super::{Model, Prompt};
use crate::sample::root;

pub(super) struct Scripted {
    pub script: Value,
}

impl Scripted {
    pub fn of(session: &str) -> Self {
        let path = root().join(session).join("drafts.json");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self { script: serde_json::from_str(&text).unwrap() }
    }

    fn answer(&self, prompt: &str) -> String {
        let after = |head: &str| prompt.lines().find_map(|line| line.strip_prefix(head)).unwrap();
        match after("Task: ") {
            "draft" => match &self.script["draft"][after("Category: ")] {
                Value::Null => json!({ "memories": [] }).to_string(),
                answer => answer.to_string(),
            },
            _ => self.verdicts(prompt),
        }
    }

    fn verdicts(&self, prompt: &str) -> String {
        let objects = prompt.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let drafts = objects.filter(|object| object["index"].is_u64());
        let verdicts = drafts.map(|draft| {
            let unsupported = self.script["verify"]["unsupported"].as_array().unwrap();
            match unsupported.iter().find(|it| it["title"] == draft["title"]) {
                Some(it) => {
                    json!({ "index": draft["index"], "supported": false, "unsupported_claim": it["claim"] })
                }
                None => json!({ "index": draft["index"], "supported": true }),
            }
        });
        json!({ "verdicts": verdicts.collect::<Vec<_>>() }).to_string()
    }
}

impl Model for Scripted {
    fn complete(&self, prompts: &[Prompt]) -> Vec<Result<String, String>> {
        prompts.iter().map(|prompt| Ok(self.answer(&prompt.prompt))).collect()
    }
}
