//! What a run can have changed besides what it was asked for, as far as its command lines tell.

use crate::normalized_command::NormalizedCommand;
use crate::normalized_line::NormalizedLine;
use crate::read_only::is_read_only_program;

/// What a run changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SideEffect {
    /// Nothing: it only looks at something.
    Nothing,
    /// Which packages are installed.
    Packages,
    /// Files, services or anything else.
    Anything,
}

/// Package managers, and the subcommands with which they change what is installed.
const PACKAGE_MANAGERS: [(&str, &[&str]); 22] = [
    ("pip", &["install", "uninstall"]),
    ("pip3", &["install", "uninstall"]),
    ("conda", &["install", "create", "update", "remove"]),
    ("mamba", &["install", "create", "update", "remove"]),
    ("uv", &["sync", "add", "remove", "pip"]),
    ("poetry", &["install", "add", "remove", "update"]),
    ("pipenv", &["install", "sync"]),
    ("npm", &["install", "i", "ci", "add", "uninstall", "rebuild"]),
    ("pnpm", &["install", "i", "add", "remove", "rebuild"]),
    ("yarn", &["install", "add", "remove"]),
    ("bun", &["install", "i", "add", "remove"]),
    ("apt", &["install", "update", "upgrade"]),
    ("apt-get", &["install", "update", "upgrade"]),
    ("brew", &["install", "upgrade", "link"]),
    ("apk", &["add"]),
    ("dnf", &["install"]),
    ("gem", &["install"]),
    ("bundle", &["install", "update"]),
    ("cargo", &["install"]),
    ("go", &["get", "install"]),
    ("composer", &["install", "require", "update"]),
    ("rustup", &["target", "component", "toolchain"]),
];

/// Subcommands of git that change nothing in the work tree.
const LOOKING_GIT: [&str; 14] = [
    "status",
    "log",
    "diff",
    "show",
    "branch",
    "remote",
    "rev-parse",
    "ls-files",
    "grep",
    "blame",
    "describe",
    "add",
    "commit",
    "fetch",
];

/// Returns what a line changes.
pub fn of_line(line: &NormalizedLine) -> SideEffect {
    let of_commands = line.commands.iter().map(of_command).max().unwrap_or(SideEffect::Nothing);
    match line.is_compound || line.output_files.iter().any(|file| !file.starts_with("/tmp/")) {
        true => SideEffect::Anything,
        false => of_commands,
    }
}

fn of_command(command: &NormalizedCommand) -> SideEffect {
    let program = command.base_name();
    let word = |index: usize| command.words.get(index).map_or("", String::as_str);
    let is_scratch =
        command.is_interpreter() && matches!(word(1), "-c" | "-e" | "-p" | "-V" | "-v" | "--version" | "-");
    let asks = matches!(word(1), "--version" | "--help" | "-V");
    if is_package_command(command) {
        return SideEffect::Packages;
    }
    let looks = match program {
        "git" => LOOKING_GIT.contains(&first_operand(command)),
        "pip" | "pip3" => matches!(word(1), "list" | "show" | "freeze" | "--version"),
        "sed" | "perl" => !command.words.iter().any(|word| word.starts_with("-i") || word == "--in-place"),
        "source" | "." => false,
        _ => is_scratch || asks || is_read_only_program(program),
    };
    if looks { SideEffect::Nothing } else { SideEffect::Anything }
}

/// Tells whether a command is a package manager's that changes what is installed.
pub fn is_package_command(command: &NormalizedCommand) -> bool {
    let (program, words) = match &command.words[..] {
        [python, m, module, rest @ ..] if m == "-m" && python.contains("python") => (module.as_str(), rest),
        [sudo, program, rest @ ..] if sudo == "sudo" => (program.as_str(), rest),
        [_, rest @ ..] => (command.base_name(), rest),
        [] => return false,
    };
    let known = PACKAGE_MANAGERS.iter().find(|(name, _)| *name == program);
    let subcommand = words.iter().find(|word| !word.starts_with('-')).map_or("", String::as_str);
    known.is_some_and(|(_, subcommands)| {
        subcommands.contains(&subcommand) || program == "yarn" && words.is_empty()
    })
}

/// Returns the first operand of git: `status` of `git -C dir status`.
fn first_operand(command: &NormalizedCommand) -> &str {
    let mut words = command.words[1..].iter().map(String::as_str);
    while let Some(word) = words.next() {
        match word {
            "-C" | "-c" | "--git-dir" | "--work-tree" => drop(words.next()),
            word if word.starts_with('-') => {}
            word => return word,
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> SideEffect {
        of_line(&NormalizedLine::read(line).expect(line))
    }

    #[test]
    fn looking_changes_nothing() {
        for line in [
            "ls -la",
            "git -C a status",
            "python3 -c 'import x'",
            "python --version",
            "grep x y | head",
            "pip list",
        ] {
            assert_eq!(of(line), SideEffect::Nothing, "{line}");
        }
    }

    #[test]
    fn package_managers_change_what_is_installed() {
        for line in [
            "pip install 'jinja2<3.1'",
            "python3 -m pip install -q x",
            "sudo apt-get install -y jq",
            "npm ci && npm --version",
            "uv sync",
            "yarn",
        ] {
            assert_eq!(of(line), SideEffect::Packages, "{line}");
        }
    }

    #[test]
    fn everything_else_may_change_anything() {
        for line in [
            "make",
            "echo a | tee b",
            "cat a > b",
            "git checkout x",
            "sed -i s/a/b/ c",
            "npm run build",
            "for a in b; do ls; done",
        ] {
            assert_eq!(of(line), SideEffect::Anything, "{line}");
        }
    }
}
