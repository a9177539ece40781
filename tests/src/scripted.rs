//! A model that has read the recorded sessions before: a server that speaks as OpenAI does and answers from the
//! `drafts.json` beside each recording. What it drafts holds everything that is to be saved, and beside it inventions
//! and what must not be saved; asked to verify, it says which are which.

use crate::stub_api::http;
use crate::workspace;
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The server, answering until it is dropped.
pub struct Scripted {
    address: SocketAddr,
    state: Arc<State>,
}

struct State {
    scripts: Vec<Value>,
    asked: AtomicUsize,
    closed: AtomicBool,
}

impl Scripted {
    /// Starts with the scripts of all sessions of this project.
    pub fn start(project: &str) -> Self {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("the loopback interface has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let scripts = scripts(&workspace::fixtures().join("sessions").join(project));
        let state = State { scripts, asked: AtomicUsize::new(0), closed: AtomicBool::new(false) };
        let server = Self { address, state: Arc::new(state) };
        let state = server.state.clone();
        std::thread::spawn(move || accept(&listener, &state));
        server
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.state.asked.load(Ordering::SeqCst)
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.state.closed.store(true, Ordering::SeqCst);
        // The listener waits in `accept`; a connection wakes it to see that it is over.
        let _ = TcpStream::connect(self.address);
    }
}

fn scripts(project: &Path) -> Vec<Value> {
    let sessions = project.read_dir().unwrap_or_else(|error| panic!("{}: {error}", project.display()));
    let files = sessions.flatten().map(|session| session.path().join("drafts.json"));
    let texts = files.filter_map(|file| std::fs::read_to_string(file).ok());
    texts.map(|text| serde_json::from_str(&text).expect("a script is JSON")).collect()
}

fn accept(listener: &TcpListener, state: &Arc<State>) {
    for stream in listener.incoming().map_while(Result::ok) {
        if state.closed.load(Ordering::SeqCst) {
            return;
        }
        let state = state.clone();
        std::thread::spawn(move || answer(stream, &state));
    }
}

/// One request of one connection. An error is a client that hung up, which it may.
fn answer(mut stream: TcpStream, state: &State) -> Option<()> {
    let call = http::read(&stream)?;
    let body: Value = serde_json::from_slice(&call.body).ok()?;
    state.asked.fetch_add(1, Ordering::SeqCst);
    let prompt = body["messages"].as_array()?.iter().rev().find_map(|message| message["content"].as_str())?;
    let text = said(prompt, &state.scripts).to_string();
    let usage = json!({ "prompt_tokens": prompt.len() / 4, "completion_tokens": text.len() / 4 });
    let choice =
        json!({ "index": 0, "message": { "role": "assistant", "content": text }, "finish_reason": "stop" });
    http::reply(
        &mut stream,
        200,
        &json!({ "object": "chat.completion", "choices": [choice], "usage": usage }),
    )
}

fn said(prompt: &str, scripts: &[Value]) -> Value {
    let category = prompt.lines().find_map(|line| line.strip_prefix("Category: ")).unwrap_or_default();
    if prompt.lines().any(|line| line == "Task: verify") {
        return verdicts(prompt, scripts);
    }
    let drafts = scripts.iter().map(|script| &script["draft"][category]).filter(|draft| draft.is_object());
    let best = drafts.max_by_key(|draft| quotes_in(prompt, draft));
    match best.filter(|draft| quotes_in(prompt, draft) > 0) {
        Some(draft) => draft.clone(),
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

fn verdicts(prompt: &str, scripts: &[Value]) -> Value {
    let unsupported = |title: &str| {
        let mut known =
            scripts.iter().flat_map(|script| script["verify"]["unsupported"].as_array()).flatten();
        known.any(|claim| claim.as_str().or(claim["title"].as_str()) == Some(title))
    };
    let objects = prompt.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let verdicts = objects.filter(|draft| draft["index"].is_u64()).map(|draft| {
        let supported = !unsupported(draft["title"].as_str().unwrap_or_default());
        let claim = if supported { "" } else { "it was not said so" };
        json!({ "index": draft["index"], "supported": supported, "unsupported_claim": claim })
    });
    json!({ "verdicts": verdicts.collect::<Vec<_>>() })
}
