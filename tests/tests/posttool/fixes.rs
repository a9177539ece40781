//! A failure shows the fixes known for it, once in a conversation.

use interleaf::error::Error;
use interleaf::harness::{Harness, event};
use interleaf::log::Level;
use interleaf_tests::scratch::Scratch;
use interleaf_tests::transcript_builder::TranscriptBuilder;
use serde_json::json;

const FIX: &str =
    "When make deploy ends with 'registry handshake expired', run make login first: the token lasts an hour";
const ERROR: &str = "Exit code 2\npushing image 9fceb02d0ae5 to 10.0.0.7:5000\nerror: registry handshake \
                     expired after 30.2s\nmake: *** [Makefile:12: deploy] Error 1";

fn posttool() -> Result<Harness, Error> {
    let others = [
        "Customs forms for Norway need the tariff number on the first page",
        "The search index is rebuilt every night at three",
        "Photos above four megabytes are refused by the thumbnail service",
    ];
    let harness = Harness::embedded("posttool")?.remember("learning", FIX)?;
    others.iter().try_fold(harness, |harness, text| harness.remember("learning", text))
}

fn shown(harness: &Harness, event: &str) -> Result<String, Error> {
    let outcome = harness.send(event)?;
    let wrong = outcome.log.iter().find(|line| line.level > Level::Info);
    assert!(wrong.is_none(), "nothing went wrong: {wrong:?}");
    Ok(outcome.context().to_owned())
}

#[test]
fn a_failing_command_shows_the_fix_saved_earlier() -> Result<(), Error> {
    let context = shown(&posttool()?, &event::failure("make deploy", ERROR))?;

    assert!(context.contains("make login"), "{context}");
    assert!(context.contains("Memories about earlier failures like this one"), "{context}");
    assert!(!context.contains("Norway") && !context.contains("thumbnail"), "{context}");
    Ok(())
}

#[test]
fn a_repeated_failure_does_not_show_the_same_fix_again() -> Result<(), Error> {
    let harness = posttool()?;
    let (first, again) = (ERROR, ERROR.replace("30.2s", "31s").replace("9fceb02d0ae5", "1aceb02d0ae5"));

    assert!(shown(&harness, &event::failure("make deploy", first))?.contains("make login"));
    assert_eq!(shown(&harness, &event::failure("make deploy", &again))?, "");

    let elsewhere = event::in_subagent(&event::failure("make deploy", first), "a1");
    assert!(shown(&harness, &elsewhere)?.contains("make login"), "a subagent knows nothing of it");
    Ok(())
}

/// Returns the layer in a project that recorded an earlier session.
fn after_session(talk: &TranscriptBuilder) -> Result<(Scratch, Harness), Error> {
    let scratch = Scratch::new();
    let transcript = scratch.root.join("earlier.jsonl");
    std::fs::write(&transcript, talk.lines()).expect("ours");
    let harness = Harness::embedded("posttool")?.recorded_session(&scratch.root, "earlier", &transcript)?;
    Ok((scratch, harness))
}

#[test]
fn a_failure_that_an_earlier_session_saw_shows_what_passed_after_it() -> Result<(), Error> {
    let error = "Exit code 1\nImportError: cannot import name 'environmentfilter' from 'jinja2'";
    let talk = TranscriptBuilder::new()
        .user("build the docs")
        .failure("python3 -m sphinx . out", error)
        .command("pip install 'jinja2<3.1'", "Successfully installed")
        .command("python3 -m sphinx . out", "done");
    let (_scratch, harness) = after_session(&talk)?;
    let expected = "the same command passed after `pip install 'jinja2<3.1'`";

    let same = shown(&harness, &event::failure("cd docs && python3 -m sphinx -b html . x", error))?;
    assert!(same.contains(expected) && same.contains("this failure was seen on"), "{same}");
    let other = error.replace("environmentfilter", "Markup");
    assert_eq!(shown(&harness, &event::failure("python3 -m sphinx . out", &other))?, "");
    let own = event::in_session(&event::failure("python3 -m sphinx . out", error), "earlier");
    assert_eq!(shown(&harness, &own)?, "", "the session itself has seen it");
    Ok(())
}

#[test]
fn a_cd_that_failed_before_is_told_only_where_the_shell_is_in_that_folder() -> Result<(), Error> {
    let error = "Exit code 1\n(eval):cd:1: no such file or directory: app";
    let talk = TranscriptBuilder::new()
        .user("build it")
        .failure("cd app && make", error)
        .command("pwd", "/srv/shop/app")
        .command("make", "done");
    let (_scratch, harness) = after_session(&talk)?;
    let in_folder = |cwd: &str| {
        let mut failure: serde_json::Value =
            serde_json::from_str(&event::failure("cd app && make test", error)).expect("JSON");
        failure["cwd"] = json!(cwd);
        failure.to_string()
    };

    assert_eq!(shown(&harness, &in_folder("/srv/shop"))?, "", "the folder is missing");
    let there = shown(&harness, &in_folder("/srv/shop/app"))?;
    assert!(there.contains("the command behind it passed without `cd app`"), "{there}");
    Ok(())
}

