//! One hook of a settings file, and whose it is.
//!
//! There are two spellings of a hook: `command` alone is a line for the shell, `command` with `args` a
//! program and its arguments. Whose it is can only be told from the programs named there.

use serde::{Deserialize, Serialize};

/// How `interleaf hook` is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call<'a> {
    /// This program, by its absolute path and without a shell: for settings that stay on this machine.
    Program(&'a str),
    /// Whatever `interleaf` is on the machine, and nothing where there is none: for settings that a team
    /// shares.
    Guarded,
}

/// The shared form. Plain POSIX shell, because Claude Code runs it with `/bin/sh`. It looks into cargo's
/// folder, too: a client started from a desktop often lacks it in its PATH.
const GUARDED: &str =
    r#"PATH="$PATH:$HOME/.cargo/bin"; command -v interleaf >/dev/null 2>&1 || exit 0; exec interleaf hook"#;

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
    pub(super) fn new(call: Call<'a>, timeout: u32) -> Self {
        let (command, args) = match call {
            Call::Program(program) => (program, Some(["hook"])),
            Call::Guarded => (GUARDED, None),
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
}

impl Found {
    /// Reads the hook; one of another shape has no command.
    pub(super) fn read(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }

    /// Whether this is exactly the hook that `call` writes; the timeout is the person's to change.
    pub(super) fn is(&self, call: Call<'_>) -> bool {
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
            None => {
                let mut next = words(&self.command).skip(1);
                words(&self.command).any(|word| next.next() == Some("hook") && program(word) == "interleaf")
            }
        }
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
        Found { command: command.to_owned(), args: None }
    }

    fn exec(command: &str, args: &[&str]) -> Found {
        Found { command: command.to_owned(), args: Some(args.iter().map(|&arg| arg.to_owned()).collect()) }
    }

    #[test]
    fn every_spelling_of_our_call_is_recognised_and_nothing_else() {
        let ours = [
            exec("/opt/my tools/interleaf", &["hook"]),
            exec(r"C:\bin\interleaf.exe", &["hook"]),
            shell(GUARDED),
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
