//! The one table of keys: what can be set, with which values, and by whom.

use super::super::model::{self, ClientKind};
use super::{Effect, Key, Kind, Who};
use crate::layer::OnFailure;
use crate::state::MAX_BYTES_PER_OWNER;

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
        Kind::Number { min: 1 << 10, max: MAX_BYTES_PER_OWNER as i64 },
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
