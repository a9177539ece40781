//! Tests of the kit without `interleaf`: hooks that are a line of shell, the real client, the stub. They
//! record the behavior of the client that the layers rely on. If one fails, a new version of the client
//! behaves differently.

use interleaf_tests::client::{CURRENT_MODEL, Client, OLDER_MODEL, compaction, subagent};
use interleaf_tests::scratch::Scratch;
use interleaf_tests::shell_hooks::{Hooks, recorded};
use interleaf_tests::stub_api::{Route, Script, StubApi, Turn};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;

#[test]
fn a_hook_s_context_reaches_the_model() {
    let Some(client) = Client::find() else { return };
    for (model, role) in [(OLDER_MODEL, "user["), (CURRENT_MODEL, "system[")] {
        let scratch = Scratch::new();
        let stub = StubApi::start(Script::new([Turn::says("fine")]));
        Hooks::new().context("SessionStart", "a lark").context("UserPromptSubmit", "a wren").write(&scratch);

        let output = client.run(&scratch, &stub).model(model).prompt("what flew by?").success();

        assert_eq!(output.lines().next(), Some("fine"));
        let request = &stub.requests_of("main")[0];
        for bird in ["a lark", "a wren"] {
            let [passage] = &request.passages_with(bird)[..] else { panic!("{bird} not once for {model}") };
            assert!(passage.place.starts_with(role), "{model}: {passage}");
        }
        assert_eq!(stub.refused(), [""; 0], "{model}: the client wanted out");
    }
}

#[test]
fn context_of_earlier_prompts_stays_in_the_conversation() {
    let Some(client) = Client::find() else { return };
    let scratch = Scratch::new();
    let stub = StubApi::start(Script::new([Turn::says("fine")]));
    Hooks::new().context("UserPromptSubmit", "a wren").write(&scratch);
    let mut session = client.run(&scratch, &stub).session();

    session.say("what flew by?");
    let again = session.say("and now?");

    assert_eq!(again.first("main").count("a wren"), 2);
    assert_eq!(session.hook_runs("UserPromptSubmit").len(), 2);
    session.end();
}

#[test]
fn compaction_drops_context_and_restarts_the_session() {
    let Some(client) = Client::find() else { return };
    let scratch = Scratch::new();
    let stub = StubApi::start(Script::new([Turn::says("fine")]).route(compaction("birds")));
    Hooks::new()
        .context("SessionStart", "a lark")
        .context("UserPromptSubmit", "a wren")
        .record(&scratch, &["SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact"])
        .write(&scratch);
    let mut session = client.run(&scratch, &stub).session();

    session.say("what flew by?");
    session.say("/compact");
    let after = session.say("and now?");

    let request = after.first("main");
    assert_eq!((request.count("a lark"), request.count("a wren")), (1, 1));
    let events = recorded(&scratch).into_iter().map(|event| {
        let source = event["source"].as_str().unwrap_or_default();
        format!("{} {source}", event["hook_event_name"].as_str().unwrap_or_default()).trim().to_owned()
    });
    assert_eq!(
        events.collect::<Vec<_>>(),
        [
            "SessionStart startup",
            "UserPromptSubmit",
            "PreCompact",
            "SessionStart compact",
            "PostCompact",
            "UserPromptSubmit"
        ]
    );
    session.end();
}

#[test]
fn a_subagent_sees_its_own_context_and_nothing_of_its_parent_s() {
    let Some(client) = Client::find() else { return };
    let scratch = Scratch::new();
    let stub =
        StubApi::start(Script::new([subagent("COUNT THE BIRDS"), Turn::says("fine")]).route(Route::begins(
            "birds",
            "COUNT THE BIRDS",
            [Turn::uses("Bash", json!({"command": "ls"})), Turn::says("3")],
        )));
    let kite = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"a kite"}}"#;
    Hooks::new()
        .context("UserPromptSubmit", "a wren")
        .context("SubagentStart", "an owl")
        .shell("PreToolUse", format!("grep -q agent_id && echo '{kite}' || true"))
        .record(&scratch, &["SubagentStart", "UserPromptSubmit"])
        .write(&scratch);

    client.run(&scratch, &stub).prompt("go").success();

    let [first, second] = &stub.requests_of("birds")[..] else { panic!("the subagent has two turns") };
    assert_eq!(["a wren", "an owl", "a kite"].map(|bird| first.count(bird)), [0, 1, 0]);
    assert_eq!(["a wren", "an owl", "a kite"].map(|bird| second.count(bird)), [0, 1, 1]);
    let main = stub.requests_of("main").pop().expect("the parent goes on");
    assert_eq!(["a wren", "an owl", "a kite"].map(|bird| main.count(bird)), [1, 0, 0]);
    let prompts =
        recorded(&scratch).iter().filter(|event| event["hook_event_name"] == "UserPromptSubmit").count();
    assert_eq!(prompts, 1, "the prompt of a subagent is not a UserPromptSubmit");
}

#[test]
fn a_resumed_session_keeps_its_context_and_does_not_repeat_an_unchanged_start() {
    let Some(client) = Client::find() else { return };
    for (changes, larks) in [(false, 1), (true, 2)] {
        let scratch = Scratch::new();
        let stub = StubApi::start(Script::new([Turn::says("fine")]));
        let count = if changes { "$(date +%s%N)" } else { "7" };
        let context =
            format!(r#"{{\"hookEventName\":\"SessionStart\",\"additionalContext\":\"larks: {count}\"}}"#);
        let start = format!(r#"echo "{{\"hookSpecificOutput\":{context}}}""#);
        Hooks::new().shell("SessionStart", start).context("UserPromptSubmit", "a wren").write(&scratch);
        let mut session = client.run(&scratch, &stub).session();
        session.say("what flew by?");
        let id = session.id();
        session.end();

        client.run(&scratch, &stub).args(&["--resume", &id]).prompt("and now?").success();

        let request = stub.requests_of("main").pop().expect("the resumed session asks");
        assert_eq!((request.count("larks: "), request.count("a wren")), (larks, 2));
    }
}

#[test]
fn the_stub_refuses_other_hosts_and_unknown_paths() {
    let stub = StubApi::start(Script::new([Turn::says("fine")]));
    let calls =
        ["CONNECT example.org:443", "GET http://example.org/", "GET /nothing", "HEAD /", "POST /v1/messages"];

    let statuses = calls.map(|call| {
        let mut stream = TcpStream::connect(stub.url().trim_start_matches("http://")).unwrap();
        write!(stream, "{call} HTTP/1.1\r\nContent-Length: 2\r\n\r\n{{}}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    });

    assert_eq!(statuses, ["502", "502", "404", "200", "200"]);
    assert_eq!(stub.refused(), &calls[..2]);
    assert_eq!(stub.requests().len(), 1);
}
