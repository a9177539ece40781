//! Folders that cannot be written: memories are shown, writing is refused with the reason, and with the
//! permission back everything works, the sessions of the meantime included.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use interleaf_tests::run::run;
use interleaf_tests::scratch::{ACCOUNT_HOME_VARIABLE, HANG_TIMEOUT};

use super::mounts::Mount;
use super::stored_project::{RULE, StoredProject, beside, checkpoint};

const UNWRITABLE: &str = "the database cannot be opened or written";
const HINT: &str = "check the permissions of the file and its folder";

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("ours");
}

/// Asserts that a session shows memories although nothing can be written, and that the reason is told.
#[track_caller]
fn assert_read_only(project: &StoredProject) {
    let [start, prompt] = project.session("refused");
    assert!(start.contains(RULE) && prompt.contains(RULE), "{start} {prompt}");
    project.assert_doctor_names(UNWRITABLE);
    assert!(project.points().iter().any(|point| point.contains(HINT)), "{:?}", project.points());
    let refused = project.run(&["remember", "Deployments run from the tag, never from a branch"]);
    assert!(refused.code == Some(1) && refused.err().contains(UNWRITABLE), "{refused:?}");
    assert!(refused.err().contains(HINT), "{}", refused.err());
    assert_eq!(project.texts(), project.before);
}

#[test]
fn a_folder_without_write_permission_shows_its_memories_and_says_why_nothing_is_saved() {
    let project = StoredProject::unprivileged();
    let folder = project.store().parent().expect("a folder").to_owned();
    let files: Vec<_> = fs::read_dir(&folder).expect("ours").map(|file| file.expect("ours").path()).collect();
    files.iter().filter(|file| file.is_file()).for_each(|file| set_mode(file, 0o400));
    set_mode(&folder, 0o500);

    assert_read_only(&project);

    set_mode(&folder, 0o700);
    files.iter().filter(|file| file.is_file()).for_each(|file| set_mode(file, 0o600));
    project.assert_saved_later("refused");
}

#[test]
fn a_database_without_write_permission_shows_its_memories_and_says_why_nothing_is_saved() {
    let project = StoredProject::unprivileged();
    let store = project.store();
    set_mode(&store, 0o400);

    assert_read_only(&project);

    set_mode(&store, 0o600);
    project.assert_saved_later("refused");
}

#[test]
fn a_read_only_disk_shows_its_memories_and_says_why_nothing_is_saved() {
    for with_log in [true, false] {
        let mut project = StoredProject::new();
        let store = project.store();
        if !with_log {
            checkpoint(&store);
            let _ = fs::remove_file(beside(&store, "-wal"));
            let _ = fs::remove_file(beside(&store, "-shm"));
        }
        let Some(mount) = Mount::read_only(&project.scratch.interleaf_home.join("data")) else { return };
        project.mounts.push(mount);

        assert_read_only(&project);

        project.mounts.clear();
        project.assert_saved_later("refused");
    }
}

/// SQLite needs the index of the log, and cannot make it here: what is in the log is not visible.
#[test]
fn a_read_only_disk_with_a_log_and_no_index_loses_nothing() {
    let mut project = StoredProject::new();
    let store = project.store();
    fs::remove_file(beside(&store, "-shm")).expect("ours");
    let Some(mount) = Mount::read_only(&project.scratch.interleaf_home.join("data")) else { return };
    project.mounts.push(mount);

    project.session("refused");
    project.assert_doctor_names(UNWRITABLE);

    project.mounts.clear();
    project.assert_saved_later("refused");
}

#[test]
fn a_file_in_the_place_of_the_cache_disturbs_nothing() {
    let project = StoredProject::new();
    let cache = project.scratch.interleaf_home.join("cache");
    fs::remove_dir_all(&cache).expect("ours");
    fs::write(&cache, "no folder").expect("ours");

    let [start, prompt] = project.session("as-ever");

    assert!(start.contains(RULE) && prompt.contains(RULE), "{start} {prompt}");
    assert_eq!(project.points(), Vec::<String>::new(), "embedded layers need no cache");
    project.wait("the session is saved", || project.texts().len() > project.before.len());
    assert_eq!(fs::read_to_string(&cache).expect("ours"), "no folder");
}

#[test]
fn without_a_usable_home_sessions_are_silent_and_doctor_says_what_to_set() {
    let project = StoredProject::new();
    for home in [None, Some(""), Some("relative/home")] {
        let command = |arguments: &[&str]| -> Command {
            let mut command = project.command(arguments);
            command.env_remove("INTERLEAF_HOME").env_remove("HOME");
            // Without the account's home, which a program of the tests reads from a variable.
            command.env(ACCOUNT_HOME_VARIABLE, home.unwrap_or_default());
            command.envs(home.map(|home| ("HOME", home)));
            command
        };

        assert_eq!(project.session_of(&|| command(&["hook"]), "homeless"), [String::new(), String::new()]);

        let doctor = run(&mut command(&["doctor"]), b"", HANG_TIMEOUT);
        assert_eq!(doctor.code, Some(1), "{home:?}: {}", doctor.out());
        assert!(doctor.err().contains("hint: set "), "{home:?}: {}", doctor.err());
        assert!(doctor.err().contains("INTERLEAF_HOME"), "{home:?}: {}", doctor.err());
    }
    assert_eq!(project.points(), Vec::<String>::new(), "with its home, all is well");
    project.assert_nothing_lost();
}
