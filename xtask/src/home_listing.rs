//! The places in this person's real home folder where Interleaf would write. Tests and the demo have folders
//! of their own and must leave these as they were.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// Where Interleaf and Claude Code write below a home folder.
const BELOW_HOME: [&str; 6] = [
    ".config/interleaf",
    ".local/share/interleaf",
    ".local/state/interleaf",
    ".cache/interleaf",
    ".claude",
    ".claude.json",
];

/// The variables that move one of Interleaf's folders.
const XDG_VARIABLES: [&str; 4] = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];

/// The variables that name one of these places itself.
const FOLDER_VARIABLES: [&str; 2] = ["INTERLEAF_HOME", "CLAUDE_CONFIG_DIR"];

/// Maximum number of changes in an error.
const MAX_LISTED: usize = 20;

/// The files and folders in these places, each with what a write would change: its size and its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomeListing(BTreeMap<PathBuf, State>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    bytes: u64,
    modified: (i64, i64),
}

impl HomeListing {
    /// Lists the places of this process's user. What does not exist or cannot be read is not in the list: a
    /// test could not write there either.
    pub fn take() -> Self {
        Self::of(&places())
    }

    fn of(places: &BTreeSet<PathBuf>) -> Self {
        let mut files = BTreeMap::new();
        places.iter().for_each(|place| add(place, &mut files));
        Self(files)
    }

    /// Fails with the list of what changed since.
    pub fn require_same(&self, after: &Self) -> Result<()> {
        let changes = self.changes(after);
        if changes.is_empty() {
            return Ok(());
        }
        let more = changes.len().saturating_sub(MAX_LISTED);
        let more = if more > 0 { format!("\nand {more} more") } else { String::new() };
        let listed: Vec<String> = changes.into_iter().take(MAX_LISTED).collect();
        bail!(
            "changed meanwhile:\n{}{more}\nnext: if Claude Code was running, end its sessions and try again",
            listed.join("\n")
        )
    }

    fn changes(&self, after: &Self) -> Vec<String> {
        let paths: BTreeSet<&PathBuf> = self.0.keys().chain(after.0.keys()).collect();
        let change = |path: &&PathBuf| {
            let what = match (self.0.get(*path), after.0.get(*path)) {
                (None, _) => "new",
                (_, None) => "removed",
                (before, after) if before != after => "changed",
                _ => return None,
            };
            Some(format!("{what}: {}", path.display()))
        };
        paths.iter().filter_map(change).collect()
    }
}

/// Adds a file, or a folder with all that is in it. Links are not followed.
fn add(path: &Path, files: &mut BTreeMap<PathBuf, State>) {
    let Ok(metadata) = path.symlink_metadata() else { return };
    files.insert(path.to_owned(), state(&metadata));
    if metadata.is_dir() {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| add(&entry.path(), files));
    }
}

fn state(metadata: &Metadata) -> State {
    // The size of a folder changes with its file system's bookkeeping.
    let bytes = if metadata.is_dir() { 0 } else { metadata.len() };
    State { bytes, modified: (metadata.mtime(), metadata.mtime_nsec()) }
}

/// Returns the places: below `HOME` and the home folder in the account database, where variables lead, and
/// where the secret of the account is kept if its home cannot be written.
fn places() -> BTreeSet<PathBuf> {
    let user = fs::metadata("/proc/self").map(|me| me.uid()).ok();
    let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let homes = [variable("HOME"), user.and_then(|user| home_of(user, &accounts))];
    let mut places: BTreeSet<PathBuf> =
        homes.into_iter().flatten().flat_map(|home| BELOW_HOME.map(|place| home.join(place))).collect();
    places.extend(XDG_VARIABLES.into_iter().filter_map(variable).map(|folder| folder.join("interleaf")));
    places.extend(FOLDER_VARIABLES.into_iter().filter_map(variable));
    let shared = |user: u32| [format!("/run/user/{user}/interleaf"), format!("/tmp/interleaf-{user}")];
    places.extend(user.into_iter().flat_map(shared).map(PathBuf::from));
    places
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Returns the home folder of a user in the text of an account database.
fn home_of(user: u32, accounts: &str) -> Option<PathBuf> {
    let of_user = accounts.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let mut homes = of_user.filter(|fields| fields.get(2) == Some(&&*user.to_string()));
    homes.find_map(|fields| fields.get(5).map(PathBuf::from).filter(|home| home.is_absolute()))
}

#[cfg(test)]
mod tests {
    use interleaf_tests::scratch::Scratch;

    use super::*;

    fn listing(home: &Path) -> HomeListing {
        HomeListing::of(&BELOW_HOME.map(|place| home.join(place)).into())
    }

    #[test]
    fn a_file_that_is_new_changed_or_removed_is_named() {
        let scratch = Scratch::new();
        let store = scratch.home.join(".local/share/interleaf");
        fs::create_dir_all(&store).unwrap();
        fs::write(store.join("kept"), "1").unwrap();
        fs::write(store.join("grows"), "1").unwrap();
        fs::write(store.join("goes"), "1").unwrap();
        let before = listing(&scratch.home);
        assert!(before.require_same(&listing(&scratch.home)).is_ok());

        fs::write(store.join("grows"), "22").unwrap();
        fs::remove_file(store.join("goes")).unwrap();
        fs::create_dir_all(scratch.home.join(".claude/projects")).unwrap();
        fs::write(scratch.home.join("of-somebody-else"), "").unwrap();
        let error = before.require_same(&listing(&scratch.home)).unwrap_err().to_string();

        for line in ["changed: {}/grows", "removed: {}/goes"] {
            assert!(error.contains(&line.replace("{}", &store.display().to_string())), "{error}");
        }
        assert!(error.contains(&format!("new: {}/.claude", scratch.home.display())), "{error}");
        assert!(!error.contains("kept") && !error.contains("of-somebody-else"), "{error}");
    }

    #[test]
    fn a_home_that_does_not_exist_is_an_empty_list() {
        let scratch = Scratch::new();

        assert_eq!(listing(&scratch.root.join("nowhere")), HomeListing(BTreeMap::new()));
    }

    #[test]
    fn the_home_of_the_account_is_the_sixth_field_of_its_line() {
        let accounts = "root:x:0:0:root:/root:/bin/sh\nada:x:1000:100:Ada:/home/ada:/bin/sh\nx:y:7\n";

        assert_eq!(home_of(1000, accounts), Some("/home/ada".into()));
        assert_eq!(home_of(7, accounts), None);
    }
}
