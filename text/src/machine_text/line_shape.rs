//! What a single line looks like: prose, an item of a list, a label with text, or something that no person
//! types into a prompt.

use super::wording;
use crate::client_text::is_client_opening;

/// Number of columns from which a line counts as indented code.
const CODE_INDENT: usize = 4;

/// Maximum number of words of a heading, and of a letter's first line.
const MAX_TITLE_WORDS: usize = 5;
const MAX_GREETING_WORDS: usize = 4;

/// Beginnings of lines of stack traces, error messages, diffs and shells.
const OPENINGS: [&str; 40] = [
    "Traceback (most recent call last)",
    "Caused by:",
    "stack backtrace:",
    "thread '",
    "goroutine ",
    "panic: ",
    "npm ERR!",
    "npm error",
    "npm warn",
    "npm WARN",
    "npm notice",
    "npm info",
    "up to date, audited ",
    "@@ -",
    "(END)",
    "fatal: ",
    "make: ***",
    "diff --git ",
    "index ",
    "error: ",
    "error[",
    "Error: ",
    "ERROR",
    "WARN",
    "INFO",
    "DEBUG",
    "FATAL",
    "TRACE",
    "FAILED",
    "warning: ",
    "$ ",
    "❯ ",
    "PS C:\\",
    "Exit code ",
    "//",
    "/*",
    "*/",
    "!!!",
    "\"\"\"",
    "'''",
];

/// The shape of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Blank,
    /// Perhaps a person's sentence.
    Prose,
    /// An item of a list.
    Item,
    /// A short label, a colon and text: `bob: hello`, `name: shop`, `comments: in English`.
    Label {
        /// Whether it names what people make rules about, or says that a rule follows.
        is_topic: bool,
    },
    /// Nothing that a person types: code, a log, an error, a diff, a heading, a table, a tag.
    Machine,
}

/// Returns the shape of a line without invisible characters.
pub(super) fn shape(line: &str) -> Shape {
    let bare = line.trim();
    match () {
        () if bare.is_empty() => Shape::Blank,
        () if is_item(bare) => Shape::Item,
        () if is_machine_line(line, bare) => Shape::Machine,
        () => label(bare).map_or(Shape::Prose, |is_topic| Shape::Label { is_topic }),
    }
}

/// Tells whether a line that is a paragraph of its own looks like a page's heading: a few words that begin
/// with a capital, without a stop.
pub(super) fn is_title(line: &str) -> bool {
    let bare = line.trim();
    bare.split_whitespace().count() <= MAX_TITLE_WORDS
        && bare.starts_with(char::is_uppercase)
        && bare.ends_with(|c: char| c.is_alphanumeric() || c == ')')
        && !wording::addresses_agent(bare)
}

/// Tells whether the line greets somebody, as the first line of a letter does.
pub(super) fn is_greeting(line: &str) -> bool {
    let bare = line.trim();
    bare.ends_with([',', '，']) && bare.split_whitespace().count() <= MAX_GREETING_WORDS
}

/// Tells whether the trimmed line is an item. People do not use `+` for items, diffs do.
fn is_item(bare: &str) -> bool {
    let digits = bare.len() - bare.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mut chars = bare.chars();
    let is_letter = chars.next().is_some_and(char::is_alphabetic) && chars.next() == Some(')');
    let rest = match digits {
        0 if is_letter => Some(chars.as_str()),
        0 => bare.strip_prefix("->").or_else(|| bare.strip_prefix(['-', '*', '•', '–'])),
        1..=3 => bare[digits..].strip_prefix(['.', ')']),
        _ => None,
    };
    rest.is_some_and(|rest| rest.starts_with(char::is_whitespace))
}

