//! The messages of the protocol, one JSON object on each line of standard input and output.
//!
//! The library's own transport drops what it cannot read, and the client then waits for its timeout. Here
//! every request gets an answer: what is broken but clear is mended (half an emoji, bytes that are no UTF-8,
//! empty lists of parameters), and for the rest there is an error with the id of the request.

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::LazyLock;
use std::thread;

use regex::bytes::Regex;
use rmcp::model::{CallToolRequestParams, ErrorCode, InitializeRequestParams};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::claude::decode_json;

/// Maximum length of a message of the client, in bytes. A memory is much shorter.
const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// Number of lines that wait to be answered before no more are read.
const MAX_WAITING_LINES: usize = 16;

/// Number of bytes at the beginning and at the end of a message in which its id is looked for, if it cannot
/// be read as a whole. Clients write it first or last.
const ID_BYTES: usize = 300;

static ID: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "a constant, which a test reads")]
    Regex::new(r#""id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9]+)"#).expect("it is a regular expression")
});

/// A line of standard input.
enum Line {
    Whole(Vec<u8>),
    /// The beginning and the end of one that is too long.
    TooLong(Vec<u8>, Vec<u8>),
}

/// What a line holds.
enum Received {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// A request that cannot be answered, with its id and the reason.
    Refused(Value, ErrorCode, String),
    /// Nothing that wants an answer.
    Nothing,
}

/// Standard input and output.
pub(super) struct MessageLines {
    lines: mpsc::Receiver<Line>,
}

impl MessageLines {
    /// Begins to read standard input, in a thread that ends with it.
    pub(super) fn start() -> Self {
        let (sender, lines) = mpsc::channel(MAX_WAITING_LINES);
        thread::spawn(move || {
            let mut input = BufReader::new(std::io::stdin().lock());
            while let Some(line) = next_line(&mut input) {
                if sender.blocking_send(line).is_err() {
                    break;
                }
            }
        });
        Self { lines }
    }
}

impl Transport<RoleServer> for MessageLines {
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let written = serde_json::to_value(&item).map_err(Into::into).and_then(|message| write(&message));
        std::future::ready(written)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            match received(&self.lines.recv().await?) {
                Received::Message(message) => return Some(*message),
                Received::Refused(id, code, message) => {
                    let error = json!({ "code": code.0, "message": message });
                    write(&json!({ "jsonrpc": "2.0", "id": id, "error": error })).ok()?;
                }
                Received::Nothing => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

fn write(message: &Value) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    output.write_all(format!("{message}\n").as_bytes())?;
    output.flush()
}

/// Reads a line. `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> Option<Line> {
    let mut line = Vec::new();
    let most = MAX_MESSAGE_BYTES as u64 + 1;
    if input.take(most).read_until(b'\n', &mut line).ok()? == 0 {
        return None;
    }
    if line.ends_with(b"\n") || line.len() <= MAX_MESSAGE_BYTES {
        return Some(Line::Whole(line));
    }
    let mut tail = line.clone();
    loop {
        let (rest, is_end) = {
            let part = input.fill_buf().ok()?;
            let end = part.iter().position(|byte| *byte == b'\n');
            (part[..end.unwrap_or(part.len())].to_vec(), end.is_some() || part.is_empty())
        };
        input.consume(rest.len() + usize::from(is_end));
        tail.extend_from_slice(&rest);
        tail.drain(..tail.len().saturating_sub(ID_BYTES));
        if is_end {
            line.truncate(ID_BYTES);
            return Some(Line::TooLong(line, tail));
        }
    }
}

fn received(line: &Line) -> Received {
    match line {
        Line::TooLong(head, tail) => match id_in(tail).or_else(|| id_in(head)) {
            Some(id) => {
                let message = format!("the message has more than {MAX_MESSAGE_BYTES} bytes");
                Received::Refused(id, ErrorCode::INVALID_REQUEST, message)
            }
            None => Received::Nothing,
        },
        Line::Whole(line) => {
            let text = decode_json(line);
            match serde_json::from_str(&text) {
                Ok(message) => message_of(message),
                Err(_) if text.trim().is_empty() => Received::Nothing,
                Err(error) => unreadable(text.as_bytes(), &error),
            }
        }
    }
}

/// Returns the answer to what is no JSON. What has neither a method nor an id may be anything.
fn unreadable(text: &[u8], error: &serde_json::Error) -> Received {
    let (head, tail) = (&text[..text.len().min(ID_BYTES)], &text[text.len().saturating_sub(ID_BYTES)..]);
    let is_request = [head, tail].iter().any(|part| part.windows(8).any(|word| word == b"\"method\""));
    match id_in(tail).or_else(|| id_in(head)).filter(|_| is_request) {
        Some(id) => Received::Refused(id, ErrorCode::PARSE_ERROR, format!("the message is no JSON: {error}")),
        None => Received::Nothing,
    }
}

