//! The source of a secret, such as an API key or the password of a server: an environment variable or a file
//! that only this user can read, named in the person's own configuration. A secret is read when it is needed,
//! is sent only to its server, and appears in no error, log or report.

use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::dirs::open_file;
use crate::error::{Error, Result};

/// Maximum length of a file with a secret in bytes. Keys have about a hundred characters.
const MAX_SECRET_BYTES: u64 = 4096;

/// The source of a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretSource {
    /// None is needed.
    NotNeeded,
    /// An environment variable with this name.
    Variable(String),
    /// A file with this path.
    File(PathBuf),
}

impl SecretSource {
    /// Describes the source for messages.
    pub fn describe(&self) -> String {
        match self {
            Self::NotNeeded => "no key".to_owned(),
            Self::Variable(name) => format!("the environment variable {name}"),
            Self::File(file) => format!("the file {}", file.display()),
        }
    }

    /// Reads the secret, which messages call `what`, such as "API key". Returns `None` if none is needed.
    ///
    /// # Errors
    /// `Unavailable` if it is missing or others can read its file.
    pub fn read(&self, what: &str) -> Result<Option<String>> {
        let secret = match self {
            Self::NotNeeded => return Ok(None),
            Self::Variable(name) => std::env::var(name).unwrap_or_default(),
            Self::File(file) => read_file(file, what)?,
        };
        match secret.trim() {
            "" => Err(Error::unavailable(format!("there is no {what} in {}", self.describe()))),
            secret => Ok(Some(secret.to_owned())),
        }
    }
}

/// Reads a file if only this user can read it. The check is made on the open file, so that the file cannot be
/// exchanged in between.
fn read_file(path: &Path, what: &str) -> Result<String> {
    let cannot = |error: &dyn std::fmt::Display| {
        Error::unavailable(format!("cannot read the {what} from {}: {error}", path.display()))
    };
    let file = open_file(path).map_err(|error| cannot(&error))?;
    let metadata = file.metadata().map_err(|error| cannot(&error))?;
    if metadata.mode() & 0o077 != 0 || metadata.uid() != rustix::process::geteuid().as_raw() {
        let error = cannot(&"others can read it, or another user owns it");
        return Err(error.hint(format!("chmod 600 {}", path.display())));
    }
    let mut secret = String::new();
    file.take(MAX_SECRET_BYTES).read_to_string(&mut secret).map_err(|error| cannot(&error))?;
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_key_comes_from_a_file_that_only_this_user_can_read() {
        let scratch = Scratch::new();
        let file = scratch.file("key", "a-key-of-mine\n");
        let read = |mode| {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("ours");
            SecretSource::File(file.clone()).read("API key")
        };

        assert_eq!(read(0o600), Ok(Some("a-key-of-mine".to_owned())));
        for open in [0o640, 0o604, 0o644] {
            assert!(read(open).is_err_and(|error| error.message.contains("others can read it")));
        }
    }
}
