//! Whose turn it is to answer, where Claude Code calls us more than once for the same event.
//!
//! The plugin, the settings that a team shares and those of this machine may all register the same hooks, and Claude
//! Code then starts one process for each. The calls that a team or the plugin brings say so, and their processes
//! look whether a call that goes before them is registered for the event too; if it is, they are silent. Whatever
//! cannot be read or understood makes nobody silent: an event that is answered twice is a lesser harm than one that
//! nobody answers.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::{LOCAL_SETTINGS, SHARED_SETTINGS, Settings, sources};
use crate::claude::{Event, EventKind};
use crate::dirs::{read_file, real_path};

/// Settings larger than this many bytes are not looked into.
const LARGEST: u64 = 4 << 20;

/// The variable in which a call says who makes it.
pub const CALLER_VARIABLE: &str = "INTERLEAF_CALLER";

/// Who had this process called. Earlier ones go before later ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Caller {
    /// Settings of this machine, the person's own or the project's local ones. Their call says nothing of itself, and
    /// nothing is read to answer it.
    #[default]
    Machine,
    /// Settings that a team shares.
    Shared,
    /// The plugin.
    Plugin,
}

impl Caller {
    /// The caller by [`CALLER_VARIABLE`] in a process's environment. A word that is not known is of this machine, which answers.
    pub fn from_variable(word: Option<&OsStr>) -> Self {
        let said = |caller: &Self| caller.word().is_some_and(|it| word.is_some_and(|word| word == it));
        [Self::Shared, Self::Plugin].into_iter().find(said).unwrap_or_default()
    }

    /// What its calls say.
    pub(super) fn word(self) -> Option<&'static str> {
        match self {
            Self::Machine => None,
            Self::Shared => Some("shared"),
            Self::Plugin => Some("plugin"),
        }
    }
}

/// The settings files that Claude Code reads in a session, each with the name of its source.
#[derive(Debug, Clone)]
pub struct SettingsFiles(Vec<(&'static str, PathBuf)>);

impl SettingsFiles {
    /// Those of a session that was started in `folder`. Seen with the real client: the shared file is read in that
    /// folder alone, the local one there and in `main`, the root of the main work tree. `user` is the person's own
    /// folder.
    pub fn of(folder: &Path, main: Option<&Path>, user: Option<&Path>) -> Self {
        let main =
            main.filter(|main| *main != real_path(folder)).map(|main| ("local", main.join(LOCAL_SETTINGS)));
        let (local, shared) =
            (("local", folder.join(LOCAL_SETTINGS)), ("project", folder.join(SHARED_SETTINGS)));
        let user = user.map(|user| ("user", user.join("settings.json")));
        Self([Some(local), main, Some(shared), user].into_iter().flatten().collect())
    }

    /// Without those that the process `client` was told not to read.
    #[must_use]
    pub fn read_by_client(mut self, client: Option<&str>) -> Self {
        if let Some(told) = client.and_then(sources::told) {
            self.0.retain(|(source, _)| told.iter().any(|name| name == source));
        }
        self
    }

    /// Whether a call that goes before that of `caller` is registered for `event`.
    pub fn has_earlier_caller(&self, caller: Caller, event: &Event) -> bool {
        caller > Caller::Machine && self.read().any(|(_, settings)| settings.call_before(caller, event))
    }

    /// The files that have Claude Code call `interleaf hook`.
    pub fn registering_files(&self) -> Vec<PathBuf> {
        let registering = self.read().filter(|(_, settings)| !settings.registered_events().is_empty());
        registering.map(|(file, _)| file.clone()).collect()
    }

    /// The files that register calls which all answer, if there are several.
    pub fn competing_files(&self) -> Vec<PathBuf> {
        let answers = |settings: &Settings| {
            let mut places = settings.places().into_iter();
            places.any(|place| place.found.runs_interleaf() && place.found.caller() == Caller::Machine)
        };
        let answering = self.read().filter(|(_, settings)| answers(settings));
        let files: Vec<PathBuf> = answering.map(|(file, _)| file.clone()).collect();
        if files.len() > 1 { files } else { Vec::new() }
    }

    /// The files that switch the plugin on.
    pub fn plugin_files(&self) -> Vec<PathBuf> {
        self.read().filter(|(_, settings)| settings.has_plugin()).map(|(file, _)| file.clone()).collect()
    }

    fn read(&self) -> impl Iterator<Item = (&PathBuf, Settings)> {
        self.0.iter().filter_map(|(_, file)| {
            let bytes = read_file(file, LARGEST).ok().flatten()?;
            Some((file, Settings::parse(std::str::from_utf8(&bytes).ok()?).ok()?))
        })
    }
}

impl Settings {
    /// Whether a call that goes before that of `caller` is made here for `event`.
    fn call_before(&self, caller: Caller, event: &Event) -> bool {
        self.places_of(&event.name).iter().any(|place| {
            let before = place.found.runs_interleaf() && place.found.caller() < caller;
            before && place.found.can_run() && matches(place.matcher.as_deref(), subject(event))
        })
    }
}

/// What Claude Code holds a matcher against.
fn subject(event: &Event) -> Option<&str> {
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

/// Whether a matcher lets this pass, for certain: one that is a regular expression is not understood here.
fn matches(matcher: Option<&str>, subject: Option<&str>) -> bool {
    let Some(matcher) = matcher.filter(|matcher| !matcher.is_empty() && *matcher != "*") else { return true };
    let is_list = matcher.chars().all(|c| c.is_ascii_alphanumeric() || "_-,| ".contains(c));
    is_list && subject.is_some_and(|subject| matcher.split([',', '|']).any(|name| name.trim() == subject))
}

#[cfg(test)]
mod tests;
