//! A layer that asks the model, in the harness and in a hook.

use super::*;
use interleaf::clock::Clock;
use interleaf::config::Config;
use interleaf::dirs::Folders;
use interleaf::harness::{Harness, event};
use interleaf::llm::{CompletionRequest, ConfiguredModel, Model, ModelTier};
use interleaf::redact::Redactor;
use interleaf_tests::guests;
use interleaf_tests::stub_llm::StubReply;

/// Returns a model at the stub, with its spend count in the scratch environment.
fn chosen(scratch: &Scratch, stub: &StubLlm) -> ConfiguredModel {
    let home = scratch.interleaf_home.clone();
    let env = |name: &str| (name == "INTERLEAF_HOME").then(|| home.clone().into());
    let folders = Folders::find(&env, &[]).expect("a home is set");
    let table = format!(
        "[llm]\nclient = \"openai\"\nbase_url = \"{}/v1\"\nsmall = \"a\"\nstrong = \"b\"\n",
        stub.url()
    );
    let config = Config::from_user_toml(&table);
    let found = ConfiguredModel::from_config(
        &config.llm,
        &folders,
        &scratch.project,
        Redactor::default(),
        Clock::System,
    );
    found.expect("the table is right").expect("a client is named")
}

#[test]
fn a_layer_in_the_harness_asks_the_configured_model() {
    let stub = StubLlm::start([StubReply::chat("an answer")]);
    let scratch = Scratch::new();
    let chosen = chosen(&scratch, &stub);
    let harness =
        Harness::component("hostile", guests::hostile()).and_then(|layer| layer.grants(r#"{"llm": true}"#));
    let harness =
        harness.expect("the layer loads").model(move |request| chosen.complete_for_session("s", request));

    let outcome = harness.send(&event::prompt("ask the model 2 100")).expect("an event");

    assert!(outcome.context().contains("an answer; an answer"), "{}", outcome.context());
    assert_eq!((stub.requests().len(), spent_tokens(&scratch)), (2, 240));
}

#[test]
fn a_layer_in_a_hook_asks_the_configured_model_and_its_session_is_counted() {
    let stub = StubLlm::start([StubReply::chat("an answer")]);
    let scratch = configured_openai(&stub, "session_tokens = 400\n");
    scratch.add_layer("hostile", &guests::hostile(), "[layers.hostile.grants]\nllm = true\n");
    scratch.accept("hostile", &[]).success();

    let output = scratch.prompt("one", "ask the model 1 100");
    let over = scratch.prompt("one", "ask the model 2 100");

    assert!(output.contains("an answer"), "{output}");
    assert!(over.contains("tokens for the small model in this session are left"), "{over}");
    assert_eq!(report(&scratch)["sessions"]["one"]["tokens"], spent_tokens(&scratch));
}

#[test]
fn secrets_are_not_sent() {
    let stub = StubLlm::start([StubReply::chat("{}"), StubReply::chat("{\"word\": \"x\"}")]);
    let scratch = Scratch::new();
    let secret = key();
    let request = CompletionRequest {
        tier: ModelTier::Small,
        system: format!("You know the key {secret}"),
        prompt: format!("export ANTHROPIC_API_KEY={secret}"),
        schema: Some(format!(r#"{{"type": "object", "required": ["word"], "description": "not {secret}"}}"#)),
        max_tokens: 100,
    };

    let answer = chosen(&scratch, &stub).complete(&request);

    assert!(answer.is_ok(), "{answer:?}");
    let sent: Vec<String> = stub.requests().iter().map(|request| request.text()).collect();
    assert_eq!(sent.len(), 2);
    assert!(sent.iter().all(|sent| !sent.contains(&secret) && sent.contains("[SECRET:")), "{sent:?}");
}