/// Returns the last id in a part of a message.
fn id_in(part: &[u8]) -> Option<Value> {
    let found = ID.captures_iter(part).last()?;
    serde_json::from_slice(&found[1]).ok()
}

fn message_of(mut message: Value) -> Received {
    let Some(id) = message.get("id").cloned().filter(|_| message["method"].is_string()) else {
        // A notification or an answer; a list of messages, which the protocol has given up; or anything else.
        return serde_json::from_value(message)
            .map_or(Received::Nothing, |it| Received::Message(Box::new(it)));
    };
    let refused = |message: String| Received::Refused(id.clone(), ErrorCode::INVALID_PARAMS, message);
    if !(id.is_string() || id.is_i64()) || message["jsonrpc"] != "2.0" {
        let id = if id.is_string() || id.is_i64() { id } else { Value::Null };
        let message =
            "a request has the version \"2.0\" and an id that is a text or a whole number".to_owned();
        return Received::Refused(id, ErrorCode::INVALID_REQUEST, message);
    }
    if message["params"].as_array().is_some_and(Vec::is_empty) {
        message.as_object_mut().map(|message| message.remove("params"));
    }
    let params = &message["params"];
    if !params.is_null() && !params.is_object() {
        return refused("`params` must be an object".to_owned());
    }
    let wrong = match message["method"].as_str() {
        Some("initialize") => fault::<InitializeRequestParams>(params),
        Some("tools/call") => fault::<CallToolRequestParams>(params),
        _ => None,
    };
    match (wrong, serde_json::from_value(message)) {
        (Some(fault), _) => refused(fault),
        (None, Ok(message)) => Received::Message(Box::new(message)),
        (None, Err(error)) => refused(error.to_string()),
    }
}

/// Returns what is wrong with parameters.
fn fault<P: DeserializeOwned>(params: &Value) -> Option<String> {
    serde_json::from_value::<P>(params.clone()).err().map(|error| format!("the parameters: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(line: &[u8]) -> Option<(Value, i32, String)> {
        let mut input = BufReader::new(line);
        match received(&next_line(&mut input).expect("a line")) {
            Received::Refused(id, code, message) => Some((id, code.0, message)),
            _ => None,
        }
    }

    #[test]
    fn a_request_that_cannot_be_read_is_answered_with_its_id() {
        let big =
            format!(r#"{{"method":"tools/call","params":"{}","jsonrpc":"2.0","id":7}}"#, "x".repeat(2 << 20));
        let request = |method: &str, params: &str| {
            format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{params}"#)
        };
        let greeting = request("initialize", r#"{"protocolVersion":"2025-06-18","capabilities":{}}}"#);
        let call = request("tools/call", r#"{"name":"recall","arguments":"x"}}"#);
        let old = r#"{"jsonrpc":"1.0","id":7,"method":"tools/list"}"#.to_owned();
        for (line, code, words) in [
            (big, -32600, "more than 1048576 bytes"),
            (request("tools/call", &"[".repeat(9_000)), -32700, "no JSON"),
            (request("tools/list", "{"), -32700, "no JSON"),
            (call, -32602, "invalid type: string"),
            (greeting, -32602, "clientInfo"),
            (request("tools/list", "[1]}"), -32602, "an object"),
            (old, -32600, "2.0"),
        ] {
            let (id, given, message) = refusal(line.as_bytes()).expect("it is refused");
            assert_eq!((id, given), (json!(7), code), "{message}");
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn what_is_clear_is_mended_and_what_is_no_request_is_ignored() {
        let call = |query: &[u8]| {
            let begin =
                br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"recall","arguments":"#;
            [&begin[..], br#"{"query":""#, query, br#""}}}"#].concat()
        };
        let list = br#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}"#.to_vec();
        for line in [list, call(br"rows \ud83d"), call(b"rows \xff")] {
            let line = Line::Whole(line);
            assert!(matches!(received(&line), Received::Message(_)));
        }
        for line in [&b"not json"[..], b"[]", b"{", b"null", br#"{"id":3,"result":{}}"#] {
            assert_eq!(refusal(line), None, "{}", String::from_utf8_lossy(line));
        }
    }

    #[test]
    fn the_lines_are_told_apart_whatever_their_length() {
        let text = format!("{}\n{{\"id\":1}}\n", "y".repeat(3 << 20));
        let mut input = BufReader::new(text.as_bytes());
        assert!(matches!(next_line(&mut input), Some(Line::TooLong(..))));
        assert!(matches!(next_line(&mut input), Some(Line::Whole(line)) if line == b"{\"id\":1}\n"));
        assert!(next_line(&mut input).is_none());
    }
}
