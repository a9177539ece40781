//! The two word lists, which cover English, German, Chinese, Japanese and Korean: stop words, which are not
//! terms, and common words, which have a low weight. Words are accent-folded, one per line and sorted by
//! bytes, so that a lookup is a binary search without preparation: a hook looks up only a dozen words.

const STOP_WORDS: &str = include_str!("stop_words.txt");
const COMMON_WORDS: &str = include_str!("common_words.txt");

/// Tells whether a folded word is a stop word.
pub fn is_stop_word(word: &str) -> bool {
    contains(STOP_WORDS, word)
}

/// Tells whether a folded word occurs in any conversation, or in any conversation about code.
pub fn is_common_word(word: &str) -> bool {
    contains(COMMON_WORDS, word)
}

/// Searches the lines of a sorted list.
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

/// Returns the start of the line that contains `offset`, at least `low`.
fn line_start(bytes: &[u8], low: usize, offset: usize) -> usize {
    bytes[low..offset].iter().rposition(|&byte| byte == b'\n').map_or(low, |newline| low + newline + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_folded_and_without_duplicates() {
        for list in [STOP_WORDS, COMMON_WORDS] {
            assert!(list.ends_with('\n'));
            assert!(list.lines().is_sorted_by(|a, b| a.as_bytes() < b.as_bytes()));
            assert!(list.lines().all(|word| super::super::fold(word) == word));
        }
    }

    #[test]
    fn a_lookup_finds_every_word_of_a_list_and_no_others() {
        for list in [STOP_WORDS, COMMON_WORDS] {
            assert!(list.lines().all(|word| contains(list, word)));
            assert!(!list.lines().any(|word| contains(list, &format!("{word}\u{1}"))));
            assert!(!contains(list, "") && !contains(list, "\n") && !contains(list, "\u{10FFFF}"));
        }
    }

    #[test]
    fn no_word_is_in_both_lists() {
        assert_eq!(COMMON_WORDS.lines().find(|word| is_stop_word(word)), None);
    }
}
