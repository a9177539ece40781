//! The two word lists, English and German: function words, which are no terms at all, and everyday words,
//! which are weak ones. Folded, one a line, sorted by bytes, so that a lookup needs no preparation: a hook
//! asks about a dozen words and ends.

const FUNCTION_WORDS: &str = include_str!("function_words.txt");
const EVERYDAY_WORDS: &str = include_str!("everyday_words.txt");

/// Whether a folded word only holds sentences together.
pub fn is_function_word(word: &str) -> bool {
    contains(FUNCTION_WORDS, word)
}

/// Whether a folded word turns up in any conversation, or in any about code.
pub fn is_everyday(word: &str) -> bool {
    contains(EVERYDAY_WORDS, word)
}

/// Binary search over the lines of a sorted list.
fn contains(list: &str, word: &str) -> bool {
    let bytes = list.as_bytes();
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let start = line_start(bytes, low, low.midpoint(high));
        let end =
            start + bytes[start..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - start);
        match bytes[start..end].cmp(word.as_bytes()) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    false
}

/// Where the line that holds `place` begins, not before `low`.
fn line_start(bytes: &[u8], low: usize, place: usize) -> usize {
    bytes[low..place].iter().rposition(|&byte| byte == b'\n').map_or(low, |newline| low + newline + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_folded_and_without_repetition() {
        for list in [FUNCTION_WORDS, EVERYDAY_WORDS] {
            assert!(list.ends_with('\n'));
            assert!(list.lines().is_sorted_by(|a, b| a.as_bytes() < b.as_bytes()));
            assert!(list.lines().all(|word| super::super::fold(word) == word));
        }
    }

    #[test]
    fn every_word_of_a_list_is_found_and_nothing_beside_it() {
        for list in [FUNCTION_WORDS, EVERYDAY_WORDS] {
            assert!(list.lines().all(|word| contains(list, word)));
            assert!(!list.lines().any(|word| contains(list, &format!("{word}\u{1}"))));
            assert!(!contains(list, "") && !contains(list, "\n") && !contains(list, "\u{10FFFF}"));
        }
    }

    #[test]
    fn no_word_is_both() {
        assert_eq!(EVERYDAY_WORDS.lines().find(|word| is_function_word(word)), None);
    }
}
