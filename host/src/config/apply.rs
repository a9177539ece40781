//! Settings of one file laid over what holds so far, as far as their author may.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use super::description;
use super::keys::{Effect, Key, KeyAccess, ValueKind};
use super::limits::Limits;
use super::lookup::{Spot, spot};
use super::nearest::suggestion;
use super::note::{own_file, quoted, shown};
use super::read::{self, Setting};
use super::survey::SettingStatus;
use super::{Activation, Config, LayerConfig, Store};
use crate::layer::{EventName, FailurePolicy, FileScope, Grants};
use crate::memory::{Category, CategoryPolicy};

/// Whose file it is.
#[derive(Clone, Copy)]
pub(super) enum Author<'a> {
    /// The person's.
    Person,
    /// The project's, with the person's own file to point to.
    Project { user_file: Option<&'a Path> },
}

impl Author<'_> {
    pub fn scope(self) -> FileScope {
        match self {
            Self::Person => FileScope::User,
            Self::Project { .. } => FileScope::Project,
        }
    }
}

/// A setting, and what became of it.
pub(super) struct Taken {
    pub setting: Setting,
    pub outcome: SettingStatus,
}

/// Lays a file over the configuration. `told` holds the paths that the person has set: the project's say nothing
/// there.
///
/// # Errors
/// Line and cause, for what is not TOML.
pub(super) fn apply(
    config: &mut Config,
    content: &[u8],
    author: Author,
    told: &mut BTreeSet<String>,
) -> Result<Vec<Taken>, (usize, String)> {
    let mut settings = read::settings(content)?;
    // Limits of all layers come before those of one.
    settings.sort_by_key(|setting| setting.path[0] == "layers");
    let mut layering = Layering { config, author, told };
    let take = |setting: Setting| {
        let outcome = layering.take(&setting).unwrap_or_else(SettingStatus::Rejected);
        Taken { setting, outcome }
    };
    Ok(settings.into_iter().map(take).collect())
}

/// Why a person's file may not set this; `None` where it may.
pub fn rejection_reason(path: &[String], value: &Value) -> Option<String> {
    let setting = Setting { path: path.to_vec(), line: 0, value: value.clone() };
    let (mut config, mut told) = (Config::default(), BTreeSet::new());
    Layering { config: &mut config, author: Author::Person, told: &mut told }.take(&setting).err()
}

struct Layering<'a> {
    config: &'a mut Config,
    author: Author<'a>,
    told: &'a mut BTreeSet<String>,
}

