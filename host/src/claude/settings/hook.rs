//! One hook of a settings file, and whose it is.
//!
//! There are two spellings of a hook: `command` alone is a line for the shell, `command` with `args` a
//! program and its arguments. Whose it is can only be told from the programs named there.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::turn::{CALLER_VARIABLE, Caller};

/// How `interleaf hook` is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookCommand<'a> {
    /// This program, by its absolute path and without a shell: for settings that stay on this machine.
    Program(&'a str),
    /// Whatever `interleaf` is on the machine, and nothing where there is none: for settings that a team
    /// shares.
    Shared,
    /// Likewise, for the hooks of the plugin.
    Plugin,
}

/// The form for machines that may lack `interleaf`. Plain POSIX shell, because Claude Code runs it with `/bin/sh`. It
/// looks into the folders of cargo and of the person, too: a client started from a desktop often lacks them in its
/// PATH. Who calls is said in a variable and not in an argument, because an older program would refuse that with exit
/// code 2, which drops prompts and keeps tools from running.
macro_rules! guarded {
    ($caller:literal) => {
        concat!(
            r#"PATH="$PATH:$HOME/.cargo/bin:$HOME/.local/bin"; command -v interleaf >/dev/null 2>&1 || exit 0; "#,
            "export INTERLEAF_CALLER=",
            $caller,
            "; exec interleaf hook"
        )
    };
}
const SHARED: &str = guarded!("shared");
const PLUGIN: &str = guarded!("plugin");

/// A hook as it is written into settings. The order of the fields is the usual one there.
#[derive(Serialize)]
pub(super) struct Written<'a> {
    r#type: &'static str,
    command: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<[&'static str; 1]>,
    timeout: u32,
}

impl<'a> Written<'a> {
    /// A hook that calls us and is given up after `timeout` seconds.
    pub(super) fn new(call: HookCommand<'a>, timeout: u32) -> Self {
        let (command, args) = match call {
            HookCommand::Program(program) => (program, Some(["hook"])),
            HookCommand::Shared => (SHARED, None),
            HookCommand::Plugin => (PLUGIN, None),
        };
        Self { r#type: "command", command, args, timeout }
    }
}

/// A hook as it is found in settings. Anything that runs no command reads as an empty one.
#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub(super) struct Found {
    command: String,
    args: Option<Vec<String>>,
    /// Claude Code's own condition, which is not understood here.
    r#if: Option<Value>,
}

impl Found {
    /// Reads the hook; one of another shape has no command.
    pub(super) fn read(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }

    /// Whether this is exactly the hook that `call` writes; the timeout is the person's to change.
    pub(super) fn is(&self, call: HookCommand<'_>) -> bool {
        let written = Written::new(call, 0);
        let args = self.args.as_ref().map(|args| args.iter().map(String::as_str).collect::<Vec<_>>());
        self.command == written.command && args.as_deref() == written.args.as_ref().map(<[_; 1]>::as_slice)
    }

    /// Whether it runs `interleaf hook`, in whatever spelling.
    pub(super) fn runs_interleaf(&self) -> bool {
        match &self.args {
            Some(args) => {
                program(&self.command) == "interleaf" && args.first().is_some_and(|it| it == "hook")
            }
            None => self.follows("hook", |word| program(word) == "interleaf"),
        }
    }

    /// Who it says that it is called by.
    pub(super) fn caller(&self) -> Caller {
        let says = |caller: &Caller| {
            caller
                .word()
                .is_some_and(|it| self.args.is_none() && self.follows(it, |word| word == CALLER_VARIABLE))
        };
        [Caller::Shared, Caller::Plugin].into_iter().find(says).unwrap_or_default()
    }

    /// Whether nothing is seen that would keep it from running: a condition, or a program that is gone.
    pub(super) fn can_run(&self) -> bool {
        let program = Path::new(&self.command);
        let gone = self.args.is_some() && program.is_absolute() && !program.is_file();
        self.r#if.is_none() && !gone
    }

    /// Whether `word` stands in the shell line right behind one that fits.
    fn follows(&self, word: &str, fits: impl Fn(&str) -> bool) -> bool {
        let mut next = words(&self.command).skip(1);
        words(&self.command).any(|before| next.next() == Some(word) && fits(before))
    }

    /// Whether it runs a script of wt-memory, the memory whose place Interleaf takes.
    pub(super) fn runs_wt_memory(&self) -> bool {
        let args = self.args.iter().flatten().map(String::as_str);
        args.chain([self.command.as_str()]).flat_map(words).any(|word| {
            let name = program(word);
            name.starts_with("wt-hook-memory")
                || name.strip_prefix("wt-memory").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        })
    }
}

