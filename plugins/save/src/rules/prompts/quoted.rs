//! Whole sentences in quotation marks, of whatever script: they are somebody's words, and not the person's.
//!
//! A few words in quotes stay: they are a part of the sentence around them (`the button says "Save and close"`).

/// Bytes within which a quotation ends.
const LONGEST: usize = 2_000;

/// Words, or characters of a script without blanks, that make a sentence of what follows a colon or begins a line.
const WORDS: usize = 4;
const CHARACTERS: usize = 8;

/// Where such quotations stand, in order.
pub fn quotations(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut before = '\n';
    for (at, c) in text.char_indices() {
        if found.last().is_none_or(|(_, end)| at >= *end)
            && let Some(end) = closing(c, before).and_then(|close| end(text, at, c, close))
            && is_sentence(&text[at + c.len_utf8()..end], &text[..at])
        {
            found.push((at, end));
        }
        before = c;
    }
    found
}

/// The mark that closes a quotation which this one opens. Straight ones open only where a word could begin.
fn closing(c: char, before: char) -> Option<&'static [char]> {
    let free = before.is_whitespace() || ":：(".contains(before);
    match c {
        '"' if free => Some(&['"', '”']),
        '\'' if free => Some(&['\'']),
        '“' => Some(&['”', '"']),
        '„' => Some(&['“', '”', '"']),
        '«' => Some(&['»']),
        '»' => Some(&['«']),
        '「' => Some(&['」']),
        '『' => Some(&['』']),
        _ => None,
    }
}

/// Behind the mark that closes it. A straight one closes where a word could end, so no apostrophe does.
fn end(text: &str, at: usize, open: char, close: &[char]) -> Option<usize> {
    let from = at + open.len_utf8();
    let rest = &text[from..];
    let rest = &rest[..rest.floor_char_boundary(LONGEST)];
    rest.match_indices(close).find_map(|(length, mark)| {
        let next = rest[length + mark.len()..].chars().next();
        let ends = !matches!(open, '"' | '\'') || next.is_none_or(|next| !next.is_alphanumeric());
        ends.then_some(from + length + mark.len())
    })
}

/// Whether this is a sentence or more: it has the stop of one in it, or stands where only a quotation does.
fn is_sentence(inside: &str, before: &str) -> bool {
    let words = inside.split_whitespace().count();
    let signs = inside.chars().filter(|c| super::super::words::is_ideograph(*c)).count();
    let stops = inside.contains(['。', '！', '？']) && signs >= CHARACTERS / 2
        || words >= 3 && inside.match_indices(['.', '!', '?']).any(|(at, _)| stops_at(inside, at));
    let before = before.trim_end_matches([' ', '\t']);
    let alone = before.is_empty() || before.ends_with([':', '：', '\n', ',']);
    stops || alone && (words >= WORDS || signs >= CHARACTERS)
}

/// Whether a sentence ends with this sign: a space, a line or the quotation ends behind it.
fn stops_at(inside: &str, at: usize) -> bool {
    let mut rest = inside[at + 1..].chars();
    rest.next().is_none_or(|next| next.is_whitespace() || "\"”“»'".contains(next))
}
