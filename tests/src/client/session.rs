//! A session of several prompts: each is sent as a line of JSON, and the client's `result` line ends its
//! turn.

use crate::client::{Guard, HANG_TIMEOUT, log_file};
use crate::run::ProcessOutput;
use crate::scratch::Scratch;
use crate::stub_api::{Request, StubApi};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A client that waits for the next prompt.
pub struct Session<'a> {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    scratch: &'a Scratch,
    stub: &'a StubApi,
    messages: Vec<Value>,
    _guard: Guard,
}

/// The result of one prompt.
#[derive(Debug)]
pub struct Answer {
    /// The client's result line.
    pub result: Value,
    /// The requests to the model that the prompt caused, those without tools included.
    pub requests: Vec<Request>,
}

impl Answer {
    /// Returns the first request that `route` answered: the one that carries the prompt.
    ///
    /// # Panics
    /// If there is none, with the client's result.
    #[track_caller]
    pub fn first(&self, route: &str) -> &Request {
        let request = self.requests.iter().find(|request| request.route == route);
        request.unwrap_or_else(|| panic!("no request of route {route}; the client returned {}", self.result))
    }
}

impl<'a> Session<'a> {
    pub(super) fn start(mut command: Command, scratch: &'a Scratch, stub: &'a StubApi) -> Session<'a> {
        let stderr = File::create(log_file(scratch, "stderr")).expect("the scratch folder is writable");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr).process_group(0);
        let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        let guard = Guard::kill_after(child.id(), HANG_TIMEOUT);
        let stdin = child.stdin.take().expect("stdin was piped");
        let stdout = BufReader::new(child.stdout.take().expect("stdout was piped"));
        Session { child, stdin, stdout, scratch, stub, messages: Vec::new(), _guard: guard }
    }

    /// Sends a prompt or a slash command, and waits until the client has finished its turn.
    ///
    /// # Panics
    /// If the client exits instead, with its output.
    #[track_caller]
    pub fn say(&mut self, prompt: &str) -> Answer {
        let before = self.stub.requests().len();
        let line = json!({"type": "user", "message": {"role": "user", "content": prompt}});
        if writeln!(self.stdin, "{line}").is_err() {
            self.gone();
        }
        let result = self.until_result();
        Answer { result, requests: self.stub.requests().split_off(before) }
    }

    /// Returns the hooks that the client ran for `event` so far, each with its output and exit code. The
    /// client does not report durations, nor the hooks of PreCompact, PostCompact and SessionEnd.
    pub fn hook_runs(&self, event: &str) -> Vec<ProcessOutput> {
        let responses = self.messages.iter().filter(|message| message["subtype"] == "hook_response");
        responses.filter(|response| response["hook_event"] == event).map(hook_run).collect()
    }

    /// Returns the session's id, which is known after the first prompt.
    pub fn id(&self) -> String {
        let id = self.messages.iter().find_map(|message| message["session_id"].as_str());
        id.expect("the client names the session in its first lines").to_owned()
    }

    /// Ends the session by closing its input, and waits for the client to exit.
    ///
    /// # Panics
    /// If it does not exit with 0.
    #[track_caller]
    pub fn end(mut self) {
        drop(self.stdin);
        let _ = std::io::copy(&mut self.stdout, &mut std::io::sink());
        let status = self.child.wait().expect("the client was started");
        assert!(status.success(), "the client ended with {status}");
    }

    #[track_caller]
    fn until_result(&mut self) -> Value {
        loop {
            let mut line = String::new();
            if self.stdout.read_line(&mut line).unwrap_or(0) == 0 {
                self.gone();
            }
            let message = parse(&line);
            self.messages.push(message.clone());
            if message["type"] == "result" {
                return message;
            }
        }
    }

    #[track_caller]
    fn gone(&self) -> ! {
        let log = |name| std::fs::read_to_string(log_file(self.scratch, name)).unwrap_or_default();
        let debug = log("debug");
        let last: Vec<&str> = debug.lines().rev().take(40).collect();
        panic!("the client is gone\n{}\nits last words, newest first:\n{}", log("stderr"), last.join("\n"));
    }
}

fn hook_run(response: &Value) -> ProcessOutput {
    let bytes = |name: &str| response[name].as_str().unwrap_or_default().as_bytes().to_vec();
    let code = response["exit_code"].as_i64().and_then(|code| i32::try_from(code).ok());
    ProcessOutput { code, stdout: bytes("stdout"), stderr: bytes("stderr"), took: Duration::ZERO }
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|_| panic!("the client wrote a line that is not JSON: {line}"))
}
