//! The properties of a configuration key: its values, who may set it, and its effect. The keys themselves are
//! in `key_table`.

use std::fmt::Display;

use super::limits::Limits;
use super::model_config::SetModelText;
use super::sync_config::SetSyncText;
use super::{Config, DEFAULT_ORDER, EMBEDDED_ORDER};
use crate::layer::EventName;
use crate::memory::{Category, CategoryPolicy, Occasion, WastedTokens};

/// Who may set a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyAccess {
    /// The user, in their own file.
    UserOnly,
    /// The user and a project. If both do, the user's value applies.
    UserOrProject,
    /// The user. A project may only lower the value that applies without it.
    ProjectMayLower,
    /// The user. A project may only disable what the user has not set.
    ProjectMayDisable,
    /// The user. A project's value applies once the user has accepted it.
    ProjectOnceAccepted,
}

impl KeyAccess {
    /// Returns the access in words, for a list of keys.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UserOnly => "you",
            Self::UserOrProject => "you or the project",
            Self::ProjectMayLower => "you; the project may lower it",
            Self::ProjectMayDisable => "you; the project may disable it",
            Self::ProjectOnceAccepted => "you; the project's value applies once you accepted it",
        }
    }
}

/// The valid values of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// `true` or `false`.
    Bool,
    /// A whole number in this range.
    Integer {
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of these strings.
    Choice(&'static [&'static str]),
    /// Any string.
    String,
    /// A list of strings.
    StringList,
    /// A table that is not checked here.
    Table,
}

impl ValueKind {
    /// Returns the values in words, to be placed after "must be".
    pub fn describe(self) -> String {
        match self {
            Self::Bool => "true or false".to_owned(),
            Self::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Self::Choice(names) => {
                names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(" or ")
            }
            Self::String => "a string".to_owned(),
            Self::StringList => "a list of strings".to_owned(),
            Self::Table => "a table".to_owned(),
        }
    }
}

/// The effect of setting a key.
#[derive(Debug, Clone, Copy)]
pub(super) enum Effect {
    /// Sets a number of the whole configuration.
    Number(fn(&mut Config) -> &mut u64),
    /// Sets a limit of every layer, or of the layer that the path names.
    Limit(fn(&mut Limits) -> &mut u64),
    /// Sets the deadline of the event that the path names, for every layer or for the layer that the path
    /// names.
    Deadline,
    Enabled,
    Order,
    File,
    Grants,
    OnFailure,
    Detail,
    Settings,
    RedactPatterns,
    /// Sets nothing, because there is only this one value. The key exists so that files that contain it stay
    /// valid.
    Fixed(&'static str),
    /// Sets a switch of the whole configuration.
    Switch(fn(&mut Config) -> &mut bool),
    /// Sets a switch of the category that the path names.
    CategorySwitch(fn(&mut CategoryPolicy) -> &mut bool),
    /// Sets a number of the category that the path names.
    CategoryNumber(fn(&mut CategoryPolicy) -> &mut u64),
    /// Sets the tokens that may be wasted at the occasion that the path names.
    WastedTokens(fn(&mut WastedTokens) -> &mut u64),
    Description,
    /// Sets one of the strings of `[llm]`.
    ModelText(SetModelText),
    /// Sets one of the strings of `[sync]`.
    SyncText(SetSyncText),
    /// Sets whether sessions are recorded.
    Record,
}

/// A configuration key.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The paths at which it is written. `NAME` stands for the name of a layer, `EVENT` for an event of
    /// the contract, `CATEGORY` for a category of memories, `OCCASION` for an occasion of a search.
    pub paths: &'static [&'static str],
    /// Its valid values.
    pub kind: ValueKind,
    /// Who may set it.
    pub access: KeyAccess,
    /// Its meaning, in one line.
    pub doc: &'static str,
    pub(super) effect: Effect,
}

impl Key {
    /// Returns the default value in words.
    pub fn default_value(&self) -> String {
        let mut config = Config::default();
        match self.effect {
            Effect::Number(field) => field(&mut config).to_string(),
            Effect::Limit(field) => field(&mut config.limits).to_string(),
            Effect::Deadline => list(EventName::ALL.iter().zip(config.limits.deadline_ms)),
            Effect::Order => format!("{}, others {DEFAULT_ORDER}", list(EMBEDDED_ORDER)),
            Effect::Enabled | Effect::CategorySwitch(_) => "true".to_owned(),
            Effect::Switch(field) => field(&mut config).to_string(),
            Effect::CategoryNumber(field) => {
                category_defaults(|category| *field(config.policy.of_mut(category)))
            }
            Effect::WastedTokens(field) => list(Occasion::ALL.iter().map(|occasion| {
                let tokens = config.policy.wasted_tokens.of_mut(*occasion);
                (occasion, *field(tokens))
            })),
            Effect::Description => "one for each category".to_owned(),
            Effect::Fixed(value) => value.to_owned(),
            Effect::OnFailure => "ask for a layer with the power to ask or deny, otherwise pass".to_owned(),
            Effect::Detail => "full".to_owned(),
            Effect::Record => "off until you are asked".to_owned(),
            Effect::Settings
            | Effect::RedactPatterns
            | Effect::File
            | Effect::Grants
            | Effect::ModelText(_)
            | Effect::SyncText(_) => "none".to_owned(),
        }
    }
}

fn list(pairs: impl IntoIterator<Item = (impl Display, impl Display)>) -> String {
    pairs.into_iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
}

/// Lists the categories whose number is not 0.
fn category_defaults(mut number_of: impl FnMut(Category) -> u64) -> String {
    let numbers = Category::ALL.iter().map(|category| (*category, number_of(*category)));
    format!("{}, others 0", list(numbers.filter(|(_, number)| *number > 0)))
}