/// The words of a shell line, near enough to find programs in it.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || "\"'`;&|()<>=".contains(c)).filter(|word| !word.is_empty())
}

/// The name of a program without its folder.
fn program(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".exe").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(command: &str) -> Found {
        Found { command: command.to_owned(), ..Found::default() }
    }

    fn exec(command: &str, args: &[&str]) -> Found {
        let args = Some(args.iter().map(|&arg| arg.to_owned()).collect());
        Found { command: command.to_owned(), args, r#if: None }
    }

    #[test]
    fn every_spelling_of_our_call_is_recognised_and_nothing_else() {
        let ours = [
            exec("/opt/my tools/interleaf", &["hook"]),
            exec(r"C:\bin\interleaf.exe", &["hook"]),
            shell(SHARED),
            shell(PLUGIN),
            // What `init --shared` wrote before calls said who they are.
            shell(
                r#"PATH="$PATH:$HOME/.cargo/bin"; command -v interleaf >/dev/null 2>&1 || exit 0; exec interleaf hook"#,
            ),
            shell("interleaf hook"),
            shell("\"/opt/my tools/interleaf\" hook"),
            shell("cd /x&&exec ~/.cargo/bin/interleaf hook 2>/dev/null"),
        ];
        let others = [
            exec("/opt/interleaf", &["memory", "hook"]),
            exec("echo", &["interleaf", "hook"]),
            shell("interleaf doctor; hook"),
            shell("/src/interleaf/lint hook"),
            shell("notinterleaf hook"),
            shell("hook interleaf"),
            shell(""),
        ];
        assert!(ours.iter().all(Found::runs_interleaf));
        for other in others {
            assert!(!other.runs_interleaf(), "{other:?}");
        }
    }

    #[test]
    fn a_call_says_who_it_is_and_one_that_says_nothing_is_of_this_machine() {
        let says = |hook: Found| hook.caller();
        assert_eq!(says(shell(SHARED)), Caller::Shared);
        assert_eq!(says(shell(PLUGIN)), Caller::Plugin);
        assert_eq!(says(exec("/opt/interleaf", &["hook"])), Caller::Machine);
        assert_eq!(says(shell("interleaf hook")), Caller::Machine);
        assert_eq!(says(shell("INTERLEAF_CALLER=nobody interleaf hook")), Caller::Machine);
        assert_eq!(says(shell("NOT_INTERLEAF_CALLER=plugin interleaf hook")), Caller::Machine);
    }

    #[test]
    fn a_condition_or_a_program_that_is_gone_may_keep_a_hook_from_running() {
        let there = std::env::current_exe().unwrap();
        assert!(exec(there.to_str().unwrap(), &["hook"]).can_run());
        assert!(!exec("/nowhere/interleaf", &["hook"]).can_run());
        assert!(exec("interleaf", &["hook"]).can_run(), "what the PATH holds is not looked for");
        assert!(shell("/nowhere/interleaf hook").can_run(), "a shell line is not taken apart");
        let conditional = Found::read(r#"{"command": "interleaf hook", "if": "Bash(git *)"}"#);
        assert!(conditional.runs_interleaf() && !conditional.can_run());
    }

    #[test]
    fn wt_memory_is_recognised_by_its_programs_not_by_folders() {
        let theirs = [
            shell("wt-hook-memory-recall"),
            shell("wt-hook-memory Stop"),
            shell("$HOME/bin/wt-hook-memory-save.sh"),
            shell("command -v wt-memory >/dev/null && wt-memory health"),
            exec("bash", &["-c", "exec 'wt-memory' recall x"]),
            exec("/usr/bin/wt-memory-hooks", &[]),
        ];
        let others =
            [shell("/src/wt-memory/lint.sh"), shell("wt-hook-stop"), shell("wt-memoryless"), shell("x")];
        assert!(theirs.iter().all(Found::runs_wt_memory));
        for other in others {
            assert!(!other.runs_wt_memory(), "{other:?}");
        }
    }

    #[test]
    fn a_hook_of_another_shape_is_nobodys() {
        for json in [
            "null",
            "7",
            "[]",
            r#"{"type":"prompt","prompt":"interleaf hook"}"#,
            r#"{"command":["interleaf hook"]}"#,
        ] {
            let hook = Found::read(json);
            assert!(!hook.runs_interleaf() && !hook.runs_wt_memory(), "{json}");
        }
    }
}
