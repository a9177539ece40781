//! One path end to end: `interleaf init` registers the hooks, the real Claude Code runs them, and the model's
//! request contains the memories that are relevant to the prompt, and no others.

use interleaf_tests::client::{CURRENT_MODEL, Client, OLDER_MODEL, Session, compaction, subagent};
use interleaf_tests::harmless::check_harmless;
use interleaf_tests::program::program;
use interleaf_tests::scratch::Scratch;
use interleaf_tests::stub_api::{Route, Script, StubApi, Turn};
use serde_json::json;

/// A memory, a unique part of its text, and a prompt that it is relevant to.
const INVOICE: &str = "The invoice export times out while the archive bucket is cold: run `make \
                       warm-archive` before the export.";
const INVOICE_MARK: &str = "make warm-archive";
const INVOICE_PROMPT: &str =
    "the invoice export times out on the archive bucket again, how did we get round that?";

/// Unrelated memories, so that words have weights.
const OTHERS: [&str; 6] = [
    "Customs forms for Norway need the tariff number on the first page, or the parcel comes back.",
    "The search index is rebuilt every night at three; a reindex during the day makes queries time out.",
    "Discount codes are compared without case since the spring campaign.",
    "Flaky checkout tests: the clock of the fake payment provider starts in another time zone.",
    "Photos above four megabytes are refused by the thumbnail service for the first time in its history.",
    "Log in to the staging shop as the person who placed the first order of the day.",
];

/// A prompt that shares only the two common words *first* and *time* with memories.
const COMMON_WORDS_PROMPT: &str =
    "please draw a small blue lighthouse for my nephew, who goes sailing for the first time";

#[test]
fn a_memory_relevant_to_the_prompt_is_in_the_request() {
    let Some(client) = Client::find() else { return };
    for model in [OLDER_MODEL, CURRENT_MODEL] {
        let (scratch, stub) = (shop(), stub_that_says_fine());
        let mut session = client.run(&scratch, &stub).model(model).session();

        let greeting = session.say("hello");
        let question = session.say(INVOICE_PROMPT);

        assert_eq!(greeting.first("main").count(INVOICE_MARK), 0, "{model}: shown before it fits");
        assert_eq!(question.first("main").count(INVOICE_MARK), 1, "{model}: not shown where it fits");
        for other in OTHERS {
            assert!(!question.first("main").mentions(other), "{model}: {other}");
        }
        assert_hooks_harmless(&session);
        session.end();
    }
}

#[test]
fn two_common_words_alone_show_no_memory_but_at_most_its_title() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());
    let mut session = client.run(&scratch, &stub).session();

    session.say(COMMON_WORDS_PROMPT);

    let hooks = session.hook_runs("UserPromptSubmit");
    let shown: Vec<String> = hooks.iter().map(|hook| hook.out()).collect();
    assert_eq!(shown.len(), 1);
    assert!(OTHERS.iter().all(|text| !shown[0].contains(text)), "{shown:?}");
    session.end();
}

#[test]
fn a_memory_is_shown_once_in_a_session() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());
    let mut session = client.run(&scratch, &stub).session();

    session.say(INVOICE_PROMPT);
    let again = session.say(INVOICE_PROMPT);
    let id = session.id();
    session.end();
    client.run(&scratch, &stub).args(&["--resume", &id]).prompt(INVOICE_PROMPT).success();

    assert_eq!(again.first("main").count(INVOICE_MARK), 1);
    let resumed = stub.requests_of("main").pop().expect("the resumed session asks");
    assert_eq!(resumed.count(INVOICE_MARK), 1, "the conversation that is resumed still has it");
}

#[test]
fn after_compaction_a_memory_is_shown_again() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());
    let mut session = client.run(&scratch, &stub).session();

    session.say(INVOICE_PROMPT);
    session.say("/compact");
    let greeting = session.say("hello");
    let question = session.say(INVOICE_PROMPT);

    assert_eq!(greeting.first("main").count(INVOICE_MARK), 0, "compaction takes it out of the conversation");
    assert_eq!(question.first("main").count(INVOICE_MARK), 1);
    assert_hooks_harmless(&session);
    session.end();
}

#[test]
fn a_durable_rule_is_shown_at_the_start_of_the_session() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop(), stub_that_says_fine());
    add_rule(&scratch);

    client.run(&scratch, &stub).prompt("hello").success();

    assert_eq!(stub.requests_of("main")[0].count(RULE_MARK), 1);
}

