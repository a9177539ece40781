//! A reply read back from the wire, as the client would take it: for whoever plays the client's side.

use serde::Deserialize;
use serde_json::Value;

use super::{Permission, Reply};

impl Reply {
    /// What a hook's standard output says; `None` where it is not one JSON object, or is empty.
    pub fn from_json(output: &str) -> Option<Reply> {
        let output: Output = serde_json::from_str(output).ok()?;
        let specific = output.hook_specific_output;
        let reason = specific.permission_decision_reason.unwrap_or_default();
        Some(Reply {
            continue_turn: false,
            permission: specific.permission_decision.and_then(|word| Some((permission(&word)?, reason))),
            updated_input: specific.updated_input,
            updated_output: specific.updated_tool_output,
            context: specific.additional_context,
            block: output
                .decision
                .filter(|decision| decision == "block")
                .map(|_| output.reason.unwrap_or_default()),
            stop: output
                .r#continue
                .filter(|goes_on| !goes_on)
                .map(|_| output.stop_reason.unwrap_or_default()),
            notice: output.system_message,
        })
    }
}

fn permission(word: &str) -> Option<Permission> {
    match word {
        "allow" => Some(Permission::Allow),
        "ask" => Some(Permission::Ask),
        "deny" => Some(Permission::Deny),
        _ => None,
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Output {
    r#continue: Option<bool>,
    stop_reason: Option<String>,
    decision: Option<String>,
    reason: Option<String>,
    system_message: Option<String>,
    #[serde(default)]
    hook_specific_output: Specific,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Specific {
    permission_decision: Option<String>,
    permission_decision_reason: Option<String>,
    updated_input: Option<Value>,
    updated_tool_output: Option<Value>,
    additional_context: Option<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_written_is_read_back() {
        let tool = Reply {
            context: Some("a note".to_owned()),
            permission: Some((Permission::Ask, "because".to_owned())),
            updated_input: Some(json!({"command": "true"})),
            notice: Some("for you".to_owned()),
            ..Reply::default()
        };
        let prompt =
            Reply { block: Some("no".to_owned()), stop: Some("enough".to_owned()), ..Reply::default() };

        for (event, reply) in [("PreToolUse", tool), ("UserPromptSubmit", prompt)] {
            assert_eq!(Reply::from_json(&reply.to_json(event).unwrap()), Some(reply), "{event}");
        }
    }

    #[test]
    fn what_is_not_an_object_says_nothing() {
        for output in ["", "hello", "3", "{", "{} {}"] {
            assert_eq!(Reply::from_json(output), None, "{output}");
        }
    }
}