fn is_machine_line(line: &str, bare: &str) -> bool {
    is_indented(line)
        || !begins_like_prose(bare)
        || OPENINGS.iter().any(|opening| line.starts_with(opening))
        || is_client_opening(bare)
        || bare.ends_with([';', '{', '}'])
        || bare.contains(['\t', '│', '┃']) && !line.ends_with('\t')
        || ["<!--", "-->"].iter().any(|mark| bare.contains(mark))
        || holds_time_of_log(bare)
        || is_chat_line(bare)
        || is_comment_heading(bare)
        || is_package_summary(bare)
        || bare.contains(",\"")
        || is_quotation(bare)
        || bare.contains("   ")
        || bare.starts_with("at ") && bare.ends_with(')')
        || bare.starts_with("File \"")
        || bare.match_indices(" | ").nth(1).is_some()
        || bare.split_whitespace().nth(1) == Some("|")
        || is_shell_prompt(line)
        || is_assignment(bare)
        || is_numbered(bare)
        || names_exception(bare)
}

fn is_indented(line: &str) -> bool {
    line.starts_with('\t') || line.len() - line.trim_start_matches(' ').len() >= CODE_INDENT
}

/// Tells whether the line begins as a sentence can: with a letter, a digit, a mark of quotation, a path. A
/// line of signs only is prose if it is short or punctuation, otherwise a rule or a bracket.
fn begins_like_prose(bare: &str) -> bool {
    let mut chars = bare.chars();
    let (first, second) = (chars.next().unwrap_or(' '), chars.next().unwrap_or(' '));
    if !bare.contains(char::is_alphanumeric) {
        let is_drawn = bare.len() >= 2 || bare.contains(['{', '}', '[', ']', '<', '|', '#', '=']);
        let is_smile = bare.starts_with([':', ';']) && bare.len() <= 3;
        let is_punctuation = bare.chars().all(|c| !c.is_ascii() || matches!(c, '.' | '?' | '!' | ' '));
        return !is_drawn || is_smile || is_punctuation;
    }
    match first {
        '"' | '\'' | '(' | '/' | '@' | '`' | '!' | '?' | '$' => true,
        '-' | '+' | '#' | '<' => second.is_ascii_digit(),
        '.' | '~' => second.is_alphanumeric() || second == '/' || bare.starts_with("..."),
        // A bold beginning is a page's, unless it is a label.
        '*' | '_' => second.is_alphanumeric() || second == first && label(bare).is_some(),
        '»' => bare.contains('«'),
        // Other signs are the bullets and marks of pages and of programs.
        _ => first.is_alphanumeric() || "“„‚‘«「『（《¿¡…€£".contains(first),
    }
}

/// Tells whether the text matches the pattern, in which `0` stands for a digit.
fn is_like(text: &str, pattern: &str) -> bool {
    let fits = |(c, p): (char, char)| if p == '0' { c.is_ascii_digit() } else { c == p };
    text.chars().take(pattern.len()).count() == pattern.len() && text.chars().zip(pattern.chars()).all(fits)
}

/// Tells whether the line begins with a date and a time, or has a time with seconds among its first words.
fn holds_time_of_log(bare: &str) -> bool {
    let date = is_like(bare, "0000-00-00") || is_like(bare, "0000/00/00");
    let time = bare.get(10..).unwrap_or_default().trim_start_matches(['T', ' ', '_']);
    let begin = bare.char_indices().map(|(at, _)| at).take(40);
    date && is_like(time, "00:00") || begin.into_iter().any(|at| is_like(&bare[at..], "00:00:00"))
}

/// Tells whether the line names a speaker as chats do: `Bob Miller  10:02 AM`, `bob> hello`, `10:02 <bob>`.
fn is_chat_line(bare: &str) -> bool {
    let bare = bare.trim_end_matches([':', ']', ')', ',']);
    let untimed = ["AM", "PM", "am", "pm"].iter().find_map(|end| bare.strip_suffix(end)).unwrap_or(bare);
    let words: Vec<&str> = untimed.split_whitespace().collect();
    // A name in small letters stands apart from the time.
    let has_name = bare.starts_with(|c: char| c.is_uppercase() || c == '@') || untimed.contains("  ");
    let is_heading = (2..=5).contains(&words.len()) && has_name && words.last().is_some_and(|it| is_time(it));
    let first = words.iter().find(|word| !is_time(word)).copied().unwrap_or_default();
    is_heading || first.ends_with('>') || words.first() != Some(&first) && !begins_like_prose(first)
}

