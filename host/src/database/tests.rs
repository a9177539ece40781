use super::*;
use crate::dirs::scratch::Scratch;
use crate::error::ErrorKind;
use std::fs;
use std::time::Duration;

fn write_one(database: &Database) -> Result<usize> {
    database.write(|transaction| Ok(transaction.execute("INSERT INTO tags VALUES ('a', 1)", [])?))
}

fn count(database: &Database) -> Result<Option<i64>> {
    database.read(|connection| Ok(connection.query_row("SELECT count(*) FROM tags", [], |row| row.get(0))?))
}

/// Creates a database with a memory for tags to belong to.
fn database_with_memory(path: &Path) -> Database {
    let database = Database::at(path);
    let row =
        "INSERT INTO memories VALUES (1, 'id', 'learning', 'active', 'person', NULL, 0, 0, 0.5, 0.5, 1, 0,
               'title', 'text', '{}', '[]', '[]', '{}', '[]', '', '1.0', 0, NULL, NULL, '[]', NULL, '[]',
               '[]', 0)";
    database.write(|transaction| Ok(transaction.execute(row, [])?)).unwrap();
    database
}

#[test]
fn reading_creates_nothing() {
    let scratch = Scratch::new();
    let database = Database::at(scratch.path().join("deep/interleaf.db"));

    assert_eq!(count(&database).unwrap(), None);

    assert!(!scratch.path().join("deep").exists());
}

#[test]
fn a_commit_is_visible_to_the_next_process() {
    let scratch = Scratch::new();
    write_one(&database_with_memory(&scratch.path().join("interleaf.db"))).unwrap();

    assert_eq!(count(&Database::at(scratch.path().join("interleaf.db"))).unwrap(), Some(1));
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_the_file_and_its_folders() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    database_with_memory(&scratch.path().join("a/b/interleaf.db"));

    let mode = |name| fs::metadata(scratch.path().join(name)).unwrap().permissions().mode() & 0o777;

    assert_eq!((mode("a"), mode("a/b"), mode("a/b/interleaf.db")), (0o700, 0o700, 0o600));
    assert_eq!(mode("a/b/interleaf.db-wal"), 0o600);
}

#[test]
fn an_error_undoes_the_whole_write() {
    let database = Database::in_memory().unwrap();

    let failed: Result<()> = database.write(|transaction| {
        transaction.execute("INSERT INTO frequencies (term, memories) VALUES ('a', 1)", [])?;
        Err(Error::invalid("no"))
    });

    assert_eq!(failed.unwrap_err(), Error::invalid("no"));
    let left = database.read(|c| Ok(c.query_row("SELECT count(*) FROM frequencies", [], |row| row.get(0))?));
    assert_eq!(left.unwrap(), Some(0));
}

#[test]
fn a_file_of_a_newer_schema_is_named_in_the_error_and_left_unchanged() {
    let scratch = Scratch::new();
    let path = scratch.path().join("interleaf.db");
    let newer = rusqlite::Connection::open(&path).unwrap();
    newer.execute_batch("CREATE TABLE future (x); PRAGMA user_version = 99").unwrap();
    drop(newer);
    let before = fs::read(&path).unwrap();

    let read = count(&Database::at(&path)).unwrap_err();
    let write = write_one(&Database::at(&path)).unwrap_err();

    assert_eq!(read.kind, ErrorKind::Unavailable);
    assert!(read.message.starts_with(path.to_str().unwrap()), "{}", read.message);
    assert!(read.message.contains("schema version 99"), "{}", read.message);
    assert_eq!(write, read);
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_damaged_file_is_named_in_the_error_and_left_unchanged() {
    let scratch = Scratch::new();
    let path = scratch.path().join("interleaf.db");
    let garbage = "this was a database once ".repeat(400);
    fs::write(&path, &garbage).unwrap();

    for error in [count(&Database::at(&path)).unwrap_err(), write_one(&Database::at(&path)).unwrap_err()] {
        assert_eq!(error.kind, ErrorKind::Unavailable);
        assert!(
            error.message.starts_with(path.to_str().unwrap()) && error.message.contains("damaged"),
            "{}",
            error.message
        );
        assert!(error.hint.unwrap().contains("memory repair"));
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), garbage);
}

#[test]
fn an_empty_file_is_damaged_and_left_as_it_is() {
    let scratch = Scratch::new();
    let path = scratch.file("interleaf.db", "");

    for error in [count(&Database::at(&path)).unwrap_err(), write_one(&Database::at(&path)).unwrap_err()] {
        assert!(error.message.contains("the file is empty"), "{}", error.message);
    }
    assert_eq!(fs::metadata(&path).unwrap().len(), 0);
}

