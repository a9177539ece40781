//! The plugin's slash commands as files of a project.
//!
//! A plugin's commands all have its name before theirs, and `/memory` alone is Claude Code's own. Only a file of the
//! project or of the person takes that name, so whoever wants it has to ask for it.

use crate::error::Result;

use super::file_edit::Changes;

/// The files, from the project's root, and their texts.
const FILES: [(&str, &str); 4] = [
    (".claude/commands/memory.md", include_str!("../../../../claude-plugin/commands/memory.md")),
    (".claude/commands/memory/config.md", include_str!("../../../../claude-plugin/commands/config.md")),
    (".claude/commands/memory/search.md", include_str!("../../../../claude-plugin/commands/search.md")),
    (".claude/commands/memory/save.md", include_str!("../../../../claude-plugin/commands/save.md")),
];

/// The folders that hold them and nothing else of ours, the inner one first.
pub(crate) const FOLDERS: [&str; 2] = [".claude/commands/memory", ".claude/commands"];

/// Adds those that are not there. What somebody else has put there stays.
pub(super) fn add(changes: &mut Changes) -> Result<()> {
    for (name, text) in FILES {
        let file = changes.file(name)?;
        if !file.existed() {
            file.set(text.to_owned(), format!("answers to {}", typed(name)));
        } else if file.text() != text {
            changes.note(format!("{name} is there already, with other words; it was left"));
        }
    }
    Ok(())
}

/// Removes those that are as they were made; `made` names what was.
pub(crate) fn remove(changes: &mut Changes, made: &[String]) -> Result<()> {
    for (name, text) in FILES.into_iter().filter(|(name, _)| made.iter().any(|it| it == name)) {
        let file = changes.file(name)?;
        if file.existed() && file.text() == text {
            file.delete();
        } else if file.existed() {
            changes.note(format!("{name} is not as init made it; it was left"));
        }
    }
    Ok(())
}

/// How the command in a file is typed.
fn typed(name: &str) -> String {
    let path = name.trim_start_matches(".claude/commands/").trim_end_matches(".md");
    format!("/{}", path.replace('/', ":"))
}
