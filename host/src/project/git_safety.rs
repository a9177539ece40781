//! What keeps git from running a program, or reaching a server, that a repository names.
//!
//! The configuration of a repository may name programs: a file system monitor, hooks, filters of its files,
//! a signature checker, helpers of transports. An unpacked archive brings such a configuration along. The
//! options and variables here switch each of them off. What they cannot switch off is refused.

use std::ffi::OsString;
use std::path::Path;

use super::git_layout::{GitDirs, MAX_CONFIG_BYTES};
use crate::dirs::read_file;
use crate::error::{Error, Result};

/// Configuration that overrides the repository's. An empty value means no program. Old versions of git take
/// `core.fsmonitor=false` for a program of that name, so it is empty as well.
const CONFIGURATION: [(&str, &str); 20] = [
    ("core.fsmonitor", ""),
    ("core.hooksPath", "/dev/null"),
    ("core.attributesFile", "/dev/null"),
    ("core.pager", ""),
    ("core.editor", ""),
    ("core.sshCommand", ""),
    ("core.gitProxy", ""),
    ("core.askPass", ""),
    ("credential.helper", ""),
    ("diff.external", ""),
    ("log.showSignature", "false"),
    ("submodule.recurse", "false"),
    ("safe.bareRepository", "explicit"),
    ("protocol.allow", "never"),
    ("protocol.ext.allow", "never"),
    ("protocol.file.allow", "never"),
    ("protocol.git.allow", "never"),
    ("protocol.http.allow", "never"),
    ("protocol.https.allow", "never"),
    ("protocol.ssh.allow", "never"),
];

/// The variables of every call. The empty `GIT_ALLOW_PROTOCOL` forbids every transport, also one that the
/// configuration allows by a name that is not known here.
const VARIABLES: [(&str, &str); 5] = [
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", ""),
    // Callers look for English messages, so git must not translate them.
    ("LC_ALL", "C"),
];

/// The variables of a command that reaches a server. It asks nobody for a password: a helper or an agent must
/// know it.
pub(super) const TRANSPORT_VARIABLES: [(&str, &str); 3] =
    [("GIT_TERMINAL_PROMPT", "0"), ("GIT_ALLOW_PROTOCOL", "https:http:ssh:file"), ("LC_ALL", "C")];

/// The options of such a command. Hooks are for a person's own pushes.
pub(super) const TRANSPORT_OPTIONS: [&str; 2] = ["-c", "core.hooksPath=/dev/null"];

/// Makes git refuse, instead of starting a transport, when an object of a partial clone is missing. A git
/// before 2.45 does not know this option and refuses the whole command, which is the answer wanted here: it
/// would not heed `GIT_NO_LAZY_FETCH` either.
const NO_LAZY_FETCH: &str = "--no-lazy-fetch";

/// Words of a configuration that may make git fetch missing objects, in lower case: `remote.NAME.promisor`,
/// `extensions.partialClone`, and includes, whose files are not looked at.
const LAZY_FETCH_WORDS: [&str; 3] = ["promisor", "partialclone", "include"];

/// Maximum number of filters that are switched off for one command. A repository has one or two.
const MAX_FILTERS: usize = 64;

/// Returns the options before a command about the work tree at `root`.
///
/// The work tree is named, because the configuration may name another one, such as the person's home folder.
pub(super) fn options(root: &Path, dirs: &GitDirs) -> Vec<OsString> {
    let mut options: Vec<OsString> =
        vec!["-C".into(), root.into(), "--work-tree".into(), root.into(), "--no-pager".into()];
    if may_fetch(dirs) {
        options.push(NO_LAZY_FETCH.into());
    }
    options.extend(CONFIGURATION.iter().flat_map(|(key, value)| configure(key, value)));
    options
}

/// Returns the variables of a call. `git` must not look for a repository above the work tree, whose `.git`
/// was checked.
pub(super) fn variables(root: &Path) -> impl Iterator<Item = (&'static str, OsString)> {
    let above = root.parent().unwrap_or(root).as_os_str().to_owned();
    let fixed = VARIABLES.iter().map(|(name, value)| (*name, OsString::from(value)));
    fixed.chain([("GIT_CEILING_DIRECTORIES", above)])
}

