//! Letters that are pasted without a mark: from how they greet to how they close.

use std::ops::Range;

/// Words of a line that greets or closes.
const LONGEST: usize = 5;

/// How only a letter begins, and how people also begin a prompt.
#[rustfmt::skip]
const FORMAL: &[&str] = &[
    "dear", "sehr geehrte", "liebe kolleg", "lieber herr", "liebe frau", "estimad", "apreciad", "prezad",
    "cher ", "chère", "chers", "madame", "monsieur", "gentile", "gentili", "egregio", "geachte", "尊敬的",
    "各位", "お世話になっております", "拝啓",
];
#[rustfmt::skip]
const PLAIN: &[&str] = &[
    "hi", "hello", "hey", "hallo", "liebe", "lieber", "guten tag", "moin", "bonjour", "salut", "hola",
    "buenos días", "buenas", "querid", "olá", "caro", "cara", "ciao", "beste", "您好", "你好", "こんにちは",
];

#[rustfmt::skip]
const CLOSING: &[&str] = &[
    "best regards", "kind regards", "warm regards", "regards", "best", "cheers", "thanks", "thank you",
    "many thanks", "sincerely", "yours", "mfg", "viele grüße", "vg", "lg", "liebe grüße",
    "mit freundlichen", "beste grüße", "gruß", "grüße", "schöne grüße", "danke", "cordialement",
    "bien à vous", "bien cordialement", "amicalement", "merci", "saludos", "un saludo", "atentamente",
    "cordialmente", "gracias", "abraços", "atenciosamente", "obrigad", "cordiali saluti", "saluti",
    "grazie", "met vriendelijke", "groeten", "敬具", "以上", "よろしくお願い", "此致", "谢谢", "顺祝",
];

/// The lines of letters.
pub fn letters(lines: &[&str]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let known = found.last().is_some_and(|letter| letter.contains(&at));
        let first = lines[..at].iter().all(|line| line.trim().is_empty());
        if !known && (greets(line, FORMAL) || !first && greets(line, PLAIN)) {
            found.push(at..end(lines, at));
        }
    }
    found
}

/// Behind the line that closes it and the name below; else behind the first paragraph.
fn end(lines: &[&str], from: usize) -> usize {
    let closing = lines.iter().skip(from + 1).position(|line| closes(line)).map(|at| at + from + 1);
    if let Some(at) = closing {
        let signed = lines.get(at + 1).is_some_and(|line| is_short(line) && !line.contains(['?', '.']));
        return at + 1 + usize::from(signed);
    }
    let text = lines.iter().skip(from + 1).position(|line| !line.trim().is_empty()).unwrap_or_default();
    let text = from + 1 + text;
    lines.iter().skip(text).position(|line| line.trim().is_empty()).map_or(lines.len(), |at| text + at)
}

fn greets(line: &str, greetings: &[&str]) -> bool {
    let line = line.trim();
    is_short(line) && line.ends_with([',', '!', ':', '，', '。', '：', '、']) && begins(line, greetings)
}

/// Whether a letter is closed with this line.
pub fn closes(line: &str) -> bool {
    is_short(line) && begins(line.trim(), CLOSING)
}

fn is_short(line: &str) -> bool {
    !line.trim().is_empty() && line.split_whitespace().count() <= LONGEST && line.chars().count() <= 40
}

/// Whether the line begins with one of these as a word, or with its stem.
fn begins(line: &str, list: &[&str]) -> bool {
    let lower = line.to_lowercase();
    list.iter().any(|word| {
        let stem = word.chars().count() >= 6 || !word.is_ascii();
        lower.strip_prefix(word).is_some_and(|rest| stem || !rest.starts_with(char::is_alphanumeric))
    })
}
