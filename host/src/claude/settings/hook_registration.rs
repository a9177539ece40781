//! The hooks of a settings file: their spellings, the program that each one runs, and adding and removing
//! them.
//!
//! A hook is either a `command` line for the shell, or a program in `command` with its arguments in `args`.
//! Only these fields tell which program it runs.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::json_edit::PathStep::{Index, Key};
use super::shell_words::{program_name, shell_commands, shell_words};
use super::{RemovedHook, Settings};
use crate::claude::decode_json;
use crate::program_search::is_program;

/// The environment variable in which a hook's command line names its [`Caller`].
pub const CALLER_VARIABLE: &str = "INTERLEAF_CALLER";

/// The registration that started a hook process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Caller {
    /// Settings of this machine: the person's own or the project's local ones. Their command line sets no
    /// variable.
    #[default]
    Machine,
    /// Settings that a team shares.
    Shared,
    /// The plugin.
    Plugin,
}

impl Caller {
    /// Returns the caller that [`CALLER_VARIABLE`] names. An unknown or missing value means this machine.
    pub fn from_variable(value: Option<&OsStr>) -> Self {
        let is_named = |caller: &Self| caller.name().is_some_and(|name| value.is_some_and(|it| it == name));
        [Self::Shared, Self::Plugin].into_iter().find(is_named).unwrap_or_default()
    }

    fn name(self) -> Option<&'static str> {
        match self {
            Self::Machine => None,
            Self::Shared => Some("shared"),
            Self::Plugin => Some("plugin"),
        }
    }
}

/// The way in which a registered hook calls `interleaf hook`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookCommand<'a> {
    /// By the program's absolute path and without a shell: for settings that stay on this machine.
    Program(&'a str),
    /// Any installed `interleaf`, and silence if there is none: for settings that a team shares.
    Shared,
    /// The same for the hooks of the plugin.
    Plugin,
}

/// The command line for machines that may lack `interleaf`. It is POSIX shell, because Claude Code runs it
/// with `/bin/sh`. It adds the folders of cargo and of the person, which the PATH of a client started from a
/// desktop often lacks. The caller is named in a variable and not in an argument: an older program would
/// reject the argument with exit code 2, which drops prompts and blocks tools.
macro_rules! command_line_if_installed {
    ($caller:literal) => {
        concat!(
            r#"PATH="$PATH:$HOME/.cargo/bin:$HOME/.local/bin"; "#,
            "command -v interleaf >/dev/null 2>&1 || exit 0; ",
            "export INTERLEAF_CALLER=",
            $caller,
            "; exec interleaf hook"
        )
    };
}
const SHARED_COMMAND_LINE: &str = command_line_if_installed!("shared");
const PLUGIN_COMMAND_LINE: &str = command_line_if_installed!("plugin");

/// A hook as it is written into settings, with its fields in the usual order.
#[derive(Serialize)]
pub(super) struct NewHook<'a> {
    r#type: &'static str,
    command: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<[&'static str; 1]>,
    timeout: u32,
}

impl<'a> NewHook<'a> {
    /// Returns a hook that calls us and is cancelled after `timeout_secs`.
    pub(super) fn new(command: HookCommand<'a>, timeout_secs: u32) -> Self {
        let (command, args) = match command {
            HookCommand::Program(program) => (program, Some(["hook"])),
            HookCommand::Shared => (SHARED_COMMAND_LINE, None),
            HookCommand::Plugin => (PLUGIN_COMMAND_LINE, None),
        };
        Self { r#type: "command", command, args, timeout: timeout_secs }
    }
}

/// A hook as it is found in settings. A hook that runs no command reads as an empty one.
#[derive(Debug, Clone, Default, Deserialize, PartialEq, Eq, Hash)]
#[serde(default)]
pub(super) struct HookEntry {
    command: String,
    args: Option<Vec<String>>,
}

impl HookEntry {
    fn read(json: &Value) -> Self {
        Self::deserialize(json).unwrap_or_default()
    }

