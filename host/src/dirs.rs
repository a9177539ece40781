//! This user's four folders, and safe ways to read and write single files.
//!
//! Environment variables are checked before they are used. A project can set variables for the session
//! (Claude Code's settings have an `env` section), so a relative path or a path inside the project is ignored
//! and reported. Other modules define the content of the folders; `atomic_write` creates files for them.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

mod atomic_write;
#[cfg(test)]
pub(crate) mod scratch;
#[cfg(test)]
mod tests;

pub(crate) use atomic_write::{
    PendingWrite, create_private_folder, lock_file, lock_for_update, write_atomically, write_json_atomically,
};

/// Maximum length of a path, in bytes (Linux's PATH_MAX). A longer path comes from untrusted input and is not
/// resolved, because resolving takes a system call for each of its parts.
pub(crate) const MAX_PATH_BYTES: usize = 4096;

/// A function that reads one environment variable. Tests pass their own, so they need not change the
/// process's environment.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// The folders of this user, which need not exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// Configuration that the person writes: `config.toml`.
    pub config: PathBuf,
    /// Data that must not be lost: one folder for each project.
    pub data: PathBuf,
    /// Files whose loss costs no memories: logs.
    pub state: PathBuf,
    /// Files that can be rebuilt: compiled layers.
    pub cache: PathBuf,
    /// Variables that were ignored, each with its value and the reason.
    pub ignored: Vec<String>,
}

impl Folders {
    /// Finds the folders: all four under `INTERLEAF_HOME` if that is set, otherwise each under its
    /// `XDG_*_HOME`, otherwise at its XDG default under `HOME`. None of them may lie inside `project`,
    /// the root of the project's work tree. Returns `None` if no usable variable is set.
    pub fn find(env: Env, project: Option<&Path>) -> Option<Self> {
        let mut search = FolderSearch { env, project, ignored: Vec::new() };
        let [config, data, state, cache] = match search.outside_project("INTERLEAF_HOME") {
            Some(home) => ["config", "data", "state", "cache"].map(|name| home.join(name)),
            None => search.by_xdg()?,
        };
        Some(Self { config, data, state, cache, ignored: search.ignored })
    }
}

struct FolderSearch<'a> {
    env: Env<'a>,
    project: Option<&'a Path>,
    ignored: Vec<String>,
}

impl FolderSearch<'_> {
    fn by_xdg(&mut self) -> Option<[PathBuf; 4]> {
        let home = self.home();
        let mut folder = |variable, default| {
            let base =
                self.outside_project(variable).or_else(|| home.as_ref().map(|home| home.join(default)))?;
            Some(base.join("interleaf"))
        };
        Some([
            folder("XDG_CONFIG_HOME", ".config")?,
            folder("XDG_DATA_HOME", ".local/share")?,
            folder("XDG_STATE_HOME", ".local/state")?,
            folder("XDG_CACHE_HOME", ".cache")?,
        ])
    }

    /// Returns `HOME`. It may be the project or lie inside it (dotfiles in git, a session started in `/`) if
    /// the system's account database names the same folder.
    fn home(&mut self) -> Option<PathBuf> {
        let home = self.absolute("HOME")?;
        let is_foreign = self.is_in_project(&home)
            && account_home().is_some_and(|account| real_path(&account) != real_path(&home));
        if is_foreign {
            self.ignore("HOME", &home, "inside the project, and not the home folder of this account");
        }
        (!is_foreign).then_some(home)
    }

    fn outside_project(&mut self, variable: &str) -> Option<PathBuf> {
        let path = self.absolute(variable)?;
        let is_inside = self.is_in_project(&path);
        if is_inside {
            self.ignore(variable, &path, "inside the project");
        }
        (!is_inside).then_some(path)
    }

    /// Returns the variable's path if it is absolute. An empty value counts as unset, as in the XDG
    /// specification.
    fn absolute(&mut self, variable: &str) -> Option<PathBuf> {
        let path = PathBuf::from((self.env)(variable).filter(|value| !value.is_empty())?);
        if path.is_relative() {
            self.ignore(variable, &path, "not an absolute path");
        }
        path.is_absolute().then_some(path)
    }

    fn is_in_project(&self, path: &Path) -> bool {
        self.project.is_some_and(|project| real_path(path).starts_with(real_path(project)))
    }

    fn ignore(&mut self, variable: &str, path: &Path, reason: &str) {
        self.ignored.push(format!("{variable}={} is ignored: {reason}", path.display()));
    }
}

/// Returns the home folder of this process's user in `/etc/passwd`, if that file lists the user.
pub(crate) fn account_home() -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let uid = fs::metadata("/proc/self").ok()?.uid().to_string();
        let accounts = String::from_utf8(read_file(Path::new("/etc/passwd"), 1 << 20).ok()??).ok()?;
        accounts.lines().map(|line| line.split(':').collect::<Vec<_>>()).find_map(|fields| {
            (fields.get(2) == Some(&uid.as_str())).then(|| fields.get(5).map(PathBuf::from))?
        })
    }
    #[cfg(not(unix))]
    None
}

/// Resolves symbolic links in the part of the path that exists and appends the rest as written.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    if path.as_os_str().len() > MAX_PATH_BYTES {
        return path.to_owned();
    }
    let parts: Vec<Component> = path.components().collect();
    for end in (1..=parts.len()).rev() {
        if let Ok(mut real) = parts[..end].iter().collect::<PathBuf>().canonicalize() {
            for part in &parts[end..] {
                match part {
                    Component::ParentDir => _ = real.pop(),
                    part => real.push(part),
                }
            }
            // The path after a `..` may lead through another link.
            let has_parent_part = parts[end..].contains(&Component::ParentDir);
            return if has_parent_part { real_path(&real) } else { real };
        }
    }
    path.to_owned()
}

/// Reads a regular file of at most `max_bytes`; `None` if it does not exist.
///
/// A file of a project may be a link to anything. A pipe would block forever, `/dev/zero` never ends, and
/// `/dev/stdin` is the hook's own input, so only regular files are opened.
///
/// # Errors
/// Any error of the file system; `InvalidData` if the file is not regular or too large.
pub(crate) fn read_file(path: &Path, max_bytes: u64) -> io::Result<Option<Vec<u8>>> {
    use io::ErrorKind::{InvalidData, NotADirectory, NotFound};
    let metadata = match fs::metadata(path) {
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => return Ok(None),
        metadata => metadata?,
    };
    if !metadata.is_file() {
        return Err(io::Error::new(InvalidData, "not a regular file"));
    }
    if metadata.len() > max_bytes {
        return Err(io::Error::new(InvalidData, format!("larger than {max_bytes} bytes")));
    }
    let mut content = Vec::with_capacity(metadata.len() as usize);
    File::open(path)?.take(max_bytes).read_to_end(&mut content)?;
    Ok(Some(content))
}
