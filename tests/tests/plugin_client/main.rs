//! The plugin in the real client: its hooks (also beside those of `init`), its slash commands, its skill and
//! its installation.

mod commands;
mod hooks;
mod install;

use interleaf_tests::client::{Client, OLDER_MODEL, Session, connect_to_stub};
use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::Scratch;
use interleaf_tests::stub_api::{Script, StubApi, Turn};
use interleaf_tests::workspace;
use serde_json::{Value, json};
use std::path::Path;

/// A memory, a unique part of its text, and a prompt that it is relevant to.
const INVOICE: &str = "The invoice export times out while the archive bucket is cold: run `make \
                       warm-archive` before the export.";
const INVOICE_MARK: &str = "make warm-archive";
const INVOICE_PROMPT: &str =
    "the invoice export times out on the archive bucket again, how did we get round that?";

/// Unrelated memories, so that words have weights.
const OTHERS: [&str; 3] = [
    "Customs forms for Norway need the tariff number on the first page, or the parcel comes back.",
    "The search index is rebuilt every night at three; a reindex during the day makes queries time out.",
    "Discount codes are compared without case since the spring campaign.",
];

/// Returns the plugin's folder.
fn plugin() -> String {
    workspace::root().join("claude-plugin").display().to_string()
}

/// Creates a project with memories and without hooks, and a folder with `interleaf` for the `PATH`.
fn shop() -> Scratch {
    let scratch = Scratch::new();
    let bin = scratch.root.join("bin");
    std::fs::create_dir(&bin).expect("a fresh folder is writable");
    std::os::unix::fs::symlink(program(), bin.join("interleaf")).expect("a fresh folder is writable");
    for text in OTHERS.iter().chain([&INVOICE]) {
        scratch.interleaf(&["remember", "-c", "learning", text]).success();
    }
    scratch
}

/// Returns the machine's `PATH` without folders that hold an `interleaf`, which a developer may have
/// installed.
fn path_without_interleaf() -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    let folders = path.split(':').filter(|folder| !Path::new(folder).join("interleaf").exists());
    folders.collect::<Vec<_>>().join(":")
}

fn path_with_interleaf(scratch: &Scratch) -> String {
    format!("{}:{}", scratch.root.join("bin").display(), path_without_interleaf())
}

fn stub_that_says_fine() -> StubApi {
    StubApi::start(Script::new([Turn::says("fine")]))
}

fn bash(command: &str) -> Turn {
    Turn::uses("Bash", json!({ "command": command, "description": "a step" }))
}

/// Starts a session with the plugin and with `interleaf` on the `PATH`.
fn session<'a>(client: &Client, scratch: &'a Scratch, stub: &'a StubApi) -> Session<'a> {
    let run = client.run(scratch, stub).args(&["--plugin-dir", &plugin()]);
    run.env("PATH", path_with_interleaf(scratch)).session()
}

/// Runs `claude -p PROMPT` in a folder, with no permissions beyond those that a command grants.
fn ask_in(client: &Client, scratch: &Scratch, stub: &StubApi, folder: &Path, prompt: &str) -> ProcessOutput {
    let mut command = scratch.command(client.program());
    connect_to_stub(&mut command, scratch, stub);
    command.current_dir(folder).env("PATH", path_with_interleaf(scratch));
    command.args([
        "--plugin-dir",
        &plugin(),
        "--permission-mode",
        "default",
        "--model",
        OLDER_MODEL,
        "-p",
        prompt,
    ]);
    run(&mut command, b"", interleaf_tests::client::HANG_TIMEOUT)
}

/// Returns the names of the answered events in the log, without the worker's jobs.
fn answered(scratch: &Scratch) -> Vec<String> {
    let lines = scratch.interleaf(&["log", "--json"]).success();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("each line is JSON"));
    let hooks = lines.filter(|line| line["hook"].is_object());
    let names = hooks.map(|line| line["event"].as_str().expect("a name").to_owned());
    names.filter(|name| name != "job").collect()
}
