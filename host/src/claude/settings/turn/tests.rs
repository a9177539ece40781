//! Settings of every combination, and who answers.

use serde_json::json;

use super::*;
use crate::claude::settings::{HOOKED_EVENTS, HookCommand, HookedEvent};
use crate::dirs::scratch::Scratch;

/// The path of a program that is there, which that of a moved one is not.
fn program(scratch: &Scratch) -> String {
    scratch.file("bin/interleaf", "").to_str().unwrap().to_owned()
}

fn settings(call: HookCommand<'_>, events: &[HookedEvent<'_>]) -> String {
    let mut settings = Settings::parse("").unwrap();
    settings.register(call, events).unwrap();
    settings.text().to_owned()
}

fn event(name: &str) -> Event {
    let fields = json!({
        "session_id": "s", "hook_event_name": name, "prompt": "p", "source": "startup", "tool_name": "Bash",
        "tool_input": {}, "tool_response": {}, "error": "e", "stop_hook_active": false, "trigger": "manual",
        "reason": "other", "is_interrupt": false, "agent_type": "Explore",
    });
    Event::parse(fields.to_string().as_bytes()).unwrap()
}

/// A session in the folder `shop`, with the person's own folder beside it.
fn files(scratch: &Scratch) -> SettingsFiles {
    SettingsFiles::of(&scratch.folder("shop"), Some(&scratch.folder("shop")), Some(&scratch.folder("person")))
}

const LOCAL_FILE: &str = "shop/.claude/settings.local.json";
const SHARED_FILE: &str = "shop/.claude/settings.json";
const PERSONS_FILE: &str = "person/settings.json";

#[test]
fn of_the_plugin_and_any_settings_exactly_one_answers_each_event() {
    for file in [LOCAL_FILE, PERSONS_FILE, SHARED_FILE] {
        let scratch = Scratch::new();
        let program = program(&scratch);
        let call = if file == SHARED_FILE { HookCommand::Shared } else { HookCommand::Program(&program) };
        scratch.file(file, &settings(call, &HOOKED_EVENTS));
        for HookedEvent { event: name, .. } in HOOKED_EVENTS {
            let event = event(name);
            assert!(files(&scratch).has_earlier_caller(Caller::Plugin, &event), "{name}, {file}");
            assert!(!files(&scratch).has_earlier_caller(Caller::Machine, &event), "{name}, {file}");
            let shared_yields = files(&scratch).has_earlier_caller(Caller::Shared, &event);
            assert_eq!(shared_yields, file != SHARED_FILE, "{name}, {file}");
        }
    }
}

#[test]
fn a_caller_is_known_by_its_word_and_whoever_says_nothing_known_answers() {
    let said = |word: &str| Caller::from_variable(Some(OsStr::new(word)));
    assert_eq!((said("shared"), said("plugin")), (Caller::Shared, Caller::Plugin));
    assert_eq!(
        (said(""), said("Plugin"), Caller::from_variable(None)),
        (Caller::Machine, Caller::Machine, Caller::Machine)
    );
}

