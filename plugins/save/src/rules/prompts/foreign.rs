//! How somebody else's text is told: mails, logs, and lines that announce it.

/// What the client sends in the person's name, without elements, begins so.
pub const CLIENT: &[&str] = &[
    "[request interrupted",
    "<command-",
    "caveat: the messages below",
    "this session is being continued",
    "api error",
    "stop hook feedback",
    "base directory for this skill",
];

/// What the client sends in the person's name, all of it. People say more.
pub const WHOLE_CLIENT_MESSAGE: &str = "continue from where you left off.";

/// Heads of a mail, before their colon.
pub const HEADS: &[&str] = &[
    "from", "to", "subject", "sent", "date", "cc", "von", "an", "betreff", "gesendet", "datum", "de",
    "objet", "asunto", "assunto", "oggetto",
];

/// Words in a line before something that somebody else wrote.
pub const INTRODUCING: &[&str] = &[
    "wrote",
    "writes",
    "says",
    "said",
    "mail",
    "email",
    "ticket",
    "slack",
    "review",
    "comment",
    "comments",
    "docs",
    "readme",
    "article",
    "post",
    "paste",
    "pasted",
    "log",
    "logs",
    "output",
    "message",
    "quote",
    "quotes",
    "error",
    "trace",
    "issue",
    "answer",
    "reply",
    "documentation",
    "chatgpt",
    "states",
    "reads",
    "schrieb",
    "schreibt",
    "sagt",
    "meint",
    "meldung",
    "kommentar",
    "ausgabe",
    "fehler",
    "nachricht",
    "zitat",
    "doku",
    "antwort",
    "kunde",
    "écrit",
    "dit",
    "message",
    "escribió",
    "dice",
    "dijo",
    "mensaje",
    "escreveu",
    "disse",
    "diz",
    "scrive",
    "scritto",
    "schreef",
    "zegt",
    "bericht",
    "following",
    "text",
];

/// A line of a program's output.
pub fn is_log(line: &str) -> bool {
    let line = line.trim_start();
    let stamped = is_stamped(line.trim_start_matches(['[', '(']));
    let first = line.split_whitespace().next().unwrap_or_default();
    let frame = first == "at" && line.ends_with(')');
    stamped
        || frame
        || is_level(first)
        || ["$", "#!", "fatal:"].contains(&first)
        || first.starts_with("Traceback")
        || first.ends_with("Error:")
        || first.ends_with("Exception:")
        || line.starts_with("npm ERR!")
        || line.starts_with("npm warn")
}

/// Whether a line begins with a date or a time: `2026-01-02`, `12:00:00`. An address such as `10.0.0.5:8080` is none.
fn is_stamped(line: &str) -> bool {
    let stamp = line.split_whitespace().next().unwrap_or_default();
    let mut parts = stamp.split(['-', ':', '/', 'T']);
    let is_number =
        |part: &str| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = parts.by_ref().take_while(|part| is_number(part)).count();
    numbers >= 3 || numbers == 2 && stamp.len() >= 8
}

/// How bad it is, as programs say it: in capitals or brackets, or before a colon.
fn is_level(word: &str) -> bool {
    let bare = word.trim_matches(['[', ']', '(', ')', '<', '>', ':', '|']);
    let levels =
        ["ERROR", "WARN", "WARNING", "INFO", "DEBUG", "FATAL", "TRACE", "CRITICAL", "NOTICE", "PANIC"];
    let marked = bare.len() < word.len();
    levels.contains(&bare) || marked && ["error", "warning", "warn"].contains(&bare.to_lowercase().as_str())
}

/// A line of a program or of a page that nobody fenced: a comment, or a heading.
pub fn is_comment(line: &str) -> bool {
    let hashes = line.trim_start_matches('#');
    hashes.len() < line.len() && hashes.starts_with(' ')
        || ["// ", "/* ", "<!--"].iter().any(|sign| line.starts_with(sign))
}
