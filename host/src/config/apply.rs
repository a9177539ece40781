//! Settings of one file laid over what holds so far, as far as their author may.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use super::keys::{Effect, Key, Kind, Who};
use super::limits::Limits;
use super::lookup::{Spot, spot};
use super::model;
use super::nearest::suggestion;
use super::read::{self, Setting};
use super::{Config, LayerConfig, Store, Switch};
use crate::layer::{EventName, Grants, OnFailure, Whose};

/// So much of a key or value is quoted in a note: a line for a person.
const MOST_QUOTED: usize = 60;

/// Whose file it is.
pub(super) enum Author {
    /// The person's.
    Person,
    /// The project's, with the person's own file to point to.
    Project { persons_file: Option<PathBuf> },
}

/// Something in a file that was not heeded.
pub(super) struct Note {
    pub line: Option<usize>,
    pub what: String,
}

impl Note {
    /// The note as people read it.
    pub fn in_file(self, file: &Path) -> String {
        match self.line {
            Some(line) => format!("{}:{line}: {}", file.display(), self.what),
            None => format!("{}: {}", file.display(), self.what),
        }
    }
}

/// Lays a file over the configuration. `told` holds the paths that the person has set: the project's say nothing
/// there.
pub(super) fn apply(
    config: &mut Config,
    content: &[u8],
    author: Author,
    told: &mut BTreeSet<String>,
) -> Vec<Note> {
    let mut settings = match read::settings(content) {
        Ok(settings) => settings,
        Err((line, cause)) => {
            let what = format!("not read: {cause}; nothing of this file is used until that is mended");
            return vec![Note { line: Some(line), what }];
        }
    };
    // Limits of all layers come before those of one.
    settings.sort_by_key(|setting| setting.path[0] == "layers");
    let mut layering = Layering { config, author, told };
    let refused =
        |setting: &Setting| Some(Note { line: Some(setting.line), what: layering.take(setting).err()? });
    let mut notes: Vec<Note> = settings.iter().filter_map(refused).collect();
    notes.sort_by_key(|note| note.line);
    notes
}

struct Layering<'a> {
    config: &'a mut Config,
    author: Author,
    told: &'a mut BTreeSet<String>,
}

impl Layering<'_> {
    /// Takes one setting, or says why not.
    fn take(&mut self, setting: &Setting) -> Result<(), String> {
        let name = quoted(&setting.path.join("."));
        let key = match spot(&setting.path) {
            Spot::Key(key) => key,
            Spot::Section => return Err(format!("{name} must be a table")),
            Spot::Unknown => return Err(format!("{name} is not known; {}", suggestion(&setting.path))),
        };
        if let (Author::Project { persons_file }, Who::Person) = (&self.author, key.who) {
            return Err(format!("{name} is not for a project to set{}", own_file(persons_file.as_deref())));
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
    fn set(&mut self, key: &Key, setting: &Setting, told: bool) -> Result<(), String> {
        let value = &setting.value;
        match key.effect {
            Effect::Model(set) => return set(&mut self.config.llm, model::text(value)),
            Effect::Settings => fill_or_replace(&mut self.layer(setting).settings, value, told),
            Effect::Number(_) | Effect::Limit(_) | Effect::Deadline => return self.number(key, setting),
            _ if told => {}
            Effect::Enabled => {
                self.layer(setting).enabled = match (value.as_bool().unwrap_or(true), &self.author) {
                    (true, _) => Switch::On,
                    (false, Author::Person) => Switch::OffByPerson,
                    (false, Author::Project { .. }) => Switch::OffByProject,
                }
            }
            Effect::File => {
                let path = PathBuf::from(value.as_str().unwrap_or_default());
                let whose = self.whose();
                if whose == Whose::Project && !stays_within(&path) {
                    return Err("must be a path within the project, without `..`".to_owned());
                }
                self.layer(setting).file = Some((whose, path));
            }
            Effect::Grants => {
                let asks =
                    Grants::read(value.clone()).map_err(|error| format!("is not understood: {error}"))?;
                self.layer(setting).asks = Some(asks);
            }
            Effect::OnFailure => {
                self.layer(setting).on_failure = value.as_str().and_then(OnFailure::parse);
            }
            Effect::Order => self.layer(setting).order = value.as_i64().unwrap_or_default(),
            Effect::Store => self.config.store = Store::Sqlite,
            Effect::Patterns => self.config.redact = texts(value),
        }
        Ok(())
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

    fn whose(&self) -> Whose {
        match self.author {
            Author::Person => Whose::Person,
            Author::Project { .. } => Whose::Project,
        }
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

fn limit(effect: Effect, event: Option<EventName>, limits: &mut Limits) -> &mut u64 {
    match effect {
        Effect::Limit(of) => of(limits),
        _ => &mut limits.deadline_ms[event.unwrap_or(EventName::OtherEvent) as usize],
    }
}

fn fits(kind: Kind, value: &Value) -> bool {
    match kind {
        Kind::Switch => value.is_boolean(),
        Kind::Number { min, max } => value.as_i64().is_some_and(|number| (min..=max).contains(&number)),
        Kind::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
        Kind::Text => value.is_string(),
        Kind::Texts => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
        Kind::Table => value.is_object(),
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

fn own_file(file: Option<&Path>) -> String {
    file.map_or_else(String::new, |file| format!("; if you want it, write it into {}", file.display()))
}

/// The name of a key in backquotes: short, and without what would move a terminal's cursor.
fn quoted(text: &str) -> String {
    format!("`{}`", tame(text))
}

fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a table".to_owned(),
        value => tame(&value.to_string()),
    }
}

fn tame(text: &str) -> String {
    let harmless = |letter: char| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter };
    let mut short: String = text.chars().take(MOST_QUOTED).map(harmless).collect();
    if text.chars().nth(MOST_QUOTED).is_some() {
        short.push('…');
    }
    short
}
