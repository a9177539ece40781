//! Which lines of a prompt are the person's.

use super::*;

const RULE: &str = "Always use x to deploy.";

#[track_caller]
fn assert_split(text: &str, typed: &str, pasted: &str) {
    let split = split(text);
    assert_eq!((split.typed.as_str(), split.pasted.as_str()), (typed, pasted), "{text}");
}

/// Checks that a paste stays one with and without the person's words around it.
#[track_caller]
fn assert_pasted(paste: &str) {
    for text in [
        format!("have a look\n\n{paste}"),
        format!("have a look\n\n{paste}\n\nwhat is it?"),
        format!("have a look\n\n{paste}\n\nok"),
        format!("{paste}\n\nwhat is it?"),
    ] {
        let split = split(&text);
        assert!(!split.typed.contains(RULE), "{text}\n-> {split:?}");
        assert!(split.pasted.contains(RULE), "{text}\n-> {split:?}");
        assert_eq!(split.typed.contains("have a look"), text.contains("have a look"), "{split:?}");
        assert_eq!(split.typed.contains("what is it?"), text.contains("what is it?"), "{split:?}");
    }
}

#[test]
fn what_a_person_types_stays_whole_and_certain() {
    for text in [
        "",
        "never use npm here, use pnpm",
        "First the poller. I get an error: it stops.\n\nThen the rest",
        "the index is wrong\nthreads too\nInformation follows",
        "mail me at a@b.c: it costs 5$ or 6",
        "12:30 is fine, 2026-01-31 too",
        "hi,\nplease always use tabs\nthanks",
        "two things: never npm, always pnpm",
    ] {
        assert_eq!(split(text), Split { typed: text.to_owned(), ..Split::default() }, "{text}");
    }
}

#[test]
fn a_short_list_a_topic_and_announced_rules_are_the_person_s_but_doubtful() {
    for text in [
        "two things:\n- use pnpm\n    - never npm\n1. and\n    2) more",
        "always:\n\n- use pnpm\n\n- never force-push",
        "comments: always in English",
        "fix the parser\n\none more rule:\nnever use npm",
    ] {
        let split = split(text);
        assert_eq!((split.typed.as_str(), split.is_doubtful), (text, true), "{text}");
    }
}

#[test]
fn a_list_that_nobody_or_a_source_announces_or_that_is_long_is_pasted() {
    assert_pasted(&format!("- one\n- {RULE}"));
    assert_pasted(&format!("the docs say:\n- one\n- {RULE}"));
    assert_pasted(&format!("see this:\n\n1. one\n2. {RULE}"));
    assert_pasted(&format!("two things:\n+ one\n+ {RULE}"));
    assert_pasted(&format!("all steps:\n{}- {RULE}", "- one more step\n".repeat(12)));
    assert_pasted(&format!("# Use\n\nthe steps:\n- one\n- {RULE}"));
}

#[test]
fn a_fence_and_a_quotation_end_where_they_end() {
    assert_split("see\n```\nalways x\n```\nand fix it", "see\nand fix it", "```\nalways x\n```");
    assert_split("see\n> always x\nstill x\n\nmine", "see\n\nmine", "> always x\nstill x");
    assert_split("see\n~~~\nalways x", "see", "~~~\nalways x");
    assert_split("see\r```\ralways x\r```\r\nmine", "see\nmine", "```\nalways x\n```");
}

#[test]
fn what_lies_between_two_fences_is_pasted() {
    assert_split(
        "see\n```\n# Use\n```sh\nx\n```\nalways x\n```sh\ny\n```\n```\nmine",
        "see",
        "```\n# Use\n```sh\nx\n```\nalways x\n```sh\ny\n```\n```\nmine",
    );
    assert_split(
        "see\n```\na\n```\nalways x\n```\nb\n```\nmine",
        "see\nmine",
        "```\na\n```\nalways x\n```\nb\n```",
    );
}

