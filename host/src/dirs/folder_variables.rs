//! The environment variables that name this user's folders, and why one of them is ignored.
//!
//! A project's settings can set variables. If one led into the project, the project would bring the user's
//! configuration, approvals and memories along. So a variable counts only if it is an absolute path that
//! neither leads into the project nor comes through it or through the system's view of processes: a path such
//! as `/proc/self/cwd/../x` lies beside the project wherever that is.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::{Env, MAX_PATH_BYTES, account_home, real_path};
use crate::error::Error;

/// Maximum number of symbolic links in a path, as in Linux.
const MAX_LINKS: usize = 40;

/// The folder that shows processes, and what their files and folders are.
const PROCESSES: &str = "/proc";

/// A variable that names a folder and is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoredVariable {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub path: PathBuf,
    /// Why it is not used.
    pub reason: String,
}

impl fmt::Display for IgnoredVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={} is ignored: {}", self.name, self.path.display(), self.reason)
    }
}

/// Returns the error of a command whose environment names folders that cannot be used. The command would
/// otherwise read and write memories in other folders than the person named.
pub(super) fn refused(ignored: &[IgnoredVariable], project: &[PathBuf]) -> Error {
    let mut names: Vec<&str> = ignored.iter().map(|variable| variable.name).collect();
    names.dedup();
    let names = names.join(" and ");
    Error::unavailable(format!("the folders that you named are not used: {}", listed(ignored)))
        .hint(format!("set {names} to an absolute path{}, or unset it", outside(project)))
}

fn listed(ignored: &[IgnoredVariable]) -> String {
    ignored.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Returns where a folder may be: outside the project and every repository around it.
fn outside(project: &[PathBuf]) -> String {
    let is_outermost =
        |root: &&PathBuf| project.iter().all(|other| other == *root || !root.starts_with(other));
    let mut roots: Vec<String> =
        project.iter().filter(is_outermost).map(|root| root.display().to_string()).collect();
    roots.sort_unstable();
    roots.dedup();
    if roots.is_empty() { String::new() } else { format!(" outside {}", roots.join(" and ")) }
}

/// Looks for this user's folders in the environment.
pub(super) struct FolderSearch<'a> {
    pub(super) env: Env<'a>,
    /// The folders that may have come with the project, as real paths.
    pub(super) project: &'a [PathBuf],
    /// Variables that were ignored.
    pub(super) ignored: Vec<IgnoredVariable>,
}

impl FolderSearch<'_> {
    /// Returns the folders of configuration, data, state and cache below `XDG_*_HOME` or `HOME`.
    pub(super) fn by_xdg(&mut self) -> Option<[PathBuf; 4]> {
        let home = self.home();
        let mut folder = |variable, default| {
            let base = self.trusted(variable).or_else(|| home.as_ref().map(|home| home.join(default)))?;
            Some(base.join("interleaf"))
        };
        Some([
            folder("XDG_CONFIG_HOME", ".config")?,
            folder("XDG_DATA_HOME", ".local/share")?,
            folder("XDG_STATE_HOME", ".local/state")?,
            folder("XDG_CACHE_HOME", ".cache")?,
        ])
    }

    /// Returns the error for the case that no variable names the folders: each variable that was ignored with
    /// the reason, and what to set instead.
    pub(super) fn not_found(&self) -> Error {
        if self.ignored.is_empty() {
            return Error::unavailable("no variable names your home folder")
                .hint("set HOME, or INTERLEAF_HOME, to an absolute path");
        }
        Error::unavailable(format!("no folder for your memories can be used: {}", listed(&self.ignored)))
            .hint(format!("set INTERLEAF_HOME to an absolute path{}", outside(self.project)))
    }

    /// Returns `HOME`, and where it is ignored, the home folder of the account. `HOME` may be the project or
    /// lie inside it (dotfiles in git, a session started in `/`) if it is the home folder of the account.
    fn home(&mut self) -> Option<PathBuf> {
        let home = self.absolute("HOME")?;
        let Some(reason) = self.distrust(&home) else { return Some(home) };
        let account = account_home();
        if account.as_ref().is_some_and(|account| real_path(account) == real_path(&home)) {
            return Some(home);
        }
        self.ignore("HOME", &home, &format!("{reason}, and not the home folder of this account"));
        account
    }

    /// Returns the variable's path unless it is ignored.
    pub(super) fn trusted(&mut self, variable: &'static str) -> Option<PathBuf> {
        let path = self.absolute(variable)?;
        let distrust = self.distrust(&path);
        if let Some(reason) = distrust {
            self.ignore(variable, &path, reason);
        }
        distrust.is_none().then_some(path)
    }

    /// Returns the variable's path if it is absolute. An empty value counts as unset, as in the XDG
    /// specification.
    fn absolute(&mut self, variable: &'static str) -> Option<PathBuf> {
        let path = PathBuf::from((self.env)(variable).filter(|value| !value.is_empty())?);
        if path.is_relative() {
            self.ignore(variable, &path, "not an absolute path");
        }
        path.is_absolute().then_some(path)
    }

    fn distrust(&self, path: &Path) -> Option<&'static str> {
        reason_to_distrust(path, self.project)
    }

    fn ignore(&mut self, name: &'static str, path: &Path, reason: &str) {
        self.ignored.push(IgnoredVariable { name, path: path.to_owned(), reason: reason.to_owned() });
    }
}

