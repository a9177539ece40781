//! The plugin's slash commands as files of a project.
//!
//! The commands of a plugin have its name as a prefix, and `/memory` without a prefix is Claude Code's own
//! command. Only a file of the project or of the user can replace it, so `init` writes these files only on
//! request.

use crate::command::file_edit::FileEdits;
use crate::error::Result;

/// The paths of the files, relative to the project's root, and their texts.
const COMMAND_FILES: [(&str, &str); 4] = [
    (".claude/commands/memory.md", include_str!("../../../../claude-plugin/commands/memory.md")),
    (".claude/commands/memory/config.md", include_str!("../../../../claude-plugin/commands/config.md")),
    (".claude/commands/memory/search.md", include_str!("../../../../claude-plugin/commands/search.md")),
    (".claude/commands/memory/save.md", include_str!("../../../../claude-plugin/commands/save.md")),
];

/// The folders of the files, inner folder first.
pub(crate) const COMMAND_FOLDERS: [&str; 2] = [".claude/commands/memory", ".claude/commands"];

/// Adds the files that do not exist.
pub(super) fn add(edits: &mut FileEdits) -> Result<()> {
    for (name, text) in COMMAND_FILES {
        let file = edits.file(name)?;
        if !file.existed() {
            file.set(text.to_owned(), format!("adds the command {}", typed_command(name)));
        } else if file.text() != text {
            edits.note(format!("{name} exists with another text and was not changed"));
        }
    }
    Ok(())
}

/// Removes the files that `init` created and that are unchanged since.
pub(crate) fn remove(edits: &mut FileEdits, created: &[String]) -> Result<()> {
    for (name, text) in COMMAND_FILES.into_iter().filter(|(name, _)| created.iter().any(|it| it == name)) {
        let file = edits.file(name)?;
        if file.existed() && file.text() == text {
            file.delete();
        } else if file.existed() {
            edits.note(format!("{name} was changed after init created it and was not removed"));
        }
    }
    Ok(())
}

/// Returns the command of a file as a person types it.
fn typed_command(file: &str) -> String {
    let path = file.trim_start_matches(".claude/commands/").trim_end_matches(".md");
    format!("/{}", path.replace('/', ":"))
}
