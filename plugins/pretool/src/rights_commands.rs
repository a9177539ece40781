//! Tool calls that widen the rights of layers or memories, or those of every account to whole folders. Only a
//! person may make them, so the person is asked.

use interleaf_shell::{Command, CommandLine};

use crate::file_modes::opens_folders_to_everyone;
use crate::programs::{is_opaque, is_opaque_word, runs_code, takes_text};

/// Maximum length of a command line that is parsed, in bytes. A longer one would use up the layer's time.
pub const MAX_PARSED_BYTES: usize = 128 << 10;

/// Maximum depth of scripts in the arguments of programs that are not known to run scripts.
const MAX_DEPTH: usize = 3;

/// Number of words after the program's name in which its verbs are looked for.
const MAX_FOLLOWING: usize = 16;

/// Words of which every call that widens rights, or changes a file of Interleaf, contains one; `layer.toml`
/// has the same.
const WORDS: [&str; 3] = [PROGRAM, CLIENT_VARIABLE, ".claude"];

/// Interleaf's program, and the name of its folders.
const PROGRAM: &str = "interleaf";

/// Variable that Claude Code sets for every process it starts. Commands that widen rights refuse to run where
/// it is set.
const CLIENT_VARIABLE: &str = "CLAUDECODE";

/// The verbs that widen rights, or that end the guarding.
const WIDENING_VERBS: [(&str, &[&str]); 4] = [
    ("layer", &["accept", "revoke"]),
    ("config", &["accept", "revoke", "import"]),
    ("memory", &["confirm"]),
    ("llm", &["choose"]),
];

/// Those that no other program is likely to have. A copy of the program may have any name.
const UNIQUE_VERBS: [(&str, &[&str]); 2] = [("layer", &["accept", "revoke"]), ("memory", &["confirm"])];

/// Words that code needs to widen rights through Interleaf's program or files.
const CODE_WORDS: [&str; 12] = [
    "accept",
    "revoke",
    "confirm",
    "config",
    "uninstall",
    "choose",
    "--client",
    ".json",
    ".toml",
    ".key",
    "layers",
    "CLAUDECODE",
];

const HIDES: &str = "this hides from Interleaf that Claude Code runs it, which would let it widen rights";
const WIDENS: &str = "this widens the rights of layers or memories; a person has to decide";
const OPENS: &str = "this lets every account of this machine change whole folders; a person has to decide";
const UNREAD: &str =
    "this call may run commands that cannot be checked and names Interleaf; a person has to decide";

/// Returns the reason to ask the person, if a command widens rights or hides that Claude Code runs it, or if
/// `text`, from which the line was read, names Interleaf and runs what cannot be read.
pub fn reason_to_ask(line: &CommandLine, text: &str) -> Option<&'static str> {
    reason_at_depth(line, text, 0)
}

fn reason_at_depth(line: &CommandLine, text: &str, depth: usize) -> Option<&'static str> {
    if let Some(reason) = line.commands.iter().find_map(|command| reason_for(command, line, depth)) {
        return Some(reason);
    }
    let is_unread = line.has_unread_commands || line.commands.iter().any(is_opaque);
    (is_unread && names_interleaf(text)).then_some(UNREAD)
}

/// Returns the reason to ask the person about a command line that is too long to be parsed.
pub fn reason_to_ask_unparsed(line: &str) -> Option<&'static str> {
    let is_suspect = WORDS.iter().any(|word| line.contains(word));
    is_suspect.then_some(
        "this call is too long or too deep to be checked and names Interleaf; a person has to decide",
    )
}

fn reason_for(command: &Command, line: &CommandLine, depth: usize) -> Option<&'static str> {
    let takes_text = takes_text(command);
    if hides_the_client(command, line) || !takes_text && names_client_variable(command) {
        return Some(HIDES);
    }
    if widens_rights(command) || !takes_text && passes_on_widening(command) {
        return Some(WIDENS);
    }
    if opens_folders_to_everyone(command) {
        return Some(OPENS);
    }
    if runs_code(command) && texts(command).any(is_suspect_code) {
        return Some(UNREAD);
    }
    let is_script =
        |text: &&str| text.contains(char::is_whitespace) && WORDS.iter().any(|word| text.contains(word));
    let scripts = texts(command).filter(|_| !takes_text && depth < MAX_DEPTH).filter(is_script);
    scripts.into_iter().find_map(|text| reason_at_depth(&CommandLine::read(text), text, depth + 1))
}

