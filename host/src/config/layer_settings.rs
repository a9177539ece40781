//! The table of the embedded layers' settings: their values, and in which direction a project may move each.
//!
//! A project's file is untrusted. It may make a layer stricter, but it must not make it spend more, log more,
//! capture more or verify less. The settings of other layers are not listed: a person has accepted such a
//! layer, and only it knows what they mean.

use serde_json::{Map, Value};

use super::key_path::is_prefix;

/// The setting of an embedded layer.
#[derive(Debug, Clone, Copy)]
pub struct LayerSetting {
    /// The layer.
    pub layer: &'static str,
    /// The path below `[layers.NAME.settings]`. `CATEGORY` stands for a category of memories, `SIGNAL` for a
    /// signal of posttool.
    pub path: &'static str,
    /// Its valid values, and its default.
    pub kind: SettingKind,
    /// What a project may do with it.
    pub right: ProjectRight,
}

/// The valid values of a setting, and its default.
#[derive(Debug, Clone, Copy)]
pub enum SettingKind {
    /// `true` or `false`.
    Switch(bool),
    /// A whole number up to `max`.
    Integer {
        /// The largest value.
        max: u64,
        /// The value that applies if nothing is set.
        default: u64,
    },
    /// A number from 0 to 1, with its default.
    Share(f64),
    /// One of these strings. The first one is the default.
    Choice(&'static [&'static str]),
    /// Any string.
    Text,
    /// A list of strings.
    Texts,
    /// A number from 0 to 1 for each signal.
    Weight,
}

/// What a project may do with a setting that the user has not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectRight {
    /// Nothing.
    None,
    /// Set it, because it cannot make the layer less careful.
    Set,
    /// Set a lower number than the default.
    Lower,
    /// Set a higher number than the default.
    Raise,
    /// Switch it on.
    Enable,
    /// Switch it off.
    Disable,
    /// Choose the default, which is the cheapest value.
    Default,
}

impl ProjectRight {
    /// Returns the right in words, for a list of settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "you",
            Self::Set => "you or the project",
            Self::Lower => "you; the project may lower it",
            Self::Raise => "you; the project may raise it",
            Self::Enable => "you; the project may enable it",
            Self::Disable => "you; the project may disable it",
            Self::Default => "you; the project may set the default",
        }
    }
}

use ProjectRight::{Default as OnlyDefault, Disable, Enable, Lower, None as Nothing, Raise, Set};
use SettingKind::{Choice, Integer, Share, Switch, Text, Texts, Weight};

/// The settings of all embedded layers. `warmstart` has none.
pub const LAYER_SETTINGS: &[LayerSetting] = &[
    setting("recall", "triggers", Texts, Set),
    setting("recall", "memories", Integer { max: 20, default: 3 }, Lower),
    setting("recall", "titles", Integer { max: 20, default: 3 }, Lower),
    setting("pretool", "memory_folder", Text, Set),
    setting("pretool", "titles", Integer { max: 20, default: 2 }, Lower),
    setting("posttool", "tools", Texts, Nothing),
    setting("posttool", "threshold", Share(0.6), Raise),
    setting("posttool", "weights.SIGNAL", Weight, Nothing),
    setting("posttool", "fixes", Switch(true), Disable),
    setting("posttool", "titles", Integer { max: 20, default: 2 }, Lower),
    setting("posttool", "promote", Switch(true), Disable),
    setting("save", "memories", Integer { max: 50, default: 5 }, Lower),
    setting("save", "drafts", Integer { max: 50, default: 8 }, Lower),
    setting("save", "debounce_seconds", Integer { max: 604_800, default: 300 }, Raise),
    setting("save", "only_with_skills", Switch(false), Enable),
    setting("save", "model", Switch(true), Disable),
    setting("save", "tier", Choice(&["small", "strong"]), OnlyDefault),
    setting("save", "ask_agent", Switch(false), Disable),
    setting("save", "promote", Switch(true), Disable),
    setting("save", "explain", Switch(false), Disable),
];

const fn setting(
    layer: &'static str,
    path: &'static str,
    kind: SettingKind,
    right: ProjectRight,
) -> LayerSetting {
    LayerSetting { layer, path, kind, right }
}

