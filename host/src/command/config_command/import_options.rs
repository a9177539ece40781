//! Converts the options of a memory-config.json to settings, or gives the reason why an option has no
//! setting.

use std::collections::BTreeMap;

use interleaf_text::truncate;
use serde_json::Value;

use crate::config::{Config, rejection_reason};
use crate::memory::Category;

/// Maximum number of characters of a name or value from the file in a remark.
const MAX_QUOTED_CHARS: usize = 80;

/// Largest number of memories for a prompt that the recall layer accepts.
const MAX_MEMORIES_PER_PROMPT: u64 = 20;

/// The categories of claude-memory.
const CLAUDE_MEMORY_CATEGORIES: [Category; 6] = [
    Category::SessionSummary,
    Category::Decision,
    Category::Runbook,
    Category::Constraint,
    Category::TechDebt,
    Category::Preference,
];

/// Settings by their paths.
pub(super) type Settings = BTreeMap<Vec<String>, Value>;

/// The result of an import.
#[derive(Debug, Default)]
pub(super) struct ImportedOptions {
    pub settings: Settings,
    /// One sentence for each option without a counterpart and for each refused value.
    pub remarks: Vec<String>,
    /// Number of options whose value is the default.
    pub defaults: usize,
}

/// The result of converting an option.
enum Target {
    /// The setting at this path, with the same value. The configuration checks the value.
    Setting(Vec<String>),
    /// A number of memories.
    Count(Vec<String>),
    /// A number of memories for a prompt, which the recall layer reads.
    PromptCount(Vec<String>),
    /// The small or the strong model, for the name of a model.
    Tier(Vec<String>),
    /// The number of memories of every category that has no own number.
    DefaultCount,
    /// No setting, for this reason.
    None(&'static str),
    /// Not an option, or a table of options.
    Unknown,
}

/// Imports the options.
pub(super) fn import(options: &Value) -> ImportedOptions {
    let mut imported = ImportedOptions::default();
    import_tree(options, &mut Vec::new(), &mut imported);
    imported.apply_defaults(options);
    imported
}

/// Imports the options below `path`. A table that is itself a known option is not entered.
fn import_tree<'o>(value: &'o Value, path: &mut Vec<&'o str>, imported: &mut ImportedOptions) {
    match (target(path), value) {
        (Target::Unknown, Value::Object(table)) if !table.is_empty() => {
            for (name, value) in table {
                path.push(name);
                import_tree(value, path, imported);
                path.pop();
            }
        }
        (target, value) => imported.import_option(&path.join("."), target, value),
    }
}

impl ImportedOptions {
    fn import_option(&mut self, option: &str, target: Target, value: &Value) {
        let result = match target {
            Target::Setting(path) => self.set(path, value.clone()),
            Target::Count(path) => check_count(value).and_then(|()| self.set(path, value.clone())),
            Target::PromptCount(path) => check_range(value).and_then(|()| self.set(path, value.clone())),
            Target::Tier(path) => tier(value).and_then(|tier| self.set(path, tier.into())),
            // These are applied last, to the categories that no other option names.
            Target::DefaultCount => check_count(value),
            Target::None(reason) => Err(reason.to_owned()),
            Target::Unknown => Err("is not a known option of claude-memory".to_owned()),
        };
        if let Err(reason) = result {
            self.remarks.push(format!("{}: {reason}", quoted(option)));
        }
    }

    /// Applies the options for all categories that have no own option.
    fn apply_defaults(&mut self, options: &Value) {
        let max_kept = &options["max_memories_per_category"];
        // Session summaries have their own number, also by default.
        let others = Category::ALL.iter().filter(|category| **category != Category::SessionSummary);
        let paths = others.map(|category| path(&["categories", category.as_str(), "max_kept"]));
        let refused: Vec<String> = match check_count(max_kept) {
            Ok(()) => paths.filter_map(|path| self.set(path, max_kept.clone()).err()).collect(),
            Err(_) => Vec::new(),
        };
        self.remarks.extend(refused.first().map(|why| format!("max_memories_per_category: {why}")));
    }

    /// Adds a setting, unless its value is the default. The defaults of a layer's settings are not
    /// known here.
    fn set(&mut self, path: Vec<String>, value: Value) -> Result<(), String> {
        let is_of_layer = path[0] == "layers" && path.len() > 3;
        if !is_of_layer {
            if let Some(reason) = rejection_reason(&path, &value) {
                return Err(reason);
            }
            if Config::default().value(&path).as_ref() == Some(&value) {
                self.defaults += 1;
                return Ok(());
            }
        }
        self.settings.insert(path, value);
        Ok(())
    }
}

