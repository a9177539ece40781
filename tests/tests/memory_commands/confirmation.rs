//! Changes that are hard to undo ask for confirmation at a terminal and need `--yes` elsewhere. Statements
//! that only a person may make are accepted at a terminal only.

use super::project::{RULE, TestProject, UNRELATED, refused};
use serde_json::Value;

#[test]
fn without_a_terminal_forgetting_needs_yes() {
    let (project, id) = TestProject::with_memory(RULE);
    let before = project.exported();

    for command in [&["memory", "retire", &id][..], &["forget", &id]] {
        let (code, output) = refused(project.0.interleaf(command));
        assert_eq!(code, 2, "{output}");
        assert!(output.contains("nothing was done") && output.contains("--yes"), "{output}");
        assert_eq!(project.exported(), before);
    }
    let (_, output) = refused(project.0.interleaf(&["forget", &id, "--json"]));
    assert!(output.contains("--yes --json"), "{output}");
    project.0.interleaf(&["forget", &id, "--yes"]).success();
    assert_eq!(project.show(&id)["status"], "retired");
}

#[test]
fn at_a_terminal_forgetting_asks_for_confirmation() {
    let (project, id) = TestProject::with_memory(RULE);

    let no = project.at_terminal(&format!("retire {id}"), "n\n").success();
    assert!(no.contains("Forget ") && no.contains(RULE) && no.contains("Not forgotten."), "{no}");
    assert_eq!(project.show(&id)["status"], "active");

    let told = project.at_terminal(&format!("add '{UNRELATED}'"), "").success();
    assert!(told.contains("To undo: interleaf forget") && !told.contains("--yes"), "{told}");
    let yes = project.at_terminal(&format!("retire {id}"), "y\n").success();
    assert!(yes.contains("Forgotten: ") && yes.contains("interleaf memory restore"), "{yes}");
    assert_eq!(project.show(&id)["status"], "retired");
}

/// Creates a memory that was retired so long ago that `gc` deletes it.
fn long_forgotten() -> (TestProject, String) {
    let (project, id) = TestProject::with_memory(RULE);
    project.memory(&["retire", &id, "--yes"]).success();
    let store = rusqlite::Connection::open(project.store()).expect("it is there");
    store.execute("UPDATE memories SET status_since = 1000 WHERE id = ?", [&id]).expect("aged");
    (project, id)
}

#[test]
fn gc_lists_its_deletions_and_needs_confirmation() {
    let (project, id) = long_forgotten();

    let dry = project.memory(&["gc", "--dry-run"]).success();
    assert!(dry.contains("to be deleted") && dry.contains(&id), "{dry}");
    let dry: Value = super::project::json(&project.memory(&["gc", "--dry-run", "--json"]).success());
    assert_eq!((&dry["collected"], &dry["expired"]), (&serde_json::json!([id]), &serde_json::json!([])));
    let (code, output) = refused(project.memory(&["gc"]));
    assert_eq!(code, 2, "{output}");
    let no = project.at_terminal("gc", "n\n").success();
    assert!(no.contains("Continue?"), "{no}");
    assert_eq!(project.show(&id)["status"], "retired");

    let done = project.memory(&["gc", "--yes"]).success();
    assert!(done.contains("0 retired, 1 deleted"), "{done}");
    refused(project.memory(&["show", &id]));
    assert!(project.memory(&["gc"]).success().contains("nothing to collect"));
}

#[test]
fn at_a_terminal_gc_deletes_after_confirmation() {
    let (project, id) = long_forgotten();

    let yes = project.at_terminal("gc", "y\n").success();

    assert!(yes.contains("1 deleted"), "{yes}");
    refused(project.memory(&["show", &id]));
}

#[test]
fn only_a_person_at_a_terminal_outside_claude_code_can_confirm() {
    let (project, id) = TestProject::with_memory(RULE);
    let confirm = format!("confirm {id}");

    for ran in [project.memory(&["confirm", &id]), project.at_terminal_in_claude_code(&confirm)] {
        let (_, output) = refused(ran);
        assert!(output.contains("only a person at a terminal"), "{output}");
    }
    assert_eq!(
        (&project.show(&id)["version"], &project.show(&id)["origin"]),
        (&1.into(), &"assistant".into())
    );

    project.at_terminal(&confirm, "").success();
    let memory = project.show(&id);
    assert_eq!((&memory["origin"], &memory["confidence"]), (&"person".into(), &1.0.into()));
}

#[test]
fn the_worker_deletes_expired_memories_and_logs_their_ids() {
    let (project, id) = long_forgotten();

    project.0.interleaf(&["work"]).success();

    refused(project.memory(&["show", &id]));
    let log = std::fs::read_to_string(project.0.interleaf_home.join("state/log.jsonl")).expect("a log");
    assert!(log.contains(&format!("memory {id} was deleted")), "{log}");
}
