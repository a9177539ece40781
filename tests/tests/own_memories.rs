//! What a session saved itself is not shown to it as if it came from an earlier session.

use interleaf::error::Error;
use interleaf::harness::{Harness, event};
use interleaf::memory::{Category, Draft, Origin, Source};
use interleaf_tests::program::program;
use interleaf_tests::run::run;
use interleaf_tests::scratch::{HANG_TIMEOUT, SESSION, Scratch};
use serde_json::json;

const RULE: &str = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
const QUESTION: &str = "Which package manager do we use here?";
const SUMMARY: &str = "Goal: replace the package manager. Done: pnpm is in use here";

/// The time of the harness's clock, in milliseconds.
const LATER: i64 = 1_767_225_600_000 + 86_400_000;

fn saved_by(session: &str, category: Category, text: &str) -> Draft {
    let source = Source { session: Some(session.to_owned()), ..Source::default() };
    Draft { source, ..Draft::new(category, text.to_owned(), Origin::Assistant) }
}

fn context(harness: &Harness, session: &str, event: &str) -> Result<String, Error> {
    Ok(harness.send(&event::in_session(event, session))?.context().to_owned())
}

#[test]
fn a_prompt_is_not_answered_with_what_its_own_session_saved() -> Result<(), Error> {
    let harness = Harness::embedded("recall")?
        .draft(saved_by("one", Category::Preference, RULE))?
        .draft(saved_by("one", Category::SessionSummary, SUMMARY))?;

    assert_eq!(context(&harness, "one", &event::prompt(QUESTION))?, "");
    let other = context(&harness, "two", &event::prompt(QUESTION))?;
    assert!(other.contains(RULE) && other.contains("Goal: replace"), "{other}");
    Ok(())
}

#[test]
fn an_own_memory_takes_no_other_memory_s_place() -> Result<(), Error> {
    let mut harness = Harness::embedded("recall")?.draft(saved_by("old", Category::Preference, RULE))?;
    for cause in ["speed", "disk space", "the lock file", "workspaces", "audits"] {
        let own =
            format!("Which package manager do we use here? pnpm is the package manager because of {cause}");
        harness = harness.draft(saved_by("one", Category::Learning, &own))?;
    }

    let context = context(&harness, "one", &event::prompt(QUESTION))?;

    assert!(context.contains(RULE), "{context}");
    assert!(!context.contains("because of"), "{context}");
    Ok(())
}

#[test]
fn after_a_compaction_a_session_is_shown_its_rules_but_never_its_summary() -> Result<(), Error> {
    let harness = Harness::embedded("recall")?
        .draft(saved_by("one", Category::Preference, RULE))?
        .draft(saved_by("one", Category::SessionSummary, SUMMARY))?;
    context(&harness, "one", &event::session_start("compact"))?;

    let after = context(&harness, "one", &event::prompt(QUESTION))?;

    assert!(after.contains(RULE), "{after}");
    assert!(!after.contains("Goal: replace"), "{after}");
    Ok(())
}

#[test]
fn what_a_session_saves_after_its_compaction_is_known_to_it() -> Result<(), Error> {
    let harness = Harness::embedded("recall")?.remember("learning", "The cart rounds down")?;
    context(&harness, "one", &event::session_start("compact"))?;
    let harness = harness.at_time(LATER).draft(saved_by("one", Category::Preference, RULE))?;

    assert_eq!(context(&harness, "one", &event::prompt(QUESTION))?, "");
    Ok(())
}

#[test]
fn a_resumed_session_is_shown_the_summary_of_the_session_before_it() -> Result<(), Error> {
    let harness = Harness::embedded("warmstart")?
        .draft(saved_by("old", Category::SessionSummary, "Goal: add the nightly export. Done: it runs"))?
        .at_time(LATER)
        .draft(saved_by("one", Category::SessionSummary, SUMMARY))?
        .draft(saved_by("one", Category::Preference, RULE))?;

    for source in ["resume", "compact"] {
        let start = context(&harness, "one", &event::session_start(source))?;

        assert!(!start.contains("Goal: replace") && start.contains("nightly export"), "{source}: {start}");
        assert_eq!(start.contains(RULE), source == "compact", "{source}: {start}");
    }
    let start = context(&harness, "two", &event::session_start("startup"))?;
    assert!(start.contains("Goal: replace") && start.contains(RULE), "{start}");
    Ok(())
}

#[test]
fn a_failure_is_not_answered_with_the_fix_that_its_own_session_saved() -> Result<(), Error> {
    let fix =
        "When make deploy ends with 'registry handshake expired', run make login first: it lasts an hour";
    let error = "Exit code 2\nerror: registry handshake expired after 30.2s\nmake: *** [deploy] Error 1";
    let harness = Harness::embedded("posttool")?
        .draft(saved_by("one", Category::Learning, fix))?
        .remember("learning", "Customs forms for Norway need the tariff number on the first page")?
        .remember("learning", "The search index is rebuilt every night at three")?
        .remember("learning", "Photos above four megabytes are refused by the thumbnail service")?;
    let failure = event::failure("make deploy", error);

    assert_eq!(context(&harness, "one", &failure)?, "");
    let other = context(&harness, "two", &failure)?;
    assert!(other.contains("make login"), "another session is shown it: {other}");
    Ok(())
}

#[test]
fn a_subagent_is_told_the_rules_of_its_session() -> Result<(), Error> {
    let harness =
        Harness::embedded("warmstart")?.draft(saved_by("one", Category::Constraint, "Never use npm here"))?;

    assert!(context(&harness, "one", &event::subagent_start("a1"))?.contains("Never use npm"));
    Ok(())
}

#[test]
fn what_the_agent_remembers_with_the_command_is_not_shown_to_its_session() {
    let scratch = Scratch::new();
    let mut remember = scratch.command(program());
    remember.args(["remember", "--category", "preference", RULE]);
    remember.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", SESSION);
    let _ = run(&mut remember, b"", HANG_TIMEOUT).success();
    let ask = |session: &str| {
        let fields = json!({"prompt": QUESTION, "session_id": session});
        scratch.hook(scratch.event("UserPromptSubmit", fields)).success()
    };

    assert_eq!(ask(SESSION), "");
    assert!(ask("another-session").contains(RULE));
}
