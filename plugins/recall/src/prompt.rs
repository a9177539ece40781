//! Decides which prompts to search for, and builds the query.

use interleaf_text::client_text::is_client_message;

/// Maximum length of a query, in characters. A prompt usually begins with its subject, and the search weighs
/// only the rarest words.
const MAX_QUERY_CHARS: usize = 1_000;

/// Tells whether a person may have asked for something: the prompt has more than one word and is not a
/// notification.
pub fn is_searchable(prompt: &str) -> bool {
    !is_client_message(prompt) && has_two_words(prompt)
}

/// Returns the beginning of the prompt.
pub fn query(prompt: &str) -> String {
    prompt.chars().take(MAX_QUERY_CHARS).collect()
}

/// In scripts without spaces, each pair of characters counts as a word.
fn has_two_words(text: &str) -> bool {
    let is_separator = |c: char| !c.is_alphanumeric() && c != '\'' && c != '’';
    let is_unspaced = |c: &char| interleaf_text::is_ideograph(*c) || interleaf_text::is_hangul(*c);
    text.split(is_separator).filter(|word| !word.is_empty()).nth(1).is_some()
        || text.chars().filter(is_unspaced).nth(3).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notifications_and_one_word_prompts_are_not_searched_for() {
        for prompt in
            ["", "  \n", "ok", "Continue!", "yes.", "<task-notification>\n<task-id>x</task-id>", "続け"]
        {
            assert!(!is_searchable(prompt), "{prompt:?}");
        }
    }

    #[test]
    fn two_words_in_any_script_are_searched_for() {
        for prompt in ["fix it", "don't panic", "テストが失敗する", "мы решили", "/opsx:apply add-retries"]
        {
            assert!(is_searchable(prompt), "{prompt:?}");
        }
    }

    #[test]
    fn a_query_is_truncated_between_characters() {
        let prompt = "ä".repeat(3_000);

        assert_eq!(query(&prompt).chars().count(), MAX_QUERY_CHARS);
    }
}
