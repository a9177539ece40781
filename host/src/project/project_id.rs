//! The identity of a project: an id that is derived from the path of its repository, and that can be joined
//! to another project's id.
//!
//! A clone or a moved folder has another path and so another id. [`Project::join`] joins it to the project
//! that has its memories: one small file per joined id in the data folder names the id to use instead. No
//! command offers this yet.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::Project;
use crate::dirs::{read_file, write_atomically};
use crate::error::{Error, Result};

/// Number of hexadecimal digits of an id: 64 bits are enough to distinguish one user's projects.
const ID_DIGITS: usize = 16;
/// Maximum number of joins that are followed from id to id. Only an edited file can make a cycle; this limit
/// ends it.
const MAX_JOINS: usize = 8;
/// Maximum size of a file that names the id of another project, in bytes.
const MAX_JOIN_FILE_BYTES: u64 = 256;

impl Project {
    /// Returns this project with the id that [`Project::join`] stored, if it was joined to another project.
    #[must_use]
    pub fn with_joined_id(mut self, data: &Path) -> Self {
        self.id = resolve(data, self.path_id.clone());
        self
    }

    /// Joins this project to another one. From now on it uses that id and shares that project's memories.
    ///
    /// # Errors
    /// `Invalid` if `other` is not an id or leads back to this project; `Unavailable` if the join cannot be
    /// stored.
    pub fn join(&mut self, data: &Path, other: &str) -> Result<()> {
        if !is_project_id(other) {
            return Err(Error::invalid(format!("`{other}` is not a project id"))
                .hint("an id has 16 hexadecimal digits; `interleaf doctor` shows it"));
        }
        let target = resolve(data, other.to_owned());
        if target == self.path_id {
            return Err(Error::invalid(format!("{other} is the id of this project already")));
        }
        write_join(&join_file(data, &self.path_id), &target)?;
        self.id = target;
        Ok(())
    }
}

/// Returns the id of the project with this common git folder, or without git, with this folder.
pub(super) fn id_of_path(path: &Path) -> String {
    let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
    digest.iter().take(ID_DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn is_project_id(text: &str) -> bool {
    text.len() == ID_DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn join_file(data: &Path, id: &str) -> PathBuf {
    data.join("projects/joined").join(id)
}

/// Follows the joins from this id to the id in use.
fn resolve(data: &Path, id: String) -> String {
    let joined_to = |id: &String| {
        let content = read_file(&join_file(data, id), MAX_JOIN_FILE_BYTES).ok()??;
        String::from_utf8(content).ok().map(|id| id.trim().to_owned()).filter(|id| is_project_id(id))
    };
    std::iter::successors(Some(id), joined_to).take(MAX_JOINS).last().unwrap_or_default()
}

fn write_join(file: &Path, id: &str) -> Result<()> {
    write_atomically(file, format!("{id}\n").as_bytes())
        .map_err(|error| Error::unavailable(format!("cannot write {}: {error}", file.display())))
}
