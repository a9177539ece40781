//! Builds the search query for a failure, and the normalized text by which the same failure is recognized
//! again: both leave out words that change from run to run.

use crate::scanner::Hit;

/// Maximum length of a query, in characters.
const MAX_QUERY_CHARS: usize = 1_200;
/// Maximum number of lines that a query is built from.
const MAX_QUERY_LINES: usize = 16;

/// Maximum number of distinct lines with signals that are ranked.
const MAX_RANKED_LINES: usize = 40;
/// Number of the heaviest lines that come first in a query, and number of lines after each that follow: the
/// cause often stands below the word `error`.
const HEAVY_LINES: usize = 4;
const FOLLOWING_LINES: usize = 2;

/// Returns the words of the heaviest lines, of those that follow them, and of the end of the output, without
/// paths, line numbers, hashes, times and addresses.
pub fn query(text: &str, hits: &[Hit], weight: impl Fn(&Hit) -> f64) -> String {
    let heavy = heavy_lines(text, hits, weight);
    let following = heavy.iter().flat_map(|hit| text[hit.line.end..].lines().skip(1).take(FOLLOWING_LINES));
    let lines = heavy.iter().map(|hit| &text[hit.line.clone()]).chain(following);
    let mut distinct: Vec<&str> = Vec::new();
    for line in lines.chain(text.lines().rev()).map(str::trim).filter(|line| !line.is_empty()) {
        if distinct.len() == MAX_QUERY_LINES {
            break;
        }
        if !distinct.contains(&line) {
            distinct.push(line);
        }
    }
    limited(distinct.iter().flat_map(|line| line.split_whitespace()).filter_map(stable_word))
}

/// Returns a hit for each of the heaviest distinct lines, the heaviest first.
fn heavy_lines<'a>(text: &str, hits: &'a [Hit], weight: impl Fn(&Hit) -> f64) -> Vec<&'a Hit> {
    let mut found: Vec<(&Hit, f64)> = Vec::new();
    for hit in hits {
        let is_same = |known: &Hit| text[known.line.clone()].trim() == text[hit.line.clone()].trim();
        match found.iter().position(|(known, _)| is_same(known)) {
            Some(at) => found[at].1 = found[at].1.max(weight(hit)),
            None if found.len() < MAX_RANKED_LINES => found.push((hit, weight(hit))),
            None => break,
        }
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found.into_iter().map(|(hit, _)| hit).take(HEAVY_LINES).collect()
}

fn limited(words: impl Iterator<Item = String>) -> String {
    let mut query = String::new();
    let mut chars = 0;
    for word in words {
        chars += word.chars().count() + 1;
        if chars > MAX_QUERY_CHARS {
            break;
        }
        query.push_str(&word);
        query.push(' ');
    }
    query.trim_end().to_owned()
}

/// Returns the text without line numbers, times, hashes and addresses, so that two runs yield the same text.
/// File names stay.
pub fn normalize(text: &str) -> String {
    let stable = text.split_whitespace().filter(|word| !is_volatile(bare(word))).map(without_position);
    stable.collect::<Vec<_>>().join(" ")
}

/// Returns the form of a word used in a query; none for a path and for a word that changes from run to run.
fn stable_word(word: &str) -> Option<String> {
    let bare = bare(word);
    let is_path = bare.contains('/') && !bare.starts_with("//") || bare.contains('\\');
    if bare.is_empty() || is_path || is_volatile(bare) || bare.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(without_position(bare).trim_matches(':').to_owned()).filter(|word| !word.is_empty())
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| "\"'`()[]{}<>,;:.…!?".contains(c))
}

/// Returns `main.rs` of `main.rs:12:5`.
fn without_position(word: &str) -> &str {
    let mut kept = word.trim_end_matches(':');
    while let Some((head, tail)) = kept.rsplit_once(':') {
        if tail.is_empty() || !tail.bytes().all(|byte| byte.is_ascii_digit()) || head.is_empty() {
            break;
        }
        kept = head;
    }
    kept
}

