//! Lines that announce what somebody else wrote: `the customer wrote:`, `from the docs: …`, `shorten this: …`.
//!
//! A head that names a topic is the person's own: `comments: always in English`, `rules for the logs:`.

use super::foreign::INTRODUCING;

/// Whose words follow, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Announced {
    /// What stands behind this byte of the line, and no more than the line.
    Here(usize),
    /// The lines that follow, up to an empty one.
    Below,
    /// Everything behind this byte of the line: a text to work on, whatever it says.
    All(usize),
}

/// Words and characters of such a head.
const LONGEST: usize = 12;

/// What somebody's words come in.
#[rustfmt::skip]
const SOURCES: &[&str] = &[
    "mail", "email", "e", "courriel", "correo", "slack", "teams", "discord", "whatsapp", "telegram",
    "datasheet", "datenblatt", "docs", "doc", "doku", "documentation", "manual", "handbuch", "anleitung",
    "ticket", "jira", "chatgpt", "forum", "foro", "blog", "article", "artikel", "wiki", "readme", "review",
    "rfc", "spec", "chat", "message", "nachricht", "mensaje", "mensagem", "customer", "kunde", "kunden",
    "cliente", "client", "log", "logs", "stackoverflow", "issue", "notice", "datos", "documentación",
    "documentação", "bericht", "report", "brief", "carta", "lettre", "letter", "colleague", "boss", "chef",
    "md", "config",
];

/// Words between a source and whose it is.
#[rustfmt::skip]
const FROM: &[&str] = &[
    "from", "aus", "vom", "von", "de", "du", "des", "del", "da", "do", "dal", "dalla", "van", "uit", "by",
    "via",
];

/// Verbs behind which somebody's words stand.
#[rustfmt::skip]
const SPEECH: &[&str] = &[
    "says", "said", "wrote", "writes", "replied", "answered", "commented", "posted", "claims", "states",
    "reads", "meint", "meinte", "sagt", "sagte", "schrieb", "schreibt", "antwortet", "dit", "écrit",
    "répond", "dice", "dijo", "escribió", "escribe", "diz", "disse", "escreveu", "scrive", "zegt",
    "schreef",
];

/// Verbs for what is to be done with a text.
#[rustfmt::skip]
const WORKING: &[&str] = &[
    "rewrite", "shorten", "rephrase", "reword", "proofread", "translate", "summarize", "summarise",
    "paraphrase", "polish", "condense", "simplify", "kürze", "kürz", "übersetze", "übersetz", "formuliere",
    "korrigiere", "vereinfache", "traduis", "traduire", "reformule", "raccourcis", "résume", "traduce",
    "traduzca", "resume", "resumir", "acorta", "reescribe", "traduz", "traduza", "resuma", "reescreva",
    "riassumi", "traduci", "vertaal",
];

/// The person speaks themselves, or of what is theirs.
#[rustfmt::skip]
const OWN: &[&str] = &[
    "i", "we", "our", "my", "ich", "wir", "unser", "unsere", "je", "nous", "notre", "yo", "nosotros",
    "nuestra", "eu", "as", "nossa",
];

/// A rule is announced, or the matter of one.
#[rustfmt::skip]
const RULES: &[&str] = &[
    "rule", "rules", "convention", "conventions", "guideline", "guidelines", "regel", "regeln",
    "konvention", "konventionen", "règle", "règles", "regla", "reglas", "regra", "regras", "regole",
];
#[rustfmt::skip]
const TOPIC: &[&str] =
    &[
    "for", "in", "on", "für", "im", "in", "bei", "pour", "para", "per", "voor", "regarding", "about",
];

/// The same in scripts without blanks.
#[rustfmt::skip]
const WORKING_FAR: &[&str] =
    &[
    "翻译", "翻譯", "改写", "缩短", "润色", "总结", "翻訳", "要約", "書き直", "短くして", "校正",
];
#[rustfmt::skip]
const SOURCES_FAR: &[&str] = &[
    "メール", "からの", "から来た", "によると", "と言って", "に書いて", "ドキュメント", "ログ", "发来", "寄来", "来信", "邮件", "写道", "说", "文档",
    "日志", "手册",
];
const OWN_FAR: &[&str] = &["我说", "我们说", "规则", "規則", "ルール", "规范"];

/// What a line announces.
pub fn announced(line: &str) -> Option<Announced> {
    let (head, rest) = split(line)?;
    let words: Vec<String> = head
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    if words.len() > LONGEST || head.contains(['?', '？', '。']) {
        return None;
    }
    let below = line[rest..].trim().is_empty();
    if is_text_to_work_on(&words, head) {
        return Some(Announced::All(rest));
    }
    let own = holds(&words, OWN) && !is_received(&words);
    if is_of_somebody(&words, head) && !own {
        return Some(if below { Announced::Below } else { Announced::Here(rest) });
    }
    let topic = holds(&words, RULES) || words.first().is_some_and(|word| TOPIC.contains(&word.as_str()));
    (below && !topic && (holds(&words, INTRODUCING) || holds(&words, SOURCES) || is_received(&words)))
        .then_some(Announced::Below)
}

/// A head and where the rest begins: behind the first colon that stands between words.
fn split(line: &str) -> Option<(&str, usize)> {
    line.char_indices().filter(|(_, c)| matches!(c, ':' | '：')).find_map(|(at, c)| {
        let rest = at + c.len_utf8();
        let parts = c == '：'
            || line[rest..].chars().next().is_none_or(|c| c.is_whitespace() || "\"'“„«「".contains(c));
        parts.then_some((&line[..at], rest))
    })
}

fn holds(words: &[String], list: &[&str]) -> bool {
    words.iter().any(|word| list.contains(&word.as_str()))
}

fn is_text_to_work_on(words: &[String], head: &str) -> bool {
    let shows = ["here", "heres", "hier", "voici", "aquí", "ecco", "eis"];
    let shown = words.first().is_some_and(|word| shows.contains(&word.as_str())) && holds(words, SOURCES);
    let asked = words.iter().take(5).any(|word| WORKING.contains(&word.as_str()))
        || words.iter().skip(1).any(|word| WORKING.contains(&word.as_str()) && shown);
    shown || asked || WORKING_FAR.iter().any(|word| head.contains(word))
}

fn is_received(words: &[String]) -> bool {
    let got = [
        "got", "received", "getting", "bekam", "bekommen", "llegó", "recibí", "reçu", "recebi", "ricevuto",
        "kam",
    ];
    holds(words, &got)
}

/// Words of somebody: they said so, or a source and whose it is.
fn is_of_somebody(words: &[String], head: &str) -> bool {
    let says = words.last().is_some_and(|word| SPEECH.contains(&word.as_str()));
    let from = words.iter().position(|word| FROM.contains(&word.as_str()));
    let source = words.iter().position(|word| SOURCES.contains(&word.as_str()));
    let of = from.zip(source).is_some_and(|(from, source)| from.abs_diff(source) <= 3);
    let far =
        SOURCES_FAR.iter().any(|word| head.contains(word)) && !OWN_FAR.iter().any(|word| head.contains(word));
    says || of || far
}
