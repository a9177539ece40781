//! A stub of the servers that Interleaf asks for completions, on the loopback interface. It has a list of
//! replies, one for each request; most are something that a server should not do. It keeps all requests.

use crate::stub_http::{self as http, Call, Shared, StubServer};
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

/// The server's reaction to one request.
#[derive(Clone)]
pub enum StubReply {
    /// Answers with this status, further headers and JSON.
    Answer(u16, String, Value),
    /// Sends this body as it is.
    Body(String),
    /// Announces more than it sends, and closes the connection.
    Cut(String),
    /// Sends nothing until the client gives up.
    Silence,
    /// Begins an answer and sends a blank every 50 ms without end.
    Drip,
    /// Sends blanks as fast as it can, without end.
    Flood,
    /// Refuses with this status, and repeats the key of the request.
    Echo(u16),
}

impl StubReply {
    /// Returns an answer in the format of Chat Completions, for 100 input and 20 output tokens.
    pub fn chat(text: &str) -> StubReply {
        StubReply::Answer(
            200,
            String::new(),
            chat(text, "stop", json!({"prompt_tokens": 100, "completion_tokens": 20})),
        )
    }

    /// Returns the same, cut off at the token limit.
    pub fn chat_cut_off(text: &str) -> StubReply {
        StubReply::Answer(
            200,
            String::new(),
            chat(text, "length", json!({"prompt_tokens": 100, "completion_tokens": 20})),
        )
    }

    /// Returns the same with this usage.
    pub fn chat_for(text: &str, usage: Value) -> StubReply {
        StubReply::Answer(200, String::new(), chat(text, "stop", usage))
    }

    /// Returns an answer in the format of the Messages API with this content.
    pub fn message(content: Value, stop: &str) -> StubReply {
        let usage = json!({"input_tokens": 60, "cache_read_input_tokens": 40, "output_tokens": 20});
        StubReply::Answer(
            200,
            String::new(),
            json!({
                "type": "message", "role": "assistant", "content": content, "stop_reason": stop,
                "usage": usage,
            }),
        )
    }

    /// Returns a refusal with this status.
    pub fn refuses(status: u16, message: &str) -> StubReply {
        StubReply::Answer(status, String::new(), json!({"error": {"message": message}}))
    }

    /// Returns the reply of a busy server that asks for a pause of this many seconds.
    pub fn busy(seconds: u32) -> StubReply {
        StubReply::Answer(
            429,
            format!("retry-after: {seconds}\r\n"),
            json!({"error": {"message": "slow down"}}),
        )
    }

    /// Returns a redirect that keeps method and body.
    pub fn redirects(url: &str) -> StubReply {
        StubReply::Answer(307, format!("location: {url}\r\n"), json!({}))
    }
}

fn chat(text: &str, finish: &str, usage: Value) -> Value {
    let choice =
        json!({"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish});
    json!({"object": "chat.completion", "choices": [choice], "usage": usage})
}

/// One request as it arrived.
#[derive(Debug, Clone)]
pub struct StubRequest {
    /// Its path.
    pub path: String,
    /// Its headers by lower-case name.
    pub headers: std::collections::BTreeMap<String, String>,
    /// Its body.
    pub body: Value,
}

impl StubRequest {
    /// Returns the body as text.
    pub fn text(&self) -> String {
        self.body.to_string()
    }
}

/// The stub, which answers until it is dropped.
pub struct StubLlm(StubServer<State>);

/// Chooses the reply to a request; the number counts the requests before it.
type ReplyFn = Box<dyn Fn(&StubRequest, usize) -> StubReply + Send>;

struct State {
    reply: ReplyFn,
    requests: Vec<StubRequest>,
}

impl StubLlm {
    /// Starts a server with these replies; the last one is repeated.
    ///
    /// # Panics
    /// If there is no reply.
    pub fn start(replies: impl Into<Vec<StubReply>>) -> StubLlm {
        let replies = replies.into();
        assert!(!replies.is_empty(), "the stub needs a reply");
        Self::answering(move |_, before| replies[before.min(replies.len() - 1)].clone())
    }

    /// Starts a server that chooses its reply by the request and the number of requests before it.
    pub fn answering(reply: impl Fn(&StubRequest, usize) -> StubReply + Send + 'static) -> StubLlm {
        StubLlm(StubServer::start(State { reply: Box::new(reply), requests: Vec::new() }, answer))
    }

    /// Returns its address as a URL.
    pub fn url(&self) -> String {
        self.0.url()
    }

    /// Returns the requests so far.
    pub fn requests(&self) -> Vec<StubRequest> {
        self.0.lock().requests.clone()
    }
}

/// Answers the request of one connection.
fn answer(mut stream: TcpStream, shared: &Shared<State>) -> Option<()> {
    let call = http::read(&stream)?;
    let reply = {
        let mut state = shared.lock();
        let body = serde_json::from_slice(&call.body).unwrap_or_default();
        let request = StubRequest { path: call.target.clone(), headers: call.headers.clone(), body };
        let reply = (state.reply)(&request, state.requests.len());
        state.requests.push(request);
        reply
    };
    send(reply, &call, &mut stream, shared)
}

fn send(reply: StubReply, call: &Call, stream: &mut TcpStream, shared: &Shared<State>) -> Option<()> {
    match reply {
        StubReply::Answer(status, headers, body) => {
            let body = body.to_string();
            http::head(
                stream,
                status,
                "application/json",
                &format!("content-length: {}\r\n{headers}", body.len()),
            )?;
            stream.write_all(body.as_bytes()).ok()
        }
        StubReply::Body(body) => {
            http::head(stream, 200, "application/json", &format!("content-length: {}\r\n", body.len()))?;
            stream.write_all(body.as_bytes()).ok()
        }
        StubReply::Cut(body) => {
            http::head(stream, 200, "application/json", "content-length: 100000\r\n")?;
            stream.write_all(body.as_bytes()).ok()
        }
        StubReply::Silence => send_endlessly(stream, shared, b"", Duration::from_millis(50)),
        StubReply::Drip => {
            http::head(stream, 200, "application/json", "")?;
            send_endlessly(stream, shared, b" ", Duration::from_millis(50))
        }
        StubReply::Flood => {
            http::head(stream, 200, "application/json", "")?;
            send_endlessly(stream, shared, &[b' '; 64 << 10], Duration::ZERO)
        }
        StubReply::Echo(status) => {
            let keys = ["authorization", "x-api-key"].map(|name| call.headers.get(name).cloned());
            let message = format!("what is {}?", keys.into_iter().flatten().collect::<String>());
            http::reply(stream, status, &json!({"error": {"message": message}}))
        }
    }
}

/// Sends the same bytes until the client closes the connection or the stub is dropped.
fn send_endlessly(
    stream: &mut TcpStream,
    shared: &Shared<State>,
    bytes: &[u8],
    pause: Duration,
) -> Option<()> {
    while !shared.is_closed() {
        stream.write_all(bytes).ok()?;
        std::thread::sleep(pause);
    }
    Some(())
}
