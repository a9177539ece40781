//! The one table of keys: what can be set, with which values, and by whom.

use super::super::model::{self, ClientKind};
use super::{Effect, Key, KeyAccess, ValueKind};
use crate::layer::FailurePolicy;
use crate::state::MAX_BYTES_PER_OWNER;

/// A hundred years.
const MOST_DAYS: i64 = 36_500;

/// Everything that can be set. What is not here cannot be: there is no key for an endpoint, a model, a command to
/// run, the place of the store or a spend cap that a project could reach. Those of a model are the person's alone.
pub const KEYS: &[Key] = &[
    key(
        &["layers.NAME.enabled"],
        ValueKind::Switch,
        KeyAccess::Both,
        Effect::Enabled,
        "whether the layer runs",
    ),
    key(
        &["layers.NAME.order"],
        ValueKind::Number { min: -1_000_000, max: 1_000_000 },
        KeyAccess::Both,
        Effect::Order,
        "its place among the layers of an event; lower comes first",
    ),
    key(
        &["layers.NAME.settings"],
        ValueKind::Table,
        KeyAccess::Both,
        Effect::Settings,
        "what only the layer itself understands; the project's fill what you leave open",
    ),
    key(
        &["layers.NAME.file"],
        ValueKind::Text,
        KeyAccess::Both,
        Effect::File,
        "a component that takes this name once `interleaf layer accept` has shown it to you; of a project, a path \
         within it",
    ),
    key(
        &["layers.NAME.grants"],
        ValueKind::Table,
        KeyAccess::Both,
        Effect::Grants,
        "what a layer from a file asks for; it has what you accepted",
    ),
    key(
        &["layers.NAME.on_failure"],
        ValueKind::Word(FailurePolicy::NAMES),
        KeyAccess::Both,
        Effect::FailurePolicy,
        "what is answered in place of a gate that is missing, changed or failing, once you accepted it",
    ),
    limit(
        &["limits.deadline_ms.EVENT", "layers.NAME.limits.deadline_ms.EVENT"],
        ValueKind::Number { min: 1, max: 3_600_000 },
        Effect::Deadline,
        "milliseconds that a layer may take for the event",
    ),
    limit(
        &["limits.memory_bytes", "layers.NAME.limits.memory_bytes"],
        ValueKind::Number { min: 1 << 16, max: 4 << 30 },
        Effect::Limit(|limits| &mut limits.memory_bytes),
        "bytes of memory that a layer may hold",
    ),
    limit(
        &["limits.table_elements", "layers.NAME.limits.table_elements"],
        ValueKind::Number { min: 0, max: 10_000_000 },
        Effect::Limit(|limits| &mut limits.table_elements),
        "elements of all tables of a layer together",
    ),
    limit(
        &["limits.instances", "layers.NAME.limits.instances"],
        ValueKind::Number { min: 1, max: 10_000 },
        Effect::Limit(|limits| &mut limits.instances),
        "core instances that a layer may be made of",
    ),
    limit(
        &["limits.host_calls", "layers.NAME.limits.host_calls"],
        ValueKind::Number { min: 0, max: 100_000 },
        Effect::Limit(|limits| &mut limits.host_calls),
        "calls of host functions in an event",
    ),
    limit(
        &["limits.host_call_bytes", "layers.NAME.limits.host_call_bytes"],
        ValueKind::Number { min: 1 << 10, max: 64 << 20 },
        Effect::Limit(|limits| &mut limits.host_call_bytes),
        "bytes that one host call may carry",
    ),
    limit(
        &["limits.output_bytes", "layers.NAME.limits.output_bytes"],
        ValueKind::Number { min: 1 << 10, max: 1 << 20 },
        Effect::Limit(|limits| &mut limits.output_bytes),
        "bytes of a layer's reply",
    ),
    limit(
        &["limits.log_lines", "layers.NAME.limits.log_lines"],
        ValueKind::Number { min: 0, max: 10_000 },
        Effect::Limit(|limits| &mut limits.log_lines),
        "lines that a layer may write into the log in an event",
    ),
    limit(
        &["limits.state_bytes", "layers.NAME.limits.state_bytes"],
        ValueKind::Number { min: 1 << 10, max: MAX_BYTES_PER_OWNER as i64 },
        Effect::Limit(|limits| &mut limits.state_bytes),
        "bytes of state that a layer may hold in a session, and as much in the project",
    ),
    limit(
        &["limits.jobs", "layers.NAME.limits.jobs"],
        ValueKind::Number { min: 0, max: 10_000 },
        Effect::Limit(|limits| &mut limits.jobs),
        "captures and jobs that a layer may leave behind in a session",
    ),
    limit(
        &["limits.stack_bytes", "layers.NAME.limits.stack_bytes"],
        ValueKind::Number { min: 1 << 16, max: 1 << 20 },
        Effect::Limit(|limits| &mut limits.stack_bytes),
        "bytes of native stack that a layer may use",
    ),
    limit(
        &["budget.hook_units"],
        ValueKind::Number { min: 0, max: 9900 },
        Effect::Number(|config| &mut config.budget.hook_units),
        "UTF-16 units of context in one hook; Claude Code cuts at 10,000",
    ),
    limit(
        &["budget.session_tokens"],
        ValueKind::Number { min: 0, max: 10_000_000 },
        Effect::Number(|config| &mut config.budget.session_tokens),
        "tokens of context in one session, a token taken as four units",
    ),
    key(
        &["redact.patterns"],
        ValueKind::Texts,
        KeyAccess::Person,
        Effect::Patterns,
        "regular expressions for secrets of your own, taken out of all that is stored",
    ),
    key(
        &["memory.store"],
        ValueKind::Word(&["sqlite"]),
        KeyAccess::Both,
        Effect::Store,
        "the kind of store for memories",
    ),
    key(
        &["memory.grace_days"],
        // What was forgotten must be known for a day, or the next session would learn it again.
        ValueKind::Number { min: 1, max: MOST_DAYS },
        KeyAccess::Person,
        Effect::Number(|config| &mut config.policy.grace_days),
        "days that a retired memory is kept before it is deleted",
    ),
    key(
        &["memory.archive_retired"],
        ValueKind::Switch,
        KeyAccess::Person,
        Effect::Switch(|config| &mut config.policy.archive_retired),
        "whether it is archived then, instead of deleted",
    ),
    key(
        &["categories.CATEGORY.enabled"],
        ValueKind::Switch,
        KeyAccess::ProjectSwitchesOff,
        Effect::CategorySwitch(|category| &mut category.enabled),
        "whether there are memories of it: if not, none is written and no layer finds any",
    ),
    key(
        &["categories.CATEGORY.auto_capture"],
        ValueKind::Switch,
        KeyAccess::ProjectSwitchesOff,
        Effect::CategorySwitch(|category| &mut category.auto_capture),
        "whether layers write any by themselves",
    ),
    key(
        &["categories.CATEGORY.description"],
        ValueKind::Text,
        KeyAccess::ProjectOnceAccepted,
        Effect::Description,
        "what belongs into it, for whoever has to tell; it goes into a model's prompt",
    ),
    key(
        &["categories.CATEGORY.retention_days"],
        ValueKind::Number { min: 0, max: MOST_DAYS },
        KeyAccess::Person,
        Effect::CategoryNumber(|category| &mut category.retention_days),
        "days without a change after which one is retired; 0 is never",
    ),
    key(
        &["categories.CATEGORY.max_kept"],
        ValueKind::Number { min: 0, max: 1_000_000 },
        KeyAccess::Person,
        Effect::CategoryNumber(|category| &mut category.max_kept),
        "how many are active at most; 0 is without limit",
    ),
    key(
        &["llm.client"],
        ValueKind::Word(ClientKind::NAMES),
        KeyAccess::Person,
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
        ValueKind::Number { min: 1, max: 600 },
        KeyAccess::Person,
        Effect::Number(|config| &mut config.llm.timeout_seconds),
        "seconds that one request may take, with all its tries",
    ),
    key(
        &["llm.daily_tokens"],
        ValueKind::Number { min: 0, max: 100_000_000 },
        KeyAccess::Person,
        Effect::Number(|config| &mut config.llm.daily_tokens),
        "tokens of one day (UTC), over all projects",
    ),
    key(
        &["llm.session_tokens"],
        ValueKind::Number { min: 0, max: 100_000_000 },
        KeyAccess::Person,
        Effect::Number(|config| &mut config.llm.session_tokens),
        "tokens of one session in a day",
    ),
];

const fn key(
    paths: &'static [&'static str],
    kind: ValueKind,
    who: KeyAccess,
    effect: Effect,
    doc: &'static str,
) -> Key {
    Key { paths, kind, who, effect, doc }
}

const fn llm(paths: &'static [&'static str], set: model::Set, doc: &'static str) -> Key {
    key(paths, ValueKind::Text, KeyAccess::Person, Effect::Model(set), doc)
}

const fn limit(paths: &'static [&'static str], kind: ValueKind, effect: Effect, doc: &'static str) -> Key {
    key(paths, kind, KeyAccess::ProjectLowers, effect, doc)
}
