//! Every option of a memory-config.json, and its place here or the reason why there is none.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::config::{Config, rejection_reason};
use crate::memory::Category;

/// The categories of claude-memory. Ours for short notes came later.
const ITS_CATEGORIES: [Category; 6] = [
    Category::SessionSummary,
    Category::Decision,
    Category::Runbook,
    Category::Constraint,
    Category::TechDebt,
    Category::Preference,
];

/// Settings by their paths.
pub(super) type Settings = BTreeMap<Vec<String>, Value>;

/// What a file comes to.
#[derive(Debug, Default)]
pub(super) struct Imported {
    /// What to set.
    pub settings: Settings,
    /// Options without a place, and values that cannot be taken: one sentence each.
    pub remarks: Vec<String>,
    /// How many options say what holds without them.
    pub usual: usize,
}

/// Takes the options one by one.
pub(super) fn import(options: &Value) -> Imported {
    let mut imported = Imported::default();
    let mut path = Vec::new();
    walk(options, &mut path, &mut imported);
    imported.fill_up(options);
    imported
}

/// Goes down until an option is known, so that what is known to be a table is not taken for a value.
fn walk<'o>(value: &'o Value, path: &mut Vec<&'o str>, imported: &mut Imported) {
    match (place(path), value) {
        (Place::Unknown, Value::Object(table)) if !table.is_empty() => {
            for (name, value) in table {
                path.push(name);
                walk(value, path, imported);
                path.pop();
            }
        }
        (place, value) => imported.take(&path.join("."), place, value),
    }
}

impl Imported {
    fn take(&mut self, option: &str, place: Place, value: &Value) {
        let taken = match place {
            Place::Setting(path) => self.set(path, value.clone()),
            Place::Count(path) => a_count(value).and_then(|()| self.set(path, value.clone())),
            Place::Inject(path) => within(value, 20).and_then(|()| self.set(path, value.clone())),
            Place::Threshold(path) => a_share(value).and_then(|()| self.set(path, value.clone())),
            Place::Switch(path) => a_switch(value).and_then(|()| self.set(path, value.clone())),
            Place::Tier(path) => tier(value).and_then(|tier| self.set(path, tier.into())),
            // What is not named gets these, once everything is known that is.
            Place::OfAllCategories => a_count(value),
            Place::TierOfOthers => tier(value).map(|_| ()),
            Place::Nowhere(why) => Err(why.to_owned()),
            Place::Unknown => Err("is no option of claude-memory that is known here".to_owned()),
        };
        if let Err(why) = taken {
            self.remarks.push(format!("{}: {why}", short(option)));
        }
    }

    /// Options that stand for what others leave open.
    fn fill_up(&mut self, options: &Value) {
        let most = &options["max_memories_per_category"];
        // Session summaries have a number of their own, by default as well.
        let others = Category::ALL.iter().filter(|category| **category != Category::SessionSummary);
        let paths = others.map(|category| path(&["categories", category.as_str(), "max_kept"]));
        let refused: Vec<String> = match a_count(most) {
            Ok(()) => paths.filter_map(|path| self.set(path, most.clone()).err()).collect(),
            Err(_) => Vec::new(),
        };
        self.remarks.extend(refused.first().map(|why| format!("max_memories_per_category: {why}")));
        let parallel = &options["triage"]["parallel"];
        if tier(&parallel["default_model"]) == Ok("strong") {
            for category in ITS_CATEGORIES {
                let path = path(&["layers", "save", "settings", "tiers", category.as_str()]);
                self.settings.entry(path).or_insert_with(|| "strong".into());
            }
        }
    }

