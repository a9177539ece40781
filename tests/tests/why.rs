//! `interleaf why` and the reasons of a preview: which memories a hook compared, and what each one's
//! relevance consists of.

use interleaf_tests::scratch::{SESSION, Scratch};
use serde_json::{Value, json};

const RULE: &str = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
const QUESTION: &str = "Which package manager do we use here?";
/// Shares three words with the rule, of which [`NEIGHBORS`] have two.
const OTHER: &str = "Why does the file server reject our lock request?";
const NEIGHBORS: [&str; 3] = [
    "An upload rejects any file over five megabytes",
    "The parser rejects a file without a header line",
    "Reviewers reject a change without a test file",
];

/// Creates a project with compiled layers and one memory, and returns the memory's id.
fn project_with_memory() -> (Scratch, String) {
    let scratch = Scratch::new();
    scratch.interleaf(&["compile"]).success();
    let saved = scratch.interleaf(&["remember", "--category", "preference", "--json", RULE]).success();
    let saved: Value = serde_json::from_str(&saved).expect("one object");
    let id = saved["id"].as_str().expect("an id").to_owned();
    (scratch, id)
}

fn add_neighbors(scratch: &Scratch) {
    for text in NEIGHBORS {
        scratch.interleaf(&["remember", "--category", "decision", text]).success();
    }
}

fn ask(scratch: &Scratch, session: &str, prompt: &str) -> String {
    let fields = json!({ "session_id": session, "prompt": prompt });
    scratch.hook(scratch.event("UserPromptSubmit", fields)).success()
}

fn why(scratch: &Scratch, arguments: &[&str]) -> Value {
    let arguments: Vec<&str> = ["why", "--json"].iter().chain(arguments).copied().collect();
    serde_json::from_str(&scratch.interleaf(&arguments).success()).expect("one object")
}

/// Returns the relevance that follows from the parts that are printed.
fn relevance_of_parts(hit: &Value) -> f64 {
    let parts = hit["contributions"].as_array().expect("a list");
    let log_odds: f64 = parts.iter().map(|part| part["log_odds"].as_f64().expect("a number")).sum();
    1.0 / (1.0 + (-log_odds).exp())
}

#[test]
fn the_parts_of_a_shown_memory_s_relevance_add_up_to_it() {
    let (scratch, id) = project_with_memory();
    assert!(ask(&scratch, SESSION, QUESTION).contains("pnpm"));

    for arguments in [&[][..], &["last"], &[&id], &[&id[..6]], &["--session", &SESSION[..4]]] {
        let why = why(&scratch, arguments);

        assert_eq!((&why["event"], &why["session"]), (&json!("UserPromptSubmit"), &json!(SESSION)));
        let search = &why["searches"][0];
        assert_eq!((&search["layer"], &search["occasion"]), (&json!("recall"), &json!("prompt")));
        let hit = &search["hits"][0];
        assert_eq!((&hit["memory"], &hit["verdict"]), (&json!(id), &json!("shown-whole")));
        let relevance = hit["relevance"].as_f64().expect("a number");
        assert!((relevance - relevance_of_parts(hit)).abs() < 0.01, "{hit}");
        assert!(relevance >= hit["min_relevance"].as_f64().expect("a number"), "{hit}");
    }
    let printed = scratch.interleaf(&["why"]).success();
    assert!(printed.contains(RULE) && printed.contains("shared terms"), "{printed}");
}

#[test]
fn a_silent_prompt_names_the_best_memory_and_the_minimum_that_it_missed() {
    let (scratch, id) = project_with_memory();
    add_neighbors(&scratch);
    assert_eq!(ask(&scratch, SESSION, OTHER), "");

    let hit = &why(&scratch, &[])["searches"][0]["hits"][0];

    assert_eq!((&hit["memory"], &hit["verdict"]), (&json!(id), &json!("below-minimum")));
    assert!(hit["relevance"].as_f64() < hit["min_line_relevance"].as_f64(), "{hit}");
    let printed = scratch.interleaf(&["why", &id]).success();
    assert!(printed.contains("not shown: its title needs 0.13, its text 0.51"), "{printed}");
}

#[test]
fn a_prompt_that_shares_no_word_with_any_memory_says_so() {
    let (scratch, _) = project_with_memory();
    assert_eq!(ask(&scratch, SESSION, "Please translate the greeting to Finnish"), "");

    let printed = scratch.interleaf(&["why"]).success();

    assert!(
        printed.contains("recall searched for the prompt: no memory that hooks show shares enough words"),
        "{printed}"
    );
}

#[test]
fn what_a_session_s_start_lists_is_explained_too() {
    let (scratch, _) = project_with_memory();
    let start = json!({ "session_id": SESSION, "source": "startup" });
    assert!(scratch.hook(scratch.event("SessionStart", start)).success().contains("pnpm"));

    let printed = scratch.interleaf(&["why"]).success();

    assert!(printed.contains("warmstart showed without a search") && printed.contains(RULE), "{printed}");
}

