//! Whatever arrives on standard input and whatever the environment looks like, a hook does no harm: exit code
//! 0, standard output empty or one JSON object, nothing on standard error, and no hang. As in a session,
//! every case is a process of its own: about thirty thousand of them.

use interleaf_tests::harmless::{check_harmless, run_cases};
use interleaf_tests::hostile_input::{Case, cuts, every_field, missing_fields, one_byte_wrong, wrong_types};
use interleaf_tests::program::program;
use interleaf_tests::recorded_events::{RecordedEvent, recorded_events_in};
use interleaf_tests::run::run;
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use interleaf_tests::unprivileged::{copied_program, unprivileged};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A memory that matches the prompts below, so that a working hook has something to answer.
const MEMORY: &str = "The invoice export times out while the archive bucket is cold: warm the archive first.";
const PROMPT: &str = "the invoice export times out on the archive bucket";

#[test]
fn a_valid_event_gets_an_answer_in_this_setup() {
    let scratch = project_with_memory();

    let ran = scratch.hook(prompt(&scratch));

    assert_eq!(check_harmless(&ran), Ok(()));
    assert!(
        ran.out().contains("archive bucket is cold"),
        "the other tests here would prove nothing: {}",
        ran.out()
    );
}

#[test]
fn empty_or_trivial_input_does_no_harm() {
    let scratch = project_with_memory();

    for input in ["", "\n", " ", "\0", "null", "[]", "\"\"", "0", "{}", "{}{}", "}", "\u{feff}{}"] {
        assert_eq!(check_harmless(&scratch.hook(input)), Ok(()), "{input:?}");
    }
}

#[test]
fn a_closed_standard_input_does_no_harm() {
    let scratch = project_with_memory();

    let ran =
        run(scratch.command("sh").args(["-c", "exec \"$0\" hook <&-"]).arg(program()), b"", HANG_TIMEOUT);

    assert_eq!(check_harmless(&ran), Ok(()));
}

#[test]
fn an_event_cut_off_anywhere_does_no_harm() {
    let cases = RecordedProject::new().every_event(cuts);

    assert!(cases > 14_000, "only {cases} cuts; are the recorded events all there?");
}

#[test]
fn wrong_types_in_every_field_do_no_harm() {
    RecordedProject::new().every_event(wrong_types);
}

#[test]
fn a_missing_field_does_no_harm() {
    RecordedProject::new().every_event(missing_fields);
}

#[test]
fn bytes_that_are_not_text_do_no_harm() {
    let project = RecordedProject::new();

    for byte in [0xff, 0xc3, 0x00] {
        project.every_event(|event| one_byte_wrong(event, byte));
    }
}

#[test]
fn ten_thousand_levels_of_nesting_do_no_harm() {
    let lists = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let objects = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    let project = RecordedProject::new();

    project.every_event(|event| every_field(event, "deep lists", &lists));
    project.every_event(|event| every_field(event, "deep objects", &objects));
    for bare in [&lists, &objects, &"[".repeat(10_000), &"{\"a\":".repeat(10_000)] {
        assert_eq!(check_harmless(&project.scratch.hook(bare)), Ok(()));
    }
}

/// Covers one event of each shape: a start, a prompt, a tool before and after, a subagent's end.
#[test]
fn strings_of_ten_megabytes_do_no_harm() {
    let word = format!("\"{}\"", "x".repeat(10 << 20));
    let words = format!("\"{}\"", "invoice archive ".repeat((10 << 20) / 16));
    let mut project = RecordedProject::new();
    // Compiled beforehand, so that the size of the event and not the first compilation takes the time.
    project.scratch.interleaf(&["compile"]).success();
    project.events.retain(|event| SHAPES.contains(&event.name.as_str()));
    assert_eq!(project.events.len(), SHAPES.len(), "a recorded event has another name now");

    project.every_event(|event| every_field(event, "one huge word", &word));
    project.every_event(|event| every_field(event, "too many words", &words));
}

const SHAPES: [&str; 5] = [
    "SessionStart-startup",
    "UserPromptSubmit",
    "PreToolUse-Bash",
    "PostToolUse-Edit",
    "SubagentStop-Explore",
];

#[test]
fn session_ids_and_folders_that_point_elsewhere_do_no_harm() {
    let scratch = project_with_memory();
    let long = "/x".repeat(5_000);

    for field in ["session_id", "cwd", "transcript_path", "agent_id", "agent_type", "prompt_id"] {
        for value in [
            "",
            ".",
            "../../../tmp",
            "/",
            "/etc/passwd",
            "/proc/self/mem",
            "/nonexistent/x",
            "a\0b",
            "\n",
            "💥",
            &long,
        ] {
            let ran =
                scratch.hook(scratch.event("UserPromptSubmit", json!({"prompt": PROMPT, field: value})));
            assert_eq!(check_harmless(&ran), Ok(()), "{field} = {value:?}");
        }
    }
}

