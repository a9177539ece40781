//! The classes of characters that BERT's tokenizer tells apart.
//!
//! The rules are those of the tokenizer that BERT was published with. The reference implementation
//! (`tokenizers` 0.23.3) uses older tables of Unicode: 693 of all 1 112 064 characters, which Unicode added
//! or reclassified since, yield other tokens there.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Code points that are words of their own: the blocks of Chinese characters. Kana and Hangul do not belong
/// to them. The last but one block begins at U+2B920, as in the reference implementation; Unicode's begins
/// at U+2B820.
const CHINESE_CHARACTERS: [(char, char); 7] = [
    ('\u{3400}', '\u{4DBF}'),
    ('\u{4E00}', '\u{9FFF}'),
    ('\u{F900}', '\u{FAFF}'),
    ('\u{20000}', '\u{2A6DF}'),
    ('\u{2A700}', '\u{2B81F}'),
    ('\u{2B920}', '\u{2CEAF}'),
    ('\u{2F800}', '\u{2FA1F}'),
];

/// Tells whether the tokenizer drops `c`: a control or format character, one of private use, or the mark of
/// a decoding error. The three control characters that count as white space stay.
pub(crate) fn is_dropped(c: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse};
    match c {
        '\t' | '\n' | '\r' | ' '..='~' => false,
        '\u{FFFD}' => true,
        _ => matches!(c.general_category(), Control | Format | PrivateUse),
    }
}

/// Tells whether `c` is a Chinese character.
pub(crate) fn is_chinese(c: char) -> bool {
    c >= CHINESE_CHARACTERS[0].0
        && CHINESE_CHARACTERS.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

/// Tells whether `c` is an accent or another mark that takes no space (category Mn).
pub(crate) fn is_accent(c: char) -> bool {
    !c.is_ascii() && c.general_category() == GeneralCategory::NonspacingMark
}

/// Tells whether `c` is punctuation. All ASCII characters that are no letters, digits or white space count,
/// also `$`, `+` and `~`, which Unicode calls symbols.
pub(crate) fn is_punctuation(c: char) -> bool {
    match c.is_ascii() {
        true => c.is_ascii_punctuation(),
        false => c.general_category_group() == GeneralCategoryGroup::Punctuation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_stays_and_other_control_characters_go() {
        assert!(!"a \t\n\r\u{a0}\u{3000}é".contains(is_dropped));
        for c in ['\0', '\u{7}', '\u{b}', '\u{85}', '\u{ad}', '\u{200d}', '\u{feff}', '\u{fffd}', '\u{e000}']
        {
            assert!(is_dropped(c), "{c:?}");
        }
    }

    #[test]
    fn chinese_characters_are_told_from_kana_and_hangul() {
        assert!("中文豈𠀀㐀".chars().all(is_chinese));
        assert!(!"かなカナ한글a".contains(is_chinese));
    }

    #[test]
    fn marks_that_take_space_are_no_accents() {
        assert!("\u{301}\u{327}\u{5b0}".chars().all(is_accent));
        assert!(!"\u{903}\u{20dd}e^".contains(is_accent));
    }

    #[test]
    fn ascii_symbols_count_as_punctuation_and_other_symbols_do_not() {
        assert!("$+<=>^`|~!_…«»。".chars().all(is_punctuation));
        assert!(!"€×©→😀a1".contains(is_punctuation));
    }
}
