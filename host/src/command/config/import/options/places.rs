//! The table of options: what each of them is called here.

use super::{ITS_CATEGORIES, path};
use crate::memory::Category;

/// Where an option goes.
pub(super) enum Place {
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
pub(super) fn place(option: &[&str]) -> Place {
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
