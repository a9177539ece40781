//! The plugin's hooks: alone, beside other registrations, and without `interleaf`.

use super::*;
use interleaf_tests::harmless::check_harmless;

#[test]
fn a_memory_reaches_the_model_through_the_plugin_alone() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());
    let mut session = session(&client, &scratch, &stub);

    let answer = session.say(INVOICE_PROMPT);

    assert_eq!(answer.first("main").count(INVOICE_MARK), 1);
    for event in ["SessionStart", "UserPromptSubmit"] {
        assert_eq!(
            session.hook_runs(event).iter().map(check_harmless).collect::<Vec<_>>(),
            [Ok(())],
            "{event}"
        );
    }
    session.end();
}

#[test]
fn with_init_and_the_plugin_each_event_is_answered_once() {
    let Some(client) = Client::find() else { return };
    let scratch = shop();
    scratch.interleaf(&["init"]).success();
    assert_answered_once(&client, &scratch, 2);
}

#[test]
fn with_shared_hooks_and_the_plugin_each_event_is_answered_once() {
    let Some(client) = Client::find() else { return };
    let scratch = shop();
    scratch.interleaf(&["init", "--shared"]).success();
    assert_answered_once(&client, &scratch, 2);
}

#[test]
fn with_local_and_shared_hooks_and_the_plugin_each_event_is_answered_once() {
    let Some(client) = Client::find() else { return };
    let scratch = shop();
    let local = ".claude/settings.local.json";
    scratch.interleaf(&["init"]).success();
    let settings = std::fs::read_to_string(scratch.project.join(local)).expect("init wrote it");
    scratch.interleaf(&["uninstall"]).success();
    scratch.interleaf(&["init", "--shared"]).success();
    // The state after a person ran `init` and their team shared its hooks later.
    scratch.write(local, &settings);
    assert_answered_once(&client, &scratch, 3);
}

#[test]
fn an_older_interleaf_accepts_the_plugins_command_line() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());
    let program = scratch.root.join("bin/interleaf");
    std::fs::remove_file(&program).expect("ours");
    // An `interleaf` that takes no arguments after `hook`, like versions before the plugin.
    std::fs::write(&program, "#!/bin/sh\n[ \"$*\" = hook ] || exit 2\n").expect("ours");
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("ours");

    let answer = session(&client, &scratch, &stub).say("hello");

    assert_eq!(answer.result["result"], "fine");
}

#[test]
fn without_interleaf_the_hooks_are_silent() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), StubApi::start(Script::new([bash("true"), Turn::says("fine")])));
    let run = client.run(&scratch, &stub).args(&["--plugin-dir", &plugin()]);
    let mut session = run.env("PATH", path_without_interleaf()).session();

    let answer = session.say(INVOICE_PROMPT);

    assert_eq!(answer.result["result"], "fine");
    for event in ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"] {
        let hooks = session.hook_runs(event);
        assert_eq!(hooks.len(), 1, "{event}");
        assert_eq!((hooks[0].code, hooks[0].out(), hooks[0].err()), (Some(0), String::new(), String::new()));
    }
    session.end();
}

#[test]
fn in_a_session_that_does_not_read_the_projects_settings_the_plugin_answers() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());
    scratch.interleaf(&["init"]).success();
    let run = client.run(&scratch, &stub).args(&["--plugin-dir", &plugin(), "--setting-sources", "user"]);

    run.env("PATH", path_with_interleaf(&scratch)).prompt(INVOICE_PROMPT).success();

    assert_eq!(stub.requests_of("main")[0].count(INVOICE_MARK), 1);
    assert_eq!(answered(&scratch).iter().filter(|event| *event == "UserPromptSubmit").count(), 1);
}

#[test]
fn in_a_folder_of_the_project_where_shared_hooks_are_not_read_the_plugin_answers() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());
    scratch.interleaf(&["init", "--shared"]).success();
    scratch.write("api/readme.txt", "x\n");

    ask_in(&client, &scratch, &stub, &scratch.project.join("api"), INVOICE_PROMPT).success();

    assert_eq!(stub.requests_of("main")[0].count(INVOICE_MARK), 1);
    assert_eq!(answered(&scratch).iter().filter(|event| *event == "UserPromptSubmit").count(), 1);
}

#[test]
fn in_a_linked_work_tree_the_local_hooks_of_the_main_one_answer_once() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());
    scratch.interleaf(&["init"]).success();
    let linked = scratch.root.join("linked");
    scratch.git(&["worktree", "add", "--quiet", linked.to_str().expect("UTF-8")]);

    ask_in(&client, &scratch, &stub, &linked, INVOICE_PROMPT).success();

    assert_eq!(stub.requests_of("main")[0].count(INVOICE_MARK), 1);
    assert_eq!(answered(&scratch).iter().filter(|event| *event == "UserPromptSubmit").count(), 1);
}

/// Runs a session in which each event starts `calls` processes, and checks that one of them answers.
fn assert_answered_once(client: &Client, scratch: &Scratch, calls: usize) {
    let stub = StubApi::start(Script::new([bash("make parcels"), Turn::says("fine")]));
    let mut session = session(client, scratch, &stub);

    let answer = session.say(INVOICE_PROMPT);

    assert_eq!(answer.first("main").count(INVOICE_MARK), 1);
    for event in ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUseFailure", "Stop"] {
        let hooks = session.hook_runs(event);
        assert_eq!(hooks.len(), calls, "{event}: not all are called");
        assert!(hooks.iter().filter(|hook| !hook.stdout.is_empty()).count() <= 1, "{event}");
        assert!(hooks.iter().all(|hook| check_harmless(hook) == Ok(())), "{event}: {hooks:?}");
    }
    session.end();
    let mut events = answered(scratch);
    events.sort();
    let expected =
        ["PostToolUseFailure", "PreToolUse", "SessionEnd", "SessionStart", "Stop", "UserPromptSubmit"];
    assert_eq!(events, expected);
}
