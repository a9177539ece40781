//! The registration of hooks in Claude Code's settings files, and of the server of `interleaf mcp`.
//!
//! [`Settings`] edits the text of one file, [`McpServers`] that of `.mcp.json`. `command/init` chooses the
//! file and asks the person.
//! [`SettingsFiles`] finds the files of a session and the registration that answers.

mod hook_registration;
mod json_edit;
mod mcp_servers;
mod settings_files;
mod shell_words;

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

use hook_registration::{LocatedHook, NewHook};
use json_edit::Document;
use json_edit::PathStep::Key;

pub use hook_registration::{CALLER_VARIABLE, Caller, HookCommand};
pub use mcp_servers::{MCP_FILE, McpServers, ServerCommand, is_own_tool};
pub use settings_files::SettingsFiles;

/// A project's settings for this machine, relative to the project's root.
pub const LOCAL_SETTINGS: &str = ".claude/settings.local.json";
/// A project's settings for its team, relative to the project's root.
pub const SHARED_SETTINGS: &str = ".claude/settings.json";
/// The plugin of this repository's marketplace, as settings name an installed plugin.
pub const PLUGIN_ID: &str = "memory@interleaf";

/// Seconds after which Claude Code cancels a hook. The host exits within about one second; this timeout
/// covers waits that it cannot end, such as a disk that does not answer. Without a timeout of its own,
/// SessionEnd is cut off after 1.5 seconds and all others only after 30 or 600.
const TIMEOUT_SECS: u32 = 10;

/// Days after which Claude Code deletes transcripts, if no settings file says otherwise.
pub const DEFAULT_CLEANUP_DAYS: u64 = 30;

/// An event to register for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookedEvent<'a> {
    /// The event's `hook_event_name`.
    pub event: &'a str,
    /// Seconds after which Claude Code cancels the hook.
    pub timeout_secs: u32,
}

/// The events that are always registered: those with an interface of their own. A layer that is added later
/// is then called without a new registration; an event that no layer answers costs a millisecond.
pub const HOOKED_EVENTS: [HookedEvent<'static>; 10] = [
    hooked("SessionStart"),
    hooked("UserPromptSubmit"),
    hooked("PreToolUse"),
    hooked("PostToolUse"),
    hooked("PostToolUseFailure"),
    hooked("Stop"),
    hooked("SubagentStart"),
    hooked("SubagentStop"),
    hooked("PreCompact"),
    hooked("SessionEnd"),
];

const fn hooked(event: &str) -> HookedEvent<'_> {
    HookedEvent { event, timeout_secs: TIMEOUT_SECS }
}

/// Returns the person's own Claude Code folder, whose `settings.json` applies to all projects.
pub fn user_folder(env: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let home = || env("HOME").filter(|home| !home.is_empty()).map(|home| PathBuf::from(home).join(".claude"));
    env("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from).or_else(home)
}

/// The text of a settings file, to be edited in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings(Document);

/// A hook that was removed from settings, with everything that restoring it needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedHook {
    /// The event that it was registered for.
    pub event: String,
    /// The tools, sources and so on that it was registered for; absent means all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matcher: Option<String>,
    /// The hook's JSON text.
    pub hook: String,
}

impl Settings {
    /// Parses the text of a file. An empty file counts as `{}`.
    ///
    /// # Errors
    /// `Invalid`, with line and column, if it is not a JSON object.
    pub fn parse(text: &str) -> Result<Self> {
        Document::parse(text).map(Self)
    }

    /// Returns the current text.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// Tells whether the file has no settings at all.
    pub fn is_empty(&self) -> bool {
        self.0.keys(&[]).is_some_and(|keys| keys.is_empty())
    }

    /// Returns the events for which `interleaf hook` is registered.
    pub fn registered_events(&self) -> Vec<String> {
        let ours = self.hooks().into_iter().filter(|hook| hook.entry.runs_interleaf());
        let mut events: Vec<_> = ours.map(|hook| hook.event).collect();
        events.dedup();
        events
    }