    /// Tells whether this is exactly the hook that `command` writes. The timeout is the person's to change.
    pub(super) fn is(&self, command: HookCommand<'_>) -> bool {
        let new = NewHook::new(command, 0);
        let args = self.args.as_ref().map(|args| args.iter().map(String::as_str).collect::<Vec<_>>());
        self.command == new.command && args.as_deref() == new.args.as_ref().map(<[_; 1]>::as_slice)
    }

    /// Tells whether it runs `interleaf hook`, in any spelling.
    pub(super) fn runs_interleaf(&self) -> bool {
        match &self.args {
            Some(args) => {
                program_name(&self.command) == "interleaf" && args.first().is_some_and(|it| it == "hook")
            }
            None => shell_commands(&self.command).any(|command| {
                let mut words = command.into_iter();
                words.next().is_some_and(|word| program_name(word) == "interleaf")
                    && words.next() == Some("hook")
            }),
        }
    }

    /// Returns the program that it names by its path, if it can no longer be run.
    pub(super) fn missing_program(&self) -> Option<&Path> {
        let program = Path::new(&self.command);
        let is_named = self.args.is_some() && self.runs_interleaf() && program.is_absolute();
        (is_named && !is_program(program)).then_some(program)
    }

    /// Tells whether it runs a program of wt-memory, the memory that Interleaf replaces.
    pub(super) fn runs_wt_memory(&self) -> bool {
        let args = self.args.iter().flatten().map(String::as_str);
        args.chain([self.command.as_str()]).flat_map(shell_words).any(|word| {
            let name = program_name(word);
            name.starts_with("wt-hook-memory")
                || name.strip_prefix("wt-memory").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        })
    }

    /// Returns the caller that its command line names.
    pub(super) fn caller(&self) -> Caller {
        let is_named = |caller: &Caller| {
            let name = caller.name().filter(|_| self.args.is_none());
            name.is_some_and(|name| self.has_words(name, |word| word == CALLER_VARIABLE))
        };
        [Caller::Shared, Caller::Plugin].into_iter().find(is_named).unwrap_or_default()
    }

    /// Tells whether the shell line has the word `second` right after a word that matches `first`.
    fn has_words(&self, second: &str, first: impl Fn(&str) -> bool) -> bool {
        let mut next = shell_words(&self.command).skip(1);
        shell_words(&self.command).any(|word| next.next() == Some(second) && first(word))
    }
}

/// A hook with its position in the file: `hooks.EVENT[group].hooks[index]`.
pub(super) struct LocatedHook {
    pub(super) event: String,
    group: usize,
    index: usize,
    pub(super) matcher: Option<String>,
    pub(super) entry: HookEntry,
    /// Whether the same hook occurs earlier for the same event and matcher.
    pub(super) is_repeated: bool,
}

impl Settings {
    /// Returns all hooks in the order of the file. Parses the hooks of each event alone: a value elsewhere
    /// may be JSON for JavaScript only, such as half an emoji or a number beyond all floats.
    pub(super) fn hooks(&self) -> Vec<LocatedHook> {
        let events = self.0.keys(&[Key("hooks")]).unwrap_or_default();
        let groups = |event: &str| -> Value {
            let json = self.0.get(&[Key("hooks"), Key(event)]).unwrap_or_default();
            serde_json::from_str(&decode_json(json.as_bytes())).unwrap_or_default()
        };
        events.iter().flat_map(|event| located_hooks(event, &groups(event))).collect()
    }

    /// Removes the hooks for which `should_remove` holds, one by one because each removal moves the others.
    pub(super) fn remove_hooks(
        &mut self,
        keep: &[String],
        should_remove: impl Fn(&LocatedHook) -> bool,
    ) -> Vec<RemovedHook> {
        let mut removed = Vec::new();
        while let Some(hook) = self.hooks().into_iter().find(&should_remove) {
            removed.push(self.copy_hook(&hook));
            self.remove_hook(&hook, keep);
        }
        removed
    }

