//! The real Claude Code in one pinned version, without a terminal and without a network. The stub is its
//! model.
//!
//! This module only knows how to start Claude Code; the tests check what its hooks do.

mod install;
mod session;

pub use install::VERSION;
pub use session::{Answer, Session};

use crate::run::{Guard, ProcessOutput, run};
use crate::scratch::Scratch;
use crate::skip::{not_skipped, skipped};
use crate::stub_api::{Route, StubApi, Turn};
use serde_json::json;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Time after which a run of the client counts as hanging. A run takes a second or two.
pub const HANG_TIMEOUT: Duration = Duration::from_secs(180);

/// The default model of a run. It gets a hook's context as reminders in user messages.
pub const OLDER_MODEL: &str = "claude-sonnet-4-5";

/// A model that gets a hook's context in messages of role `system`.
pub const CURRENT_MODEL: &str = "claude-opus-4-8";

/// The installed client.
pub struct Client {
    program: PathBuf,
}

impl Client {
    /// Returns the client, and installs it if it is missing. If it cannot be installed (no npm, no network),
    /// marks the calling test as skipped and returns `None`; the test must then return.
    #[track_caller]
    pub fn find() -> Option<Client> {
        match install::installed() {
            Ok(program) => {
                not_skipped();
                Some(Client { program })
            }
            Err(reason) => {
                skipped(&reason);
                None
            }
        }
    }

    /// Returns the program's path, for tests that start it themselves.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Prepares a run in the project of `scratch`, with `stub` as the model and as the only reachable server.
    pub fn run<'a>(&self, scratch: &'a Scratch, stub: &'a StubApi) -> Run<'a> {
        let mut command = scratch.command(&self.program);
        connect_to_stub(&mut command, scratch, stub);
        command
            .args(["-p", "--dangerously-skip-permissions", "--debug-file"])
            .arg(log_file(scratch, "debug"));
        Run { command, scratch, stub, model: OLDER_MODEL }
    }
}

/// Sets the environment of a command so that a client in it reaches `stub` as its model, and no other server.
pub fn connect_to_stub(command: &mut Command, scratch: &Scratch, stub: &StubApi) {
    command
        .envs([("ANTHROPIC_BASE_URL", stub.url()), ("HTTPS_PROXY", stub.url()), ("HTTP_PROXY", stub.url())])
        .envs(QUIET)
        .env("CLAUDE_CODE_TMPDIR", &scratch.root);
}

/// A dummy key, and no traffic to other servers. `IS_SANDBOX` lets root skip the permission prompts.
const QUIET: [(&str, &str); 8] = [
    ("ANTHROPIC_API_KEY", "sk-ant-test-dummy"),
    ("NO_PROXY", "127.0.0.1,localhost"),
    ("IS_SANDBOX", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_BUG_COMMAND", "1"),
];

fn log_file(scratch: &Scratch, name: &str) -> PathBuf {
    scratch.root.join(format!("claude-{name}.txt"))
}

/// A run of the client that is not started yet.
pub struct Run<'a> {
    command: Command,
    scratch: &'a Scratch,
    stub: &'a StubApi,
    model: &'a str,
}

impl<'a> Run<'a> {
    /// Chooses another model than [`OLDER_MODEL`].
    pub fn model(mut self, model: &'a str) -> Self {
        self.model = model;
        self
    }

    /// Adds arguments, such as `--resume ID`.
    pub fn args(mut self, arguments: &[&str]) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets a variable of the client's environment, which its hooks inherit.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Gives one prompt and waits for the end: `claude -p PROMPT`.
    pub fn prompt(mut self, prompt: &str) -> ProcessOutput {
        self.command.args(["--model", self.model, prompt]);
        run(&mut self.command, b"", HANG_TIMEOUT)
    }

    /// Starts a session that takes one prompt after the other.
    pub fn session(mut self) -> Session<'a> {
        self.command.args(["--model", self.model, "--input-format", "stream-json"]);
        self.command.args(["--output-format", "stream-json", "--verbose", "--include-hook-events"]);
        Session::start(self.command, self.scratch, self.stub)
    }
}

/// Returns the route for the request that asks the model to summarize the conversation. Its last turn is
/// repeated, so one route serves every compaction of a session.
pub fn compaction(summary: &str) -> Route {
    Route::asks(
        "compaction",
        "create a detailed summary",
        [Turn::says(&format!("<summary>{summary}</summary>"))],
    )
}

/// Returns a turn that starts a subagent with `prompt` and waits for it. Its conversation begins with the
/// prompt, by which [`Route::begins`] recognizes it.
pub fn subagent(prompt: &str) -> Turn {
    let input = json!({
        "description": "a part of the work", "prompt": prompt,
        "subagent_type": "general-purpose", "run_in_background": false,
    });
    Turn::uses("Agent", input)
}