/// Tells whether the line heads a comment on a page: `bob commented 3 days ago`.
fn is_comment_heading(bare: &str) -> bool {
    let words: Vec<&str> = bare.trim_end_matches([':', '•', '.']).split_whitespace().collect();
    let verb = words.get(1).copied().unwrap_or_default();
    (4..=7).contains(&words.len())
        && words.last() == Some(&"ago")
        && ["commented", "wrote", "replied", "said", "asked", "answered", "reviewed", "opened"]
            .contains(&verb)
}

/// Tells whether the line is the summary of a package manager: `added 12 packages in 3s`.
fn is_package_summary(bare: &str) -> bool {
    let words: Vec<&str> = bare.split_whitespace().take(3).collect();
    let [verb, number, noun] = words[..] else { return false };
    ["added", "removed", "changed", "audited", "found"].contains(&verb)
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && (noun.starts_with("package") || noun.starts_with("vulnerabilit"))
}

/// Tells whether a word is a time, perhaps in brackets.
fn is_time(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_ascii_digit());
    is_like(word, "0:00") && word.len() == 4 || is_like(word, "00:00") && word.len() == 5
}

/// Tells whether the whole line is a quotation or code of several words.
fn is_quotation(bare: &str) -> bool {
    let inner = bare.strip_prefix(['"', '\'', '`', '“', '„', '«', '»', '‘', '「', '『']);
    let ends = |text: &str| text.ends_with(['"', '\'', '`', '”', '“', '»', '«', '’', '」', '』']);
    inner.is_some_and(|inner| ends(inner.trim_end_matches(['.', ','])) && inner.contains([' ', '、', '。']))
}

/// Tells whether the line begins with a shell's prompt such as `dev@host:~/shop$ make`.
fn is_shell_prompt(line: &str) -> bool {
    let Some((prompt, _)) = line.split_once("$ ").or_else(|| line.split_once("# ")) else { return false };
    prompt.contains('@') && prompt.contains(':') && !prompt.contains(char::is_whitespace)
}

/// Tells whether the line sets a value: `rule = "x"`, `level=info msg="x"`.
fn is_assignment(bare: &str) -> bool {
    let name_end = bare.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '-')));
    let rest = name_end.map_or("", |end| bare[end..].trim_start()).trim_start_matches([':', '?', '+']);
    name_end != Some(0) && rest.starts_with('=') && !rest.starts_with("==")
}

/// Tells whether the line has a number of a line before it, as editors and search tools print it.
fn is_numbered(bare: &str) -> bool {
    let after_digits = |text: &str| {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < text.len()).then_some(rest.chars().next()).flatten()
    };
    let is_in_file = |(file, rest): (&str, &str)| {
        !file.contains(char::is_whitespace) && matches!(after_digits(rest), Some(':' | '-'))
    };
    // A line of context has dashes, which names of files may have, too.
    let is_context =
        |(at, _): (usize, &str)| bare[..at].contains('.') && is_in_file((&bare[..at], &bare[at + 1..]));
    after_digits(bare) == Some('→')
        || bare.split_once(':').is_some_and(is_in_file)
        || bare.match_indices('-').any(is_context)
}

/// Tells whether the line begins with the name of an exception: `TypeError: …`, `java.io.IOException: …`.
fn names_exception(bare: &str) -> bool {
    let name = bare.split_once(": ").map_or("", |(name, _)| name);
    let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | ':'));
    is_name && name.len() > 5 && ["Error", "Exception", "Warning"].iter().any(|end| name.ends_with(end))
}

