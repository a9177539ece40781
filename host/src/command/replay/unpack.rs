//! Takes a recorded project out of its archive, and nothing else.
//!
//! A recording may come from anybody. Names that climb, links that lead out and special files are refused; of a `.git`
//! folder only what holds history is taken, because its configuration and its hooks are programs that git would run.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use flate2::read::GzDecoder;
use tar::{Archive, Entry, EntryType};

use crate::error::{Error, Result};

/// Bytes that an archive may unpack to: far more than a project of a recording, far less than a disk.
const LARGEST: u64 = 1 << 30;

/// What of a `.git` folder is history.
const HISTORY: [&str; 6] = ["HEAD", "index", "objects", "packed-refs", "refs", "shallow"];

/// Who commits here, should a layer or a person want to.
const CONFIG: &str =
    "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[user]\n\tname = dev\n\temail = dev@localhost\n";

/// Unpacks the folder `name` of the archive as `folder`.
pub(super) fn project(archive: &Path, name: &str, folder: &Path) -> Result<()> {
    each(archive, name, |entry, path| {
        if in_git(path).is_none_or(|inner| HISTORY.iter().any(|kept| inner.starts_with(kept))) {
            take(entry, folder, path)?;
        }
        Ok(())
    })?;
    let git = folder.join(".git");
    if git.is_dir() {
        fs::create_dir_all(git.join("refs")).map_err(Error::unavailable)?;
        fs::write(git.join("config"), CONFIG).map_err(Error::unavailable)?;
    }
    Ok(())
}

/// Adds the commits of an archive of the same project to `folder`, changing nothing that is there.
pub(super) fn commits(archive: &Path, name: &str, folder: &Path) -> Result<()> {
    if !archive.exists() {
        return Ok(());
    }
    each(archive, name, |entry, path| {
        let object = in_git(path).is_some_and(|inner| inner.starts_with("objects"));
        if object && !folder.join(path).exists() { take(entry, folder, path) } else { Ok(()) }
    })
}

/// The path below `.git`, where it lies there. Some file systems take `.GIT` for the same.
fn in_git(path: &Path) -> Option<&Path> {
    let mut parts = path.components();
    let git = parts.next().is_some_and(|first| first.as_os_str().eq_ignore_ascii_case(".git"));
    Some(parts.as_path()).filter(|inner| git && !inner.as_os_str().is_empty())
}

type Packed<'a> = Entry<'a, std::io::Take<GzDecoder<File>>>;

/// Calls `each` for every entry of the folder `name`, with its path below that folder.
fn each(archive: &Path, name: &str, mut each: impl FnMut(&mut Packed, &Path) -> Result<()>) -> Result<()> {
    let broken = |error: std::io::Error| Error::invalid(format!("{}: {error}", archive.display()));
    let unpacked = GzDecoder::new(File::open(archive).map_err(broken)?).take(LARGEST);
    for entry in Archive::new(unpacked).entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let path = entry.path().map_err(broken)?.into_owned();
        let inner = path.strip_prefix(name).unwrap_or(&path).to_owned();
        let refused = |why| Error::denied(format!("{}: {} {why}", archive.display(), path.display()));
        if inner == path || !plain(&inner) {
            return Err(refused(format!("does not lie in {name}/")));
        }
        match entry.header().entry_type() {
            EntryType::Directory | EntryType::Regular => {}
            EntryType::Symlink if stays(&entry, &inner) => {}
            _ => return Err(refused("is a link that leads out, or a special file".to_owned())),
        }
        if inner == Path::new(".git") && entry.header().entry_type() != EntryType::Directory {
            return Err(refused("is not a folder: the history would lie elsewhere".to_owned()));
        }
        each(&mut entry, &inner).map_err(|error| error.context(archive.display()))?;
    }
    Ok(())
}

fn plain(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// Whether a link points at something beside or below it; with no `..` anywhere, no chain of links leads out.
fn stays(entry: &Packed, path: &Path) -> bool {
    in_git(path).is_none()
        && entry.link_name().is_ok_and(|target| target.is_some_and(|target| plain(&target)))
}

/// Writes one entry, through no link that an earlier entry made.
fn take(entry: &mut Packed, folder: &Path, path: &Path) -> Result<()> {
    let target: PathBuf = folder.join(path);
    let parent = if path.as_os_str().is_empty() { folder } else { target.parent().unwrap_or(folder) };
    let failed = |error: std::io::Error| Error::unavailable(format!("{}: {error}", target.display()));
    fs::create_dir_all(parent).map_err(failed)?;
    let real = parent.canonicalize().map_err(failed)?;
    if !real.starts_with(folder.canonicalize().map_err(failed)?) {
        return Err(Error::denied(format!("{} lies behind a link", path.display())));
    }
    entry.unpack(&target).map(drop).map_err(failed)
}
