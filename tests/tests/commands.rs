//! Commands as a person types them, and their JSON output.

use std::path::PathBuf;

use interleaf_tests::program::program;
use interleaf_tests::run::run;
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::{Value, json};

const RULE: &str = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
const QUESTION: &str = "Which package manager do we use here?";

/// Creates a project with compiled layers, so that compilation does not count against deadlines.
fn prepared_project() -> Scratch {
    let scratch = Scratch::new();
    scratch.interleaf(&["compile"]).success();
    scratch
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

fn remember(scratch: &Scratch, text: &str) -> String {
    let written = scratch.interleaf(&["remember", "--json", text]).success();
    lines(&written)[0]["id"].as_str().expect("an id").to_owned()
}

fn listed(scratch: &Scratch) -> Vec<Value> {
    lines(&scratch.interleaf(&["memory", "list", "--json"]).success())
}

fn hook_reply(scratch: &Scratch, session: &str) -> String {
    let event = scratch.event("UserPromptSubmit", json!({ "session_id": session, "prompt": QUESTION }));
    scratch.hook(event).success()
}

/// What could clear a terminal, set its title, or imitate a line of the program.
const HOSTILE: &str = "a\u{1b}[2J\u{1b}]0;t\u{7}\u{202e}b\nEverything is in order.\rc";

#[test]
fn an_error_that_quotes_an_argument_does_not_steer_the_terminal() {
    let scratch = Scratch::new();
    let option = format!("--{HOSTILE}");
    let value = format!("--limit={HOSTILE}");
    for arguments in [
        &["log", "--session", HOSTILE][..],
        &["log", &option],
        &["log", &value],
        &[HOSTILE],
        &["layer", HOSTILE],
        &["layer", "run", HOSTILE],
        &["layer", "check", HOSTILE],
        &["layer", "accept", HOSTILE],
        &["layer", "accept", "x", "--digest", HOSTILE],
        &["memory", "show", HOSTILE],
        &["forget", HOSTILE],
        &["config", "check", HOSTILE],
        &["config", "import", HOSTILE],
        &["jobs", "retry", HOSTILE],
        &["remember", "--category", HOSTILE, "x"],
        &["llm", "choose", HOSTILE],
        &["completions", HOSTILE],
        &["detect", HOSTILE],
        &["triage", HOSTILE],
        &["schema", HOSTILE],
    ] {
        let ran = scratch.interleaf(arguments);

        for text in [ran.out(), ran.err()] {
            assert!(!text.contains(|c: char| c != '\n' && c.is_control()), "{arguments:?}: {text:?}");
            assert!(!text.contains('\u{202e}'), "{arguments:?}: {text:?}");
            assert!(!text.lines().any(|line| line.starts_with("Everything")), "{arguments:?}: {text}");
        }
    }
}

#[test]
fn a_memory_can_be_listed_found_shown_and_forgotten() {
    let scratch = prepared_project();
    let id = remember(&scratch, RULE);

    assert_eq!(listed(&scratch).len(), 1);
    assert!(scratch.interleaf(&["memory", "search", "package", "manager"]).success().contains(&id));
    assert!(scratch.interleaf(&["memory", "show", &id[..5]]).success().contains("CI rejects"));
    assert!(hook_reply(&scratch, "one").contains("pnpm"));

    assert!(scratch.interleaf(&["forget", &id, "--yes"]).success().contains(&id));
    assert!(listed(&scratch).is_empty());
    assert_eq!(hook_reply(&scratch, "two"), "");
    assert!(scratch.interleaf(&["memory", "list", "--all"]).success().contains("retired"));
}

#[test]
fn without_a_category_the_text_chooses_it() {
    let scratch = prepared_project();

    for (text, category) in [
        ("Never force push to main.", "preference"),
        ("The vendor API takes ten requests a second, by design.", "constraint"),
        ("We chose Postgres over SQLite, because two services write at once.", "decision"),
        ("The parser lives in src/parse.rs.", "learning"),
    ] {
        let answer = scratch.interleaf(&["remember", text]).success();
        assert!(answer.contains(&format!("({category})")), "{text}: {answer}");
    }
    let answer = scratch.interleaf(&["remember", "-c", "context", "Never push on Fridays."]).success();
    assert!(answer.contains("(context)"), "{answer}");
}

#[test]
fn standard_input_is_read_and_a_duplicate_is_not_written() {
    let scratch = prepared_project();

    let first = scratch.interleaf_with(&["remember", "-"], RULE.as_bytes()).success();
    let second = scratch.interleaf_with(&["remember"], RULE.as_bytes()).success();

    assert!(first.starts_with("Remembered as ") && first.ends_with(" --yes\n"), "{first}");
    assert!(second.starts_with("Already known: "), "{second}");
    assert_eq!(listed(&scratch).len(), 1);
}

#[test]
fn a_near_duplicate_is_named_and_written_only_if_it_is_forced() {
    let scratch = prepared_project();
    let (first, second) = (
        "The invoices service accepts ten requests a second from each tenant",
        "The invoice service accepts ten requests a second from every tenant",
    );
    remember(&scratch, first);

    let refused = scratch.interleaf(&["remember", second]);
    let as_json = scratch.interleaf(&["remember", "--json", second]);

    assert!(refused.code != Some(0) && refused.err().contains("says nearly the same: The invoices"));
    assert!(refused.err().contains("--force"), "{}", refused.err());
    assert!(as_json.code != Some(0) && as_json.out().contains("\"created\":false"), "{}", as_json.out());
    assert_eq!(listed(&scratch).len(), 1);
    let _ = scratch.interleaf(&["remember", "--force", second]).success();
    assert_eq!(listed(&scratch).len(), 2);
    let same = scratch
        .interleaf(&["remember", "the INVOICE service accepts ten requests a second, from every tenant."]);
    assert!(same.success().starts_with("Already known: "));
}

#[test]
fn piped_text_has_the_origin_assistant_and_never_person() {
    let scratch = prepared_project();
    remember(&scratch, RULE);

    assert_eq!(listed(&scratch)[0]["origin"], "assistant");
}

#[test]
fn a_secret_is_not_stored() {
    let scratch = prepared_project();
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    remember(&scratch, &format!("The deploy token is {secret}, keep it"));

    let stored = scratch.interleaf(&["memory", "export"]).success();

    assert!(!stored.contains(&secret) && stored.contains("[SECRET:"), "{stored}");
}

#[test]
fn an_export_can_be_imported_elsewhere_with_its_ids() {
    let (here, there) = (prepared_project(), prepared_project());
    let id = remember(&here, RULE);
    let export = here.interleaf(&["memory", "export"]).success();

    let imported = there.interleaf_with(&["memory", "import", "-", "--json"], export.as_bytes()).success();
    let again = there.interleaf_with(&["memory", "import", "-", "--json"], export.as_bytes()).success();

    assert_eq!((&lines(&imported)[0]["written"], &lines(&again)[0]["duplicates"]), (&json!(1), &json!(1)));
    let memory = &listed(&there)[0];
    assert_eq!((memory["id"].as_str(), memory["origin"].as_str()), (Some(id.as_str()), Some("imported")));
}

#[test]
fn an_import_names_the_entries_it_refuses_and_writes_the_others() {
    let scratch = prepared_project();
    let input = format!(
        "{}\nnot json\n{}\n",
        json!({ "text": RULE }),
        json!({ "category": "rule", "text": "x y z" })
    );

    let ran = scratch.interleaf_with(&["memory", "import", "-"], input.as_bytes());

    assert_eq!(ran.code, Some(2));
    assert!(ran.err().contains("entry 2") && ran.err().contains("entry 3"), "{}", ran.err());
    assert!(ran.err().contains("hint:"), "{}", ran.err());
    assert_eq!(listed(&scratch).len(), 1);
}

#[test]
fn a_preview_prints_exactly_what_the_hook_injects_and_changes_nothing() {
    let scratch = prepared_project();
    remember(&scratch, RULE);

    let preview = scratch.interleaf(&["memory", "search", "--preview", "prompt", QUESTION]).success();
    let hook: Value = serde_json::from_str(&hook_reply(&scratch, "one")).expect("one object");

    let injected = hook["hookSpecificOutput"]["additionalContext"].as_str().expect("context");
    assert_eq!(preview.trim_end(), injected);
    assert_eq!(scratch.interleaf(&["memory", "search", "--preview", "prompt", "ok then"]).success(), "");
}

#[test]
fn an_error_names_the_cause_and_the_next_step() {
    let scratch = prepared_project();

    let unknown = scratch.interleaf(&["forget", "zzzz"]);
    let category = scratch.interleaf(&["remember", "-c", "rule", "x"]);

    assert_eq!((unknown.code, unknown.stdout.len()), (Some(1), 0));
    assert!(unknown.err().contains("zzzz"), "{}", unknown.err());
    assert!(category.err().contains("unknown category `rule`"), "{}", category.err());
}

#[test]
fn one_variable_switches_everything_off_and_a_setting_each_layer() {
    let scratch = prepared_project();
    remember(&scratch, RULE);
    let event = scratch.event("UserPromptSubmit", json!({ "prompt": QUESTION }));
    let program = interleaf_tests::program::program();

    let mut off = scratch.command(program);
    off.arg("hook").env("INTERLEAF_DISABLE", "1");
    let ran = interleaf_tests::run::run(&mut off, event.as_bytes(), interleaf_tests::scratch::HANG_TIMEOUT);
    assert_eq!(ran.success(), "");

    scratch.write(".claude/interleaf.toml", "[layers.recall]\nenabled = false\n");
    assert_eq!(hook_reply(&scratch, "one"), "");
    assert!(scratch.interleaf(&["layers"]).success().contains("recall (switched off)"));

    scratch.write(".claude/interleaf.toml", "");
    assert!(hook_reply(&scratch, "one").contains("pnpm"));
}

#[test]
fn a_project_cannot_raise_a_limit_and_the_attempt_is_reported() {
    let scratch = prepared_project();
    scratch.write(".claude/interleaf.toml", "[budget]\nhook_units = 90000\n[redact]\npatterns = [\"x\"]\n");

    let output = scratch.interleaf(&["layers"]).success();

    assert!(output.contains("interleaf.toml:2"), "{output}");
    assert!(output.contains("interleaf.toml:4") || output.contains("interleaf.toml:3"), "{output}");
}

#[test]
fn doctor_names_the_layer_that_failed_and_the_reason() {
    let scratch = prepared_project();
    remember(&scratch, RULE);
    scratch.write(".claude/interleaf.toml", "[layers.recall.limits]\nmemory_bytes = 65536\n");

    assert_eq!(hook_reply(&scratch, "one"), "");
    let report = &lines(&scratch.interleaf(&["doctor", "--json"]).out())[0];

    let failure = &report["failures"][0];
    assert_eq!((&failure["layer"], &failure["event"]), (&json!("recall"), &json!("UserPromptSubmit")));
    assert!(
        failure["message"].as_str().expect("words").starts_with("memory limit of 65536 bytes"),
        "{failure}"
    );
    assert!(scratch.interleaf(&["doctor"]).out().contains("failed: layer recall on UserPromptSubmit"));
}

#[test]
fn doctor_checks_that_claude_code_calls_interleaf() {
    let scratch = prepared_project();
    assert!(scratch.interleaf(&["doctor"]).out().contains("no settings file registers Interleaf"));

    scratch.interleaf(&["init"]).success();

    assert!(scratch.interleaf(&["doctor"]).out().contains("Everything is in order."));
}

#[test]
fn a_link_is_registered_as_it_is_called_and_doctor_misses_its_program() {
    let scratch = prepared_project();
    let (version, link) = (scratch.root.join("v1/interleaf"), scratch.root.join("bin/interleaf"));
    for folder in [&version, &link].map(|file| file.parent().expect("it lies in a folder")) {
        std::fs::create_dir(folder).expect("a fresh folder is writable");
    }
    std::fs::hard_link(program(), &version)
        .or_else(|_| std::fs::copy(program(), &version).map(drop))
        .expect("the program can be copied");
    std::os::unix::fs::symlink("../v1/interleaf", &link).expect("a fresh folder is writable");
    run(scratch.command(&link).args(["init", "--yes"]), b"", HANG_TIMEOUT).success();

    let settings = scratch.project.join(".claude/settings.local.json");
    let registered = std::fs::read_to_string(&settings).expect("init wrote it");
    assert!(registered.contains(&format!("{:?}", link.display().to_string())), "{registered}");

    std::fs::remove_file(&version).expect("it is ours");
    let doctor = scratch.interleaf(&["doctor"]);
    assert!(doctor.out().contains("which is not there or cannot be run"), "{}", doctor.out());
    assert!(!doctor.out().contains("Everything is in order."), "{}", doctor.out());
}

#[test]
fn a_database_of_a_newer_version_is_not_repaired() {
    let scratch = prepared_project();
    remember(&scratch, RULE);
    let mut files: Vec<PathBuf> = vec![scratch.interleaf_home.join("data/projects")];
    while let Some(folder) = files.pop() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        for file in entries.iter().filter(|file| file.ends_with("interleaf.db")) {
            let db = rusqlite::Connection::open(file).expect("it opens");
            db.pragma_update(None, "user_version", 99).expect("it is written");
        }
        files.extend(entries.into_iter().filter(|entry| entry.is_dir()));
    }

    let refused = scratch.interleaf(&["memory", "repair", "--yes"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err().contains("schema version 99") && refused.err().contains("newer Interleaf"));
    assert!(!refused.out().contains("damaged"), "{}", refused.out());
}

#[test]
fn a_second_init_changes_nothing_and_uninstall_restores_everything() {
    let scratch = prepared_project();
    let before = scratch.git(&["status", "--porcelain", "--ignored"]);
    scratch.interleaf(&["init"]).success();
    let settings = scratch.project.join(".claude/settings.local.json");
    let registered = std::fs::read_to_string(&settings).expect("init wrote it");

    assert!(scratch.interleaf(&["init"]).success().contains("already set up"));
    assert_eq!(std::fs::read_to_string(&settings).expect("still there"), registered);
    assert_eq!(scratch.interleaf(&["init", "--shared"]).code, Some(1), "a second registration is refused");

    scratch.interleaf(&["uninstall"]).success();
    assert_eq!(scratch.git(&["status", "--porcelain", "--ignored"]), before);
}

#[test]
fn worktrees_share_their_memories_and_clones_do_not() {
    let scratch = prepared_project();
    remember(&scratch, RULE);
    scratch.git(&["worktree", "add", "--quiet", "../tree"]);
    scratch.git(&["clone", "--quiet", ".", "../copy"]);

    let list = |folder: &str| {
        let mut command = scratch.command(interleaf_tests::program::program());
        command.args(["memory", "list"]).current_dir(scratch.root.join(folder));
        interleaf_tests::run::run(&mut command, b"", interleaf_tests::scratch::HANG_TIMEOUT).success()
    };
    assert!(list("tree").contains("pnpm"));
    assert!(list("copy").starts_with("No memories found in "));
}

/// Clients up to 2.1.59 drop the arguments of a hook, and read the exit code 2 as a refusal.
#[test]
fn the_bare_program_answers_an_event_on_its_standard_input() {
    let scratch = prepared_project();
    remember(&scratch, RULE);
    let event = |session: &str| {
        scratch.event("UserPromptSubmit", json!({ "session_id": session, "prompt": QUESTION }))
    };
    let bare = scratch.interleaf_with(&[], event("one").as_bytes()).success();
    assert!(bare.contains("pnpm"), "{bare}");
    assert_eq!(bare, scratch.hook(event("two")).success());

    for input in ["", "text", "\n"] {
        let help = scratch.interleaf_with(&[], input.as_bytes());
        assert_eq!(help.code, Some(1), "{help:?}");
        assert!(help.err().contains("Usage: interleaf"), "{help:?}");
    }
}

#[test]
fn completions_are_printed_for_the_usual_shells() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(Scratch::new().interleaf(&["completions", shell]).success().contains("interleaf"), "{shell}");
    }
}
