//! The cap on the tokens of model calls.

use super::*;
use interleaf_tests::stub_llm::StubReply;
use serde_json::json;

#[test]
fn over_the_cap_no_request_is_sent_and_the_figures_are_reported() {
    let stub = StubLlm::start([StubReply::chat("ready")]);
    let day = configured_openai(&stub, "daily_tokens = 100\n");
    let session = configured_openai(&stub, "session_tokens = 100\n");

    let (by_day, by_session) = (first_result(&check(&day, &[])), first_result(&check(&session, &[])));

    assert!(
        by_day.contains("75 of the 75 tokens for the small model per day over all projects are left"),
        "{by_day}"
    );
    assert!(
        by_session.contains("75 of the 75 tokens for the small model in this session are left"),
        "{by_session}"
    );
    assert_eq!(stub.requests().len(), 0);
}

#[test]
fn the_spend_is_shown_per_day_and_session() {
    let stub = StubLlm::start([StubReply::chat("ready")]);
    let scratch = configured_openai(&stub, "");
    check(&scratch, &[]).success();

    let (report, shown) = (report(&scratch), scratch.interleaf(&["llm"]).success());

    assert_eq!(report["caps"], json!({"daily_tokens": 150_000, "session_tokens": 60_000}));
    assert_eq!(
        (report["today"]["tokens"].clone(), report["today"]["left"].clone()),
        (json!(240), json!(149_760))
    );
    assert_eq!(report["sessions"]["interleaf llm check"], json!({"calls": 2, "tokens": 240, "left": 59_760}));
    assert!(shown.contains("240 of 150000 tokens in 2 calls, 149760 left"), "{shown}");
    assert!(shown.contains("interleaf llm check: 240 of 60000 tokens"), "{shown}");
}

#[test]
fn a_server_that_lies_about_usage_cannot_make_a_call_free() {
    let lies = [
        json!({"prompt_tokens": 0, "completion_tokens": 0}),
        json!({"prompt_tokens": -5}),
        json!("none"),
        json!(null),
    ];
    for lie in lies {
        let stub = StubLlm::start([StubReply::chat_for(&"word ".repeat(100), lie.clone())]);
        let scratch = configured_openai(&stub, "");

        check(&scratch, &[]).success();

        assert!(spent_tokens(&scratch) >= 250, "{lie}: {}", spent_tokens(&scratch));
    }
}

#[test]
fn an_overstated_usage_only_stops_later_calls() {
    let stub = StubLlm::start([StubReply::chat_for(
        "ready",
        json!({"prompt_tokens": 4_000_000_000_u64, "completion_tokens": 1}),
    )]);
    let scratch = configured_openai(&stub, "");

    let ran = check(&scratch, &[]);

    assert_eq!((first_result(&ran).as_str(), stub.requests().len()), ("ready", 1));
    assert!(
        lines(&ran)[1]["error"].as_str().is_some_and(|error| error.contains("0 of the 150000 tokens")),
        "{}",
        ran.out()
    );
}

#[test]
fn sixteen_concurrent_processes_never_exceed_the_cap() {
    let stub = StubLlm::start([StubReply::chat_for(
        "ready",
        json!({"prompt_tokens": 150, "completion_tokens": 130}),
    )]);
    let scratch = configured_openai(&stub, "daily_tokens = 2000\nsession_tokens = 2000\n");

    std::thread::scope(|scope| (0..16).for_each(|_| drop(scope.spawn(|| drop(check(&scratch, &[]))))));

    let (calls, spent) = (stub.requests().len() as u64, spent_tokens(&scratch));
    assert_eq!(spent, calls * 280, "each call is counted once");
    assert!((1..=7).contains(&calls) && spent <= 2000, "{calls} calls, {spent} tokens");
}

#[test]
fn a_process_killed_during_a_call_has_spent_its_reservation() {
    let stub = StubLlm::start([StubReply::Silence]);
    let scratch = configured_openai(&stub, "");
    let mut command = scratch.command(program());
    let mut check = command.args(["llm", "check", "--json"]).spawn().expect("it starts");
    while stub.requests().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }

    check.kill().expect("it is ours");
    check.wait().expect("it is ours");

    assert!((256..400).contains(&spent_tokens(&scratch)), "{}", spent_tokens(&scratch));
}
