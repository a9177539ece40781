//! The news before a cause: `It works again: the plugin was missing.` What is kept is why.
//!
//! The cause is what follows a short beginning that says that all is well. No table of causes is asked there: whoever
//! writes a colon behind good news says what it took.

use crate::word_lists::{WELL, WELL_WITHOUT_BLANKS, has_any};

/// Words of such a beginning, and characters where there are no blanks.
const MOST: usize = 7;
const MOST_CHARACTERS: usize = 14;

/// What follows the good news that a sentence begins with.
pub fn behind(sentence: &str) -> Option<&str> {
    let (at, sign) = sentence.char_indices().find(|(at, c)| parts(sentence, *at, *c))?;
    let (head, tail) = (&sentence[..at], sentence[at + sign.len_utf8()..].trim());
    (is_good(head) && !tail.is_empty()).then_some(tail)
}

/// Whether a text is good news and nothing else.
pub fn is_good(text: &str) -> bool {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let dense = text.trim().chars().count() <= MOST_CHARACTERS && has_any(text, &WELL_WITHOUT_BLANKS);
    dense || words.len() <= MOST && words.iter().any(|word| WELL.has(word))
}

/// A sign that parts news from their cause, outside of code.
fn parts(sentence: &str, at: usize, c: char) -> bool {
    let blank = sentence[at + c.len_utf8()..].starts_with(char::is_whitespace);
    let code = sentence[..at].matches('`').count() % 2 == 1;
    !code && (matches!(c, '：' | '，' | '；' | '、') || matches!(c, ':' | ';' | '–' | '—') && blank)
}

#[cfg(test)]
mod tests {
    use super::behind;

    #[test]
    fn what_follows_good_news_is_the_cause() {
        for (sentence, cause) in [
            ("Ça compile : il fallait Java 17.", "il fallait Java 17."),
            ("`make proto` works; it needs grpcio-tools.", "it needs grpcio-tools."),
            ("Resolvido: duas migrações em paralelo.", "duas migrações em paralelo."),
            ("All 61 pass now: they only hold with TZ=UTC.", "they only hold with TZ=UTC."),
            ("编译通过了，之前缺少 sass 依赖。", "之前缺少 sass 依赖。"),
            ("Läuft – das Zertifikat war abgelaufen.", "das Zertifikat war abgelaufen."),
        ] {
            assert_eq!(behind(sentence), Some(cause));
        }
    }

    #[test]
    fn what_is_no_news_stays_whole() {
        for sentence in [
            "Node 18: the default changed.",
            "The lockfile was behind; the install refreshed it.",
            "It needs `a: b` in the file.",
            "The cache key lacked the lock file, so the job that runs on every push never got the new one: bump it.",
            "TZ=UTC was missing.",
        ] {
            assert_eq!(behind(sentence), None, "{sentence}");
        }
    }
}