impl Layering<'_> {
    /// Takes one setting, or says why not.
    fn take(&mut self, setting: &Setting) -> Result<SettingStatus, String> {
        let name = quoted(&setting.path.join("."));
        let key = match spot(&setting.path) {
            Spot::Key(key) => key,
            Spot::Section => return Err(format!("{name} must be a table")),
            Spot::Unknown => return Err(format!("{name} is not known; {}", suggestion(&setting.path))),
        };
        if let (Author::Project { user_file }, KeyAccess::Person) = (&self.author, key.who) {
            return Err(format!("{name} is not for a project to set{}", own_file(*user_file)));
        }
        if !fits(key.kind, &setting.value) {
            return Err(format!("{name} must be {}, not {}", key.kind.describe(), shown(&setting.value)));
        }
        let told = match self.author {
            Author::Person => !self.told.insert(setting.path.join(".")),
            Author::Project { .. } => self.told.contains(&setting.path.join(".")),
        };
        self.set(key, setting, told).map_err(|cause| format!("{name} {cause}"))
    }

    /// `told` is whether the person has decided this already.
    fn set(&mut self, key: &Key, setting: &Setting, told: bool) -> Result<SettingStatus, String> {
        let value = &setting.value;
        let text = value.as_str().unwrap_or_default();
        match key.effect {
            Effect::Model(set) => set(&mut self.config.llm, text)?,
            Effect::Settings => fill_or_replace(&mut self.layer(setting).settings, value, told),
            Effect::Number(_) | Effect::Limit(_) | Effect::Deadline => self.number(key, setting)?,
            Effect::Description => return self.describe(setting, text, told),
            _ if told => return Ok(SettingStatus::Overridden),
            Effect::Enabled => {
                self.layer(setting).enabled = match (value.as_bool().unwrap_or(true), &self.author) {
                    (true, _) => Activation::Enabled,
                    (false, Author::Person) => Activation::DisabledByUser,
                    (false, Author::Project { .. }) => Activation::DisabledByProject,
                }
            }
            Effect::File => self.file(setting, text)?,
            Effect::Grants => {
                let asks = Grants::from_json(value.clone())
                    .map_err(|error| format!("is not understood: {error}"))?;
                self.layer(setting).requested_grants = Some(asks);
            }
            Effect::FailurePolicy => self.layer(setting).on_failure = FailurePolicy::parse(text),
            Effect::Order => self.layer(setting).order = value.as_i64().unwrap_or_default(),
            Effect::Store => self.config.store = Store::Sqlite,
            Effect::Patterns => self.config.redact = texts(value),
            Effect::Switch(of) => *of(self.config) = value.as_bool().unwrap_or_default(),
            Effect::CategorySwitch(of) => self.switch(of, setting),
            Effect::CategoryNumber(of) => *of(self.category(setting)) = value.as_u64().unwrap_or_default(),
        }
        Ok(SettingStatus::Effective)
    }

    /// A project only ever switches off.
    fn switch(&mut self, of: fn(&mut CategoryPolicy) -> &mut bool, setting: &Setting) {
        let (on, persons) = (setting.value.as_bool().unwrap_or(true), self.author.scope() == FileScope::User);
        let switch = of(self.category(setting));
        *switch = on && (persons || *switch);
    }

    fn file(&mut self, setting: &Setting, text: &str) -> Result<(), String> {
        let (path, whose) = (PathBuf::from(text), self.author.scope());
        if whose == FileScope::Project && !stays_within(&path) {
            return Err("must be a path within the project, without `..`".to_owned());
        }
        self.layer(setting).file = Some((whose, path));
        Ok(())
    }

    /// A project's words wait to be accepted, and do not even wait where the person has their own.
    fn describe(&mut self, setting: &Setting, text: &str, told: bool) -> Result<SettingStatus, String> {
        let text = description::read(text)?;
        match self.author {
            Author::Project { .. } if told => return Ok(SettingStatus::Overridden),
            Author::Project { .. } => return Ok(SettingStatus::Pending),
            Author::Person => self.category(setting).description = text,
        }
        Ok(SettingStatus::Effective)
    }

    /// Numbers are limits: a project lowers those that hold, also those that the person set.
    fn number(&mut self, key: &Key, setting: &Setting) -> Result<(), String> {
        let wanted = setting.value.as_u64().unwrap_or_default();
        let lowers_only = matches!(self.author, Author::Project { .. });
        let holds = *self.places(key, setting).remove(0);
        if lowers_only && wanted > holds {
            return Err(format!(
                "= {wanted} would raise the limit; a project may only lower it, so {holds} stays"
            ));
        }
        for place in self.places(key, setting) {
            *place = if lowers_only { wanted.min(*place) } else { wanted };
        }
        Ok(())
    }

    /// The numbers that a key stands for; the first is the one to compare with. A limit that names no layer is
    /// everyone's.
    fn places(&mut self, key: &Key, setting: &Setting) -> Vec<&mut u64> {
        if let Effect::Number(of) = key.effect {
            return vec![of(self.config)];
        }
        let event = setting.path.last().and_then(|name| EventName::parse(name));
        let of = move |limits| limit(key.effect, event, limits);
        if setting.path[0] == "layers" {
            return vec![of(&mut self.layer(setting).limits)];
        }
        let layers = self.config.layers.values_mut().map(|layer| &mut layer.limits);
        std::iter::once(&mut self.config.limits).chain(layers).map(of).collect()
    }

    fn category(&mut self, setting: &Setting) -> &mut CategoryPolicy {
        // The table of keys lets no other word through.
        self.config.policy.of_mut(setting.path[1].parse().unwrap_or(Category::Context))
    }

    fn layer(&mut self, setting: &Setting) -> &mut LayerConfig {
        let (name, limits) = (&setting.path[1], self.config.limits);
        self.config.layers.entry(name.clone()).or_insert_with(|| LayerConfig::of(name, limits))
    }
}

/// Whether a path leads nowhere outside of where it starts, as it is written.
fn stays_within(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// The place of a limit among all.
pub(super) fn limit(effect: Effect, event: Option<EventName>, limits: &mut Limits) -> &mut u64 {
    match effect {
        Effect::Limit(of) => of(limits),
        _ => &mut limits.deadline_ms[event.unwrap_or(EventName::OtherEvent) as usize],
    }
}

fn fits(kind: ValueKind, value: &Value) -> bool {
    match kind {
        ValueKind::Switch => value.is_boolean(),
        ValueKind::Number { min, max } => value.as_i64().is_some_and(|number| (min..=max).contains(&number)),
        ValueKind::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
        ValueKind::Text => value.is_string(),
        ValueKind::Texts => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
        ValueKind::Table => value.is_object(),
    }
}

fn texts(value: &Value) -> Vec<String> {
    let texts = value.as_array().into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

/// Settings of a layer: within what the person said, the project's fill what is left open, table by table.
fn fill_or_replace(known: &mut Value, new: &Value, told: bool) {
    match (known.as_object_mut(), new.as_object()) {
        (Some(known), Some(new)) if told => fill(known, new),
        _ => *known = new.clone(),
    }
}

fn fill(known: &mut Map<String, Value>, new: &Map<String, Value>) {
    for (name, value) in new {
        match (known.get_mut(name), value) {
            (None, value) => _ = known.insert(name.clone(), value.clone()),
            (Some(Value::Object(known)), Value::Object(value)) => fill(known, value),
            (Some(_), _) => {}
        }
    }
}
