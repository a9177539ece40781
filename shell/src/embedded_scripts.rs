//! Scripts inside the arguments of a command, and inside variables that programs run: `bash -c '…'`,
//! `find -exec …`, `tar --to-command='…'`, `PAGER='…'`.

use crate::command::Command;

pub const SHELLS: [&str; 7] = ["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"];

/// Options whose value is a command, by program. Everything up to `=` in the value is dropped: the key of a
/// setting, or a word such as `exec`.
const COMMAND_OPTIONS: [(&str, &[&str]); 11] = [
    ("git", &["-c", "-x", "--exec", "--upload-pack", "--receive-pack", "--tree-filter", "--index-filter"]),
    ("tar", &["-I", "-F", "--use-compress-program", "--to-command", "--checkpoint-action", "--info-script"]),
    ("ssh", &["-o"]),
    ("scp", &["-o", "-S"]),
    ("sftp", &["-o", "-S"]),
    ("rsync", &["-e", "--rsh", "--rsync-path"]),
    ("man", &["-P", "--pager"]),
    ("rg", &["--pre"]),
    ("sort", &["--compress-program"]),
    ("split", &["--filter"]),
    ("less", &["+!"]),
];

/// Variables whose value a program runs, and the ends of the names of such variables.
const COMMAND_VARIABLES: [&str; 9] =
    ["PS0", "PS1", "PS2", "PS4", "PROMPT_COMMAND", "VISUAL", "LESSOPEN", "LESSCLOSE", "BROWSER"];
const COMMAND_VARIABLE_ENDS: [&str; 6] =
    ["PAGER", "EDITOR", "_SSH_COMMAND", "_ASKPASS", "_EXTERNAL_DIFF", "_PROXY_COMMAND"];

/// Tells whether programs run the value of this variable.
pub fn holds_command(variable: &str) -> bool {
    COMMAND_VARIABLES.contains(&variable) || COMMAND_VARIABLE_ENDS.iter().any(|end| variable.ends_with(end))
}

/// A script that a command runs.
pub enum Script {
    Line(String),
    Words(Vec<String>),
}

/// Returns the file that a shell runs, with its arguments: `ship.sh one` of `bash -x ship.sh one`.
fn script_file(arguments: &[String]) -> Option<Vec<String>> {
    let takes_value =
        |word: &String| matches!(word.as_str(), "-o" | "+o" | "-O" | "--rcfile" | "--init-file");
    let mut at = 0;
    while arguments.get(at)?.starts_with(['-', '+']) {
        if arguments[at] == "-s" {
            return None;
        }
        at += 1 + usize::from(takes_value(&arguments[at]));
    }
    Some(arguments[at..].to_vec())
}

/// Returns the scripts that the arguments of a command run.
pub fn scripts(command: &Command) -> Vec<Script> {
    let mut found = own_scripts(command);
    found.extend(option_scripts(command));
    found
}

/// Returns the scripts that a program runs which is there to run some.
fn own_scripts(command: &Command) -> Vec<Script> {
    let arguments = &command.arguments;
    match command.program.as_str() {
        "eval" => vec![Script::Line(arguments.join(" "))],
        "su" | "script" | "sg" | "nix-shell" => {
            command_option(arguments).into_iter().map(Script::Line).collect()
        }
        "at" | "batch" | "source" | "." if !command.input.is_empty() => {
            vec![Script::Line(command.input.clone())]
        }
        "ssh" => remote_script(command).into_iter().map(Script::Line).collect(),
        "find" => exec_scripts(arguments),
        program if SHELLS.contains(&program) => match command_option(arguments) {
            Some(script) => vec![Script::Line(script)],
            None if !command.input.is_empty() => vec![Script::Line(command.input.clone())],
            None => script_file(arguments).into_iter().map(Script::Words).collect(),
        },
        _ => Vec::new(),
    }
}

/// Returns the word after `-c`, also as `-lc`, also with other options between.
pub fn command_option(arguments: &[String]) -> Option<String> {
    let attached = arguments.iter().find_map(|word| word.strip_prefix("--command="));
    let short = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.contains('c');
    let long = |word: &String| matches!(word.as_str(), "--command" | "--run" | "--call");
    let next = || {
        let at = arguments.iter().position(|word| short(word) || long(word))?;
        arguments[at + 1..].iter().find(|word| !word.starts_with('-'))
    };
    attached.map(str::to_owned).or_else(|| next().cloned())
}

/// Returns the command that `ssh` runs on the other machine.
fn remote_script(command: &Command) -> Option<String> {
    let host = command.operands().next()?;
    let at = command.arguments.iter().position(|word| std::ptr::eq(word.as_str(), host))?;
    let words = &command.arguments[at + 1..];
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns the commands after `-exec` of `find`.
fn exec_scripts(arguments: &[String]) -> Vec<Script> {
    let starts = |word: &String| matches!(word.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir");
    let parts = arguments.split(starts).skip(1);
    let until_end =
        |part: &[String]| part.iter().take_while(|word| *word != ";" && *word != "+").cloned().collect();
    parts.map(|part| Script::Words(until_end(part))).collect()
}

/// Returns the commands in the values of options.
fn option_scripts(command: &Command) -> Vec<Script> {
    let known = COMMAND_OPTIONS.iter().find(|(program, _)| *program == command.program);
    let options = known.map_or(&[][..], |(_, options)| *options);
    let arguments = &command.arguments;
    let value = |at: usize| {
        options.iter().find_map(|option| match arguments[at].strip_prefix(option)? {
            "" => arguments.get(at + 1).map(String::as_str),
            rest => rest.strip_prefix('=').or((!option.starts_with("--")).then_some(rest)),
        })
    };
    let script = |value: &str| {
        let keyed = value.split_once('=').filter(|(key, _)| !key.contains(char::is_whitespace));
        keyed.map_or(value, |(_, script)| script).trim_start_matches('!').to_owned()
    };
    (0..arguments.len()).filter_map(value).map(script).map(Script::Line).collect()
}

#[cfg(test)]
mod tests {
    use crate::CommandLine;

    #[test]
    fn commands_in_options_and_variables_are_found() {
        for line in [
            "PS4='$(make deploy)' bash -x a.sh",
            "export PROMPT_COMMAND='make deploy'",
            "GIT_PAGER='make deploy' git log; GIT_PAGER=cat",
            "env MANPAGER='make deploy' man ls",
            "EDITOR='bash -c \"make deploy\"' git commit",
            "man -P 'make deploy' ls",
            "man --pager='make deploy' ls",
            "git -c core.pager='make deploy' log",
            "git -c alias.x='!make deploy' x",
            "git rebase -x 'make deploy' main",
            "tar xf a.tar --to-command='make deploy'",
            "tar cf a.tar a --checkpoint=1 --checkpoint-action=exec='make deploy'",
            "ssh -o ProxyCommand='make deploy' host",
            "ssh -oProxyCommand='make deploy' host",
            "rsync -e 'make deploy' a b",
            "rg --pre 'make deploy' x",
            "less '+!make deploy' f",
        ] {
            let found = CommandLine::read(line);
            assert!(
                found.commands.iter().any(|command| command.text() == "make deploy"),
                "{line}: {found:?}"
            );
        }
    }

    #[test]
    fn variables_in_the_script_of_a_variable_that_hold_scripts_are_reported() {
        let line = "PAGER='EDITOR=\"make deploy\" git commit' git log";

        assert!(CommandLine::read(line).has_unread_commands);
    }
}
