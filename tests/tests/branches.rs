//! Memories know the branch on which they were written.

use interleaf_tests::program::program;
use interleaf_tests::run::run;
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::json;

const QUESTION: &str = "How does the cart round a total down to whole cents?";
const DECISION: &str = "The cart rounds each total down to whole cents with bankers' rules.";

/// A project with compiled layers.
fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.interleaf(&["compile"]).success();
    scratch
}

/// Makes a branch with a commit of its own, and stays there.
fn branch(scratch: &Scratch, name: &str) {
    scratch.git(&["switch", "--quiet", "-c", name]);
    scratch.write(format!("{name}.txt"), name);
    commit(scratch, name);
}

fn commit(scratch: &Scratch, message: &str) {
    scratch.git(&["add", "-A"]);
    scratch.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
}

fn remember(scratch: &Scratch, category: &str, branch: &str, text: &str) -> String {
    let arguments = ["remember", "-c", category, "--branch", branch, "--json", text];
    let saved = scratch.interleaf(&arguments).success();
    let saved: serde_json::Value = serde_json::from_str(&saved).expect("an object");
    saved["id"].as_str().expect("an id").to_owned()
}

/// Does the upkeep, as a hook's background process does.
fn work(scratch: &Scratch) {
    let mut worker = scratch.command(program());
    worker.arg("work").env("CLAUDE_PROJECT_DIR", &scratch.project);
    run(&mut worker, b"", HANG_TIMEOUT).success();
}

fn ask(scratch: &Scratch, session: &str) -> String {
    let fields = json!({ "session_id": session, "prompt": QUESTION });
    scratch.hook(scratch.event("UserPromptSubmit", fields)).success()
}

fn start(scratch: &Scratch, session: &str) -> String {
    let fields = json!({ "session_id": session, "source": "startup" });
    scratch.hook(scratch.event("SessionStart", fields)).success()
}

#[test]
fn what_was_written_on_a_branch_that_was_deleted_unmerged_is_found_and_never_shown() {
    let scratch = project();
    branch(&scratch, "feature");
    let id = remember(&scratch, "decision", "feature", DECISION);
    work(&scratch);
    assert!(ask(&scratch, "on it").contains("bankers"));

    scratch.git(&["switch", "--quiet", "main"]);
    scratch.git(&["branch", "-D", "feature"]);
    work(&scratch);

    assert!(!ask(&scratch, "gone").contains("bankers"));
    assert!(!start(&scratch, "start").contains("bankers"));
    assert!(scratch.interleaf(&["memory", "search", "cart round total"]).success().contains(&id));
    let shown = scratch.interleaf(&["memory", "show", &id]).success();
    assert!(shown.contains("feature, which was deleted without being merged"), "{shown}");
    let preview = scratch.interleaf(&["memory", "search", "--preview", "prompt", QUESTION]);
    for told in [preview, scratch.interleaf(&["why", &id])] {
        assert!(told.err().contains("its branch feature was deleted"), "{}", told.err());
    }
}

#[test]
fn a_branch_that_was_gone_before_anybody_looked_is_known_by_the_commit_of_its_memory() {
    let scratch = project();
    branch(&scratch, "feature");
    remember(&scratch, "decision", "feature", DECISION);
    scratch.git(&["switch", "--quiet", "main"]);
    scratch.git(&["branch", "-D", "feature"]);

    work(&scratch);

    assert!(!ask(&scratch, "gone").contains("bankers"));
}

#[test]
fn a_person_need_not_wait_until_the_background_process_looks_at_the_branches() {
    for look in [&["sync", "--to", "files", "--yes"][..], &["memory", "gc"]] {
        let scratch = project();
        branch(&scratch, "feature");
        remember(&scratch, "decision", "feature", DECISION);
        scratch.git(&["switch", "--quiet", "main"]);
        scratch.git(&["branch", "-D", "feature"]);

        scratch.interleaf(look).success();

        assert!(!ask(&scratch, "gone").contains("bankers"), "{look:?}");
    }
}

#[test]
fn what_was_written_on_a_merged_branch_is_everybodys_however_it_was_merged() {
    for merge in
        [&["merge", "--quiet", "--no-edit", "feature"][..], &["merge", "--quiet", "--squash", "feature"]]
    {
        let scratch = project();
        branch(&scratch, "feature");
        remember(&scratch, "decision", "feature", DECISION);
        work(&scratch);
        scratch.git(&["switch", "--quiet", "main"]);
        scratch.git(merge);
        commit(&scratch, "merged");
        scratch.git(&["branch", "-D", "feature"]);

        work(&scratch);

        assert!(ask(&scratch, "merged").contains("bankers"), "{merge:?}");
        let id = scratch.interleaf(&["memory", "list", "--json"]).success();
        assert!(!id.contains("deleted without"), "{id}");
    }
}

