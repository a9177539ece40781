//! The imports of the contract that a layer needs. They are compared with its grants before it runs.

use super::event_name::served_interface;
use super::{CategorySet, Grants};

/// An imported interface that has to be granted. `settings` and `log` do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Need {
    /// Memories.
    Memory,
    /// The language model.
    Llm,
    /// Facts about the project.
    Project,
    /// Small values between events.
    State,
    /// The session so far.
    Transcript,
    /// Captures and jobs.
    Jobs,
}

/// One row for each need, in the order of [`Need`]: the name of the interface, which is also the key of its
/// grant, and the line of `[layers.NAME.grants]` that requests the smallest grant for it.
const TABLE: [(Need, &str, &str); 6] = [
    (Need::Memory, "memory", "memory = \"read\""),
    (Need::Llm, "llm", "llm = true"),
    (Need::Project, "project", "project = true"),
    (Need::State, "state", "state = true"),
    (Need::Transcript, "transcript", "transcript = true"),
    (Need::Jobs, "jobs", "jobs = true"),
];

impl Need {
    /// All needs.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Memory; TABLE.len()];
        let mut index = 0;
        while index < TABLE.len() {
            all[index] = TABLE[index].0;
            assert!(all[index] as usize == index, "the table has the order of the enum");
            index += 1;
        }
        all
    };

    /// Returns the name of the interface, which is also the key of its grant.
    pub const fn as_str(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// Returns the need of an import such as `interleaf:layer/memory@0.1.0`.
    pub fn of_import(import: &str) -> Option<Self> {
        let name = served_interface(import)?;
        Self::ALL.into_iter().find(|need| need.as_str() == name)
    }

    /// Returns the line of `[layers.NAME.grants]` that requests the smallest grant for it.
    pub const fn grant_setting(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// Returns whether these grants meet the need, at least in part.
    pub fn is_met_by(self, grants: &Grants) -> bool {
        match self {
            Self::Memory => {
                grants.memory.read != CategorySet::None || grants.memory.write != CategorySet::None
            }
            Self::Llm => grants.llm.is_some(),
            Self::Project => grants.project,
            Self::State => grants.state,
            Self::Transcript => grants.transcript,
            Self::Jobs => grants.jobs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_names_its_need() {
        assert_eq!(Need::of_import("interleaf:layer/memory@0.1.0"), Some(Need::Memory));
        assert_eq!(Need::of_import("interleaf:layer/memory@0.2.0"), None);
        assert_eq!(Need::of_import("interleaf:layer/settings@0.1.0"), None);
        assert_eq!(Need::of_import("wasi:cli/environment@0.2.6"), None);
    }

    #[test]
    fn the_proposed_setting_meets_the_need() {
        for need in Need::ALL {
            let (key, value) = need.grant_setting().split_once(" = ").expect("a setting");
            let value: serde_json::Value = serde_json::from_str(value).expect("the line is valid JSON, too");
            let grants = Grants::from_json(serde_json::json!({ key: value })).expect("valid");

            assert!(need.is_met_by(&grants), "{}", need.grant_setting());
            assert!(!need.is_met_by(&Grants::default()));
        }
    }
}
