//! The files that a memory is about, as a person or the agent names them.

use std::path::Path;

use super::output::{print_message, quoted_path};
use crate::error::{Error, Result};
use crate::project::Project;

/// Files of the project.
#[derive(Debug, Default)]
pub(super) struct RelatedFiles {
    /// Their paths, relative to the project's root.
    pub paths: Vec<String>,
    /// A notice for each that does not exist: it may be about to be written, or be gone for good.
    pub notices: Vec<String>,
}

impl RelatedFiles {
    /// Reads paths that are relative to the current folder or to the root.
    ///
    /// # Errors
    /// `Invalid` for a path that leads out of the project: no hook would find the memory by it.
    pub fn read(files: &[String], project: &Project) -> Result<Self> {
        let mut read = Self::default();
        for file in files {
            let at_root = project.root.join(file);
            let is_here = project.start().join(file).exists();
            let path = if !is_here && at_root.exists() { &at_root } else { Path::new(file) };
            let relative = project.relative(path).ok_or_else(|| outside(file, project))?;
            if !is_here && !at_root.exists() {
                read.notices.push(format!("the project has no file {} now", quoted_path(&relative)));
            }
            read.paths.push(relative);
        }
        Ok(read)
    }

    /// Says which files do not exist.
    pub fn print_notices(&self) {
        self.notices.iter().for_each(|notice| print_message(&format!("note: {notice}")));
    }
}

fn outside(file: &str, project: &Project) -> Error {
    let (file, root) = (quoted_path(file), project.root.display());
    Error::invalid(format!("the file {file} lies outside the project, whose root is {root}"))
        .hint("name a file of the project, or name the other one in the text")
}