#[test]
fn without_an_event_an_error_names_the_next_step() {
    let (scratch, id) = project_with_memory();

    for (arguments, next) in [
        (&["why"][..], "interleaf doctor"),
        (&["why", &id], "--preview"),
        (&["why", "zzzz"], "zzzz"),
        (&["why", "--session", "none"], "interleaf doctor"),
    ] {
        let ran = scratch.interleaf(arguments);

        assert_eq!((ran.code, ran.stdout.len()), (Some(1), 0), "{arguments:?}");
        assert!(ran.err().contains(next), "{arguments:?}: {}", ran.err());
    }
}

#[test]
fn neither_prompts_nor_memories_reach_the_log() {
    let (scratch, _) = project_with_memory();
    ask(&scratch, SESSION, QUESTION);
    ask(&scratch, "another-session", OTHER);

    let log = std::fs::read_to_string(scratch.interleaf_home.join("state/log.jsonl")).expect("a log");

    assert!(log.contains("\"searches\""), "{log}");
    for word in ["pnpm", "manager", "server"] {
        assert!(!log.contains(word), "{word}: {log}");
    }
}

#[test]
fn a_preview_of_nothing_says_why_and_leaves_standard_output_empty() {
    let (scratch, id) = project_with_memory();
    add_neighbors(&scratch);

    let preview = scratch.interleaf(&["memory", "search", "--preview", "prompt", OTHER]);
    let short = scratch.interleaf(&["memory", "search", "--preview", "prompt", "ok"]);
    let json = scratch.interleaf(&["memory", "search", "--json", "--preview", "prompt", QUESTION]).success();

    assert_eq!((preview.code, preview.stdout.len()), (Some(0), 0));
    assert!(preview.err().contains(&id) && preview.err().contains("its title needs"), "{}", preview.err());
    assert!(short.err().contains("no layer searched for memories"), "{}", short.err());
    let json: Value = serde_json::from_str(&json).expect("one object");
    assert_eq!(json["searches"][0]["hits"][0]["memory"], json!(id));
}

#[test]
fn what_the_conversation_was_shown_before_is_counted() {
    let (scratch, _) = project_with_memory();
    assert!(ask(&scratch, SESSION, QUESTION).contains("pnpm"));
    assert_eq!(ask(&scratch, SESSION, QUESTION), "");

    let printed = scratch.interleaf(&["why"]).success();

    assert!(printed.contains("1 memory that this conversation was shown before left out"), "{printed}");
}

#[test]
fn a_later_event_without_a_search_is_named() {
    let (scratch, _) = project_with_memory();
    ask(&scratch, SESSION, QUESTION);
    ask(&scratch, SESSION, "ok");

    let why = scratch.interleaf(&["why"]);

    assert!(why.out().contains(RULE), "{}", why.out());
    assert!(
        why.err().contains("a later event did not search for memories: UserPromptSubmit"),
        "{}",
        why.err()
    );
}

#[test]
fn a_preview_counts_no_memory_as_shown_and_needs_a_text() {
    let (scratch, id) = project_with_memory();
    scratch.interleaf(&["memory", "search", "--preview", "prompt", QUESTION]).success();

    let memory = scratch.interleaf(&["memory", "show", "--json", &id]).success();
    let empty = scratch.interleaf(&["memory", "search", "--preview", "prompt", " "]);

    let memory: Value = serde_json::from_str(&memory).expect("one object");
    assert_eq!(memory["uses"], 0);
    assert_eq!((empty.code, empty.stdout.len()), (Some(2), 0));
    assert!(empty.err().contains("there is no text"), "{}", empty.err());
}

#[test]
fn a_preview_compiles_the_layers_that_it_needs() {
    let (scratch, _) = project_with_memory();
    let cache = scratch.interleaf_home.join("cache");
    if cache.exists() {
        std::fs::remove_dir_all(&cache).expect("the cache can be deleted");
    }

    let preview = scratch.interleaf(&["memory", "search", "--preview", "prompt", QUESTION]).success();

    assert!(preview.contains(RULE), "{preview}");
}

#[test]
fn what_no_hook_shows_is_named_with_the_true_reason() {
    let (scratch, id) = project_with_memory();
    let preview = |moment| scratch.interleaf(&["memory", "search", "--preview", moment, QUESTION]).err();
    let version = json!(1).to_string();
    let mark = ["--tag", "tentative", "--reason", "unsure", "--version", &version];
    scratch.interleaf(&[&["memory", "update", &id], &mark[..]].concat()).success();

    for told in [preview("prompt"), preview("start"), scratch.interleaf(&["why", &id]).err()] {
        assert!(told.contains(&id) && told.contains("because it is tentative"), "{told}");
        assert!(told.contains("interleaf review"), "{told}");
    }
    scratch.interleaf(&["memory", "retire", &id, "--yes"]).success();
    let retired = scratch.interleaf(&["why", &id]).err();
    assert!(retired.contains("because it is retired"), "{retired}");
}
