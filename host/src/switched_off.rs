//! Sessions for which Interleaf was switched off with `INTERLEAF_DISABLE`. Nothing of them is saved, not even
//! after they were resumed with Interleaf on: the transcript holds both parts.
//!
//! A note is an empty file, named by the session, in this user's folder for data. A hook of a session that is
//! switched off makes it and does nothing else; it must neither open nor create a database.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::dirs::create_private_folder;

/// Maximum number of bytes of a session's id that name its note. Claude Code's ids have 36.
const MAX_ID_BYTES: usize = 100;

/// The notes of this user.
#[derive(Debug, Clone)]
pub struct SwitchedOffSessions {
    folder: PathBuf,
}

impl SwitchedOffSessions {
    /// Returns the notes in this user's folder for data.
    pub fn in_data_folder(data: &Path) -> Self {
        Self { folder: data.join("switched-off") }
    }

    /// Notes that Interleaf is switched off for a session. If that was noted before, it only looks.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn add(&self, session: &str) -> io::Result<()> {
        let note = self.note(session);
        if note.exists() {
            return Ok(());
        }
        create_private_folder(&self.folder)?;
        OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(note).map(drop)
    }

    /// Tells whether Interleaf was ever switched off for a session.
    pub fn include(&self, session: &str) -> bool {
        self.note(session).exists()
    }

    /// Returns the path of a session's note. The id comes from outside, so it is written in hexadecimal.
    pub fn note(&self, session: &str) -> PathBuf {
        let mut name = String::with_capacity(2 * MAX_ID_BYTES);
        for byte in session.bytes().take(MAX_ID_BYTES) {
            let _ = write!(name, "{byte:02x}");
        }
        // Even a session without an id has a name here.
        self.folder.join(format!("{name}.session"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    #[test]
    fn a_session_that_was_noted_once_stays_noted() {
        let scratch = Scratch::new();
        let sessions = SwitchedOffSessions::in_data_folder(scratch.path());
        assert!(!sessions.include("one"));

        sessions.add("one").expect("it can be written");
        sessions.add("one").expect("it is there");

        assert!(sessions.include("one") && !sessions.include("two"));
        assert!(SwitchedOffSessions::in_data_folder(scratch.path()).include("one"));
    }

    #[test]
    fn no_id_leads_out_of_the_folder() {
        let scratch = Scratch::new();
        let sessions = SwitchedOffSessions::in_data_folder(scratch.path());
        for id in ["../../x", "/etc/passwd", "", "a\0b", &"x".repeat(5_000)] {
            sessions.add(id).expect("it can be written");

            assert!(sessions.include(id), "{id:?}");
            assert_eq!(sessions.note(id).parent(), Some(sessions.folder.as_path()), "{id:?}");
        }
    }
}
