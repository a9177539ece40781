//! The home folder of this process's account, as the system's account database names it.
//!
//! A project can set `HOME` and every other variable for the session (Claude Code's settings have an `env`
//! section). What must hold whatever the variables say lies below this folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::read_file;

/// Names another home folder of the account for tests. Release builds do not read it.
#[cfg(debug_assertions)]
const TEST_VARIABLE: &str = "INTERLEAF_ACCOUNT_HOME";

/// Maximum size of the account database, in bytes.
const MAX_DATABASE_BYTES: u64 = 1 << 20;

/// Returns the folder for this account's data, whatever the environment says: `.local/share/interleaf` below
/// the account's home. `None` if the database does not list the account.
pub(crate) fn account_data_folder() -> Option<PathBuf> {
    account_home().map(|home| home.join(".local/share/interleaf"))
}

/// Returns the home folder of this process's user in `/etc/passwd`, if that file lists the user.
pub(super) fn account_home() -> Option<PathBuf> {
    #[cfg(debug_assertions)]
    if let Some(home) = std::env::var_os(TEST_VARIABLE) {
        return Some(PathBuf::from(home));
    }
    listed_home()
}

#[cfg(unix)]
fn listed_home() -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt;
    let uid = fs::metadata("/proc/self").ok()?.uid().to_string();
    let accounts = read_file(Path::new("/etc/passwd"), MAX_DATABASE_BYTES).ok()??;
    let accounts = String::from_utf8_lossy(&accounts).into_owned();
    accounts.lines().map(|line| line.split(':').collect::<Vec<_>>()).find_map(|fields| {
        (fields.get(2) == Some(&uid.as_str())).then(|| fields.get(5).map(PathBuf::from))?
    })
}

#[cfg(not(unix))]
fn listed_home() -> Option<PathBuf> {
    None
}
