//! Extracts the important lines of an output. Lines are truncated between words, because redaction would not
//! recognize half a secret.

use std::ops::Range;

use crate::scanner::{Hit, lines};

/// Maximum length of an excerpt, in bytes.
const MAX_EXCERPT_BYTES: usize = 1 << 10;
/// Maximum length of a line in an excerpt, in bytes.
const MAX_LINE_BYTES: usize = 300;
/// Maximum length of a summary, in characters.
const MAX_SUMMARY_CHARS: usize = 100;

/// Maximum number of last lines in the excerpt of an output without signals.
const MAX_LAST_LINES: usize = 20;

/// Mark for omitted lines.
const GAP: &str = "…";

/// Begins the first line of a block such as a private key.
const BLOCK_START: &str = "-----BEGIN";

/// Returns the lines with signals and their neighbors, as many as fit. They are chosen by weight and returned
/// in the order of the text. Without signals, returns the last lines.
pub fn excerpt(text: &str, hits: &[Hit], weight: impl Fn(&Hit) -> f64) -> String {
    let lines: Vec<Range<usize>> = lines(text).collect();
    let hidden = secret_blocks(text, &lines);
    let mut chosen = vec![false; lines.len()];
    let mut room = MAX_EXCERPT_BYTES;
    let mut choose = |at: usize| {
        let cost = truncate(text[lines[at].clone()].trim_end(), MAX_LINE_BYTES).len() + 2 + GAP.len();
        let free = !chosen[at] && !hidden[at] && !text[lines[at].clone()].trim().is_empty();
        if free && cost <= room {
            chosen[at] = true;
            room -= cost;
        }
    };
    let signal_lines = signal_lines(&lines, hits, weight);
    signal_lines.iter().for_each(|at| choose(*at));
    for at in &signal_lines {
        (at.saturating_sub(1)..lines.len().min(at + 3)).for_each(&mut choose);
    }
    if signal_lines.is_empty() {
        (0..lines.len()).rev().take(MAX_LAST_LINES).for_each(choose);
    }
    join(text, &lines, &chosen)
}

