//! A stub of the Anthropic Messages API on the loopback interface: Claude Code gets the turns of a [`Script`]
//! as if from the real API, and every request is kept for the test to inspect.
//!
//! It is also the client's proxy, so requests to any other server arrive here, are refused and are kept in
//! [`StubApi::refused`]. It does not know hooks or Interleaf.

mod message;
mod request;
mod script;

pub use request::{Passage, Request};
pub use script::{Block, Route, Script, Turn};

use crate::stub_http::{self as http, Shared, StubServer};
use script::ScriptState;
use serde_json::{Value, json};
use std::net::TcpStream;

/// The stub, which answers until it is dropped.
pub struct StubApi(StubServer<State>);

struct State {
    script: ScriptState,
    requests: Vec<Request>,
    refused: Vec<String>,
}

impl StubApi {
    /// Starts a server that answers with the turns of `script`.
    pub fn start(script: Script) -> StubApi {
        let state = State { script: ScriptState::from(script), requests: Vec::new(), refused: Vec::new() };
        StubApi(StubServer::start(state, answer))
    }

    /// Returns the value for `ANTHROPIC_BASE_URL` and the proxy variables.
    pub fn url(&self) -> String {
        self.0.url()
    }

    /// Returns the message requests so far, in the order of arrival.
    pub fn requests(&self) -> Vec<Request> {
        self.0.lock().requests.clone()
    }

    /// Returns the message requests that `route` answered.
    pub fn requests_of(&self, route: &str) -> Vec<Request> {
        self.requests().into_iter().filter(|request| request.route == route).collect()
    }

    /// Returns the requests to other servers than this stub: `CONNECT host:port`, `GET http://…`.
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
    http::reply(stream, 502, &error("api_error", "the stub refuses requests to other servers"))
}

fn turn(stream: &mut TcpStream, body: &[u8], shared: &Shared<State>) -> Option<()> {
    let Ok(body) = serde_json::from_slice::<Value>(body) else {
        return http::reply(stream, 400, &error("invalid_request_error", "the body is not JSON"));
    };
    let (streaming, model) = (body["stream"] == true, body["model"].clone());
    let turn = {
        let mut state = shared.lock();
        let (route, turn) = state.script.next(&body);
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
