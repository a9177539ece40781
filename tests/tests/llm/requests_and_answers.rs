//! What is asked and what is heard, where nothing goes wrong.

use super::*;
use interleaf_tests::stub_llm::Act;
use serde_json::json;

#[test]
fn chat_completions_are_asked_and_answered() {
    let stub = StubLlm::start([Act::chat("ready")]);
    let scratch = chose_openai(&stub, "");

    let ran = check(&scratch, &[]);

    let asked = stub.asked();
    let models: Vec<_> = asked.iter().map(|asked| asked.body["model"].clone()).collect();
    assert_eq!(models, [json!("tiny"), json!("large")]);
    assert_eq!(asked[0].path, "/v1/chat/completions");
    assert_eq!(asked[0].body["messages"][1]["content"], "Answer with the single word: ready");
    assert_eq!(asked[0].headers.get("authorization"), None, "a server of one's own gets no key");
    assert_eq!(lines(&ran)[1]["answer"], "ready");
    ran.success();
    assert_eq!(spent(&scratch), 240);
}

#[test]
fn the_messages_api_is_asked_and_answered() {
    let stub = StubLlm::start([Act::message(json!([{"type": "text", "text": "ready"}]), "end_turn")]);
    let scratch = chose_anthropic(&stub, "");

    let ran = check(&scratch, &[]);

    let asked = &stub.asked()[0];
    assert_eq!((asked.path.as_str(), asked.headers["x-api-key"].clone()), ("/v1/messages", key()));
    assert_eq!(asked.headers["anthropic-version"], "2023-06-01");
    assert_eq!(asked.body["system"], "You are asked whether you can be reached.");
    assert_eq!(
        (asked.body["max_tokens"].clone(), lines(&ran)[0]["answer"].clone()),
        (json!(256), json!("ready"))
    );
    ran.success();
    assert_eq!(spent(&scratch), 240, "what was read from a cache counts");
}

#[test]
fn an_answer_that_was_cut_off_is_an_error_that_says_so() {
    let message = Act::message(json!([{"type": "text", "text": "rea"}]), "max_tokens");
    let chat = StubLlm::start([Act::chat_cut_off("rea")]);
    let messages = StubLlm::start([message]);

    for scratch in [chose_openai(&chat, ""), chose_anthropic(&messages, "")] {
        let ran = check(&scratch, &[]);
        assert!(first(&ran).contains("was cut off at 256 tokens"), "{}", first(&ran));
        assert_eq!((ran.code, spent(&scratch)), (Some(1), 240), "it was paid for");
    }
}

#[test]
fn a_model_that_declines_is_an_error() {
    let stub = StubLlm::start([Act::message(json!([]), "refusal")]);

    let ran = check(&chose_anthropic(&stub, ""), &[]);

    assert!(first(&ran).contains("declined to answer"), "{}", first(&ran));
}

#[test]
fn a_limit_by_its_newer_name_is_used_where_the_server_asks_for_it() {
    let refusal = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
    let stub = StubLlm::start([Act::refuses(400, refusal), Act::chat("ready")]);

    let ran = check(&chose_openai(&stub, ""), &[]);

    let limits: Vec<_> =
        stub.asked().iter().map(|asked| asked.body["max_completion_tokens"].clone()).collect();
    assert_eq!((first(&ran).as_str(), limits), ("ready", vec![json!(null), json!(256), json!(256)]));
}