#[test]
fn a_branch_that_neither_git_nor_a_memory_knows_is_refused() {
    let scratch = project();
    branch(&scratch, "feature");
    remember(&scratch, "decision", "feature", DECISION);
    scratch.git(&["switch", "--quiet", "main"]);
    scratch.git(&["branch", "-D", "feature"]);
    scratch.interleaf(&["memory", "list", "--branch", "feature"]).success();

    for command in [&["remember", "x"][..], &["memory", "list"], &["memory", "search", "cart"]] {
        for (name, why) in [
            ("", "names no branch"),
            ("a b", "`a b`"),
            ("nope", "`nope`"),
            ("nope", "known are feature, main"),
        ] {
            let refused = scratch.interleaf(&[command, &["--branch", name]].concat());
            assert_eq!(refused.code, Some(2), "{command:?} {name}: {}", refused.out());
            assert!(refused.err().contains(why), "{command:?}: {}", refused.err());
        }
    }
}

#[test]
fn a_branch_that_this_clone_never_had_hides_nothing() {
    let scratch = project();
    branch(&scratch, "of-a-colleague");
    remember(&scratch, "decision", "of-a-colleague", DECISION);
    let exported = scratch.interleaf(&["memory", "export"]).success();
    let scratch = project();
    scratch.interleaf_with(&["memory", "import", "-"], exported.as_bytes()).success();

    work(&scratch);

    assert!(ask(&scratch, "unknown").contains("bankers"));
}

#[test]
fn a_preference_outlives_the_branch_on_which_it_was_said() {
    let scratch = project();
    branch(&scratch, "feature");
    remember(&scratch, "preference", "feature", "Always round totals of the cart down to whole cents.");
    work(&scratch);
    scratch.git(&["switch", "--quiet", "main"]);
    scratch.git(&["branch", "-D", "feature"]);

    work(&scratch);

    assert!(start(&scratch, "start").contains("round totals"));
}

#[test]
fn the_current_branch_comes_before_another_one() {
    let scratch = project();
    branch(&scratch, "other");
    scratch.git(&["switch", "--quiet", "main"]);
    branch(&scratch, "feature");
    let texts = [
        "The cart rounds totals down to whole cents in round_down.",
        "The cart rounds totals down to whole cents in floor_total.",
    ];
    remember(&scratch, "decision", "feature", texts[0]);
    remember(&scratch, "decision", "other", texts[1]);
    work(&scratch);

    let shown = ask(&scratch, "both");
    let places = ["round_down", "floor_total"].map(|name| shown.find(name));
    assert!(matches!(places, [Some(here), Some(other)] if here < other), "{shown}");

    scratch.git(&["switch", "--quiet", "other"]);
    let shown = ask(&scratch, "from the other");
    let places = ["round_down", "floor_total"].map(|name| shown.find(name));
    assert!(matches!(places, [Some(other), Some(here)] if here < other), "{shown}");
}

#[test]
fn current_work_of_the_default_branch_is_shown_on_a_branch() {
    let scratch = project();
    let text = "The cart's rounding to whole cents is half done; tax is next.";
    scratch.interleaf(&["remember", "-c", "context", "--branch", "main", text]).success();
    branch(&scratch, "cart-rounding-to-whole-cents");

    assert!(start(&scratch, "start").contains("half done"));
}

#[test]
fn a_start_shows_what_was_written_on_the_current_branch_before_what_another_one_has() {
    let scratch = project();
    branch(&scratch, "other");
    scratch.git(&["switch", "--quiet", "main"]);
    branch(&scratch, "feature");
    remember(&scratch, "decision", "feature", "Invoices are numbered by the year in which they were sent.");
    remember(&scratch, "decision", "other", "Parcels are tracked through the carrier's own webhook.");
    work(&scratch);

    for (name, here, other) in [("feature", "Invoices", "Parcels"), ("other", "Parcels", "Invoices")] {
        scratch.git(&["switch", "--quiet", name]);
        let shown = start(&scratch, name);
        let places = [here, other].map(|word| shown.find(word));
        assert!(matches!(places, [Some(here), Some(other)] if here < other), "{name}: {shown}");
    }
}
