//! A stand-in for the servers that Interleaf asks for completions, on the loopback interface: it plays a list of acts, one
//! for each request, and most of them are something a server should not do. It keeps what it was sent.

use crate::stub_api::http::{self, Call};
use serde_json::{Value, json};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
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
pub struct StubLlm {
    address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
}

/// What the server does with a request; the number is how many came before it.
type Answering = Box<dyn Fn(&Asked, usize) -> Act + Send>;

struct Seen {
    answering: Answering,
    asked: Vec<Asked>,
    closed: bool,
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
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("the loopback interface has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let seen =
            Arc::new(Mutex::new(Seen { answering: Box::new(answering), asked: Vec::new(), closed: false }));
        let stub = StubLlm { address, seen: seen.clone() };
        std::thread::spawn(move || accept(&listener, &seen));
        stub
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far.
    pub fn asked(&self) -> Vec<Asked> {
        lock(&self.seen).asked.clone()
    }
}

impl Drop for StubLlm {
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
    let act = {
        let mut seen = lock(seen);
        let body = serde_json::from_slice(&call.body).unwrap_or_default();
        let asked = Asked { path: call.target.clone(), headers: call.headers.clone(), body };
        let act = (seen.answering)(&asked, seen.asked.len());
        seen.asked.push(asked);
        act
    };
    play(act, &call, &mut stream, seen)
}

fn play(act: Act, call: &Call, stream: &mut TcpStream, seen: &Mutex<Seen>) -> Option<()> {
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
        Act::Silence => pour(stream, seen, b"", Duration::from_millis(50)),
        Act::Drip => {
            http::head(stream, 200, "application/json", "")?;
            pour(stream, seen, b" ", Duration::from_millis(50))
        }
        Act::Flood => {
            http::head(stream, 200, "application/json", "")?;
            pour(stream, seen, &[b' '; 64 << 10], Duration::ZERO)
        }
        Act::Echo(status) => {
            let keys = ["authorization", "x-api-key"].map(|name| call.headers.get(name).cloned());
            let message = format!("what is {}?", keys.into_iter().flatten().collect::<String>());
            http::reply(stream, status, &json!({"error": {"message": message}}))
        }
    }
}

/// Until the other side hangs up or the stub is dropped.
fn pour(stream: &mut TcpStream, seen: &Mutex<Seen>, piece: &[u8], pause: Duration) -> Option<()> {
    while !lock(seen).closed {
        stream.write_all(piece).ok()?;
        std::thread::sleep(pause);
    }
    Some(())
}
