//! A stand-in for the Anthropic Messages API on the loopback interface: Claude Code talks to it as to the
//! real one and gets the turns of a [`Script`]; every request is kept for a test to look at.
//!
//! It is also given to the client as its proxy, so that whatever the client wants from anybody else arrives
//! here, is refused and kept in [`StubApi::refused`]. It knows nothing of hooks and nothing of Interleaf.

mod message;
mod request;
mod script;

pub use request::{Passage, Request};
pub use script::{Block, Route, Script, Turn};

use crate::stub_http::{self as http, Shared, StubServer};
use script::Playing;
use serde_json::{Value, json};
use std::net::TcpStream;

/// The stub, answering until it is dropped.
pub struct StubApi(StubServer<State>);

struct State {
    playing: Playing,
    requests: Vec<Request>,
    refused: Vec<String>,
}

impl StubApi {
    /// Starts answering with the turns of `script`.
    pub fn start(script: Script) -> StubApi {
        let state = State { playing: Playing::from(script), requests: Vec::new(), refused: Vec::new() };
        StubApi(StubServer::start(state, answer))
    }

    /// The value of `ANTHROPIC_BASE_URL` and of the proxy variables.
    pub fn url(&self) -> String {
        self.0.url()
    }

    /// Every message request so far, in the order of arrival.
    pub fn requests(&self) -> Vec<Request> {
        self.0.lock().requests.clone()
    }

    /// The message requests that `route` answered.
    pub fn requests_of(&self, route: &str) -> Vec<Request> {
        self.requests().into_iter().filter(|request| request.route == route).collect()
    }

    /// What the client wanted from others than this stub: `CONNECT host:port`, `GET http://…`.
    pub fn refused(&self) -> Vec<String> {
        self.0.lock().refused.clone()
    }
}

/// Answers the request of one connection.
fn answer(mut stream: TcpStream, shared: &Shared<State>) -> Option<()> {
    let call = http::read(&stream)?;
    let path = call.target.split('?').next().unwrap_or_default();
    match (call.method.as_str(), path) {
        ("CONNECT", _) => refuse(&mut stream, &call, shared),
        (_, target) if !target.starts_with('/') => refuse(&mut stream, &call, shared),
        ("HEAD", _) => http::reply(&mut stream, 200, &json!({})),
        ("POST", "/v1/messages") => turn(&mut stream, &call.body, shared),
        ("POST", "/v1/messages/count_tokens") => {
            http::reply(&mut stream, 200, &json!({"input_tokens": call.body.len() / 4 + 1}))
        }
        _ => http::reply(&mut stream, 404, &error("not_found_error", "the stub has no such page")),
    }
}

fn refuse(stream: &mut TcpStream, call: &http::Call, shared: &Shared<State>) -> Option<()> {
    shared.lock().refused.push(format!("{} {}", call.method, call.target));
    http::reply(stream, 502, &error("api_error", "the stub lets nobody out"))
}

fn turn(stream: &mut TcpStream, body: &[u8], shared: &Shared<State>) -> Option<()> {
    let Ok(body) = serde_json::from_slice::<Value>(body) else {
        return http::reply(stream, 400, &error("invalid_request_error", "the body is not JSON"));
    };
    let (streaming, model) = (body["stream"] == true, body["model"].clone());
    let turn = {
        let mut state = shared.lock();
        let (route, turn) = state.playing.next(&body);
        state.requests.push(Request { route, body });
        turn
    };
    let message = message::message(&turn, model);
    if streaming {
        http::stream(stream, &message::events(&message))
    } else {
        http::reply(stream, 200, &message)
    }
}

fn error(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message}})
}
