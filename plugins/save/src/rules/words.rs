//! A sentence as the rules compare it: lower-cased words, where clauses begin, and what two texts have in common.
//!
//! Quoted text and code are one opaque word each: what somebody else said, or a program, states no rule.

use std::collections::BTreeSet;

/// Words of a sentence that are compared; of a longer one the rest counts for nothing.
const MOST: usize = 120;

/// Bytes within which a quotation has to end.
const LONGEST_QUOTATION: usize = 600;

/// Opaque words: for code, and for a quotation.
pub const CODE: &str = "`";
pub const QUOTED: &str = "\"";

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Lower-cased, without apostrophes.
    pub text: String,
    /// Where it begins and ends in the sentence.
    pub start: usize,
    pub end: usize,
    /// Whether a clause begins with it, but for words that only lead to it.
    pub opens: bool,
    /// Whether a sign stands before it.
    pub parted: bool,
}

/// Words behind which a clause begins, wherever they stand.
const JOINING: &[&str] = &[
    "and", "but", "then", "so", "und", "aber", "sondern", "et", "mais", "donc", "y", "pero", "e", "mas",
    "ma", "maar", "dus", "ale", "és", "de", "ve", "ama", "и", "а", "но", "also",
];

/// Words that stand before what is meant.
const LEADING: &[&str] = &[
    "please",
    "ok",
    "okay",
    "no",
    "nope",
    "nah",
    "yes",
    "yeah",
    "hey",
    "hm",
    "hmm",
    "well",
    "now",
    "right",
    "good",
    "fine",
    "btw",
    "fyi",
    "again",
    "just",
    "oh",
    "ah",
    "sorry",
    "stop",
    "wait",
    "actually",
    "great",
    "thanks",
    "cool",
    "bitte",
    "nein",
    "ne",
    "nee",
    "ja",
    "gut",
    "super",
    "danke",
    "achso",
    "übrigens",
    "moment",
    "halt",
    "stopp",
    "doch",
    "non",
    "oui",
    "stp",
    "svp",
    "merci",
    "attention",
    "vale",
    "sí",
    "si",
    "gracias",
    "por",
    "favor",
    "oye",
    "não",
    "sim",
    "obrigado",
    "per",
    "favore",
    "grazie",
    "alsjeblieft",
    "graag",
    "goed",
    "prima",
    "proszę",
    "kérlek",
    "lütfen",
    "hayır",
    "tamam",
    "пожалуйста",
    "нет",
    "да",
    "ладно",
    "hallo",
];

/// Words that lose their end to the next one: `l'API`, `dell'ordine`.
const ELIDED: &[&str] = &[
    "l", "d", "n", "j", "m", "t", "s", "c", "qu", "jusqu", "lorsqu", "puisqu", "un", "all", "dell", "nell",
    "dall", "sull",
];

/// The words of a sentence.
pub fn words(sentence: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let (mut at, mut opens, mut parted) = (0, true, false);
    while at < sentence.len() && words.len() < MOST {
        let Some(c) = sentence[at..].chars().next() else { break };
        if let Some((end, word)) = opaque(sentence, at, c) {
            words.push(Word { text: word.to_owned(), start: at, end, opens, parted });
            (at, opens, parted) = (end, false, false);
        } else if c.is_alphanumeric() {
            let end = end_of_word(sentence, at, c);
            let text = lowered(&sentence[at..end]);
            let (lead, joins) = (LEADING.contains(&text.as_str()), JOINING.contains(&text.as_str()));
            let next = joins && (opens || text.len() > 1) || lead && opens;
            words.push(Word { text, start: at, end, opens, parted });
            (at, opens, parted) = (end, next, false);
        } else {
            parted |= ",;:()[]{}–—!?.。、，；：•*|".contains(c) || c == '-' && sentence[..at].ends_with(' ');
            opens |= parted;
            at += c.len_utf8();
        }
    }
    words
}

