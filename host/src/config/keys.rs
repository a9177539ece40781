//! The one table of keys: what can be set, with which values, and by whom.

use super::limits::Limits;
use super::model::{self, ClientKind};
use super::{Config, ORDER, ORDER_OF_OTHERS};
use crate::layer::{EventName, OnFailure};
use crate::memory::{Category, CategoryPolicy};
use crate::state::MOST_OF_OWNER;

/// Who may set a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
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

impl Who {
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
pub enum Kind {
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
    OnFailure,
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
    pub kind: Kind,
    /// Who may set it.
    pub who: Who,
    /// What it means, in a line.
    pub doc: &'static str,
    pub(super) effect: Effect,
}

/// A hundred years.
const MOST_DAYS: i64 = 36_500;

/// Everything that can be set. What is not here cannot be: there is no key for an endpoint, a model, a command to
/// run, the place of the store or a spend cap that a project could reach. Those of a model are the person's alone.
pub const KEYS: &[Key] = &[
    key(&["layers.NAME.enabled"], Kind::Switch, Who::Both, Effect::Enabled, "whether the layer runs"),
    key(
        &["layers.NAME.order"],
        Kind::Number { min: -1_000_000, max: 1_000_000 },
        Who::Both,
        Effect::Order,
        "its place among the layers of an event; lower comes first",
    ),
    key(
        &["layers.NAME.settings"],
        Kind::Table,
        Who::Both,
        Effect::Settings,
        "what only the layer itself understands; the project's fill what you leave open",
    ),
    key(
        &["layers.NAME.file"],
        Kind::Text,
        Who::Both,
        Effect::File,
        "a component that takes this name once `interleaf layer accept` has shown it to you; of a project, a path \
         within it",
    ),
    key(
        &["layers.NAME.grants"],
        Kind::Table,
        Who::Both,
        Effect::Grants,
        "what a layer from a file asks for; it has what you accepted",
    ),
    key(
        &["layers.NAME.on_failure"],
        Kind::Word(OnFailure::WORDS),
        Who::Both,
        Effect::OnFailure,
        "what is answered in place of a gate that is missing, changed or failing, once you accepted it",
    ),
    limit(
        &["limits.deadline_ms.EVENT", "layers.NAME.limits.deadline_ms.EVENT"],
        Kind::Number { min: 1, max: 3_600_000 },
        Effect::Deadline,
        "milliseconds that a layer may take for the event",
    ),
    limit(
        &["limits.memory_bytes", "layers.NAME.limits.memory_bytes"],
        Kind::Number { min: 1 << 16, max: 4 << 30 },
        Effect::Limit(|limits| &mut limits.memory_bytes),
        "bytes of memory that a layer may hold",
    ),
    limit(
        &["limits.table_elements", "layers.NAME.limits.table_elements"],
        Kind::Number { min: 0, max: 10_000_000 },
        Effect::Limit(|limits| &mut limits.table_elements),
        "elements of all tables of a layer together",
    ),
    limit(
        &["limits.instances", "layers.NAME.limits.instances"],
        Kind::Number { min: 1, max: 10_000 },
        Effect::Limit(|limits| &mut limits.instances),
        "core instances that a layer may be made of",
    ),
    limit(
        &["limits.host_calls", "layers.NAME.limits.host_calls"],
        Kind::Number { min: 0, max: 100_000 },
        Effect::Limit(|limits| &mut limits.host_calls),
        "calls of host functions in an event",
    ),
    limit(
        &["limits.host_call_bytes", "layers.NAME.limits.host_call_bytes"],
        Kind::Number { min: 1 << 10, max: 64 << 20 },
        Effect::Limit(|limits| &mut limits.host_call_bytes),
        "bytes that one host call may carry",
    ),
    limit(
        &["limits.output_bytes", "layers.NAME.limits.output_bytes"],
        Kind::Number { min: 1 << 10, max: 1 << 20 },
        Effect::Limit(|limits| &mut limits.output_bytes),
        "bytes of a layer's reply",
    ),
    limit(
        &["limits.log_lines", "layers.NAME.limits.log_lines"],
        Kind::Number { min: 0, max: 10_000 },
        Effect::Limit(|limits| &mut limits.log_lines),
        "lines that a layer may write into the log in an event",
    ),
    limit(
        &["limits.state_bytes", "layers.NAME.limits.state_bytes"],
        Kind::Number { min: 1 << 10, max: MOST_OF_OWNER as i64 },
        Effect::Limit(|limits| &mut limits.state_bytes),
        "bytes of state that a layer may hold in a session, and as much in the project",
    ),
    limit(
        &["limits.jobs", "layers.NAME.limits.jobs"],
        Kind::Number { min: 0, max: 10_000 },
        Effect::Limit(|limits| &mut limits.jobs),
        "captures and jobs that a layer may leave behind in a session",
    ),
    limit(
        &["limits.stack_bytes", "layers.NAME.limits.stack_bytes"],
        Kind::Number { min: 1 << 16, max: 1 << 20 },
        Effect::Limit(|limits| &mut limits.stack_bytes),
        "bytes of native stack that a layer may use",
    ),
    limit(
        &["budget.hook_units"],
        Kind::Number { min: 0, max: 9900 },
        Effect::Number(|config| &mut config.budget.hook_units),
        "UTF-16 units of context in one hook; Claude Code cuts at 10,000",
    ),
    limit(
        &["budget.session_tokens"],
        Kind::Number { min: 0, max: 10_000_000 },
        Effect::Number(|config| &mut config.budget.session_tokens),
        "tokens of context in one session, a token taken as four units",
    ),
    key(
        &["redact.patterns"],
        Kind::Texts,
        Who::Person,
        Effect::Patterns,
        "regular expressions for secrets of your own, taken out of all that is stored",
    ),
    key(
        &["memory.store"],
        Kind::Word(&["sqlite"]),
        Who::Both,
        Effect::Store,
        "the kind of store for memories",
    ),
    key(
        &["memory.grace_days"],
        // What was forgotten must be known for a day, or the next session would learn it again.
        Kind::Number { min: 1, max: MOST_DAYS },
        Who::Person,
        Effect::Number(|config| &mut config.policy.grace_days),
        "days that a retired memory is kept before it is deleted",
    ),
    key(
        &["memory.archive_retired"],
        Kind::Switch,
        Who::Person,
        Effect::Switch(|config| &mut config.policy.archive_retired),
        "whether it is archived then, instead of deleted",
    ),
    key(
        &["categories.CATEGORY.enabled"],
        Kind::Switch,
        Who::ProjectSwitchesOff,
        Effect::CategorySwitch(|category| &mut category.enabled),
        "whether there are memories of it: if not, none is written and no layer finds any",
    ),
    key(
        &["categories.CATEGORY.auto_capture"],
        Kind::Switch,
        Who::ProjectSwitchesOff,
        Effect::CategorySwitch(|category| &mut category.auto_capture),
        "whether layers write any by themselves",
    ),
    key(
        &["categories.CATEGORY.description"],
        Kind::Text,
        Who::ProjectOnceAccepted,
        Effect::Description,
        "what belongs into it, for whoever has to tell; it goes into a model's prompt",
    ),
    key(
        &["categories.CATEGORY.retention_days"],
        Kind::Number { min: 0, max: MOST_DAYS },
        Who::Person,
        Effect::CategoryNumber(|category| &mut category.retention_days),
        "days without a change after which one is retired; 0 is never",
    ),
    key(
        &["categories.CATEGORY.max_kept"],
        Kind::Number { min: 0, max: 1_000_000 },
        Who::Person,
        Effect::CategoryNumber(|category| &mut category.max_kept),
        "how many are active at most; 0 is without limit",
    ),
    key(
        &["llm.client"],
        Kind::Word(ClientKind::WORDS),
        Who::Person,
        Effect::Model(model::client),
        "who is asked: the `claude` program, the Messages API, a server with OpenAI's chat completions, or nobody",
    ),
    llm(&["llm.small"], model::small, "the model for drafts; has a default for `claude` and `anthropic`"),
    llm(&["llm.strong"], model::strong, "the model for judgement; likewise"),
    llm(&["llm.base_url"], model::base_url, "where the server is; needed for none but your own"),
    llm(&["llm.key_env"], model::key_env, "the environment variable that holds the key"),
    llm(&["llm.key_file"], model::key_file, "a file with the key, which nobody but you can read"),
    llm(&["llm.program"], model::program, "the `claude` program: its name on the PATH, or its path"),
    key(
        &["llm.timeout_seconds"],
        Kind::Number { min: 1, max: 600 },
        Who::Person,
        Effect::Number(|config| &mut config.llm.timeout_seconds),
        "seconds that one request may take, with all its tries",
    ),
    key(
        &["llm.daily_tokens"],
        Kind::Number { min: 0, max: 100_000_000 },
        Who::Person,
        Effect::Number(|config| &mut config.llm.daily_tokens),
        "tokens of one day (UTC), over all projects",
    ),
    key(
        &["llm.session_tokens"],
        Kind::Number { min: 0, max: 100_000_000 },
        Who::Person,
        Effect::Number(|config| &mut config.llm.session_tokens),
        "tokens of one session in a day",
    ),
];

const fn key(paths: &'static [&'static str], kind: Kind, who: Who, effect: Effect, doc: &'static str) -> Key {
    Key { paths, kind, who, effect, doc }
}

const fn llm(paths: &'static [&'static str], set: model::Set, doc: &'static str) -> Key {
    key(paths, Kind::Text, Who::Person, Effect::Model(set), doc)
}

const fn limit(paths: &'static [&'static str], kind: Kind, effect: Effect, doc: &'static str) -> Key {
    key(paths, kind, Who::ProjectLowers, effect, doc)
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
            Effect::OnFailure => "ask for a layer with the power to ask or deny, else pass".to_owned(),
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

impl Kind {
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
