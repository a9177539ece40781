//! Merges the settings of one file into the configuration, if the owner of the file may set them.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use super::category_descriptions::parse_description;
use super::key::{Effect, Key, KeyAccess, ValueKind};
use super::key_path::{PathEntry, lookup, suggest};
use super::key_table::SUMMARY;
use super::layer_settings::{self, LayerSetting};
use super::limits::Limits;
use super::toml_reader::{Setting, SyntaxError, read_settings};
use super::{Activation, Config, GUARD, LayerConfig, RecordChoice};
use crate::layer::{EventName, FailurePolicy, FileScope, Grants};
use crate::memory::{Category, CategoryPolicy, WastedTokens};

/// Maximum length of a quoted key or value in a message, in characters, so that the message fits on a line.
const MAX_QUOTED_CHARS: usize = 60;

/// The status of a setting after merging.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingStatus {
    /// It applies.
    Effective,
    /// The user's own setting applies instead.
    Overridden,
    /// It applies once the user has accepted it.
    Pending,
    /// It is ignored, for this reason.
    Rejected(String),
}

/// The owner of a file.
#[derive(Clone, Copy)]
pub(super) struct FileOwner<'a> {
    pub scope: FileScope,
    /// The user's file, named in messages about settings that only the user may set.
    pub user_file: Option<&'a Path>,
    /// Whether the person has said that the file is theirs, so that it may switch the guard off.
    pub may_weaken_guard: bool,
}

impl FileOwner<'_> {
    /// Returns the owner of a file that is read by itself.
    pub fn alone(scope: FileScope) -> Self {
        Self { scope, user_file: None, may_weaken_guard: scope == FileScope::User }
    }
}

/// Merges a file into the configuration. `set_by_user` has the paths that the user has set. They override the
/// project's values.
///
/// # Errors
/// The line and the cause, if the file cannot be parsed.
pub(super) fn merge(
    config: &mut Config,
    content: &[u8],
    owner: FileOwner,
    set_by_user: &mut BTreeSet<String>,
) -> Result<Vec<(Setting, SettingStatus)>, SyntaxError> {
    let mut settings = read_settings(content)?;
    // The limits of all layers are applied before those of single layers.
    settings.sort_by_key(|setting| setting.path[0] == "layers");
    let mut merge = Merge { config, owner, set_by_user };
    let apply = |setting: Setting| {
        let status = merge.apply(&setting).unwrap_or_else(|reason| {
            let is_url = owner.scope == FileScope::User && setting.path == ["llm", "base_url"];
            merge.config.llm.is_base_url_rejected |= is_url;
            SettingStatus::Rejected(reason)
        });
        (setting, status)
    };
    Ok(settings.into_iter().map(apply).collect())
}

/// Returns the reason why the user's file may not contain this setting; `None` if it may.
pub fn rejection_reason(path: &[String], value: &Value) -> Option<String> {
    let setting = Setting { path: path.to_vec(), line: 0, value: value.clone() };
    let (mut config, mut set_by_user) = (Config::default(), BTreeSet::new());
    let owner = FileOwner::alone(FileScope::User);
    Merge { config: &mut config, owner, set_by_user: &mut set_by_user }.apply(&setting).err()
}

struct Merge<'a> {
    config: &'a mut Config,
    owner: FileOwner<'a>,
    set_by_user: &'a mut BTreeSet<String>,
}

