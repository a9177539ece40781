//! Kills `interleaf memory gc`, `backup`, `backup --restore` and `repair`, each on the same database again
//! and again, and runs it to its end afterwards.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use interleaf_tests::random::Random;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::killer::Moments;
use super::ledger::Ledger;
use super::round::{Round, path_text};
use super::template::{Template, texts_of};

/// Number of memories.
const MEMORIES: usize = 400;
/// Number of words of a text.
const WORDS: usize = 8;
/// First guess of the run times.
const RUN_TIME: Duration = Duration::from_millis(60);
/// How long ago the retired memories were retired, in milliseconds: their grace period is over.
const RETIRED_MS: i64 = 60 * 24 * 3_600_000;

/// Size of a page of the database, in bytes.
const PAGE_BYTES: u64 = 4_096;

/// Imports memories, of which every `retired`th is retired, and returns the texts of both kinds.
fn fill(round: &mut Round, retired: usize) -> Result<[Vec<String>; 2]> {
    let mut random = Random::new(round.seed);
    let texts: Vec<String> = (0..MEMORIES).map(|_| random.words(WORDS)).collect();
    let (mut gone, mut kept) = (Vec::new(), Vec::new());
    let entries: Vec<Value> = texts
        .into_iter()
        .enumerate()
        .map(|(number, text)| {
            let is_retired = number % retired == retired - 1;
            if is_retired { &mut gone } else { &mut kept }.push(text.clone());
            json!({ "text": text, "status": if is_retired { "retired" } else { "active" } })
        })
        .collect();
    round.import(&entries)?;
    Ok([kept, gone])
}

/// Kills the deletion of retired memories: each is there or gone, and the others stay.
pub fn kill_gc(round: &mut Round, kills: usize) -> Result<()> {
    let [kept, due] = fill(round, 2)?;
    let sqlite = Connection::open(round.database()?)?;
    sqlite.execute(
        "UPDATE memories SET status_since = status_since - ?1 WHERE status = 'retired'",
        [RETIRED_MS],
    )?;
    drop(sqlite);
    let template = Template::of(round.database()?, round.scratch.root.join("template.db"))?;
    let mut moments = Moments::new(round.seed, RUN_TIME);
    let gc = ["memory", "gc", "--yes"];
    while round.tally.killed() < kills {
        template.place()?;
        round.kill("memory gc", &gc, &mut moments)?;
        round.check(&Ledger::of(kept.clone()).with_possible(due.clone()))?;
        let _ = round.succeed(&gc);
        round.check(&Ledger::of(kept.clone()))?;
    }
    round.check_idle()
}

/// Kills the making of a backup: the file is complete or not there.
pub fn kill_backup(round: &mut Round, kills: usize) -> Result<()> {
    let [texts, _] = fill(round, MEMORIES + 1)?;
    let ledger = Ledger::of(texts);
    let folder = round.scratch.root.join("copies");
    fs::create_dir(&folder)?;
    let mut moments = Moments::new(round.seed, RUN_TIME);
    for number in 0.. {
        if round.tally.killed() >= kills {
            break;
        }
        let file = folder.join(format!("{number}.db"));
        round.kill("memory backup", &["memory", "backup", path_text(&file)?], &mut moments)?;
        if !file.exists() {
            let _ = round.succeed(&["memory", "backup", path_text(&file)?]);
        }
        check_copy(round, &ledger, &file)?;
        round.check(&ledger)?;
    }
    round.check_idle()
}

fn check_copy(round: &mut Round, ledger: &Ledger, file: &Path) -> Result<()> {
    let differences = ledger.compare(texts_of(file)?).sentences();
    differences.into_iter().for_each(|sentence| round.note(format!("in the backup: {sentence}")));
    Ok(fs::remove_file(file)?)
}

/// Kills the restoring of a backup: the memories are those of the backup or those from before, and what was
/// there before lies beside the database.
pub fn kill_restore(round: &mut Round, kills: usize) -> Result<()> {
    let [texts, _] = fill(round, MEMORIES + 1)?;
    let file = round.scratch.root.join("backup.db");
    let _ = round.succeed(&["memory", "backup", path_text(&file)?]);
    let later = Random::new(round.seed + 1).words(WORDS);
    let _ = round.succeed(&["remember", &later]);
    let template = Template::of(round.database()?, round.scratch.root.join("template.db"))?;
    let mut moments = Moments::new(round.seed, RUN_TIME);
    let restore = ["memory", "backup", "--restore", "--yes", path_text(&file)?];
    while round.tally.killed() < kills {
        template.place()?;
        round.kill("memory backup --restore", &restore, &mut moments)?;
        round.check(&Ledger::of(texts.clone()).with_possible([later.clone()]))?;
        let _ = round.succeed(&restore);
        round.check(&Ledger::of(texts.clone()))?;
        check_aside(round, template.left("interleaf.db.before-")?, &later);
    }
    round.check_idle()
}

/// Checks that one of the files that were set aside has the text.
fn check_aside(round: &mut Round, aside: Vec<PathBuf>, text: &String) {
    let has_text = |file: &PathBuf| texts_of(file).is_ok_and(|texts| texts.contains(text));
    if !aside.iter().any(has_text) {
        let size = |file: &PathBuf| fs::metadata(file).map_or(0, |metadata| metadata.len());
        let files: Vec<_> = aside.iter().map(|file| (file.display().to_string(), size(file))).collect();
        round.tally.lost += 1;
        round.note(format!("lost: what was there before a restore; set aside, in bytes: {files:?}"));
    }
}

/// Kills the repair of a damaged database that has a backup: all memories come back, and the damaged file is
/// set aside as it was.
pub fn kill_repair(round: &mut Round, kills: usize) -> Result<()> {
    let [texts, _] = fill(round, MEMORIES + 1)?;
    let backups = round.database()?.with_file_name("backups");
    fs::create_dir_all(&backups)?;
    let backup = backups.join("2026-01-31.db");
    let _ = round.succeed(&["memory", "backup", path_text(&backup)?]);
    let template = Template::of(round.database()?, round.scratch.root.join("template.db"))?;
    template.change(overwrite_pages)?;
    let mut moments = Moments::new(round.seed, RUN_TIME);
    let repair = ["memory", "repair", "--yes"];
    while round.tally.killed() < kills {
        template.place()?;
        round.kill("memory repair", &repair, &mut moments)?;
        let _ = round.succeed(&repair);
        round.check(&Ledger::of(texts.clone()))?;
        let aside = template.left("interleaf.db.damaged-")?;
        if !aside.iter().any(|file| fs::metadata(file).is_ok_and(|metadata| metadata.len() > 0)) {
            round.tally.lost += 1;
            round.note(format!("lost: the damaged file; set aside: {aside:?}"));
        }
    }
    round.check_idle()
}

/// Overwrites a few pages in the middle with garbage.
fn overwrite_pages(database: &Path) -> Result<()> {
    let pages = fs::metadata(database)?.len() / PAGE_BYTES;
    let mut file = OpenOptions::new().write(true).open(database).context("the copy can be written")?;
    for page in [pages / 4, pages / 3, pages / 2] {
        file.seek(SeekFrom::Start(page * PAGE_BYTES))?;
        file.write_all(&[0xA5; PAGE_BYTES as usize])?;
    }
    Ok(())
}
