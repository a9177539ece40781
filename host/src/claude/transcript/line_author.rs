//! Tells whether a person typed the prompt on a line. The client also writes hooks' context, messages of
//! other agents, chats and timers, and results of tools as the user's lines, and newer ones add more kinds.
//! So a line counts only if everything that it says about itself is known from a prompt that a person typed.

use serde_json::Value;

use super::Role;
use crate::claude::payload::Payload;

/// Fields of a line that a person typed, as recorded with the client 2.1.329 (`tests/fixtures`).
const TYPED_FIELDS: [&str; 22] = [
    "type",
    "message",
    "uuid",
    "parentUuid",
    "timestamp",
    "sessionId",
    "session_id",
    "promptId",
    "promptSource",
    "permissionMode",
    "origin",
    "turnOrigin",
    "turnPosition",
    "userType",
    "entrypoint",
    "cwd",
    "version",
    "gitBranch",
    "slug",
    // Of older clients.
    "thinkingMetadata",
    "todos",
    "imagePasteIds",
];

/// Further fields of a line with a prompt that waited until the assistant had ended its step.
const QUEUED_LINE_FIELDS: [&str; 3] = ["attachment", "rendered", "renderedRole"];

/// Fields of such a prompt.
const TYPED_QUEUED_FIELDS: [&str; 9] = [
    "type",
    "prompt",
    "commandMode",
    "origin",
    "source_uuid",
    "imagePasteIds",
    "timestamp",
    "typedByPerson",
    "humanTurn",
];

/// Values of `promptSource` and `turnOrigin` of a prompt that a person typed, here or into an editor.
const TYPED_SOURCES: [&str; 3] = ["typed", "queued", "sdk"];
const TYPED_TURNS: [&str; 2] = ["human", "sdk"];

/// Kinds of blocks that a prompt consists of.
const PROMPT_BLOCKS: [&str; 3] = ["text", "image", "document"];

/// Returns the author of the text on a line of the type `user`: the person, or nobody known.
pub(super) fn of_prompt(line: &Payload<'_>, message: &Value) -> Role {
    let is_typed = has_only_typed_fields(line, &[])
        && is_person(&line.tree("origin"))
        && is_one_of(&line.tree("promptSource"), &TYPED_SOURCES)
        && is_one_of(&line.tree("turnOrigin"), &TYPED_TURNS)
        && has_only(message, &["role", "content"])
        && is_one_of(&message["role"], &["user"])
        && is_prompt(&message["content"]);
    role(is_typed)
}

/// Returns the author of a prompt that waited until the assistant had ended its step.
pub(super) fn of_queued(line: &Payload<'_>, attachment: &Value) -> Role {
    let is_typed = has_only_typed_fields(line, &QUEUED_LINE_FIELDS)
        && has_only(attachment, &TYPED_QUEUED_FIELDS)
        && is_one_of(&attachment["commandMode"], &["prompt", "bash"])
        && is_person(&attachment["origin"])
        && is_prompt(&attachment["prompt"]);
    role(is_typed)
}

fn has_only_typed_fields(line: &Payload<'_>, more: &[&str]) -> bool {
    line.fields().all(|(name, json)| is_off(json) || TYPED_FIELDS.contains(&name) || more.contains(&name))
}

fn role(is_typed: bool) -> Role {
    if is_typed { Role::User } else { Role::Tool }
}

/// Tells whether a field says nothing: a flag that is off, or no value.
pub(super) fn is_off(json: &str) -> bool {
    matches!(json, "false" | "null")
}

/// Tells whether an `origin` is absent, as older clients leave it, or says that a person typed, and nothing
/// else.
fn is_person(origin: &Value) -> bool {
    origin.is_null() || *origin == serde_json::json!({"kind": "human"})
}

fn is_one_of(value: &Value, known: &[&str]) -> bool {
    value.is_null() || value.as_str().is_some_and(|value| known.contains(&value))
}

fn has_only(object: &Value, known: &[&str]) -> bool {
    let is_known = |(name, value): (&String, &Value)| {
        value.is_null() || *value == false || known.contains(&name.as_str())
    };
    object.as_object().is_some_and(|object| object.iter().all(is_known))
}

fn is_prompt(content: &Value) -> bool {
    let is_block = |block: &Value| block["type"].as_str().is_some_and(|kind| PROMPT_BLOCKS.contains(&kind));
    content.is_string() || content.as_array().is_some_and(|blocks| blocks.iter().all(is_block))
}
