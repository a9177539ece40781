//! Whatever arrives on standard input and whatever the world around looks like, a hook does no harm: exit
//! code 0, standard output empty or one JSON object, nothing on standard error, and no hanging. Every case is
//! a process of its own, as in a session: some fifty thousand of them, about a minute.

use interleaf_tests::harmless::{check_harmless, run_cases};
use interleaf_tests::hostile_input::{Case, cuts, every_field, missing_fields, one_byte_wrong, wrong_types};
use interleaf_tests::program::program;
use interleaf_tests::recorded_events::{Recorded, recorded_in};
use interleaf_tests::run::run;
use interleaf_tests::scratch::{HANG, Scratch};
use interleaf_tests::unprivileged::{copied_program, unprivileged};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What the prompts below ask for, so that a hook that still works has something to say.
const MEMORY: &str = "The invoice export times out while the archive bucket is cold: warm the archive first.";
const PROMPT: &str = "the invoice export times out on the archive bucket";

#[test]
fn a_healthy_event_gets_an_answer_in_this_world() {
    let scratch = world();

    let ran = scratch.hook(prompt(&scratch));

    assert_eq!(check_harmless(&ran), Ok(()));
    assert!(
        ran.out().contains("archive bucket is cold"),
        "the other tests here would prove nothing: {}",
        ran.out()
    );
}

#[test]
fn nothing_at_all() {
    let scratch = world();

    for input in ["", "\n", " ", "\0", "null", "[]", "\"\"", "0", "{}", "{}{}", "}", "\u{feff}{}"] {
        assert_eq!(check_harmless(&scratch.hook(input)), Ok(()), "{input:?}");
    }
}

#[test]
fn a_standard_input_that_is_closed() {
    let scratch = world();

    let ran = run(scratch.command("sh").args(["-c", "exec \"$0\" hook <&-"]).arg(program()), b"", HANG);

    assert_eq!(check_harmless(&ran), Ok(()));
}

#[test]
fn every_event_cut_off_anywhere() {
    let cases = World::new().every_event(cuts);

    assert!(cases > 30_000, "only {cases} cuts; are the recorded events all there?");
}

#[test]
fn wrong_types_in_every_field() {
    World::new().every_event(wrong_types);
}

#[test]
fn every_field_missing() {
    World::new().every_event(missing_fields);
}

#[test]
fn bytes_that_are_no_text() {
    let world = World::new();

    for byte in [0xff, 0xc3, 0x00] {
        world.every_event(|event| one_byte_wrong(event, byte));
    }
}

#[test]
fn ten_thousand_levels_deep() {
    let lists = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let objects = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    let world = World::new();

    world.every_event(|event| every_field(event, "deep lists", &lists));
    world.every_event(|event| every_field(event, "deep objects", &objects));
    for bare in [&lists, &objects, &"[".repeat(10_000), &"{\"a\":".repeat(10_000)] {
        assert_eq!(check_harmless(&world.scratch.hook(bare)), Ok(()));
    }
}

/// For one event of each shape: a start, a prompt, a tool before and after, a subagent's end.
#[test]
fn strings_of_ten_megabytes() {
    let word = format!("\"{}\"", "x".repeat(10 << 20));
    let words = format!("\"{}\"", "invoice archive ".repeat((10 << 20) / 16));
    let mut world = World::new();
    // What takes long is to be the size of the event, not the layers' first compilation behind it.
    world.scratch.interleaf(&["compile"]).success();
    world.events.retain(|event| SHAPES.contains(&event.name.as_str()));
    assert_eq!(world.events.len(), SHAPES.len(), "a recorded event has another name now");

    world.every_event(|event| every_field(event, "one huge word", &word));
    world.every_event(|event| every_field(event, "too many words", &words));
}

const SHAPES: [&str; 5] = [
    "SessionStart-startup",
    "UserPromptSubmit",
    "PreToolUse-Bash",
    "PostToolUse-Edit",
    "SubagentStop-Explore",
];

