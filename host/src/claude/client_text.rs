//! Text that Claude Code itself puts into prompts and tool results: reminders, notifications, command output,
//! frames around commands. The transcript reader removes it, so layers see what a person, the assistant or a
//! tool wrote. How such text looks is listed in [`interleaf_text::client_text`].
//!
//! A file or the output of a command inside an element may hold the element's closing tag. Text counts as a
//! person's only if every element around it is understood: each is cut up to its *last* closing tag, and if a
//! client's tag is left then, all of the text counts as a tool's.

use std::borrow::Cow;

use interleaf_text::client_text::{
    ADDED_ELEMENTS, MESSAGE_ELEMENTS, PASTED, REMINDER, begins_with_tag, holds_client_tag, is_client_message,
};
use interleaf_text::machine_text::{self, Split};

use super::elements::{content, take_pairs, without_elements, without_greedy};
use super::memory_block::{without_memory_blocks, without_truncated_block};

/// First words of a tool result that says that a person stopped the tool or refused it.
const REFUSAL_OPENINGS: [&str; 3] = [
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "[Request interrupted by user",
];

/// A text that the client sent in a person's name, by author.
#[derive(Debug, Default)]
pub(super) struct PromptText {
    /// What the person typed.
    pub(super) own: String,
    /// What they pasted, and text of which nobody knows the author. Not what the client itself wrote.
    pub(super) foreign: String,
    /// Whether there was anything besides the person's own words, including text of the client.
    pub(super) is_mixed: bool,
}

impl PromptText {
    /// Reads the text of a prompt.
    pub(super) fn read(text: &str) -> Self {
        let text = text.trim();
        match () {
            () if is_client_message(text) => Self::of_client(),
            () if begins_with_tag(text, "command-name") || begins_with_tag(text, "command-message") => {
                Self::of_command(text)
            }
            () if begins_with_tag(text, "bash-input") => Self::of_shell_command(text),
            () if begins_with_tag(text, "user-memory-input") => Self::of_note(text),
            () => Self::of_prompt(text),
        }
    }

    /// Reads a text that stands in the place of a prompt and that nobody is known to have typed.
    pub(super) fn of_nobody_known(text: &str) -> Self {
        let text = text.trim();
        match is_client_message(text) {
            true => Self::of_client(),
            false => Self::of_unknown_author(without_truncated_block(&without_greedy(text, &ADDED_ELEMENTS))),
        }
    }

    fn of_client() -> Self {
        Self { is_mixed: true, ..Self::default() }
    }

    /// Reads a prompt to which the client may have added elements.
    fn of_prompt(text: &str) -> Self {
        let elements = [&MESSAGE_ELEMENTS[..], &ADDED_ELEMENTS].concat();
        let rest = without_greedy(text, &elements);
        let rest = without_truncated_block(&rest);
        // The client escapes the closing tag in what it frames as pasted, so pairs can be told apart.
        let (parts, mut foreign) = take_pairs(rest, PASTED);
        let is_framed = parts[..] != [text];
        if parts.iter().any(|part| holds_client_tag(part)) {
            foreign.splice(0..0, parts);
            return Self { own: String::new(), foreign: joined(&foreign), is_mixed: true };
        }
        // A paste ends the paragraph before it, so each part is read by itself.
        let parts: Vec<Self> =
            parts.into_iter().map(|part| Self::of_split(machine_text::split(part))).collect();
        let own: Vec<&str> = parts.iter().map(|part| part.own.as_str()).collect();
        let pasted = parts.iter().map(|part| part.foreign.as_str());
        let is_mixed = is_framed || parts.iter().any(|part| part.is_mixed);
        Self { own: joined(&own), foreign: joined(&pasted.chain(foreign).collect::<Vec<_>>()), is_mixed }
    }

    /// Reads a slash command, which becomes `/name arguments`.
    fn of_command(text: &str) -> Self {
        let frame = ["command-message", "command-name", "command-args"];
        let is_framed = is_framed(text, &frame);
        let name = content(text, "command-name").unwrap_or_default().trim_start_matches('/');
        let arguments = content(text, "command-args").unwrap_or_default();
        let is_name = !name.is_empty() && !name.contains(['<', '\n']);
        if !is_framed || !is_name || holds_client_tag(arguments) {
            return Self::of_unknown_author(text);
        }
        let split = machine_text::split(arguments);
        Self { own: format!("/{name} {}", split.typed).trim_end().to_owned(), ..Self::of_split(split) }
    }

    /// Reads a shell command that a person typed. Its further lines may be the text of a file.
    fn of_shell_command(text: &str) -> Self {
        let Some(typed) = typed_in(text, "bash-input") else { return Self::of_unknown_author(text) };
        let (command, rest) = typed.split_once(['\n', '\r']).unwrap_or((typed, ""));
        Self { own: format!("!{command}"), foreign: rest.to_owned(), is_mixed: !rest.is_empty() }
    }

    /// Reads what a person typed for the client's own memory.
    fn of_note(text: &str) -> Self {
        let note = typed_in(text, "user-memory-input");
        note.map_or_else(|| Self::of_unknown_author(text), |note| Self::of_split(machine_text::split(note)))
    }

    fn of_split(split: Split) -> Self {
        let is_mixed = !split.pasted.is_empty() || split.is_doubtful;
        Self { own: split.typed, foreign: split.pasted, is_mixed }
    }

    fn of_unknown_author(text: &str) -> Self {
        Self { own: String::new(), foreign: text.to_owned(), is_mixed: true }
    }
}

/// Returns the content of the element `name` if the text consists of it.
fn typed_in<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    content(text, name).filter(|typed| is_framed(text, &[name]) && !holds_client_tag(typed))
}

/// Tells whether the text consists of these elements and of messages of the client.
fn is_framed(text: &str, elements: &[&str]) -> bool {
    without_greedy(text, &[elements, &MESSAGE_ELEMENTS].concat()).trim().is_empty()
}

fn joined(parts: &[&str]) -> String {
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n")
}

/// Returns the assistant's text without blocks of memories.
pub(super) fn assistant_text(text: &str) -> Cow<'_, str> {
    without_memory_blocks(text)
}

/// Returns a tool's output without reminders and blocks of memories.
pub(super) fn tool_text(text: &str) -> Cow<'_, str> {
    match without_elements(text, &[REMINDER]) {
        Cow::Borrowed(text) => without_memory_blocks(text),
        Cow::Owned(text) => Cow::Owned(without_memory_blocks(&text).into_owned()),
    }
}

/// Tells whether a tool result says that a person stopped or refused the tool.
pub(super) fn is_refusal(result: &str) -> bool {
    REFUSAL_OPENINGS.iter().any(|opening| result.trim_start().starts_with(opening))
}
