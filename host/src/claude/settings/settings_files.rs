//! The settings files that Claude Code reads in a session, and which of several registrations answers an
//! event.
//!
//! The plugin, the settings that a team shares and those of this machine may all register the same hooks;
//! Claude Code then starts one process for each. The command lines of team and plugin name their [`Caller`],
//! and such a process stays silent if a caller of higher precedence is registered for the same event. A file
//! that cannot be read or understood silences nobody: answering an event twice does less harm than not
//! answering it.

use std::path::{Path, PathBuf};

use super::hook_registration::Caller;
use super::{LOCAL_SETTINGS, SHARED_SETTINGS, Settings};
use crate::claude::{Event, EventKind};
use crate::dirs::{read_file, real_path};

/// Maximum size of a settings file in bytes; larger files are ignored.
const MAX_SETTINGS_BYTES: u64 = 4 << 20;

/// Maximum size of a client's command line in bytes, which may contain a long prompt.
const MAX_COMMAND_LINE_BYTES: u64 = 4 << 20;

/// The settings files of a session, each with its name in `--setting-sources`.
#[derive(Debug, Clone)]
pub struct SettingsFiles(Vec<(&'static str, PathBuf)>);

impl SettingsFiles {
    /// Returns the files of a session that was started in `folder`. `main` is the root of the main work tree,
    /// `user` the person's own Claude Code folder. Seen with the real client: the shared file is read in
    /// `folder` alone, the local one in both.
    pub fn of(folder: &Path, main: Option<&Path>, user: Option<&Path>) -> Self {
        let main =
            main.filter(|main| *main != real_path(folder)).map(|main| ("local", main.join(LOCAL_SETTINGS)));
        let (local, shared) =
            (("local", folder.join(LOCAL_SETTINGS)), ("project", folder.join(SHARED_SETTINGS)));
        let user = user.map(|user| ("user", user.join("settings.json")));
        Self([Some(local), main, Some(shared), user].into_iter().flatten().collect())
    }

    /// Removes the files that the client process with the id `client` was told not to read.
    #[must_use]
    pub fn read_by_client(mut self, client: Option<&str>) -> Self {
        if let Some(sources) = client.and_then(setting_sources) {
            self.0.retain(|(source, _)| sources.iter().any(|name| name == source));
        }
        self
    }

    /// Tells whether a caller of higher precedence than `caller` is registered for `event`.
    pub fn has_earlier_caller(&self, caller: Caller, event: &Event) -> bool {
        let has_earlier = |settings: &Settings| {
            settings.hooks_of(&event.name).iter().any(|hook| {
                let is_earlier = hook.entry.runs_interleaf() && hook.entry.caller() < caller;
                let matches = || matches_for_certain(hook.matcher.as_deref(), matcher_subject(event));
                is_earlier && hook.entry.can_run() && matches()
            })
        };
        caller > Caller::Machine && self.read().any(|(_, settings)| has_earlier(&settings))
    }

    /// Returns the files that register `interleaf hook`.
    pub fn registering_files(&self) -> Vec<PathBuf> {
        self.files_where(|settings| !settings.registered_events().is_empty())
    }

    /// Returns the files whose registrations all answer the same events, if there is more than one.
    pub fn competing_files(&self) -> Vec<PathBuf> {
        let files = self.files_where(|settings| {
            let mut hooks = settings.hooks().into_iter();
            hooks.any(|hook| hook.entry.runs_interleaf() && hook.entry.caller() == Caller::Machine)
        });
        if files.len() > 1 { files } else { Vec::new() }
    }

    /// Returns the files that enable the plugin.
    pub fn plugin_files(&self) -> Vec<PathBuf> {
        self.files_where(Settings::has_plugin)
    }

    fn files_where(&self, holds: impl Fn(&Settings) -> bool) -> Vec<PathBuf> {
        self.read().filter(|(_, settings)| holds(settings)).map(|(file, _)| file.clone()).collect()
    }

    fn read(&self) -> impl Iterator<Item = (&PathBuf, Settings)> {
        self.0.iter().filter_map(|(_, file)| {
            let bytes = read_file(file, MAX_SETTINGS_BYTES).ok().flatten()?;
            Some((file, Settings::parse(std::str::from_utf8(&bytes).ok()?).ok()?))
        })
    }
}

/// Returns the field of an event that Claude Code compares with a hook's matcher.
fn matcher_subject(event: &Event) -> Option<&str> {
    match &event.kind {
        EventKind::SessionStart { source, .. } => Some(source),
        EventKind::PreTool { tool_name, .. }
        | EventKind::PostTool { tool_name, .. }
        | EventKind::ToolFailure { tool_name, .. } => Some(tool_name),
        EventKind::SubagentStart | EventKind::SubagentStop { .. } => event.common.agent_type.as_deref(),
        EventKind::PreCompact { trigger, .. } => Some(trigger),
        EventKind::SessionEnd { reason } => Some(reason),
        EventKind::UserPrompt { .. } | EventKind::Stop { .. } | EventKind::Other => None,
    }
}

/// Tells whether a matcher accepts the subject. Regular expressions are not evaluated and count as no match.
fn matches_for_certain(matcher: Option<&str>, subject: Option<&str>) -> bool {
    let Some(matcher) = matcher.filter(|matcher| !matcher.is_empty() && *matcher != "*") else { return true };
    let is_list = matcher.chars().all(|c| c.is_ascii_alphanumeric() || "_-,| ".contains(c));
    is_list && subject.is_some_and(|subject| matcher.split([',', '|']).any(|name| name.trim() == subject))
}

/// Returns the sources in the `--setting-sources user,project` of a client process; `None` if the option is
/// missing or the command line cannot be read. Programs that start the client often pass it, and a hook has
/// no other way to know it.
fn setting_sources(client: &str) -> Option<Vec<String>> {
    let process: u32 = client.parse().ok()?;
    // Files in `/proc` report no size, so the limit only applies while reading.
    let line = read_file(format!("/proc/{process}/cmdline").as_ref(), MAX_COMMAND_LINE_BYTES).ok()??;
    parse_setting_sources(&line)
}

/// Parses the option in a command line whose arguments end with NUL.
fn parse_setting_sources(line: &[u8]) -> Option<Vec<String>> {
    const OPTION: &str = "--setting-sources";

    let mut arguments = line.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let list = arguments.find_map(|argument| match argument.strip_prefix(OPTION)? {
        "" => Some(None),
        rest => Some(Some(rest.strip_prefix('=')?.to_owned())),
    })?;
    let list = list.or_else(|| arguments.next().map(|list| list.into_owned()))?;
    Some(list.split(',').map(|source| source.trim().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::claude::settings::{HOOKED_EVENTS, HookCommand, HookedEvent};
    use crate::dirs::scratch::Scratch;

    /// Creates a program and returns its path.
    fn program(scratch: &Scratch) -> String {
        scratch.file("bin/interleaf", "").to_str().unwrap().to_owned()
    }

    fn settings(call: HookCommand<'_>, events: &[HookedEvent<'_>]) -> String {
        let mut settings = Settings::parse("").unwrap();
        settings.register(call, events).unwrap();
        settings.text().to_owned()
    }

    fn event(name: &str) -> Event {
        let fields = json!({
            "session_id": "s", "hook_event_name": name, "prompt": "p", "source": "startup",
            "tool_name": "Bash", "tool_input": {}, "tool_response": {}, "error": "e", "is_interrupt": false,
            "stop_hook_active": false, "trigger": "manual", "reason": "other", "agent_type": "Explore",
        });
        Event::parse(fields.to_string().as_bytes()).unwrap()
    }

    /// The files of a session in the folder `shop`, with the person's own folder beside it.
    fn files(scratch: &Scratch) -> SettingsFiles {
        SettingsFiles::of(
            &scratch.folder("shop"),
            Some(&scratch.folder("shop")),
            Some(&scratch.folder("person")),
        )
    }

    const LOCAL_FILE: &str = "shop/.claude/settings.local.json";
    const SHARED_FILE: &str = "shop/.claude/settings.json";
    const PERSONS_FILE: &str = "person/settings.json";

    #[test]
    fn either_the_plugin_or_a_settings_file_answers_each_event() {
        for file in [LOCAL_FILE, PERSONS_FILE, SHARED_FILE] {
            let scratch = Scratch::new();
            let program = program(&scratch);
            let call = if file == SHARED_FILE { HookCommand::Shared } else { HookCommand::Program(&program) };
            scratch.file(file, &settings(call, &HOOKED_EVENTS));
            for HookedEvent { event: name, .. } in HOOKED_EVENTS {
                let event = event(name);
                assert!(files(&scratch).has_earlier_caller(Caller::Plugin, &event), "{name}, {file}");
                assert!(!files(&scratch).has_earlier_caller(Caller::Machine, &event), "{name}, {file}");
                let shared_yields = files(&scratch).has_earlier_caller(Caller::Shared, &event);
                assert_eq!(shared_yields, file != SHARED_FILE, "{name}, {file}");
            }
        }
    }

    #[test]
    fn without_settings_the_plugin_answers() {
        let scratch = Scratch::new();
        assert!(!files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")));
        scratch.file(SHARED_FILE, r#"{"hooks": {"Stop": [{"hooks": [{"command": "say done"}]}]}}"#);
        assert!(!files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")));
    }

    #[test]
    fn the_plugin_answers_an_event_that_the_settings_do_not_register() {
        let scratch = Scratch::new();
        scratch.file(LOCAL_FILE, &settings(HookCommand::Program(&program(&scratch)), &HOOKED_EVENTS[..1]));

        assert!(files(&scratch).has_earlier_caller(Caller::Plugin, &event("SessionStart")));
        assert!(!files(&scratch).has_earlier_caller(Caller::Plugin, &event("UserPromptSubmit")));
    }

    #[test]
    fn unreadable_settings_silence_no_caller() {
        let broken = ["{", "[]", r#"{"hooks": 7}"#, "\u{0}", r#"{"hooks": {"Stop": [null, {"hooks": 3}]}}"#];
        for text in broken {
            let scratch = Scratch::new();
            scratch.file(LOCAL_FILE, text);
            assert!(!files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")), "{text:?}");
        }
        let scratch = Scratch::new();
        scratch.folder(LOCAL_FILE);
        assert!(!files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")), "a folder of that name");
    }

    #[test]
    fn a_registration_whose_program_is_missing_silences_no_caller() {
        let scratch = Scratch::new();
        scratch.file(LOCAL_FILE, &settings(HookCommand::Program("/nowhere/interleaf"), &HOOKED_EVENTS));
        assert!(!files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")));
    }

    #[test]
    fn a_matcher_counts_only_if_it_matches_for_certain() {
        let with = |matcher: &str, name: &str| {
            let scratch = Scratch::new();
            let group = json!([{"matcher": matcher, "hooks": [{"command": "interleaf hook"}]}]);
            scratch.file(LOCAL_FILE, &json!({"hooks": {name: group}}).to_string());
            files(&scratch).has_earlier_caller(Caller::Plugin, &event(name))
        };
        for matcher in ["", "*", "Bash", "Edit|Bash", "Edit, Bash"] {
            assert!(with(matcher, "PreToolUse"), "{matcher}");
        }
        for matcher in ["Edit", "Bas", "bash", "Ba.h", ".*", "^Bash$"] {
            assert!(!with(matcher, "PreToolUse"), "{matcher}");
        }
        assert!(with("startup", "SessionStart") && !with("resume", "SessionStart"));
        assert!(
            with("Explore", "SubagentStart") && with("manual", "PreCompact") && with("other", "SessionEnd")
        );
    }

    #[test]
    fn callers_of_the_same_precedence_do_not_silence_each_other() {
        let scratch = Scratch::new();
        scratch.file(SHARED_FILE, &settings(HookCommand::Shared, &HOOKED_EVENTS));
        scratch.file(PERSONS_FILE, &settings(HookCommand::Plugin, &HOOKED_EVENTS));
        assert!(
            !files(&scratch).has_earlier_caller(Caller::Shared, &event("Stop")),
            "Claude Code runs one line once"
        );
        assert!(files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")));
    }

    #[test]
    fn hooks_of_an_older_init_take_precedence_over_the_plugin() {
        let scratch = Scratch::new();
        let hook = json!([{"hooks": [{"command": "PATH=x; exec interleaf hook"}]}]);
        scratch.file(SHARED_FILE, &json!({"hooks": {"Stop": hook}}).to_string());
        assert!(files(&scratch).has_earlier_caller(Caller::Plugin, &event("Stop")));
    }

    #[test]
    fn local_settings_apply_to_all_folders_and_work_trees_and_shared_ones_to_their_own_folder() {
        let scratch = Scratch::new();
        let (shop, linked) = (scratch.folder("shop"), scratch.folder("linked"));
        let inner = scratch.folder("shop/api");
        let answers = |folder: &Path, caller| {
            SettingsFiles::of(folder, Some(&shop), None).has_earlier_caller(caller, &event("Stop"))
        };

        scratch.file(SHARED_FILE, &settings(HookCommand::Shared, &HOOKED_EVENTS));
        assert!(answers(&shop, Caller::Plugin));
        assert!(!answers(&inner, Caller::Plugin) && !answers(&linked, Caller::Plugin));

        scratch.file(LOCAL_FILE, &settings(HookCommand::Program(&program(&scratch)), &HOOKED_EVENTS));
        for folder in [&shop, &inner, &linked] {
            assert!(
                answers(folder, Caller::Plugin) && answers(folder, Caller::Shared),
                "{}",
                folder.display()
            );
        }
    }

    #[test]
    fn competing_files_are_listed() {
        let scratch = Scratch::new();
        scratch.file(LOCAL_FILE, &settings(HookCommand::Program(&program(&scratch)), &HOOKED_EVENTS));
        scratch.file(SHARED_FILE, &settings(HookCommand::Shared, &HOOKED_EVENTS));
        assert_eq!(files(&scratch).competing_files(), Vec::<PathBuf>::new());
        assert_eq!(files(&scratch).registering_files().len(), 2);

        scratch.file(PERSONS_FILE, r#"{"hooks": {"Stop": [{"hooks": [{"command": "interleaf hook"}]}]}}"#);
        let all = files(&scratch).competing_files();
        assert_eq!(all, [scratch.path().join(LOCAL_FILE), scratch.path().join(PERSONS_FILE)]);
    }

    #[test]
    fn a_client_whose_command_line_is_unknown_reads_all_sources() {
        let scratch = Scratch::new();
        scratch.file(LOCAL_FILE, &settings(HookCommand::Program(&program(&scratch)), &HOOKED_EVENTS));
        // This test's own process has no such option.
        let this = std::process::id().to_string();
        for client in [None, Some(this.as_str()), Some("x"), Some("4294967295")] {
            assert!(
                files(&scratch).read_by_client(client).has_earlier_caller(Caller::Plugin, &event("Stop")),
                "{client:?}"
            );
        }
    }

    fn sources(line: &str) -> Option<Vec<String>> {
        parse_setting_sources(line.replace(' ', "\0").as_bytes())
    }

    #[test]
    fn setting_sources_are_read_in_either_spelling() {
        assert_eq!(
            sources("claude -p --setting-sources user,local hi "),
            Some(vec!["user".into(), "local".into()])
        );
        assert_eq!(sources("claude --setting-sources=project -p hi "), Some(vec!["project".into()]));
        assert_eq!(sources("claude --setting-sources  -p hi "), Some(vec![String::new()]));
    }

    #[test]
    fn without_the_option_the_sources_are_unknown() {
        assert_eq!(sources("claude -p hi "), None);
        assert_eq!(sources("claude --setting-sources-of-mine x "), None);
        assert_eq!(sources(""), None);
        assert_eq!((setting_sources("no number"), setting_sources("0")), (None, None));
    }
}