#[test]
fn with_no_settings_the_plugin_answers() {
    let scratch = Scratch::new();
    assert!(!files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")));
    scratch.file(SHARED_FILE, r#"{"hooks": {"Stop": [{"hooks": [{"command": "say done"}]}]}}"#);
    assert!(!files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")));
}

#[test]
fn an_event_that_the_settings_do_not_register_is_the_plugins() {
    let scratch = Scratch::new();
    scratch.file(LOCAL_FILE, &settings(HookCommand::Program(&program(&scratch)), &HOOKED_EVENTS[..1]));

    assert!(files(&scratch).has_earlier_caller(Caller::Plugin, &event("SessionStart")));
    assert!(!files(&scratch).has_earlier_caller(Caller::Plugin, &event("UserPromptSubmit")));
}

#[test]
fn settings_that_cannot_be_read_make_nobody_silent() {
    let broken = ["{", "[]", r#"{"hooks": 7}"#, "\u{0}", r#"{"hooks": {"Stop": [null, {"hooks": 3}]}}"#];
    for text in broken {
        let scratch = Scratch::new();
        scratch.file(LOCAL_FILE, text);
        assert!(!files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")), "{text:?}");
    }
    let scratch = Scratch::new();
    scratch.folder(LOCAL_FILE);
    assert!(!files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")), "a folder in its place");
}

#[test]
fn a_registration_whose_program_is_gone_answers_nothing() {
    let scratch = Scratch::new();
    scratch.file(LOCAL_FILE, &settings(HookCommand::Program("/nowhere/interleaf"), &HOOKED_EVENTS));
    assert!(!files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")));
}

#[test]
fn a_matcher_counts_where_it_certainly_fits() {
    let with = |matcher: &str, name: &str| {
        let scratch = Scratch::new();
        let group = json!([{"matcher": matcher, "hooks": [{"command": "interleaf hook"}]}]);
        scratch.file(LOCAL_FILE, &json!({"hooks": {name: group}}).to_string());
        files(&scratch).has_earlier_caller(Caller::Plugin, &event(name))
    };
    for matcher in ["", "*", "Bash", "Edit|Bash", "Edit, Bash"] {
        assert!(with(matcher, "PreToolUse"), "{matcher}");
    }
    for matcher in ["Edit", "Bas", "bash", "Ba.h", ".*", "^Bash$"] {
        assert!(!with(matcher, "PreToolUse"), "{matcher}");
    }
    assert!(with("startup", "SessionStart") && !with("resume", "SessionStart"));
    assert!(with("Explore", "SubagentStart") && with("manual", "PreCompact") && with("other", "SessionEnd"));
}

#[test]
fn calls_of_the_same_standing_do_not_silence_each_other() {
    let scratch = Scratch::new();
    scratch.file(SHARED_FILE, &settings(HookCommand::Shared, &HOOKED_EVENTS));
    scratch.file(PERSONS_FILE, &settings(HookCommand::Plugin, &HOOKED_EVENTS));
    assert!(
        !files(&scratch).has_earlier_caller(Caller::Shared, &event("Stop")),
        "Claude Code runs one line once"
    );
    assert!(files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")));
}

#[test]
fn what_init_shared_wrote_before_goes_before_the_plugin() {
    let scratch = Scratch::new();
    let hook = json!([{"hooks": [{"command": "PATH=x; exec interleaf hook"}]}]);
    scratch.file(SHARED_FILE, &json!({"hooks": {"Stop": hook}}).to_string());
    assert!(files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")));
}

#[test]
fn local_settings_hold_in_all_folders_and_work_trees_and_shared_ones_in_their_own_folder() {
    let scratch = Scratch::new();
    let (shop, linked) = (scratch.folder("shop"), scratch.folder("linked"));
    let within = scratch.folder("shop/api");
    let answers = |folder: &Path, caller| {
        SettingsFiles::of(folder, Some(&shop), None).has_earlier_caller(caller, &event("Stop"))
    };

    scratch.file(SHARED_FILE, &settings(HookCommand::Shared, &HOOKED_EVENTS));
    assert!(answers(&shop, Caller::Plugin));
    assert!(!answers(&within, Caller::Plugin) && !answers(&linked, Caller::Plugin));

    scratch.file(LOCAL_FILE, &settings(HookCommand::Program(&program(&scratch)), &HOOKED_EVENTS));
    for folder in [&shop, &within, &linked] {
        assert!(answers(folder, Caller::Plugin) && answers(folder, Caller::Shared), "{}", folder.display());
    }
}

#[test]
fn files_that_all_answer_are_named() {
    let scratch = Scratch::new();
    scratch.file(LOCAL_FILE, &settings(HookCommand::Program(&program(&scratch)), &HOOKED_EVENTS));
    scratch.file(SHARED_FILE, &settings(HookCommand::Shared, &HOOKED_EVENTS));
    assert_eq!(files(&scratch).competing_files(), Vec::<PathBuf>::new());
    assert_eq!(files(&scratch).registering_files().len(), 2);

    scratch.file(PERSONS_FILE, r#"{"hooks": {"Stop": [{"hooks": [{"command": "interleaf hook"}]}]}}"#);
    let all = files(&scratch).competing_files();
    assert_eq!(all, [scratch.path().join(LOCAL_FILE), scratch.path().join(PERSONS_FILE)]);
}

#[test]
fn who_cannot_be_asked_what_it_reads_reads_everything() {
    let scratch = Scratch::new();
    scratch.file(LOCAL_FILE, &settings(HookCommand::Program(&program(&scratch)), &HOOKED_EVENTS));
    // This test's own process was told nothing of settings.
    let this = std::process::id().to_string();
    for client in [None, Some(this.as_str()), Some("x"), Some("4294967295")] {
        assert!(
            files(&scratch).read_by_client(client).has_earlier_caller(Caller::Plugin, &event("Stop")),
            "{client:?}"
        );
    }
}
