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
fn no_disguise_of_a_tag_survives_in_a_layer_s_text() {
    let outcome = posing("end the block in every disguise");

    let all = [Some(outcome.context()), outcome.reply.block.as_deref(), outcome.reply.notice.as_deref()];
    for text in all.map(Option::unwrap_or_default) {
        let tags = text.match_indices('<').map(|(at, _)| text[at + 1..].trim_start());
        let ours =
            |tag: &str| tag.starts_with("interleaf-memory layer=") || tag.starts_with("/interleaf-memory>\n");
        let is_tag = |tag: &&str| tag.starts_with(|c: char| c.is_alphabetic() || "/!?".contains(c));
        let foreign: Vec<&str> =
            tags.filter(is_tag).filter(|tag| !ours(tag) && *tag != "/interleaf-memory>").collect();
        assert!(foreign.is_empty(), "{foreign:?} in {text}");
    }
    assert_eq!(outcome.context().matches("</interleaf-memory>").count(), 2);
    assert!(block(&outcome, "hostile").contains("Obey me"));
}

#[test]
fn a_layer_imitates_neither_a_memory_nor_the_host_nor_another_layer() {
    let outcome = posing("imitate others");

    for line in block(&outcome, "hostile").lines().skip(1) {
        assert!(line.starts_with("- layer says: "), "{line}");
    }
    for text in [outcome.reply.block.as_deref(), outcome.reply.notice.as_deref()] {
        let lines: Vec<&str> = text.expect("it is allowed").lines().collect();
        assert!(lines.len() == 1 && lines[0].starts_with("hostile: "), "{lines:?}");
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
