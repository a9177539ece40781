//! Fetches references from a remote of the repository, and pushes some to it. Nothing of the repository's own
//! configuration is used but the address of the remote: it may name programs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Project;
use super::git::{self, Git};
use crate::dirs::{cannot_write, create_private_folder};
use crate::error::{Error, Result};
use crate::url_credentials::without_credentials;

/// Time limit for a fetch or a push.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The remote that is preferred if there are several.
pub(super) const USUAL_REMOTE: &str = "origin";

/// A remote of a repository, with a folder of ours that holds what was fetched from it.
#[derive(Debug, Clone)]
pub struct Remote {
    address: String,
    folder: PathBuf,
}

impl Project {
    /// Returns the remote: `origin`, or the only one. What is fetched from it is recorded below `folder`.
    ///
    /// # Errors
    /// `Unavailable` if git fails, `Invalid` if it is not clear which remote is meant.
    pub fn remote(&self, folder: &Path) -> Result<Option<Remote>> {
        let git = self.git_program()?;
        let addresses = git.run(&["config", "--get-regexp", r"^remote\..*\.url$"])?;
        let addresses: Vec<(&str, &str)> =
            addresses.stdout.lines().filter_map(|line| line.split_once(' ')).collect();
        let usual = format!("remote.{USUAL_REMOTE}.url");
        let usual = addresses.iter().find(|(key, _)| *key == usual);
        let only = addresses.first().filter(|_| addresses.len() == 1);
        if usual.is_none() && addresses.len() > 1 {
            let several = format!("there are several remotes, and none is called {USUAL_REMOTE}");
            return Err(Error::invalid(several).hint("git remote rename NAME origin"));
        }
        let Some((_, address)) = usual.or(only) else { return Ok(None) };
        // An address that begins with a hyphen would be an option.
        if address.starts_with('-') {
            let shown = without_credentials(address);
            return Err(Error::invalid(format!("`{shown}` is not the address of a remote")));
        }
        Ok(Some(Remote { address: (*address).to_owned(), folder: folder.join("remote.git") }))
    }

    /// Returns the name under which the person commits; empty if none is set.
    ///
    /// # Errors
    /// `Unavailable` if git fails.
    pub fn user_name(&self) -> Result<String> {
        Ok(self.git_program()?.run(&["config", "--get", "user.name"])?.stdout.trim().to_owned())
    }

    /// Fetches all references that match `from`, such as `refs/notes/x/*`, and returns them with the objects
    /// that they name.
    ///
    /// # Errors
    /// `Unavailable` if the remote cannot be reached.
    pub fn fetch(&self, remote: &Remote, from: &str) -> Result<Vec<(String, String)>> {
        let git = self.git_program()?;
        remote.prepare(&git)?;
        let refspec = format!("+{from}:{from}");
        let arguments = ["fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head", "--"];
        remote.run(&git, &[&arguments[..], &[&remote.address, &refspec]].concat())?;
        let prefix = from.trim_end_matches('*');
        let list = remote.run(&git, &["for-each-ref", "--format=%(objectname) %(refname)", prefix])?;
        let pair =
            |line: &str| line.split_once(' ').map(|(object, name)| (name.to_owned(), object.to_owned()));
        Ok(list.lines().filter_map(pair).collect())
    }

    /// Sets references of the remote: each name, its new object, and the one that it must name before.
    ///
    /// # Errors
    /// `Conflict` if somebody else has changed one; `Unavailable` if the remote cannot be reached or refuses.
    pub fn push(&self, remote: &Remote, refs: &[(String, String, Option<String>)]) -> Result<()> {
        let git = self.git_program()?;
        let lease = |(name, _, old): &(String, String, Option<String>)| {
            format!("--force-with-lease={name}:{}", old.as_deref().unwrap_or_default())
        };
        let leases: Vec<String> = refs.iter().map(lease).collect();
        let refspecs: Vec<String> = refs.iter().map(|(name, new, _)| format!("{new}:{name}")).collect();
        let mut arguments = vec!["push", "--quiet", "--atomic", "--no-verify"];
        arguments.extend(leases.iter().map(String::as_str));
        arguments.extend(["--", &remote.address]);
        arguments.extend(refspecs.iter().map(String::as_str));
        match remote.run(&git, &arguments) {
            Ok(_) => Ok(()),
            Err(error) if is_overtaken(&error) => {
                Err(Error::conflict(format!("somebody else has pushed to {} meanwhile", remote.name())))
            }
            Err(error) => Err(error),
        }
    }
}

/// Tells whether a push failed because a reference has changed since it was fetched. What a hook of the
/// server or a rule of its host refuses, it refuses every time.
fn is_overtaken(error: &Error) -> bool {
    let text = error.to_string();
    let signs =
        ["stale info", "fetch first", "but expected", "reference already exists", "failed to update ref"];
    signs.iter().any(|sign| text.contains(sign)) && !text.contains("declined")
}

impl Remote {
    /// Returns its address as it may be shown and kept.
    pub fn name(&self) -> String {
        without_credentials(&self.address)
    }

    /// Creates the folder of ours, in the repository's format.
    fn prepare(&self, git: &Git<'_>) -> Result<()> {
        if self.folder.join("HEAD").exists() {
            return Ok(());
        }
        create_private_folder(&self.folder).map_err(|error| cannot_write(&self.folder, &error))?;
        self.run(git, &["init", "--quiet", "--bare"]).map(drop)
    }

    fn run(&self, git: &Git<'_>, arguments: &[&str]) -> Result<String> {
        let mut command = git.transport(&self.folder)?;
        let name = arguments.first().copied().unwrap_or_default();
        let output = git::pipe(command.args(arguments), name, Vec::new(), Instant::now() + TIMEOUT)?;
        Ok(String::from_utf8_lossy(&output).into_owned())
    }
}
