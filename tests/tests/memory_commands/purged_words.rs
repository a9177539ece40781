//! What is left of a memory that was deleted for good.

use std::path::{Path, PathBuf};

use interleaf_tests::scratch::Scratch;
use serde_json::Value;

#[test]
fn of_a_purged_memory_no_word_stays_in_the_database_or_a_copy() {
    let scratch = Scratch::new();
    let remembered = |text: &str| {
        let saved = scratch.interleaf(&["remember", "--json", text]).success();
        serde_json::from_str::<Value>(&saved).expect("an object")["id"].as_str().expect("an id").to_owned()
    };
    let id = remembered("The zanzibarium gateway restarts at noon");
    remembered("Gateways restart when the moon is full");
    scratch.interleaf(&["forget", "--purge", &id, "--yes"]).success();
    let copy = scratch.root.join("copy.db");
    scratch.interleaf(&["memory", "backup", &copy.display().to_string()]).success();

    let holds = |file: &Path| {
        let bytes = std::fs::read(file).expect("it can be read");
        bytes.windows(8).any(|window| window == b"zanzibar")
    };
    let folder = scratch.interleaf_home.join("data");
    for file in std::iter::once(copy).chain(databases_below(&folder)) {
        assert!(!holds(&file), "{}", file.display());
    }
    assert!(scratch.interleaf(&["memory", "search", "gateways at full moon"]).success().contains("moon"));
}

/// Returns the databases in a folder, with their logs.
fn databases_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("it can be read").flatten().map(|entry| entry.path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let is_database = |path: &PathBuf| path.to_string_lossy().contains(".db");
    let files = files.into_iter().filter(is_database);
    files.chain(folders.iter().flat_map(|folder| databases_below(folder))).collect()
}
