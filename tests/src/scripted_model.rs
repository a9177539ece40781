//! A model that has read the recorded sessions before: a server that speaks as OpenAI does and answers from
//! the `drafts.json` beside each recording. What it drafts holds everything that is to be saved, and beside
//! it inventions and what must not be saved; asked to verify, it says which are which. Where a script says
//! which memory a draft is about, or what came to its end, it looks for that among those that the prompt
//! shows.

use crate::stub_llm::{Act, Asked, StubLlm};
use crate::workspace;
use serde_json::{Value, json};
use std::path::Path;

/// The server, answering until it is dropped.
pub struct ScriptedModel(StubLlm);

impl ScriptedModel {
    /// Starts with the scripts of all sessions of this project.
    pub fn start(project: &str) -> Self {
        let scripts = scripts(&workspace::fixtures().join("sessions").join(project));
        Self(StubLlm::answering(move |asked, _| answer(asked, &scripts)))
    }

    /// The same, but whoever verifies supports nothing.
    pub fn doubting(project: &str) -> Self {
        let scripts = scripts(&workspace::fixtures().join("sessions").join(project));
        Self(StubLlm::answering(move |asked, _| match prompt(asked) {
            prompt if is_verification(prompt) => chat(prompt, &verdicts(prompt, |_| false)),
            _ => answer(asked, &scripts),
        }))
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("{}/v1", self.0.url())
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.0.asked().len()
    }
}

fn scripts(project: &Path) -> Vec<Value> {
    let sessions = project.read_dir().unwrap_or_else(|error| panic!("{}: {error}", project.display()));
    let files = sessions.flatten().map(|session| session.path().join("drafts.json"));
    let texts = files.filter_map(|file| std::fs::read_to_string(file).ok());
    texts.map(|text| serde_json::from_str(&text).expect("a script is JSON")).collect()
}

fn prompt(asked: &Asked) -> &str {
    let messages = asked.body["messages"].as_array().into_iter().flatten().rev();
    messages.into_iter().find_map(|message| message["content"].as_str()).unwrap_or_default()
}

fn chat(prompt: &str, answer: &Value) -> Act {
    let text = answer.to_string();
    let usage = json!({ "prompt_tokens": prompt.len() / 4, "completion_tokens": text.len() / 4 });
    Act::chat_for(&text, usage)
}

fn answer(asked: &Asked, scripts: &[Value]) -> Act {
    let prompt = prompt(asked);
    match is_verification(prompt) {
        true => chat(prompt, &verdicts(prompt, |title| !is_unsupported(title, scripts))),
        false => chat(prompt, &drafts(prompt, scripts)),
    }
}

fn is_verification(prompt: &str) -> bool {
    prompt.lines().any(|line| line == "Task: verify")
}

fn drafts(prompt: &str, scripts: &[Value]) -> Value {
    let category = prompt.lines().find_map(|line| line.strip_prefix("Category: ")).unwrap_or_default();
    let drafts = scripts.iter().map(|script| &script["draft"][category]).filter(|draft| draft.is_object());
    let best = drafts.max_by_key(|draft| quotes_in(prompt, draft));
    match best.filter(|draft| quotes_in(prompt, draft) > 0) {
        Some(draft) => pointing(draft.clone(), &shown(prompt)),
        None => json!({ "memories": [] }),
    }
}

/// How many of the quotes stand in the prompt: by that it knows the session.
fn quotes_in(prompt: &str, draft: &Value) -> usize {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let prompt = plain(prompt);
    let memories = draft["memories"].as_array().into_iter().flatten();
    let quotes = memories.flat_map(|memory| memory["quotes"].as_array().into_iter().flatten());
    quotes.filter_map(Value::as_str).filter(|quote| prompt.contains(&plain(quote))).count()
}

/// The memories that a prompt shows, each one line.
fn shown(prompt: &str) -> Vec<Value> {
    objects(prompt).filter(|object| object["known"].is_u64()).collect()
}

/// The answer, with the number of each memory in the place of words that tell it; what is not shown is not
/// spoken of.
fn pointing(mut answer: Value, shown: &[Value]) -> Value {
    for memory in answer["memories"].as_array_mut().into_iter().flatten() {
        match number(&memory["about"], shown) {
            Some(number) => memory["about"]["known"] = number,
            None => drop(memory.as_object_mut().and_then(|memory| memory.remove("about"))),
        }
    }
    let ended = answer["ended"].as_array().cloned().unwrap_or_default().into_iter();
    let ended = ended.filter_map(|mut end| {
        end["known"] = number(&end, shown)?;
        Some(end)
    });
    answer["ended"] = ended.collect();
    answer
}

fn number(pointer: &Value, shown: &[Value]) -> Option<Value> {
    let words = pointer["known"].as_str()?;
    let says = |name: &str, memory: &Value| memory[name].as_str().is_some_and(|text| text.contains(words));
    shown
        .iter()
        .find(|memory| says("title", memory) || says("text", memory))
        .map(|memory| memory["known"].clone())
}

fn is_unsupported(title: &str, scripts: &[Value]) -> bool {
    let mut known = scripts.iter().flat_map(|script| script["verify"]["unsupported"].as_array()).flatten();
    known.any(|claim| claim.as_str().or(claim["title"].as_str()) == Some(title))
}

fn verdicts(prompt: &str, supports: impl Fn(&str) -> bool) -> Value {
    let verdicts = objects(prompt).filter(|draft| draft["index"].is_u64()).map(|draft| {
        let supported = supports(draft["title"].as_str().unwrap_or_default());
        let claim = if supported { "" } else { "it was not said so" };
        json!({ "index": draft["index"], "supported": supported, "unsupported_claim": claim })
    });
    json!({ "verdicts": verdicts.collect::<Vec<_>>() })
}

fn objects(prompt: &str) -> impl Iterator<Item = Value> + '_ {
    prompt.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok())
}
