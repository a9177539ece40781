//! The file of the log: appending whole lines, rotating a full file, and following both.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Result, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::dirs::create_private_folder;

/// Size in bytes at which the log is renamed to `log.1.jsonl` and a new file begins. Both together hold about
/// ten thousand hooks, so a week's failures are still there when somebody looks.
const ROTATION_BYTES: u64 = 4 << 20;

/// Appends a line in one write, so that the lines of concurrent processes do not mix. A line that was written
/// incompletely, on a full disk say, is ended first.
pub(super) fn append(path: &Path, line: &str) -> Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.exists()) {
        create_private_folder(folder)?;
    }
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() > ROTATION_BYTES) {
        rotate(path)?;
    }
    let mut file = OpenOptions::new().create(true).read(true).append(true).mode(0o600).open(path)?;
    match ends_with_line_feed(&file)? {
        true => file.write_all(line.as_bytes()),
        false => file.write_all(format!("\n{line}").as_bytes()),
    }
}

/// Tells whether the file is empty or its last line is complete.
fn ends_with_line_feed(file: &File) -> Result<bool> {
    let Some(last) = file.metadata()?.len().checked_sub(1) else { return Ok(true) };
    let mut byte = [0];
    // Another process may have rotated or truncated the file meanwhile; then there is nothing to end.
    Ok(file.read_at(&mut byte, last)? == 0 || byte == *b"\n")
}

/// Renames a full log. Of several processes that find it full only the one with the lock does, because a
/// second rename would replace the older file by the new one, which has hardly begun.
fn rotate(path: &Path) -> Result<()> {
    let full = File::open(path)?;
    if full.try_lock().is_err() {
        return Ok(());
    }
    match fs::metadata(path)?.ino() == full.metadata()?.ino() {
        true => fs::rename(path, older_file(path)),
        false => Ok(()),
    }
}

/// Returns the lines of the older file followed by those of the current one.
pub(super) fn lines(path: &Path) -> Vec<String> {
    [older_file(path), path.to_owned()].iter().flat_map(|path| lines_of(path)).collect()
}

fn lines_of(path: &Path) -> Vec<String> {
    let mut bytes = Vec::new();
    if let Ok(mut file) = File::open(path) {
        // What was read before an error is kept.
        let _ = file.read_to_end(&mut bytes);
    }
    text_lines(&bytes)
}

/// Returns the lines, with invalid UTF-8 replaced: a line that was cut inside a character hides no other.
fn text_lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
}

fn older_file(path: &Path) -> PathBuf {
    path.with_extension("1.jsonl")
}

/// Returns the lines of the older file, and a follower that begins with the current file.
pub(super) fn follow(path: &Path) -> (Vec<String>, LogFollower) {
    let older = lines_of(&older_file(path));
    (older, LogFollower { path: path.to_owned(), file: None, partial_line: Vec::new() })
}

/// Reads the lines that are appended to the log, also across a rotation.
pub struct LogFollower {
    path: PathBuf,
    /// The file that is being read, which may have been renamed since.
    file: Option<File>,
    /// A line whose end has not been written yet.
    partial_line: Vec<u8>,
}

impl LogFollower {
    /// Returns the lines that were appended since the last call.
    pub fn new_lines(&mut self) -> Vec<String> {
        let mut lines = self.read();
        if self.was_rotated() {
            // Lines may have been appended between the last read and the rotation.
            lines.extend(self.read());
            self.file = File::open(&self.path).ok();
            self.partial_line.clear();
            lines.extend(self.read());
        }
        lines
    }

    fn was_rotated(&self) -> bool {
        let current = fs::metadata(&self.path).ok().map(|metadata| metadata.ino());
        let open = self.file.as_ref().and_then(|file| file.metadata().ok()).map(|metadata| metadata.ino());
        current.is_some() && current != open
    }

    fn read(&mut self) -> Vec<String> {
        if let Some(file) = &mut self.file {
            // A failed read is repeated with the next call.
            let _ = file.read_to_end(&mut self.partial_line);
        }
        let Some(end) = self.partial_line.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
        let complete: Vec<u8> = self.partial_line.drain(..=end).collect();
        text_lines(&complete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    #[test]
    fn a_follower_returns_each_complete_line_once_also_across_a_rotation() -> Result<()> {
        let scratch = Scratch::new();
        let path = scratch.path().join("log.jsonl");
        append(&path, "before\n")?;
        let (_, mut follower) = follow(&path);
        assert_eq!(follower.new_lines(), ["before"]);

        append(&path, "one\ntw")?;
        let first = follower.new_lines();
        OpenOptions::new().append(true).open(&path)?.write_all(b"o\n")?;
        fs::rename(&path, older_file(&path))?;
        append(&path, "three\n")?;

        assert_eq!(first, ["one"]);
        assert_eq!(follower.new_lines(), ["two", "three"]);
        assert!(follower.new_lines().is_empty());
        assert_eq!(lines(&path), ["before", "one", "two", "three"]);
        Ok(())
    }

    #[test]
    fn a_line_that_was_cut_inside_a_character_hides_no_other_and_is_ended() -> Result<()> {
        let scratch = Scratch::new();
        let path = scratch.path().join("log.jsonl");
        append(&path, "before\n")?;
        OpenOptions::new().append(true).open(&path)?.write_all(b"\xff torn \xc3")?;

        append(&path, "after\n")?;
        append(&path, "last\n")?;

        let mut follower = follow(&path).1;
        let expected = ["before", "\u{fffd} torn \u{fffd}", "after", "last"];
        assert_eq!(lines(&path), expected);
        assert_eq!(follower.new_lines(), expected);
        Ok(())
    }

    #[test]
    fn a_log_that_does_not_exist_yet_can_be_followed() -> Result<()> {
        let scratch = Scratch::new();
        let path = scratch.path().join("state").join("log.jsonl");
        let (older, mut follower) = follow(&path);
        assert!(older.is_empty());
        assert!(follower.new_lines().is_empty());

        append(&path, "first\n")?;

        assert_eq!(follower.new_lines(), ["first"]);
        Ok(())
    }

    #[test]
    fn a_full_log_is_rotated() -> Result<()> {
        let scratch = Scratch::new();
        let path = scratch.path().join("log.jsonl");
        let line = format!("{}\n", "x".repeat(1 << 20));
        for _ in 0..12 {
            append(&path, &line)?;
        }

        assert!(fs::metadata(&path)?.len() <= ROTATION_BYTES + line.len() as u64);
        assert!(fs::metadata(older_file(&path))?.len() <= ROTATION_BYTES + line.len() as u64);
        Ok(())
    }
}
