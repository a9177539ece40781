//! Text that Claude Code itself puts into prompts and tool results: reminders, notifications, command output,
//! frames around commands. The transcript reader removes it, so
//! layers see what a person, the assistant or a tool wrote. How such text looks is listed in
//! [`interleaf_text::client_text`].

use std::borrow::Cow;

use interleaf_text::client_text::{
    ADDED_ELEMENTS, MESSAGE_ELEMENTS, MESSAGE_OPENINGS, REMINDER, TASK_NOTIFICATION, is_reminder,
};

use super::memory_block::{MEMORY_ELEMENT, element_content, without_elements, without_memory_blocks};

/// First words of a tool result that says that a person stopped the tool or refused it.
const REFUSAL_OPENINGS: [&str; 3] = [
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "[Request interrupted by user",
];

/// Elements whose tags must not appear in text that is shown to the model: they would end a block of memories
/// or pose as the client's own text.
pub const RESERVED_ELEMENTS: [&str; 3] = [MEMORY_ELEMENT, REMINDER, TASK_NOTIFICATION];

/// Returns the part of a prompt that a person wrote; empty if there is none.
pub(super) fn person_text(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if MESSAGE_OPENINGS.iter().any(|opening| text.starts_with(opening)) || is_reminder(text) {
        return Cow::Borrowed("");
    }
    if let Some(command) = typed_command(text) {
        return Cow::Owned(command);
    }
    let client_elements = [&MESSAGE_ELEMENTS[..], &ADDED_ELEMENTS].concat();
    without_added_text(text, &client_elements)
}

/// Returns the assistant's text without blocks of memories.
pub(super) fn assistant_text(text: &str) -> Cow<'_, str> {
    without_memory_blocks(text)
}

/// Returns a tool's output without reminders and blocks of memories.
pub(super) fn tool_text(text: &str) -> Cow<'_, str> {
    without_added_text(text, &[REMINDER])
}

fn without_added_text<'t>(text: &'t str, elements: &[&str]) -> Cow<'t, str> {
    match without_elements(text, elements) {
        Cow::Borrowed(text) => without_memory_blocks(text),
        Cow::Owned(text) => Cow::Owned(without_memory_blocks(&text).into_owned()),
    }
}

/// Returns what a person typed if the client has framed it: a slash command, a shell line or a note for its
/// memory.
fn typed_command(text: &str) -> Option<String> {
    if text.starts_with("<command-name>") || text.starts_with("<command-message>") {
        let name = element_content(text, "command-name")?.trim_start_matches('/');
        let arguments = element_content(text, "command-args").unwrap_or_default();
        return Some(format!("/{name} {arguments}").trim_end().to_owned());
    }
    if text.starts_with("<bash-input>") {
        return element_content(text, "bash-input").map(|line| format!("!{line}"));
    }
    let note = text.starts_with("<user-memory-input>").then(|| element_content(text, "user-memory-input"))?;
    note.map(str::to_owned)
}

/// Tells whether a tool result says that a person stopped or refused the tool.
pub(super) fn is_refusal(result: &str) -> bool {
    REFUSAL_OPENINGS.iter().any(|opening| result.trim_start().starts_with(opening))
}
