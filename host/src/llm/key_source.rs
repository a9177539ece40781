//! Where a key comes from: an environment variable or a file that only this user can read, named in the
//! person's own configuration. A key is read when it is needed, goes to the server that it is for, and is in
//! no error, no log and no report. The usual variable is looked into only for the usual server: whoever sets
//! up a server of their own does not want to send it somebody else's key.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::config::ModelConfig;
use crate::error::{Error, Result};

/// Maximum length of a key file in bytes. Keys have about a hundred characters.
const MAX_KEY_BYTES: u64 = 4096;

/// Where the key is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// None is needed.
    Nowhere,
    /// In this environment variable.
    Variable(String),
    /// In this file.
    File(PathBuf),
}

impl KeySource {
    /// What the configuration says, else `usual`, the variable for the server that is asked where nobody
    /// names another.
    pub(super) fn find(config: &ModelConfig, usual: &str) -> Self {
        match (&config.key_file, &config.key_env) {
            (Some(file), _) => Self::File(file.clone()),
            (None, Some(name)) => Self::Variable(name.clone()),
            (None, None) if config.base_url.is_none() => Self::Variable(usual.to_owned()),
            (None, None) => Self::Nowhere,
        }
    }

    /// The place, in words.
    pub fn describe(&self) -> String {
        match self {
            Self::Nowhere => "no key".to_owned(),
            Self::Variable(name) => format!("the environment variable {name}"),
            Self::File(file) => format!("the file {}", file.display()),
        }
    }

    /// The key, where there is to be one.
    ///
    /// # Errors
    /// `Unavailable` where it is missing, or lies where others can read it.
    pub fn read(&self) -> Result<Option<String>> {
        let key = match self {
            Self::Nowhere => return Ok(None),
            Self::Variable(name) => std::env::var(name).unwrap_or_default(),
            Self::File(file) => read_file(file)?,
        };
        let key = key.trim();
        if key.is_empty() {
            let what = format!("there is no key in {}", self.describe());
            return Err(
                Error::unavailable(what).hint("set it, or name another with `llm.key_env` or `llm.key_file`")
            );
        }
        if !key.chars().all(|letter| letter.is_ascii_graphic()) {
            return Err(Error::invalid(format!("{} does not contain a valid API key", self.describe())));
        }
        Ok(Some(key.to_owned()))
    }
}

/// What the file says, if nobody else can read it. Asked of the open file, so that it cannot be exchanged in
/// between.
fn read_file(path: &Path) -> Result<String> {
    let cannot = |error: &dyn std::fmt::Display| {
        Error::unavailable(format!("cannot read the API key from {}: {error}", path.display()))
    };
    if std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return Err(cannot(&"not a regular file"));
    }
    let file = File::open(path).map_err(|error| cannot(&error))?;
    let about = file.metadata().map_err(|error| cannot(&error))?;
    if about.mode() & 0o077 != 0 || about.uid() != rustix::process::geteuid().as_raw() {
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
    fn the_usual_variable_is_for_the_usual_server_alone() {
        let usual = ModelConfig::default();
        let own = ModelConfig { base_url: Some("http://localhost:11434/v1".to_owned()), ..usual.clone() };
        let named = ModelConfig { key_env: Some("MY_KEY".to_owned()), ..own.clone() };

        assert_eq!(
            KeySource::find(&usual, "OPENAI_API_KEY"),
            KeySource::Variable("OPENAI_API_KEY".to_owned())
        );
        assert_eq!(KeySource::find(&own, "OPENAI_API_KEY"), KeySource::Nowhere);
        assert_eq!(KeySource::find(&named, "OPENAI_API_KEY"), KeySource::Variable("MY_KEY".to_owned()));
    }

    #[test]
    fn what_is_no_key_is_not_quoted() {
        let scratch = Scratch::new();
        let file = scratch.file("key", "first line\nsecond line\n");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("ours");

        let refused = KeySource::File(file).read().expect_err("two lines are no key");

        assert!(!refused.message.contains("line"), "{}", refused.message);
    }
}
