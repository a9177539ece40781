//! A stand-in for the Anthropic Messages API on the loopback interface: Claude Code talks to it as to the real one and
//! gets the turns of a [`Script`]; every request is kept for a test to look at.
//!
//! It is also given to the client as its proxy, so that whatever the client wants from anybody else arrives here, is
//! refused and kept in [`StubApi::refused`]. It knows nothing of hooks and nothing of Interleaf.

pub(crate) mod http;
mod message;
mod request;
mod script;

pub use request::{Passage, Request};
pub use script::{Block, Route, Script, Turn};

use script::Playing;
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};

/// The stub, answering until it is dropped.
pub struct StubApi {
    address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
}

struct Seen {
    playing: Playing,
    requests: Vec<Request>,
    refused: Vec<String>,
    closed: bool,
}

impl StubApi {
    /// Starts answering with the turns of `script`.
    pub fn start(script: Script) -> StubApi {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("the loopback interface has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let playing = Playing::from(script);
        let seen = Seen { playing, requests: Vec::new(), refused: Vec::new(), closed: false };
        let seen = Arc::new(Mutex::new(seen));
        let stub = StubApi { address, seen: seen.clone() };
        std::thread::spawn(move || accept(&listener, &seen));
        stub
    }

    /// What `ANTHROPIC_BASE_URL` and the proxy variables are set to.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every message request so far, in the order of arrival.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.seen).requests.clone()
    }

    /// The message requests that `route` answered.
    pub fn requests_of(&self, route: &str) -> Vec<Request> {
        self.requests().into_iter().filter(|request| request.route == route).collect()
    }

    /// What the client wanted from others than this stub: `CONNECT host:port`, `GET http://…`.
    pub fn refused(&self) -> Vec<String> {
        lock(&self.seen).refused.clone()
    }
}

impl Drop for StubApi {
    fn drop(&mut self) {
        lock(&self.seen).closed = true;
        // The listener waits in `accept`; a connection wakes it to see that it is over.
        let _ = TcpStream::connect(self.address);
    }
}

fn lock(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().expect("nothing panics while it holds the lock")
}

fn accept(listener: &TcpListener, seen: &Arc<Mutex<Seen>>) {
    for stream in listener.incoming().map_while(Result::ok) {
        if lock(seen).closed {
            return;
        }
        let seen = seen.clone();
        std::thread::spawn(move || answer(stream, &seen));
    }
}

/// One request of one connection. An error is a client that hung up, which it may.
fn answer(mut stream: TcpStream, seen: &Mutex<Seen>) -> Option<()> {
    let call = http::read(&stream)?;
    let path = call.target.split('?').next().unwrap_or_default();
    match (call.method.as_str(), path) {
        ("CONNECT", _) => refuse(&mut stream, &call, seen),
        (_, target) if !target.starts_with('/') => refuse(&mut stream, &call, seen),
        ("HEAD", _) => http::reply(&mut stream, 200, &json!({})),
        ("POST", "/v1/messages") => turn(&mut stream, &call.body, seen),
        ("POST", "/v1/messages/count_tokens") => {
            http::reply(&mut stream, 200, &json!({"input_tokens": call.body.len() / 4 + 1}))
        }
        _ => http::reply(&mut stream, 404, &error("not_found_error", "the stub has no such page")),
    }
}

fn refuse(stream: &mut TcpStream, call: &http::Call, seen: &Mutex<Seen>) -> Option<()> {
    lock(seen).refused.push(format!("{} {}", call.method, call.target));
    http::reply(stream, 502, &error("api_error", "the stub lets nobody out"))
}

fn turn(stream: &mut TcpStream, body: &[u8], seen: &Mutex<Seen>) -> Option<()> {
    let Ok(body) = serde_json::from_slice::<Value>(body) else {
        return http::reply(stream, 400, &error("invalid_request_error", "the body is not JSON"));
    };
    let (streaming, model) = (body["stream"] == true, body["model"].clone());
    let turn = {
        let mut seen = lock(seen);
        let (route, turn) = seen.playing.next(&body);
        seen.requests.push(Request { route, body });
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
