//! A stand-in for the servers that Interleaf asks for completions, on the loopback interface: it plays a list
//! of acts, one for each request, and most of them are something a server should not do. It keeps what it was
//! sent.

use crate::stub_http::{self as http, Call, Shared, StubServer};
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

/// What the server does with one request.
#[derive(Clone)]
pub enum Act {
    /// Answers with this status, further headers and JSON.
    Answer(u16, String, Value),
    /// Sends this body as it is.
    Body(String),
    /// Announces more than it sends, and hangs up.
    Cut(String),
    /// Says nothing for as long as the other side waits.
    Silence,
    /// Begins an answer and sends a blank now and then, for ever.
    Drip,
    /// Sends blanks as fast as it can, for ever.
    Flood,
    /// Refuses with this status, and sends back the key that it was sent.
    Echo(u16),
}

impl Act {
    /// An answer as OpenAI's chat completions word it, for 100 tokens in and 20 out.
    pub fn chat(text: &str) -> Act {
        Act::Answer(
            200,
            String::new(),
            chat(text, "stop", json!({"prompt_tokens": 100, "completion_tokens": 20})),
        )
    }

    /// The same, cut off at the limit.
    pub fn chat_cut_off(text: &str) -> Act {
        Act::Answer(
            200,
            String::new(),
            chat(text, "length", json!({"prompt_tokens": 100, "completion_tokens": 20})),
        )
    }

    /// The same, with what the server says it took.
    pub fn chat_for(text: &str, usage: Value) -> Act {
        Act::Answer(200, String::new(), chat(text, "stop", usage))
    }

    /// An answer as the Messages API words it, of this content.
    pub fn message(content: Value, stop: &str) -> Act {
        let usage = json!({"input_tokens": 60, "cache_read_input_tokens": 40, "output_tokens": 20});
        Act::Answer(
            200,
            String::new(),
            json!({"type": "message", "role": "assistant", "content": content, "stop_reason": stop, "usage": usage}),
        )
    }

    /// A refusal with this status.
    pub fn refuses(status: u16, message: &str) -> Act {
        Act::Answer(status, String::new(), json!({"error": {"message": message}}))
    }

    /// A server that has too much to do, and for how many seconds.
    pub fn busy(seconds: u32) -> Act {
        Act::Answer(429, format!("retry-after: {seconds}\r\n"), json!({"error": {"message": "slow down"}}))
    }

    /// A redirect that keeps the question.
    pub fn redirects(url: &str) -> Act {
        Act::Answer(307, format!("location: {url}\r\n"), json!({}))
    }
}

fn chat(text: &str, finish: &str, usage: Value) -> Value {
    let choice =
        json!({"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish});
    json!({"object": "chat.completion", "choices": [choice], "usage": usage})
}

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its path.
    pub path: String,
    /// Its headers, by their names in small letters.
    pub headers: std::collections::BTreeMap<String, String>,
    /// Its body.
    pub body: Value,
}

impl Asked {
    /// The whole body as text.
    pub fn text(&self) -> String {
        self.body.to_string()
    }
}

/// The stub, answering until it is dropped.
pub struct StubLlm(StubServer<State>);

/// What the server does with a request; the number is how many came before it.
type Answering = Box<dyn Fn(&Asked, usize) -> Act + Send>;

struct State {
    answering: Answering,
    asked: Vec<Asked>,
}

impl StubLlm {
    /// Starts playing; the last act is repeated.
    ///
    /// # Panics
    /// Without an act.
    pub fn start(acts: impl Into<Vec<Act>>) -> StubLlm {
        let acts = acts.into();
        assert!(!acts.is_empty(), "a play has an act");
        Self::answering(move |_, before| acts[before.min(acts.len() - 1)].clone())
    }

    /// Starts answering each request by what it asks and how many came before it.
    pub fn answering(answering: impl Fn(&Asked, usize) -> Act + Send + 'static) -> StubLlm {
        StubLlm(StubServer::start(State { answering: Box::new(answering), asked: Vec::new() }, answer))
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        self.0.url()
    }

    /// Every request so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.0.lock().asked.clone()
    }
}

/// Answers the request of one connection.
fn answer(mut stream: TcpStream, shared: &Shared<State>) -> Option<()> {
    let call = http::read(&stream)?;
    let act = {
        let mut state = shared.lock();
        let body = serde_json::from_slice(&call.body).unwrap_or_default();
        let asked = Asked { path: call.target.clone(), headers: call.headers.clone(), body };
        let act = (state.answering)(&asked, state.asked.len());
        state.asked.push(asked);
        act
    };
    play(act, &call, &mut stream, shared)
}

fn play(act: Act, call: &Call, stream: &mut TcpStream, shared: &Shared<State>) -> Option<()> {
    match act {
        Act::Answer(status, headers, body) => {
            let body = body.to_string();
            http::head(
                stream,
                status,
                "application/json",
                &format!("content-length: {}\r\n{headers}", body.len()),
            )?;
            stream.write_all(body.as_bytes()).ok()
        }
        Act::Body(body) => {
            http::head(stream, 200, "application/json", &format!("content-length: {}\r\n", body.len()))?;
            stream.write_all(body.as_bytes()).ok()
        }
        Act::Cut(body) => {
            http::head(stream, 200, "application/json", "content-length: 100000\r\n")?;
            stream.write_all(body.as_bytes()).ok()
        }
        Act::Silence => pour(stream, shared, b"", Duration::from_millis(50)),
        Act::Drip => {
            http::head(stream, 200, "application/json", "")?;
            pour(stream, shared, b" ", Duration::from_millis(50))
        }
        Act::Flood => {
            http::head(stream, 200, "application/json", "")?;
            pour(stream, shared, &[b' '; 64 << 10], Duration::ZERO)
        }
        Act::Echo(status) => {
            let keys = ["authorization", "x-api-key"].map(|name| call.headers.get(name).cloned());
            let message = format!("what is {}?", keys.into_iter().flatten().collect::<String>());
            http::reply(stream, status, &json!({"error": {"message": message}}))
        }
    }
}

/// Until the other side hangs up or the stub is dropped.
fn pour(stream: &mut TcpStream, shared: &Shared<State>, piece: &[u8], pause: Duration) -> Option<()> {
    while !shared.is_closed() {
        stream.write_all(piece).ok()?;
        std::thread::sleep(pause);
    }
    Some(())
}
