//! The log's file: lines are appended whole, a full file becomes the older one, and a reader can follow it through that.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Result, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// A log grows to this many bytes; then it becomes `log.1.jsonl` and a new one begins. Both together hold what some ten
/// thousand hooks leave, so that a week's failures are still there when somebody looks.
const ROTATE_AT: u64 = 4 << 20;

/// Appends in one write, so that lines of processes that overlap stay whole.
pub(super) fn append(path: &Path, line: &str) -> Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.exists()) {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    if fs::metadata(path).is_ok_and(|meta| meta.len() > ROTATE_AT) {
        rotate(path)?;
    }
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)?.write_all(line.as_bytes())
}

/// Makes a full log the older one, by one process of those that find it full: a second would put the new log, hardly
/// begun, in the older one's place.
fn rotate(path: &Path) -> Result<()> {
    let full = File::open(path)?;
    if full.try_lock().is_err() {
        return Ok(());
    }
    match fs::metadata(path)?.ino() == full.metadata()?.ino() {
        true => fs::rename(path, older(path)),
        false => Ok(()),
    }
}

/// The lines of the older file and then of this one, as they are written.
pub(super) fn lines(path: &Path) -> Vec<String> {
    [older(path), path.to_owned()].iter().flat_map(|path| lines_of(path)).collect()
}

fn lines_of(path: &Path) -> Vec<String> {
    let lines = File::open(path).map(|file| BufReader::new(file).lines());
    lines.into_iter().flatten().map_while(Result::ok).collect()
}

fn older(path: &Path) -> PathBuf {
    path.with_extension("1.jsonl")
}

/// The lines of the older file, and a reader that goes on from there.
pub(super) fn follow(path: &Path) -> (Vec<String>, LogFollower) {
    let before = lines_of(&older(path));
    (before, LogFollower { path: path.to_owned(), file: None, begun: Vec::new() })
}

/// A reader of the log that can be asked again and again for what was appended.
pub struct LogFollower {
    path: PathBuf,
    /// The file that is being read, which may be the older one by now.
    file: Option<File>,
    /// A line whose end has not been written yet.
    begun: Vec<u8>,
}

impl LogFollower {
    /// What was appended since the last call, also across a change of files.
    pub fn more(&mut self) -> Vec<String> {
        let mut lines = self.read();
        if self.has_moved() {
            // What was written between the last look and the change of files.
            lines.extend(self.read());
            self.file = File::open(&self.path).ok();
            self.begun.clear();
            lines.extend(self.read());
        }
        lines
    }

    /// Whether the log is another file now than the one that is open.
    fn has_moved(&self) -> bool {
        let here = fs::metadata(&self.path).ok().map(|meta| meta.ino());
        let open = self.file.as_ref().and_then(|file| file.metadata().ok()).map(|meta| meta.ino());
        here.is_some() && here != open
    }

    fn read(&mut self) -> Vec<String> {
        if let Some(file) = &mut self.file {
            // What cannot be read now may be readable at the next look.
            let _ = file.read_to_end(&mut self.begun);
        }
        let Some(end) = self.begun.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
        let whole: Vec<u8> = self.begun.drain(..=end).collect();
        String::from_utf8_lossy(&whole).lines().map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    #[test]
    fn a_follower_reads_whole_lines_once_and_goes_on_in_the_next_file() -> Result<()> {
        let scratch = Scratch::new();
        let path = scratch.path().join("log.jsonl");
        append(&path, "before\n")?;
        let (_, mut tail) = follow(&path);
        assert_eq!(tail.more(), ["before"]);

        append(&path, "one\ntw")?;
        let first = tail.more();
        append(&path, "o\n")?;
        fs::rename(&path, older(&path))?;
        append(&path, "three\n")?;

        assert_eq!(first, ["one"]);
        assert_eq!(tail.more(), ["two", "three"]);
        assert!(tail.more().is_empty());
        assert_eq!(lines(&path), ["before", "one", "two", "three"]);
        Ok(())
    }

    #[test]
    fn a_log_that_does_not_exist_yet_can_be_waited_for() -> Result<()> {
        let scratch = Scratch::new();
        let path = scratch.path().join("state").join("log.jsonl");
        let (before, mut tail) = follow(&path);
        assert!(before.is_empty());
        assert!(tail.more().is_empty());

        append(&path, "first\n")?;

        assert_eq!(tail.more(), ["first"]);
        Ok(())
    }

    #[test]
    fn a_full_log_becomes_the_older_one() -> Result<()> {
        let scratch = Scratch::new();
        let path = scratch.path().join("log.jsonl");
        let line = format!("{}\n", "x".repeat(1 << 20));
        for _ in 0..12 {
            append(&path, &line)?;
        }

        assert!(fs::metadata(&path)?.len() <= ROTATE_AT + line.len() as u64);
        assert!(fs::metadata(older(&path))?.len() <= ROTATE_AT + line.len() as u64);
        Ok(())
    }
}