#[test]
fn a_project_s_settings_neither_name_another_project_for_hooks_nor_hide_the_session() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (Scratch::new(), stub_that_says_fine());
    let seen = scratch.root.join("environment");
    let hook = json!({"type": "command", "command": format!("env > '{}'", seen.display())});
    let variables =
        json!({"CLAUDE_PROJECT_DIR": "/elsewhere", "CLAUDECODE": "", "PROJECT_S_OWN": "/elsewhere"});
    let settings = json!({"env": variables, "hooks": {"UserPromptSubmit": [{"hooks": [hook]}]}});
    scratch.write(".claude/settings.json", &settings.to_string());

    client.run(&scratch, &stub).prompt("hello").success();

    let seen = std::fs::read_to_string(&seen).expect("the hook ran");
    let has = |line: &str| seen.lines().any(|known| known == line);
    assert!(has("PROJECT_S_OWN=/elsewhere"), "other variables arrive: {seen}");
    assert!(
        has(&format!("CLAUDE_PROJECT_DIR={}", scratch.project.display())) && has("CLAUDECODE=1"),
        "{seen}"
    );
}

#[test]
fn a_subagent_gets_context_of_its_own() {
    let Some(client) = Client::find() else { return };
    let scratch = shop();
    add_rule(&scratch);
    let script = Script::new([subagent("BUMP THE VERSION of the shop and tag it"), Turn::says("fine")]);
    let stub =
        StubApi::start(script.route(Route::begins("bump", "BUMP THE VERSION", [Turn::says("bumped")])));
    let mut session = client.run(&scratch, &stub).session();

    let answer = session.say("hello");

    assert_eq!(answer.first("main").count(RULE_MARK), 1, "the parent got the rule at the start");
    assert_eq!(answer.first("bump").count(RULE_MARK), 1, "the subagent does not see its parent's context");
    let parent = stub.requests_of("main").pop().expect("the parent goes on");
    assert_eq!(parent.count(RULE_MARK), 1, "the parent does not see the subagent's context");
    assert_hooks_harmless(&session);
    session.end();
}

#[test]
fn shared_hooks_run_where_interleaf_is_on_the_path() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop_without_hooks(), stub_that_says_fine());
    scratch.interleaf(&["init", "--shared"]).success();
    let settings =
        std::fs::read_to_string(scratch.project.join(".claude/settings.json")).expect("init wrote it");
    let bin = scratch.root.join("bin");
    std::fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(program(), bin.join("interleaf")).unwrap();

    let path = format!("{}:{}", bin.display(), path_without_interleaf());
    client.run(&scratch, &stub).env("PATH", path).prompt(INVOICE_PROMPT).success();

    assert_eq!(stub.requests_of("main")[0].count(INVOICE_MARK), 1);
    assert!(!settings.contains(&*program().to_string_lossy()), "a shared file names no path of this machine");
}

#[test]
fn shared_hooks_are_silent_where_interleaf_is_missing() {
    let Some(client) = Client::find() else { return };
    let (scratch, stub) = (shop_without_hooks(), stub_that_says_fine());
    scratch.interleaf(&["init", "--shared"]).success();
    let mut session = client.run(&scratch, &stub).env("PATH", path_without_interleaf()).session();

    session.say(INVOICE_PROMPT);

    for event in ["SessionStart", "UserPromptSubmit"] {
        let hooks = session.hook_runs(event);
        assert!(!hooks.is_empty(), "{event} is not registered");
        for hook in hooks {
            assert_eq!(
                (hook.code, hook.out(), hook.err()),
                (Some(0), String::new(), String::new()),
                "{event}"
            );
        }
    }
    session.end();
}

const RULE: &str = "Never tag a release on a Friday: the parcel carrier does not pick up before Monday.";
const RULE_MARK: &str = "Never tag a release on a Friday";

fn add_rule(scratch: &Scratch) {
    let added =
        scratch.interleaf(&["memory", "add", "--category", "constraint", "--tag", "cheat-sheet", RULE]);
    added.success();
}

/// Creates a project with hooks and memories.
fn shop() -> Scratch {
    let scratch = shop_without_hooks();
    scratch.interleaf(&["init"]).success();
    assert!(
        scratch.project.join(".claude/settings.local.json").exists(),
        "the default is the person's own file"
    );
    scratch
}

fn shop_without_hooks() -> Scratch {
    let scratch = Scratch::new();
    for text in OTHERS.iter().chain([&INVOICE]) {
        scratch.interleaf(&["remember", "-c", "learning", text]).success();
    }
    scratch
}

fn stub_that_says_fine() -> StubApi {
    StubApi::start(Script::new([Turn::says("fine")]).route(compaction("they talked")))
}

/// Checks that the client ran the hooks and that none of them did harm.
fn assert_hooks_harmless(session: &Session<'_>) {
    for event in ["SessionStart", "UserPromptSubmit"] {
        let hooks = session.hook_runs(event);
        assert!(!hooks.is_empty(), "{event} is not registered");
        for hook in hooks {
            assert_eq!(check_harmless(&hook), Ok(()), "{event}");
        }
    }
}

/// Returns the machine's `PATH` without folders that hold an `interleaf`, which a developer may have
/// installed.
fn path_without_interleaf() -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    let folders = path.split(':').filter(|folder| !std::path::Path::new(folder).join("interleaf").exists());
    folders.collect::<Vec<_>>().join(":")
}
