//! The source of an API key: an environment variable or a file that only this user can read, named in the
//! person's own configuration. A key is read when it is needed, is sent only to its server, and appears in no
//! error, log or report. The default variable is used only with the default server: a person who configures
//! another server does not want to send it a key of the default one.

use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::config::ModelConfig;
use crate::dirs::open_file;
use crate::error::{Error, Result};

/// Maximum length of a key file in bytes. Keys have about a hundred characters.
const MAX_KEY_BYTES: u64 = 4096;

/// The source of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// No key is needed.
    NotNeeded,
    /// An environment variable with this name.
    Variable(String),
    /// A file with this path.
    File(PathBuf),
}

impl KeySource {
    /// Returns the configured source; without one, `default_variable` if the server is the default one.
    pub(super) fn find(config: &ModelConfig, default_variable: &str) -> Self {
        match (&config.key_file, &config.key_env) {
            (Some(file), _) => Self::File(file.clone()),
            (None, Some(name)) => Self::Variable(name.clone()),
            (None, None) if config.base_url.is_none() => Self::Variable(default_variable.to_owned()),
            (None, None) => Self::NotNeeded,
        }
    }

    /// Describes the source for messages.
    pub fn describe(&self) -> String {
        match self {
            Self::NotNeeded => "no key".to_owned(),
            Self::Variable(name) => format!("the environment variable {name}"),
            Self::File(file) => format!("the file {}", file.display()),
        }
    }

    /// Reads the key; `None` if no key is needed.
    ///
    /// # Errors
    /// `Unavailable` if the key is missing or others can read its file.
    pub fn read(&self) -> Result<Option<String>> {
        let key = match self {
            Self::NotNeeded => return Ok(None),
            Self::Variable(name) => std::env::var(name).unwrap_or_default(),
            Self::File(file) => read_file(file)?,
        };
        let key = key.trim();
        if key.is_empty() {
            let what = format!("there is no key in {}", self.describe());
            return Err(Error::unavailable(what)
                .hint("set it, or name another source with `llm.key_env` or `llm.key_file`"));
        }
        if !key.chars().all(|letter| letter.is_ascii_graphic()) {
            return Err(Error::invalid(format!("{} does not contain a valid API key", self.describe())));
        }
        Ok(Some(key.to_owned()))
    }
}

/// Reads a file if only this user can read it. The check is made on the open file, so that the file cannot be
/// exchanged in between.
fn read_file(path: &Path) -> Result<String> {
    let cannot = |error: &dyn std::fmt::Display| {
        Error::unavailable(format!("cannot read the API key from {}: {error}", path.display()))
    };
    let file = open_file(path).map_err(|error| cannot(&error))?;
    let metadata = file.metadata().map_err(|error| cannot(&error))?;
    if metadata.mode() & 0o077 != 0 || metadata.uid() != rustix::process::geteuid().as_raw() {
        let error = cannot(&"others can read it, or another user owns it");
        return Err(error.hint(format!("chmod 600 {}", path.display())));
    }
    let mut key = String::new();
    file.take(MAX_KEY_BYTES).read_to_string(&mut key).map_err(|error| cannot(&error))?;
    Ok(key)
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
            KeySource::File(file.clone()).read()
        };

        assert_eq!(read(0o600), Ok(Some("a-key-of-mine".to_owned())));
        for open in [0o640, 0o604, 0o644] {
            assert!(read(open).is_err_and(|error| error.message.contains("others can read it")));
        }
    }

    #[test]
    fn the_default_variable_is_used_only_with_the_default_server() {
        let default = ModelConfig::default();
        let own = ModelConfig { base_url: Some("http://localhost:11434/v1".to_owned()), ..default.clone() };
        let named = ModelConfig { key_env: Some("MY_KEY".to_owned()), ..own.clone() };

        assert_eq!(
            KeySource::find(&default, "OPENAI_API_KEY"),
            KeySource::Variable("OPENAI_API_KEY".to_owned())
        );
        assert_eq!(KeySource::find(&own, "OPENAI_API_KEY"), KeySource::NotNeeded);
        assert_eq!(KeySource::find(&named, "OPENAI_API_KEY"), KeySource::Variable("MY_KEY".to_owned()));
    }

    #[test]
    fn content_that_is_not_a_key_is_not_quoted() {
        let scratch = Scratch::new();
        let file = scratch.file("key", "first line\nsecond line\n");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("ours");

        let refused = KeySource::File(file).read().expect_err("two lines are not a key");

        assert!(!refused.message.contains("line"), "{}", refused.message);
    }
}
