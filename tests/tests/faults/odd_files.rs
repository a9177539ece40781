//! Files of the wrong kind or content in the place of Interleaf's own: a folder, a pipe, garbage, too much.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::stored_project::{RULE, StoredProject, beside, checkpoint};

/// What can lie in the place of a configuration file.
const ODD_FILES: [&str; 5] = ["garbage", "folder", "pipe", "five megabytes", "endless"];

fn put(kind: &str, path: &Path) {
    let _ = fs::remove_file(path);
    match kind {
        "garbage" => fs::write(path, b"[redact]\npatterns = [\xff\x00[[[").expect("ours"),
        "folder" => fs::create_dir(path).expect("ours"),
        "pipe" => assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success()),
        "five megabytes" => fs::write(path, "# more\n".repeat(700_000)).expect("ours"),
        _ => symlink("/dev/zero", path).expect("ours"),
    }
}

fn remove(path: &Path) {
    if path.is_dir() { fs::remove_dir(path) } else { fs::remove_file(path) }.expect("ours");
}

#[test]
fn an_odd_file_in_the_place_of_the_configuration_stores_nothing_and_is_named() {
    for kind in ODD_FILES {
        let project = StoredProject::new();
        let config = project.scratch.interleaf_home.join("config/config.toml");
        let text = fs::read_to_string(&config).expect("ours");
        put(kind, &config);

        // It may have held patterns of what must not be stored.
        project.session("odd");
        project.assert_doctor_names("config.toml");
        let refused = project.run(&["remember", "Deployments run from the tag, never from a branch"]);
        assert_ne!(refused.code, Some(0), "{kind}: {}", refused.out());
        assert!(refused.err().contains("interleaf config check"), "{kind}: {}", refused.err());
        let checked = project.run(&["config", "check"]);
        assert!(checked.code == Some(2) && checked.out().contains("config.toml"), "{kind}: {checked:?}");

        remove(&config);
        fs::write(&config, text).expect("ours");
        let _ = project.run(&["config", "check"]).success();
        project.assert_saved_later("odd");
    }
}

#[test]
fn an_odd_file_in_the_place_of_the_project_s_configuration_is_ignored_and_named() {
    for kind in ODD_FILES {
        let project = StoredProject::new();
        let config = project.scratch.project.join(".claude/interleaf.toml");
        put(kind, &config);

        let [start, prompt] = project.session("odd");
        assert!(start.contains(RULE) && prompt.contains(RULE), "{kind}: {start} {prompt}");
        project.assert_doctor_names("interleaf.toml");
        let checked = project.run(&["config", "check"]);
        assert!(checked.code == Some(2) && checked.out().contains("interleaf.toml"), "{kind}: {checked:?}");

        remove(&config);
        assert_eq!(project.points(), Vec::<String>::new(), "{kind}");
        project.assert_nothing_lost();
    }
}

#[test]
fn a_folder_in_the_place_of_the_database_is_named_and_nothing_is_put_into_it() {
    let project = StoredProject::new();
    let store = project.store();
    checkpoint(&store);
    let aside = beside(&store, "-aside");
    fs::rename(&store, &aside).expect("ours");
    fs::create_dir(&store).expect("ours");

    assert_eq!(project.session("odd"), [String::new(), String::new()]);
    project.assert_doctor_names(store.to_str().expect("utf-8"));
    let refused = project.run(&["remember", "Deployments run from the tag, never from a branch"]);
    assert!(refused.code == Some(1) && refused.err().contains("interleaf.db"), "{refused:?}");

    project.assert_doctor_names("interleaf memory repair");
    // `remove_dir` fails if anything was put into the folder.
    fs::remove_dir(&store).expect("it is empty");
    fs::rename(&aside, &store).expect("ours");
    project.assert_saved_later("odd");
}

#[test]
fn a_folder_in_the_place_of_the_database_is_set_aside_by_a_repair() {
    let project = StoredProject::new();
    let store = project.store();
    let aside = beside(&store, "-aside");
    checkpoint(&store);
    fs::rename(&store, &aside).expect("ours");
    fs::create_dir(&store).expect("ours");
    fs::write(store.join("note"), "mine").expect("ours");

    let _ = project.run(&["memory", "repair", "--yes"]).success();
    let _ = project.run(&["remember", "Deployments run from the tag, never from a branch"]).success();

    assert_eq!(project.points(), Vec::<String>::new());
    let folder = fs::read_dir(store.parent().expect("a folder")).expect("ours");
    let kept = folder.map(|entry| entry.expect("ours").path()).find(|path| path.join("note").exists());
    assert!(kept.is_some_and(|kept| kept != store), "nothing is deleted");
}

#[test]
fn a_database_with_an_overwritten_header_is_repaired_whole() {
    let project = StoredProject::new();
    let store = project.store();
    checkpoint(&store);
    overwrite(&store, 0, b"garbage in the header of the database");

    project.session("odd");
    project.assert_doctor_names("interleaf memory repair");
    let _ = project.run(&["memory", "repair", "--yes"]).success();

    project.assert_nothing_lost();
    let _ = project.run(&["memory", "verify"]).success();
}

/// The index of the log can be made again from the log, and a page in the log hides the one in the file.
#[test]
fn garbage_that_sqlite_can_mend_loses_nothing() {
    for fault in ["index of the log", "header"] {
        let project = StoredProject::new();
        let store = project.store();
        match fault {
            "header" => {
                write_first_page_to_log(&store);
                overwrite(&store, 0, b"garbage in the header of the database");
            }
            _ => fs::write(beside(&store, "-shm"), "garbage ".repeat(4096)).expect("ours"),
        }

        project.session("odd");

        project.assert_nothing_lost();
        let _ = project.run(&["memory", "verify"]).success();
    }
}

/// Changes the first page, and leaves the change in the log.
fn write_first_page_to_log(store: &Path) {
    let sqlite = Connection::open(store).expect("a database");
    sqlite.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).expect("a setting");
    let version: i64 = sqlite.query_row("PRAGMA user_version", [], |row| row.get(0)).expect("a version");
    sqlite.pragma_update(None, "user_version", version).expect("a write");
}

/// SQLite takes what follows a damaged place of the log for never committed.
#[test]
fn garbage_in_the_middle_of_the_log_loses_at_most_what_follows_it() {
    let project = StoredProject::new();
    let store = project.store();
    checkpoint(&store);
    let _ = project.run(&["remember", "Deployments run from the tag, never from a branch"]).success();
    let log = beside(&store, "-wal");
    let half = fs::metadata(&log).expect("a log").len() / 2;
    overwrite(&log, half, &[0xA5; 64]);

    let [start, prompt] = project.session("odd");

    assert!(start.contains(RULE) && prompt.contains(RULE), "{start} {prompt}");
    project.assert_nothing_lost();
    let _ = project.run(&["memory", "verify"]).success();
    let _ = project.run(&["remember", "The export of invoices needs the archive to be warm"]).success();
}

fn overwrite(path: &Path, at: u64, bytes: &[u8]) {
    use std::os::unix::fs::FileExt;
    let file = fs::OpenOptions::new().write(true).open(path).expect("ours");
    file.write_all_at(bytes, at).expect("ours");
}
