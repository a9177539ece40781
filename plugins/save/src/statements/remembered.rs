//! What the agent saved itself with `interleaf remember`: what it saved is not looked for again.

use super::deeds::Deed;
use crate::finding::Finding;
use crate::transcript::Ending;
use interleaf_classifier::words::{likeness, stems};

/// What the agent saved, as it said it.
pub fn remembered(deeds: &[Deed]) -> Vec<String> {
    let fine = deeds.iter().filter(|deed| deed.ending() == Some(Ending::Fine));
    let commands = fine.filter_map(Deed::command).flat_map(interleaf_shell::commands);
    let saving =
        commands.filter(|command| command.program == "interleaf" && command.subcommand() == Some("remember"));
    saving.map(|command| format!("{} {}", command.arguments[1..].join(" "), command.input)).collect()
}

/// Whether one of them says the same.
pub fn says(saved: &[String], find: &Finding) -> bool {
    let about = stems(&find.text);
    saved.iter().any(|text| likeness(&stems(text), &about) >= 0.5)
}
