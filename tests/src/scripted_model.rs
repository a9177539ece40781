//! A scripted model for the recorded sessions: a server with OpenAI's API that answers from the `drafts.json`
//! beside each recording. They contain everything that should be saved, and also inventions and facts that
//! must not be saved. The server cites the lines of the prompt that hold a script's quotes. If a script names
//! the memory that a draft replaces or that has ended, the server looks for it among those that the prompt
//! shows.

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

    /// Starts with the same scripts, but it confirms no change of a memory.
    pub fn doubting(project: &str) -> Self {
        let scripts = scripts(&workspace::fixtures().join("sessions").join(project));
        Self(StubLlm::answering(move |request, _| match prompt(request) {
            prompt if is_confirmation(prompt) => chat(prompt, &verdicts(prompt, false)),
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

/// Returns the last message of a request.
pub fn prompt(request: &StubRequest) -> &str {
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
    match is_confirmation(prompt) {
        true => chat(prompt, &verdicts(prompt, true)),
        false => chat(prompt, &changes(prompt, scripts)),
    }
}

fn is_confirmation(prompt: &str) -> bool {
    prompt.starts_with("Task: confirm\n")
}

/// Returns the changes of the session that the prompt shows: that of the script whose quotes it holds.
fn changes(prompt: &str, scripts: &[Value]) -> Value {
    let lines = lines(prompt);
    let best =
        scripts.iter().max_by_key(|script| drafts(script).filter(|it| !cited(&lines, it).is_empty()).count());
    let Some(script) = best.filter(|script| drafts(script).any(|draft| !cited(&lines, draft).is_empty()))
    else {
        return json!({ "changes": [], "summary": { "goal": "" } });
    };
    let shown = shown_memories(prompt);
    let (mut changes, mut summary) = (Vec::new(), json!({ "goal": "" }));
    for (category, answer) in script["draft"].as_object().into_iter().flatten() {
        for draft in answer["memories"].as_array().into_iter().flatten() {
            match category.as_str() {
                "session_summary" => summary = told(draft),
                _ => changes.push(change(category, draft, &lines, &shown)),
            }
        }
        let ended = answer["ended"].as_array().into_iter().flatten();
        changes.extend(ended.filter_map(|end| retirement(end, &lines, &shown)));
    }
    json!({ "changes": changes, "summary": summary })
}

fn drafts(script: &Value) -> impl Iterator<Item = &Value> {
    let answers = script["draft"].as_object().into_iter().flatten().map(|(_, answer)| answer);
    answers.flat_map(|answer| answer["memories"].as_array().into_iter().flatten())
}

/// Returns the numbers and texts of the lines of the session.
fn lines(prompt: &str) -> Vec<(u64, String)> {
    let session = prompt.split_once("<session>\n").map_or("", |(_, session)| session);
    let line = |line: &str| {
        let (number, rest) = line.split_once(' ')?;
        let (_, text) = rest.split_once(": ")?;
        Some((number.parse().ok()?, collapsed(text)))
    };
    session.lines().filter_map(line).collect()
}

/// Returns the number of the first line of the session in a prompt that holds these words.
pub fn line_number(prompt: &str, words: &str) -> Option<u64> {
    lines(prompt).into_iter().find(|(_, text)| text.contains(words)).map(|(number, _)| number)
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the numbers of the lines that hold a quote of the draft.
fn cited(lines: &[(u64, String)], draft: &Value) -> Vec<u64> {
    let quotes = draft["quotes"].as_array().into_iter().flatten().filter_map(Value::as_str).map(collapsed);
    let quotes: Vec<String> = quotes.collect();
    let holds = |text: &str| quotes.iter().any(|quote| text.contains(quote.as_str()) || quote.contains(text));
    lines.iter().filter(|(_, text)| text.len() > 2 && holds(text)).map(|(number, _)| *number).collect()
}

fn change(category: &str, draft: &Value, lines: &[(u64, String)], shown: &[Value]) -> Value {
    let content = &draft["content"];
    let tags: Vec<&str> = draft["tags"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut change = json!({
        "op": "add", "category": category, "title": draft["title"], "text": draft["text"],
        "from": cited(lines, draft), "cues": draft["cues"], "files": draft["files"],
        "always": tags.contains(&"cheat-sheet"),
        "error": content["trigger"], "fix": content["steps"][0],
    });
    let replaces = matches!(draft["about"]["intent"].as_str(), Some("supersede" | "update"));
    if let Some(id) = memory_id(&draft["about"], shown).filter(|_| replaces) {
        (change["op"], change["id"]) = ("replace".into(), id);
    }
    change
}

fn retirement(end: &Value, lines: &[(u64, String)], shown: &[Value]) -> Option<Value> {
    let id = memory_id(end, shown)?;
    Some(json!({ "op": "retire", "id": id, "why": end["why"], "from": cited(lines, end) }))
}

fn told(draft: &Value) -> Value {
    let content = &draft["content"];
    json!({ "goal": content["goal"], "done": content["completed"], "open": content["next_actions"] })
}

/// Returns the memories that a prompt shows, each on one line.
fn shown_memories(prompt: &str) -> Vec<Value> {
    objects(prompt).filter(|object| object["id"].is_string()).collect()
}

/// Returns the id of the memory that a script names by some of its words.
fn memory_id(reference: &Value, shown: &[Value]) -> Option<Value> {
    let words = reference["known"].as_str()?;
    let says = |memory: &&Value| memory["text"].as_str().is_some_and(|text| text.contains(words));
    let memory = shown.iter().find(says)?;
    Some(memory["id"].clone())
}

fn verdicts(prompt: &str, holds: bool) -> Value {
    let verdicts = objects(prompt).filter(|change| change["index"].is_u64()).map(|change| {
        let because = if holds { "" } else { "nobody says so" };
        json!({ "index": change["index"], "holds": holds, "because": because })
    });
    json!({ "verdicts": verdicts.collect::<Vec<_>>() })
}

fn objects(prompt: &str) -> impl Iterator<Item = Value> + '_ {
    prompt.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok())
}
