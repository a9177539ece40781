//! Words by which a line that announces somebody else's words is known.

/// What somebody's words come in.
#[rustfmt::skip]
pub const SOURCES: &[&str] = &[
    "mail", "email", "e", "courriel", "correo", "slack", "teams", "discord", "whatsapp", "telegram",
    "datasheet", "datenblatt", "docs", "doc", "doku", "documentation", "manual", "handbuch", "anleitung",
    "ticket", "jira", "chatgpt", "forum", "foro", "blog", "article", "artikel", "wiki", "readme", "review",
    "rfc", "spec", "chat", "message", "nachricht", "mensaje", "mensagem", "customer", "kunde", "kunden",
    "cliente", "client", "log", "logs", "stackoverflow", "issue", "notice", "datos", "documentación",
    "documentação", "bericht", "report", "brief", "carta", "lettre", "letter", "colleague", "boss", "chef",
    "md", "config",
];

/// Of these, what somebody sends.
#[rustfmt::skip]
pub const LETTERS: &[&str] = &[
    "mail", "email", "courriel", "correo", "slack", "teams", "discord", "whatsapp", "telegram", "ticket",
    "message", "nachricht", "mensaje", "mensagem", "brief", "carta", "lettre", "letter", "datasheet",
    "datenblatt", "notice",
];

/// What is worked on, as people call it.
#[rustfmt::skip]
pub const TEXTS: &[&str] = &[
    "this", "these", "text", "paragraph", "sentence", "section", "following", "mail", "email", "readme",
    "md", "doc", "docs", "das", "dies", "diesen", "folgenden", "folgendes", "absatz", "satz", "ce", "ceci",
    "texte", "paragraphe", "phrase", "esto", "este", "texto", "párrafo", "isto", "questo", "testo", "dit",
    "tekst", "message", "post", "letter", "brief", "it",
];

/// Words between a source and whose it is.
#[rustfmt::skip]
pub const FROM: &[&str] = &[
    "from", "aus", "vom", "von", "de", "du", "des", "del", "da", "do", "dal", "dalla", "van", "uit", "by",
    "via",
];

/// Verbs behind which somebody's words stand.
#[rustfmt::skip]
pub const SPEECH: &[&str] = &[
    "says", "said", "wrote", "writes", "replied", "answered", "commented", "posted", "claims", "states",
    "reads", "meint", "meinte", "sagt", "sagte", "schrieb", "schreibt", "antwortet", "dit", "écrit",
    "répond", "dice", "dijo", "escribió", "escribe", "diz", "disse", "escreveu", "scrive", "zegt",
    "schreef",
];

/// Verbs for what is to be done with a text.
#[rustfmt::skip]
pub const WORKING: &[&str] = &[
    "rewrite", "shorten", "rephrase", "reword", "proofread", "translate", "summarize", "summarise",
    "paraphrase", "polish", "condense", "simplify", "kürze", "kürz", "übersetze", "übersetz", "formuliere",
    "korrigiere", "vereinfache", "traduis", "traduire", "reformule", "raccourcis", "résume", "traduce",
    "traduzca", "resumir", "acorta", "reescribe", "traduz", "traduza", "resuma", "reescreva", "riassumi",
    "traduci", "vertaal",
];

/// The person speaks themselves, or of what is theirs.
#[rustfmt::skip]
pub const OWN: &[&str] = &[
    "i", "we", "our", "my", "ich", "wir", "unser", "unsere", "je", "nous", "notre", "yo", "nosotros",
    "nuestra", "eu", "as", "nossa",
];

/// A rule is announced, or the matter of one.
#[rustfmt::skip]
pub const RULES: &[&str] = &[
    "rule", "rules", "convention", "conventions", "guideline", "guidelines", "regel", "regeln",
    "konvention", "konventionen", "règle", "règles", "regla", "reglas", "regra", "regras", "regole",
];
/// Words before such a matter.
#[rustfmt::skip]
pub const TOPIC: &[&str] =
    &[
    "for", "für", "fürs", "pour", "para", "per", "voor", "in", "on", "im", "bei", "regarding", "about",
];

/// The same in scripts without blanks.
#[rustfmt::skip]
pub const WORKING_FAR: &[&str] =
    &[
    "翻译", "翻譯", "改写", "缩短", "润色", "总结", "翻訳", "要約", "書き直", "短くして", "校正",
];
#[rustfmt::skip]
pub const SOURCES_FAR: &[&str] = &[
    "のメール", "からの", "から来た", "によると", "と言って", "に書いて", "发来", "寄来", "来信", "的邮件", "收到", "写道",
    "里说", "上说", "文档说", "他说", "她说", "他们说", "手册说", "经理说", "客户说", "同事说", "老板说",
];
#[rustfmt::skip]
pub const OWN_FAR: &[&str] = &[
    "我说", "我们说", "规则", "規則", "ルール", "规范",
];
