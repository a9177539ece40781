//! What the summary of a session says: what was wanted, what was done, what is open.

use super::mined;

fn summary(script: &str) -> String {
    mined(script).summary.map(|find| find.text).unwrap_or_default()
}

#[test]
fn the_goal_is_what_was_asked_first() {
    for (script, goal) in [
        (
            "u: the map is slow, have a look\nr src/map.ts: x\na: It redraws all of it. I would cache the tiles with redux.\nu: nah no redux, a plain map\ne src/map.ts: a => b\na: The tiles are cached in a map now.",
            "Goal: the map is slow, have a look.",
        ),
        (
            "u: we need an endpoint for metrics\na: I would store them in InfluxDB. OK?\nu: nope, clickhouse\nw store.py: x\na: The endpoint is in and writes to ClickHouse.",
            "Goal: we need an endpoint for metrics.",
        ),
        (
            "u: add a sliding window to the limiter\nr limiter.go: x\na: Redis with a script. Shall I?\nu: sounds good, go\nw window.lua: x\na: The window counts requests in Redis now.",
            "Goal: add a sliding window to the limiter.",
        ),
        (
            "u: hi, how are you?\na: Fine.\nu: add a footer to the page\nw footer.html: x\na: The footer shows the year and the imprint.",
            "Goal: add a footer to the page.",
        ),
        (
            "u: add a footer to the page\nw footer.html: x\na: The footer shows the year and the imprint.\nu: yes, nice\nw a.css: x\na: I gave it a border.",
            "Goal: add a footer to the page.",
        ),
    ] {
        let text = summary(script);
        assert!(text.starts_with(goal), "{text}");
    }
}

#[test]
fn what_was_done_is_no_promise_no_one_off_and_no_boilerplate() {
    let text = summary(
        "u: speed up the export\ne src/export.py: a => b\na: Done. For errors I propose exit code 2 for wrong usage. Shall I?\nu: run the tests again\n$ pytest\n+ ok\na: All green.\nu: commit it without the hook this time\n$ git commit -qam x\n+ ok\na: Committed.\nu: paint that button blue\ne src/b.css: a => b\na: Done.\nu: log the rows\ne src/export.py: b => c\na: The export logs how many rows it wrote.",
    );

    for gone in ["propose", "All green", "Committed", ": Done", "this time"] {
        assert!(!text.contains(gone), "{text}");
    }
    assert!(text.contains("Done: Paint that button blue; The export logs how many rows it wrote."), "{text}");
}

#[test]
fn what_the_person_stopped_or_what_works_in_another_way_is_not_open() {
    let text = summary(
        "u: clean up\ne main.tf: a => b\n$ terraform destroy -target=module.tmp\n- ^C Interrupted\nu: leave it alone for now\n$ cargo test --all\n- failed\n$ cargo test --all -q\n+ ok\n$ make lint\n- bad\na: Lint still complains about the names.",
    );

    assert!(!text.contains("terraform destroy") && !text.contains("cargo test"), "{text}");
    assert!(text.contains("`make lint` still fails"), "{text}");
}

#[test]
fn a_fix_is_told_though_the_next_prompt_says_no_to_something_else() {
    let text = summary(
        "u: plan is failing\ne a.tf: a => b\n$ terraform plan\n- Backend initialization required\n$ terraform init -reconfigure\n+ ok\n$ terraform plan\n+ ok\na: The backend had moved to another bucket. Should I apply it?\nu: NO. never apply from here\na: Understood.",
    );

    assert!(text.contains("Done: The backend had moved to another bucket."), "{text}");
}

#[test]
fn sentences_end_with_one_sign_only() {
    let text = summary(
        "u: CLIに集計を追加して\nw a.py: x\na: 月別の集計を表示する新しいサブコマンドを追加しました。\nu: 二つ目の列を追加して\nw b.py: y\na: 二つ目の列に金額の合計を円で表示するようにしました。",
    );

    assert!(!text.contains("。;") && !text.contains("。.") && !text.contains(".."), "{text}");
}

#[test]
fn what_failed_before_a_turn_of_edits_still_fails() {
    let mined = mined(
        "u: deploy it\n$ make deploy\n- error: no credentials\na: It needs credentials.\nu: fix the typo in the readme\ne README.md: teh => the\na: Fixed the typo in the readme.",
    );

    let summary = mined.summary.expect("something was done");

    assert!(summary.text.contains("`make deploy` still fails"), "{}", summary.text);
}
