//! The home folder of the account that this process runs as, from the system's account database. No variable
//! of the environment changes it, so no project does.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustix::process::geteuid;

use super::read_file;

/// Maximum size of the account database that is read, in bytes.
const MAX_ACCOUNTS_BYTES: u64 = 1 << 20;

/// Names a folder that counts as the account's home, for tests from outside. Only a program with debug
/// assertions, which nobody installs, reads it: a project could set it.
#[cfg(debug_assertions)]
const TEST_HOME_VARIABLE: &str = "INTERLEAF_TEST_ACCOUNT_HOME";

/// Returns the home folder of this process's user in `/etc/passwd`, if that file lists the user.
pub(crate) fn account_home() -> Option<PathBuf> {
    // A hook asks several times.
    static HOME: OnceLock<Option<PathBuf>> = OnceLock::new();
    test_home().or_else(|| HOME.get_or_init(home_in_database).clone())
}

fn home_in_database() -> Option<PathBuf> {
    let accounts = read_file(Path::new("/etc/passwd"), MAX_ACCOUNTS_BYTES).ok()??;
    home_of(geteuid().as_raw(), &String::from_utf8(accounts).ok()?)
}

/// Returns the folder for this account's data, whatever the environment says.
pub(crate) fn account_data_folder() -> Option<PathBuf> {
    home_or_variable().map(|home| data_folder(&home))
}

/// Returns the folders of configuration and data that this account has if no variable moves them.
pub(crate) fn account_default_folders() -> Vec<PathBuf> {
    let home = home_or_variable().into_iter();
    home.flat_map(|home| [home.join(".config/interleaf"), data_folder(&home)]).collect()
}

/// Returns the home folder of the account. For an account that is not in the database, such as one of a
/// directory service, the variable `HOME` has to do. `std::env::home_dir` is of no use here: without the
/// variable it asks the C library, which crashes in a static program for an account that it does not know.
fn home_or_variable() -> Option<PathBuf> {
    let variable = || std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    account_home().or_else(variable)
}

/// Returns the folders of the account in which a secret can be kept, best first: its data folder; where that
/// cannot be written or the account is not in the database (a directory service, some containers), the folder
/// that the system makes at login, and a folder in `/tmp` that must belong to this user.
pub(crate) fn account_folders() -> Vec<PathBuf> {
    if let Some(home) = test_home() {
        return vec![data_folder(&home)];
    }
    let user = geteuid().as_raw();
    let shared = [format!("/run/user/{user}/interleaf"), format!("/tmp/interleaf-{user}")];
    account_home().map(|home| data_folder(&home)).into_iter().chain(shared.map(PathBuf::from)).collect()
}

fn data_folder(home: &Path) -> PathBuf {
    home.join(".local/share/interleaf")
}

fn test_home() -> Option<PathBuf> {
    #[cfg(debug_assertions)]
    return std::env::var_os(TEST_HOME_VARIABLE).map(PathBuf::from);
    #[cfg(not(debug_assertions))]
    None
}

/// Finds the home folder of a user in the text of an account database.
fn home_of(user: u32, accounts: &str) -> Option<PathBuf> {
    accounts.lines().find_map(|line| {
        let mut fields = line.split(':').skip(2);
        let is_user = fields.next()?.parse() == Ok(user);
        let home = is_user.then(|| fields.nth(2))??;
        home.starts_with('/').then(|| home.into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_is_the_sixth_field_of_the_line_with_the_users_number() {
        let accounts = "root:x:0:0:root:/root:/bin/sh\nbroken\nada:x:1000:100:Ada:/home/ada:/bin/sh\n\
                        none:x:1001:100:::\n";

        assert_eq!(home_of(1000, accounts), Some("/home/ada".into()));
        assert_eq!(home_of(0, accounts), Some("/root".into()));
        assert_eq!(home_of(1001, accounts), None);
        assert_eq!(home_of(100, accounts), None);
    }
}
