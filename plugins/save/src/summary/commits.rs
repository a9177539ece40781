//! The commits of a session, as git reported them.

use crate::rules::deeds::Deed;
use crate::transcript::Ending;

/// Tells whether a call made a commit.
pub fn is_commit(deed: &Deed) -> bool {
    let commits = |command: &interleaf_shell::Command| {
        command.program == "git" && command.subcommand() == Some("commit")
    };
    let line = deed.command().filter(|_| deed.ending() == Some(Ending::Fine));
    line.is_some_and(|line| interleaf_shell::commands(line).iter().any(commits))
}

/// Returns the commits, each with its hash and its subject: `1a2b3c4 Cache the tiles`. With `git commit -q`,
/// git says neither, and the message of the command stands for it.
pub fn commits(deeds: &[Deed]) -> Vec<String> {
    let commits = deeds.iter().filter(|deed| is_commit(deed));
    commits.filter_map(|deed| reported(deed.output()).or_else(|| message(deed))).collect()
}

/// Reads `[main 1a2b3c4] Cache the tiles`.
fn reported(output: &str) -> Option<String> {
    output.lines().find_map(|line| {
        let (head, subject) = line.trim().strip_prefix('[')?.split_once("] ")?;
        let hash = head.rsplit(' ').next()?;
        let is_hash = hash.len() >= 7 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash.then(|| format!("{hash} {subject}"))
    })
}

/// Returns the first line of the message in the command.
fn message(deed: &Deed) -> Option<String> {
    let commands = interleaf_shell::commands(deed.command()?);
    let commit = commands.into_iter().find(|command| command.subcommand() == Some("commit"))?;
    let at = commit.arguments.iter().position(|word| {
        word == "--message" || word.starts_with('-') && !word.starts_with("--") && word.ends_with('m')
    })?;
    let subject = commit.arguments.get(at + 1)?.lines().next()?.trim();
    (!subject.is_empty() && !subject.starts_with("$(")).then(|| subject.to_owned())
}