#[test]
fn a_deleted_working_folder_does_no_harm() {
    let scratch = project_with_memory();
    let gone = scratch.root.join("gone");
    std::fs::create_dir(&gone).unwrap();
    let event = scratch.event("UserPromptSubmit", json!({"prompt": PROMPT, "cwd": gone}));

    let script = "rmdir \"$PWD\" && exec \"$0\" hook";
    let ran = run(
        scratch.command("sh").args(["-c", script]).arg(program()).current_dir(&gone),
        event.as_bytes(),
        HANG_TIMEOUT,
    );

    assert!(!gone.exists());
    assert_eq!(check_harmless(&ran), Ok(()));
}

#[test]
fn a_missing_home_does_no_harm() {
    let scratch = project_with_memory();
    let file = scratch.project.join("hello.txt");
    let homes = ["", "relative", "/nonexistent", "/dev/null", "/proc", file.to_str().unwrap()].map(Some);

    for home in homes.into_iter().chain([None]) {
        for variable in ["HOME", "INTERLEAF_HOME", "XDG_DATA_HOME"] {
            let mut hook = scratch.command(program());
            hook.arg("hook").env_remove("INTERLEAF_HOME").env_remove("HOME");
            hook.envs(home.map(|home| (variable, home)));
            let ran = run(&mut hook, prompt(&scratch).as_bytes(), HANG_TIMEOUT);
            assert_eq!(check_harmless(&ran), Ok(()), "{variable} = {home:?}");
        }
    }
}

#[test]
fn an_empty_environment_does_no_harm() {
    let scratch = project_with_memory();

    let ran =
        run(scratch.command(program()).arg("hook").env_clear(), prompt(&scratch).as_bytes(), HANG_TIMEOUT);

    assert_eq!(check_harmless(&ran), Ok(()));
}

#[test]
fn a_read_only_project_does_no_harm() {
    let scratch = project_with_memory();
    let (home, shut) = (scratch.root.join("nobodys"), scratch.root.join("shut"));
    let program = copied_program(&scratch);
    for (folder, mode) in [(&home, 0o777), (&shut, 0o700)] {
        std::fs::create_dir(folder).unwrap();
        set_mode(folder, mode);
    }
    set_mode(&scratch.project, 0o555);

    let write = run(&mut unprivileged(&scratch, Path::new("touch"), &["proof"]), b"", HANG_TIMEOUT);
    assert_ne!(write.code, Some(0), "the project can be written to; this test would prove nothing");
    let remember = run(
        unprivileged(&scratch, &program, &["remember", MEMORY]).env("INTERLEAF_HOME", &home),
        b"",
        HANG_TIMEOUT,
    );
    remember.success();
    // Compiled beforehand: this test is about folders, not about time.
    run(unprivileged(&scratch, &program, &["compile"]).env("INTERLEAF_HOME", &home), b"", HANG_TIMEOUT)
        .success();
    for home in [&home, &shut, &scratch.project, &scratch.project.join("inside")] {
        let hook = &mut unprivileged(&scratch, &program, &["hook"]);
        let ran = run(hook.env("INTERLEAF_HOME", home), prompt(&scratch).as_bytes(), HANG_TIMEOUT);
        assert_eq!(check_harmless(&ran), Ok(()), "{}", home.display());
    }
    let hook = run(
        unprivileged(&scratch, &program, &["hook"]).env("INTERLEAF_HOME", &home),
        scratch.event("UserPromptSubmit", json!({"prompt": PROMPT, "session_id": "another"})).as_bytes(),
        HANG_TIMEOUT,
    );

    set_mode(&scratch.project, 0o755);
    assert!(hook.out().contains("archive bucket is cold"), "a project need not be writable to be remembered");
}

/// A project with a memory, and the recorded events as if they came from it.
struct RecordedProject {
    scratch: Scratch,
    events: Vec<RecordedEvent>,
}

impl RecordedProject {
    fn new() -> RecordedProject {
        let scratch = project_with_memory();
        let events = recorded_events_in(&scratch.project);
        RecordedProject { scratch, events }
    }

    /// Sends every event with this damage to the hook, and returns the number of cases.
    fn every_event<'w, C>(&'w self, damage: impl Fn(&'w RecordedEvent) -> C + Send) -> usize
    where
        C: Iterator<Item = Case> + Send,
    {
        run_cases(self.events.iter().flat_map(damage), |stdin| self.scratch.hook(stdin))
    }
}

/// Creates a project with a memory.
fn project_with_memory() -> Scratch {
    let scratch = Scratch::new();
    scratch.interleaf(&["remember", MEMORY]).success();
    scratch
}

fn prompt(scratch: &Scratch) -> String {
    scratch.event("UserPromptSubmit", json!({"prompt": PROMPT}))
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}
