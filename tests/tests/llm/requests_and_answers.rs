//! Requests and answers of servers that work as documented.

use super::*;
use interleaf_tests::stub_llm::StubReply;
use serde_json::json;

#[test]
fn chat_completions_are_asked_and_answered() {
    let stub = StubLlm::start([StubReply::chat("ready")]);
    let scratch = configured_openai(&stub, "");

    let ran = check(&scratch, &[]);

    let requests = stub.requests();
    let models: Vec<_> = requests.iter().map(|request| request.body["model"].clone()).collect();
    assert_eq!(models, [json!("tiny"), json!("large")]);
    assert_eq!(requests[0].path, "/v1/chat/completions");
    assert_eq!(requests[0].body["messages"][1]["content"], "Answer with the single word: ready");
    assert_eq!(requests[0].headers.get("authorization"), None, "a server of one's own gets no key");
    assert_eq!(lines(&ran)[1]["answer"], "ready");
    ran.success();
    assert_eq!(spent_tokens(&scratch), 240);
}

#[test]
fn the_messages_api_is_asked_and_answered() {
    let stub = StubLlm::start([StubReply::message(json!([{"type": "text", "text": "ready"}]), "end_turn")]);
    let scratch = configured_anthropic(&stub, "");

    let ran = check(&scratch, &[]);

    let request = &stub.requests()[0];
    assert_eq!((request.path.as_str(), request.headers["x-api-key"].clone()), ("/v1/messages", key()));
    assert_eq!(request.headers["anthropic-version"], "2023-06-01");
    assert_eq!(request.body["system"], "You are asked whether you can be reached.");
    assert_eq!(
        (request.body["max_tokens"].clone(), lines(&ran)[0]["answer"].clone()),
        (json!(256), json!("ready"))
    );
    ran.success();
    assert_eq!(spent_tokens(&scratch), 240, "what was read from a cache counts");
}

#[test]
fn an_answer_that_was_cut_off_is_an_error_that_says_so() {
    let message = StubReply::message(json!([{"type": "text", "text": "rea"}]), "max_tokens");
    let chat = StubLlm::start([StubReply::chat_cut_off("rea")]);
    let messages = StubLlm::start([message]);

    for scratch in [configured_openai(&chat, ""), configured_anthropic(&messages, "")] {
        let ran = check(&scratch, &[]);
        assert!(first_result(&ran).contains("was cut off at 256 tokens"), "{}", first_result(&ran));
        assert_eq!((ran.code, spent_tokens(&scratch)), (Some(1), 240), "it was paid for");
    }
}

#[test]
fn a_model_that_declines_is_an_error() {
    let stub = StubLlm::start([StubReply::message(json!([]), "refusal")]);

    let ran = check(&configured_anthropic(&stub, ""), &[]);

    assert!(first_result(&ran).contains("declined to answer"), "{}", first_result(&ran));
}

#[test]
fn the_new_name_of_the_token_limit_is_used_if_the_server_asks_for_it() {
    let refusal = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
    let stub = StubLlm::start([StubReply::refuses(400, refusal), StubReply::chat("ready")]);

    let ran = check(&configured_openai(&stub, ""), &[]);

    let limits: Vec<_> =
        stub.requests().iter().map(|request| request.body["max_completion_tokens"].clone()).collect();
    assert_eq!((first_result(&ran).as_str(), limits), ("ready", vec![json!(null), json!(256), json!(256)]));
}
