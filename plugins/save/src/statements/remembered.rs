//! What the agent saved itself with `interleaf remember`. It is not saved again.

use crate::finding::Finding;
use crate::session::calls::ToolCall;
use crate::transcript::Ending;
use interleaf_classifier::words::{likeness, stems};

/// Returns what the agent saved, in its words.
pub fn remembered(calls: &[ToolCall]) -> Vec<String> {
    let fine = calls.iter().filter(|call| call.ending() == Some(Ending::Fine));
    let commands = fine.filter_map(ToolCall::command).flat_map(interleaf_shell::commands);
    let saving =
        commands.filter(|command| command.program == "interleaf" && command.subcommand() == Some("remember"));
    saving.map(|command| format!("{} {}", command.arguments[1..].join(" "), command.input)).collect()
}

/// Tells whether one of them says the same.
pub fn says(saved: &[String], finding: &Finding) -> bool {
    let about = stems(&finding.text);
    saved.iter().any(|text| likeness(&stems(text), &about) >= 0.5)
}
