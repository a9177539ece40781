//! Finds a program on the PATH, but never inside a project.
//!
//! A clone may contain a program of any name, and many people have `node_modules/.bin` or a relative folder
//! on their PATH. Other modules start `git` and `claude` from here, and pass on only the folders that were
//! searched: a program may start others, and a script with `#!/usr/bin/env node` looks up `node`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use crate::dirs::{real_path, reason_to_distrust};

/// The folders of a PATH that are absolute and outside some work trees.
#[derive(Debug, Clone)]
pub(crate) struct ProgramSearch {
    folders: Vec<PathBuf>,
    work_trees: Vec<PathBuf>,
}

impl ProgramSearch {
    /// Reads the variable `PATH`, without the folders that lie inside `work_trees`, which are real paths, or
    /// that are reached through them or through the folders of processes.
    pub fn outside(work_trees: Vec<PathBuf>) -> Self {
        Self::with_path(&std::env::var_os("PATH").unwrap_or_default(), work_trees)
    }

    fn with_path(path: &OsStr, work_trees: Vec<PathBuf>) -> Self {
        let is_trusted = |folder: &Path| reason_to_distrust(folder, &work_trees).is_none();
        let is_usable = |folder: &PathBuf| folder.is_absolute() && is_trusted(folder);
        let folders = std::env::split_paths(path).filter(is_usable).collect();
        Self { folders, work_trees }
    }

    /// Returns the path of the program `name`. An absolute name is returned as it is. A link into a work tree
    /// does not count.
    pub fn find(&self, name: &Path) -> Option<PathBuf> {
        if name.is_absolute() {
            return Some(name.to_owned());
        }
        let files = self.folders.iter().map(|folder| folder.join(name));
        files.into_iter().find(|file| is_program(file) && is_outside(&self.work_trees, file))
    }

    /// Returns the value of `PATH` for a program that was found here.
    pub fn path_variable(&self) -> OsString {
        // Joining fails only for a folder with a colon, which splitting cannot have returned.
        std::env::join_paths(&self.folders).unwrap_or_default()
    }
}

fn is_outside(work_trees: &[PathBuf], path: &Path) -> bool {
    let real = real_path(path);
    !work_trees.iter().any(|tree| real.starts_with(tree))
}

#[cfg(unix)]
pub(crate) fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
pub(crate) fn is_program(file: &Path) -> bool {
    file.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    fn program(scratch: &Scratch, name: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let file = scratch.file(name, "#!/bin/sh\n");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it is ours");
        file
    }

    fn search(path: &[&Path], work_tree: &Path) -> ProgramSearch {
        let path = std::env::join_paths(path).expect("no colon");
        ProgramSearch::with_path(&path, vec![work_tree.to_owned()])
    }

    #[test]
    fn a_program_inside_a_work_tree_is_not_found_by_any_spelling() {
        let scratch = Scratch::new();
        let (clone, outside) = (scratch.folder("clone"), scratch.folder("outside"));
        let inner = program(&scratch, "clone/bin/git");
        std::os::unix::fs::symlink(clone.join("bin"), scratch.path().join("linked")).expect("a link");
        std::os::unix::fs::symlink(&inner, outside.join("git")).expect("a link");

        for folder in
            [clone.join("bin"), outside.join("../clone/bin"), scratch.path().join("linked"), outside]
        {
            assert_eq!(search(&[&folder], &clone).find(Path::new("git")), None, "{folder:?}");
        }
        let found = search(&[&clone.join("bin")], &scratch.path().join("other")).find(Path::new("git"));
        assert_eq!(found, Some(inner), "it is a program for other projects");
    }

    #[test]
    fn a_folder_that_is_reached_through_the_work_tree_or_through_a_process_is_not_searched() {
        let scratch = Scratch::new();
        let beside = program(&scratch, "beside/git");
        let (clone, folder) = (scratch.folder("clone"), beside.parent().expect("a folder"));
        let through_process = PathBuf::from(format!("/proc/self/root{}", folder.display()));

        for folder in [clone.join("../beside"), through_process] {
            assert_eq!(search(&[&folder], &clone).find(Path::new("git")), None, "{folder:?}");
        }
        assert_eq!(search(&[folder], &clone).find(Path::new("git")), Some(beside));
    }

    #[test]
    fn relative_folders_are_neither_searched_nor_passed_on() {
        let scratch = Scratch::new();
        let real = program(&scratch, "usr/bin/git");
        let folder = real.parent().expect("a folder");
        let clone = scratch.folder("clone");

        let search = search(&[Path::new("bin"), Path::new(""), &clone.join("bin"), folder], &clone);

        assert_eq!(search.find(Path::new("git")), Some(real.clone()));
        assert_eq!(search.path_variable(), folder.as_os_str());
    }

    #[test]
    fn a_file_that_cannot_be_run_is_no_program() {
        let scratch = Scratch::new();
        scratch.file("bin/git", "text");
        scratch.folder("folder/git");
        let folders = [scratch.path().join("bin"), scratch.path().join("folder")];
        let search = search(&[&folders[0], &folders[1]], &scratch.folder("clone"));

        assert_eq!(search.find(Path::new("git")), None);
        assert_eq!(search.find(Path::new("/any/git")), Some("/any/git".into()), "a person named it");
    }
}
