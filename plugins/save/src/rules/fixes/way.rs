//! In which way a command was run, and which files say so.

use topics::Command;

use crate::rules::runs::Run;

/// A command in one line.
pub fn told(command: &Command) -> String {
    let sudo = command.elevated.then_some("sudo");
    let text = command.text();
    sudo.into_iter().chain(text.split_whitespace()).collect::<Vec<_>>().join(" ")
}

/// The command as it succeeded, if options or variables differ.
pub fn differently(failed: &Run, success: &Run) -> Option<String> {
    failed.known.iter().zip(&failed.commands).find_map(|(known, _)| {
        let same =
            success.known.iter().position(|other| other.name == known.name && other.with != known.with)?;
        let mut named = success
            .commands
            .iter()
            .filter(|command| topics::pattern(command).as_deref() == Some(&success.known[same].name));
        let command = named.next_back()?;
        let variables = command.variables.iter().map(|name| format!("{name}=… ")).collect::<String>();
        Some(format!("{variables}{}", told(command)))
    })
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