impl Merge<'_> {
    /// Applies one setting, or returns the reason why it is rejected.
    fn apply(&mut self, setting: &Setting) -> Result<SettingStatus, String> {
        let name = format!("`{}`", quoted(&setting.path.join(".")));
        if let Some((layer, rest)) = layer_settings::split(&setting.path).filter(|(_, rest)| !rest.is_empty())
        {
            return self.set_layer_setting(layer, rest, setting).map_err(|cause| format!("{name} {cause}"));
        }
        let key = match lookup(&setting.path) {
            PathEntry::Key(key) => key,
            PathEntry::Section => return Err(format!("{name} must be a table")),
            PathEntry::Unknown => {
                return Err(format!("{name} is not a known key; {}", suggest(&setting.path)));
            }
        };
        if self.is_project() && key.access == KeyAccess::UserOnly {
            return Err(format!("{name} cannot be set by a project{}", self.user_file_hint()));
        }
        if !has_kind(&setting.value, key.kind) {
            let value = described(&setting.value);
            return Err(format!("{name} must be {}, not {value}", key.kind.describe()));
        }
        if !self.owner.may_weaken_guard && self.weakens_guard(key, setting) {
            return Err(format!("{name} {}, because {GUARD} guards you", self.guard_obstacle()));
        }
        let path = setting.path.join(".");
        let is_set_before = match self.owner.scope {
            FileScope::User => !self.set_by_user.insert(path),
            FileScope::Project => self.set_by_user.contains(&path),
        };
        self.set(key, setting, is_set_before).map_err(|cause| format!("{name} {cause}"))
    }

    fn is_project(&self) -> bool {
        self.owner.scope == FileScope::Project
    }

    fn user_file_hint(&self) -> String {
        let hint = |file: &Path| format!("; to use it, add it to {}", file.display());
        self.owner.user_file.map(hint).unwrap_or_default()
    }

    fn guard_obstacle(&self) -> &'static str {
        match self.owner.scope {
            FileScope::Project => "cannot be set by a project",
            FileScope::User => "has no effect in a folder that is not recorded as yours",
        }
    }

    /// Returns whether the setting disables the guard, or lowers a limit of its own.
    fn weakens_guard(&self, key: &Key, setting: &Setting) -> bool {
        let is_weaker = match key.effect {
            Effect::Enabled => setting.value == Value::Bool(false),
            Effect::Limit(_) | Effect::Deadline => true,
            _ => false,
        };
        is_weaker && setting.path[0] == "layers" && setting.path[1] == GUARD
    }

    /// Sets one setting of an embedded layer. A project's applies where the user has set nothing.
    fn set_layer_setting(
        &mut self,
        layer: &str,
        path: &[String],
        setting: &Setting,
    ) -> Result<SettingStatus, String> {
        let is_project = self.is_project();
        // A layer from a file that takes the embedded layer's place may have other settings.
        if let Some(known) = LayerSetting::find(layer, path) {
            known.check(&setting.value, is_project).map_err(|cause| match is_project {
                true => format!("{cause}{}", self.user_file_hint()),
                false => cause,
            })?;
        }
        let new = layer_settings::nested(path, setting.value.clone());
        let Some(settings) = self.layer(setting).settings.as_object_mut() else {
            return Ok(SettingStatus::Overridden);
        };
        let before = settings.clone();
        add_missing(settings, &new);
        Ok(if *settings == before { SettingStatus::Overridden } else { SettingStatus::Effective })
    }

    /// Sets the value. `is_set_before` tells whether the user has already set this path.
    fn set(&mut self, key: &Key, setting: &Setting, is_set_before: bool) -> Result<SettingStatus, String> {
        let value = &setting.value;
        let text = value.as_str().unwrap_or_default();
        match key.effect {
            Effect::ModelText(set) => set(&mut self.config.llm, text)?,
            Effect::Settings => merge_or_replace(&mut self.layer(setting).settings, value, is_set_before),
            Effect::Number(_) | Effect::WastedTokens(_) | Effect::Limit(_) | Effect::Deadline => {
                self.set_number(key, setting)?;
            }
            Effect::Description => return self.set_description(setting, text, is_set_before),
            Effect::Record => self.set_record(text)?,
            _ if is_set_before => return Ok(SettingStatus::Overridden),
            Effect::SyncText(set) => set(&mut self.config.sync, text)?,
            Effect::Enabled => {
                self.layer(setting).enabled = match (value.as_bool().unwrap_or(true), self.owner.scope) {
                    (true, _) => Activation::Enabled,
                    (false, FileScope::User) => Activation::DisabledByUser,
                    (false, FileScope::Project) => Activation::DisabledByProject,
                }
            }
            Effect::File => self.set_file(setting, text)?,
            Effect::Grants => {
                let grants =
                    Grants::from_json(value.clone()).map_err(|error| format!("is invalid: {error}"))?;
                self.layer(setting).requested_grants = Some(grants);
            }
            Effect::OnFailure => self.layer(setting).on_failure = FailurePolicy::parse(text),
            Effect::Detail => self.layer(setting).shows_titles_only = text == SUMMARY,
            Effect::Order => self.layer(setting).order = value.as_i64().unwrap_or_default(),
            Effect::Fixed(_) => {}
            Effect::RedactPatterns => self.config.redact = strings(value),
            Effect::Switch(field) => *field(self.config) = value.as_bool().unwrap_or_default(),
            Effect::CategorySwitch(field) => self.set_category_switch(field, setting),
            Effect::CategoryNumber(field) => {
                *field(self.category(setting)) = value.as_u64().unwrap_or_default()
            }
        }
        Ok(SettingStatus::Effective)
    }

    /// Sets a switch. A project can only disable it.
    fn set_category_switch(&mut self, field: fn(&mut CategoryPolicy) -> &mut bool, setting: &Setting) {
        let (is_on, is_project) = (setting.value.as_bool().unwrap_or(true), self.is_project());
        let switch = field(self.category(setting));
        *switch = is_on && (!is_project || *switch);
    }

    /// Sets whether sessions are recorded. A project can only switch that off, whatever the user set.
    fn set_record(&mut self, text: &str) -> Result<(), String> {
        match (RecordChoice::parse(text), self.owner.scope) {
            (choice, FileScope::User) => self.config.record.choice = choice,
            (RecordChoice::Off, FileScope::Project) => self.config.record.is_off_by_project = true,
            (_, FileScope::Project) => {
                return Err("= \"on\" cannot be set by a project: only you switch recording on".to_owned());
            }
        }
        Ok(())
    }

    fn set_file(&mut self, setting: &Setting, text: &str) -> Result<(), String> {
        let path = PathBuf::from(text);
        if self.is_project() && !stays_inside(&path) {
            return Err("must be a path inside the project, without `..`".to_owned());
        }
        let scope = self.owner.scope;
        self.layer(setting).file = Some((scope, path));
        Ok(())
    }

    /// Sets a description. A project's description waits to be accepted, unless the user has set one.
    fn set_description(
        &mut self,
        setting: &Setting,
        text: &str,
        is_set_before: bool,
    ) -> Result<SettingStatus, String> {
        let text = parse_description(text)?;
        match self.owner.scope {
            FileScope::Project if is_set_before => return Ok(SettingStatus::Overridden),
            FileScope::Project => return Ok(SettingStatus::Pending),
            FileScope::User => self.category(setting).description = text,
        }
        Ok(SettingStatus::Effective)
    }

    /// Sets a number. Numbers are limits, so a project can only lower them, even limits that the user set.
    fn set_number(&mut self, key: &Key, setting: &Setting) -> Result<(), String> {
        let new = setting.value.as_u64().unwrap_or_default();
        let may_only_lower = self.is_project();
        let current = *self.numbers(key, setting).remove(0);
        if may_only_lower && new > current {
            return Err(format!(
                "= {new} would raise the limit; a project may only lower it, so {current} still applies"
            ));
        }
        for number in self.numbers(key, setting) {
            *number = if may_only_lower { new.min(*number) } else { new };
        }
        Ok(())
    }

    /// Returns the numbers that a key sets. A new value is compared with the first of them. A limit that
    /// names no layer applies to every layer, but to the guard only if the file may weaken it.
    fn numbers(&mut self, key: &Key, setting: &Setting) -> Vec<&mut u64> {
        if let Effect::Number(field) = key.effect {
            return vec![field(self.config)];
        }
        if let Effect::WastedTokens(field) = key.effect {
            return vec![wasted_tokens_field(self.config, &setting.path, field)];
        }
        let event = setting.path.last().and_then(|name| EventName::parse(name));
        let limit = move |limits| limit_field(key.effect, event, limits);
        if setting.path[0] == "layers" {
            return vec![limit(&mut self.layer(setting).limits)];
        }
        let spares_guard = !self.owner.may_weaken_guard;
        let layers = self.config.layers.iter_mut().filter(|(name, _)| !spares_guard || *name != GUARD);
        let of_layers = layers.map(|(_, layer)| &mut layer.limits);
        std::iter::once(&mut self.config.limits).chain(of_layers).map(limit).collect()
    }

    fn category(&mut self, setting: &Setting) -> &mut CategoryPolicy {
        // The table of keys accepts only the names of categories.
        self.config.policy.of_mut(setting.path[1].parse().unwrap_or(Category::Context))
    }

    fn layer(&mut self, setting: &Setting) -> &mut LayerConfig {
        let (name, limits) = (&setting.path[1], self.config.limits);
        self.config.layers.entry(name.clone()).or_insert_with(|| LayerConfig::new(name, limits))
    }
}

