//! The real Claude Code, of one pinned version, without a terminal and without a network: its model is the
//! stub.
//!
//! What it knows of Claude Code is how to start it; what its hooks do is the tests' business.

mod install;
mod session;

pub use install::VERSION;
pub use session::{Answer, Session};

use crate::run::{Guard, Ran, run};
use crate::scratch::Scratch;
use crate::skip::{not_skipped, skipped};
use crate::stub_api::{Route, StubApi, Turn};
use serde_json::json;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long one run of the client may last before it counts as hanging. A run takes a second or two.
pub const HANG: Duration = Duration::from_secs(180);

/// The model of a run that does not ask for another: one that gets a hook's context as reminders in user
/// messages.
pub const OLDER_MODEL: &str = "claude-sonnet-4-5";

/// A model that gets a hook's context in messages of role `system`.
pub const CURRENT_MODEL: &str = "claude-opus-4-8";

/// The installed client.
pub struct Client {
    program: PathBuf,
}

impl Client {
    /// The client, installed where it is missing. Where it cannot be installed (no npm, no network) the
    /// answer is `None`, and the calling test, which must return then, has been declared skipped.
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

    /// The program, for who starts it by other means.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// A run in the project of `scratch`, with `stub` as the model and as the only way out.
    pub fn run<'a>(&self, scratch: &'a Scratch, stub: &'a StubApi) -> Run<'a> {
        let mut command = scratch.command(&self.program);
        surround(&mut command, scratch, stub);
        command
            .args(["-p", "--dangerously-skip-permissions", "--debug-file"])
            .arg(log_file(scratch, "debug"));
        Run { command, scratch, stub, model: OLDER_MODEL }
    }
}

/// Has a command, or a client that it starts, see `stub` as the model and as the only way out.
pub fn surround(command: &mut Command, scratch: &Scratch, stub: &StubApi) {
    command
        .envs([("ANTHROPIC_BASE_URL", stub.url()), ("HTTPS_PROXY", stub.url()), ("HTTP_PROXY", stub.url())])
        .envs(QUIET)
        .env("CLAUDE_CODE_TMPDIR", &scratch.root);
}

/// No real key, no word to anybody but the stub. `IS_SANDBOX` lets root skip the permission prompts.
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

/// One run of the client before it starts.
pub struct Run<'a> {
    command: Command,
    scratch: &'a Scratch,
    stub: &'a StubApi,
    model: &'a str,
}

impl<'a> Run<'a> {
    /// Asks for another model than [`OLDER_MODEL`].
    pub fn model(mut self, model: &'a str) -> Self {
        self.model = model;
        self
    }

    /// Adds arguments: `--resume ID`.
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
    pub fn prompt(mut self, prompt: &str) -> Ran {
        self.command.args(["--model", self.model, prompt]);
        run(&mut self.command, b"", HANG)
    }

    /// Starts a session that takes one prompt after the other.
    pub fn session(mut self) -> Session<'a> {
        self.command.args(["--model", self.model, "--input-format", "stream-json"]);
        self.command.args(["--output-format", "stream-json", "--verbose", "--include-hook-events"]);
        Session::start(self.command, self.scratch, self.stub)
    }
}

/// The route of the request that asks the model to sum the conversation up. Its last turn is repeated, so one
/// serves every compaction of a session.
pub fn compaction(summary: &str) -> Route {
    Route::asks(
        "compaction",
        "create a detailed summary",
        [Turn::says(&format!("<summary>{summary}</summary>"))],
    )
}

/// A turn that starts a subagent with `prompt` and waits for it. Its conversation begins with the prompt,
/// which [`Route::begins`] tells it by.
pub fn subagent(prompt: &str) -> Turn {
    let input = json!({
        "description": "a part of the work", "prompt": prompt,
        "subagent_type": "general-purpose", "run_in_background": false,
    });
    Turn::uses("Agent", input)
}
