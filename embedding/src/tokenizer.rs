//! Cuts a text into the pieces of BERT's uncased vocabulary.
//!
//! First the text is cleaned and cut into words, then each word into the longest pieces that the vocabulary
//! has ("WordPiece"). Both follow the tokenizer that sentence-transformers uses for the model, with one
//! exception: the text `[SEP]` is three words and never the token of that name, because a memory may quote
//! anything.

use std::iter::Peekable;

use unicode_normalization::UnicodeNormalization;

use crate::character_classes::{is_accent, is_chinese, is_dropped, is_punctuation};
use crate::vocabulary::{PieceId, Vocabulary};

/// Longer words become the unknown token, as in BERT's tokenizer.
const MAX_WORD_CHARS: usize = 100;

/// Stands before a piece that continues a word.
const CONTINUATION: &str = "##";

/// The ids of the tokens that are no text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SpecialTokens {
    begin: PieceId,
    end: PieceId,
    unknown: PieceId,
}

impl SpecialTokens {
    /// Looks the tokens up.
    ///
    /// # Errors
    /// If the vocabulary lacks one of them; the error says which.
    pub(crate) fn find(vocabulary: &Vocabulary) -> Result<Self, String> {
        let id = |name| vocabulary.id(name).ok_or_else(|| format!("the vocabulary lacks {name}"));
        Ok(Self { begin: id("[CLS]")?, end: id("[SEP]")?, unknown: id("[UNK]")? })
    }
}

/// Cuts texts into pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tokenizer<'a> {
    pub(crate) vocabulary: Vocabulary<'a>,
    pub(crate) special: SpecialTokens,
    pub(crate) longest_piece_bytes: usize,
}

impl Tokenizer<'_> {
    /// Returns the tokens of `text` between the tokens for begin and end, at most `max_tokens` altogether.
    /// Reads no more of the text than it needs.
    pub(crate) fn tokens(&self, text: &str, max_tokens: usize) -> Vec<PieceId> {
        let mut tokens = vec![self.special.begin];
        let limit = max_tokens.saturating_sub(1).max(1);
        for word in words(text) {
            if tokens.len() >= limit {
                break;
            }
            match self.pieces(&word) {
                Some(pieces) => tokens.extend(pieces),
                None => tokens.push(self.special.unknown),
            }
        }
        tokens.truncate(limit);
        tokens.push(self.special.end);
        tokens
    }

    /// Returns the pieces of a word, or nothing if the vocabulary cannot spell it.
    fn pieces(&self, word: &str) -> Option<Vec<PieceId>> {
        if word.chars().nth(MAX_WORD_CHARS).is_some() {
            return None;
        }
        let (mut pieces, mut rest, mut prefix) = (Vec::new(), word, "");
        while !rest.is_empty() {
            let (id, bytes) = self.longest_piece(prefix, rest)?;
            pieces.push(id);
            rest = &rest[bytes..];
            prefix = CONTINUATION;
        }
        Some(pieces)
    }

    /// Returns the longest piece with which `rest` begins, and how many bytes of `rest` it covers.
    fn longest_piece(&self, prefix: &str, rest: &str) -> Option<(PieceId, usize)> {
        let mut candidate = format!("{prefix}{rest}");
        candidate.truncate(candidate.floor_char_boundary(self.longest_piece_bytes));
        while candidate.len() > prefix.len() {
            if let Some(id) = self.vocabulary.id(&candidate) {
                return Some((id, candidate.len() - prefix.len()));
            }
            candidate.pop();
        }
        None
    }
}

/// Returns the words of a text in lower case without accents. A punctuation mark or a Chinese character is a
/// word.
fn words(text: &str) -> impl Iterator<Item = String> {
    let kept = text.chars().filter(|c| !is_dropped(*c));
    let spaced = kept.flat_map(|c| {
        let space = is_chinese(c).then_some(' ');
        [space, Some(c), space].into_iter().flatten()
    });
    // Lower case comes last, so that the dot of a Turkish capital I is an accent like others.
    let plain = spaced.nfd().filter(|c| !is_accent(*c)).flat_map(char::to_lowercase);
    Words { chars: plain.peekable() }
}

struct Words<I: Iterator<Item = char>> {
    chars: Peekable<I>,
}