    /// Notes a setting down, unless it says what holds anyway. What only a layer understands is always set.
    fn set(&mut self, path: Vec<String>, value: Value) -> Result<(), String> {
        let of_a_layer = path[0] == "layers" && path.len() > 3;
        if !of_a_layer {
            if let Some(why) = rejection_reason(&path, &value) {
                return Err(why);
            }
            if Config::default().value(&path).as_ref() == Some(&value) {
                self.usual += 1;
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

/// Nought memories there would be any number of them here.
fn a_count(value: &Value) -> Result<(), String> {
    match value.as_u64() {
        None => Err(format!("must be a whole number, not {}", short(&value.to_string()))),
        Some(0) => Err("0 would keep none there, and here any number; enabled = false keeps none".to_owned()),
        Some(_) => Ok(()),
    }
}

fn within(value: &Value, most: u64) -> Result<(), String> {
    let fits = value.as_u64().is_some_and(|number| number <= most);
    fits.then_some(())
        .ok_or_else(|| format!("must be a whole number from 0 to {most}, not {}", short(&value.to_string())))
}

fn a_share(value: &Value) -> Result<(), String> {
    let fits = value.as_f64().is_some_and(|share| (0.0..=1.0).contains(&share));
    fits.then_some(())
        .ok_or_else(|| format!("must be a number from 0 to 1, not {}", short(&value.to_string())))
}

fn a_switch(value: &Value) -> Result<(), String> {
    let fits = value.is_boolean();
    fits.then_some(()).ok_or_else(|| format!("must be true or false, not {}", short(&value.to_string())))
}

/// Which of the two models here answers to one of theirs.
fn tier(model: &Value) -> Result<&'static str, String> {
    let name = model.as_str().unwrap_or_default().to_lowercase();
    match name.as_str() {
        name if name.contains("haiku") => Ok("small"),
        name if name.contains("sonnet") || name.contains("opus") => Ok("strong"),
        _ => Err(format!("{} is neither haiku, sonnet nor opus", short(&model.to_string()))),
    }
}

/// So much of somebody else's words as goes into a line.
fn short(text: &str) -> String {
    let mut short: String = text.chars().take(80).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Where an option goes.
enum Place {
    /// The same value under this path; the configuration knows what it takes.
    Setting(Vec<String>),
    /// Likewise, a number of memories.
    Count(Vec<String>),
    /// Likewise, a number of memories for a prompt, which recall takes.
    Inject(Vec<String>),
    /// Likewise, a score, which save takes.
    Threshold(Vec<String>),
    /// Likewise, true or false, which save takes.
    Switch(Vec<String>),
    /// The name of a model, which becomes one of the two models here.
    Tier(Vec<String>),
    /// The number of memories of every category that has none of its own.
    OfAllCategories,
    /// The model of every category that has none of its own.
    TierOfOthers,
    /// Nowhere, for this reason.
    Nowhere(&'static str),
    /// No option, or a table of options.
    Unknown,
}

/// Looks an option up.
fn place(option: &[&str]) -> Place {
    match option {
        ["categories", category, name] if category.parse::<Category>().is_ok() => of_category(category, name),
        ["triage", rest @ ..] => of_triage(rest),
        ["retrieval", rest @ ..] => of_retrieval(rest),
        ["delete", "grace_period_days"] => Place::Setting(path(&["memory", "grace_days"])),
        ["delete", "archive_retired"] => Place::Setting(path(&["memory", "archive_retired"])),
        ["max_memories_per_category"] => Place::OfAllCategories,
        [name, ..] => general(name),
        [] => Place::Unknown,
    }
}

fn of_category(category: &str, name: &str) -> Place {
    let at = |name| path(&["categories", category, name]);
    match name {
        "enabled" | "auto_capture" | "description" | "retention_days" => Place::Setting(at(name)),
        "max_retained" if category == "session_summary" => Place::Count(at("max_kept")),
        "folder" => Place::Nowhere("memories are kept in one database, not in folders"),
        _ => Place::Unknown,
    }
}

fn of_triage(option: &[&str]) -> Place {
    let setting = |names: &[&str]| path(&[&["layers", "save", "settings"], names].concat());
    match option {
        ["enabled"] => Place::Setting(path(&["layers", "save", "enabled"])),
        ["max_messages"] => Place::Nowhere("a session is read whole, from where the last flush stopped"),
        ["thresholds", name] => match its_category(name) {
            Some(category) => Place::Threshold(setting(&["thresholds", category.as_str()])),
            None => Place::Unknown,
        },
        ["parallel", "enabled"] => Place::Switch(setting(&["parallel"])),
        ["parallel", "category_models", name] => match its_category(name) {
            Some(category) => Place::Tier(setting(&["tiers", category.as_str()])),
            None => Place::Unknown,
        },
        ["parallel", "default_model"] => Place::TierOfOthers,
        ["parallel", "verification_model"] => Place::Nowhere(
            "what is drafted is always verified by the strong model here; llm.strong says which one that is",
        ),
        ["parallel", "verification_enabled"] => Place::Switch(setting(&["verify"])),
        _ => Place::Unknown,
    }
}

fn of_retrieval(option: &[&str]) -> Place {
    match option {
        [] => Place::Unknown,
        ["enabled"] => Place::Setting(path(&["layers", "recall", "enabled"])),
        ["max_inject"] => Place::Inject(path(&["layers", "recall", "settings", "memories"])),
        ["judge", ..] => Place::Nowhere(
            "no model judges what is found: a prompt does not wait for one, and what is below a relevance is left out",
        ),
        _ => Place::Nowhere("memories are found by one search here, which has no such choice"),
    }
}

fn general(name: &str) -> Place {
    match name {
        "auto_commit" => {
            Place::Nowhere("memories are not in the project's git, so there is nothing to commit")
        }
        "memory_root" => Place::Nowhere("memories are in your data folder, one database for each project"),
        "enabled" => Place::Nowhere(
            "INTERLEAF_DISABLE=1 switches everything off, and interleaf uninstall takes it out of a project",
        ),
        "logging" => Place::Nowhere("the log keeps itself small; interleaf log shows it"),
        "version" | "schema_version" | "config_version" | "$schema" => {
            Place::Nowhere("it says how that file is written, not what holds")
        }
        _ => Place::Unknown,
    }
}

/// Its triage writes the names of categories in capitals.
fn its_category(name: &str) -> Option<Category> {
    let name = name.to_lowercase();
    ITS_CATEGORIES.into_iter().find(|category| category.as_str() == name)
}
