//! Memories that name files, symbols, commands or versions: what has changed since is said where they are
//! shown.

use std::os::unix::fs::symlink;

use interleaf_tests::scratch::{SESSION, Scratch};
use serde_json::json;

/// The words with which a memory is marked.
const MARK: &str = "perhaps out of date";

const QUESTION: &str = "How does the cart round a total down to whole cents?";

/// A project with compiled layers and these files.
fn project(files: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::new();
    scratch.interleaf(&["compile"]).success();
    files.iter().for_each(|(path, text)| scratch.write(path, text));
    scratch
}

fn remember(scratch: &Scratch, arguments: &[&str]) {
    let arguments: Vec<&str> = ["remember", "-c", "decision"].iter().chain(arguments).copied().collect();
    scratch.interleaf(&arguments).success();
}

fn ask(scratch: &Scratch, session: &str) -> String {
    let fields = json!({ "session_id": session, "prompt": QUESTION });
    scratch.hook(scratch.event("UserPromptSubmit", fields)).success()
}

#[test]
fn a_memory_says_which_of_its_files_and_symbols_are_gone() {
    let scratch = project(&[
        ("src/cart.rs", "fn round_down(total: Cents) -> Cents { total }\n"),
        ("src/tax.rs", "fn tax() {}\n"),
    ]);
    let text = "The cart rounds each total down to whole cents with round_down in src/cart.rs";
    remember(&scratch, &["-f", "src/tax.rs", text]);
    assert!(!ask(&scratch, "as it was").contains(MARK));

    scratch.write("src/cart.rs", "fn truncate(total: Cents) -> Cents { total }\n");
    let renamed = ask(&scratch, "renamed");
    std::fs::remove_file(scratch.project.join("src/tax.rs")).expect("it is there");
    let gone = ask(&scratch, "gone");

    assert!(renamed.contains("(perhaps out of date: src/cart.rs no longer has round_down)"), "{renamed}");
    assert!(gone.contains("src/tax.rs is gone; src/cart.rs no longer has round_down"), "{gone}");
    let shown = scratch.interleaf(&["memory", "show", &id(&scratch)]).success();
    assert!(shown.contains("cites") && shown.contains("outdated"), "{shown}");
}

#[test]
fn commands_and_versions_are_looked_up_in_the_manifests() {
    let scratch = project(&[
        ("Makefile", "round-cents:\n\techo\n"),
        ("package.json", r#"{"dependencies": {"decimal.js": "10.4.3"}}"#),
    ]);
    remember(
        &scratch,
        &["The cart rounds a total to whole cents by decimal.js 10.4.3; `make round-cents` checks it"],
    );
    assert!(!ask(&scratch, "as it was").contains(MARK));

    scratch.write("package.json", r#"{"dependencies": {"decimal.js": "11.0.0"}}"#);
    scratch.write("Makefile", "cents:\n\techo\n");
    let changed = ask(&scratch, "changed");

    for missing in ["package.json no longer has 10.4.3", "Makefile no longer has round"] {
        assert!(changed.contains(missing), "{missing}: {changed}");
    }
}

#[test]
fn what_was_never_there_is_not_missed() {
    let scratch = project(&[("src/cart.rs", "fn total() {}\n")]);
    remember(
        &scratch,
        &["The cart rounds each total to whole cents with `round_down` of lib/money.rs, see src/cart.rs"],
    );

    assert!(!ask(&scratch, SESSION).contains(MARK));
}

#[test]
fn nothing_outside_of_the_project_is_read() {
    let scratch = project(&[]);
    let outside = scratch.project.parent().expect("a folder").join("outside.txt");
    std::fs::write(&outside, "round_down").expect("written");
    symlink(&outside, scratch.project.join("link.txt")).expect("linked");
    let text = "The cart rounds each total to whole cents with round_down, see link.txt and ../outside.txt";
    remember(&scratch, &["-f", "link.txt", text]);

    let shown = scratch.interleaf(&["memory", "show", &id(&scratch)]).success();

    assert!(!shown.contains("cites") || !shown.contains("round_down in"), "{shown}");
}

#[test]
fn a_pipe_in_the_place_of_a_file_stops_no_hook() {
    let scratch = project(&[("src/cart.rs", "fn round_down() {}\n")]);
    remember(&scratch, &["The cart rounds each total to whole cents with round_down in src/cart.rs"]);
    let file = scratch.project.join("src/cart.rs");
    std::fs::remove_file(&file).expect("it is there");
    scratch.command("mkfifo").arg(&file).status().expect("coreutils are there");

    let shown = ask(&scratch, SESSION);

    assert!(shown.contains("round_down") && !shown.contains(MARK), "{shown}");
}

fn id(scratch: &Scratch) -> String {
    let listed = scratch.interleaf(&["memory", "list", "--json"]).success();
    let memory: serde_json::Value =
        serde_json::from_str(listed.lines().next().expect("a memory")).expect("JSON");
    memory["id"].as_str().expect("an id").to_owned()
}
