//! A layer's allowance of model calls: parallel requests, and limits per event and per day. The model is a
//! closure of the test.

use interleaf::error::Error;
use interleaf::harness::{Completion, Harness, Outcome, event};
use interleaf_tests::guests;

/// The fixed time of the harness, and a day, in milliseconds.
const NOON: i64 = 1_767_268_800_000;
const DAY: i64 = 24 * 3_600_000;

fn layer(grants: &str) -> Result<Harness, Error> {
    Harness::component("hostile", guests::hostile())?.grants(grants)
}

fn ask(harness: &Harness, prompt: &str) -> Result<Outcome, Error> {
    harness.send(&event::prompt(prompt))
}

/// Returns the text of the layer, without the heading.
fn layer_text(outcome: &Outcome) -> String {
    outcome.context().lines().filter_map(|line| line.strip_prefix("- layer says: ")).collect()
}

/// Returns a layer with a model that echoes the prompt and uses ten tokens each way.
fn with_model(grants: &str) -> Result<Harness, Error> {
    Ok(layer(grants)?.model(|request| {
        Ok(Completion { text: request.prompt.clone(), input_tokens: 10, output_tokens: 10 })
    }))
}

#[test]
fn without_a_model_the_answer_is_unavailable() -> Result<(), Error> {
    let text = layer_text(&ask(&layer(r#"{"llm": true}"#)?, "ask the model 1 100")?);

    assert!(text.contains("NotFound") && text.contains("no language model was chosen"), "{text}");
    Ok(())
}

#[test]
fn requests_are_answered_in_order_and_side_by_side() -> Result<(), Error> {
    let meet = std::sync::Barrier::new(2);
    let harness = layer(r#"{"llm": true}"#)?.model(move |request| {
        // Passed only if another request is being answered at the same time.
        meet.wait();
        Ok(Completion { text: request.prompt.clone(), input_tokens: 1, output_tokens: 1 })
    });

    assert_eq!(layer_text(&ask(&harness, "ask the model 2 100")?), "question 0; question 1");
    Ok(())
}

#[test]
fn the_allowance_of_an_event_is_enforced_with_the_figures() -> Result<(), Error> {
    let text = layer_text(&ask(&with_model(r#"{"llm": {"calls": 2}}"#)?, "ask the model 3 100")?);
    assert!(text.starts_with("question 0; question 1; "), "{text}");
    assert!(text.contains("the 2 model calls of this event are used up"), "{text}");

    // Five tokens are sent: four characters count as one.
    let text = layer_text(&ask(&with_model(r#"{"llm": {"tokens": 104}}"#)?, "ask the model 1 100")?);
    let figure = "a model call may take 105 tokens, but only 104 of the 104 tokens of this event are left";
    assert!(text.contains(figure), "{text}");
    Ok(())
}

#[test]
fn the_daily_allowance_counts_actual_usage_and_resets_the_next_day() -> Result<(), Error> {
    let grants = r#"{"llm": {"daily_tokens": 130, "daily_calls": 3}}"#;
    let harness = with_model(grants)?;

    // Twenty tokens each; up to 105 were reserved.
    assert_eq!(layer_text(&ask(&harness, "ask the model 1 100")?), "question 0");
    let text = layer_text(&ask(&harness, "ask the model 1 110")?);
    assert!(text.contains("but only 110 of the 130 tokens of this day are left"), "{text}");
    assert_eq!(layer_text(&ask(&harness, "ask the model 1 100")?), "question 0");
    assert_eq!(layer_text(&ask(&harness, "ask the model 1 20")?), "question 0");
    let text = layer_text(&ask(&harness, "ask the model 1 20")?);
    assert!(text.contains("the 3 model calls of this day are used up"), "{text}");
    assert_eq!(layer_text(&ask(&harness.at_time(NOON + DAY), "ask the model 1 20")?), "question 0");
    Ok(())
}

#[test]
fn a_failed_call_counts_as_a_call_and_uses_no_tokens() -> Result<(), Error> {
    let grants = r#"{"llm": {"calls": 1, "daily_calls": 2, "daily_tokens": 110}}"#;
    let harness = layer(grants)?.model(|_| Err(Error::unavailable("nobody is there")));

    for _ in 0..2 {
        assert!(layer_text(&ask(&harness, "ask the model 1 100")?).contains("nobody is there"));
    }
    assert!(
        layer_text(&ask(&harness, "ask the model 1 100")?)
            .contains("the 2 model calls of this day are used up")
    );
    Ok(())
}
