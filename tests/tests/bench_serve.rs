//! `interleaf bench-serve`: the protocol by which a benchmark measures searches.

use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::json;

/// Runs it in a store of its own with these lines.
fn serve(scratch: &Scratch, lines: &[String]) -> ProcessOutput {
    let store = scratch.root.join("store");
    std::fs::create_dir_all(&store).expect("ours");
    let mut command = scratch.command(program());
    run(command.arg("bench-serve").env("BENCH_STORE", store), lines.join("\n").as_bytes(), HANG_TIMEOUT)
}

fn add(id: &str, text: &str) -> String {
    json!({ "op": "add", "id": id, "text": text, "tags": ["infra"], "created_at": 1_767_225_600 }).to_string()
}

fn search(query: &str) -> String {
    json!({ "op": "search", "query": query, "limit": 3, "now": 1_798_761_600 }).to_string()
}

#[test]
fn searches_are_answered_line_by_line_with_the_ids_of_the_benchmark() {
    let scratch = Scratch::new();
    let lines = [
        add("doc/1", "Deploys wait for the canary in Frankfurt"),
        add("doc/2", "The linter rejects unused imports"),
        search("why does the deploy wait for a canary"),
        add("doc/3", "The canary of payments runs for an hour"),
        search("canary"),
        search("zebra"),
    ];

    let answers = serve(&scratch, &lines).success();

    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), 3, "{answers:?}");
    assert_eq!(answers[0], r#"{"ids":["doc/1"]}"#);
    assert!(answers[1].contains("doc/1") && answers[1].contains("doc/3"), "{answers:?}");
    assert_eq!(answers[2], r#"{"ids":[]}"#);
    assert_eq!(
        scratch.interleaf(&["memory", "list", "--json"]).success(),
        "",
        "the project's own store is not used"
    );
}

#[test]
fn a_line_that_is_no_request_is_named() {
    let scratch = Scratch::new();

    let ran = serve(&scratch, &[add("1", "a text about canaries"), r#"{"op": "delete"}"#.to_owned()]);

    assert_eq!((ran.code, ran.stdout.len()), (Some(2), 0));
    assert!(ran.err().contains("line 2") && ran.err().contains("delete"), "{}", ran.err());
}

#[test]
fn without_a_folder_the_error_says_what_to_set() {
    let ran = Scratch::new().interleaf(&["bench-serve"]);

    assert_eq!(ran.code, Some(2));
    assert!(ran.err().contains("BENCH_STORE") && ran.err().contains("hint:"), "{}", ran.err());
}