/// Returns the numbers of the lines with signals, the heaviest first.
fn signal_lines(lines: &[Range<usize>], hits: &[Hit], weight: impl Fn(&Hit) -> f64) -> Vec<usize> {
    let mut found: Vec<(usize, f64)> = Vec::new();
    for hit in hits {
        let Ok(at) = lines.binary_search_by_key(&hit.line.start, |line| line.start) else { continue };
        match found.last_mut() {
            Some((last, heaviest)) if *last == at => *heaviest = heaviest.max(weight(hit)),
            _ => found.push((at, weight(hit))),
        }
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.into_iter().map(|(at, _)| at).collect()
}

fn join(text: &str, lines: &[Range<usize>], chosen: &[bool]) -> String {
    let mut joined = String::new();
    let mut last = None;
    for at in (0..lines.len()).filter(|at| chosen[*at]) {
        if last.is_some_and(|last| last + 1 != at) {
            joined.push_str(GAP);
            joined.push('\n');
        }
        joined.push_str(&truncate(text[lines[at].clone()].trim_end(), MAX_LINE_BYTES));
        joined.push('\n');
        last = Some(at);
    }
    joined.truncate(joined.trim_end().len());
    joined
}

/// Tells for each line whether it is inside a block such as a private key. Redaction would not recognize a
/// single line of the block.
fn secret_blocks(text: &str, lines: &[Range<usize>]) -> Vec<bool> {
    if !text.contains(BLOCK_START) {
        return vec![false; lines.len()];
    }
    let mut inside = false;
    let hide = |line: &Range<usize>| {
        let line = &text[line.clone()];
        let begins = line.contains(BLOCK_START);
        let hidden = inside || begins;
        inside = hidden && !line.contains("-----END");
        hidden
    };
    lines.iter().map(hide).collect()
}

/// Returns one line of at most a hundred characters.
pub fn summary(subject: &str, line: &str) -> String {
    let line = interleaf_text::collapse_whitespace(line);
    let program = subject.split(' ').next().unwrap_or_default();
    let names_program = line.strip_prefix(program).is_some_and(|rest| rest.starts_with(':'));
    let summary = if names_program { line } else { format!("{subject}: {line}") };
    let bytes = summary.char_indices().nth(MAX_SUMMARY_CHARS).map_or(summary.len(), |(at, _)| at);
    truncate(&summary, bytes)
}

/// Returns the beginning of a text, at most `max_bytes` long, without a partial word and without an open
/// quotation. `interleaf_text::truncate_at_word` does not suffice here, because a quoted secret may contain
/// white space.
pub fn truncate(text: &str, max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    let bound = (0..=max_bytes).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let end = match text[bound..].starts_with(char::is_whitespace) {
        true => bound,
        false => text[..bound].rfind(char::is_whitespace).unwrap_or_default(),
    };
    let kept = text[..end].trim_end();
    let is_open = kept.matches('"').count() % 2 == 1;
    let kept = if is_open { kept.rfind('"').map_or("", |at| &kept[..at]) } else { kept };
    // The text right before the quotation belongs to it: `PASSWORD="…"`.
    let kept = if is_open && !kept.ends_with(char::is_whitespace) {
        kept.rfind(char::is_whitespace).map_or("", |at| &kept[..at])
    } else {
        kept
    };
    kept.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scanner::{ScanMode, scan};

    fn of(text: &str) -> String {
        excerpt(text, &scan(text, ScanMode::Output), |hit| hit.signal.weight())
    }

    #[test]
    fn an_excerpt_holds_the_lines_with_signals_in_the_order_of_the_text() {
        let clean =
            "    Compiling shop v0.1.0 with a rather long line of nothing in particular\n".repeat(400);
        let text = format!(
            "{clean}error[E0308]: mismatched types\n --> src/a.rs:3:5\n{clean}error: could not compile \
             `shop`\n"
        );

        let excerpt = of(&text);

        assert!(excerpt.len() <= MAX_EXCERPT_BYTES, "{}", excerpt.len());
        let [first, second] =
            ["error[E0308]", "could not compile"].map(|part| excerpt.find(part).expect(part));
        assert!(first < second && excerpt.contains("src/a.rs:3:5") && excerpt.contains(GAP), "{excerpt}");
    }

    #[test]
    fn without_a_signal_the_excerpt_is_the_end_of_the_text() {
        let text = (0..900).map(|number| format!("line {number}\n")).collect::<String>();

        assert!(of(&text).ends_with("line 899"));
    }

    #[test]
    fn truncation_splits_neither_words_nor_characters_nor_quotations() {
        assert_eq!(truncate("alpha beta gamma", 12), "alpha beta");
        assert_eq!(truncate("alpha beta", 10), "alpha beta");
        assert_eq!(truncate(&"x".repeat(50), 10), "");
        assert_eq!(truncate("ä ö ü ß", 4), "ä");
        assert_eq!(truncate("login PASSWORD=\"one two three\" now", 24), "login");
    }

    #[test]
    fn a_summary_has_at_most_a_hundred_characters() {
        for line in ["", "short", &"wörter ".repeat(60), &"x".repeat(500)] {
            assert!(summary("cargo test", line).chars().count() <= MAX_SUMMARY_CHARS);
        }
        assert_eq!(summary("make all", "  a   b "), "make all: a b");
        assert_eq!(summary("cat", "cat: x: No such file"), "cat: x: No such file");
    }

    #[test]
    fn an_excerpt_holds_no_line_of_a_key_block() {
        let text = "error: key\n-----BEGIN RSA KEY-----\nfailed body error\nabc\n-----END RSA KEY-----\nfine";

        let excerpt = of(text);

        assert!(!excerpt.contains("body") && !excerpt.contains("abc"), "{excerpt}");
    }
}
