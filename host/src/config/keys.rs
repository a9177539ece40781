//! What a key is: which values it takes, who may set it, and what setting it does. The keys themselves are in `table`.

mod table;

use super::limits::Limits;
use super::model;
use super::{Config, ORDER, ORDER_OF_OTHERS};
use crate::layer::EventName;
use crate::memory::{Category, CategoryPolicy};
pub use table::KEYS;

/// KeyAccess may set a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyAccess {
    /// The person, in a file of their own.
    Person,
    /// Also a project; where both do, the person wins.
    Both,
    /// The person; a project may only lower what holds without it.
    ProjectLowers,
    /// The person; a project may only switch off what the person said nothing of.
    ProjectSwitchesOff,
    /// The person; a project's counts once the person has accepted it.
    ProjectOnceAccepted,
}

impl KeyAccess {
    /// In words, for a list of keys.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Person => "you",
            Self::Both => "you or the project",
            Self::ProjectLowers => "you; the project may lower it",
            Self::ProjectSwitchesOff => "you; the project may switch it off",
            Self::ProjectOnceAccepted => "you; the project's once you accepted it",
        }
    }
}

/// What values a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// `true` or `false`.
    Switch,
    /// A whole number in this range.
    Number {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any text.
    Text,
    /// A list of texts.
    Texts,
    /// A table that is not looked into here.
    Table,
}

/// What setting a key does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Effect {
    /// Sets a number of the whole configuration.
    Number(fn(&mut Config) -> &mut u64),
    /// Sets a limit: of every layer, or of the one that the path names.
    Limit(fn(&mut Limits) -> &mut u64),
    /// Sets the deadline of the event that the path names, likewise.
    Deadline,
    Enabled,
    Order,
    File,
    Grants,
    FailurePolicy,
    Settings,
    Patterns,
    Store,
    /// Sets a switch of the whole configuration.
    Switch(fn(&mut Config) -> &mut bool),
    /// Sets a switch or a number of the category that the path names.
    CategorySwitch(fn(&mut CategoryPolicy) -> &mut bool),
    CategoryNumber(fn(&mut CategoryPolicy) -> &mut u64),
    Description,
    /// Sets one of the texts of `[llm]`.
    Model(model::Set),
}

/// One thing that can be set.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The places where it is written. `NAME` stands for a layer's name, `EVENT` for an event of the contract,
    /// `CATEGORY` for a category of memories.
    pub paths: &'static [&'static str],
    /// What values it takes.
    pub kind: ValueKind,
    /// KeyAccess may set it.
    pub who: KeyAccess,
    /// What it means, in a line.
    pub doc: &'static str,
    pub(super) effect: Effect,
}

impl Key {
    /// The value that holds when nobody sets it.
    pub fn default_value(&self) -> String {
        let mut config = Config::default();
        match self.effect {
            Effect::Number(of) => of(&mut config).to_string(),
            Effect::Limit(of) => of(&mut config.limits).to_string(),
            Effect::Deadline => list(EventName::ALL.iter().zip(config.limits.deadline_ms)),
            Effect::Order => format!("{}, others {}", list(ORDER), ORDER_OF_OTHERS),
            Effect::Enabled | Effect::CategorySwitch(_) => "true".to_owned(),
            Effect::Switch(of) => of(&mut config).to_string(),
            Effect::CategoryNumber(of) => usual(|category| *of(config.policy.of_mut(category))),
            Effect::Description => "one for each".to_owned(),
            Effect::Store => "sqlite".to_owned(),
            Effect::FailurePolicy => "ask for a layer with the power to ask or deny, else pass".to_owned(),
            Effect::Settings | Effect::Patterns | Effect::File | Effect::Grants | Effect::Model(_) => {
                "none".to_owned()
            }
        }
    }
}

fn list(pairs: impl IntoIterator<Item = (impl std::fmt::Display, impl std::fmt::Display)>) -> String {
    pairs.into_iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
}

/// A number of each category: those that have one, then the 0 of all others.
fn usual(mut of: impl FnMut(Category) -> u64) -> String {
    let numbers = Category::ALL.iter().map(|category| (*category, of(*category)));
    format!("{}, others 0", list(numbers.filter(|(_, number)| *number > 0)))
}

impl ValueKind {
    /// In words, to follow "must be".
    pub fn describe(self) -> String {
        match self {
            Self::Switch => "true or false".to_owned(),
            Self::Number { min, max } => format!("a whole number from {min} to {max}"),
            Self::Word(words) => {
                words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" or ")
            }
            Self::Text => "a text".to_owned(),
            Self::Texts => "a list of texts".to_owned(),
            Self::Table => "a table".to_owned(),
        }
    }
}
