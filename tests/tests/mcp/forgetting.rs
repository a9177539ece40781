//! `forget`: as on the command line without a terminal, nothing is withdrawn without a person's yes.

use super::*;
use interleaf_tests::mcp_session::McpSession;
use serde_json::json;

#[test]
fn without_a_yes_nothing_is_forgotten_and_the_memory_is_named() {
    let scratch = shop();
    let id = remember(&scratch, &[LIMIT]);
    let mut session = McpSession::start(&scratch);

    let error = session.refused("forget", json!({"id": id}));

    for part in ["nothing was done", LIMIT, &id, "yes"] {
        assert!(error.contains(part), "{part} is not in {error}");
    }
    assert_eq!(stored(&scratch, &id)["status"], "active");
}

#[test]
fn with_a_yes_it_is_withdrawn_and_can_be_restored() {
    let scratch = shop();
    let id = remember(&scratch, &[LIMIT]);
    let mut session = McpSession::start(&scratch);

    let answer = session.ask("forget", json!({"id": id, "yes": true}));

    assert!(answer.contains(&format!("interleaf memory restore {id}")), "{answer}");
    assert_eq!(stored(&scratch, &id)["status"], "retired");
    assert!(!session.ask("recall", json!({"query": LIMIT})).contains(LIMIT));
    let history = session.ask("history", json!({"id": id}));
    assert!(history.contains("retired") && history.contains("interleaf mcp"), "{history}");
    scratch.interleaf(&["memory", "restore", &id]).success();
    assert!(session.ask("recall", json!({"query": LIMIT})).contains(LIMIT));
}
