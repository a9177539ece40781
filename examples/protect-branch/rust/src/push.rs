//! Finds force pushes in a shell command. It knows the words of git, and nothing of the host.
//!
//! It reads what is written down: behind an alias, a script or `bash -c '…'` it sees no push.

use crate::shell;

/// Words that run the command behind them.
const RUNNERS: [&str; 13] =
    ["!", "{", "command", "do", "else", "env", "exec", "if", "nohup", "sudo", "then", "time", "timeout"];

/// Options of git, and of its push, whose value is the next word.
const GIT_VALUES: [&str; 5] = ["-C", "-c", "--git-dir", "--work-tree", "--namespace"];
const PUSH_VALUES: [&str; 5] = ["-o", "--push-option", "--repo", "--receive-pack", "--exec"];

/// Options that push all branches.
const ALL: [&str; 3] = ["--all", "--branches", "--mirror"];

/// A push that rewrites what the remote has.
pub struct ForcePush {
    /// The command, without quotes.
    pub command: String,
    /// What it rewrites.
    pub targets: Vec<Target>,
}

/// What a push writes to.
pub enum Target {
    /// Whichever branch is checked out.
    Current,
    /// All branches.
    Every,
    /// This one.
    Branch(String),
}

/// The force pushes in a shell line, in its order.
pub fn force_pushes(line: &str) -> impl Iterator<Item = ForcePush> {
    shell::commands(line).into_iter().filter_map(|words| {
        let targets = rewritten(push_arguments(&words)?);
        (!targets.is_empty()).then(|| ForcePush { command: words.join(" "), targets })
    })
}

/// What `git push` is given, where that is what these words run.
fn push_arguments(words: &[String]) -> Option<&[String]> {
    let mut rest = after_git(words)?;
    while let Some((word, behind)) = rest.split_first() {
        rest = match word.as_str() {
            "push" => return Some(behind),
            value if GIT_VALUES.contains(&value) => behind.get(1..)?,
            option if option.starts_with('-') => behind,
            _ => return None,
        };
    }
    None
}

/// What stands behind `git`, which may itself stand behind assignments and words that run it.
fn after_git(words: &[String]) -> Option<&[String]> {
    let mut run = false;
    for (at, word) in words.iter().enumerate() {
        let name = word.rsplit('/').next().unwrap_or(word);
        if name == "git" {
            return words.get(at + 1..);
        }
        run |= RUNNERS.contains(&name);
        if !run && !is_assignment(word) {
            return None;
        }
    }
    None
}

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// The targets that a push with these arguments rewrites.
fn rewritten(arguments: &[String]) -> Vec<Target> {
    let (options, names) = sorted_out(arguments);
    let refspecs = names.get(1..).unwrap_or_default(); // behind the remote
    let force = options.iter().any(|option| is_force(option));
    if force && options.iter().any(|option| ALL.contains(option)) {
        return vec![Target::Every];
    }
    if force && refspecs.is_empty() {
        return vec![Target::Current];
    }
    refspecs
        .iter()
        .filter(|refspec| force || refspec.starts_with('+'))
        .map(|refspec| target(refspec))
        .collect()
}

/// The options among the arguments of a push, without their values, and the rest.
fn sorted_out(arguments: &[String]) -> (Vec<&str>, Vec<&str>) {
    let (mut options, mut names) = (Vec::new(), Vec::new());
    let mut rest = arguments.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        match word {
            "--" => names.extend(rest.by_ref()),
            value if PUSH_VALUES.contains(&value) => drop(rest.next()),
            option if option.starts_with('-') => options.push(option),
            name => names.push(name),
        }
    }
    (options, names)
}

/// Whether an option forces: by its name, or as one letter among others, as in `-uf`.
fn is_force(option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(name) => matches!(name, "force" | "mirror") || name.starts_with("force-with-lease"),
        None => option.contains('f'),
    }
}

/// What a refspec such as `+HEAD:main` writes to; a lone colon stands for every branch that both sides have.
fn target(refspec: &str) -> Target {
    let name = refspec.trim_start_matches('+').rsplit(':').next().unwrap_or_default();
    let name = name.strip_prefix("refs/").unwrap_or(name);
    match name.strip_prefix("heads/").unwrap_or(name) {
        "" | "*" => Target::Every,
        "@" | "HEAD" => Target::Current,
        name => Target::Branch(name.to_owned()),
    }
}
