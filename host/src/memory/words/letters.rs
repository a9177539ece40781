//! Letters: lower case, without accents, and which scripts are written without spaces.

/// The word in lower case, without accents, apostrophes and combining marks: `Häuser` and `HAUSER` are one
/// word, and so are a composed and a decomposed `ü`.
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
            c => folded.push(base(c)),
        }
    }
    folded
}

/// The letter under the accent.
fn base(letter: char) -> char {
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

/// A mark that belongs to the letter before it.
pub(super) fn is_combining(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}' | '\u{200C}' | '\u{200D}')
}

pub(super) fn is_hiragana(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{309F}')
}

/// Emoji, flags and dingbats, each a word of its own.
pub(super) fn is_sign(character: char) -> bool {
    matches!(character, '\u{2600}'..='\u{27BF}' | '\u{1F1E6}'..='\u{1F1FF}' | '\u{1F300}'..='\u{1FAFF}')
}

/// Chinese, Japanese and Korean letters, which are read in pairs.
pub(super) fn is_pair_script(character: char) -> bool {
    matches!(
        character,
        '\u{3005}' | '\u{3041}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}'
            | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}'
            | '\u{1100}'..='\u{11FF}' | '\u{AC00}'..='\u{D7AF}'
    ) && character.is_alphanumeric()
}
