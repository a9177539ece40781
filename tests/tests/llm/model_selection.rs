//! The choice of a model: a person is asked once, and the answer is added to the existing configuration.

use super::*;

fn config(scratch: &Scratch) -> String {
    std::fs::read_to_string(scratch.interleaf_home.join("config/config.toml")).expect("the kit wrote it")
}

#[test]
fn a_choice_adds_a_table_and_leaves_the_rest_unchanged() {
    let scratch = Scratch::new();
    let before = config(&scratch);

    scratch
        .interleaf(&[
            "llm",
            "choose",
            "openai",
            "--base-url",
            "http://localhost:1/v1",
            "--small",
            "a",
            "--strong",
            "b:7",
        ])
        .success();

    let table =
        "[llm]\nclient = \"openai\"\nbase_url = \"http://localhost:1/v1\"\nsmall = \"a\"\nstrong = \"b:7\"\n";
    assert_eq!(config(&scratch), format!("{before}\n{table}"));
    assert_eq!(report(&scratch)["strong"], "b:7");
    let again = scratch.interleaf(&["llm", "choose", "none"]);
    assert!(again.code == Some(2) && again.err().contains("has chosen a model already"), "{}", again.err());
}

#[test]
fn an_invalid_choice_is_not_written() {
    let scratch = Scratch::new();
    let before = config(&scratch);

    let ran = scratch.interleaf(&[
        "llm",
        "choose",
        "openai",
        "--base-url",
        "localhost",
        "--small",
        "a",
        "--strong",
        "b",
    ]);

    assert!(ran.code == Some(2) && ran.err().contains("`llm.base_url` must be a URL"), "{}", ran.err());
    assert_eq!(config(&scratch), before);
}

#[test]
fn a_client_without_default_models_needs_both_names() {
    let scratch = configured("client = \"openai\"\nsmall = \"a\"\n");

    let doctor = scratch.interleaf(&["doctor"]).out();

    assert!(
        doctor.contains("`llm.strong` is not set, and the client openai has no default model"),
        "{doctor}"
    );
}

#[test]
fn inside_a_session_of_claude_code_nothing_is_chosen() {
    let scratch = Scratch::new();
    let before = config(&scratch);

    let ran = run(
        scratch.command(program()).args(["llm", "choose", "claude"]).env("CLAUDECODE", "1"),
        b"",
        HANG_TIMEOUT,
    );

    assert!(ran.code == Some(1) && ran.err().contains("needs a person"), "{}", ran.err());
    assert_eq!(config(&scratch), before);
}

#[test]
fn without_a_terminal_init_chooses_nothing_and_says_so() {
    let scratch = Scratch::new();
    let before = config(&scratch);

    let output = scratch.interleaf(&["init"]).success();

    assert!(output.contains("No language model: only what you state as a rule"), "{output}");
    assert_eq!((config(&scratch), report(&scratch)["client"].as_str()), (before, Some("none")));
}

#[test]
fn at_a_terminal_init_asks_once_and_choosing_none_can_be_changed() {
    let scratch = Scratch::new();

    let first = scratch.at_a_terminal("init", "none\n\nn\n").success();
    let second = scratch.at_a_terminal("init", "").success();

    assert!(first.contains("goes to that model") && first.contains("Which model?"), "{first}");
    assert!(config(&scratch).ends_with("\n[llm]\nclient = \"none\"\n"), "{}", config(&scratch));
    assert!(first.contains("Record your sessions in this project? [y/N]"), "{first}");
    assert!(!second.contains("Which model?") && !second.contains("Record your sessions"), "{second}");

    scratch.interleaf(&["llm", "choose", "claude"]).success();
    assert!(config(&scratch).ends_with("\n[llm]\nclient = \"claude\"\n"), "{}", config(&scratch));
}

#[test]
#[cfg(unix)]
fn if_the_claude_program_is_there_enter_chooses_it() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let folder = scratch.root.join("bin");
    std::fs::create_dir(&folder).expect("writable");
    std::fs::write(folder.join("claude"), "#!/bin/sh\n").expect("writable");
    std::fs::set_permissions(folder.join("claude"), std::fs::Permissions::from_mode(0o755)).expect("ours");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).expect("a path");

    let line = format!("'{}' llm choose", program().display());
    let mut script = scratch.command("script");
    let asked = script.args(["-qec", &line, "/dev/null"]).env("NO_COLOR", "1").env("PATH", path);
    let ran = run(asked, b"\n", HANG_TIMEOUT).success();

    assert!(ran.contains("Which model? [claude]") && ran.contains("(recommended)"), "{ran}");
    assert!(config(&scratch).ends_with("\n[llm]\nclient = \"claude\"\n"), "{}", config(&scratch));
}

#[test]
fn at_a_terminal_choose_asks_for_the_server_and_its_models() {
    let scratch = Scratch::new();

    scratch.at_a_terminal("llm choose", "gpt\nopenai\n\nqwen3:4b\n\n").success();

    let report = report(&scratch);
    assert_eq!(
        (report["base_url"].as_str(), report["strong"].as_str()),
        (Some("http://localhost:11434/v1"), Some("qwen3:4b"))
    );
}
