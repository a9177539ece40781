//! A damaged database is noticed, and what can be read of it is saved; backups are consistent and come back.

use interleaf_tests::run::ProcessOutput;
use interleaf_tests::scratch::Scratch;
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

const PAGE: u64 = 4096;
const MEMORIES: usize = 150;

/// A project with memories, of which its worker has made a backup when it had half of them.
struct Store {
    scratch: Scratch,
    database: PathBuf,
}

impl Store {
    fn new() -> Self {
        let scratch = Scratch::new();
        import(&scratch, 0..MEMORIES);
        let doctor: Value =
            serde_json::from_str(&scratch.interleaf(&["doctor", "--json"]).out()).expect("JSON");
        let database = doctor["store"].as_str().expect("a path").into();
        Self { scratch, database }
    }

    /// Empties the write-ahead log into the file, as a worker does.
    fn checkpoint(&self) {
        let sqlite = rusqlite::Connection::open(&self.database).expect("a database");
        sqlite.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("a checkpoint");
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        let mut path = self.database.clone().into_os_string();
        path.push(suffix);
        path.into()
    }

    /// Returns the numbers of the pages with the schema, if it has more than the first page. Without the
    /// schema nothing can be read, and only a backup helps.
    fn schema_pages(&self) -> Vec<u64> {
        let mut page = vec![0; PAGE as usize];
        fs::File::open(&self.database).expect("a file").read_exact(&mut page).expect("a page");
        let number =
            |at: usize| u64::from(u32::from_be_bytes([page[at], page[at + 1], page[at + 2], page[at + 3]]));
        let short = |at: usize| usize::from(u16::from_be_bytes([page[at], page[at + 1]]));
        // The file format: https://www.sqlite.org/fileformat2.html#b_tree_pages
        match page[100] {
            5 => (0..short(103)).map(|cell| number(short(112 + 2 * cell))).chain([number(108)]).collect(),
            _ => Vec::new(),
        }
    }

    /// Overwrites a few pages in the middle with garbage.
    fn overwrite_pages(&self) {
        self.checkpoint();
        let pages = fs::metadata(&self.database).expect("a file").len() / PAGE;
        let schema = self.schema_pages();
        let mut file = OpenOptions::new().write(true).open(&self.database).expect("a file");
        for page in [pages / 4, pages / 3, pages / 2] {
            let page =
                (page..).find(|page| !schema.contains(&(page + 1))).expect("most pages have no schema");
            file.seek(SeekFrom::Start(page * PAGE)).expect("a place");
            file.write_all(&[0xA5; PAGE as usize]).expect("a page");
        }
    }

    fn run(&self, arguments: &[&str]) -> ProcessOutput {
        self.scratch.interleaf(arguments)
    }

    fn doctor(&self) -> String {
        self.run(&["doctor"]).out()
    }

    /// Returns the texts of all memories.
    fn texts(&self) -> Vec<String> {
        let export = self.run(&["memory", "export"]).success();
        let text = |line: &str| {
            let memory: Value = serde_json::from_str(line).expect("JSON");
            memory["text"].as_str().expect("a text").to_owned()
        };
        let mut texts: Vec<String> = export.lines().map(text).collect();
        texts.sort();
        texts
    }

    fn repair(&self) -> String {
        let repaired = self.run(&["memory", "repair", "--yes"]).success();
        assert!(!self.doctor().contains("damaged"), "{}", self.doctor());
        let _ = self.run(&["memory", "verify"]).success();
        repaired
    }
}

