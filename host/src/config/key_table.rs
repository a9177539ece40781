//! The table of configuration keys: their values, and who may set them. It is the single source for reading
//! files, for permissions, for `interleaf config` and for the documentation.

use super::RecordChoice;
use super::key::{Effect, Key, KeyAccess, ValueKind};
use super::model_config::{self, ClientKind, SetModelText};
use super::sync_config::{self, SetSyncText};
use crate::layer::FailurePolicy;
use crate::state::MAX_BYTES_PER_OWNER;

/// Maximum number of days of a period: a hundred years.
const MAX_DAYS: i64 = 36_500;

/// The level of detail of a layer that shows titles alone.
pub(super) const SUMMARY: &str = "summary";

/// All keys. A setting without a key here cannot be set. No key lets a project set an endpoint, a model, a
/// command to run, the location of the store or a spend cap. Only the user can set the keys of a model.
pub const KEYS: &[Key] = &[
    key(
        &["layers.NAME.enabled"],
        ValueKind::Bool,
        KeyAccess::UserOrProject,
        Effect::Enabled,
        "whether the layer runs",
    ),
    key(
        &["layers.NAME.order"],
        ValueKind::Integer { min: -1_000_000, max: 1_000_000 },
        KeyAccess::UserOrProject,
        Effect::Order,
        "position among the layers of an event; lower comes first",
    ),
    key(
        &["layers.NAME.settings"],
        ValueKind::Table,
        KeyAccess::UserOrProject,
        Effect::Settings,
        "settings that the layer itself reads; the project's apply where you set nothing",
    ),
    key(
        &["layers.NAME.file"],
        ValueKind::String,
        KeyAccess::UserOrProject,
        Effect::File,
        "a component that is used under this name once you accepted it with `interleaf layer accept`; a \
         project's path must be inside the project",
    ),
    key(
        &["layers.NAME.grants"],
        ValueKind::Table,
        KeyAccess::UserOrProject,
        Effect::Grants,
        "what a layer from a file requests; it gets what you accepted",
    ),
    key(
        &["layers.NAME.on_failure"],
        ValueKind::Choice(FailurePolicy::NAMES),
        KeyAccess::UserOrProject,
        Effect::OnFailure,
        "answer before a tool call in place of a gate that is missing, changed or failing, once you \
         accepted it",
    ),
    key(
        &["layers.NAME.detail"],
        ValueKind::Choice(&["full", SUMMARY]),
        KeyAccess::UserOrProject,
        Effect::Detail,
        "how much the layer shows of a memory of any category: its whole text, or only its title with its id",
    ),
    limit(
        &["limits.deadline_ms.EVENT", "layers.NAME.limits.deadline_ms.EVENT"],
        ValueKind::Integer { min: 1, max: 3_600_000 },
        Effect::Deadline,
        "milliseconds that a layer may take for the event",
    ),
    limit(
        &["limits.memory_bytes", "layers.NAME.limits.memory_bytes"],
        ValueKind::Integer { min: 1 << 16, max: 4 << 30 },
        Effect::Limit(|limits| &mut limits.memory_bytes),
        "bytes of memory that a layer may use",
    ),
    limit(
        &["limits.table_elements", "layers.NAME.limits.table_elements"],
        ValueKind::Integer { min: 0, max: 10_000_000 },
        Effect::Limit(|limits| &mut limits.table_elements),
        "elements of all tables of a layer",
    ),
    limit(
        &["limits.instances", "layers.NAME.limits.instances"],
        ValueKind::Integer { min: 1, max: 10_000 },
        Effect::Limit(|limits| &mut limits.instances),
        "core instances of a layer",
    ),
    limit(
        &["limits.host_calls", "layers.NAME.limits.host_calls"],
        ValueKind::Integer { min: 0, max: 100_000 },
        Effect::Limit(|limits| &mut limits.host_calls),
        "calls of host functions per event",
    ),
    limit(
        &["limits.host_call_bytes", "layers.NAME.limits.host_call_bytes"],
        ValueKind::Integer { min: 1 << 10, max: 64 << 20 },
        Effect::Limit(|limits| &mut limits.host_call_bytes),
        "bytes that one host call may carry in each direction",
    ),
    limit(
        &["limits.output_bytes", "layers.NAME.limits.output_bytes"],
        ValueKind::Integer { min: 1 << 10, max: 1 << 20 },
        Effect::Limit(|limits| &mut limits.output_bytes),
        "bytes of a layer's reply",
    ),
    limit(
        &["limits.log_lines", "layers.NAME.limits.log_lines"],
        ValueKind::Integer { min: 0, max: 10_000 },
        Effect::Limit(|limits| &mut limits.log_lines),
        "log lines that a layer may write per event, 8 KiB at most",
    ),
    limit(
        &["limits.state_bytes", "layers.NAME.limits.state_bytes"],
        ValueKind::Integer { min: 1 << 10, max: MAX_BYTES_PER_OWNER as i64 },
        Effect::Limit(|limits| &mut limits.state_bytes),
        "bytes of state that a layer may store in a session, and the same again in the project",
    ),
    limit(
        &["limits.jobs", "layers.NAME.limits.jobs"],
        ValueKind::Integer { min: 0, max: 10_000 },
        Effect::Limit(|limits| &mut limits.jobs),
        "captures and jobs that a layer may queue in a session",
    ),
    limit(
        &["limits.stack_bytes", "layers.NAME.limits.stack_bytes"],
        ValueKind::Integer { min: 1 << 16, max: 1 << 20 },
        Effect::Limit(|limits| &mut limits.stack_bytes),
        "bytes of native stack that a layer may use",
    ),
    limit(
        &["budget.hook_units"],
        ValueKind::Integer { min: 0, max: 9900 },
        Effect::Number(|config| &mut config.budget.hook_units),
        "UTF-16 units of context per hook; Claude Code cuts at 10,000",
    ),
    limit(
        &["budget.session_tokens"],
        ValueKind::Integer { min: 0, max: 10_000_000 },
        Effect::Number(|config| &mut config.budget.session_tokens),
        "tokens of context per session; one token counts as four units",
    ),
    limit(
        &["budget.wasted_tokens.OCCASION.whole"],
        ValueKind::Integer { min: 0, max: 1_000_000 },
        Effect::WastedTokens(|tokens| &mut tokens.whole),
        "tokens that memories may waste on a hundred events that need none, on average; fewer tokens show \
         fewer memories",
    ),
    limit(
        &["budget.wasted_tokens.OCCASION.titles"],
        ValueKind::Integer { min: 0, max: 1_000_000 },
        Effect::WastedTokens(|tokens| &mut tokens.titles),
        "the same of titles",
    ),
    key(
        &["redact.patterns"],
        ValueKind::StringList,
        KeyAccess::UserOnly,
        Effect::RedactPatterns,
        "regular expressions for secrets of your own, which are removed from everything that is stored",
    ),
    key(
        &["memory.store"],
        ValueKind::Choice(&["sqlite"]),
        KeyAccess::UserOrProject,
        Effect::Fixed("sqlite"),
        "kind of store for memories",
    ),
    key(
        &["memory.grace_days"],
        // A retired memory must be kept for a day, or the next session would learn it again.
        ValueKind::Integer { min: 1, max: MAX_DAYS },
        KeyAccess::UserOnly,
        Effect::Number(|config| &mut config.policy.grace_days),
        "days after which a retired memory is deleted",
    ),
    key(
        &["memory.archive_retired"],
        ValueKind::Bool,
        KeyAccess::UserOnly,
        Effect::Switch(|config| &mut config.policy.archive_retired),
        "whether a retired memory is archived then instead of deleted",
    ),
    key(
        &["record"],
        ValueKind::Choice(RecordChoice::NAMES),
        KeyAccess::ProjectMayDisable,
        Effect::Record,
        "whether sessions are recorded: what was said and run; a project can only switch it off",
    ),
    key(
        &["record_keep_days"],
        ValueKind::Integer { min: 0, max: MAX_DAYS },
        KeyAccess::UserOnly,
        Effect::Number(|config| &mut config.record.keep_days),
        "days after which a recorded turn is deleted; 0 means never, unless you lowered \
         `cleanupPeriodDays` of Claude Code below 30: then that",
    ),
    key(
        &["record_max_mb"],
        ValueKind::Integer { min: 1, max: 1_000_000 },
        KeyAccess::UserOnly,
        Effect::Number(|config| &mut config.record.max_mb),
        "megabytes of the recorded sessions of a project, with their index; the text of the oldest \
         commands goes first, prompts last",
    ),
    key(
        &["record_total_max_mb"],
        ValueKind::Integer { min: 1, max: 1_000_000 },
        KeyAccess::UserOnly,
        Effect::Number(|config| &mut config.record.total_max_mb),
        "the same for all projects together; the project that was not used for the longest time goes first",
    ),
    key(
        &["categories.CATEGORY.enabled"],
        ValueKind::Bool,
        KeyAccess::ProjectMayDisable,
        Effect::CategorySwitch(|category| &mut category.enabled),
        "whether the category is used; if not, no memory of it is written and no layer finds any",
    ),
    key(
        &["categories.CATEGORY.auto_capture"],
        ValueKind::Bool,
        KeyAccess::ProjectMayDisable,
        Effect::CategorySwitch(|category| &mut category.auto_capture),
        "whether layers write memories of it on their own",
    ),
    key(
        &["categories.CATEGORY.description"],
        ValueKind::String,
        KeyAccess::ProjectOnceAccepted,
        Effect::Description,
        "description of the category, included in the model prompt",
    ),
    key(
        &["categories.CATEGORY.retention_days"],
        ValueKind::Integer { min: 0, max: MAX_DAYS },
        KeyAccess::UserOnly,
        Effect::CategoryNumber(|category| &mut category.retention_days),
        "days without a change after which a memory is retired; 0 means never",
    ),
    key(
        &["categories.CATEGORY.max_kept"],
        ValueKind::Integer { min: 0, max: 1_000_000 },
        KeyAccess::UserOnly,
        Effect::CategoryNumber(|category| &mut category.max_kept),
        "maximum number of active memories; 0 means no limit",
    ),
    key(
        &["llm.client"],
        ValueKind::Choice(ClientKind::NAMES),
        KeyAccess::UserOnly,
        Effect::ModelText(model_config::client),
        "client for the language model: the `claude` program, the Anthropic Messages API, a server with the \
         chat completions API of OpenAI, or none",
    ),
    model(
        &["llm.small"],
        model_config::small,
        "model that reads sessions; `claude` and `anthropic` have a default",
    ),
    model(
        &["llm.strong"],
        model_config::strong,
        "model for judgments; `claude` and `anthropic` have a default",
    ),
    model(
        &["llm.base_url"],
        model_config::base_url,
        "URL of the server; required only for a server of your own",
    ),
    model(&["llm.key_env"], model_config::key_env, "environment variable that contains the API key"),
    model(
        &["llm.key_file"],
        model_config::key_file,
        "file that contains the API key and that only you can read",
    ),
    key(
        &["llm.allow_insecure_http"],
        ValueKind::Bool,
        KeyAccess::UserOnly,
        Effect::Switch(|config| &mut config.llm.allow_insecure_http),
        "whether the key may be sent by http:// to another machine, where anyone on the way can read it",
    ),
    model(
        &["llm.program"],
        model_config::program,
        "the `claude` program: a name on the PATH, or an absolute path",
    ),
    key(
        &["llm.timeout_seconds"],
        ValueKind::Integer { min: 1, max: 600 },
        KeyAccess::UserOnly,
        Effect::Number(|config| &mut config.llm.timeout_seconds),
        "seconds per request, including retries",
    ),
    key(
        &["llm.daily_tokens"],
        ValueKind::Integer { min: 0, max: 100_000_000 },
        KeyAccess::UserOnly,
        Effect::Number(|config| &mut config.llm.daily_tokens),
        "tokens per day (UTC), over all projects",
    ),
    key(
        &["llm.session_tokens"],
        ValueKind::Integer { min: 0, max: 100_000_000 },
        KeyAccess::UserOnly,
        Effect::Number(|config| &mut config.llm.session_tokens),
        "tokens per session and day",
    ),
    key(
        &["sync.place"],
        ValueKind::Choice(sync_config::PLACES),
        KeyAccess::UserOrProject,
        Effect::SyncText(sync_config::place),
        "the place that `interleaf sync` offers to exchange memories with",
    ),
    key(
        &["sync.project"],
        ValueKind::String,
        KeyAccess::UserOrProject,
        Effect::SyncText(sync_config::project),
        "name of the project on the Postgres server; otherwise host and path of its git remote",
    ),
    sync(&["sync.postgres"], sync_config::postgres, "URL of the Postgres server, without a password"),
    sync(
        &["sync.password_env"],
        sync_config::password_env,
        "environment variable that contains the password for the Postgres server; otherwise `PGPASSWORD`",
    ),
    sync(
        &["sync.password_file"],
        sync_config::password_file,
        "file that contains the password for the Postgres server and that only you can read",
    ),
];

const fn key(
    paths: &'static [&'static str],
    kind: ValueKind,
    access: KeyAccess,
    effect: Effect,
    doc: &'static str,
) -> Key {
    Key { paths, kind, access, effect, doc }
}

const fn model(paths: &'static [&'static str], set: SetModelText, doc: &'static str) -> Key {
    key(paths, ValueKind::String, KeyAccess::UserOnly, Effect::ModelText(set), doc)
}

const fn sync(paths: &'static [&'static str], set: SetSyncText, doc: &'static str) -> Key {
    key(paths, ValueKind::String, KeyAccess::UserOnly, Effect::SyncText(set), doc)
}

const fn limit(paths: &'static [&'static str], kind: ValueKind, effect: Effect, doc: &'static str) -> Key {
    key(paths, kind, KeyAccess::ProjectMayLower, effect, doc)
}
