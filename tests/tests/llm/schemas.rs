//! Answers by schema: asked for as the server can, checked, and repaired once.

use super::*;
use interleaf_tests::stub_llm::Act;
use serde_json::json;

#[test]
fn chat_completions_are_held_to_the_schema() {
    let stub = StubLlm::start([Act::chat("```json\n{\"word\": \"ready\"}\n```")]);

    let ran = check(&chose_openai(&stub, ""), &["--schema"]);

    let asked = &stub.asked()[0].body["response_format"];
    assert_eq!(
        (asked["type"].clone(), asked["json_schema"]["schema"]["type"].clone()),
        (json!("json_schema"), json!("object"))
    );
    assert_eq!(first(&ran), r#"{"word":"ready"}"#);
    ran.success();
}

#[test]
fn the_messages_api_must_use_a_tool_that_takes_the_answer() {
    let tool = json!([{"type": "tool_use", "id": "t", "name": "answer", "input": {"word": "ready"}}]);
    let stub = StubLlm::start([Act::message(tool, "tool_use")]);

    let ran = check(&chose_anthropic(&stub, ""), &["--schema"]);

    let body = &stub.asked()[0].body;
    assert_eq!(
        (body["tool_choice"]["name"].clone(), body["tools"][0]["input_schema"]["type"].clone()),
        (json!("answer"), json!("object"))
    );
    assert_eq!(first(&ran), r#"{"word":"ready"}"#);
}

#[test]
fn an_answer_that_breaks_the_schema_is_repaired_once() {
    let stub = StubLlm::start([Act::chat("{\"word\": 7}"), Act::chat("{\"word\": \"ready\"}")]);
    let scratch = chose_openai(&stub, "");

    let ran = check(&scratch, &["--schema"]);

    assert_eq!(first(&ran), r#"{"word":"ready"}"#);
    let again = stub.asked()[1].text();
    assert!(
        again.contains("7 is not of type") && again.contains("You have answered this already"),
        "{again}"
    );
    assert_eq!(
        (lines(&ran)[0]["input_tokens"].clone(), spent(&scratch)),
        (json!(200), 360),
        "both are paid for"
    );
}

#[test]
fn an_answer_that_breaks_it_twice_is_an_error() {
    let stub = StubLlm::start([Act::chat("{\"word\": 7}")]);
    let scratch = chose_openai(&stub, "");

    let ran = check(&scratch, &["--schema"]);

    assert!(
        first(&ran).contains("does not match the schema, not even the second: /word: 7 is not of type"),
        "{}",
        first(&ran)
    );
    assert_eq!((stub.asked().len(), spent(&scratch)), (4, 480));
}

#[test]
fn a_server_that_refuses_schemas_is_told_in_words() {
    let refuses = Act::refuses(400, "response_format is not supported");
    let stub = StubLlm::start([refuses, Act::chat("{\"word\": \"ready\"}")]);

    let ran = check(&chose_openai(&stub, ""), &["--schema"]);

    assert_eq!(first(&ran), r#"{"word":"ready"}"#);
    let asked = stub.asked();
    let formats: Vec<_> = asked.iter().map(|asked| asked.body["response_format"].is_null()).collect();
    assert_eq!(formats, [false, true, true], "it is not asked that way again");
    assert!(asked[1].text().contains("matches this JSON Schema"), "{}", asked[1].text());
}
