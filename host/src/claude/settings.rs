//! Where Claude Code is told to call us: the `hooks` of its settings files.
//!
//! Everything here works on the text of one file. Which file that is, and whether a person wants it, is not
//! known here.

mod document;
mod hook;
mod layout;
mod places;
mod sources;
mod turn;

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

use document::Document;
use document::Step::Key;
use hook::Written;
use places::Place;

pub use hook::HookCommand;
pub use turn::{CALLER_VARIABLE, Caller, SettingsFiles};

/// A project's settings that stay on this machine, from the project's root.
pub const LOCAL_SETTINGS: &str = ".claude/settings.local.json";
/// A project's settings that its team shares, from the project's root.
pub const SHARED_SETTINGS: &str = ".claude/settings.json";
/// The plugin of this repository's marketplace, as settings name what is installed.
pub const PLUGIN_ID: &str = "memory@interleaf";

/// An event to be called for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookedEvent<'a> {
    /// The event's name on the wire.
    pub event: &'a str,
    /// After how many seconds Claude Code gives the hook up. The host ends itself within about one; this is
    /// for what it cannot end, such as a disk that does not answer.
    pub timeout: u32,
}

/// The events that have an interface of their own, so that a layer that is added later is called without a new
/// registration; one that no layer answers costs a millisecond. All have a timeout of their own, because
/// without one SessionEnd is cut off after 1.5 seconds and all others only after 30 or 600.
pub const HOOKED_EVENTS: [HookedEvent<'static>; 10] = [
    HookedEvent { event: "SessionStart", timeout: 10 },
    HookedEvent { event: "UserPromptSubmit", timeout: 10 },
    HookedEvent { event: "PreToolUse", timeout: 10 },
    HookedEvent { event: "PostToolUse", timeout: 10 },
    HookedEvent { event: "PostToolUseFailure", timeout: 10 },
    HookedEvent { event: "Stop", timeout: 10 },
    HookedEvent { event: "SubagentStart", timeout: 10 },
    HookedEvent { event: "SubagentStop", timeout: 10 },
    HookedEvent { event: "PreCompact", timeout: 10 },
    HookedEvent { event: "SessionEnd", timeout: 10 },
];

/// The person's own Claude Code folder, whose `settings.json` holds for all projects.
pub fn user_folder(env: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let home = || env("HOME").filter(|home| !home.is_empty()).map(|home| PathBuf::from(home).join(".claude"));
    env("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from).or_else(home)
}

/// The text of a settings file, to be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings(Document);

/// A hook that was taken out of settings, with what is needed to put it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedHook {
    /// The event it was called for.
    pub event: String,
    /// Which tools, sources and so on it was called for; absent means all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matcher: Option<String>,
    /// The hook's JSON text.
    pub hook: String,
}

impl Settings {
    /// Takes the text of a file; an empty one counts as `{}`. [`Error::invalid`] names line, column and
    /// cause.
    pub fn parse(text: &str) -> Result<Self> {
        Document::parse(text).map(Self)
    }

    /// The text as it now stands.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// Whether there is no setting at all.
    pub fn is_empty(&self) -> bool {
        self.0.keys(&[]).is_some_and(|keys| keys.is_empty())
    }

    /// The events for which `interleaf hook` is called here.
    pub fn registered_events(&self) -> Vec<String> {
        let ours = self.places().into_iter().filter(|place| place.found.runs_interleaf());
        let mut events: Vec<_> = ours.map(|place| place.event).collect();
        events.dedup();
        events
    }

    /// Whether hooks of wt-memory are called here.
    pub fn has_wt_memory_hooks(&self) -> bool {
        self.places().iter().any(|place| place.found.runs_wt_memory())
    }

    /// Whether the plugin is switched on here.
    pub fn has_plugin(&self) -> bool {
        self.0.get(&[Key("enabledPlugins"), Key(PLUGIN_ID)]) == Some("true")
    }

    /// What is there and empty: `hooks`, or the name of an event. [`Self::unregister`] can leave these alone.
    pub fn empty_lists(&self) -> Vec<String> {
        let empty_event = |event: &String| self.0.length(&[Key("hooks"), Key(event)]) == Some(0);
        match self.0.keys(&[Key("hooks")]) {
            Some(events) if events.is_empty() => vec!["hooks".to_owned()],
            events => events.unwrap_or_default().into_iter().filter(empty_event).collect(),
        }
    }

    /// Makes `call` the one hook of ours for each of `events` and for no other. What already is so stays
    /// untouched, with the timeout it has. [`Error::invalid`] where the file keeps something else in the
    /// place of hooks.
    pub fn register(&mut self, call: HookCommand<'_>, events: &[HookedEvent<'_>]) -> Result<()> {
        self.check(events)?;
        let wanted = |event: &str| events.iter().any(|hooked| hooked.event == event);
        let right = |place: &Place| place.found.is(call) && wanted(&place.event) && !place.repeated;
        self.take(&[], |place| place.found.runs_interleaf() && !right(place));
        let registered = self.registered_events();
        for hooked in events.iter().filter(|hooked| !registered.iter().any(|event| event == hooked.event)) {
            let hook = self.0.written(&Written::new(call, hooked.timeout));
            self.add(hooked.event, None, &hook);
        }
        Ok(())
    }

    /// Removes every hook of ours, with the lists that this leaves empty except those in `keep`.
    pub fn unregister(&mut self, keep: &[String]) {
        self.take(keep, |place| place.found.runs_interleaf());
    }

    /// Takes out the hooks of wt-memory.
    pub fn remove_wt_memory_hooks(&mut self) -> Vec<RemovedHook> {
        self.take(&[], |place| place.found.runs_wt_memory())
    }

    /// Puts a hook back that was taken out, behind those that are there. [`Error::invalid`] as for
    /// [`Self::register`].
    pub fn restore_hook(&mut self, taken: &RemovedHook) -> Result<()> {
        self.check(&[HookedEvent { event: &taken.event, timeout: 0 }])?;
        self.add(&taken.event, taken.matcher.as_deref(), &taken.hook);
        Ok(())
    }

    /// That hooks can be added for these events.
    fn check(&self, events: &[HookedEvent<'_>]) -> Result<()> {
        let wrong = |what: &str, should: &str| {
            Err(Error::invalid(format!("{what} is not {should}")).hint("mend it by hand, then try again"))
        };
        if self.0.get(&[Key("hooks")]).is_some() && self.0.keys(&[Key("hooks")]).is_none() {
            return wrong("`hooks`", "an object");
        }
        for HookedEvent { event, .. } in events {
            let list = [Key("hooks"), Key(event)];
            if self.0.get(&list).is_some() && self.0.length(&list).is_none() {
                return wrong(&format!("`hooks.{event}`"), "a list");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
