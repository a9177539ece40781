//! What the summary of a session says: the subject, commits, files that were changed, the last outcome of
//! each check.

use crate::sample_script::found;

fn summary(script: &str) -> String {
    found(script).summary.map(|finding| finding.text).unwrap_or_default()
}

#[test]
fn the_goal_is_what_was_asked_first() {
    for (script, goal) in [
        (
            "u: the map is slow, have a look\nr src/map.ts: x\n\
              a: It redraws all of it. I would cache the tiles with redux.\nu: nah no redux, a plain map\n\
                e src/map.ts: a => b\na: The tiles are cached in a map now.",
            "Goal: the map is slow, have a look",
        ),
        (
            "u: we need an endpoint for metrics\na: I would store them in InfluxDB. OK?\n\
              u: nope, clickhouse\nw store.py: x\na: The endpoint is in and writes to ClickHouse.",
            "Goal: we need an endpoint for metrics",
        ),
        (
            "u: add a sliding window to the limiter\nr limiter.go: x\na: Redis with a script. Shall I?\n\
              u: sounds good, go\nw window.lua: x\na: The window counts requests in Redis now.",
            "Goal: add a sliding window to the limiter",
        ),
        (
            "u: hi, how are you?\na: Fine.\nu: add a footer to the page\nw footer.html: x\n\
              a: The footer shows the year and the imprint.",
            "Goal: add a footer to the page",
        ),
        (
            "u: add vouchers to the cart. My key is [SECRET:api-key].\nw cart.py: x\na: Added.",
            "Goal: add vouchers to the cart.\nFiles",
        ),
        (
            "u: Fix this bug:\n  repo: a/b\n  problem_statement: Rounding is off by \
             one\n  Description of it\nw a.py: x\na: Fixed.",
            "Goal: Rounding is off by one",
        ),
    ] {
        let text = summary(script);
        assert!(text.starts_with(goal), "{text}");
    }
}

#[test]
fn commits_files_and_checks_are_told_and_nothing_that_the_assistant_says() {
    let text = summary(
        "u: speed up the export\ne src/export.py: a => b\n\
          a: Done, it is ten times faster now! I would add a cache next.\n$ pytest -q\n+ 4 passed in 0.1s\n\
            $ git commit -am 'Stream the export'\n+ [main 1a2b3c4] Stream the export\n\
              a: Committed. Everything works perfectly.",
    );

    assert_eq!(
        text,
        "Goal: speed up the export\nDone: commit 1a2b3c4 Stream the export; `pytest -q` passed\n\
          Files: src/export.py"
    );
}

#[test]
fn a_quiet_commit_is_named_by_its_message() {
    let text = summary("u: fix the typo\ne a.md: teh => the\n$ git commit -qam 'Fix a typo'\n+ ");
    assert!(text.contains("commit Fix a typo"), "{text}");
}

#[test]
fn only_the_last_outcome_of_a_check_counts_whatever_its_form() {
    let text = summary(
        "u: clean up\ne src/main.rs: a => b\n$ cargo test --all\n- failed\n$ cargo test --all -q\n\
          + test result: ok.\n$ python -m pytest\n- SyntaxError: x\n$ python3 -m pytest\n+ 3 passed in 1s\n\
            $ touch .env.test\n+ \n$ make lint\n- bad",
    );

    assert!(text.contains("`cargo test --all -q` passed") && !text.contains("`cargo test --all` "), "{text}");
    assert!(text.contains("`python3 -m pytest` passed") && !text.contains("`python -m pytest`"), "{text}");
    assert!(text.contains("In progress: `make lint` failed when it ran last"), "{text}");
    assert!(!text.contains("still fails") && !text.contains("touch"), "{text}");
}

#[test]
fn a_check_whose_outcome_nobody_saw_is_not_told() {
    let text = summary(
        "u: clean up\ne a.rs: a => b\n$ cargo test | tail -3\n+ running\n$ cd x && make test\n\
          - bash: line 1: cd: x: No such file or directory",
    );
    assert_eq!(text, "Goal: clean up\nFiles: a.rs");
}

#[test]
fn a_session_without_a_commit_and_a_change_that_stays_has_no_summary() {
    for script in [
        "u: what does this do?\nr a.rs: x\na: It sorts.",
        "u: try it\nw scratch.py: x\n$ python3 scratch.py\n+ ok\n$ rm scratch.py\n+ \na: It works.",
        "u: try it\nw lab/a.py: x\nw lab/b.py: x\n$ rm -rf lab\n+ ",
        "u: run the tests\n$ cargo test\n+ test result: ok.",
        "u: restart it\n$ docker compose restart\n+ ok\n$ docker compose up -d\n+ ok",
    ] {
        assert_eq!(summary(script), "", "{script}");
    }
}

#[test]
fn a_long_summary_keeps_its_first_parts() {
    let files: String =
        (0..8).map(|number| format!("w src/{}{number}.rs: x\n", "deep/".repeat(20))).collect();
    let text = summary(&format!("u: move the modules\n{files}"));
    assert!(text.starts_with("Goal: move the modules") && text.chars().count() <= 600, "{}", text.len());
}