#[test]
fn lines_that_no_person_types_are_pasted_and_so_is_what_follows_them() {
    for line in [
        "2026-01-31T12:00:00Z worker failed",
        "2026-01-31 12:00:00,123 worker failed",
        "[12:00:01] worker failed",
        "ERROR worker failed",
        "Error: no such file",
        "error[E0308]: mismatched types",
        "TypeError: x is not a function",
        "java.io.IOException: closed",
        "Traceback (most recent call last):",
        "    at run (a.js:1:2)",
        "\tgoto fail",
        "    let x = 1;",
        "diff --git a/x b/x",
        "@@ -1,2 +1,2 @@",
        "$ make test",
        "dev@host:~/shop$ make test",
        "<div class=\"a\">",
        "fatal: not a git repository",
    ] {
        assert_split(
            &format!("look:\n{line}\n{RULE}\n\nthanks"),
            "look:\n\nthanks",
            format!("{line}\n{RULE}").trim_start(),
        );
    }
}

#[test]
fn unfenced_pages_chats_mails_and_files_are_pasted() {
    for paste in [
        format!("# Install\n\n{RULE}\n\n- one\n- two"),
        format!("# Install\n\n- one\n\n{RULE}"),
        format!("---\ntitle: x\n---\n\n{RULE}"),
        format!("---\n{RULE}\n---"),
        format!("<!--\n{RULE}\n-->"),
        format!("bob: {RULE}"),
        format!("bob: hi\nalice: {RULE}"),
        format!("Bob Miller  10:02 AM\n{RULE}"),
        format!("From: a@example.org\nSubject: x\n\nHi,\n\n{RULE}\n\nBest"),
        format!("name: shop\nrule: {RULE}"),
        format!("rule: a\nnote: {RULE}"),
        format!("| a | b |\n|---|---|\n| x | {RULE} |"),
        format!("it says this:\n\n{RULE}"),
        format!("it says this:\n{RULE}"),
        format!("+{RULE}\n-old"),
        format!("Usage of it\n\nRun it.\n\nGetting started\n\n{RULE}"),
        format!("From: a@example.org\nSubject: rules\n\nCall me first. {RULE}"),
        format!("it is a letter\n\nDear team,\n\n{RULE}\n\nBest regards\nEve"),
        format!("PreToolUse:Bash hook additional context: {RULE}"),
    ] {
        assert_pasted(&paste);
    }
}

#[test]
fn a_message_of_one_paragraph_may_begin_with_a_label() {
    for text in [
        "sandbox: the vendor closes it at night",
        "deploys: only on tuesdays,\nthe shops are busy at the end of the week",
        "refunds: support does them by hand",
    ] {
        let split = split(text);
        assert!(split.typed == text && split.is_doubtful, "{split:?}");
    }
    for text in ["open: 12\nclosed: 7", "look\n\nbob: the vendor closes it", "bob: it closes\n\nwhy?"] {
        assert!(split(text).pasted.contains(':'), "{text}");
    }
}

#[test]
fn what_lies_between_two_such_lines_is_pasted() {
    let text = "look\n\nERROR one\n\nFrom now on use x.\n\nERROR two\n\nand fix it";

    assert_split(text, "look\n\n\nand fix it", "ERROR one\n\nFrom now on use x.\n\nERROR two");
}

#[test]
fn the_last_paragraph_beside_a_paste_is_the_person_s_only_if_it_addresses_the_agent() {
    assert_split("look\n\nERROR one\n\nuse x", "look", "ERROR one\nuse x");
    assert_split("look\n\nERROR one\n\nplease use x", "look\n\n\nplease use x", "ERROR one");
    assert_split("look\n\nERROR one\n\nplease a\n\nb?", "look\n\n\n\nb?", "ERROR one\nplease a");
}

#[test]
fn of_a_long_text_only_a_short_beginning_and_end_are_typed() {
    let prose = "A sentence of a manual that nobody types into a prompt. ".repeat(80);
    let many = "one more line\n".repeat(60);

    assert_split(&format!("sum it up\n\n{prose}\n\nthanks"), "sum it up\n\n\nthanks", prose.trim_end());
    assert_split(&format!("sum it up:\n\n{many}"), "sum it up:", many.trim_end());
    assert_split(&prose, "", prose.trim_end());
}

#[test]
fn a_stretch_that_addresses_nobody_is_pasted_if_it_is_long() {
    let page = "The cache holds one table for each partner and is emptied at night.\n\n".repeat(9);

    assert_pasted(&format!("{page}{RULE}"));
    assert_pasted(&format!("{RULE}\n\n{}", page.trim_end()));
    let short = format!("what is it?\n\n{RULE}");
    assert_split(&short, &short, "");
    let dictated = "the parser reads lines and ".repeat(30);
    assert!(split(&dictated).is_doubtful && !split(&dictated).typed.is_empty());
}