/// Lower-cased, without apostrophes: `don't` and `dont` are one.
pub fn lowered(text: &str) -> String {
    text.chars()
        .filter(|c| !is_apostrophe(*c))
        .flat_map(char::to_lowercase)
        .filter(|c| *c != '\u{307}')
        .collect()
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2018}')
}

/// Characters of scripts that are written without blanks: each is a word.
pub fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

fn end_of_word(sentence: &str, at: usize, first: char) -> usize {
    if is_ideograph(first) {
        return at + first.len_utf8();
    }
    let rest = &sentence[at..];
    let mut chars = rest.char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        let next = chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        let inside = is_apostrophe(c) && next && !ELIDED.contains(&rest[..offset].to_lowercase().as_str());
        if !(c.is_alphanumeric() && !is_ideograph(c) || c == '_' || inside) {
            return at + offset;
        }
    }
    sentence.len()
}

/// Where a quotation of three words or more, or code, ends that begins here.
fn opaque(sentence: &str, at: usize, c: char) -> Option<(usize, &'static str)> {
    let closing: &[char] = match c {
        '`' => &['`'],
        '"' => &['"'],
        '“' => &['”', '"'],
        '„' => &['“', '”', '"'],
        '«' => &['»'],
        '「' => &['」'],
        _ => return None,
    };
    let inside = &sentence[at + c.len_utf8()..];
    let inside = &inside[..inside.floor_char_boundary(LONGEST_QUOTATION)];
    let length = inside.find(closing)?;
    let close = inside[length..].chars().next()?.len_utf8();
    let end = at + c.len_utf8() + length + close;
    let many = inside[..length].split_whitespace().nth(2).is_some();
    match c {
        '`' => Some((end, CODE)),
        _ if many || c == '「' => Some((end, QUOTED)),
        _ => None,
    }
}

/// What a text is about: the beginnings of its words, without those that every text has.
pub fn stems(text: &str) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    let mut before: Option<char> = None;
    for word in
        text.split(|c: char| !c.is_alphanumeric() && !is_apostrophe(c)).filter(|word| !word.is_empty())
    {
        let word = lowered(word);
        if word.chars().any(is_ideograph) {
            for c in word.chars() {
                before.map(|before| stems.insert([before, c].iter().collect()));
                before = Some(c);
            }
            continue;
        }
        let number = word.starts_with(|c: char| c.is_ascii_digit());
        if number || word.chars().count() >= 3 && !COMMON.contains(&word.as_str()) {
            stems.insert(word.chars().take(5).collect());
        }
    }
    stems
}

/// Words that say nothing of what a text is about.
const COMMON: &[&str] = &[
    "the", "and", "but", "for", "not", "never", "always", "use", "used", "using", "here", "this", "that",
    "with", "without", "from", "into", "than", "then", "instead", "rather", "because", "please", "only",
    "must", "should", "have", "has", "are", "was", "were", "will", "would", "can", "cannot", "cant", "dont",
    "does", "doesnt", "its", "they", "them", "you", "your", "our", "one", "all", "any", "each", "every",
    "more", "less", "now", "also", "just", "new", "get", "got", "make", "makes", "made", "let", "lets",
    "there", "what", "when", "which", "who", "how", "why", "der", "die", "das", "den", "dem", "des", "ein",
    "eine", "einen", "und", "oder", "aber", "nicht", "nie", "immer", "wir", "ihr", "sie", "ich", "mit",
    "von", "für", "auf", "aus", "bei", "ist", "sind", "wird", "werden", "bitte", "keine", "kein", "statt",
    "weil", "sonst", "les", "des", "pas", "pour", "dans", "que", "los", "las", "con", "para", "per", "una",
    "non", "het", "een",
];

/// How much of the shorter of two is in the other, 0 to 1; nothing of what is too short to tell.
pub fn likeness(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f32 {
    let shorter = a.len().min(b.len());
    match shorter {
        0 => 0.0,
        _ => a.intersection(b).count() as f32 / shorter as f32,
    }
}
