//! Accent folding: lower case, without accents and apostrophes. The search index stores folded terms.
//! `unicode-normalization` would also fold Cyrillic, Greek and Vietnamese letters, so that stored terms would
//! no longer match.

/// Returns the word in lower case, without accents, apostrophes and combining marks. `Häuser` and `HAUSER`
/// fold to the same word, and so do a composed and a decomposed `ü`.
pub(super) fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for character in word.chars().flat_map(char::to_lowercase) {
        match character {
            c if c.is_ascii() && c != '\'' => folded.push(c),
            '\'' | '’' | 'ʼ' => {}
            c if is_combining(c) => {}
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            c => folded.push(base_letter(c)),
        }
    }
    folded
}

/// Returns the letter without its accent.
fn base_letter(letter: char) -> char {
    match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' | 'đ' | 'ð' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ĥ' | 'ħ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => 'i',
        'ĵ' => 'j',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ŗ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => 's',
        'ţ' | 'ť' | 'ŧ' | 'ț' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ŵ' => 'w',
        'ý' | 'ÿ' | 'ŷ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        'ς' => 'σ',
        fullwidth @ '！'..='～' => {
            char::from_u32(fullwidth as u32 - 0xFEE0).map_or(fullwidth, |plain| plain.to_ascii_lowercase())
        }
        other => other,
    }
}

/// Tells whether a character is a combining mark, which belongs to the letter before it, or a joiner.
pub(super) fn is_combining(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}' | '\u{200C}' | '\u{200D}')
}
