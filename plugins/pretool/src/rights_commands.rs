//! Commands that widen the rights of layers or memories. Only a person may run them, so the person is asked.

use topics::Command;

/// Variable that Claude Code sets for every process it starts. Commands that widen rights refuse to run where
/// it is set.
const CLIENT_VARIABLE: &str = "CLAUDECODE";

/// Returns the reason to ask the person, if a command widens rights or hides that Claude Code runs it.
pub fn reason_to_ask(commands: &[Command]) -> Option<&'static str> {
    commands.iter().find_map(|command| {
        if hides_the_client(command) {
            return Some(
                "this hides from Interleaf that Claude Code runs it, which would let it widen rights",
            );
        }
        widens_rights(command)
            .then_some("this widens the rights of layers or memories; a person has to decide")
    })
}

fn hides_the_client(command: &Command) -> bool {
    let is_changed = |name: &String| name == CLIENT_VARIABLE || name == "*" && command.program == "interleaf";
    let is_builtin =
        matches!(command.program.as_str(), "unset" | "export" | "declare" | "typeset" | "readonly");
    command.variables.iter().any(is_changed)
        || is_builtin && command.arguments.iter().any(|word| word.split('=').next() == Some(CLIENT_VARIABLE))
}

fn widens_rights(command: &Command) -> bool {
    let mut words = command.operands();
    let verbs = (words.next(), words.next());
    command.program == "interleaf"
        && matches!(
            verbs,
            (Some("layer"), Some("accept" | "revoke"))
                | (Some("config"), Some("accept" | "revoke" | "import"))
                | (Some("memory"), Some("confirm"))
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_person_is_asked_about_commands_that_widen_rights_and_no_others() {
        for line in [
            "interleaf layer accept gate --digest sha256:x",
            "cd x && ./target/debug/interleaf layer revoke gate",
            "interleaf memory confirm abc",
            "interleaf config accept --digest sha256:x",
            "interleaf config import memory-config.json",
            "env -u CLAUDECODE interleaf remember x",
            "CLAUDECODE= interleaf init",
            "bash -c 'unset CLAUDECODE; interleaf init'",
            "env -i PATH=/bin interleaf layer list",
            "export CLAUDECODE=",
        ] {
            assert!(reason_to_ask(&topics::commands(line)).is_some(), "{line}");
        }
        for line in [
            "interleaf layer list",
            "interleaf layers",
            "interleaf config check",
            "echo interleaf layer accept",
            "echo $CLAUDECODE",
            "env -i make",
            "grep -rn 'env -u CLAUDECODE' .",
            "git commit -m 'interleaf layer accept'",
        ] {
            assert_eq!(reason_to_ask(&topics::commands(line)), None, "{line}");
        }
    }
}
