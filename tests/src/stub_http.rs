//! A server on the loopback interface for stubs of APIs, with as much of HTTP/1.1 as one client needs. A
//! request has a `content-length`, and each connection is closed after its answer.

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// A server that answers until it is dropped, each connection in a thread of its own.
pub struct StubServer<S> {
    address: SocketAddr,
    shared: Arc<Shared<S>>,
}

/// The data that the threads of a server share.
pub struct Shared<S> {
    state: Mutex<S>,
    closed: AtomicBool,
}

impl<S> Shared<S> {
    /// Locks the state.
    pub fn lock(&self) -> MutexGuard<'_, S> {
        self.state.lock().expect("nothing panics while it holds the lock")
    }

    /// Tells whether the server has been dropped.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

impl<S: Send + 'static> StubServer<S> {
    /// Starts a server that calls `answer` for each connection. `answer` returns `None` if the client closed
    /// the connection, which is not an error.
    pub fn start(state: S, answer: fn(TcpStream, &Shared<S>) -> Option<()>) -> Self {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("the loopback interface has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let shared = Arc::new(Shared { state: Mutex::new(state), closed: AtomicBool::new(false) });
        let accepting = shared.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if accepting.is_closed() {
                    return;
                }
                let shared = accepting.clone();
                std::thread::spawn(move || answer(stream, &shared));
            }
        });
        Self { address, shared }
    }
}

impl<S> StubServer<S> {
    /// Returns its address as a URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Locks the state.
    pub fn lock(&self) -> MutexGuard<'_, S> {
        self.shared.lock()
    }
}

impl<S> Drop for StubServer<S> {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Relaxed);
        // The listener blocks in `accept`; a connection wakes it so that it sees the flag.
        let _ = TcpStream::connect(self.address);
    }
}

/// One request.
pub struct Call {
    pub method: String,
    /// A path for the stub itself; a full URL or `host:port` for a proxy.
    pub target: String,
    /// Values by lower-case name.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

/// Reads one request; `None` if the client closed the connection or does not speak HTTP.
pub fn read(stream: &TcpStream) -> Option<Call> {
    let mut reader = BufReader::new(stream);
    let first = line(&mut reader)?;
    let mut words = first.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = BTreeMap::new();
    while let Some(header) = line(&mut reader).filter(|header| !header.is_empty()) {
        let (name, value) = header.split_once(':')?;
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").map_or(Some(0), |length| length.parse().ok())?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Call { method, target, headers, body })
}

fn line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    let read = reader.read_line(&mut line).ok()?;
    (read > 0).then(|| line.trim_end().to_owned())
}

/// Answers with JSON.
pub fn reply(stream: &mut TcpStream, status: u16, body: &Value) -> Option<()> {
    let body = body.to_string();
    let length = format!("content-length: {}\r\n", body.len());
    head(stream, status, "application/json", &length)?;
    stream.write_all(body.as_bytes()).ok()
}

/// Answers with server-sent events, each a name and its data. The end of the connection ends the stream.
pub fn stream(stream: &mut TcpStream, events: &[(&str, Value)]) -> Option<()> {
    head(stream, 200, "text/event-stream", "")?;
    for (name, data) in events {
        stream.write_all(format!("event: {name}\ndata: {data}\n\n").as_bytes()).ok()?;
    }
    Some(())
}

/// Writes the status line and headers. `more` holds further headers, each with its line break.
pub fn head(stream: &mut TcpStream, status: u16, kind: &str, more: &str) -> Option<()> {
    let head = format!(
        "HTTP/1.1 {status} stub\r\ncontent-type: {kind}\r\nrequest-id: req_stub\r\nconnection: \
         close\r\n{more}\r\n"
    );
    stream.write_all(head.as_bytes()).ok()
}
