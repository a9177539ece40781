//! The log: one line for each event that a layer answered, as a person and as a program reads it.

use interleaf_tests::program::program;
use interleaf_tests::scratch::{SESSION, Scratch};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

const RULE: &str = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
const QUESTION: &str = "Which package manager do we use here?";

/// Creates a project with compiled layers and one memory.
fn project_with_memory() -> Scratch {
    let scratch = Scratch::new();
    scratch.interleaf(&["compile"]).success();
    scratch.interleaf(&["remember", "--category", "preference", RULE]).success();
    scratch
}

fn ask(scratch: &Scratch, session: &str) -> String {
    scratch
        .hook(scratch.event("UserPromptSubmit", json!({ "session_id": session, "prompt": QUESTION })))
        .success()
}

fn lines(scratch: &Scratch, arguments: &[&str]) -> Vec<Value> {
    let arguments: Vec<&str> = ["log", "--json"].iter().chain(arguments).copied().collect();
    let printed = scratch.interleaf(&arguments).success();
    printed.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

fn file(scratch: &Scratch) -> PathBuf {
    scratch.interleaf_home.join("state/log.jsonl")
}

#[test]
fn a_hook_s_line_names_layers_times_memories_and_relevance() {
    let scratch = project_with_memory();
    assert!(ask(&scratch, SESSION).contains("pnpm"));

    let lines = lines(&scratch, &[]);

    let [line] = &lines[..] else { panic!("one line for one hook: {lines:?}") };
    assert_eq!(
        (&line["event"], &line["session"], &line["level"]),
        (&json!("UserPromptSubmit"), &json!(SESSION), &json!("info"))
    );
    let hook = &line["hook"];
    let recall = hook["layers"].as_array().expect("a list").iter().find(|part| part["layer"] == "recall");
    let recall = recall.expect("recall answers prompts");
    assert_eq!(recall["outcome"], "answered");
    assert!(recall["ms"].as_f64() > Some(0.0) && hook["ms"].as_f64() >= recall["ms"].as_f64(), "{hook}");
    let shown = &hook["shown"][0];
    assert_eq!(shown["layer"], "recall");
    assert!((0.0..=1.0).contains(&shown["relevance"].as_f64().expect("a number")), "{shown}");
    assert!(shown["memory"].as_str().is_some_and(|id| !id.is_empty()));
    assert!(hook["units"].as_u64() > Some(0));
}

#[test]
fn omitted_context_is_counted_and_no_text_is_logged() {
    let scratch = project_with_memory();
    ask(&scratch, SESSION);
    assert_eq!(ask(&scratch, SESSION), "");

    let written = fs::read_to_string(file(&scratch)).expect("the log is there");
    let second = &lines(&scratch, &["-n", "1"])[0]["hook"];

    assert!(second.get("shown").is_none() && second["units"] == 0, "{second}");
    assert!(!written.contains("package manager"), "neither prompt nor memory is in the log: {written}");
}

#[test]
fn a_tool_s_line_names_the_tool_and_never_its_command() {
    let scratch = project_with_memory();
    let rule = "Never git push --force: the mirror keeps what it once had";
    scratch.interleaf(&["remember", "--category", "constraint", rule]).success();
    let input = json!({ "command": "git push --force origin marker-of-this-test" });
    let event = json!({ "tool_name": "Bash", "tool_use_id": "toolu_1", "tool_input": input });
    scratch.hook(scratch.event("PreToolUse", event)).success();

    let lines = lines(&scratch, &[]);
    let written = fs::read_to_string(file(&scratch)).expect("the log is there");

    assert_eq!((&lines[0]["event"], &lines[0]["hook"]["tool"]), (&json!("PreToolUse"), &json!("Bash")));
    let part = &lines[0]["hook"]["layers"][0];
    assert_eq!(part["layer"], "pretool");
    assert!(part["said"][0].is_object(), "the object that it logged is in the line: {part}");
    assert!(!written.contains("marker-of-this-test"), "{written}");
}

#[test]
fn an_event_that_no_layer_answers_is_not_logged() {
    let scratch = project_with_memory();
    scratch.hook(scratch.event("Notification", json!({ "message": "waiting" }))).success();

    assert!(lines(&scratch, &[]).is_empty());
    assert!(scratch.interleaf(&["log"]).err().contains("has no lines"));
}

#[test]
fn a_session_can_be_selected_by_the_beginning_of_its_id() {
    let scratch = project_with_memory();
    ask(&scratch, "aaaa1111-one");
    ask(&scratch, "bbbb2222-two");

    let sessions: Vec<Value> =
        lines(&scratch, &["--session", "bbbb"]).into_iter().map(|line| line["session"].clone()).collect();

    assert_eq!(sessions, ["bbbb2222-two"]);
    assert_eq!(lines(&scratch, &[]).len(), 2);
    assert!(scratch.interleaf(&["log", "--session", "cccc"]).err().contains("session cccc"));
}

#[test]
fn a_person_reads_event_layers_times_and_titles() {
    let scratch = project_with_memory();
    ask(&scratch, SESSION);

    let output = scratch.interleaf(&["log"]).success();

    assert!(output.contains("UserPromptSubmit") && output.contains(&SESSION[..8]), "{output}");
    assert!(output.contains("recall") && output.contains(" ms, answered"), "{output}");
    assert!(output.contains("Use pnpm"), "the memory's title is looked up: {output}");
}

#[test]
fn the_reason_for_a_failure_is_in_the_log_and_in_doctor() {
    let scratch = project_with_memory();
    // The folder has other entries as well, in any order.
    let entries = fs::read_dir(scratch.interleaf_home.join("data/projects")).expect("a folder").flatten();
    let mut stores = entries.map(|entry| entry.path().join("interleaf.db"));
    let store = stores.find(|store| store.exists()).expect("a project");
    fs::remove_file(&store).expect("the store is there");
    fs::create_dir(&store).expect("its folder is writable");
    ask(&scratch, SESSION);

    let output = scratch.interleaf(&["log"]).success();
    let doctor = scratch.interleaf(&["doctor", "--json"]).out();

    assert!(output.contains("failed: layer recall on UserPromptSubmit: "), "{output}");
    assert!(output.contains(" ms, failed"), "{output}");
    let doctor: Value = serde_json::from_str(&doctor).expect("JSON");
    let warnings = doctor["troubles"].as_array().expect("a list").iter().filter_map(Value::as_str);
    let damage: Vec<&str> = warnings.filter(|warning| warning.contains("damaged")).collect();
    assert!(damage.len() == 1 && damage[0].contains("failure"), "one line for the cause: {doctor}");
}

#[test]
fn new_lines_are_followed_across_a_rotation() {
    let scratch = project_with_memory();
    ask(&scratch, "first");
    let mut follower = scratch.command(program());
    follower.args(["log", "--follow", "--json"]).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut follower = follower.spawn().expect("the program starts");
    let mut seen = BufReader::new(follower.stdout.take().expect("it was piped")).lines();
    let mut next = || {
        let line = seen.next().expect("the follower goes on").expect("it prints text");
        serde_json::from_str::<Value>(&line).expect("JSON")["session"].clone()
    };
    let first = next();

    ask(&scratch, "second");
    let second = next();
    fs::rename(file(&scratch), scratch.interleaf_home.join("state/log.1.jsonl")).expect("as a full log is");
    ask(&scratch, "third");
    let third = next();
    follower.kill().expect("it runs until it is stopped");
    follower.wait().expect("it was stopped");

    assert_eq!([first, second, third], ["first", "second", "third"]);
}
