//! Unpacks the project of a recording from its archive.
//!
//! A recording is untrusted. Names with `..`, links that lead out and special files are refused. Of a `.git`
//! folder only the history is unpacked, because git would run programs that its configuration and hooks name.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use tar::{Archive, Entry, EntryType};

/// Maximum size of an unpacked archive in bytes: far more than a recorded project, far less than a disk.
const MAX_UNPACKED_BYTES: u64 = 1 << 30;

/// The parts of a `.git` folder that hold history.
const HISTORY: [&str; 6] = ["HEAD", "index", "objects", "packed-refs", "refs", "shallow"];

/// The configuration of the unpacked repository. It sets an author, so that commits are possible.
const GIT_CONFIG: &str =
    "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[user]\n\tname = dev\n\temail = dev@localhost\n";

/// Unpacks the folder `name` of the archive as `folder`.
pub fn unpack_project(archive: &Path, name: &str, folder: &Path) -> Result<()> {
    for_each_entry(archive, name, |entry, path| {
        if path_in_git(path).is_none_or(|inner| HISTORY.iter().any(|kept| inner.starts_with(kept))) {
            unpack_entry(entry, folder, path)?;
        }
        Ok(())
    })?;
    let git = folder.join(".git");
    if git.is_dir() {
        fs::create_dir_all(git.join("refs"))?;
        fs::write(git.join("config"), GIT_CONFIG)?;
    }
    Ok(())
}

/// Adds the commits of an archive of the same project to `folder`, and changes no existing file.
pub fn add_commits(archive: &Path, name: &str, folder: &Path) -> Result<()> {
    if !archive.exists() {
        return Ok(());
    }
    for_each_entry(archive, name, |entry, path| {
        let is_object = path_in_git(path).is_some_and(|inner| inner.starts_with("objects"));
        if is_object && !folder.join(path).exists() { unpack_entry(entry, folder, path) } else { Ok(()) }
    })
}

/// Returns the part of a path below `.git`. Some file systems treat `.GIT` as the same name.
fn path_in_git(path: &Path) -> Option<&Path> {
    let mut parts = path.components();
    let is_git = parts.next().is_some_and(|first| first.as_os_str().eq_ignore_ascii_case(".git"));
    Some(parts.as_path()).filter(|inner| is_git && !inner.as_os_str().is_empty())
}

type PackedEntry<'a> = Entry<'a, std::io::Take<GzDecoder<File>>>;

/// Calls `unpack` for every entry of the folder `name`, with its path below that folder.
fn for_each_entry(
    archive: &Path,
    name: &str,
    mut unpack: impl FnMut(&mut PackedEntry, &Path) -> Result<()>,
) -> Result<()> {
    let broken = || archive.display().to_string();
    let unpacked = GzDecoder::new(File::open(archive).with_context(broken)?).take(MAX_UNPACKED_BYTES);
    for entry in Archive::new(unpacked).entries().with_context(broken)? {
        let mut entry = entry.with_context(broken)?;
        let path = entry.path().with_context(broken)?.into_owned();
        let inner = path.strip_prefix(name).unwrap_or(&path).to_owned();
        let place = || format!("{}: {}", archive.display(), path.display());
        if inner == path || !is_plain(&inner) {
            bail!("{} is not in {name}/", place());
        }
        match entry.header().entry_type() {
            EntryType::Directory | EntryType::Regular => {}
            EntryType::Symlink if stays_inside(&entry, &inner) => {}
            _ => bail!("{} is a link that leads out, or a special file", place()),
        }
        if inner == Path::new(".git") && entry.header().entry_type() != EntryType::Directory {
            bail!("{} is not a folder: the history would be elsewhere", place());
        }
        unpack(&mut entry, &inner).with_context(broken)?;
    }
    Ok(())
}

fn is_plain(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// Tells whether a link points to a path beside or below it. Without any `..`, no chain of links leads out.
fn stays_inside(entry: &PackedEntry, path: &Path) -> bool {
    path_in_git(path).is_none()
        && entry.link_name().is_ok_and(|target| target.is_some_and(|target| is_plain(&target)))
}

/// Writes one entry, but not through a link of an earlier entry.
fn unpack_entry(entry: &mut PackedEntry, folder: &Path, path: &Path) -> Result<()> {
    let target: PathBuf = folder.join(path);
    let parent = if path.as_os_str().is_empty() { folder } else { target.parent().unwrap_or(folder) };
    let failed = || format!("cannot unpack {}", target.display());
    fs::create_dir_all(parent).with_context(failed)?;
    let real = parent.canonicalize().with_context(failed)?;
    if !real.starts_with(folder.canonicalize().with_context(failed)?) {
        bail!("the path {} leads through a link", path.display());
    }
    entry.unpack(&target).map(drop).with_context(failed)
}
