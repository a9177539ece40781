//! Tells who wrote the prompt on a line. The client also writes hooks' context, messages of other agents,
//! chats and timers, and results of tools as the user's lines.
//!
//! What excludes the person is known: a field, or the value of one, that the client writes for a machine
//! only. What is not known lowers the trust: newer clients add fields to what people type, too. And since the
//! client 2.1.165 every typed line carries a sign of its own; a line without it is nobody's, because the sign
//! of a machine may have been renamed.

use serde_json::Value;

use super::Role;
use crate::claude::payload::Payload;

/// Who wrote a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Author {
    /// The person, for certain.
    Person,
    /// The person, as far as can be told: the line holds something that this version does not know, or a
    /// script may have sent it (`claude -p`, the SDK).
    Unsure,
    /// A machine, or nobody known.
    Nobody,
}

impl Author {
    /// Returns the role of the text.
    pub(super) const fn role(self) -> Role {
        match self {
            Self::Person | Self::Unsure => Role::User,
            Self::Nobody => Role::Tool,
        }
    }
}

/// Fields of a line that a person typed, as recorded with the clients up to 2.1.332.
const TYPED_FIELDS: [&str; 25] = [
    "type",
    "message",
    "uuid",
    "parentUuid",
    "timestamp",
    "sentAtMs",
    "sessionId",
    "session_id",
    "promptId",
    "promptSource",
    "rowSource",
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
    "thread",
    // Of older clients.
    "thinkingMetadata",
    "todos",
    "imagePasteIds",
];

/// Fields that only lines of machines have: results of tools, messages of other agents and of the client.
const MACHINE_FIELDS: [&str; 10] = [
    "toolUseResult",
    "sourceToolUseID",
    "sourceToolAssistantUUID",
    "teamName",
    "agentName",
    "agentId",
    "hookName",
    "turnCompanion",
    "wakeupSource",
    "planContent",
];

/// Those of them that a tool's result has, beside which a person's note on the call may stand. The last one
/// is on the result of every call.
const RESULT_FIELDS: [&str; 3] = ["toolUseResult", "sourceToolUseID", CALL_FIELD];
const CALL_FIELD: &str = "sourceToolAssistantUUID";

/// Fields of the `origin` of a message that came through a chat.
const CHAT_FIELDS: [&str; 2] = ["channel", "server"];

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

/// Values of `promptSource` and `turnOrigin` that say that a person typed; that the prompt came over the SDK;
/// and that a machine wrote it.
const TYPED: [&str; 3] = ["typed", "queued", "human"];
const SDK: &str = "sdk";
const WRITTEN: [&str; 4] = ["system", "suggestion_accepted", "scheduled", "companion"];

/// How the `entrypoint` of programs on the SDK begins. That of editors is their name.
const SCRIPT_ENTRYPOINT: &str = "sdk-";

/// The first client that says of every typed line that it was typed.
const FIRST_SIGNING_CLIENT: [u32; 3] = [2, 1, 165];

/// Elements that the client puts around what a person typed behind `!`, `/` or `#`. These lines bear no sign.
const TYPED_ELEMENTS: [&str; 4] =
    ["<bash-input>", "<command-name>", "<command-message>", "<user-memory-input>"];

/// Kinds of blocks that a prompt consists of.
const PROMPT_BLOCKS: [&str; 3] = ["text", "image", "document"];

/// What a line says about its author.
#[derive(Debug, Default)]
struct Signs {
    /// Something only a machine's line says.
    is_machine: bool,
    /// The line says that a person typed it.
    is_typed: bool,
    /// It holds something unknown.
    is_unknown: bool,
}

/// Returns the author of the text on a line of the type `user`.
pub(super) fn of_prompt(line: &Payload<'_>, message: &Value) -> Author {
    let mut signs = Signs::default();
    signs.read_fields(line, &[]);
    signs.read_origin(&line.tree("origin"));
    signs.read_source(&line.tree("promptSource"));
    signs.read_source(&line.tree("turnOrigin"));
    let is_role = message["role"].is_null() || message["role"] == "user";
    let content = &message["content"];
    signs.is_machine |= !is_role || !is_prompt(content);
    let is_framed = |text: &str| TYPED_ELEMENTS.iter().any(|element| text.starts_with(element));
    signs.is_typed |= content.as_str().is_some_and(is_framed);
    let fields = message.as_object().into_iter().flatten();
    signs.is_unknown |= fields
        .into_iter()
        .any(|(name, value)| !is_nothing(value) && !matches!(name.as_str(), "role" | "content"));
    signs.author(line)
}

