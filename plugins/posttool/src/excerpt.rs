//! The few lines that matter, cut so that nothing is split: a word cut in two could be half a secret, which redaction
//! would no longer know.

use std::ops::Range;

use crate::scan::{Hit, lines};

/// Bytes of an excerpt, of a line in it, and of a summary (in characters).
const MOST: usize = 1 << 10;
const MOST_OF_LINE: usize = 300;
const MOST_OF_SUMMARY: usize = 100;

/// What stands for lines left out.
const GAP: &str = "…";

/// The lines with signals, the heaviest first while there is room, in the order of the text, with the lines next to
/// them; without any, the last lines.
pub fn excerpt(text: &str, hits: &[Hit], weight: impl Fn(&Hit) -> f64) -> String {
    let lines: Vec<Range<usize>> = lines(text).collect();
    let hidden = secret_blocks(text, &lines);
    let mut chosen = vec![false; lines.len()];
    let mut room = MOST;
    let mut choose = |at: usize| {
        let cost = cut(text[lines[at].clone()].trim_end(), MOST_OF_LINE).len() + 2 + GAP.len();
        let free = !chosen[at] && !hidden[at] && !text[lines[at].clone()].trim().is_empty();
        if free && cost <= room {
            chosen[at] = true;
            room -= cost;
        }
    };
    let wanted = wanted(&lines, hits, weight);
    wanted.iter().for_each(|at| choose(*at));
    for at in &wanted {
        (at.saturating_sub(1)..lines.len().min(at + 3)).for_each(&mut choose);
    }
    if wanted.is_empty() {
        (0..lines.len()).rev().take(20).for_each(choose);
    }
    join(text, &lines, &chosen)
}

/// The numbers of the lines with signals, the heaviest first.
fn wanted(lines: &[Range<usize>], hits: &[Hit], weight: impl Fn(&Hit) -> f64) -> Vec<usize> {
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
        joined.push_str(&cut(text[lines[at].clone()].trim_end(), MOST_OF_LINE));
        joined.push('\n');
        last = Some(at);
    }
    joined.truncate(joined.trim_end().len());
    joined
}

/// Lines inside a block of a private key or the like: taken out of their block, nobody would know them.
fn secret_blocks(text: &str, lines: &[Range<usize>]) -> Vec<bool> {
    let mut inside = false;
    let hide = |line: &Range<usize>| {
        let line = &text[line.clone()];
        let begins = line.contains("-----BEGIN");
        let hidden = inside || begins;
        inside = hidden && !line.contains("-----END");
        hidden
    };
    lines.iter().map(hide).collect()
}

/// One line of at most a hundred characters.
pub fn summary(subject: &str, line: &str) -> String {
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let program = subject.split(' ').next().unwrap_or_default();
    let says_so = line.strip_prefix(program).is_some_and(|rest| rest.starts_with(':'));
    let whole = if says_so { line } else { format!("{subject}: {line}") };
    let bytes = whole.char_indices().nth(MOST_OF_SUMMARY).map_or(whole.len(), |(at, _)| at);
    cut(&whole, bytes)
}

/// The beginning of a text, at most so many bytes, ending with a whole word and no open quotation.
pub fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let bound = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let end = match text[bound..].starts_with(char::is_whitespace) {
        true => bound,
        false => text[..bound].rfind(char::is_whitespace).unwrap_or_default(),
    };
    let kept = text[..end].trim_end();
    let open = kept.matches('"').count() % 2 == 1;
    let kept = if open { kept.rfind('"').map_or("", |at| &kept[..at]) } else { kept };
    // What stood right before the quotation belongs to it.
    let kept = if open && !kept.ends_with(char::is_whitespace) {
        kept.rfind(char::is_whitespace).map_or("", |at| &kept[..at])
    } else {
        kept
    };
    kept.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{Reading, scan};

    fn of(text: &str) -> String {
        excerpt(text, &scan(text, Reading::Output), |hit| hit.signal.weight())
    }

    #[test]
    fn the_lines_that_matter_are_kept_in_their_order() {
        let clean =
            "    Compiling shop v0.1.0 with a rather long line of nothing in particular\n".repeat(400);
        let text = format!(
            "{clean}error[E0308]: mismatched types\n --> src/a.rs:3:5\n{clean}error: could not compile `shop`\n"
        );

        let excerpt = of(&text);

        assert!(excerpt.len() <= MOST, "{}", excerpt.len());
        let [first, second] =
            ["error[E0308]", "could not compile"].map(|part| excerpt.find(part).expect(part));
        assert!(first < second && excerpt.contains("src/a.rs:3:5") && excerpt.contains(GAP), "{excerpt}");
    }

    #[test]
    fn without_a_signal_the_end_is_kept() {
        let text = (0..900).map(|number| format!("line {number}\n")).collect::<String>();

        assert!(of(&text).ends_with("line 899"));
    }

    #[test]
    fn a_cut_splits_neither_words_nor_characters_nor_quotations() {
        assert_eq!(cut("alpha beta gamma", 12), "alpha beta");
        assert_eq!(cut("alpha beta", 10), "alpha beta");
        assert_eq!(cut(&"x".repeat(50), 10), "");
        assert_eq!(cut("ä ö ü ß", 4), "ä");
        assert_eq!(cut("login PASSWORD=\"one two three\" now", 24), "login");
    }

    #[test]
    fn a_summary_has_at_most_a_hundred_characters() {
        for line in ["", "short", &"wörter ".repeat(60), &"x".repeat(500)] {
            assert!(summary("cargo test", line).chars().count() <= MOST_OF_SUMMARY);
        }
        assert_eq!(summary("make all", "  a   b "), "make all: a b");
        assert_eq!(summary("cat", "cat: x: No such file"), "cat: x: No such file");
    }

    #[test]
    fn the_body_of_a_key_is_never_taken_out_of_its_block() {
        let text = "error: key\n-----BEGIN RSA KEY-----\nfailed body error\nabc\n-----END RSA KEY-----\nfine";

        let excerpt = of(text);

        assert!(!excerpt.contains("body") && !excerpt.contains("abc"), "{excerpt}");
    }
}