impl LayerSetting {
    /// Returns the setting of a layer at the path below its settings.
    pub(super) fn find(layer: &str, path: &[String]) -> Option<&'static Self> {
        let depth = |setting: &Self| setting.path.split('.').count();
        let mut settings = LAYER_SETTINGS.iter().filter(|setting| setting.layer == layer);
        settings.find(|setting| depth(setting) == path.len() && is_prefix(path, setting.path))
    }

    /// Tells whether a setting of the layer lies below this path.
    pub(super) fn has_below(layer: &str, path: &[String]) -> bool {
        let depth = |setting: &Self| setting.path.split('.').count();
        let mut settings = LAYER_SETTINGS.iter().filter(|setting| setting.layer == layer);
        settings.any(|setting| depth(setting) > path.len() && is_prefix(path, setting.path))
    }

    /// Checks the value, and a project's right to set it.
    ///
    /// # Errors
    /// The reason for a person, to be placed after the name of the setting.
    pub(super) fn check(&self, value: &Value, is_project: bool) -> Result<(), String> {
        if !self.kind.accepts(value) {
            return Err(format!("must be {}", self.kind.describe()));
        }
        if is_project && !self.is_stricter(value) {
            return Err(match self.right {
                Nothing => "cannot be set by a project".to_owned(),
                Set => "cannot have this value".to_owned(),
                Lower => format!("can only be lowered by a project, so {} still applies", self.default()),
                Raise => format!("can only be raised by a project, so {} still applies", self.default()),
                Enable => "can only be enabled by a project".to_owned(),
                Disable => "can only be disabled by a project".to_owned(),
                OnlyDefault => format!("can only be {} in a project", self.default()),
            });
        }
        Ok(())
    }

    fn is_stricter(&self, value: &Value) -> bool {
        let default = self.default();
        match (self.right, value.as_f64(), default.as_f64()) {
            (Set, ..) => true,
            (Enable, ..) => *value == Value::Bool(true),
            (Disable, ..) => *value == Value::Bool(false),
            (OnlyDefault, ..) => *value == default,
            (Lower, Some(value), Some(default)) => value <= default,
            (Raise, Some(value), Some(default)) => value >= default,
            _ => false,
        }
    }

    /// Returns the default; null if there is none.
    fn default(&self) -> Value {
        match self.kind {
            Switch(default) => default.into(),
            Integer { default, .. } => default.into(),
            Share(default) => default.into(),
            Choice(names) => names[0].into(),
            Text | Texts | Weight => Value::Null,
        }
    }

    /// Returns the default in words.
    pub fn default_value(&self) -> String {
        match self.default() {
            Value::Null => "the layer's own".to_owned(),
            Value::String(text) => text,
            value => value.to_string(),
        }
    }
}

impl SettingKind {
    /// Returns the values in words, to be placed after "must be".
    pub fn describe(self) -> String {
        match self {
            Switch(_) => "true or false".to_owned(),
            Integer { max, .. } => format!("a whole number from 0 to {max}"),
            Share(_) | Weight => "a number from 0 to 1".to_owned(),
            Choice(names) => names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(" or "),
            Text => "a string".to_owned(),
            Texts => "a list of strings".to_owned(),
        }
    }

    fn accepts(self, value: &Value) -> bool {
        match self {
            Switch(_) => value.is_boolean(),
            Integer { max, .. } => value.as_u64().is_some_and(|number| number <= max),
            Share(_) | Weight => value.as_f64().is_some_and(|number| (0.0..=1.0).contains(&number)),
            Choice(names) => value.as_str().is_some_and(|name| names.contains(&name)),
            Text => value.is_string(),
            Texts => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
        }
    }
}

/// Returns a message about a setting that no embedded layer reads; `None` for any other path. The setting is
/// passed on all the same, because a layer from a file may have taken the embedded layer's place.
pub fn unknown_setting(path: &[String]) -> Option<String> {
    let (layer, rest) = split(path).filter(|(layer, rest)| LayerSetting::find(layer, rest).is_none())?;
    let known = LAYER_SETTINGS.iter().filter(|setting| setting.layer == layer).map(|setting| setting.path);
    let known = known.collect::<Vec<_>>().join(", ");
    Some(format!("`{}` is not a setting of the embedded layer {layer}; known: {known}", rest.join(".")))
}

/// Splits the path of a setting into the layer and the path below its settings; `None` for any other key, and
/// for the settings of a layer without a table.
pub(super) fn split(path: &[String]) -> Option<(&str, &[String])> {
    match path {
        [layers, layer, settings, rest @ ..] if layers == "layers" && settings == "settings" => {
            LAYER_SETTINGS.iter().any(|setting| setting.layer == layer).then_some((layer, rest))
        }
        _ => None,
    }
}

/// Returns the object in which the value stands at this path.
pub(super) fn nested(path: &[String], value: Value) -> Map<String, Value> {
    let wrap = |value, name: &String| Value::Object(Map::from_iter([(name.clone(), value)]));
    match path.iter().rev().fold(value, wrap) {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
