//! The configured language model against misbehaving servers: `interleaf llm check` as a process, and a layer
//! that asks the model.

#[path = "llm/api_keys.rs"]
mod api_keys;
#[path = "llm/claude_client.rs"]
mod claude_client;
#[path = "llm/layers.rs"]
mod layers;
#[path = "llm/model_selection.rs"]
mod model_selection;
#[path = "llm/requests_and_answers.rs"]
mod requests_and_answers;
#[path = "llm/schemas.rs"]
mod schemas;
#[path = "llm/server_failures.rs"]
mod server_failures;
#[path = "llm/spend_cap.rs"]
mod spend_cap;

use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use interleaf_tests::stub_llm::StubLlm;
use serde_json::Value;

/// Creates a project that uses Chat Completions at the stub, with more settings under `[llm]`.
fn configured_openai(stub: &StubLlm, more: &str) -> Scratch {
    configured(&format!(
        "client = \"openai\"\nbase_url = \"{}/v1\"\nsmall = \"tiny\"\nstrong = \"large\"\n{more}",
        stub.url()
    ))
}

/// Creates a project that uses the Messages API at the stub, with its key.
fn configured_anthropic(stub: &StubLlm, more: &str) -> Scratch {
    configured(&format!(
        "client = \"anthropic\"\nbase_url = \"{}\"\nkey_env = \"MODEL_KEY\"\n{more}",
        stub.url()
    ))
}

fn configured(table: &str) -> Scratch {
    let scratch = Scratch::new();
    let file = scratch.interleaf_home.join("config/config.toml");
    let before = std::fs::read_to_string(&file).expect("the kit wrote it");
    std::fs::write(&file, format!("{before}\n[llm]\n{table}")).expect("the scratch folder is writable");
    scratch
}

/// Returns a key, assembled so that no scanner takes it for a real one.
fn key() -> String {
    ["sk", "ant", "api03", &"Zx9Qw7Er5T".repeat(4)].join("-")
}

fn check(scratch: &Scratch, arguments: &[&str]) -> ProcessOutput {
    let mut command = scratch.command(program());
    command.args(["llm", "check", "--json"]).args(arguments).env("MODEL_KEY", key());
    run(&mut command, b"", HANG_TIMEOUT)
}

/// Returns the lines of a check, one for each model.
fn lines(ran: &ProcessOutput) -> Vec<Value> {
    ran.out().lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// Returns the result of the small model: the answer or the error.
fn first_result(ran: &ProcessOutput) -> String {
    let line = &lines(ran)[0];
    line["answer"].as_str().or(line["error"].as_str()).unwrap_or_else(|| panic!("{line}")).to_owned()
}

/// Returns the output of `interleaf llm --json`.
fn report(scratch: &Scratch) -> Value {
    serde_json::from_str(&scratch.interleaf(&["llm", "--json"]).success()).expect("JSON")
}

/// Returns the tokens spent today.
fn spent_tokens(scratch: &Scratch) -> u64 {
    report(scratch)["today"]["tokens"].as_u64().expect("a count")
}
