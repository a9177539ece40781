//! Characters that a renderer shows as nothing.

/// Tells whether `c` has the Unicode property Default_Ignorable_Code_Point: zero-width characters, the soft
/// hyphen, marks of reading direction, variation selectors, tag characters and fillers.
///
/// ```
/// assert!(interleaf_text::ignorable::is_default_ignorable('\u{200b}'));
/// assert!(!interleaf_text::ignorable::is_default_ignorable('a'));
/// ```
pub fn is_default_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFF8}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}
