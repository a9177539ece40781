//! In which way a command was run, and which files say so.

use topics::Command;

use crate::rules::runs::{Known, Run};

/// Bytes of a command line that is told as it is.
const LONGEST_LINE: usize = 120;

/// A variable whose value is nobody's business.
fn is_secret(name: &str) -> bool {
    let name = name.to_uppercase();
    ["KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CREDENTIAL"].iter().any(|word| name.contains(word))
}

/// A command in one line.
pub fn told(command: &Command) -> String {
    let sudo = command.elevated.then_some("sudo");
    let text = command.text();
    sudo.into_iter().chain(text.split_whitespace()).collect::<Vec<_>>().join(" ")
}

/// The command as it succeeded, if it had options or variables that it had not when it failed.
pub fn differently(failed: &Run, success: &Run) -> Option<String> {
    let other = failed.known.iter().find_map(|known| {
        let new = |other: &&Known| {
            other.name == known.name && other.with.iter().any(|word| !known.with.contains(word))
        };
        success.known.iter().find(new)
    })?;
    let same = |command: &&Command| topics::pattern(command).as_deref() == Some(&other.name);
    let command = success.commands.iter().rfind(same)?;
    let line = success.deed.text("command").trim();
    if success.commands.len() == 1
        && line.len() <= LONGEST_LINE
        && !command.variables.iter().any(|name| is_secret(name))
    {
        return Some(line.to_owned());
    }
    let variables = command.variables.iter().map(|name| format!("{name}=… ")).collect::<String>();
    Some(format!("{variables}{}", told(command)))
}

/// Files that say how something is run, not what it does.
pub fn is_configuration(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let named = [
        "makefile",
        "dockerfile",
        "justfile",
        "procfile",
        "gemfile",
        "cargo.toml",
        "jenkinsfile",
        "rakefile",
    ];
    named.iter().any(|known| name.starts_with(known))
        || name.starts_with('.')
        || [
            "json",
            "yml",
            "yaml",
            "toml",
            "ini",
            "cfg",
            "conf",
            "env",
            "properties",
            "xml",
            "lock",
            "tf",
            "gradle",
            "nix",
        ]
        .contains(&extension)
        || name.contains(".config.")
}