/// Returns the arguments that print the names of the filters' keys, each ended by a zero byte. The command
/// exits with 1 if there is none.
pub(super) const FILTER_QUERY: [&str; 5] = ["config", "-z", "--name-only", "--get-regexp", r"^filter\."];

/// Returns the options that switch off the filters with these keys, as [`FILTER_QUERY`] prints them.
///
/// # Errors
/// `Unavailable` if a filter's name cannot be written as an option, or there are too many.
pub(super) fn without_filters(keys: &str) -> Result<Vec<OsString>> {
    let refused = |why: &str| {
        Error::unavailable(format!("git is not asked: the repository's configuration {why}"))
            .hint("remove the sections [filter …] that you do not need from .git/config")
    };
    let keys = keys.split_terminator('\0').filter_map(|key| key.rsplit_once('.'));
    let mut filters: Vec<&str> = keys.map(|(filter, _)| filter).collect();
    filters.sort_unstable();
    filters.dedup();
    if filters.len() > MAX_FILTERS {
        return Err(refused(&format!("has more than {MAX_FILTERS} filters")));
    }
    if filters.iter().any(|filter| filter.contains(['=', char::REPLACEMENT_CHARACTER])) {
        return Err(refused("has a filter whose name cannot be overridden"));
    }
    let off = |filter: &str| {
        let keys = [("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")];
        keys.map(|(key, value)| configure(&format!("{filter}.{key}"), value))
    };
    Ok(filters.into_iter().flat_map(off).flatten().collect())
}

/// Returns the error of a git that does not know the option against fetching, if `stderr` says so.
pub(super) fn too_old(stderr: &str) -> Option<Error> {
    stderr.contains(&format!("unknown option: {NO_LAZY_FETCH}")).then(|| {
        Error::unavailable("this git is too old to answer about a partial clone without fetching from it")
            .hint("install git 2.45 or newer")
    })
}

fn configure(key: &str, value: &str) -> [OsString; 2] {
    ["-c".into(), format!("{key}={value}").into()]
}

/// Tells whether git may fetch missing objects of the repository: if its configuration says so, or cannot be
/// read completely.
fn may_fetch(dirs: &GitDirs) -> bool {
    let files = [dirs.common.join("config"), dirs.own.join("config.worktree")];
    files.iter().any(|file| match read_file(file, MAX_CONFIG_BYTES) {
        Ok(None) => false,
        Ok(Some(text)) => {
            let text = String::from_utf8_lossy(&text).to_ascii_lowercase();
            LAZY_FETCH_WORDS.iter().any(|word| text.contains(word))
        }
        Err(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    #[test]
    fn a_configuration_that_may_fetch_is_recognized_in_every_spelling() {
        let may = |text: &str| {
            let scratch = Scratch::new();
            scratch.file("config", text);
            let common = scratch.path().to_owned();
            may_fetch(&GitDirs { own: common.clone(), common, names_work_tree: true })
        };

        assert!(!may("[core]\n\tbare = false\n[remote \"origin\"]\n\turl = x\n"));
        for text in [
            "[extensions]\n\tPartialClone = origin\n",
            "[remote \"x\"]\n\tPROMISOR\n",
            "[remote \"x\"] partialCloneFilter = blob:none",
            "[includeIf \"gitdir:/\"]\n\tpath = other\n",
            "[ include]\n\tpath = other\n",
            "[\tinclude]\n\tpath = other\n",
        ] {
            assert!(may(text), "{text}");
        }
        assert!(may(&format!("#{}", "x".repeat(2 << 20))), "it is too large to look at");
    }

    #[test]
    fn every_filter_is_switched_off_or_the_question_refused() {
        let keys = "filter.a.clean\0filter.a.required\0filter.B.c.process\0";
        let options = without_filters(keys).expect("names that can be overridden");
        let options: Vec<_> = options.iter().filter_map(|option| option.to_str()).collect();

        for option in
            ["filter.a.clean=", "filter.a.process=", "filter.B.c.smudge=", "filter.B.c.required=false"]
        {
            assert!(options.contains(&option), "{option}: {options:?}");
        }
        let many: String = (0..=MAX_FILTERS).map(|number| format!("filter.{number}.clean\0")).collect();
        for keys in ["filter.a=b.clean\0", "filter.\u{fffd}.clean\0", &many] {
            assert!(without_filters(keys).is_err(), "{keys:?}");
        }
    }
}
