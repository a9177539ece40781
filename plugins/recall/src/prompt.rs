//! Which prompts are worth a search, and what to search for.

/// Characters of a prompt that make the query. The seed took 200 bytes and split letters in two; what a prompt is
/// about stands in its beginning, and the search weighs only its rarest words anyhow.
const QUERY_CHARS: usize = 1_000;

/// Beginnings of prompts that no person typed: the client reports background tasks and the output of local
/// commands as prompts.
const MACHINE_MADE: [&str; 4] =
    ["<task-notification>", "<local-command-stdout>", "<local-command-caveat>", "<bash-stdout>"];

/// Whether a person may have asked something: not a notification, and more than one word.
pub fn is_worth_asking(prompt: &str) -> bool {
    let prompt = prompt.trim_start();
    !MACHINE_MADE.iter().any(|mark| prompt.starts_with(mark)) && words(prompt) > 1
}

/// The beginning of the prompt, by characters.
pub fn query(prompt: &str) -> String {
    prompt.chars().take(QUERY_CHARS).collect()
}

/// How many memories a prompt is shown at most, under `memories` in the layer's settings: as in the seed, up to twenty.
pub fn most(settings: &str) -> Option<u32> {
    let settings: serde_json::Value = serde_json::from_str(settings).ok()?;
    let number = settings["memories"].as_u64().filter(|number| *number <= 20)?;
    u32::try_from(number).ok()
}

/// Words, counted up to two. Scripts that write without spaces count each pair of their characters as a word.
fn words(text: &str) -> usize {
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).take(4).count() / 2;
    let spaced =
        text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’').filter(|word| !word.is_empty());
    spaced.take(2).count().max(unspaced)
}

/// Chinese, Japanese and Korean characters.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notifications_and_one_word_prompts_are_not_worth_asking() {
        for prompt in
            ["", "  \n", "ok", "Continue!", "yes.", "<task-notification>\n<task-id>x</task-id>", "続け"]
        {
            assert!(!is_worth_asking(prompt), "{prompt:?}");
        }
    }

    #[test]
    fn two_words_in_any_script_are_worth_asking() {
        for prompt in ["fix it", "don't panic", "テストが失敗する", "мы решили", "/opsx:apply add-retries"]
        {
            assert!(is_worth_asking(prompt), "{prompt:?}");
        }
    }

    #[test]
    fn the_number_of_memories_can_be_set_within_reason() {
        for (settings, number) in [
            (r#"{"memories": 7}"#, Some(7)),
            (r#"{"memories": 0}"#, Some(0)),
            (r#"{"memories": 21}"#, None),
            (r#"{"memories": -1}"#, None),
            (r#"{"memories": "many"}"#, None),
            ("{}", None),
            ("", None),
        ] {
            assert_eq!(most(settings), number, "{settings}");
        }
    }

    #[test]
    fn a_query_is_cut_between_characters() {
        let prompt = "ä".repeat(3_000);

        assert_eq!(query(&prompt).chars().count(), QUERY_CHARS);
    }
}
