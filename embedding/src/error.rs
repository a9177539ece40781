//! What can fail: a file cannot be read or written, a model file is damaged, a published model is unsuitable.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// A failure that a person can act on. Its text names the culprit, the cause and the next step.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read or write a file.
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system answered.
        cause: io::Error,
    },
    /// The bytes are not a model file of this version, or they are damaged.
    Model {
        /// The file, or what else holds the bytes.
        name: String,
        /// What is wrong with them.
        cause: String,
    },
    /// A published model cannot be converted.
    Published {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
}

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn file(path: &Path, cause: io::Error) -> Self {
        Self::File { path: path.to_owned(), cause }
    }

    pub(crate) fn model(name: &str, cause: impl fmt::Display) -> Self {
        Self::Model { name: name.to_owned(), cause: cause.to_string() }
    }

    pub(crate) fn published(path: &Path, cause: impl fmt::Display) -> Self {
        Self::Published { path: path.to_owned(), cause: cause.to_string() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, cause } => {
                write!(f, "{}: {cause}; check the path and its permissions", path.display())
            }
            Self::Model { name, cause } => write!(f, "{name}: {cause}; convert the published model again"),
            Self::Published { path, cause } => write!(
                f,
                "{}: {cause}; convert a folder with config.json, model.safetensors and vocab.txt or \
                 tokenizer.json of an uncased BERT model",
                path.display()
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { cause, .. } => Some(cause),
            Self::Model { .. } | Self::Published { .. } => None,
        }
    }
}
