//! A disk without a free block: sessions go on and show what is stored, the error names the disk, and with
//! room again everything works, the sessions of the meantime included.

use std::fs;

use interleaf_tests::scratch::Scratch;

use super::mounts::{Mount, fill};
use super::stored_project::{RULE, StoredProject, beside, checkpoint};

const FULL: &str = "the disk is full";

/// Creates a project of which this folder of Interleaf is a small disk; an empty name means all of them.
#[track_caller]
fn on_small_disk(folder: &str) -> Option<StoredProject> {
    let scratch = Scratch::new();
    let mount = Mount::small_disk(&scratch.interleaf_home.join(folder))?;
    // The configuration lies on the new disk, too.
    scratch.configure("");
    let mut project = StoredProject::prepare(scratch);
    project.mounts.push(mount);
    Some(project)
}

#[test]
fn a_session_on_a_full_disk_shows_what_is_stored_and_is_saved_once_there_is_room() {
    let Some(project) = on_small_disk("data") else { return };
    let filler = fill(&project.scratch.interleaf_home.join("data"));

    let [start, prompt] = project.session("full");
    assert!(start.contains(RULE) && prompt.contains(RULE), "{start} {prompt}");
    project.assert_doctor_names(FULL);
    let refused = project.run(&["remember", "Deployments run from the tag, never from a branch"]);
    assert!(refused.code == Some(1) && refused.err().contains(FULL), "{refused:?}");
    assert!(refused.err().contains("free some space; nothing was changed"), "{}", refused.err());
    assert_eq!(project.texts(), project.before);

    fs::remove_file(filler).expect("ours");
    project.assert_saved_later("full");
}

#[test]
fn where_everything_is_on_a_full_disk_sessions_go_on_and_memories_stay() {
    let Some(project) = on_small_disk("") else { return };
    let filler = fill(&project.scratch.interleaf_home);

    let [start, prompt] = project.session("full");

    assert!(start.contains(RULE) && prompt.contains(RULE), "{start} {prompt}");
    project.assert_doctor_names(FULL);
    let refused = project.run(&["remember", "Deployments run from the tag, never from a branch"]);
    assert!(refused.code == Some(1) && refused.err().contains(FULL), "{refused:?}");
    fs::remove_file(filler).expect("ours");
    let _ = project.run(&["remember", "Deployments run from the tag, never from a branch"]).success();
    project.assert_nothing_lost();
}

/// A database that was put back, or that its worker has tidied, has no log and no index of it.
#[test]
fn a_database_without_its_log_is_not_harmed_by_a_full_disk() {
    let Some(project) = on_small_disk("data") else { return };
    let store = project.store();
    checkpoint(&store);
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(beside(&store, suffix));
    }
    let filler = fill(&project.scratch.interleaf_home.join("data"));

    project.session("full");
    let refused = project.run(&["remember", "Deployments run from the tag, never from a branch"]);

    assert_eq!(refused.code, Some(1), "{}", refused.out());
    assert!(!project.points().is_empty());
    fs::remove_file(filler).expect("ours");
    project.assert_nothing_lost();
    let _ = project.run(&["memory", "verify"]).success();
}

#[test]
fn a_first_use_on_a_full_disk_heals_once_there_is_room() {
    let Some(project) = on_small_disk("data") else { return };
    let data = project.scratch.interleaf_home.join("data");
    fs::remove_dir_all(data.join("projects")).expect("ours");
    let filler = fill(&data);

    project.session("full");
    let refused = project.run(&["remember", "Deployments run from the tag, never from a branch"]);
    assert!(refused.code == Some(1) && refused.err().contains("free"), "{refused:?}");

    fs::remove_file(filler).expect("ours");
    let _ = project.run(&["remember", "Deployments run from the tag, never from a branch"]).success();
    assert_eq!(project.texts().len(), 1);
}
