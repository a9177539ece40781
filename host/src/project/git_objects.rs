//! Trees, files and references of a repository, for data that is kept beside the code. The work tree and the
//! index are not touched.

use std::time::{Duration, Instant};

use super::Project;
use super::git::Git;
use crate::error::{Error, Result};

/// Time limit for a command. No hook waits for one.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Number of hexadecimal digits of the name of an object: SHA-1 and SHA-256.
const NAME_DIGITS: [usize; 2] = [40, 64];

/// A file of a tree of notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    /// Its path.
    pub path: String,
    /// The name of the object with its text.
    pub blob: String,
}

/// A file as it was at a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileAtCommit {
    /// Its text.
    Text(String),
    /// The commit has no such file, or is not in this repository.
    Missing,
    /// It is larger than was asked for.
    TooLarge,
    /// It is not text in UTF-8.
    Binary,
}

impl Project {
    pub(super) fn patient_git(&self) -> Result<Git<'_>> {
        Ok(Git { deadline: Instant::now() + TIMEOUT, ..self.git_program()? })
    }

    pub(super) fn ask_git(&self, arguments: &[&str], input: Vec<u8>) -> Result<String> {
        let output = self.patient_git()?.pipe(arguments, input)?;
        String::from_utf8(output).map_err(|_| Error::unavailable("git printed something that is no text"))
    }

    /// Returns the references below a prefix, such as `refs/notes/`, with the objects that they name.
    ///
    /// # Errors
    /// `Unavailable` if git fails.
    pub fn refs(&self, prefix: &str) -> Result<Vec<(String, String)>> {
        let list =
            self.ask_git(&["for-each-ref", "--format=%(objectname) %(refname)", prefix], Vec::new())?;
        let pair =
            |line: &str| line.split_once(' ').map(|(object, name)| (name.to_owned(), object.to_owned()));
        Ok(list.lines().filter_map(pair).collect())
    }

    /// Returns the notes of a commit's tree. What else somebody may have put there is left out: files whose
    /// name is not that of a commit, which git would never write, links and submodules.
    ///
    /// # Errors
    /// `Unavailable` if git fails.
    pub fn tree_files(&self, commit: &str) -> Result<Vec<TreeFile>> {
        let arguments = ["ls-tree", "-r", "-z", "--full-tree", commit];
        let list = self.patient_git()?.pipe(&arguments, Vec::new())?;
        let file = |line: &[u8]| {
            let (about, path) = std::str::from_utf8(line).ok()?.split_once('\t')?;
            let [mode, kind, blob] = about.split(' ').collect::<Vec<_>>()[..] else { return None };
            let is_note = kind == "blob" && mode.starts_with("100") && is_note_path(path);
            is_note.then(|| TreeFile { path: path.to_owned(), blob: blob.to_owned() })
        };
        Ok(list.split(|byte| *byte == 0).filter_map(file).collect())
    }

    /// Returns the texts of these objects, in order. Invalid UTF-8 is replaced.
    ///
    /// # Errors
    /// `Unavailable` if git fails or an object is missing.
    pub fn blobs(&self, names: &[&str]) -> Result<Vec<String>> {
        let input = names.iter().flat_map(|name| [name.as_bytes(), b"\n"].concat()).collect();
        let output = self.patient_git()?.pipe(&["cat-file", "--batch"], input)?;
        let mut rest = output.as_slice();
        names.iter().map(|name| take_blob(&mut rest, name)).collect()
    }

    /// Returns a file as it was at a commit.
    ///
    /// # Errors
    /// `Unavailable` if git fails.
    pub fn file_at(&self, commit: &str, path: &str, max_bytes: u64) -> Result<FileAtCommit> {
        let is_name = !commit.is_empty() && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_name || path.contains('\n') || self.git.is_none() {
            return Ok(FileAtCommit::Missing);
        }
        let (git, object) = (self.patient_git()?, format!("{commit}:{path}"));
        let size = git.run(&["cat-file", "-s", &object])?;
        let Some(size) = size.stdout.trim().parse::<u64>().ok().filter(|_| size.status.success()) else {
            return Ok(FileAtCommit::Missing);
        };
        if size > max_bytes {
            return Ok(FileAtCommit::TooLarge);
        }
        let bytes = git.pipe(&["cat-file", "blob", &object], Vec::new())?;
        Ok(String::from_utf8(bytes).map_or(FileAtCommit::Binary, FileAtCommit::Text))
    }

    /// Makes a commit whose tree is that of `parent` with these files in place of those at their paths.
    /// Without `keeps_history`, it has no parent. Returns its name.
    ///
    /// # Errors
    /// `Unavailable` if git fails; `Invalid` if a path is not that of a note, because git reads the paths in
    /// a stream of commands.
    pub fn commit_files(
        &self,
        parent: Option<&str>,
        files: &[(String, String)],
        keeps_history: bool,
    ) -> Result<String> {
        if let Some((path, _)) = files.iter().find(|(path, _)| !is_note_path(path)) {
            return Err(Error::invalid(format!("`{}` is not the path of a note", path.escape_default())));
        }
        let seconds = jiff::Timestamp::now().as_second();
        let mut stream = format!(
            "commit refs/interleaf/new\nmark :1\ncommitter Interleaf <interleaf@localhost> {seconds} +0000\n\
             data 8\nMemories\n"
        )
        .into_bytes();
        match parent {
            Some(parent) if keeps_history => stream.extend(format!("from {parent}\n").bytes()),
            Some(parent) => stream.extend(format!("M 040000 {} \n", self.tree_of(parent)?).bytes()),
            None => {}
        }
        for (path, text) in files {
            match text.is_empty() {
                true => stream.extend(format!("D {path}\n").bytes()),
                false => {
                    stream.extend(format!("M 100644 inline {path}\ndata {}\n", text.len()).bytes());
                    stream.extend(text.bytes());
                    stream.push(b'\n');
                }
            }
        }
        // The commit is named by its mark. The reference to it is removed within the same run.
        let none = self.no_object()?;
        stream.extend(format!("get-mark :1\nreset refs/interleaf/new\nfrom {none}\n\ndone\n").bytes());
        let name =
            self.ask_git(&["fast-import", "--quiet", "--done", "--date-format=raw", "--force"], stream)?;
        Ok(name.trim().to_owned())
    }

    /// Returns the name of no object in the repository's format.
    fn no_object(&self) -> Result<String> {
        let format = self.ask_git(&["rev-parse", "--show-object-format"], Vec::new())?;
        Ok("0".repeat(NAME_DIGITS[usize::from(format.trim() == "sha256")]))
    }

    fn tree_of(&self, commit: &str) -> Result<String> {
        let name = format!("{commit}^{{tree}}");
        Ok(self.ask_git(&["rev-parse", "--verify", &name], Vec::new())?.trim().to_owned())
    }

    /// Sets a reference, if it names the object `old`, or does not exist where `old` is `None`.
    ///
    /// # Errors
    /// `Conflict` if it names another one; `Unavailable` if git fails.
    pub fn set_ref(&self, name: &str, new: &str, old: Option<&str>) -> Result<()> {
        let none = "0".repeat(new.len());
        let old = old.unwrap_or(&none);
        match self.ask_git(&["update-ref", "--no-deref", name, new, old], Vec::new()) {
            Ok(_) => Ok(()),
            // A process that was killed leaves its lock.
            Err(error) if error.to_string().contains("File exists") => Err(Error::conflict(format!(
                "git cannot lock {name}: {error}; if no other git runs here, delete that file"
            ))),
            Err(error) if error.to_string().contains("cannot lock ref") => {
                Err(Error::conflict(format!("{name} was changed by another process")))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the commit that notes without a commit of their own stand at: the first of the history. `None`
    /// if there is no commit yet.
    ///
    /// # Errors
    /// `Unavailable` if git fails.
    pub fn first_commit(&self) -> Result<Option<String>> {
        let mut roots = self.root_commits()?;
        roots.sort();
        Ok(roots.into_iter().next())
    }
}

/// Tells whether a path is that of a note: the name of a commit, which git may split by slashes.
fn is_note_path(path: &str) -> bool {
    let digits = path.bytes().filter(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')).count();
    let slashes = path.bytes().filter(|byte| *byte == b'/').count();
    digits + slashes == path.len() && NAME_DIGITS.contains(&digits)
}

/// Reads one object of the output of `cat-file --batch`: a line with its size, the text and a line feed.
fn take_blob(rest: &mut &[u8], name: &str) -> Result<String> {
    let read = |rest: &mut &[u8]| {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let size: usize = std::str::from_utf8(&rest[..end]).ok()?.rsplit(' ').next()?.parse().ok()?;
        let text = rest.get(end + 1..end + 1 + size)?;
        *rest = rest.get(end + 2 + size..)?;
        Some(String::from_utf8_lossy(text).into_owned())
    };
    read(rest).ok_or_else(|| Error::unavailable(format!("the object {name} is missing from the repository")))
}