/// Tells whether a word changes from run to run: a time, a duration, a hash, an address, an id.
fn is_volatile(word: &str) -> bool {
    is_time(word) || is_hash(word) || is_address(word)
}

/// Tells whether a word is a time or a duration: `12:30:05.1`, `2026-01-01`, `2026-01-01T12:00:00Z`, `0.53s`,
/// `30ms`.
fn is_time(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let marked = word.bytes().all(|byte| byte.is_ascii_digit() || b":-.TZ+/,".contains(&byte));
    let clock = digits >= 4 && marked && (word.contains(':') || word.matches('-').count() == 2);
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let duration = unit.len() < word.len() && ["s", "ms", "us", "µs", "ns", "min", "m", "h"].contains(&unit);
    clock || duration
}

/// Tells whether a word is a UUID or a hexadecimal number of at least seven digits.
fn is_hash(word: &str) -> bool {
    let text = word.strip_prefix("sha256:").unwrap_or(word);
    let text = text.strip_prefix("0x").map_or(text, |rest| if rest.len() >= 4 { rest } else { text });
    let hex = text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let is_specific =
        text.bytes().any(|byte| byte.is_ascii_digit()) && (text.len() >= 7 || word.starts_with("0x"));
    let number = text.bytes().all(|byte| byte.is_ascii_digit());
    hex && is_specific && (!number || word.starts_with("0x") || text.len() >= 10)
}

/// Tells whether a word is a network address: `127.0.0.1:8080`, `[::1]:80`, `localhost:4311`.
fn is_address(word: &str) -> bool {
    let host = word.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    let host = host.map_or(word, |(host, _)| host);
    let numbers = host.split('.').filter(|part| part.parse::<u8>().is_ok()).count();
    numbers == 4 && host.split('.').count() == 4 || host.starts_with('[') && host.contains("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_leaves_out_words_that_change_from_run_to_run() {
        let one = "error: /home/dev/shop/src/a.rs:12:5 handshake of 10.0.0.7:5432 expired after 30.2s at \
                   12:30:05, request 5e551011-0000-4000-8000-000000000001, commit 9fceb02d0ae598e9 at \
                   0x7ffd2a10 on 2026-01-02";
        let two = "error: /tmp/x/src/b.rs:9:1 handshake of 10.0.0.9:5432 expired after 31s at 13:01:59, \
                   request 6e551011-0000-4000-8000-000000000002, commit 1aceb02d0ae598e9 at 0x7ffd2b20 on \
                   2026-02-02";

        assert_eq!(query(one, &[], |_| 0.0), query(two, &[], |_| 0.0));
        assert_eq!(query(one, &[], |_| 0.0), "error handshake of expired after at request commit at on");
    }

    #[test]
    fn a_query_keeps_names_and_error_codes() {
        for word in [
            "E0308",
            "libssl",
            "registry",
            "TS2345",
            "cafe",
            "decade",
            "python3.12",
            "tokio-util",
            "EADDRINUSE",
        ] {
            assert_eq!(stable_word(word).as_deref(), Some(word));
        }
        assert_eq!(stable_word("main.rs:12:5:").as_deref(), Some("main.rs"));
    }

    #[test]
    fn reruns_normalize_to_the_same_text_and_failures_of_different_files_do_not() {
        assert_eq!(normalize("a.rs:3:5: error after 3.1s"), normalize("a.rs:9:1: error after 7s"));
        assert_ne!(normalize("cannot open a/one.txt"), normalize("cannot open a/two.txt"));
        assert_ne!(normalize("job 17 failed"), normalize("job 18 failed"));
    }

    #[test]
    fn a_query_is_short_and_truncated_between_words() {
        let long = "wörtchen ".repeat(400);

        let query = query(&long, &[], |_| 0.0);

        assert!(query.chars().count() <= MAX_QUERY_CHARS && query.ends_with("wörtchen"));
    }
}
