//! Characters that a reader does not see but that a terminal or a model interprets. Everything that removes
//! or shows them uses this list.

/// Code points with the property `Default_Ignorable_Code_Point`: soft hyphens, joiners, marks of reading
/// direction, fillers, variation selectors and tags. Any text can be hidden in a run of them.
///
/// Source: `DerivedCoreProperties.txt` of Unicode 16.0.0. Ranges that touch are joined.
const DEFAULT_IGNORABLE: [(char, char); 17] = [
    ('\u{00AD}', '\u{00AD}'),
    ('\u{034F}', '\u{034F}'),
    ('\u{061C}', '\u{061C}'),
    ('\u{115F}', '\u{1160}'),
    ('\u{17B4}', '\u{17B5}'),
    ('\u{180B}', '\u{180F}'),
    ('\u{200B}', '\u{200F}'),
    ('\u{202A}', '\u{202E}'),
    ('\u{2060}', '\u{206F}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{FE00}', '\u{FE0F}'),
    ('\u{FEFF}', '\u{FEFF}'),
    ('\u{FFA0}', '\u{FFA0}'),
    ('\u{FFF0}', '\u{FFF8}'),
    ('\u{1BCA0}', '\u{1BCA3}'),
    ('\u{1D173}', '\u{1D17A}'),
    ('\u{E0000}', '\u{E0FFF}'),
];

/// Tells whether Unicode gives `c` the property `Default_Ignorable_Code_Point`.
pub fn is_default_ignorable(c: char) -> bool {
    // Most text is below the first code point of the table.
    c >= DEFAULT_IGNORABLE[0].0 && DEFAULT_IGNORABLE.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

/// Tells whether `c` is a control character, a line or paragraph separator, an interlinear annotation or
/// default-ignorable.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || is_default_ignorable(c)
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{FFF9}'..='\u{FFFB}')
}

/// Removes invisible characters. Line feeds and tabs stay.
///
/// ```
/// assert_eq!(interleaf_text::strip_invisible("a\u{1b}[2Jb\u{200b}\nc"), "a[2Jb\nc");
/// ```
pub fn strip_invisible(text: &str) -> String {
    text.chars().filter(|&c| matches!(c, '\n' | '\t') || !is_invisible(c)).collect()
}

/// Replaces every invisible character, including line feeds and tabs, with U+FFFD, so that untrusted text on
/// a terminal cannot move the cursor or change colors or the reading direction.
///
/// ```
/// assert_eq!(interleaf_text::for_terminal("a\rb\u{202e}c"), "a\u{fffd}b\u{fffd}c");
/// ```
pub fn for_terminal(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_invisible(c) {
            // An emoji is often followed by one of these. Nothing hides behind a single one.
            true if matches!(c, '\u{FE0F}' | '\u{200D}') && shown.ends_with(is_symbol) => {}
            true => shown.push('\u{fffd}'),
            false => shown.push(c),
        }
    }
    shown
}

fn is_symbol(c: char) -> bool {
    !c.is_ascii() && c != '\u{fffd}' && !c.is_alphanumeric() && !c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_replaced_or_removed() {
        let controls = ['\u{7}', '\u{1b}', '\u{9b}', '\u{2028}', '\u{fff9}'];
        let edges = DEFAULT_IGNORABLE.into_iter().flat_map(|(first, last)| [first, last]);
        let hidden = ['\u{200c}', '\u{202e}', '\u{2066}', '\u{fe05}', '\u{e0041}', '\u{e01ef}'];
        for c in controls.into_iter().chain(edges).chain(hidden) {
            assert_eq!(for_terminal(&format!("a{c}b")), "a\u{fffd}b", "{c:?}");
            assert_eq!(strip_invisible(&format!("a{c}b")), "ab", "{c:?}");
        }
    }

    #[test]
    fn visible_characters_of_any_script_stay() {
        for text in ["naïve – “Grüße”", "日本語、한국어", "नमस्ते", "שלום", "1 < 2 → ok ✓", "e\u{301}"]
        {
            assert_eq!((for_terminal(text), strip_invisible(text)), (text.to_owned(), text.to_owned()));
        }
    }

    #[test]
    fn the_selector_of_an_emoji_is_left_out_of_a_terminal_and_a_run_of_selectors_is_shown() {
        assert_eq!(for_terminal("\u{26a0}\u{fe0f} careful"), "\u{26a0} careful");
        assert_eq!(for_terminal("src\u{fe0f}"), "src\u{fffd}");
        assert_eq!(for_terminal("\u{26a0}\u{fe0f}\u{e0100}"), "\u{26a0}\u{fffd}");
    }

    #[test]
    fn the_table_is_in_order() {
        assert!(DEFAULT_IGNORABLE.windows(2).all(|pair| pair[0].1 < pair[1].0));
        assert!(DEFAULT_IGNORABLE.iter().all(|(first, last)| first <= last));
    }
}
