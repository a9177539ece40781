//! A session with `interleaf mcp`: requests of the Model Context Protocol and their answers, one JSON object
//! per line, over the pipes of a process.
//!
//! It is written by hand and not with a library, so that it sees every byte that the program writes.

use crate::program::program;
use crate::run::Guard;
use crate::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The version of the protocol that the pinned client speaks.
const PROTOCOL_VERSION: &str = "2025-06-18";

/// A running server, and the client's ends of its pipes.
pub struct McpSession {
    process: Child,
    input: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    last_id: u64,
    _guard: Guard,
}

/// What a tool answered.
#[derive(Debug, Clone)]
pub struct ToolAnswer {
    /// The texts of its content.
    pub text: String,
    /// Whether it says that the call failed.
    pub is_error: bool,
}

/// A server that has ended.
#[derive(Debug)]
pub struct Ended {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// What was still unread on its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
    /// Whether a process of its group is left.
    pub has_left_processes: bool,
}

impl McpSession {
    /// Starts a server in the project and greets it, as a client does.
    pub fn start(scratch: &Scratch) -> McpSession {
        let mut session = McpSession::spawn(scratch.command(program()).arg("mcp"));
        session.greet();
        session
    }

    /// Starts a server without greeting it.
    pub fn spawn(command: &mut Command) -> McpSession {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut process = command.spawn().expect("the program was built");
        let input = process.stdin.take().expect("piped");
        let answers = BufReader::new(process.stdout.take().expect("piped")).lines();
        let _guard = Guard::kill_after(process.id(), HANG_TIMEOUT);
        McpSession { process, input, answers, last_id: 0, _guard }
    }

    /// Opens the session, and returns what the server says of itself.
    pub fn greet(&mut self) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let greeting = json!({"protocolVersion": PROTOCOL_VERSION, "capabilities": {}, "clientInfo": client});
        let answer = self.request("initialize", greeting);
        self.write(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        answer["result"].clone()
    }

    /// Writes a line, whatever it holds.
    pub fn write(&mut self, line: &[u8]) {
        self.input.write_all(line).and_then(|()| self.input.write_all(b"\n")).expect("the server reads");
    }

    /// Sends a request and returns the whole answer.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params});
        self.write(request.to_string().as_bytes());
        loop {
            let answer = self.read().expect("the server answers and does not end");
            if answer["id"] == self.last_id {
                return answer;
            }
        }
    }

    /// Reads the next message; `None` at the end.
    ///
    /// # Panics
    /// If the line is not a message of the protocol: nothing else belongs on standard output.
    pub fn read(&mut self) -> Option<Value> {
        let line = self.answers.next()?.expect("UTF-8");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not a message: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        Some(message)
    }

    /// Calls a tool.
    pub fn call(&mut self, tool: &str, arguments: Value) -> ToolAnswer {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let texts = result["content"].as_array().unwrap_or_else(|| panic!("no content: {answer}"));
        let texts: Vec<&str> = texts.iter().filter_map(|block| block["text"].as_str()).collect();
        ToolAnswer { text: texts.join("\n"), is_error: result["isError"] == true }
    }

    /// Calls a tool that must not fail, and returns its text.
    #[track_caller]
    pub fn ask(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments);
        assert!(!answer.is_error, "{}", answer.text);
        answer.text
    }

    /// Calls a tool that must fail, and returns the text of the error.
    #[track_caller]
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments);
        assert!(answer.is_error, "{}", answer.text);
        answer.text
    }

    /// Sends a signal to the process.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.process.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
    }

    /// Closes the server's standard input and waits for its end.
    pub fn close(self) -> Ended {
        let McpSession { mut process, input, answers, .. } = self;
        drop(input);
        let out = answers.map(|line| line.expect("UTF-8") + "\n").collect();
        let mut err = String::new();
        process.stderr.take().expect("piped").read_to_string(&mut err).expect("UTF-8");
        let code = process.wait().expect("it is our child").code();
        let group = format!("-{}", process.id());
        let others = Command::new("kill").args(["-0", "--", &group]).stderr(Stdio::null()).status();
        Ended { code, out, err, has_left_processes: others.is_ok_and(|status| status.success()) }
    }

    /// Waits for the end of a server that a signal ends, with its standard input still open.
    pub fn wait(mut self) -> Option<i32> {
        while self.read().is_some() {}
        self.process.wait().expect("it is our child").code()
    }
}
