//! `budget.wasted_tokens`: how many tokens hooks may waste where no memory is needed, and so how relevant a
//! memory must be that they show.

use interleaf_tests::scratch::Scratch;
use serde_json::{Value, json};

const RULE: &str = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
const QUESTION: &str = "Which package manager do we use here?";
/// Shares three words with the rule, of which [`NEIGHBORS`] have two.
const WEAK: &str = "Why does the file server reject our lock request?";
const NEIGHBORS: [&str; 3] = [
    "An upload rejects any file over five megabytes",
    "The parser rejects a file without a header line",
    "Reviewers reject a change without a test file",
];

fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.interleaf(&["compile"]).success();
    for text in [RULE].iter().chain(&NEIGHBORS) {
        scratch.interleaf(&["remember", "--force", "--category", "decision", text]).success();
    }
    scratch
}

/// Returns what a hook shows for this prompt in a session of its own.
fn ask(scratch: &Scratch, session: &str, prompt: &str) -> String {
    scratch.hook(scratch.event("UserPromptSubmit", json!({ "session_id": session, "prompt": prompt }))).out()
}

fn limits(whole: u64, titles: u64) -> String {
    format!("[budget.wasted_tokens.prompt]\nwhole = {whole}\ntitles = {titles}\n")
}

/// Returns the minimum relevances, of texts and of titles, that the last event of a session required.
fn minima(scratch: &Scratch, session: &str) -> (f64, f64) {
    let why = scratch.interleaf(&["why", "--session", session, "--json"]).success();
    let why: Value = serde_json::from_str(&why).expect("one object");
    let hit = &why["searches"][0]["hits"][0];
    let number = |name: &str| hit[name].as_f64().expect("a number");
    (number("min_relevance"), number("min_line_relevance"))
}

#[test]
fn more_tokens_show_more_and_none_show_nothing() {
    let scratch = project();

    assert!(ask(&scratch, "usual", QUESTION).contains("CI rejects an npm lock file"));
    assert!(!ask(&scratch, "usual-weak", WEAK).contains("pnpm"));
    scratch.configure(&limits(0, 0));
    assert_eq!(ask(&scratch, "none", QUESTION), "");
    scratch.configure(&limits(0, 1_000_000));
    let titles = ask(&scratch, "titles", WEAK);
    assert!(titles.contains("pnpm") && titles.contains("interleaf memory show"), "{titles}");
    scratch.configure(&limits(1_000_000, 0));
    let whole = ask(&scratch, "whole", WEAK);
    assert!(whole.contains("pnpm") && !whole.contains("interleaf memory show"), "{whole}");
}

#[test]
fn fewer_tokens_require_more_relevance_and_a_project_may_only_lower_them() {
    let scratch = project();
    ask(&scratch, "usual", QUESTION);
    let usual = minima(&scratch, "usual");

    scratch.write(".claude/interleaf.toml", &limits(20, 1_000_000));
    ask(&scratch, "project", QUESTION);
    let of_project = minima(&scratch, "project");

    assert!(of_project.0 > usual.0, "{of_project:?} {usual:?}");
    assert_eq!(of_project.1, usual.1);
    let problems = scratch.interleaf(&["config", "check"]).out();
    assert!(problems.contains("budget.wasted_tokens.prompt.titles"), "{problems}");
    assert!(problems.contains("a project may only lower it"), "{problems}");
}

#[test]
fn each_occasion_has_its_own_limits_in_the_configuration() {
    let scratch = project();
    scratch.configure("[budget.wasted_tokens.failure]\nwhole = 7\n");

    let config = scratch.interleaf(&["config", "--all", "--json"]).success();

    let config: Value = serde_json::from_str(&config).expect("one object");
    let values = config["settings"].as_array().expect("a list");
    let value = |key: &str| {
        let found = values.iter().find(|setting| setting["key"] == key);
        found.unwrap_or_else(|| panic!("{key} is not in {config}"))["value"].clone()
    };
    assert_eq!(value("budget.wasted_tokens.failure.whole"), json!(7));
    for occasion in ["prompt", "command", "failure", "start"] {
        assert!(value(&format!("budget.wasted_tokens.{occasion}.titles")).as_u64() > Some(0));
    }
}

#[test]
fn an_unknown_occasion_or_a_negative_number_is_refused_with_its_line() {
    let scratch = Scratch::new();
    scratch.write("a.toml", "[budget.wasted_tokens.promt]\nwhole = 7\n");
    scratch.write("b.toml", "[budget.wasted_tokens.prompt]\ntitles = -1\n");

    for (file, words) in [("a.toml", "did you mean"), ("b.toml", "a whole number from 0")] {
        let checked = scratch.interleaf(&["config", "check", file]);

        assert_eq!(checked.code, Some(2));
        let text = checked.out() + &checked.err();
        assert!(text.contains(words) && text.contains(file), "{text}");
    }
}