/// Tells whether the line begins with a label, and then whether the label is a topic. A label is one word, or
/// a name of several words that begin with capitals, perhaps after a time.
fn label(bare: &str) -> Option<bool> {
    let end = bare.match_indices([':', '：']).find_map(|(at, colon)| {
        let rest = bare[at + colon.len()..].trim_start_matches(['*', '_', '"', '\'']);
        let is_end = colon == "：" || rest.starts_with(char::is_whitespace) && !rest.trim().is_empty();
        is_end.then_some(at)
    })?;
    let head = bare[..end].trim_matches(|c: char| !c.is_alphanumeric());
    if head.contains([',', ';', '?', '!']) || head.contains(". ") {
        return None;
    }
    let words: Vec<&str> = head.split_whitespace().filter(|word| !is_time(word)).collect();
    let is_name = words.iter().all(|word| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()));
    let is_label = words.len() == 1 || words.len() <= 4 && is_name || words.len() < head.split(' ').count();
    is_label.then(|| words.iter().any(|word| wording::is_topic(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_may_type_is_prose() {
        for line in [
            "never use npm here, use pnpm",
            "I get an error: it stops",
            "the index is wrong",
            "Information follows",
            "mail me at a@b.c: it costs 5$ or 6",
            "12:30 is fine, 2026-01-31 too",
            "#12 is broken",
            "<3 thanks",
            "+1",
            "...",
            ":)",
            "`make` fails",
            "*never* that",
            "/opsx:apply add-retries",
            "~/.bashrc is read-only",
            "rename a.b-2-c.rs later",
            "I added 3 things, found 2",
            "`make` calls `cargo build`, doesn't it",
            "one more thing: never touch gen/",
            "好的，继续",
            "¿por qué?",
        ] {
            assert_eq!(shape(line), Shape::Prose, "{line}");
        }
    }

    #[test]
    fn labels_are_told_from_sentences_and_topics_from_names() {
        for (line, is_topic) in [
            ("comments: always in English", true),
            ("Note: prod runs on arm64", true),
            ("**Wichtig:** nie löschen", true),
            ("邮件：永远用中文写", true),
            ("bob: always use npm", false),
            ("@bob: always use npm", false),
            ("Bob Miller: always use npm", false),
            ("10:02 bob: always use npm", false),
            ("bob (10:02): always use npm", false),
            ("\"scripts\": 3", false),
        ] {
            assert_eq!(shape(line), Shape::Label { is_topic }, "{line}");
        }
    }

    #[test]
    fn what_a_program_or_a_page_holds_is_machine_text() {
        for line in [
            "# Install",
            "=====",
            "---",
            "+ new line",
            "-old line",
            "| a | b |",
            "a | b | c",
            "web_1 | started",
            "a\tb",
            "<b>x</b> y",
            "see <!-- this",
            "[10:02] bob",
            "Jan 31 12:00:01 host sshd",
            "Bob Miller  10:02 AM",
            "▶ use it",
            "＃ use it",
            "✓ uses it",
            "bob> use it",
            "10:02 <bob> use it",
            "**Bob** use it",
            "“Use it always.”",
            "a   b   c",
            "--",
            ".. note::",
            "key = \"value\"",
            "level=info",
            "src/a.rs:12:use it",
            "src/a-b.rs-12-use it",
            "bob  10:02",
            "bob commented 3 days ago",
            "1,\"use it\"",
            "@@ -1 +1 @@",
            "(END)",
            "npm notice use it",
            "added 12 packages, and audited 300 packages in 3s",
            "found 0 vulnerabilities",
            "`always use it`",
            "12→use it",
            "// use it",
            "return x;",
            "Stop hook feedback: use it",
            "PreToolUse:Bash hook additional context: use it",
        ] {
            assert_eq!(shape(line), Shape::Machine, "{line}");
        }
    }
}