fn text(number: usize) -> String {
    let words = ["amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "islet", "jetty"];
    let word = |place: usize| words[(number / 10_usize.pow(u32::try_from(place).expect("small"))) % 10];
    format!("Service {number} listens on port {} of {} {} {}", 9000 + number, word(0), word(1), word(2))
}

fn import(scratch: &Scratch, numbers: std::ops::Range<usize>) {
    let lines: Vec<String> =
        numbers.map(|number| serde_json::json!({ "text": text(number) }).to_string()).collect();
    let imported = scratch.interleaf_with(&["memory", "import", "-"], lines.join("\n").as_bytes());
    let imported = imported.success();
    assert!(imported.starts_with(&format!("{} written", lines.len())), "{imported}");
}

#[test]
fn overwritten_pages_are_noticed_and_the_rest_is_saved() {
    let store = Store::new();
    store.overwrite_pages();

    assert!(store.doctor().contains("damaged"), "{}", store.doctor());
    assert_ne!(store.run(&["memory", "verify"]).code, Some(0));
    let repaired = store.repair();

    let saved = store.texts().len();
    assert!(saved > MEMORIES / 2, "{saved} of {MEMORIES}: {repaired}");
    let aside = repaired.lines().find_map(|line| line.strip_prefix("The file as it was: "));
    assert!(aside.is_some_and(|aside| fs::exists(aside).expect("a path")), "{repaired}");
    let _ = store.run(&["remember", "Written after the repair of the database"]).success();
    assert_eq!(store.texts().len(), saved + 1);
}

#[test]
fn what_a_damaged_database_lost_comes_from_the_backup() {
    let store = Store::new();
    let before = store.texts();
    let folder = store.database.with_file_name("backups");
    fs::create_dir_all(&folder).expect("a folder");
    let backup = folder.join("2026-01-31.db");
    let _ = store.run(&["memory", "backup", backup.to_str().expect("utf-8")]).success();
    let _ = store.run(&["remember", "Written after the backup of the database"]).success();
    store.overwrite_pages();

    let repaired = store.repair();

    assert!(repaired.contains("from the backup of 2026-01-31"), "{repaired}");
    let after = store.texts();
    assert!(before.iter().all(|text| after.contains(text)), "{repaired}");
}

#[test]
fn an_emptied_file_is_not_taken_for_a_new_store() {
    let store = Store::new();
    let backup = store.scratch.root.join("copy.db");
    let _ = store.run(&["memory", "backup", backup.to_str().expect("utf-8")]).success();
    store.checkpoint();
    fs::write(&store.database, "").expect("a file");

    let refused = store.run(&["remember", "Nothing may begin a new store here"]);
    assert!(
        refused.code != Some(0) && refused.err().contains("interleaf memory repair"),
        "{}",
        refused.err()
    );
    assert_eq!(fs::metadata(&store.database).expect("a file").len(), 0);
    assert!(store.doctor().contains("the file is empty"));

    let restored = store.run(&["memory", "backup", "--restore", "--yes", backup.to_str().expect("utf-8")]);
    assert!(restored.success().contains(&format!("Restored {MEMORIES}")));
    assert_eq!(store.texts().len(), MEMORIES);
}

#[test]
fn a_truncated_file_is_noticed_and_its_first_part_saved() {
    let store = Store::new();
    store.checkpoint();
    let file = OpenOptions::new().write(true).open(&store.database).expect("a file");
    file.set_len(fs::metadata(&store.database).expect("a file").len() / 4 * 3).expect("a shorter file");

    assert!(store.doctor().contains("damaged"), "{}", store.doctor());
    store.repair();

    assert!(!store.texts().is_empty());
}

#[test]
fn a_deleted_or_overwritten_log_is_noticed_and_the_next_step_works() {
    for fault in ["deleted", "damaged"] {
        let store = Store::new();
        match fault {
            "deleted" => fs::remove_file(store.beside("-wal")).expect("a log"),
            _ => fs::write(store.beside("-wal"), "garbage ".repeat(1000)).expect("a log"),
        }
        let hook = store.scratch.event("UserPromptSubmit", serde_json::json!({ "prompt": "which port?" }));
        let _ = store.scratch.hook(hook).success();

        let doctor = store.doctor();
        assert!(
            doctor.contains(&format!(
                "write-ahead log {} {fault}",
                if fault == "deleted" { "was" } else { "is" }
            )),
            "{doctor}"
        );
        assert!(doctor.contains("interleaf memory repair"), "{doctor}");
        store.repair();
    }
}

#[test]
fn a_copy_that_met_the_log_of_another_database_is_noticed() {
    let store = Store::new();
    store.checkpoint();
    let copy = fs::read(&store.database).expect("a file");
    import(&store.scratch, MEMORIES..2 * MEMORIES);
    store.checkpoint();
    // Single writes stay in the log of the newer database, which stays beside the older copy.
    for number in 2 * MEMORIES..2 * MEMORIES + 20 {
        let _ = store.run(&["remember", &text(number)]).success();
    }
    fs::write(&store.database, &copy).expect("a file");

    assert!(store.doctor().contains("damaged"), "{}", store.doctor());
    store.repair();
    assert!(store.texts().len() > MEMORIES / 2);
}

#[test]
fn another_file_in_the_place_of_the_database_is_set_aside() {
    let store = Store::new();
    store.checkpoint();
    fs::write(&store.database, "this was a database once ".repeat(400)).expect("a file");

    assert!(store.doctor().contains("damaged"));
    store.repair();

    assert!(store.texts().is_empty());
}

#[test]
fn a_sound_database_is_not_repaired() {
    let store = Store::new();
    let before = store.texts();

    assert!(store.run(&["memory", "repair", "--yes"]).success().contains("nothing to repair"));

    assert_eq!(store.texts(), before);
}

#[test]
fn a_backup_comes_back_and_the_present_memories_are_set_aside() {
    let store = Store::new();
    let before = store.texts();
    let backup = store.scratch.root.join("copy.db");
    let backup = backup.to_str().expect("utf-8");
    let _ = store.run(&["memory", "backup", backup]).success();
    let _ = store.run(&["remember", "Written after the backup of the database"]).success();

    assert_ne!(store.run(&["memory", "backup", backup]).code, Some(0), "a file is not overwritten");
    assert_eq!(store.run(&["memory", "backup", "--restore", backup]).code, Some(2), "it asks first");
    let restored = store.run(&["memory", "backup", "--restore", "--yes", backup]).success();

    assert_eq!(store.texts(), before);
    let aside = restored.lines().find_map(|line| line.strip_prefix("The file as it was: ")).expect("a name");
    let set_aside = rusqlite::Connection::open(aside).expect("a database");
    let count: i64 =
        set_aside.query_row("SELECT count(*) FROM memories", [], |row| row.get(0)).expect("a row");
    assert_eq!(count, MEMORIES as i64 + 1);
    let _ = store.run(&["memory", "verify"]).success();
}

#[test]
fn a_file_that_is_no_backup_is_refused_and_nothing_changes() {
    let store = Store::new();
    let before = store.texts();
    let other = store.scratch.root.join("other.db");
    let sqlite = rusqlite::Connection::open(&other).expect("a database");
    sqlite.execute_batch("CREATE TABLE notes (x)").expect("a table");
    store.scratch.write(store.scratch.root.join("text.db"), "no database at all");

    for (file, reason) in
        [("other.db", "not a database of Interleaf"), ("text.db", "damaged"), ("no.db", "read")]
    {
        let path = store.scratch.root.join(file);
        let refused = store.run(&["memory", "backup", "--restore", "--yes", path.to_str().expect("utf-8")]);
        assert!(refused.code != Some(0) && refused.err().contains(reason), "{file}: {}", refused.err());
    }
    assert_eq!(store.texts(), before);
}