    fn copy_hook(&self, hook: &LocatedHook) -> RemovedHook {
        let path = [Key("hooks"), Key(&hook.event), Index(hook.group), Key("hooks"), Index(hook.index)];
        let json = without_indentation(self.0.get(&path).unwrap_or_default());
        RemovedHook { event: hook.event.clone(), matcher: hook.matcher.clone(), hook: json }
    }

    /// Removes a hook, and the lists and objects around it that become empty unless `keep` names them.
    fn remove_hook(&mut self, hook: &LocatedHook, keep: &[String]) {
        let is_kept = |name: &str| keep.iter().any(|it| it == name);
        let event = [Key("hooks"), Key(&hook.event)];
        let group = [event[0], event[1], Index(hook.group), Key("hooks")];
        let events = self.0.keys(&event[..1]).unwrap_or_default();
        if self.0.length(&group) > Some(1) {
            self.0.remove(&group, hook.index);
        } else if self.0.length(&event) > Some(1) || is_kept(&hook.event) {
            self.0.remove(&event, hook.group);
        } else if events.len() > 1 || is_kept("hooks") {
            let index = events.iter().rposition(|name| *name == hook.event);
            self.0.remove(&event[..1], index.unwrap_or_default());
        } else {
            let index = self.0.keys(&[]).and_then(|keys| keys.iter().rposition(|name| name == "hooks"));
            self.0.remove(&[], index.unwrap_or_default());
        }
    }

    /// Adds a hook in a group of its own.
    pub(super) fn add_hook(&mut self, event: &str, matcher: Option<&str>, hook: &str) {
        #[derive(Serialize)]
        struct Group<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            matcher: Option<&'a str>,
            hooks: [u8; 0],
        }

        let list = [Key("hooks"), Key(event)];
        if self.0.get(&list[..1]).is_none() {
            self.0.append(&[], Some("hooks"), "{}");
        }
        if self.0.get(&list).is_none() {
            self.0.append(&list[..1], Some(event), "[]");
        }
        let group = self.0.length(&list).unwrap_or_default();
        let empty = self.0.to_styled_json(&Group { matcher, hooks: [] });
        self.0.append(&list, None, &empty);
        self.0.append(&[list[0], list[1], Index(group), Key("hooks")], None, hook);
    }
}

/// Returns the hooks of one event, whose list of groups is `groups`.
fn located_hooks(event: &str, groups: &Value) -> Vec<LocatedHook> {
    let mut seen = HashSet::new();
    let mut hooks = Vec::new();
    for (group, value) in groups.as_array().into_iter().flatten().enumerate() {
        let matcher = value["matcher"].as_str().map(str::to_owned);
        for (index, hook) in value["hooks"].as_array().into_iter().flatten().enumerate() {
            let entry = HookEntry::read(hook);
            let is_repeated = !seen.insert((matcher.clone(), entry.clone()));
            let (event, matcher) = (event.to_owned(), matcher.clone());
            hooks.push(LocatedHook { event, group, index, matcher, entry, is_repeated });
        }
    }
    hooks
}