/// Returns whether a relative path, as it is written, stays inside its folder.
fn stays_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Returns the number of tokens at the path of a key such as `budget.wasted_tokens.prompt.whole`.
pub(super) fn wasted_tokens_field<'a>(
    config: &'a mut Config,
    path: &[String],
    field: fn(&mut WastedTokens) -> &mut u64,
) -> &'a mut u64 {
    // The table of keys accepts only the names of occasions.
    let occasion = path.get(2).and_then(|name| name.parse().ok()).unwrap_or_default();
    field(config.policy.wasted_tokens.of_mut(occasion))
}

/// Returns the limit that a key sets.
pub(super) fn limit_field(effect: Effect, event: Option<EventName>, limits: &mut Limits) -> &mut u64 {
    match effect {
        Effect::Limit(field) => field(limits),
        _ => &mut limits.deadline_ms[event.unwrap_or(EventName::OtherEvent) as usize],
    }
}

fn has_kind(value: &Value, kind: ValueKind) -> bool {
    match kind {
        ValueKind::Bool => value.is_boolean(),
        ValueKind::Integer { min, max } => value.as_i64().is_some_and(|number| (min..=max).contains(&number)),
        ValueKind::Choice(names) => value.as_str().is_some_and(|name| names.contains(&name)),
        ValueKind::String => value.is_string(),
        ValueKind::StringList => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
        ValueKind::Table => value.is_object(),
    }
}

fn strings(value: &Value) -> Vec<String> {
    let strings = value.as_array().into_iter().flatten().filter_map(Value::as_str);
    strings.map(str::to_owned).collect()
}

/// Sets the settings of a layer. If the user has set some, only missing settings are added, table by table.
fn merge_or_replace(known: &mut Value, new: &Value, is_set_before: bool) {
    match (known.as_object_mut(), new.as_object()) {
        (Some(known), Some(new)) if is_set_before => add_missing(known, new),
        _ => *known = new.clone(),
    }
}

fn add_missing(known: &mut Map<String, Value>, new: &Map<String, Value>) {
    for (name, value) in new {
        match (known.get_mut(name), value) {
            (None, value) => _ = known.insert(name.clone(), value.clone()),
            (Some(Value::Object(known)), Value::Object(value)) => add_missing(known, value),
            (Some(_), _) => {}
        }
    }
}

/// Returns a rejected value for a message.
fn described(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a table".to_owned(),
        value => quoted(&value.to_string()),
    }
}

/// Returns the beginning of a text for a message, safe to print on a terminal.
fn quoted(text: &str) -> String {
    interleaf_text::for_terminal(&interleaf_text::truncate(text, MAX_QUOTED_CHARS))
}
