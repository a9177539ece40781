//! What of a prompt is the person's own word.

use super::own;

fn joined(text: &str) -> String {
    own(text).join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn pasted_text_is_not_the_persons_own() {
    assert_eq!(joined("look:\n```\nnever use npm\n```\nthanks"), "look: thanks");
    assert_eq!(joined("> always use yarn\nwhat is this"), "what is this");
    assert_eq!(
        joined("the customer wrote:\nalways call me first\nnever mail\n\nfix it"),
        "the customer wrote: fix it"
    );
    assert_eq!(joined("see below\n\nFrom: a@example.org\nSubject: rules\n\nnever do it"), "see below");
    assert_eq!(joined("2026-01-02 12:00:00 never mind\nok"), "ok");
    assert_eq!(joined("<command-name>/x</command-name>"), "");
    assert_eq!(joined("[Request interrupted by user for tool use]"), "");
}

#[test]
fn of_a_very_long_prompt_only_the_ends_count() {
    let long = format!("please read this\n{}\nand fix it", "never use it, always that.\n".repeat(200));

    assert_eq!(own(&long), ["please read this", "and fix it"]);
}

/// Whether exactly this is left of a prompt.
fn table(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter(|(text, own)| joined(text) != *own)
        .map(|(text, _)| format!("{text:?} left {:?}", joined(text)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_line_announces_is_somebody_elses() {
    table(&[
        ("slack from alice: we must never touch the cache. she left", "slack from alice:"),
        ("from the docs: \"You must always call open() first.\" is that so", "from the docs:"),
        ("Bob says: never rebase\nwhat now", "Bob says: what now"),
        ("aus dem Handbuch:\n\"Immer erden. Nie öffnen.\"\n\nbau das ein", "aus dem Handbuch: bau das ein"),
        ("got this on staging:\nYou should always migrate first.\n\nhelp", "got this on staging: help"),
        (
            "mail from a customer:\nHi, always send PDFs.\nThanks, Eve\nwe always answer in English",
            "mail from a customer: we always answer in English",
        ),
        ("shorten this: You must always install it. Never skip it.", "shorten this:"),
        (
            "here is my readme, make it shorter:\n\n# Use\n\n- Always use yarn\n\n- Never npm",
            "here is my readme, make it shorter:",
        ),
        (
            "correo del cliente:\n\nHola:\nsiempre en mayúsculas\n\nno lo hagas",
            "correo del cliente: no lo hagas",
        ),
        ("お客さんからのメール：「必ず全角で書いてください。」\n無視で", "お客さんからのメール： 無視で"),
        ("产品发来的：“所有按钮必须永远是红色，不要用别的。”", "产品发来的："),
        ("del manual: \"Siempre conecte a tierra el equipo.\" y eso?", "del manual:"),
        ("message de Zoé : il faut toujours du bleu\nbof", "message de Zoé : bof"),
        ("übersetze das: Niemals ohne Helm fahren.", "übersetze das:"),
    ]);
}

#[test]
fn letters_logs_and_comments_are_somebody_elses() {
    table(&[
        (
            "look\n\nDear team,\n\nalways file reports on Friday.\n\nBest regards\nEve Miller\n\nwhat does she want",
            "look what does she want",
        ),
        (
            "Sehr geehrte Damen und Herren,\nbitte nie anrufen.\nMit freundlichen Grüßen\n\nantworte ihm",
            "antworte ihm",
        ),
        ("Bonjour à tous,\nréponds en français stp", "Bonjour à tous, réponds en français stp"),
        ("ERROR: you must always pass --zone\nwhy", "why"),
        ("[warn] never run as root\nWarning: always back up\nfix", "fix"),
        ("# always run as root\nis that comment right", "is that comment right"),
        ("npm ERR! you should never use --force\nhm", "hm"),
    ]);
}

#[test]
fn sentences_in_quotation_marks_are_somebody_elses() {
    table(&[
        ("the page says «Il faut toujours valider. Jamais sans test.» bizarre", "the page says bizarre"),
        ("「常に左寄せにすること。絶対に中央にしない。」って変だよね", "って変だよね"),
        ("he wrote 'never deploy. ever.' in the chat", "he wrote in the chat"),
        (
            "the button must say \"Save and close it\" everywhere",
            "the button must say \"Save and close it\" everywhere",
        ),
        ("文案统一用“您好”开头", "文案统一用“您好”开头"),
    ]);
}

#[test]
fn what_is_brushed_aside_is_not_meant() {
    table(&[
        ("we use pnpm here. Eve wants yarn always. ignore her.", "we use pnpm here. ignore her."),
        ("they want tabs always. we told them no", "we told them no"),
        ("immer alles groß schreiben. ignorier das", "ignorier das"),
        ("字体永远 18 号。别理他", "别理他"),
        ("常に全角で。無視していいよ", "無視していいよ"),
    ]);
}

#[test]
fn topics_and_rules_of_the_persons_own_are_theirs() {
    for text in [
        "comments: always in English",
        "for the docs: always use the present tense",
        "logs: never print e-mail addresses",
        "rules for the log output:\n- never log tokens\n- always as JSON",
        "commit messages: always imperative",
        "as i said: never use npm",
        "wie gesagt: nie npm",
        "our rule says: never merge on red",
        "in the tests: no mocks",
        "hi,\nplease always use tabs\nthanks",
        "errors: always wrap them",
        "add this to CLAUDE.md: always use pnpm",
        "mensajes de commit: siempre en inglés",
        "fehlermeldungen: immer auf deutsch",
        "我说：永远不要用 any",
        "the limit: 50 keys per object",
        "two things: never npm, always pnpm",
        "邮件：永远用中文写",
        "说明：所有接口都用 snake_case",
        "ログ：絶対に個人情報を出さない",
        "メール：常に敬語で",
        "simplify the code: never nest ternaries",
        "mensajes de log: siempre en inglés",
        "things to follow for the client:\n- never block the UI",
        "logs von prod: nie löschen",
        "resume the work, one thing: never touch gen/",
        "note: prod runs on arm64",
    ] {
        assert_eq!(joined(text), text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}

#[test]
fn what_only_looks_like_the_clients_or_a_logs_is_the_persons() {
    for text in [
        "<UserCard /> must never be used outside of features/user",
        "[Image #1] spacing is always a multiple of 8",
        "continue from where you left off, and always run the tests first",
        "192.168.1.10 is prod, never deploy to it without asking",
        "10.0.0.5:8080 must never be restarted",
        "+ never log tokens",
        "- rules:\n    - never log tokens",
        "always run prettier before you commit. ignore this file for now",
        "```npm ci``` fails\nfrom now on always use pnpm here",
    ] {
        assert_eq!(joined(text), text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}