#[test]
fn a_writer_that_waited_for_a_replaced_file_writes_to_the_new_one() {
    let scratch = Scratch::new();
    let path = scratch.path().join("interleaf.db");
    let (waiting, backup) = (database_with_memory(&path), scratch.path().join("copy.db"));
    assert!(waiting.back_up_to(&backup).unwrap());

    let aside = Database::at(&path).restore_from(&backup, ".old").unwrap();
    write_one(&waiting).unwrap();

    assert_eq!(count(&Database::at(&path)).unwrap(), Some(1));
    assert_eq!(count(&Database::at(aside.expect("the old file"))).unwrap(), Some(0));
}

#[test]
fn two_restores_in_one_second_keep_what_each_of_them_replaced() {
    let scratch = Scratch::new();
    let path = scratch.path().join("interleaf.db");
    let (database, backup) = (database_with_memory(&path), scratch.path().join("copy.db"));
    assert!(database.back_up_to(&backup).unwrap());
    write_one(&database).unwrap();

    let asides = [(); 2].map(|()| Database::at(&path).restore_from(&backup, ".old").unwrap());

    let counts = asides.map(|aside| count(&Database::at(aside.expect("an old file"))).unwrap());
    assert_eq!(counts, [Some(1), Some(0)]);
}

#[test]
fn a_restore_that_was_killed_between_its_steps_is_run_again() {
    let scratch = Scratch::new();
    let path = scratch.path().join("interleaf.db");
    let (database, backup) = (database_with_memory(&path), scratch.path().join("copy.db"));
    assert!(database.back_up_to(&backup).unwrap());
    write_one(&database).unwrap();
    database.checkpoint().unwrap();
    // The first step: the database has a second name.
    fs::hard_link(&path, scratch.path().join("interleaf.db.old")).unwrap();

    let aside = Database::at(&path).restore_from(&backup, ".old").unwrap().expect("an old file");

    assert_eq!(count(&Database::at(&path)).unwrap(), Some(0));
    assert_eq!(count(&Database::at(aside)).unwrap(), Some(1));
}

#[test]
fn abandoned_files_are_deleted_and_new_ones_are_not() {
    let scratch = Scratch::new();
    let database = database_with_memory(&scratch.path().join("interleaf.db"));
    let [old, new] = [".interleaf-old", ".interleaf-new"].map(|name| scratch.file(name, "incomplete"));
    let two_hours_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(7_200);
    fs::File::options().append(true).open(&old).unwrap().set_modified(two_hours_ago).unwrap();

    database.remove_abandoned_files().unwrap();

    assert!(!old.exists() && new.exists() && database.path().unwrap().exists());
}

#[test]
fn a_backup_is_one_private_file_and_complete_while_others_write() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let database = database_with_memory(&scratch.path().join("interleaf.db"));
    let (backup, writer) = (scratch.path().join("copy.db"), database.0.path.clone().unwrap());
    let writing = std::thread::spawn(move || {
        let other = Database::at(writer);
        for number in 0..100 {
            let row = "INSERT INTO tags VALUES (?1, 1)";
            other.write(|transaction| Ok(transaction.execute(row, [number.to_string()])?)).unwrap();
        }
    });

    assert!(database.back_up_to(&backup).unwrap());
    writing.join().unwrap();

    let copy = Database::at(&backup);
    assert!(copy.problems(Thoroughness::Full).unwrap().is_empty());
    assert_eq!(fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(database.back_up_to(&backup).is_err(), "a file is not overwritten");
    assert!(!Database::at(scratch.path().join("none.db")).back_up_to(&scratch.path().join("x.db")).unwrap());
}