impl<I: Iterator<Item = char>> Iterator for Words<I> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let first = self.chars.find(|c| !c.is_whitespace())?;
        let mut word = String::from(first);
        if !is_punctuation(first) {
            let in_word = |c: &char| !c.is_whitespace() && !is_punctuation(*c);
            while let Some(c) = self.chars.next_if(in_word) {
                word.push(c);
            }
        }
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::VocabularySections;

    const PIECES: [&str; 16] = [
        "[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "cafe", "strasse", "中", "文", ",", "[",
        "]", "sep", "i",
    ];

    /// Returns the names of the tokens of `text`, without those for begin and end.
    fn tokens_of(text: &str, max_tokens: usize) -> Vec<&'static str> {
        let sections = VocabularySections::new(&PIECES.map(str::to_owned));
        let vocabulary = sections.view();
        let special = SpecialTokens::find(&vocabulary).expect("the special tokens are there");
        let longest_piece_bytes = vocabulary.check(PIECES.len()).expect("the vocabulary is sound");
        let tokens = Tokenizer { vocabulary, special, longest_piece_bytes }.tokens(text, max_tokens);
        let names: Vec<_> = tokens.iter().map(|id| PIECES[*id as usize]).collect();
        assert_eq!((names[0], names[names.len() - 1]), ("[CLS]", "[SEP]"));
        names[1..names.len() - 1].to_vec()
    }

    fn words_of(text: &str) -> Vec<String> {
        words(text).collect()
    }

    #[test]
    fn hard_texts_have_the_words_of_the_reference_implementation() {
        let cases = include_str!("../tests/reference/tokenizer_cases.json");
        let cases: serde_json::Value = serde_json::from_str(cases).expect("the reference is JSON");
        let cases = cases.as_array().expect("the reference is a list");
        assert!(cases.len() > 60);
        for case in cases {
            let text = case["text"].as_str().expect("a case has a text");
            assert_eq!(serde_json::Value::from(words_of(text)), case["words"], "{text:?}");
        }
    }

    #[test]
    fn a_word_becomes_its_longest_pieces() {
        assert_eq!(tokens_of("unaffable", 32), ["un", "##aff", "##able"]);
        assert_eq!(tokens_of("unaffably", 32), ["[UNK]"]);
    }

    #[test]
    fn case_and_accents_do_not_matter() {
        assert_eq!(tokens_of("Café CAFE\u{301} cafe", 32), ["cafe", "cafe", "cafe"]);
        assert_eq!(words_of("İI ΣΑΣ Straße Ångström ﬁ"), ["ii", "σασ", "straße", "angstrom", "ﬁ"]);
    }

    #[test]
    fn chinese_characters_and_punctuation_are_words() {
        assert_eq!(tokens_of("中文,cafe", 32), ["中", "文", ",", "cafe"]);
        assert_eq!(words_of("a-b_c… «d»"), ["a", "-", "b", "_", "c", "…", "«", "d", "»"]);
        assert_eq!(words_of("カナ 한글"), ["カナ", "한글".nfd().collect::<String>().as_str()]);
    }

    #[test]
    fn control_characters_vanish_and_every_white_space_separates() {
        assert_eq!(words_of("a\0b\u{200d}c\u{ad}d\u{fffd}e"), ["abcde"]);
        assert_eq!(words_of(" a\tb\nc\u{a0}d\u{3000}e\r\n"), ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn the_text_of_a_special_token_is_text() {
        assert_eq!(tokens_of("[SEP]", 32), ["[", "sep", "]"]);
    }

    #[test]
    fn a_word_of_more_than_100_characters_is_unknown() {
        assert_eq!(words_of(&"é".repeat(100_000))[0].len(), 100_000);
        assert_eq!(tokens_of(&format!("un{}", "able".repeat(25)), 32), ["[UNK]"]);
        assert_eq!(tokens_of(&format!("{} cafe", "able".repeat(100_000)), 32), ["[UNK]", "cafe"]);
    }

    #[test]
    fn a_text_without_words_has_no_tokens_of_its_own() {
        for text in ["", " \n\t ", "\0\u{200b}", "\u{301}\u{302}"] {
            assert!(tokens_of(text, 32).is_empty(), "{text:?}");
        }
    }

    #[test]
    fn the_number_of_tokens_includes_begin_and_end_and_cuts_within_words() {
        assert_eq!(tokens_of("unaffable cafe", 4), ["un", "##aff"]);
        assert_eq!(tokens_of("unaffable cafe", 6), ["un", "##aff", "##able", "cafe"]);
        assert_eq!(tokens_of("i ,", 3), ["i"]);
        for too_few in 0..=2 {
            assert!(tokens_of("i", too_few).is_empty());
        }
    }

    #[test]
    fn a_vocabulary_without_a_special_token_is_refused() {
        let sections = VocabularySections::new(&["[CLS]", "[SEP]"].map(str::to_owned));

        let cause = SpecialTokens::find(&sections.view()).expect_err("there is no token for unknown words");
        assert_eq!(cause, "the vocabulary lacks [UNK]");
    }
}