/// Returns the author of a prompt that waited until the assistant had ended its step.
pub(super) fn of_queued(line: &Payload<'_>, attachment: &Value) -> Author {
    let mut signs = Signs::default();
    signs.read_fields(line, &QUEUED_LINE_FIELDS);
    signs.read_origin(&attachment["origin"]);
    signs.is_typed |= ["typedByPerson", "humanTurn"].iter().any(|name| attachment[*name] == true);
    let mode = &attachment["commandMode"];
    signs.is_machine |=
        !is_prompt(&attachment["prompt"]) || mode.is_string() && mode != "prompt" && mode != "bash";
    let fields = attachment.as_object().into_iter().flatten();
    signs.is_unknown |= fields
        .into_iter()
        .any(|(name, value)| !is_nothing(value) && !TYPED_QUEUED_FIELDS.contains(&name.as_str()));
    signs.author(line)
}

/// Returns the author of the text beside a tool's result: the client adds there what a person typed while
/// approving the call, without a sign. What a tool printed stands in the result itself.
pub(super) fn of_note(line: &Payload<'_>) -> Author {
    let fields = line.fields().filter(|(_, json)| !is_off(json));
    let is_machine = |name: &str| MACHINE_FIELDS.contains(&name) && !RESULT_FIELDS.contains(&name);
    let is_of_call = line.json(CALL_FIELD).is_some_and(|json| !is_off(json));
    let mut signs = Signs { is_machine: !is_of_call, is_typed: true, ..Signs::default() };
    fields.for_each(|(name, _)| signs.is_machine |= is_machine(name));
    signs.read_origin(&line.tree("origin"));
    signs.author(line)
}

/// Returns the fields of a typed line that this version does not know.
pub(super) fn unknown_fields(line: &Payload<'_>) -> Vec<String> {
    let is_known = |name: &str| TYPED_FIELDS.contains(&name) || MACHINE_FIELDS.contains(&name);
    let unknown = line.fields().filter(|(name, json)| !is_off(json) && !is_known(name));
    unknown.map(|(name, _)| name.to_owned()).collect()
}

impl Signs {
    fn read_fields(&mut self, line: &Payload<'_>, more: &[&str]) {
        for (name, _) in line.fields().filter(|(_, json)| !is_off(json)) {
            self.is_machine |= MACHINE_FIELDS.contains(&name);
            self.is_unknown |= !TYPED_FIELDS.contains(&name) && !more.contains(&name);
        }
    }

    fn read_origin(&mut self, origin: &Value) {
        match origin {
            Value::Null => {}
            // Somebody else may write in a chat.
            origin if CHAT_FIELDS.iter().any(|name| origin.get(*name).is_some()) => self.is_machine = true,
            origin if origin["kind"] == "human" => {
                self.is_typed = true;
                self.is_unknown |= origin.as_object().is_some_and(|origin| origin.len() > 1);
            }
            _ => self.is_machine = true,
        }
    }

    fn read_source(&mut self, source: &Value) {
        match source.as_str() {
            None => self.is_unknown |= !source.is_null(),
            Some(source) if TYPED.contains(&source) => self.is_typed = true,
            // An editor or the desktop program, in which a person types; or a script.
            Some(SDK) => self.is_typed = true,
            Some(source) if WRITTEN.contains(&source) => self.is_machine = true,
            Some(_) => self.is_unknown = true,
        }
    }

    fn author(&self, line: &Payload<'_>) -> Author {
        match self {
            Self { is_machine: true, .. } => Author::Nobody,
            Self { is_typed: true, .. } if self.is_unknown || is_script(line) => Author::Unsure,
            Self { is_typed: true, .. } => Author::Person,
            // Without a sign of its own, an unknown field may be that of a machine.
            Self { is_unknown: true, .. } => Author::Nobody,
            _ if is_signing_client(line) => Author::Nobody,
            // Older clients only write which program sent the prompt.
            _ if is_script(line) => Author::Unsure,
            _ => Author::Person,
        }
    }
}

/// Tells whether `claude -p` or a program on the SDK sent a prompt.
pub(super) fn is_script(line: &Payload<'_>) -> bool {
    line.string("entrypoint").is_some_and(|entrypoint| entrypoint.starts_with(SCRIPT_ENTRYPOINT))
}

/// Tells whether the client that wrote a line signs what is typed. A line without a version is of an old one.
fn is_signing_client(line: &Payload<'_>) -> bool {
    let version = line.string("version").unwrap_or_default();
    let numbers: Vec<u32> = version.split('.').map_while(|number| number.parse().ok()).collect();
    !numbers.is_empty() && numbers >= FIRST_SIGNING_CLIENT.to_vec()
}

/// Tells whether a field says nothing: a flag that is off, or no value.
pub(super) fn is_off(json: &str) -> bool {
    matches!(json, "false" | "null")
}

fn is_nothing(value: &Value) -> bool {
    value.is_null() || *value == false
}

fn is_prompt(content: &Value) -> bool {
    let is_block = |block: &Value| block["type"].as_str().is_some_and(|kind| PROMPT_BLOCKS.contains(&kind));
    content.is_string() || content.as_array().is_some_and(|blocks| blocks.iter().all(is_block))
}
