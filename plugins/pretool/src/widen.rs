//! Commands that widen what layers or memories may do. They are a person's to run, so the person is asked.

use topics::Command;

/// The variable that Claude Code sets for everything it starts; what widens rights refuses where it is set.
const MARK: &str = "CLAUDECODE";

/// Why the person should be asked, if one of the commands widens rights or hides that Claude Code runs it.
pub fn reason(commands: &[Command]) -> Option<&'static str> {
    commands.iter().find_map(|command| {
        if hides_the_assistant(command) {
            return Some("this hides from Interleaf that Claude Code runs it, so that it may widen rights");
        }
        widens(command).then_some("this widens what layers or memories may do; it is for a person to decide")
    })
}

fn hides_the_assistant(command: &Command) -> bool {
    let changed = |name: &String| name == MARK || name == "*" && command.program == "interleaf";
    let builtin = matches!(command.program.as_str(), "unset" | "export" | "declare" | "typeset" | "readonly");
    command.variables.iter().any(changed)
        || builtin && command.arguments.iter().any(|word| word.split('=').next() == Some(MARK))
}

fn widens(command: &Command) -> bool {
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
    fn what_widens_rights_is_asked_and_what_only_mentions_it_is_not() {
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
            assert!(reason(&topics::commands(line)).is_some(), "{line}");
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
            assert_eq!(reason(&topics::commands(line)), None, "{line}");
        }
    }
}
