//! Answers with a schema: requested in the server's own way, checked, and repaired once.

use super::*;
use interleaf_tests::stub_llm::StubReply;
use serde_json::json;

#[test]
fn chat_completions_get_the_schema_as_response_format() {
    let stub = StubLlm::start([StubReply::chat("```json\n{\"word\": \"ready\"}\n```")]);

    let ran = check(&configured_openai(&stub, ""), &["--schema"]);

    let format = &stub.requests()[0].body["response_format"];
    assert_eq!(
        (format["type"].clone(), format["json_schema"]["schema"]["type"].clone()),
        (json!("json_schema"), json!("object"))
    );
    assert_eq!(first_result(&ran), r#"{"word":"ready"}"#);
    ran.success();
}

#[test]
fn the_messages_api_gets_the_schema_as_a_forced_tool() {
    let tool = json!([{"type": "tool_use", "id": "t", "name": "answer", "input": {"word": "ready"}}]);
    let stub = StubLlm::start([StubReply::message(tool, "tool_use")]);

    let ran = check(&configured_anthropic(&stub, ""), &["--schema"]);

    let body = &stub.requests()[0].body;
    assert_eq!(
        (body["tool_choice"]["name"].clone(), body["tools"][0]["input_schema"]["type"].clone()),
        (json!("answer"), json!("object"))
    );
    assert_eq!(first_result(&ran), r#"{"word":"ready"}"#);
}

#[test]
fn an_answer_that_breaks_the_schema_is_repaired_once() {
    let stub = StubLlm::start([StubReply::chat("{\"word\": 7}"), StubReply::chat("{\"word\": \"ready\"}")]);
    let scratch = configured_openai(&stub, "");

    let ran = check(&scratch, &["--schema"]);

    assert_eq!(first_result(&ran), r#"{"word":"ready"}"#);
    let again = stub.requests()[1].text();
    assert!(
        again.contains("7 is not of type") && again.contains("You have answered this already"),
        "{again}"
    );
    assert_eq!(
        (lines(&ran)[0]["input_tokens"].clone(), spent_tokens(&scratch)),
        (json!(200), 360),
        "both are paid for"
    );
}

#[test]
fn an_answer_that_breaks_the_schema_twice_is_an_error() {
    let stub = StubLlm::start([StubReply::chat("{\"word\": 7}")]);
    let scratch = configured_openai(&stub, "");

    let ran = check(&scratch, &["--schema"]);

    assert!(
        first_result(&ran)
            .contains("does not match the schema, even after a repair: /word: 7 is not of type"),
        "{}",
        first_result(&ran)
    );
    assert_eq!((stub.requests().len(), spent_tokens(&scratch)), (4, 480));
}

#[test]
fn a_server_that_refuses_schemas_gets_the_schema_in_the_system_prompt() {
    let refuses = StubReply::refuses(400, "response_format is not supported");
    let stub = StubLlm::start([refuses, StubReply::chat("{\"word\": \"ready\"}")]);

    let ran = check(&configured_openai(&stub, ""), &["--schema"]);

    assert_eq!(first_result(&ran), r#"{"word":"ready"}"#);
    let requests = stub.requests();
    let formats: Vec<_> = requests.iter().map(|request| request.body["response_format"].is_null()).collect();
    assert_eq!(formats, [false, true, true], "it is not asked that way again");
    assert!(requests[1].text().contains("matches this JSON Schema"), "{}", requests[1].text());
}
