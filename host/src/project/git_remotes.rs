//! The remotes of a repository, as digests: two repositories with a common digest have a common remote. An
//! address may contain a password, so none is stored.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::Project;
use super::git_layout::MAX_CONFIG_BYTES;
use super::git_transport::USUAL_REMOTE;
use crate::dirs::read_file;

/// Maximum number of remotes that are compared.
const MAX_REMOTES: usize = 16;
/// Number of bytes of a digest that are kept.
const DIGEST_BYTES: usize = 8;

/// Returns the digests of the addresses of a repository's remotes, sorted. Addresses that differ only in the
/// protocol, the user and a final `.git` have the same digest.
pub(super) fn remote_digests(common: &Path) -> Vec<String> {
    let config = read_file(&common.join("config"), MAX_CONFIG_BYTES).ok().flatten().unwrap_or_default();
    let config = String::from_utf8_lossy(&config);
    // A relative path leads elsewhere from each place.
    let urls = remotes(&config).map(|(_, url)| url).filter(|url| !url.is_empty() && !url.starts_with('.'));
    let mut digests: Vec<String> = urls.map(|url| digest(&canonical(url))).collect();
    digests.sort_unstable();
    digests.dedup();
    digests.truncate(MAX_REMOTES);
    digests
}

/// Returns the remotes of a repository's configuration, each with its name and its address.
fn remotes(config: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut remote = None;
    config.lines().map(str::trim).filter_map(move |line| {
        if line.starts_with('[') {
            let is_remote = line.to_ascii_lowercase().starts_with("[remote ");
            remote = is_remote.then(|| line.split('"').nth(1).unwrap_or_default());
            return None;
        }
        let name = remote?;
        let (key, value) = line.split_once('=')?;
        key.trim().eq_ignore_ascii_case("url").then(|| (name, value.trim().trim_matches('"')))
    })
}

impl Project {
    /// Returns host and path of the remote that [`Project::remote`] chooses, such as `github.com/org/shop`,
    /// without a user or a password; `None` without such a remote.
    pub fn remote_name(&self) -> Option<String> {
        let common = &self.git.as_ref()?.common;
        let config = read_file(&common.join("config"), MAX_CONFIG_BYTES).ok().flatten()?;
        let config = String::from_utf8_lossy(&config);
        let remotes: Vec<(&str, &str)> = remotes(&config).collect();
        let only = remotes.first().filter(|_| remotes.len() == 1);
        let (_, url) = remotes.iter().find(|(name, _)| *name == USUAL_REMOTE).or(only)?;
        Some(canonical(url)).filter(|name| !name.is_empty())
    }
}

/// Returns the host and path of an address: `github.com/org/shop` for `https://me@github.com/org/shop.git`
/// and for `git@github.com:org/shop`. The path of a local repository stays, without its first slash.
fn canonical(url: &str) -> String {
    let (has_scheme, rest) = match url.split_once("://") {
        Some((_, rest)) => (true, rest),
        None => (false, url),
    };
    let (host, path) = match rest.split_once(if has_scheme { '/' } else { ':' }) {
        Some((host, path)) if !host.is_empty() && !host.contains('/') => (host, path),
        _ => ("", rest),
    };
    let host = host.rsplit('@').next().unwrap_or(host);
    let host = host.split(':').next().unwrap_or(host).to_ascii_lowercase();
    let path = path.trim_end_matches("/.").trim_matches('/').trim_end_matches(".git").trim_end_matches('/');
    if host.is_empty() { path.to_owned() } else { format!("{host}/{path}") }
}

/// Returns the digest of the remote that a clone of the repository in this folder has.
pub(super) fn path_digest(root: &Path) -> String {
    digest(&canonical(&root.to_string_lossy()))
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(DIGEST_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_repository_has_one_address_by_every_protocol() {
        for url in [
            "https://github.com/org/shop.git",
            "https://me:secret@GitHub.com/org/shop",
            "ssh://git@github.com:22/org/shop.git/",
            "git@github.com:org/shop.git",
        ] {
            assert_eq!(canonical(url), "github.com/org/shop", "{url}");
        }
        assert_eq!(canonical("/srv/git/shop.git"), "srv/git/shop");
        assert_eq!(canonical("/srv/git/shop/."), "srv/git/shop");
        assert_eq!(canonical("file:///srv/git/shop"), "srv/git/shop");
    }

    #[test]
    fn addresses_are_read_from_the_sections_of_remotes_only() {
        let config = "[core]\n\turl = a\n[remote \"origin\"]\n\turl = git@h:x/y\n\tfetch = +refs\n\
                      [Remote \"up\"]\n\tURL = \"https://h/z\"\n[url \"ssh://h/\"]\n\turl = no\n";

        assert_eq!(remotes(config).map(|(_, url)| url).collect::<Vec<_>>(), ["git@h:x/y", "https://h/z"]);
    }
}
