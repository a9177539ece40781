//! The commits of a session, as git reported them.

use crate::session::calls::ToolCall;
use crate::transcript::Ending;

/// Tells whether a call made a commit.
pub fn is_commit(call: &ToolCall) -> bool {
    let commits = |command: &interleaf_shell::Command| {
        command.program == "git" && command.subcommand() == Some("commit")
    };
    let line = call.command().filter(|_| call.ending() == Some(Ending::Fine));
    line.is_some_and(|line| interleaf_shell::commands(line).iter().any(commits))
}

/// Returns the commits, each with its hash and its subject: `1a2b3c4 Cache the tiles`. With `git commit -q`,
/// git says neither, and the message of the command stands for it.
pub fn commits(calls: &[ToolCall]) -> Vec<String> {
    let commits = calls.iter().filter(|call| is_commit(call));
    commits.filter_map(|call| reported(call.output()).or_else(|| message(call))).collect()
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
fn message(call: &ToolCall) -> Option<String> {
    let commands = interleaf_shell::commands(call.command()?);
    let commit = commands.into_iter().find(|command| command.subcommand() == Some("commit"))?;
    let at = commit.arguments.iter().position(|word| {
        word == "--message" || word.starts_with('-') && !word.starts_with("--") && word.ends_with('m')
    })?;
    let subject = commit.arguments.get(at + 1)?.lines().next()?.trim();
    (!subject.is_empty() && !subject.starts_with("$(")).then(|| subject.to_owned())
}
