//! The language model that a person chose, against servers that do what they should not: `interleaf llm
//! check` as a process, and a layer that asks.

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
use interleaf_tests::run::{Ran, run};
use interleaf_tests::scratch::{HANG, Scratch};
use interleaf_tests::stub_llm::StubLlm;
use serde_json::Value;

/// A world whose person chose OpenAI's chat completions at the stub, and what else they wrote under `[llm]`.
fn chose_openai(stub: &StubLlm, more: &str) -> Scratch {
    chose(&format!(
        "client = \"openai\"\nbase_url = \"{}/v1\"\nsmall = \"tiny\"\nstrong = \"large\"\n{more}",
        stub.url()
    ))
}

/// The same with the Messages API and its key.
fn chose_anthropic(stub: &StubLlm, more: &str) -> Scratch {
    chose(&format!("client = \"anthropic\"\nbase_url = \"{}\"\nkey_env = \"MODEL_KEY\"\n{more}", stub.url()))
}

fn chose(table: &str) -> Scratch {
    let scratch = Scratch::new();
    let file = scratch.interleaf_home.join("config/config.toml");
    let before = std::fs::read_to_string(&file).expect("the kit wrote it");
    std::fs::write(&file, format!("{before}\n[llm]\n{table}")).expect("the scratch world is writable");
    scratch
}

/// A key, put together so that no scanner takes it for a real one.
fn key() -> String {
    ["sk", "ant", "api03", &"Zx9Qw7Er5T".repeat(4)].join("-")
}

fn check(scratch: &Scratch, arguments: &[&str]) -> Ran {
    let mut command = scratch.command(program());
    command.args(["llm", "check", "--json"]).args(arguments).env("MODEL_KEY", key());
    run(&mut command, b"", HANG)
}

/// The lines of a check, one for each model.
fn lines(ran: &Ran) -> Vec<Value> {
    ran.out().lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// What the small model came to: the answer or the error.
fn first(ran: &Ran) -> String {
    let line = &lines(ran)[0];
    line["answer"].as_str().or(line["error"].as_str()).unwrap_or_else(|| panic!("{line}")).to_owned()
}

/// `interleaf llm --json`.
fn report(scratch: &Scratch) -> Value {
    serde_json::from_str(&scratch.interleaf(&["llm", "--json"]).success()).expect("JSON")
}

/// Tokens spent today.
fn spent(scratch: &Scratch) -> u64 {
    report(scratch)["today"]["tokens"].as_u64().expect("a count")
}