#[test]
fn interrupted_and_empty_failures_are_silent() -> Result<(), Error> {
    let harness = posttool()?;
    let mut interrupted: serde_json::Value =
        serde_json::from_str(&event::failure("make deploy", ERROR)).expect("JSON");
    interrupted["is_interrupt"] = json!(true);

    assert_eq!(shown(&harness, &interrupted.to_string())?, "");
    assert_eq!(
        shown(&harness, &event::failure("make deploy", "Exit code 130\nregistry handshake expired"))?,
        ""
    );
    for error in ["", "error", "Exit code 1", "Exit code 1\n", "Exit code 1\nno"] {
        assert_eq!(shown(&harness, &event::failure("node registry-handshake.js", error))?, "", "{error:?}");
    }
    Ok(())
}

#[test]
fn exit_code_1_that_means_no_is_silent() -> Result<(), Error> {
    let harness = posttool()?;
    for command in ["grep 'registry handshake expired' log", "diff a b", "test -f x", "which registry"] {
        let error = "Exit code 1\n< registry handshake expired after make deploy";
        assert_eq!(shown(&harness, &event::failure(command, error))?, "", "{command}");
    }
    Ok(())
}

#[test]
fn an_unknown_failure_shows_nothing() -> Result<(), Error> {
    let error = "Exit code 101\nerror[E0382]: borrow of moved value: `ledger`\n --> src/main.rs:4:5";

    assert_eq!(shown(&posttool()?, &event::failure("cargo build", error))?, "");
    Ok(())
}

#[test]
fn at_most_three_are_shown_and_runbooks_come_first() -> Result<(), Error> {
    let harness = posttool()?
        .remember(
            "decision",
            "After a registry handshake expired we decided to deploy from one machine only",
        )?
        .remember(
            "constraint",
            "The registry lets a deploy handshake wait until it expired, ten at a time by contract",
        )?
        .remember(
            "learning",
            "An expired registry handshake at deploy once was a wrong clock on the builder",
        )?
        .remember(
            "runbook",
            "Registry handshake expired: 1. make login 2. wait for the cache 3. deploy again by hand",
        )?;

    let context = shown(&harness, &event::failure("make deploy", ERROR))?;

    let bullets: Vec<&str> = context.lines().filter(|line| line.starts_with("- [")).collect();
    assert_eq!(bullets.len(), 3, "{context}");
    assert!(bullets[0].starts_with("- [runbook"), "{context}");
    Ok(())
}

#[test]
fn a_failure_behind_a_pipe_or_inside_a_result_shows_its_fix() -> Result<(), Error> {
    let text = ERROR.trim_start_matches("Exit code 2\n");
    for response in [
        json!({
            "stdout": format!("{text}\nerror: could not compile `x`"), "stderr": "", "interrupted": false,
        }),
        json!({ "stdout": text, "stderr": "", "exitCode": 2 }),
        json!(format!("Error: {ERROR}")),
    ] {
        let fields = json!({
            "tool_name": "Bash", "tool_input": { "command": "make deploy 2>&1 | tail" }, "tool_use_id": "t",
            "tool_response": response,
        });
        assert!(
            shown(&posttool()?, &event::event("PostToolUse", fields))?.contains("make login"),
            "{response}"
        );
    }
    Ok(())
}

#[test]
fn a_failure_without_output_is_searched_by_its_command() -> Result<(), Error> {
    let harness = Harness::embedded("posttool")?.remember(
        "runbook",
        "terraform apply -chdir envs/stage fails without a word while its state is locked: run make unlock",
    )?;

    let context = shown(&harness, &event::failure("terraform apply -chdir envs/stage", "Exit code 1"))?;

    assert!(context.contains("make unlock"), "{context}");
    Ok(())
}

#[test]
fn without_state_and_queue_fixes_are_still_shown() -> Result<(), Error> {
    let harness = posttool()?.grants(r#"{"memory": "read"}"#)?;

    assert!(shown(&harness, &event::failure("make deploy", ERROR))?.contains("make login"));
    Ok(())
}

#[test]
fn text_that_a_tool_read_or_wrote_shows_nothing() -> Result<(), Error> {
    for tool in ["Read", "Write", "Edit", "Grep", "Glob"] {
        let fields = json!({
            "tool_name": tool, "tool_input": { "file_path": "/home/dev/shop/log" }, "tool_use_id": "t",
            "tool_response": { "content": ERROR, "stdout": ERROR },
        });
        let outcome = posttool()?.send(&event::event("PostToolUse", fields))?;

        assert_eq!((outcome.context(), outcome.log.len()), ("", 0), "{tool}");
    }
    Ok(())
}
