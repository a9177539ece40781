//! Whether a database is sound, by SQLite's own words and by its contents, and what is left of processes.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use rusqlite::Connection;

/// Maximum wait for background processes. A worker waits up to 15 seconds for the retry of a failed job.
const EXIT_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Returns what is wrong with a database: its pages, its search index, or the counts that belong to it.
pub fn problems(database: &Path) -> Result<Vec<String>> {
    let sqlite = Connection::open(database)?;
    let mut problems = Vec::new();
    let integrity: String = sqlite.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    if integrity != "ok" {
        problems.push(format!("integrity_check: {integrity}"));
    }
    if let Err(error) = sqlite.execute("INSERT INTO words (words) VALUES ('integrity-check')", []) {
        problems.push(format!("search index: {error}"));
    }
    problems.extend(miscounts(&sqlite)?);
    Ok(problems)
}

/// Compares the search index with the memories that it is made of.
fn miscounts(sqlite: &Connection) -> Result<Vec<String>> {
    let count = |query| sqlite.query_row(query, [], |row| row.get::<_, i64>(0));
    let memories = count("SELECT count(*) FROM memories")?;
    let indexed = count("SELECT count(*) FROM words_docsize")?;
    let mut problems = Vec::new();
    if memories != indexed {
        problems.push(format!("{memories} memories, and {indexed} in the search index"));
    }
    let orphans = "SELECT count(*) FROM tags WHERE memory NOT IN (SELECT number FROM memories)";
    if count(orphans)? > 0 {
        problems.push("tags of memories that do not exist".to_owned());
    }
    if frequencies(sqlite)? != recounted(sqlite)? {
        problems.push("the counts of terms are not those of the memories".to_owned());
    }
    Ok(problems)
}

fn frequencies(sqlite: &Connection) -> Result<BTreeMap<String, i64>> {
    let mut statement = sqlite.prepare("SELECT term, memories FROM frequencies WHERE memories > 0")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn recounted(sqlite: &Connection) -> Result<BTreeMap<String, i64>> {
    let mut statement = sqlite.prepare("SELECT terms FROM memories")?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut counts = BTreeMap::new();
    for terms in rows {
        let terms = terms?;
        // The empty term counts all memories.
        let mut terms: Vec<&str> = terms.split(' ').chain([""]).collect();
        terms.sort_unstable();
        terms.dedup();
        terms.into_iter().for_each(|term| *counts.entry(term.to_owned()).or_default() += 1);
    }
    Ok(counts)
}

/// Waits until no process has this folder in its environment, and returns those that do not end.
pub fn wait_for_processes(folder: &Path) -> Vec<String> {
    let began = Instant::now();
    loop {
        let left = processes(folder);
        if left.is_empty() || began.elapsed() > EXIT_TIMEOUT {
            return left.into_iter().map(|(id, line)| format!("{id} {line}")).collect();
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Returns the processes that have this folder in their environment, with their command lines.
pub fn processes(folder: &Path) -> Vec<(u32, String)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id| belongs_to(*id, folder)).map(|id| (id, command_line(id))).collect()
}

/// Tells whether a process has this folder in its environment.
pub fn belongs_to(process: u32, folder: &Path) -> bool {
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    let variable = format!("INTERLEAF_HOME={}/", folder.display());
    environment.split(|byte| *byte == 0).any(|text| text.starts_with(variable.as_bytes()))
}

fn command_line(process: u32) -> String {
    let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ").trim().to_owned()
}

/// Returns the files of this folder on which a process holds a lock.
pub fn locks(folder: &Path) -> Result<Vec<PathBuf>> {
    let locks = fs::read_to_string("/proc/locks")?;
    let files = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let is_locked = |path: &PathBuf| fs::metadata(path).is_ok_and(|file| locks_inode(&locks, file.ino()));
    Ok(files.filter(is_locked).collect())
}

/// Tells whether the kernel's list of locks names an inode: `1: FLOCK ADVISORY WRITE 7 fe:00:1234 0 EOF`.
fn locks_inode(locks: &str, inode: u64) -> bool {
    let suffix = format!(":{inode}");
    locks.lines().any(|line| {
        line.split_whitespace().any(|word| word.matches(':').count() == 2 && word.ends_with(&suffix))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_found_by_the_inode_of_its_file() {
        let locks =
            "1: FLOCK  ADVISORY  WRITE 34 fe:00:1234 0 EOF\n2: POSIX  ADVISORY  READ 1 00:19:77 128 128\n";

        assert!(locks_inode(locks, 1234) && locks_inode(locks, 77));
        assert!(!locks_inode(locks, 34) && !locks_inode(locks, 234) && !locks_inode(locks, 128));
    }

    #[test]
    fn a_process_is_found_by_the_folder_in_its_environment() {
        let folder = Path::new("/interleaf-of-this-test");
        let mut sleep = std::process::Command::new("sleep");
        let mut child = sleep.arg("60").env("INTERLEAF_HOME", folder.join("interleaf")).spawn().unwrap();

        // The kernel lets the parent go on before the new program has its environment.
        let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
        let mut found = processes(folder);
        while found.is_empty() && std::time::Instant::now() < until {
            std::thread::yield_now();
            found = processes(folder);
        }
        child.kill().unwrap();
        child.wait().unwrap();

        assert!(found.iter().any(|(id, _)| *id == child.id()), "{found:?}");
        assert_eq!(processes(folder), []);
    }
}
