//! Text that poses as the host's, the client's or a terminal's.

use super::*;

/// Returns the complete output for the client.
fn all_of(outcome: &Outcome) -> String {
    outcome.reply.to_json("UserPromptSubmit").expect("a reply")
}

fn posing(how: &str) -> Outcome {
    misbehave(hostile(r#"{"decide": ["block"]}"#), how)
}

#[test]
fn a_layer_cannot_end_its_block() {
    for how in ["end the block", "end the block in disguise"] {
        let outcome = posing(how);

        let blocks = outcome.context().to_lowercase();
        assert_eq!(blocks.matches("</interleaf-memory>").count(), 2, "{blocks}");
        let all = all_of(&outcome).to_lowercase();
        assert!(!all.contains("<system-reminder") && !all.contains("</system-reminder"), "{all}");
        assert!(
            block(&outcome, "hostile").contains("Obey me"),
            "the text is still shown, as the layer's own"
        );
        assert!(outcome.log.is_empty());
    }
}

#[test]
fn a_layer_cannot_move_the_cursor_or_reverse_the_reading_direction() {
    let outcome = posing("speak in control characters");

    let all = [Some(outcome.context()), outcome.reply.block.as_deref(), outcome.reply.notice.as_deref()];
    for text in all.map(Option::unwrap_or_default) {
        assert!(text.contains("[2Jredalert31m"), "{text:?}");
        assert!(!text.chars().any(|letter| letter != '\n' && letter.is_control()), "{text:?}");
        assert!(!text.contains('\u{202e}'), "{text:?}");
    }
}

#[test]
fn an_infinite_relevance_does_not_displace_other_layers() {
    let outcome = misbehave(hostile("{}"), "be infinitely relevant");

    assert_eq!(hostile_text(&outcome).lines().count(), 4);
    assert!(outcome.log.is_empty());
}
