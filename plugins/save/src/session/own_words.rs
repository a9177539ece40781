//! The words of the speaker alone: a text without code and quotations. What a person pasted is not in their
//! text any more, because the host has separated it.

use std::ops::Range;

use interleaf_text::code_fences::fenced;

use interleaf_classifier::words::is_ideograph;

/// Maximum size of a text, in bytes. Nobody types more, and a longer text must not make a flush slow.
const MAX_TEXT_BYTES: usize = 16 << 10;

/// Maximum length of a quotation, in bytes.
const MAX_QUOTATION_BYTES: usize = 2_000;

/// Minimum size of a quotation that is a sentence where it begins a line or follows a colon, in words, or in
/// characters of a script without blanks.
const MIN_WORDS: usize = 4;
const MIN_CHARACTERS: usize = 8;

/// Returns the parts of a text that are the speaker's own, in order. A few words in quotation marks belong to
/// the sentence around them: `the button says "Save and close"`.
pub fn own(text: &str) -> Vec<&str> {
    let text = &text[..text.floor_char_boundary(MAX_TEXT_BYTES)];
    let mut taken = enclosed_lines(text);
    taken.extend(quotations(text));
    taken.sort_by_key(|range| range.start);
    let (mut parts, mut start) = (Vec::new(), 0);
    for range in taken {
        parts.push(&text[start.min(range.start)..range.start]);
        start = start.max(range.end);
    }
    parts.push(&text[start.min(text.len())..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// Returns the lines of code, quotations and tables.
fn enclosed_lines(text: &str) -> Vec<Range<usize>> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let fenced = fenced(&lines.iter().map(|line| line.trim_end_matches('\n')).collect::<Vec<_>>());
    let mut start = 0;
    let ranges = lines.iter().zip(fenced).filter_map(|(line, fenced)| {
        let range = start..start + line.len();
        start = range.end;
        (fenced || line.trim_start().starts_with(['>', '|'])).then_some(range)
    });
    ranges.collect()
}

/// Returns the whole sentences in quotation marks.
fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut before = '\n';
    for (at, c) in text.char_indices() {
        if found.last().is_none_or(|last| at >= last.end)
            && let Some(end) = closing(c, before).and_then(|close| end(text, at, c, close))
            && is_sentence(&text[at + c.len_utf8()..end], &text[..at])
        {
            found.push(at..end);
        }
        before = c;
    }
    found
}

/// Returns the marks that close a quotation which this character opens. Straight marks open only where a word
/// could begin.
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

/// Returns the place behind the mark that closes a quotation. A straight mark closes only where a word could
/// end, so that an apostrophe does not.
fn end(text: &str, at: usize, open: char, close: &[char]) -> Option<usize> {
    let from = at + open.len_utf8();
    let rest = &text[from..];
    let rest = &rest[..rest.floor_char_boundary(MAX_QUOTATION_BYTES)];
    rest.match_indices(close).find_map(|(length, mark)| {
        let next = rest[length + mark.len()..].chars().next();
        let ends = !matches!(open, '"' | '\'') || next.is_none_or(|next| !next.is_alphanumeric());
        ends.then_some(from + length + mark.len())
    })
}

/// Tells whether a quotation is a sentence or more: a sentence ends in it, or it stands alone.
fn is_sentence(inside: &str, before: &str) -> bool {
    let words = inside.split_whitespace().count();
    let characters = inside.chars().filter(|c| is_ideograph(*c)).count();
    let stops = inside.contains(['。', '！', '？']) && characters >= MIN_CHARACTERS / 2
        || words >= 3 && inside.match_indices(['.', '!', '?']).any(|(at, _)| ends_sentence(inside, at));
    let before = before.trim_end_matches([' ', '\t']);
    let alone = before.is_empty() || before.ends_with([':', '：', '\n', ',']);
    stops || alone && (words >= MIN_WORDS || characters >= MIN_CHARACTERS)
}

fn ends_sentence(inside: &str, at: usize) -> bool {
    let next = inside[at + 1..].chars().next();
    next.is_none_or(|next| next.is_whitespace() || "\"”“»'".contains(next))
}

#[cfg(test)]
mod tests {
    use super::own;

    fn joined(text: &str) -> String {
        own(text).join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn code_tables_and_whole_sentences_in_quotation_marks_are_not_the_speakers() {
        for (text, left) in [
            ("look:\n```\nnever use npm\n```\nthanks", "look: thanks"),
            ("> always use yarn\nwhat is this", "what is this"),
            ("see\n| never | always |\nok", "see ok"),
            ("from the docs: \"You must always call open() first.\" is that so", "from the docs: is that so"),
            ("the page says «Il faut toujours valider. Jamais sans test.» bizarre", "the page says bizarre"),
            ("「常に左寄せにすること。絶対に中央にしない。」って変だよね", "って変だよね"),
            ("he wrote 'never deploy. ever.' in the chat", "he wrote in the chat"),
            ("produkt sagt: „Alle Knöpfe sind immer rot.“", "produkt sagt:"),
        ] {
            assert_eq!(joined(text), left, "{text}");
        }
    }

    #[test]
    fn a_few_words_in_quotation_marks_belong_to_their_sentence() {
        for text in [
            "the button must say \"Save and close it\" everywhere",
            "文案统一用“您好”开头",
            "don't use it, it's slow. that's what we've seen",
            "```npm ci``` fails, from now on always use pnpm here",
            "<UserCard /> must never be used outside of features/user",
            "- rules:\n    - never log tokens",
        ] {
            assert_eq!(joined(text), text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }

    #[test]
    fn of_a_very_long_text_only_the_beginning_is_read() {
        assert!(own(&"never use it. ".repeat(10_000)).concat().len() <= super::MAX_TEXT_BYTES);
    }
}
