//! Snapshots of what people read at a terminal: the help of every verb, and what the verbs print that people
//! use first.
//!
//! A changed text fails its test and shows the difference. To accept it, run the tests once with
//! `INSTA_UPDATE=always cargo test -p interleaf-tests --test snapshots` and read the diff of
//! `tests/tests/snapshots/`.

use insta::{Settings, assert_snapshot};
use interleaf_tests::guests;
use interleaf_tests::mcp_session::McpSession;
use interleaf_tests::program::program;
use interleaf_tests::scratch::{SESSION, Scratch};
use serde_json::json;

const GRANTS: &str = "[layers.gate]\non_failure = \"deny\"\n[layers.gate.grants]\n\
                      decide = [\"ask\", \"deny\"]\nmemory = \"read\"\nfiles = [\"docs\"]\n";

/// Runs `check` with everything replaced that differs between two runs.
fn with_stable_text(scratch: &Scratch, check: impl FnOnce()) {
    let mut settings = Settings::clone_current();
    let folder = |path: &std::path::Path| regex_escape(&path.display().to_string());
    settings.add_filter(&folder(&scratch.project), "[project]");
    settings.add_filter(&folder(&scratch.interleaf_home), "[interleaf home]");
    settings.add_filter(&folder(&scratch.home), "[home]");
    settings.add_filter(&folder(program()), "[interleaf]");
    settings.add_filter(r"\(id [0-9a-f]{16}\)", "(id [project id])");
    settings.add_filter(r"projects/[0-9a-f]{16}", "projects/[project id]");
    settings.add_filter(r"sha256:[0-9a-f]{64}", "[digest]");
    settings.add_filter(r"sha256:[0-9a-f]{12}", "[short digest]");
    settings.add_filter(r"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?", "[date]");
    settings.add_filter(r"\d+(\.\d+)? ms", "[duration]");
    settings.add_filter(r"shown      [0-9a-z]{10} ", "shown      [memory id] ");
    settings.add_filter(r"\d+ (bytes|kB|MB)", "[size]");
    settings.bind(check);
}

fn regex_escape(path: &str) -> String {
    path.chars()
        .map(|c| if c.is_alphanumeric() || c == '/' { c.to_string() } else { format!("\\{c}") })
        .collect()
}

/// Returns the help of a verb and of all verbs below it, hidden ones left out.
fn help(command: &mut clap::Command, path: &str) -> String {
    let mut text = format!("$ {path} --help\n{}\n", command.clone().render_long_help());
    for verb in command.get_subcommands_mut().filter(|verb| !verb.is_hide_set() && verb.get_name() != "help")
    {
        let path = format!("{path} {}", verb.get_name());
        text += &help(verb, &path);
    }
    text
}

#[test]
fn the_help_of_every_verb() {
    let mut command = interleaf::command::cli();
    command.build();
    let overview = command.clone().render_long_help().to_string();
    assert_snapshot!("help", overview);
    for verb in command.get_subcommands_mut().filter(|verb| !verb.is_hide_set() && verb.get_name() != "help")
    {
        let name = verb.get_name().to_owned();
        assert_snapshot!(format!("help-{name}"), help(verb, &format!("interleaf {name}")));
    }
}

#[test]
fn the_tools_as_the_agent_is_told_of_them() {
    let scratch = Scratch::new();
    let mut session = McpSession::spawn(scratch.command(program()).arg("mcp"));
    let instructions = session.greet()["instructions"].clone();
    let tools = session.request("tools/list", json!({}))["result"]["tools"].clone();

    let tools = serde_json::to_string_pretty(&tools).expect("it was read as JSON");
    assert_snapshot!("mcp-tools", format!("{instructions}\n\n{tools}"));
}

#[test]
fn init_shows_what_it_would_change() {
    let scratch = Scratch::new();

    let changes = scratch.interleaf(&["init", "--dry-run"]).success();

    with_stable_text(&scratch, || assert_snapshot!("init-dry-run", changes));
}

#[test]
fn doctor_before_and_after_init() {
    let scratch = Scratch::new();
    let before = scratch.interleaf(&["doctor"]).out();
    scratch.interleaf(&["init"]).success();
    scratch.interleaf(&["compile"]).success();
    let after = scratch.interleaf(&["doctor"]).out();

    with_stable_text(&scratch, || {
        assert_snapshot!("doctor-before-init", before);
        assert_snapshot!("doctor-after-init", after);
    });
}

#[test]
fn layer_accept_shows_the_file_and_what_it_asks_for() {
    let scratch = Scratch::new();
    scratch.write("docs/rules.md", "");
    scratch.add_layer("gate", &guests::hostile(), GRANTS);

    let question = scratch.at_a_terminal("layer accept gate", "n\n").success();

    with_stable_text(&scratch, || assert_snapshot!("layer-accept", question));
}

#[test]
fn config_shows_values_with_their_source_and_ignored_entries() {
    let scratch = Scratch::new();
    scratch.write(".claude/interleaf.toml", "[memory]\ngrace_days = 3\n\n[limits]\ncontext_chars = 2000\n");

    let effective = scratch.interleaf(&["config"]).out();

    with_stable_text(&scratch, || assert_snapshot!("config", effective));
}

#[test]
fn the_log_shows_what_each_layer_did_with_an_event() {
    let scratch = Scratch::new();
    scratch.interleaf(&["compile"]).success();
    let rule = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
    scratch.interleaf(&["remember", "--category", "preference", rule]).success();
    let prompt = json!({ "session_id": SESSION, "prompt": "Which package manager do we use here?" });
    scratch.hook(scratch.event("UserPromptSubmit", prompt)).success();

    let log = scratch.interleaf(&["log"]).success();

    with_stable_text(&scratch, || assert_snapshot!("log", log));
}