/// Returns why a path in a variable must not be used, if so. `project` has the folders that may have come
/// with the project, as real paths.
pub(crate) fn reason_to_distrust(path: &Path, project: &[PathBuf]) -> Option<&'static str> {
    let Some(route) = Route::of(path) else { return Some("not a path that can be followed") };
    if project.iter().any(|root| route.end.starts_with(root)) {
        return Some("inside the project");
    }
    let leads_through_processes = || {
        route.passes(Path::new(PROCESSES))
            || route.link_folders.iter().any(|folder| is_process_folder(folder))
    };
    if leads_through_processes() {
        return Some("leads through the folders of processes");
    }
    project.iter().any(|root| route.passes(root)).then_some("leads through the project")
}

/// The way to the folder that a path names.
#[derive(Default)]
struct Route {
    /// The folder itself, as a real path.
    end: PathBuf,
    /// The folders on the way, as real paths.
    folders: Vec<PathBuf>,
    /// Those in which the way follows a symbolic link.
    link_folders: Vec<PathBuf>,
}

impl Route {
    /// Follows an absolute path, part by part, as the system does. What does not exist is no link. Returns
    /// `None` if the path is too long or has too many links.
    fn of(path: &Path) -> Option<Self> {
        let mut route = Self::default();
        let mut parts: VecDeque<OsString> = parts(path)?;
        while let Some(part) = parts.pop_front() {
            if part == ".." {
                route.end.pop();
            } else if let Ok(target) = fs::read_link(route.end.join(&part)) {
                route.link_folders.push(route.end.clone());
                if route.link_folders.len() > MAX_LINKS {
                    return None;
                }
                let mut rest = self::parts(&target)?;
                rest.append(&mut parts);
                parts = rest;
            } else {
                route.end.push(&part);
            }
            route.folders.push(route.end.clone());
        }
        Some(route)
    }

    /// Tells whether the way leads through a folder or what is in it. It gets in only by the folder itself.
    fn passes(&self, folder: &Path) -> bool {
        self.folders.iter().any(|passed| passed == folder)
    }
}

/// Returns the parts of a path. The root, which joins as an absolute path, is a part.
fn parts(path: &Path) -> Option<VecDeque<OsString>> {
    let is_short = path.as_os_str().len() <= MAX_PATH_BYTES;
    let parts = path.components().filter(|part| *part != Component::CurDir);
    is_short.then(|| parts.map(|part| part.as_os_str().to_owned()).collect())
}

/// Tells whether a folder belongs to a file system of processes that is mounted somewhere else.
fn is_process_folder(folder: &Path) -> bool {
    const PROC_SUPER_MAGIC: i64 = 0x9fa0;
    rustix::fs::statfs(folder).is_ok_and(|system| system.f_type == PROC_SUPER_MAGIC)
}