fn path(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Refuses 0: in claude-memory it keeps no memories, here any number.
fn check_count(value: &Value) -> Result<(), String> {
    match value.as_u64() {
        None => Err(format!("must be a whole number, not {}", quoted(&value.to_string()))),
        Some(0) => Err("0 keeps none there and any number here; to keep none: enabled = false".to_owned()),
        Some(_) => Ok(()),
    }
}

fn check_range(value: &Value) -> Result<(), String> {
    let is_valid = value.as_u64().is_some_and(|number| number <= MAX_MEMORIES_PER_PROMPT);
    check(is_valid, &format!("a whole number from 0 to {MAX_MEMORIES_PER_PROMPT}"), value)
}

fn check(is_valid: bool, expected: &str, value: &Value) -> Result<(), String> {
    is_valid.then_some(()).ok_or_else(|| format!("must be {expected}, not {}", quoted(&value.to_string())))
}

/// Returns the tier that corresponds to a model of claude-memory.
fn tier(model: &Value) -> Result<&'static str, String> {
    let name = model.as_str().unwrap_or_default().to_lowercase();
    match name.as_str() {
        name if name.contains("haiku") => Ok("small"),
        name if name.contains("sonnet") || name.contains("opus") => Ok("strong"),
        _ => Err(format!("{} is not haiku, sonnet or opus", quoted(&model.to_string()))),
    }
}

fn quoted(text: &str) -> String {
    truncate(text, MAX_QUOTED_CHARS).into_owned()
}

fn target(option: &[&str]) -> Target {
    match option {
        ["categories", category, name] if category.parse::<Category>().is_ok() => {
            category_target(category, name)
        }
        ["triage", rest @ ..] => triage_target(rest),
        ["retrieval", rest @ ..] => retrieval_target(rest),
        ["delete", "grace_period_days"] => Target::Setting(path(&["memory", "grace_days"])),
        ["delete", "archive_retired"] => Target::Setting(path(&["memory", "archive_retired"])),
        ["max_memories_per_category"] => Target::DefaultCount,
        [name, ..] => general_target(name),
        [] => Target::Unknown,
    }
}

fn category_target(category: &str, name: &str) -> Target {
    let path = |name| path(&["categories", category, name]);
    match name {
        "enabled" | "auto_capture" | "description" | "retention_days" => Target::Setting(path(name)),
        "max_retained" if category == "session_summary" => Target::Count(path("max_kept")),
        "folder" => Target::None("memories are stored in one database, not in folders"),
        _ => Target::Unknown,
    }
}

fn triage_target(option: &[&str]) -> Target {
    let setting = |names: &[&str]| path(&[&["layers", "save", "settings"], names].concat());
    match option {
        ["enabled"] => Target::Setting(path(&["layers", "save", "enabled"])),
        ["max_messages"] => Target::None("a flush reads everything since the last one"),
        ["thresholds", name] if claude_memory_category(name).is_some() => {
            Target::None("a model reads the session whole, and is not asked by category")
        }
        ["parallel", "category_models", name] if claude_memory_category(name).is_some() => {
            Target::None("one model reads a session for all categories; layers.save.settings.tier names it")
        }
        ["parallel", "default_model"] => Target::Tier(setting(&["tier"])),
        ["parallel", "enabled"] => Target::None("a session takes one request"),
        ["parallel", "verification_model"] => {
            Target::None("the strong model confirms what would replace or end a memory; llm.strong sets it")
        }
        ["parallel", "verification_enabled"] => {
            Target::None("what would replace or end a memory is always confirmed")
        }
        _ => Target::Unknown,
    }
}

fn retrieval_target(option: &[&str]) -> Target {
    match option {
        [] => Target::Unknown,
        ["enabled"] => Target::Setting(path(&["layers", "recall", "enabled"])),
        ["max_inject"] => Target::PromptCount(path(&["layers", "recall", "settings", "memories"])),
        ["judge", ..] => {
            Target::None("no model judges the memories found; those below a relevance are left out")
        }
        _ => Target::None("the search has no such option"),
    }
}

fn general_target(name: &str) -> Target {
    match name {
        "auto_commit" => Target::None("memories are not in the project's git repository"),
        "memory_root" => Target::None("memories are in your data folder, one database per project"),
        "enabled" => Target::None(
            "INTERLEAF_DISABLE=1 switches everything off; interleaf uninstall removes it from a project",
        ),
        "logging" => Target::None("the log limits its own size; interleaf log shows it"),
        "version" | "schema_version" | "config_version" | "$schema" => {
            Target::None("it is the version of that file's format")
        }
        _ => Target::Unknown,
    }
}

/// Parses a category in the triage options, where categories are in capitals.
fn claude_memory_category(name: &str) -> Option<Category> {
    let name = name.to_lowercase();
    CLAUDE_MEMORY_CATEGORIES.into_iter().find(|category| category.as_str() == name)
}