/// Returns the text of a JSON value without the indentation that it had in its file.
fn without_indentation(json: &str) -> String {
    let last = json.lines().last().unwrap_or_default();
    let indentation = &last[..last.len() - last.trim_start().len()];
    let mut lines = json.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |text, line| text + "\n" + line.strip_prefix(indentation).unwrap_or(line.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(command: &str) -> HookEntry {
        HookEntry { command: command.to_owned(), ..HookEntry::default() }
    }

    fn program(command: &str, args: &[&str]) -> HookEntry {
        let args = Some(args.iter().map(|&arg| arg.to_owned()).collect());
        HookEntry { command: command.to_owned(), args }
    }

    #[test]
    fn every_spelling_of_our_call_is_recognized_and_nothing_else() {
        let ours = [
            program("/opt/my tools/interleaf", &["hook"]),
            program(r"C:\bin\interleaf.exe", &["hook"]),
            shell(SHARED_COMMAND_LINE),
            shell(PLUGIN_COMMAND_LINE),
            // `init --shared` wrote this before calls named their caller.
            shell(concat!(
                r#"PATH="$PATH:$HOME/.cargo/bin"; "#,
                "command -v interleaf >/dev/null 2>&1 || exit 0; exec interleaf hook",
            )),
            shell("interleaf hook"),
            shell("\"/opt/my tools/interleaf\" hook"),
            shell("cd /x&&exec ~/.cargo/bin/interleaf hook 2>/dev/null"),
        ];
        let others = [
            program("/opt/interleaf", &["memory", "hook"]),
            program("echo", &["interleaf", "hook"]),
            shell("interleaf doctor; hook"),
            shell("/src/interleaf/lint hook"),
            shell("notinterleaf hook"),
            shell("hook interleaf"),
            shell(": interleaf hook"),
            shell("echo interleaf hook"),
            shell("true # interleaf hook"),
            shell(""),
        ];
        assert!(ours.iter().all(HookEntry::runs_interleaf));
        for other in others {
            assert!(!other.runs_interleaf(), "{other:?}");
        }
    }

    #[test]
    fn a_command_line_without_a_caller_belongs_to_this_machine() {
        let caller = |hook: HookEntry| hook.caller();
        assert_eq!(caller(shell(SHARED_COMMAND_LINE)), Caller::Shared);
        assert_eq!(caller(shell(PLUGIN_COMMAND_LINE)), Caller::Plugin);
        assert_eq!(caller(program("/opt/interleaf", &["hook"])), Caller::Machine);
        assert_eq!(caller(shell("interleaf hook")), Caller::Machine);
        assert_eq!(caller(shell("INTERLEAF_CALLER=nobody interleaf hook")), Caller::Machine);
        assert_eq!(caller(shell("NOT_INTERLEAF_CALLER=plugin interleaf hook")), Caller::Machine);
    }

    #[test]
    fn wt_memory_is_recognized_by_its_programs_and_not_by_folders() {
        let theirs = [
            shell("wt-hook-memory-recall"),
            shell("wt-hook-memory Stop"),
            shell("$HOME/bin/wt-hook-memory-save.sh"),
            shell("command -v wt-memory >/dev/null && wt-memory health"),
            program("bash", &["-c", "exec 'wt-memory' recall x"]),
            program("/usr/bin/wt-memory-hooks", &[]),
        ];
        let others =
            [shell("/src/wt-memory/lint.sh"), shell("wt-hook-stop"), shell("wt-memoryless"), shell("x")];
        assert!(theirs.iter().all(HookEntry::runs_wt_memory));
        for other in others {
            assert!(!other.runs_wt_memory(), "{other:?}");
        }
    }

    #[test]
    fn a_hook_of_another_shape_runs_nothing() {
        for json in [
            "null",
            "7",
            "[]",
            r#"{"type":"prompt","prompt":"interleaf hook"}"#,
            r#"{"command":["interleaf hook"]}"#,
        ] {
            let hook = HookEntry::read(&serde_json::from_str(json).unwrap());
            assert!(!hook.runs_interleaf() && !hook.runs_wt_memory(), "{json}");
        }
    }

    #[test]
    fn an_unknown_or_missing_caller_is_this_machine() {
        let caller = |value: &str| Caller::from_variable(Some(OsStr::new(value)));
        assert_eq!((caller("shared"), caller("plugin")), (Caller::Shared, Caller::Plugin));
        assert_eq!((caller(""), caller("Plugin")), (Caller::Machine, Caller::Machine));
        assert_eq!(Caller::from_variable(None), Caller::Machine);
    }
}
