//! A hook's reply as the client interprets it. This module does not use the program's own types, because an
//! evaluation must not share a mistake with the code that it evaluates.

use serde::Deserialize;
use serde_json::Value;

/// A hook's requests to the client.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Reply {
    r#continue: Option<bool>,
    stop_reason: Option<String>,
    decision: Option<String>,
    reason: Option<String>,
    system_message: Option<String>,
    hook_specific_output: EventOutput,
}

/// The part of a reply that belongs to one kind of event.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct EventOutput {
    permission_decision: Option<String>,
    permission_decision_reason: Option<String>,
    updated_input: Option<Value>,
    updated_tool_output: Option<Value>,
    additional_context: Option<String>,
}

impl Reply {
    /// Reads a hook's standard output; `None` if it is empty or not one JSON object.
    pub fn read(output: &str) -> Option<Self> {
        serde_json::from_str(output).ok()
    }

    /// Returns the text that the model gets.
    pub fn injected(&self) -> String {
        let block = self.reason.as_ref().filter(|_| self.decision.as_deref() == Some("block"));
        let texts = self.hook_specific_output.additional_context.iter().chain(block);
        texts.map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// Returns a line for each other request of the hook.
    pub fn actions(&self) -> Vec<String> {
        let EventOutput { permission_decision, permission_decision_reason, .. } = &self.hook_specific_output;
        let because = permission_decision_reason.as_deref().unwrap_or_default();
        let permission = permission_decision.as_deref().and_then(permission_in_words);
        let permission = permission.map(|words| format!("({words}: {because})"));
        let EventOutput { updated_input, updated_tool_output, .. } = &self.hook_specific_output;
        let input = updated_input.as_ref().map(|input| format!("(the tool's input becomes {input})"));
        let output =
            updated_tool_output.as_ref().map(|output| format!("(the tool's output becomes {output})"));
        let stop = (self.r#continue == Some(false))
            .then(|| format!("(ends the turn: {})", self.stop_reason.as_deref().unwrap_or_default()));
        let notice = self.system_message.as_ref().map(|notice| format!("(tells the person: {notice})"));
        [permission, input, output, stop, notice].into_iter().flatten().collect()
    }
}

fn permission_in_words(decision: &str) -> Option<&'static str> {
    match decision {
        "allow" => Some("allows it"),
        "ask" => Some("asks the person"),
        "deny" => Some("denies it"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn context_and_the_reason_of_a_block_reach_the_model() {
        let reply = json!({
            "decision": "block", "reason": "not yet", "hookSpecificOutput": {"additionalContext": "a note"},
        });

        assert_eq!(Reply::read(&reply.to_string()).unwrap().injected(), "a note\nnot yet");
    }

    #[test]
    fn every_other_request_of_a_hook_is_a_line() {
        let reply = json!({
            "continue": false, "stopReason": "enough", "systemMessage": "for you", "hookSpecificOutput": {
                "permissionDecision": "ask", "permissionDecisionReason": "because",
                "updatedInput": {"command": "true"},
            },
        });

        let reply = Reply::read(&reply.to_string()).unwrap();

        assert_eq!(
            (reply.injected().as_str(), reply.actions()),
            (
                "",
                [
                    "(asks the person: because)",
                    "(the tool's input becomes {\"command\":\"true\"})",
                    "(ends the turn: enough)",
                    "(tells the person: for you)",
                ]
                .map(str::to_owned)
                .into()
            )
        );
    }

    #[test]
    fn output_that_is_not_one_object_is_not_a_reply() {
        for output in ["", "hello", "3", "{", "{} {}"] {
            assert_eq!(Reply::read(output), None, "{output}");
        }
    }
}