/// After a power failure, the log ends anywhere after what the disk had for certain, also within a commit, or
/// holds anything there.
#[test]
fn whatever_the_disk_had_of_the_log_at_a_power_failure_the_file_is_sound_and_the_commits_are_the_first_ones()
{
    let scratch = Scratch::new();
    let path = scratch.path().join("interleaf.db");
    let database = database_with_memory(&path);
    database.checkpoint().unwrap();
    for number in 0..20 {
        let row = "INSERT INTO tags VALUES (?1, 1)";
        database.write(|transaction| Ok(transaction.execute(row, [format!("{number:02}")])?)).unwrap();
    }
    let wal = fs::read(scratch.path().join("interleaf.db-wal")).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for kept in (0..wal.len()).step_by(1_371).chain([wal.len()]) {
        for garbage in [false, true] {
            let copy = scratch.path().join("after.db");
            fs::copy(&path, &copy).unwrap();
            let mut log = wal[..kept].to_vec();
            log.resize(if garbage { wal.len() } else { kept }, 0xA5);
            fs::write(scratch.path().join("after.db-wal"), log).unwrap();
            let _ = fs::remove_file(scratch.path().join("after.db-shm"));

            let after = Database::at(&copy);
            let tags: Vec<String> = after
                .read(|connection| {
                    let mut tags = connection.prepare("SELECT tag FROM tags ORDER BY tag")?;
                    Ok(tags.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
                })
                .unwrap()
                .unwrap();
            let first: Vec<String> = (0..tags.len()).map(|number| format!("{number:02}")).collect();
            assert_eq!(tags, first, "{kept} bytes");
            let problems = after.problems(Thoroughness::Full).unwrap();
            assert!(problems.iter().all(|problem| problem.contains("write-ahead log")), "{problems:?}");
            seen.insert(tags.len());
            let _ = fs::remove_file(scratch.path().join("after.db-damage"));
        }
    }
    assert!(seen.contains(&0) && seen.contains(&20) && seen.len() > 10, "{seen:?}");
}

#[test]
fn a_durable_commit_waits_for_the_disk() {
    let scratch = Scratch::new();
    let database = Database::at(scratch.path().join("interleaf.db"));
    let synchronous = |database: &Database| {
        database.write(|db| Ok(db.query_row("PRAGMA synchronous", [], |row| row.get::<_, i64>(0))?)).unwrap()
    };

    assert_eq!(synchronous(&database), 1, "NORMAL");
    database.set_durable(true);
    assert_eq!(synchronous(&database), 2, "FULL");
    database.set_durable(false);
    assert_eq!(synchronous(&database), 1, "NORMAL");
}

#[test]
fn a_file_damaged_in_its_middle_is_an_error_and_not_a_panic() {
    let scratch = Scratch::new();
    let path = scratch.path().join("interleaf.db");
    database_with_memory(&path).checkpoint().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[4096..].fill(0xAA);
    fs::write(&path, &bytes).unwrap();

    assert_eq!(count(&Database::at(&path)).unwrap_err().kind, ErrorKind::Unavailable);

    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn the_error_for_a_file_that_cannot_be_created_names_it() {
    let scratch = Scratch::new();
    fs::write(scratch.path().join("file"), "").unwrap();

    let error = write_one(&Database::at(scratch.path().join("file/interleaf.db"))).unwrap_err();

    assert_eq!(error.kind, ErrorKind::Unavailable);
    assert!(error.message.contains("file/interleaf.db: the database cannot be created"), "{}", error.message);
}

#[test]
fn waiting_for_a_lock_ends_at_the_deadline() {
    let scratch = Scratch::new();
    let path = scratch.path().join("interleaf.db");
    let holder = database_with_memory(&path);
    let waiting = Database::at(&path);
    waiting.set_deadline(Instant::now() + Duration::from_millis(60));

    let start = Instant::now();
    let error = holder.write(|_| Ok(write_one(&waiting).unwrap_err())).unwrap();

    assert_eq!(error.kind, ErrorKind::Unavailable);
    assert!((40..600).contains(&start.elapsed().as_millis()), "{:?}", start.elapsed());
}

#[test]
fn an_endless_statement_is_interrupted_at_the_deadline() {
    let database = Database::in_memory().unwrap();
    database.set_deadline(Instant::now() + Duration::from_millis(50));
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";

    let start = Instant::now();
    let error = database.read(|c| Ok(c.query_row(endless, [], |row| row.get::<_, i64>(0))?)).unwrap_err();

    assert_eq!(error.message, "there was no time left for the database");
    assert!(start.elapsed() < Duration::from_secs(2));
    assert_eq!(count(&database).unwrap_err(), error);
}

#[test]
fn many_processes_can_create_the_same_file_concurrently() {
    let scratch = Scratch::new();
    let path = scratch.path().join("new/interleaf.db");

    std::thread::scope(|scope| {
        for n in 0..16 {
            let database = Database::at(&path);
            scope.spawn(move || {
                let insert = "INSERT INTO frequencies (term, memories) VALUES (?, 1)";
                database.write(|transaction| Ok(transaction.execute(insert, [n.to_string()])?)).unwrap()
            });
        }
    });

    let all =
        Database::at(&path).read(|c| Ok(c.query_row("SELECT count(*) FROM frequencies", [], |r| r.get(0))?));
    assert_eq!(all.unwrap(), Some(16));
}

#[test]
fn a_checkpoint_empties_the_write_ahead_log() {
    let scratch = Scratch::new();
    let database = database_with_memory(&scratch.path().join("interleaf.db"));
    assert!(fs::metadata(scratch.path().join("interleaf.db-wal")).unwrap().len() > 0);

    database.checkpoint().unwrap();

    assert_eq!(fs::metadata(scratch.path().join("interleaf.db-wal")).unwrap().len(), 0);
    assert_eq!(count(&database).unwrap(), Some(0));
}

#[test]
fn a_checkpoint_in_the_background_begins_the_next_write_ahead_log() {
    let scratch = Scratch::new();
    let database = database_with_memory(&scratch.path().join("interleaf.db"));
    let wal_bytes = || fs::metadata(scratch.path().join("interleaf.db-wal")).unwrap().len();
    let short = wal_bytes();
    database.checkpoint_if_long().unwrap();
    assert_eq!(wal_bytes(), short);

    let use_memory = |db: &Transaction| Ok(db.execute("UPDATE memories SET uses = uses + 1", [])?);
    for _ in 0..20 {
        database.write(use_memory).unwrap();
    }
    database.checkpoint_if_long().unwrap();

    let (header, page) = (32, 24 + 4096);
    assert_eq!(wal_bytes(), header + page);
    let uses = |db: &rusqlite::Connection| {
        Ok(db.query_row("SELECT uses FROM memories", [], |row| row.get::<_, i64>(0))?)
    };
    assert_eq!(database.read(uses).unwrap(), Some(20));
}

#[test]
fn a_write_ahead_log_that_somebody_reads_is_left_as_it_is_in_the_background() {
    let scratch = Scratch::new();
    let path = scratch.path().join("interleaf.db");
    let database = database_with_memory(&path);
    let reader = rusqlite::Connection::open(&path).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM memories").unwrap();
    for _ in 0..20 {
        database.write(|db| Ok(db.execute("UPDATE memories SET uses = uses + 1", [])?)).unwrap();
    }
    let wal_bytes = || fs::metadata(scratch.path().join("interleaf.db-wal")).unwrap().len();
    let before = wal_bytes();

    let _ = database.checkpoint_if_long();

    assert_eq!(wal_bytes(), before);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_can_still_be_read() {
    if let Some(path) = std::env::var_os(AS_NOBODY) {
        let database = Database::at(PathBuf::from(path));
        assert_eq!(count(&database).unwrap(), Some(1));
        assert_eq!(write_one(&database).unwrap_err().kind, ErrorKind::Unavailable);
        return assert_eq!(count(&database).unwrap(), Some(1));
    }
    let (with_wal, without_wal) = (Scratch::new(), Scratch::new());
    write_one(&database_with_memory(&with_wal.path().join("interleaf.db"))).unwrap();
    let emptied = database_with_memory(&without_wal.path().join("interleaf.db"));
    write_one(&emptied).unwrap();
    emptied.checkpoint().unwrap();
    drop(emptied);
    fs::remove_file(without_wal.path().join("interleaf.db-wal")).unwrap();
    fs::remove_file(without_wal.path().join("interleaf.db-shm")).unwrap();

    for scratch in [with_wal, without_wal] {
        read_as_nobody(&scratch, "a_file_that_cannot_be_written_can_still_be_read");
    }
}

#[cfg(unix)]
const AS_NOBODY: &str = "INTERLEAF_TEST_AS_NOBODY";

/// Makes everything in the folder read-only and runs a test there. Root may write everywhere, so a copy of
/// this program runs the test as the user nobody.
#[cfg(unix)]
fn read_as_nobody(scratch: &Scratch, test: &str) {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let copy = scratch.path().join("test");
    fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
    for entry in fs::read_dir(scratch.path()).unwrap() {
        allow(&entry.unwrap().path(), 0o555);
    }
    allow(scratch.path(), 0o555);
    let mut child = std::process::Command::new(&copy);
    child
        .arg("--exact")
        .arg(format!("database::tests::{test}"))
        .env(AS_NOBODY, scratch.path().join("interleaf.db"));
    if fs::write(scratch.path().join("written by root"), "").is_ok() {
        child.uid(65_534).gid(65_534);
    }

    let output = child.output().unwrap();

    allow(scratch.path(), 0o755);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && stdout.contains("1 passed"), "{stdout}");
}