    /// Tells whether hooks of wt-memory are registered.
    pub fn has_wt_memory_hooks(&self) -> bool {
        self.hooks().iter().any(|hook| hook.entry.runs_wt_memory())
    }

    /// Tells whether the plugin is enabled.
    pub fn has_plugin(&self) -> bool {
        self.0.get(&[Key("enabledPlugins"), Key(PLUGIN_ID)]) == Some("true")
    }

    /// Tells whether Claude Code starts no hook at all because of this file.
    pub fn disables_hooks(&self) -> bool {
        self.0.get(&[Key("disableAllHooks")]) == Some("true")
    }

    /// Returns the days after which transcripts are deleted, if the file says that.
    pub fn cleanup_days(&self) -> Option<u64> {
        self.0.get(&[Key("cleanupPeriodDays")])?.parse().ok()
    }

    /// Returns the names of empty lists: `hooks`, or events. [`Self::unregister`] can keep them.
    pub fn empty_lists(&self) -> Vec<String> {
        let is_empty = |event: &String| self.0.length(&[Key("hooks"), Key(event)]) == Some(0);
        match self.0.keys(&[Key("hooks")]) {
            Some(events) if events.is_empty() => vec!["hooks".to_owned()],
            events => events.unwrap_or_default().into_iter().filter(is_empty).collect(),
        }
    }

    /// Makes `command` the only hook of ours for each of `events`, and removes ours from other events. A hook
    /// that is already right stays untouched with its timeout.
    ///
    /// # Errors
    /// `Invalid` if the file has values of another type in the place of hooks.
    pub fn register(&mut self, command: HookCommand<'_>, events: &[HookedEvent<'_>]) -> Result<()> {
        self.check_types(events)?;
        let is_requested = |event: &str| events.iter().any(|hooked| hooked.event == event);
        let is_right =
            |hook: &LocatedHook| hook.entry.is(command) && is_requested(&hook.event) && !hook.is_repeated;
        self.remove_hooks(&[], |hook| hook.entry.runs_interleaf() && !is_right(hook));
        let registered = self.registered_events();
        for hooked in events.iter().filter(|hooked| !registered.iter().any(|event| event == hooked.event)) {
            let hook = self.0.to_styled_json(&NewHook::new(command, hooked.timeout_secs));
            self.add_hook(hooked.event, None, &hook);
        }
        Ok(())
    }

    /// Removes every hook of ours, and the lists that this leaves empty except those in `keep`.
    pub fn unregister(&mut self, keep: &[String]) {
        self.remove_hooks(keep, |hook| hook.entry.runs_interleaf());
    }

    /// Removes the hooks of wt-memory.
    pub fn remove_wt_memory_hooks(&mut self) -> Vec<RemovedHook> {
        self.remove_hooks(&[], |hook| hook.entry.runs_wt_memory())
    }

    /// Restores a removed hook behind the existing ones.
    ///
    /// # Errors
    /// `Invalid` as for [`Self::register`].
    pub fn restore_hook(&mut self, removed: &RemovedHook) -> Result<()> {
        self.check_types(&[hooked(&removed.event)])?;
        self.add_hook(&removed.event, removed.matcher.as_deref(), &removed.hook);
        Ok(())
    }

    /// Checks that hooks can be added for these events.
    fn check_types(&self, events: &[HookedEvent<'_>]) -> Result<()> {
        let wrong_type = |name: &str, expected: &str| {
            Err(Error::invalid(format!("{name} is not {expected}"))
                .hint("correct it by hand, then try again"))
        };
        if self.0.get(&[Key("hooks")]).is_some() && self.0.keys(&[Key("hooks")]).is_none() {
            return wrong_type("`hooks`", "an object");
        }
        for HookedEvent { event, .. } in events {
            let list = [Key("hooks"), Key(event)];
            if self.0.get(&list).is_some() && self.0.length(&list).is_none() {
                return wrong_type(&format!("`hooks.{event}`"), "a list");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
