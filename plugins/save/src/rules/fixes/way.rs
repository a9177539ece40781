//! In which way a command was run, and which files say so.

use topics::Command;

use crate::rules::runs::{Known, Run, is_secret, shown};
use crate::word_lists::{CONFIGURATION_EXTENSIONS, CONFIGURATION_NAMES};

/// Bytes of a command line that is told as it is.
const LONGEST_LINE: usize = 120;

/// The command as it succeeded, if it had options or variables that it had not when it failed.
pub fn differently(failed: &Run, success: &Run) -> Option<String> {
    let other = failed.known.iter().find_map(|known| {
        let new = |other: &&Known| {
            other.name == known.name && other.with.iter().any(|word| !known.with.contains(word))
        };
        success.known.iter().find(new)
    })?;
    let same = |command: &&Command| topics::topic_name(command).as_deref() == Some(&other.name);
    let command = success.commands.iter().rfind(same)?;
    let line = success.deed.text("command").trim();
    if success.commands.len() == 1
        && line.len() <= LONGEST_LINE
        && !command.variables.iter().any(|name| is_secret(name))
    {
        return Some(line.to_owned());
    }
    let variables = command.variables.iter().map(|name| format!("{name}=… ")).collect::<String>();
    Some(format!("{variables}{}", shown(command, line)))
}

/// Files that say how something is run, not what it does.
pub fn is_configuration(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    CONFIGURATION_NAMES.iter().any(|known| name.starts_with(*known))
        || CONFIGURATION_EXTENSIONS.has(extension)
        || name.contains(".config.")
}
