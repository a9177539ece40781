//! What is listed of the changes that go to a place: memories, retirements and purges.

use super::clones::{Clone, Origin};
use super::team::Team;
use interleaf_tests::mcp_session::McpSession;
use serde_json::json;

const PAYMENTS: &str = "Payments are idempotent by order id, because webhooks come twice.";
const OTTERS: &str = "Otters sleep holding hands in the zoo of Basel.";
const LAB: &str = "The door code of the lab is seven two nine one.";
const PARCELS: &str = "The parcel service calls back within an hour.";

/// Retires, withdraws and purges memories that had gone to a place, and checks what is listed.
fn check(clone: &Clone, place: &str) {
    let sync = ["sync", "--to", place, "--yes"];
    let [payments, otters, lab] = [PAYMENTS, OTTERS, LAB].map(|text| clone.remember(text));
    clone.interleaf(&sync).success();
    clone.interleaf(&["forget", &payments, "--yes"]).success();
    clone.interleaf(&["memory", "private", &otters]).success();
    clone.interleaf(&["forget", &lab, "--purge", "--yes"]).success();
    clone.remember(PARCELS);

    let previewed = clone.interleaf(&["sync", "--dry-run"]).success();
    let exchanged = clone.interleaf(&sync).success();

    for (shown, went) in [(&previewed, "would go"), (&exchanged, "went out")] {
        assert!(shown.contains(&format!("1 memory {went}:\n  The parcel service")), "{place}: {shown}");
        let retired = format!("2 retirements {went}:\n");
        assert!(shown.contains(&retired), "{place}: {shown}");
        let retired = shown.split_once(&retired).expect("retirements").1;
        assert!(retired.contains("  Payments are") && retired.contains("  Otters sleep"), "{place}: {shown}");
        assert!(shown.contains(&format!("1 purge {went}:\n  {lab}")), "{place}: {shown}");
        assert!(!shown.contains("door code"), "{place}: {shown}");
    }
    let again = clone.interleaf(&sync).success();
    assert!(again.contains("Nothing new here or there."), "{place}: {again}");
}

#[test]
fn retirements_and_purges_are_listed_at_git_notes() {
    check(&Origin::new().clone_for("Ada"), "git-notes");
}

#[test]
fn retirements_and_purges_are_listed_at_notes_of_cs_memory() {
    check(&Origin::new().clone_for("Ada"), "cs-notes");
}

#[test]
fn retirements_and_purges_are_listed_at_files() {
    check(&Origin::new().clone_for("Ada"), "files");
}

#[test]
fn retirements_and_purges_are_listed_at_a_server() {
    let Some(team) = Team::new() else { return };
    check(&team.member("ada", "write").clone, "postgres");
}

#[test]
fn of_a_memory_that_another_one_replaces_both_changes_are_listed() {
    let origin = Origin::new();
    let ada = origin.clone_for("Ada");
    let old = ada.remember("The packing robot gets blue tape.");
    ada.sync();
    let text = "The packing robot gets green tape now";
    let replace = json!({ "text": text, "category": "decision", "supersedes": old });
    McpSession::start(&ada.scratch).ask("remember", replace);

    let synced = ada.sync();

    assert!(synced.contains("1 memory went out:\n  The packing robot gets green tape"), "{synced}");
    assert!(synced.contains("1 retirement went out:\n  The packing robot gets blue tape"), "{synced}");
}
