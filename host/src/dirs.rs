//! Where things live: this user's four folders, and how a small file is read without being led astray.
//!
//! The environment is not simply believed. A project can set variables for the session (Claude Code's settings
//! have an `env` section), so a folder that a project could have chosen, one that is relative or lies inside the
//! project, is ignored and named. Nothing here knows what the folders lock_file, and nothing is made in them but by
//! `whole`, for who keeps a file there.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

#[cfg(test)]
pub(crate) mod scratch;
#[cfg(test)]
mod tests;
mod whole;

pub(crate) use whole::{
    create_private_folder, lock_file, lock_for_update, write_atomically, write_json_atomically,
};

/// The longest path that can exist, in bytes (PATH_MAX of Linux). A longer one, which may come from anywhere, is not
/// looked for: each of its parts would be.
pub(crate) const MAX_PATH_BYTES: usize = 4096;

/// Reads one environment variable; injected, so that tests need not change the process.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// The folders of this user. They need not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// What the person writes: `config.toml`.
    pub config: PathBuf,
    /// What must not be lost: one folder for each project.
    pub data: PathBuf,
    /// What may be lost without harm to what was learned: logs.
    pub state: PathBuf,
    /// What can be made again: compiled layers.
    pub cache: PathBuf,
    /// Variables that were not heeded, each with its value and the reason.
    pub ignored: Vec<String>,
}

impl Folders {
    /// Finds the folders: `INTERLEAF_HOME` puts all four under one, else each `XDG_*_HOME`, else the usual place
    /// under `HOME`. `project` is the root of the project's work tree; none of them may lie inside it. `None`
    /// where nothing tells where this user's files go.
    pub fn find(env: Env, project: Option<&Path>) -> Option<Self> {
        let mut search = Search { env, project, ignored: Vec::new() };
        let [config, data, state, cache] = match search.heeded("INTERLEAF_HOME") {
            Some(home) => ["config", "data", "state", "cache"].map(|name| home.join(name)),
            None => search.usual()?,
        };
        Some(Self { config, data, state, cache, ignored: search.ignored })
    }
}

struct Search<'a> {
    env: Env<'a>,
    project: Option<&'a Path>,
    ignored: Vec<String>,
}

impl Search<'_> {
    fn usual(&mut self) -> Option<[PathBuf; 4]> {
        let home = self.home();
        let mut place = |variable, below| {
            let base = self.heeded(variable).or_else(|| home.as_ref().map(|home| home.join(below)))?;
            Some(base.join("interleaf"))
        };
        Some([
            place("XDG_CONFIG_HOME", ".config")?,
            place("XDG_DATA_HOME", ".local/share")?,
            place("XDG_STATE_HOME", ".local/state")?,
            place("XDG_CACHE_HOME", ".cache")?,
        ])
    }

    /// `HOME` may lie inside the project, or be it (dotfiles kept in git, a session started in `/`), but then the
    /// account must agree that this is the person's home.
    fn home(&mut self) -> Option<PathBuf> {
        let home = self.absolute("HOME")?;
        let foreign = self.is_in_project(&home)
            && account_home().is_some_and(|account| real_path(&account) != real_path(&home));
        if foreign {
            self.ignore("HOME", &home, "inside the project, and not the home folder of this account");
        }
        (!foreign).then_some(home)
    }

    fn heeded(&mut self, variable: &str) -> Option<PathBuf> {
        let path = self.absolute(variable)?;
        let inside = self.is_in_project(&path);
        if inside {
            self.ignore(variable, &path, "inside the project");
        }
        (!inside).then_some(path)
    }

    /// An empty value counts as unset, as the XDG specification has it.
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

    fn ignore(&mut self, variable: &str, path: &Path, why: &str) {
        self.ignored.push(format!("{variable}={} is ignored: {why}", path.display()));
    }
}

/// The home folder that the system's list of accounts has for this process; `None` where the list does not tell.
fn account_home() -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let user = fs::metadata("/proc/self").ok()?.uid().to_string();
        let accounts = String::from_utf8(read_file(Path::new("/etc/passwd"), 1 << 20).ok()??).ok()?;
        accounts.lines().map(|line| line.split(':').collect::<Vec<_>>()).find_map(|fields| {
            (fields.get(2) == Some(&user.as_str())).then(|| fields.get(5).map(PathBuf::from))?
        })
    }
    #[cfg(not(unix))]
    None
}

/// The path with every symbolic link followed, as far as it exists; what does not exist yet is taken as written.
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
            // What a `..` led back to may be a link again.
            let again = parts[end..].contains(&Component::ParentDir);
            return if again { real_path(&real) } else { real };
        }
    }
    path.to_owned()
}

/// What a regular file says; `None` where there is none. A file of a project may be a link to anything: a pipe
/// would wait for ever, `/dev/zero` never end and `/dev/stdin` be the hook's own input, so those are not opened.
///
/// # Errors
/// Whatever reading says; `InvalidData` for what is not a regular file or has more than `most` bytes.
pub(crate) fn read_file(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    use io::ErrorKind::{InvalidData, NotADirectory, NotFound};
    let about = match fs::metadata(path) {
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => return Ok(None),
        about => about?,
    };
    if !about.is_file() {
        return Err(io::Error::new(InvalidData, "not a regular file"));
    }
    if about.len() > most {
        return Err(io::Error::new(InvalidData, format!("larger than {most} bytes")));
    }
    let mut content = Vec::with_capacity(about.len() as usize);
    File::open(path)?.take(most).read_to_end(&mut content)?;
    Ok(Some(content))
}
