//! What the model may cost.

use super::*;
use interleaf_tests::stub_llm::Act;
use serde_json::json;

#[test]
fn over_the_cap_nothing_is_asked_and_the_figures_are_told() {
    let stub = StubLlm::start([Act::chat("ready")]);
    let day = chose_openai(&stub, "daily_tokens = 100\n");
    let session = chose_openai(&stub, "session_tokens = 100\n");

    let (by_day, by_session) = (first(&check(&day, &[])), first(&check(&session, &[])));

    assert!(
        by_day.contains("where 100 of the 100 tokens of the day, over all projects are left"),
        "{by_day}"
    );
    assert!(by_session.contains("where 100 of the 100 tokens of this session are left"), "{by_session}");
    assert_eq!(stub.asked().len(), 0);
}

#[test]
fn what_was_spent_is_shown_by_day_and_session() {
    let stub = StubLlm::start([Act::chat("ready")]);
    let scratch = chose_openai(&stub, "");
    check(&scratch, &[]).success();

    let (report, shown) = (report(&scratch), scratch.interleaf(&["llm"]).success());

    assert_eq!(report["caps"], json!({"daily_tokens": 50_000, "session_tokens": 30_000}));
    assert_eq!(
        (report["today"]["tokens"].clone(), report["today"]["left"].clone()),
        (json!(240), json!(49_760))
    );
    assert_eq!(report["sessions"]["interleaf llm check"], json!({"calls": 2, "tokens": 240, "left": 29_760}));
    assert!(shown.contains("240 of 50000 tokens in 2 calls, 49760 left"), "{shown}");
    assert!(shown.contains("interleaf llm check: 240 of 30000 tokens"), "{shown}");
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
        let stub = StubLlm::start([Act::chat_for(&"word ".repeat(100), lie.clone())]);
        let scratch = chose_openai(&stub, "");

        check(&scratch, &[]).success();

        assert!(spent(&scratch) >= 250, "{lie}: {}", spent(&scratch));
    }
}

#[test]
fn a_server_that_says_too_much_only_stops_what_follows() {
    let stub = StubLlm::start([Act::chat_for(
        "ready",
        json!({"prompt_tokens": 4_000_000_000_u64, "completion_tokens": 1}),
    )]);
    let scratch = chose_openai(&stub, "");

    let ran = check(&scratch, &[]);

    assert_eq!((first(&ran).as_str(), stub.asked().len()), ("ready", 1));
    assert!(
        lines(&ran)[1]["error"].as_str().is_some_and(|error| error.contains("0 of the 50000 tokens")),
        "{}",
        ran.out()
    );
}

#[test]
fn sixteen_processes_at_once_never_take_more_than_the_cap() {
    let stub =
        StubLlm::start([Act::chat_for("ready", json!({"prompt_tokens": 150, "completion_tokens": 130}))]);
    let scratch = chose_openai(&stub, "daily_tokens = 2000\nsession_tokens = 2000\n");

    std::thread::scope(|scope| (0..16).for_each(|_| drop(scope.spawn(|| drop(check(&scratch, &[]))))));

    let (asked, spent) = (stub.asked().len() as u64, spent(&scratch));
    assert_eq!(spent, asked * 280, "each call is counted once");
    assert!((1..=7).contains(&asked) && spent <= 2000, "{asked} calls, {spent} tokens");
}

#[test]
fn a_process_that_dies_while_it_asks_has_spent_what_it_reserved() {
    let stub = StubLlm::start([Act::Silence]);
    let scratch = chose_openai(&stub, "");
    let mut command = scratch.command(program());
    let mut asking = command.args(["llm", "check", "--json"]).spawn().expect("it starts");
    while stub.asked().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }

    asking.kill().expect("it is ours");
    asking.wait().expect("it is ours");

    assert!((256..400).contains(&spent(&scratch)), "{}", spent(&scratch));
}
