//! The published figures are those that are measured: docs/saving.md holds the very numbers that
//! `interleaf-eval figures` prints, and what is promised of them holds.

mod kit;

use interleaf_tests::workspace;
use kit::{eval, session};
use serde_json::Value;

#[test]
fn the_table_in_the_docs_holds_the_measured_figures() {
    let page = std::fs::read_to_string(workspace::root().join("docs/saving.md")).expect("the page is there");

    for row in eval(&["figures"]) {
        let measured = cells(row["markdown"].as_str().expect("a row of a table"));
        let published = page.lines().map(cells).find(|cells| cells.first() == measured.first());
        assert_eq!(
            published.as_ref(),
            Some(&measured),
            "docs/saving.md publishes other figures than are measured: if the change is meant, copy the \
             table that `cargo xtask figures` prints"
        );

        let [saved, injected] = ["saved", "injected"].map(|kind| &row["figures"][kind]);
        let count = |counts: &Value, name: &str| counts[name].as_u64().expect("a count");
        let share = |part: u64, of: u64| part as f64 / of as f64;
        assert_eq!(saved["forbidden"], 0, "something was saved that must not be: {row}");
        assert!(share(count(saved, "expected"), count(saved, "written")) >= 0.8, "{row}");
        // By rules alone, most of what is saved is tentative, and no session is shown it.
        if row["mode"] == "with a scripted model" {
            assert_eq!(saved["required_saved"], saved["required"], "{row}");
            let seen = count(injected, "shown") + count(injected, "in_view");
            assert!(share(seen, count(injected, "wanted")) >= 0.8, "{row}");
        }
    }
}

#[test]
fn memories_that_were_shown_are_not_saved_again() {
    let report = eval(&["replay", &session("ledger-api/s1"), &session("ledger-api/s2-injected"), "--check"]);

    let saved = |session: &str| -> Vec<&Value> {
        let lines = report.iter().filter(|line| line["session"] == session);
        lines.flat_map(|line| line["saved"].as_array().into_iter().flatten()).collect()
    };
    assert!(!saved("ledger-api/s1").is_empty(), "the first session saves something");
    let memories = saved("ledger-api/s2-injected");
    for (category, shown) in [("preference", "pnpm"), ("constraint", "10 requests"), ("decision", "retry")] {
        let again = memories.iter().find(|memory| {
            memory["category"] == category && memory["text"].as_str().is_some_and(|text| text.contains(shown))
        });
        assert_eq!(again, None, "{shown} was shown and saved again");
    }
}

fn cells(row: &str) -> Vec<&str> {
    row.trim().trim_matches('|').split('|').map(str::trim).collect()
}
