//! What Claude Code is told: one JSON object on standard output, or nothing.
//!
//! Each event takes only some parts of a reply, and one part out of place makes the client drop the whole
//! output or hand it to the wrong reader. So [`ReplyCapabilities`] says which event takes what, and [`Reply::to_json`]
//! leaves the rest out. What may be said, by whom and how much of it is decided before a reply gets here.

mod takes;

use serde::Serialize;
use serde_json::Value;

pub use takes::{ContextOutput, ReplyCapabilities};

/// The client shows at most this many UTF-16 units of each text; of more, the model sees a preview of 2,000
/// units.
pub const MAX_TEXT_UNITS: usize = 10_000;

/// The length of a text as Claude Code counts it: UTF-16 code units.
pub fn utf16_len(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// What the hook wants of Claude Code. Empty by default, which says nothing at all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    /// Text for the model.
    pub context: Option<String>,
    /// On Stop and SubagentStop context makes the model go on; only with this set is it given to them.
    pub continue_turn: bool,
    /// Whether the tool may run, and why; the reason is for the person, or on deny for the model.
    pub permission: Option<(Permission, String)>,
    /// The input the tool gets instead: a JSON object, anything else is left out.
    pub updated_input: Option<Value>,
    /// What the model sees instead of the tool's output, in the shape of that tool's own.
    pub updated_output: Option<Value>,
    /// Refuses what was about to happen, or what happened, for this reason. On Stop it makes the model go on.
    pub block: Option<String>,
    /// Ends the turn; the reason is for the person.
    pub stop: Option<String>,
    /// A line for the person; the model does not see it.
    pub notice: Option<String>,
}

/// What the client does with a tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Run it without asking the person.
    Allow,
    /// Ask the person.
    Ask,
    /// Do not run it.
    Deny,
}

impl Reply {
    /// What `event` takes of a reply, by its name on the wire.
    pub fn capabilities(event: &str) -> ReplyCapabilities {
        ReplyCapabilities::of(event)
    }

    /// The reply on the wire: exactly one JSON object without line breaks, or `None` when nothing is left to
    /// say.
    pub fn to_json(&self, event: &str) -> Option<String> {
        let output = self.output(event);
        (output != Output::default()).then(|| {
            serde_json::to_string(&output).expect("texts and JSON values always serialise into a string")
        })
    }

    fn output<'a>(&'a self, event: &'a str) -> Output<'a> {
        let takes = ReplyCapabilities::of(event);
        let block = self.block.as_deref().filter(|_| takes.block);
        let stop = self.stop.as_deref().filter(|_| takes.stop_and_notice);
        Output {
            r#continue: stop.map(|_| false),
            stop_reason: stop.and_then(said),
            decision: block.map(|_| "block"),
            reason: block.and_then(said),
            system_message: self.notice.as_deref().filter(|_| takes.stop_and_notice).and_then(said),
            hook_specific_output: self.specific(event, takes),
        }
    }

    fn specific<'a>(&'a self, event: &'a str, takes: ReplyCapabilities) -> Option<Specific<'a>> {
        let shown = match takes.context {
            ContextOutput::Hidden => false,
            ContextOutput::Shown => true,
            ContextOutput::Continues => self.continue_turn,
        };
        let permission = self.permission.as_ref().filter(|_| takes.permission);
        let specific = Specific {
            hook_event_name: event,
            permission_decision: permission.map(|(decision, _)| *decision),
            permission_decision_reason: permission.and_then(|(_, reason)| said(reason)),
            updated_input: self
                .updated_input
                .as_ref()
                .filter(|input| takes.updated_input && input.is_object()),
            updated_tool_output: self.updated_output.as_ref().filter(|_| takes.updated_output),
            additional_context: self.context.as_deref().filter(|_| shown).and_then(said),
        };
        (specific != Specific { hook_event_name: event, ..Specific::default() }).then_some(specific)
    }
}

/// The text, where it says something.
fn said(text: &str) -> Option<&str> {
    (!text.trim().is_empty()).then_some(text)
}

/// The object on standard output.
#[derive(Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#continue: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Specific<'a>>,
}

/// The part of the output that must name its event: with another name the client drops everything.
#[derive(Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Specific<'a> {
    hook_event_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<Permission>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_input: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_tool_output: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<&'a str>,
}

#[cfg(test)]
mod tests;
