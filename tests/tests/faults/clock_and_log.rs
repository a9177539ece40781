//! A clock that was wrong, and a log with broken lines or in the wrong place.

use std::fs::OpenOptions;
use std::io::Write;

use rusqlite::Connection;
use serde_json::{Value, json};

use super::stored_project::{RULE, StoredProject, lesson};

const YEAR_MS: i64 = 365 * 24 * 3_600_000;

fn jobs(project: &StoredProject) -> Vec<Value> {
    let jobs = project.run(&["jobs", "--json"]).success();
    jobs.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Moves all times in the database, as if the clock had been wrong by this much when they were stored.
fn shift_times(project: &StoredProject, ms: i64) {
    let sqlite = Connection::open(project.store()).expect("a database");
    let query = "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p
                 WHERE m.type = 'table' AND (p.name LIKE '%\\_at' ESCAPE '\\' OR p.name = 'at')";
    let mut statement = sqlite.prepare(query).expect("tables");
    let columns = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
    let columns: Vec<_> = columns.expect("columns").map(|column| column.expect("a column")).collect();
    assert!(columns.iter().any(|(table, _)| table == "memories"), "{columns:?}");
    for (table, column) in columns {
        let shift = format!("UPDATE {table} SET {column} = {column} + ?1 WHERE {column} IS NOT NULL");
        sqlite.execute(&shift, [ms]).expect("times are numbers");
    }
}

#[test]
fn memories_of_a_wrong_clock_are_shown_and_kept() {
    for years in [10, -10] {
        let project = StoredProject::new();
        shift_times(&project, years * YEAR_MS);

        let [start, prompt] = project.session("now");

        assert!(start.contains(RULE) && prompt.contains(RULE), "{years}: {start} {prompt}");
        project.wait("the session is saved", || project.texts().len() > project.before.len());
        project.assert_nothing_lost();
        assert_eq!(project.points(), Vec::<String>::new(), "{years}");
    }
}

#[test]
fn a_flush_that_a_wrong_clock_dated_is_done_when_its_session_ends_or_a_person_says_so() {
    for way in ["the end of the session", "jobs run --all"] {
        let project = StoredProject::new();
        std::fs::write(project.transcript("s"), lesson()).expect("ours");
        let fields = json!({ "stop_hook_active": false, "last_assistant_message": "done" });
        project.hook("s", "Stop", fields);
        assert_eq!(jobs(&project).len(), 1);
        shift_times(&project, 10 * YEAR_MS);

        match way {
            "jobs run --all" => _ = project.run(&["jobs", "run", "--all"]).success(),
            _ => _ = project.hook("s", "SessionEnd", json!({ "reason": "other" })),
        }

        project.wait(way, || project.texts().len() > project.before.len());
        project.assert_nothing_lost();
    }
}

#[test]
fn a_broken_line_of_the_log_hides_no_later_failure_from_doctor() {
    let project = StoredProject::new();
    let log = project.scratch.interleaf_home.join("state/log.jsonl");
    project.session("before");
    let mut file = OpenOptions::new().append(true).open(&log).expect("a log");
    file.write_all(b"\xff\xfe no text\n{\"at\": 1, \"half\n\0\0\0\n\xe2\x82").expect("ours");
    let sqlite = Connection::open(project.store()).expect("a database");
    let ours: i64 = sqlite.query_row("PRAGMA user_version", [], |row| row.get(0)).expect("a version");
    sqlite.pragma_update(None, "user_version", 99).expect("a version");
    project.session("after");
    sqlite.pragma_update(None, "user_version", ours).expect("a version");

    let points = project.points();

    assert!(points.iter().any(|point| point.contains("schema version 99")), "{points:#?}");
    project.assert_nothing_lost();
}

#[test]
fn a_log_that_is_a_folder_disturbs_nothing() {
    let project = StoredProject::new();
    let log = project.scratch.interleaf_home.join("state/log.jsonl");
    let _ = std::fs::remove_file(&log);
    std::fs::create_dir_all(&log).expect("ours");

    let [start, prompt] = project.session("s");

    assert!(start.contains(RULE) && prompt.contains(RULE), "{start} {prompt}");
    project.wait("the session is saved", || project.texts().len() > project.before.len());
    project.assert_nothing_lost();
}
