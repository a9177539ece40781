//! The reply to an event: one JSON object on standard output, or nothing.
//!
//! Each event accepts only some parts of a reply, and one part too many makes the client drop the whole
//! output or show it to the wrong reader. [`ReplyCapabilities`] says which event accepts what, and
//! [`Reply::to_json`] leaves out the rest. The pipeline has decided before which layer may contribute what,
//! and how much.

use serde::Serialize;
use serde_json::Value;

use super::reply_capabilities::{ContextOutput, ReplyCapabilities};

/// Maximum length of each text in UTF-16 units. Of a longer text the client shows the model a preview of
/// 2,000 units.
pub const MAX_TEXT_UNITS: usize = 10_000;

/// Returns the length of a text in UTF-16 units, as Claude Code counts it.
pub fn utf16_len(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The answer to an event. The default is empty and prints nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    /// Text for the model.
    pub context: Option<String>,
    /// Whether context may make the model continue. On Stop and SubagentStop it always does, so without this
    /// flag it is left out there.
    pub continue_turn: bool,
    /// Whether the tool may run, with a reason for the person, or on deny for the model.
    pub permission: Option<(Permission, String)>,
    /// New input for the tool. Anything but a JSON object is left out.
    pub updated_input: Option<Value>,
    /// What the model sees instead of the tool's output, in the shape of that tool's output.
    pub updated_output: Option<Value>,
    /// Blocks the event for this reason. On Stop this makes the model continue.
    pub block: Option<String>,
    /// Ends the turn, with a reason for the person.
    pub stop: Option<String>,
    /// A line for the person that the model does not see.
    pub notice: Option<String>,
}

/// A decision about a tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Run the tool without asking the person.
    Allow,
    /// Ask the person.
    Ask,
    /// Do not run the tool.
    Deny,
}

impl Reply {
    /// Returns the parts of a reply that the event with this `hook_event_name` accepts.
    pub fn capabilities(event: &str) -> ReplyCapabilities {
        ReplyCapabilities::of(event)
    }

    /// Adds the refusal or question of another reply. The strictest permission applies, with all reasons for
    /// it.
    #[must_use]
    pub fn with_verdict_of(mut self, other: Self) -> Self {
        let verdict = other.permission.filter(|(permission, _)| *permission > Permission::Allow);
        self.permission = match (self.permission, verdict) {
            (Some((now, mut reasons)), Some((new, reason))) if now == new => {
                reasons.push('\n');
                reasons.push_str(&reason);
                Some((now, reasons))
            }
            (Some(now), Some(new)) => Some(if new.0 > now.0 { new } else { now }),
            (now, new) => now.or(new),
        };
        self
    }

    /// Adds a line for the person.
    pub fn add_notice(&mut self, line: &str) {
        self.notice = Some(match self.notice.take() {
            Some(before) => format!("{before}\n{line}"),
            None => line.to_owned(),
        });
    }

    /// Serializes the parts that the event accepts as one line of JSON; `None` if nothing is left.
    pub fn to_json(&self, event: &str) -> Option<String> {
        let output = self.output(event);
        (output != Output::default())
            .then(|| serde_json::to_string(&output).expect("strings and JSON values always serialize"))
    }

    fn output<'a>(&'a self, event: &'a str) -> Output<'a> {
        let accepts = ReplyCapabilities::of(event);
        let block = self.block.as_deref().filter(|_| accepts.block);
        let stop = self.stop.as_deref().filter(|_| accepts.stop_and_notice);
        Output {
            r#continue: stop.map(|_| false),
            stop_reason: stop.and_then(non_blank),
            decision: block.map(|_| "block"),
            reason: block.and_then(non_blank),
            system_message: self.notice.as_deref().filter(|_| accepts.stop_and_notice).and_then(non_blank),
            hook_specific_output: self.event_output(event, accepts),
        }
    }

    fn event_output<'a>(&'a self, event: &'a str, accepts: ReplyCapabilities) -> Option<EventOutput<'a>> {
        let is_shown = match accepts.context {
            ContextOutput::Hidden => false,
            ContextOutput::Shown => true,
            ContextOutput::Continues => self.continue_turn,
        };
        let permission = self.permission.as_ref().filter(|_| accepts.permission);
        let output = EventOutput {
            hook_event_name: event,
            permission_decision: permission.map(|(decision, _)| *decision),
            permission_decision_reason: permission.and_then(|(_, reason)| non_blank(reason)),
            updated_input: self
                .updated_input
                .as_ref()
                .filter(|input| accepts.updated_input && input.is_object()),
            updated_tool_output: self.updated_output.as_ref().filter(|_| accepts.updated_output),
            additional_context: self.context.as_deref().filter(|_| is_shown).and_then(non_blank),
        };
        (output != EventOutput { hook_event_name: event, ..EventOutput::default() }).then_some(output)
    }
}

/// Returns the text unless it is blank.
fn non_blank(text: &str) -> Option<&str> {
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
    hook_specific_output: Option<EventOutput<'a>>,
}

/// The part of the output that names its event. With a wrong name the client drops the whole output.
#[derive(Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct EventOutput<'a> {
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
#[path = "reply_tests.rs"]
mod tests;
