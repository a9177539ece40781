//! Databases of older and newer programs.

use std::fs;
use std::path::Path;
use std::thread;

use interleaf_tests::workspace;
use rusqlite::Connection;
use serde_json::json;

use super::stored_project::{RULE, StoredProject, beside, checkpoint};

/// Number of hooks that find a database of an older program at the same time.
const HOOKS: usize = 8;

fn version(store: &Path) -> i64 {
    let sqlite = Connection::open(store).expect("a database");
    sqlite.query_row("PRAGMA user_version", [], |row| row.get(0)).expect("a version")
}

fn set_version(store: &Path, version: i64) {
    let sqlite = Connection::open(store).expect("a database");
    sqlite.pragma_update(None, "user_version", version).expect("a version");
}

/// Returns the statements with which a released program made its schema, oldest first.
fn migrations() -> Vec<String> {
    let folder = workspace::root().join("host/migrations");
    let files = fs::read_dir(folder).expect("the migrations").map(|file| file.expect("a file").path());
    // A folder holds the schema of the record of sessions.
    let mut files: Vec<_> = files.filter(|path| path.is_file()).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).expect("text")).collect()
}

/// Replaces the database by one of this version with the same memories, as an older program left it.
fn replace_by_older(store: &Path, version: usize) {
    checkpoint(store);
    let newer = beside(store, "-newer");
    fs::rename(store, &newer).expect("ours");
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(beside(store, suffix));
    }
    let sqlite = Connection::open(store).expect("ours");
    sqlite.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).expect("a mode");
    for migration in &migrations()[..version] {
        sqlite.execute_batch(migration).expect("a schema");
    }
    sqlite.pragma_update(None, "user_version", version).expect("a version");
    sqlite.execute("ATTACH ?1 AS newer", [newer.to_str().expect("utf-8")]).expect("a database");
    for table in ["memories", "tags", "frequencies"] {
        copy_rows(&sqlite, table);
    }
    let index = "INSERT INTO words (rowid, terms) SELECT number, terms FROM memories";
    assert!(sqlite.execute(index, []).expect("an index") > 0);
}

/// Copies the columns that the older schema has.
fn copy_rows(sqlite: &Connection, table: &str) {
    let query = "SELECT group_concat(name) FROM pragma_table_info(?1, 'main')";
    let columns: String = sqlite.query_row(query, [table], |row| row.get(0)).expect("columns");
    let copy = format!("INSERT INTO main.{table} ({columns}) SELECT {columns} FROM newer.{table}");
    sqlite.execute(&copy, []).expect("the newer table has these columns");
}

#[test]
fn a_database_of_a_newer_program_is_left_untouched_and_the_newer_program_still_has_it() {
    let project = StoredProject::new();
    let store = project.store();
    let ours = version(&store);
    set_version(&store, 99);

    assert_eq!(project.session("newer"), [String::new(), String::new()]);
    project.assert_doctor_names("schema version 99");
    let refused = project.run(&["remember", "Deployments run from the tag, never from a branch"]);
    assert_eq!(refused.code, Some(1), "{}", refused.out());
    assert!(refused.err().contains("use the newer Interleaf that wrote it"), "{}", refused.err());
    assert_eq!(version(&store), 99);

    // A program that knows this schema finds everything.
    set_version(&store, ours);
    project.assert_saved_later("newer");
}

#[test]
fn hooks_that_find_an_older_database_together_migrate_it_once_and_lose_nothing() {
    let newest = migrations().len();
    for older in 1..newest {
        let project = StoredProject::new();
        let store = project.store();
        replace_by_older(&store, older);

        thread::scope(|scope| {
            for hook in 0..HOOKS {
                let (project, session) = (&project, format!("hook-{hook}"));
                scope.spawn(move || project.hook(&session, "SessionStart", json!({ "source": "startup" })));
            }
        });

        assert_eq!(version(&store), newest as i64, "from {older}");
        assert_eq!(project.texts(), project.before, "from {older}");
        let _ = project.run(&["memory", "verify"]).success();
        assert!(project.session("later")[0].contains(RULE), "from {older}");
        let mut points = project.points();
        // On a busy machine, a hook may have no time left for its own record after the wait for the others.
        let is_late = |point: &String| {
            point.starts_with("cannot record which memories are shown: ")
                && point.contains("the database is locked by another process")
        };
        points.retain(|point| !is_late(point));
        assert_eq!(points, Vec::<String>::new(), "from {older}");
    }
}