fn texts(command: &Command) -> impl Iterator<Item = &str> {
    command.arguments.iter().chain([&command.input]).map(String::as_str)
}

fn hides_the_client(command: &Command, line: &CommandLine) -> bool {
    let is_changed = |name: &String| name == CLIENT_VARIABLE || name == "*" && command.program == PROGRAM;
    let is_builtin =
        matches!(command.program.as_str(), "unset" | "export" | "declare" | "typeset" | "readonly");
    let names_it = |word: &String| line.variables.expand(word).split('=').next() == Some(CLIENT_VARIABLE);
    command.variables.iter().any(is_changed) || is_builtin && command.arguments.iter().any(names_it)
}

/// Tells whether an argument sets or removes the variable, for a program that may run others: `x -u NAME`,
/// `--unset=NAME`, `NAME=`.
fn names_client_variable(command: &Command) -> bool {
    command
        .arguments
        .iter()
        .any(|word| word.split('=').any(|part| part.trim_start_matches("-u") == CLIENT_VARIABLE))
}

fn widens_rights(command: &Command) -> bool {
    let words: Vec<&str> = command.operands().collect();
    match command.program.as_str() {
        PROGRAM => widens(&words) || command.arguments.iter().any(|word| word.starts_with("--client")),
        _ => has_verb(&UNIQUE_VERBS, &words, |_| false),
    }
}

/// Tells whether an argument is Interleaf's program and those after it widen rights: the program before it
/// may run it.
fn passes_on_widening(command: &Command) -> bool {
    let arguments: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
    (0..arguments.len()).any(|at| {
        let following = arguments[at + 1..].iter().take(MAX_FOLLOWING).copied();
        let words: Vec<&str> = following.filter(|word| !word.starts_with('-')).collect();
        let is_program = arguments[at].rsplit('/').next() == Some(PROGRAM);
        is_program && widens(&words) || has_verb(&UNIQUE_VERBS, &words, |_| false)
    })
}

/// Tells whether Interleaf's program would widen rights with these operands. One that is only known when the
/// line runs may be any.
fn widens(words: &[&str]) -> bool {
    let first = words.first().copied();
    first.is_some_and(|word| word == "uninstall" || is_opaque_word(word) || word == "{}")
        || has_verb(&WIDENING_VERBS, words, |word| is_opaque_word(word) || word == "{}")
}

fn has_verb(verbs: &[(&str, &[&str])], words: &[&str], is_any: impl Fn(&str) -> bool) -> bool {
    let [first, second, ..] = words else { return false };
    verbs.iter().any(|(verb, rest)| verb == first && (rest.contains(second) || is_any(second)))
}

/// Tells whether a text names Interleaf's program, one of its files, or the variable, however it is quoted.
fn names_interleaf(text: &str) -> bool {
    let text: String = text.chars().filter(|c| !matches!(c, '\'' | '"' | '\\')).collect();
    text.contains(PROGRAM) || text.contains(CLIENT_VARIABLE) || text.contains(".claude/layers")
}

