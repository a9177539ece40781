//! A scripted model for the recorded sessions: a server with OpenAI's API that answers from the `drafts.json`
//! beside each recording. Its drafts contain everything that should be saved, and also inventions and facts
//! that must not be saved; its verification tells them apart. If a script names the memory that a draft is
//! about or that has ended, the server looks for it among the memories that the prompt shows.

use crate::stub_llm::{StubLlm, StubReply, StubRequest};
use crate::workspace;
use serde_json::{Value, json};
use std::path::Path;

/// The server, answering until it is dropped.
pub struct ScriptedModel(StubLlm);

impl ScriptedModel {
    /// Starts with the scripts of all sessions of this project.
    pub fn start(project: &str) -> Self {
        let scripts = scripts(&workspace::fixtures().join("sessions").join(project));
        Self(StubLlm::answering(move |request, _| answer(request, &scripts)))
    }

    /// Starts with the same scripts, but its verification supports no draft.
    pub fn doubting(project: &str) -> Self {
        let scripts = scripts(&workspace::fixtures().join("sessions").join(project));
        Self(StubLlm::answering(move |request, _| match prompt(request) {
            prompt if is_verification(prompt) => chat(prompt, &verdicts(prompt, |_| false)),
            _ => answer(request, &scripts),
        }))
    }

    /// Returns its base URL.
    pub fn url(&self) -> String {
        format!("{}/v1", self.0.url())
    }

    /// Returns the number of requests so far.
    pub fn request_count(&self) -> usize {
        self.0.requests().len()
    }
}

fn scripts(project: &Path) -> Vec<Value> {
    let sessions = project.read_dir().unwrap_or_else(|error| panic!("{}: {error}", project.display()));
    let files = sessions.flatten().map(|session| session.path().join("drafts.json"));
    let texts = files.filter_map(|file| std::fs::read_to_string(file).ok());
    texts.map(|text| serde_json::from_str(&text).expect("a script is JSON")).collect()
}

fn prompt(request: &StubRequest) -> &str {
    let messages = request.body["messages"].as_array().into_iter().flatten().rev();
    messages.into_iter().find_map(|message| message["content"].as_str()).unwrap_or_default()
}

fn chat(prompt: &str, answer: &Value) -> StubReply {
    let text = answer.to_string();
    let usage = json!({ "prompt_tokens": prompt.len() / 4, "completion_tokens": text.len() / 4 });
    StubReply::chat_for(&text, usage)
}

fn answer(request: &StubRequest, scripts: &[Value]) -> StubReply {
    let prompt = prompt(request);
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
        Some(draft) => with_references(draft.clone(), &shown_memories(prompt)),
        None => json!({ "memories": [] }),
    }
}

/// Counts the quotes of a draft that are in the prompt, which identifies the session.
fn quotes_in(prompt: &str, draft: &Value) -> usize {
    let collapse = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let prompt = collapse(prompt);
    let memories = draft["memories"].as_array().into_iter().flatten();
    let quotes = memories.flat_map(|memory| memory["quotes"].as_array().into_iter().flatten());
    quotes.filter_map(Value::as_str).filter(|quote| prompt.contains(&collapse(quote))).count()
}

/// Returns the memories that a prompt shows, each on one line.
fn shown_memories(prompt: &str) -> Vec<Value> {
    objects(prompt).filter(|object| object["known"].is_u64()).collect()
}

/// Replaces the words by which the script names a memory with the number of that memory. References to
/// memories that the prompt does not show are dropped.
fn with_references(mut answer: Value, shown: &[Value]) -> Value {
    for memory in answer["memories"].as_array_mut().into_iter().flatten() {
        match memory_number(&memory["about"], shown) {
            Some(number) => memory["about"]["known"] = number,
            None => drop(memory.as_object_mut().and_then(|memory| memory.remove("about"))),
        }
    }
    let ended = answer["ended"].as_array().cloned().unwrap_or_default().into_iter();
    let ended = ended.filter_map(|mut end| {
        end["known"] = memory_number(&end, shown)?;
        Some(end)
    });
    answer["ended"] = ended.collect();
    answer
}

fn memory_number(reference: &Value, shown: &[Value]) -> Option<Value> {
    let words = reference["known"].as_str()?;
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
        let claim = if supported { "" } else { "the session does not say so" };
        json!({ "index": draft["index"], "supported": supported, "unsupported_claim": claim })
    });
    json!({ "verdicts": verdicts.collect::<Vec<_>>() })
}

fn objects(prompt: &str) -> impl Iterator<Item = Value> + '_ {
    prompt.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok())
}