#[test]
fn session_ids_and_folders_that_point_elsewhere() {
    let scratch = world();
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
fn a_working_folder_that_is_gone() {
    let scratch = world();
    let gone = scratch.root.join("gone");
    std::fs::create_dir(&gone).unwrap();
    let event = scratch.event("UserPromptSubmit", json!({"prompt": PROMPT, "cwd": gone}));

    let script = "rmdir \"$PWD\" && exec \"$0\" hook";
    let ran = run(
        scratch.command("sh").args(["-c", script]).arg(program()).current_dir(&gone),
        event.as_bytes(),
        HANG,
    );

    assert!(!gone.exists());
    assert_eq!(check_harmless(&ran), Ok(()));
}

#[test]
fn no_home() {
    let scratch = world();
    let file = scratch.project.join("hello.txt");
    let homes = ["", "relative", "/nonexistent", "/dev/null", "/proc", file.to_str().unwrap()].map(Some);

    for home in homes.into_iter().chain([None]) {
        for variable in ["HOME", "INTERLEAF_HOME", "XDG_DATA_HOME"] {
            let mut hook = scratch.command(program());
            hook.arg("hook").env_remove("INTERLEAF_HOME").env_remove("HOME");
            hook.envs(home.map(|home| (variable, home)));
            let ran = run(&mut hook, prompt(&scratch).as_bytes(), HANG);
            assert_eq!(check_harmless(&ran), Ok(()), "{variable} = {home:?}");
        }
    }
}

#[test]
fn no_environment_at_all() {
    let scratch = world();

    let ran = run(scratch.command(program()).arg("hook").env_clear(), prompt(&scratch).as_bytes(), HANG);

    assert_eq!(check_harmless(&ran), Ok(()));
}

#[test]
fn a_project_that_may_only_be_read() {
    let scratch = world();
    let (home, shut) = (scratch.root.join("nobodys"), scratch.root.join("shut"));
    let program = copied_program(&scratch);
    for (folder, mode) in [(&home, 0o777), (&shut, 0o700)] {
        std::fs::create_dir(folder).unwrap();
        set_mode(folder, mode);
    }
    set_mode(&scratch.project, 0o555);

    let write = run(&mut unprivileged(&scratch, Path::new("touch"), &["proof"]), b"", HANG);
    assert_ne!(write.code, Some(0), "the project can be written to; this test would prove nothing");
    let remember =
        run(unprivileged(&scratch, &program, &["remember", MEMORY]).env("INTERLEAF_HOME", &home), b"", HANG);
    remember.success();
    // Compiled beforehand: this is about folders, not about time.
    run(unprivileged(&scratch, &program, &["compile"]).env("INTERLEAF_HOME", &home), b"", HANG).success();
    for home in [&home, &shut, &scratch.project, &scratch.project.join("inside")] {
        let hook = &mut unprivileged(&scratch, &program, &["hook"]);
        let ran = run(hook.env("INTERLEAF_HOME", home), prompt(&scratch).as_bytes(), HANG);
        assert_eq!(check_harmless(&ran), Ok(()), "{}", home.display());
    }
    let hook = run(
        unprivileged(&scratch, &program, &["hook"]).env("INTERLEAF_HOME", &home),
        scratch.event("UserPromptSubmit", json!({"prompt": PROMPT, "session_id": "another"})).as_bytes(),
        HANG,
    );

    set_mode(&scratch.project, 0o755);
    assert!(hook.out().contains("archive bucket is cold"), "a project need not be writable to be remembered");
}

/// A home with a memory in it, and the recorded events as if they came from its project.
struct World {
    scratch: Scratch,
    events: Vec<Recorded>,
}

impl World {
    fn new() -> World {
        let scratch = world();
        let events = recorded_in(&scratch.project);
        World { scratch, events }
    }

    /// Gives the hook every event with this damage, and counts the cases.
    fn every_event<'w, C>(&'w self, damage: impl Fn(&'w Recorded) -> C + Send) -> usize
    where
        C: Iterator<Item = Case> + Send,
    {
        run_cases(self.events.iter().flat_map(damage), |stdin| self.scratch.hook(stdin))
    }
}

/// A home with a memory in it.
fn world() -> Scratch {
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
