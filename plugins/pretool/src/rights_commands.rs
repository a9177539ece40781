//! Tool calls that widen the rights of layers or memories. Only a person may make them, so the person is
//! asked.

use std::path::Path;

use topics::Command;

/// Maximum length of a command line that is parsed, in bytes. A longer one would use up the layer's time.
pub const MAX_PARSED_BYTES: usize = 128 << 10;

/// Words of which every command that widens rights contains one; `layer.toml` has the same.
const WORDS: [&str; 2] = ["interleaf", CLIENT_VARIABLE];

/// Files of Interleaf that hold what a person decided (models and keys, accepted layers and descriptions) or
/// that prove it.
const DECISION_FILES: [&str; 5] =
    ["config.toml", "accepted.json", "descriptions.json", "gates.json", "compiled.key"];

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

/// Returns the reason to ask the person about a command line that is too long to be parsed.
pub fn reason_to_ask_unparsed(line: &str) -> Option<&'static str> {
    let is_suspect = WORDS.iter().any(|word| line.contains(word));
    is_suspect.then_some(
        "this call is too long or too deep to be checked and names Interleaf; a person has to decide",
    )
}

/// Returns the reason to ask the person about a change of the file at this path.
pub fn reason_to_ask_before_change(path: &str) -> Option<&'static str> {
    let path = Path::new(path);
    let is_decision = path.file_name().is_some_and(|name| DECISION_FILES.iter().any(|file| name == *file));
    let is_ours = path.parent().is_some_and(|folder| folder.iter().any(|part| part == "interleaf"));
    (is_decision && is_ours)
        .then_some("this file of Interleaf holds what a person decided; a person has to decide again")
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
    fn a_line_that_is_too_long_to_be_parsed_asks_if_it_names_interleaf() {
        assert!(reason_to_ask_unparsed("true; interleaf layer accept x").is_some());
        assert!(reason_to_ask_unparsed("env -u CLAUDECODE x").is_some());
        assert_eq!(reason_to_ask_unparsed("true; true"), None);
    }

    #[test]
    fn the_person_is_asked_before_their_decisions_are_changed() {
        for path in [
            "/home/u/.config/interleaf/config.toml",
            "/home/u/.local/share/interleaf/projects/0123/accepted.json",
            "/home/u/.local/share/interleaf/gates.json",
        ] {
            assert!(reason_to_ask_before_change(path).is_some(), "{path}");
        }
        for path in ["/src/config.toml", "/src/interleaf/README.md", "/src/interleaf-config.toml"] {
            assert_eq!(reason_to_ask_before_change(path), None, "{path}");
        }
    }

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
