//! The server as a process: what it offers, what it survives, and that it ends with its client.

use super::*;
use interleaf_tests::mcp_session::McpSession;
use interleaf_tests::program::program;
use serde_json::json;

#[test]
fn it_names_itself_and_offers_its_tools() {
    let scratch = Scratch::new();
    let mut session = McpSession::spawn(scratch.command(program()).arg("mcp"));

    let greeting = session.greet();
    let tools = session.request("tools/list", json!({}));

    assert_eq!(
        greeting["serverInfo"],
        json!({"name": "interleaf", "version": env!("CARGO_PKG_VERSION")}),
        "{greeting}"
    );
    assert!(greeting["instructions"].as_str().is_some_and(|text| text.contains("recall")), "{greeting}");
    assert!(greeting["capabilities"]["tools"].is_object(), "{greeting}");
    let tools = tools["result"]["tools"].as_array().expect("a list").clone();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["recall", "show", "history", "remember", "forget", "search_sessions", "show_session"]);
    let reading = |tool: &Value| tool["annotations"]["readOnlyHint"] == true;
    assert_eq!(tools.iter().map(reading).collect::<Vec<_>>(), [true, true, true, false, false, true, true]);
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool["description"].as_str().is_some_and(|text| text.len() > 40), "{tool}");
    }
}

#[test]
fn nothing_that_a_client_writes_kills_it() {
    let scratch = shop();
    let id = remember(&scratch, &[LIMIT]);
    let mut session = McpSession::spawn(scratch.command(program()).arg("mcp"));
    session.write(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    session.write(br#"{"jsonrpc":"2.0","id":99,"result":{}}"#);
    session.greet();

    for line in [
        &b"{"[..],
        b"",
        b"not json",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        br#"{"jsonrpc":"1.0","id":7,"method":"tools/list"}"#,
        br#"{"jsonrpc":"2.0","id":{},"method":"tools/list"}"#,
        br#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":7}"#,
        br#"{"jsonrpc":"2.0","id":9,"method":"no/such/method"}"#,
        "[".repeat(100_000).as_bytes(),
        "x".repeat(20 << 20).as_bytes(),
    ] {
        session.write(line);
        assert!(session.ask("show", json!({"id": id})).contains(LIMIT));
    }
}

#[test]
fn an_unknown_tool_is_an_error_that_names_the_known_ones() {
    let scratch = Scratch::new();
    let mut session = McpSession::start(&scratch);

    let error = session.refused("confirm", json!({"id": "x"}));

    assert!(
        error.contains("confirm") && error.contains("recall, show, history, remember, forget"),
        "{error}"
    );
}

#[test]
fn it_ends_with_its_standard_input_and_leaves_nothing_running() {
    let scratch = shop();
    for greeted in [false, true] {
        let mut session = McpSession::spawn(scratch.command(program()).arg("mcp"));
        if greeted {
            session.greet();
            session.ask("remember", json!({"text": LIMIT}));
        }

        let ended = session.close();

        assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (Some(0), "", ""));
        assert!(!ended.has_left_processes);
    }
}

#[test]
fn what_was_asked_before_the_end_is_answered() {
    let scratch = shop();
    let mut session = McpSession::start(&scratch);
    let call = json!({"name": "remember", "arguments": {"text": LIMIT}});
    session.write(
        json!({"jsonrpc": "2.0", "id": 50, "method": "tools/call", "params": call}).to_string().as_bytes(),
    );

    let ended = session.close();

    assert!(ended.out.contains("Remembered as") && ended.code == Some(0), "{ended:?}");
    assert!(scratch.interleaf(&["memory", "export"]).success().contains(LIMIT));
}

#[test]
fn a_signal_ends_it() {
    for signal in ["TERM", "INT", "HUP"] {
        let session = McpSession::start(&Scratch::new());
        session.signal(signal);
        assert_eq!(session.wait(), None, "{signal}");
    }
}

#[test]
fn a_project_without_memories_gets_no_database_from_a_question() {
    let scratch = Scratch::new();
    let mut session = McpSession::start(&scratch);

    assert!(session.ask("recall", json!({"query": "parcels"})).contains("No memory"));

    assert!(!scratch.interleaf_home.join("data/projects").exists());
}