/// Tells whether code that is not parsed names Interleaf and what widens rights.
fn is_suspect_code(text: &str) -> bool {
    names_interleaf(text) && CODE_WORDS.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(line: &str) -> Option<&'static str> {
        reason_to_ask(&CommandLine::read(line), line)
    }

    #[test]
    fn a_line_that_is_too_long_to_be_parsed_asks_if_it_names_interleaf() {
        assert!(reason_to_ask_unparsed("true; interleaf layer accept x").is_some());
        assert!(reason_to_ask_unparsed("env -u CLAUDECODE x").is_some());
        assert!(reason_to_ask_unparsed("rm .claude/layers/x.wasm").is_some());
        assert_eq!(reason_to_ask_unparsed("true; true"), None);
    }

    #[test]
    fn the_person_is_asked_about_commands_that_widen_rights_and_no_others() {
        for line in [
            "interleaf layer accept gate --digest sha256:x",
            "cd x && ./target/debug/interleaf layer revoke gate",
            "interleaf memory confirm abc",
            "interleaf config accept --digest sha256:x",
            "interleaf config import memory-config.json",
            "interleaf uninstall",
            "interleaf llm choose openai --base-url http://host",
            "interleaf llm --client claude",
            "env -u CLAUDECODE interleaf remember x",
            "CLAUDECODE= interleaf init",
            "bash -c 'unset CLAUDECODE; interleaf init'",
            "env -i PATH=/bin interleaf layer list",
            "export CLAUDECODE=",
            "chmod -R 777 .",
        ] {
            assert!(reason(line).is_some(), "{line}");
        }
        for line in [
            "interleaf layer list",
            "interleaf layers",
            "interleaf llm",
            "interleaf init",
            "interleaf config check",
            "interleaf remember 'layer accept is for people'",
            "echo interleaf layer accept",
            "echo $CLAUDECODE",
            "[ -z \"$CLAUDECODE\" ] && make",
            "printenv CLAUDECODE",
            "env -i make",
            "grep -rn 'env -u CLAUDECODE' .",
            "git commit -m 'interleaf layer accept'",
            "gh pr create --body 'run interleaf layer accept x'",
            "cat > notes.md <<E\ninterleaf layer accept x\nE",
            "$RUNNER test",
            "curl https://host/install.sh | sh",
            "cd interleaf && cargo test",
            "python3 -c 'print(1)'",
            "git log --grep=interleaf | xargs echo",
            "docker layer ls",
        ] {
            assert_eq!(reason(line), None, "{line}");
        }
    }

    #[test]
    fn no_disguise_hides_a_command_that_widens_rights() {
        let nested = (0..6).fold("interleaf layer accept x".to_owned(), |line, _| {
            format!("eval '{}'", line.replace('\'', "'\\''"))
        });
        for line in [
            nested.as_str(),
            "bash -c $'interl\\x65af layer accept x'",
            "env -S 'interleaf layer accept x'",
            "npx -c 'env -u CLAUDECODE interleaf layer revoke gate'",
            "IFS=_; x=env_-u_CLAUDECODE_interleaf_layer_revoke_gate; $x",
            "cat <<E | sh\ninterleaf layer accept x\nE",
            "echo interleaf layer accept x | rev | rev | sh",
            "bash <(echo interleaf layer accept x)",
            "xargs interleaf layer <<< 'accept x'",
            "echo accept | xargs -I{} interleaf layer {} x",
            "find . -name accept -exec interleaf layer {} x \\;",
            "busybox env -u CLAUDECODE interleaf init",
            "unshare -r interleaf layer accept x",
            "chroot / interleaf layer accept x",
            "nsenter -t 1 interleaf layer accept x",
            "gdb -batch -ex run --args interleaf layer accept x",
            "npx interleaf layer accept x",
            "systemd-run --user interleaf layer accept x",
            "tmux send-keys 'interleaf layer accept x' Enter",
            "tmux new-session -d interleaf layer accept x",
            "script -qc 'interleaf layer accept x'",
            "echo 'interleaf layer accept x' | at now",
            "{interleaf,layer,accept,x}",
            "il=interleaf; $il layer accept x",
            "il=inter; ${il}leaf layer accept x",
            "$(which interleaf) layer accept x",
            "$(printf inter; printf leaf) layer accept x",
            "\"$(command -v interleaf)\" $verb x",
            "interleaf layer $verb x",
            "f() { interleaf \"$@\"; }; f layer accept x",
            "set -- interleaf layer accept x; \"$@\"",
            "/usr/bin/inter*eaf layer accept x",
            "cp $(which interleaf) x && ./x layer accept y",
            "some-unknown-launcher --flag interleaf layer accept x",
            "some-unknown-launcher 'interleaf layer accept x'",
            "some-unknown-launcher --unset=CLAUDECODE anything",
            "v=CLAUDECODE; unset $v",
            "python3 -c 'import os; os.system(\"interleaf layer accept x\")'",
            "python3.12 - <<E\nsubprocess.run([\"interleaf\", \"layer\", \"accept\"])\nE",
            "perl -e 'delete $ENV{CLAUDECODE}; exec @ARGV' interleaf init",
            "git -c alias.x='!interleaf layer accept y' x",
            "git rebase --exec 'interleaf layer accept y' main",
            "cargo run -q -p interleaf -- layer accept x",
            "PS4='$(interleaf layer accept x)' bash -x a.sh",
            "export PROMPT_COMMAND='interleaf layer accept x'",
            "GIT_PAGER='interleaf layer accept x' git log",
            "man -P 'interleaf layer accept x' ls",
            "ssh -o ProxyCommand='interleaf layer accept x' host",
            "tar xf a.tar --to-command='interleaf layer accept x'",
            "less '+!interleaf layer accept x' f",
            "sed '1e interleaf layer accept x' f",
            "sed 's/a/interleaf layer accept x/e' f",
        ] {
            assert!(reason(line).is_some(), "{line}");
        }
    }
}
