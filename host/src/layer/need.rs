//! What a layer imports of the contract: its needs, to be compared with its grants before anything runs.

use super::{CONTRACT_VERSION, CategorySet, Grants};

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
    /// Small values.
    State,
    /// The session so far.
    Transcript,
    /// Captures and jobs.
    Jobs,
}

impl Need {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Memory, Self::Llm, Self::Project, Self::State, Self::Transcript, Self::Jobs];

    /// The name of its interface, which is also the key of its grant.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Llm => "llm",
            Self::Project => "project",
            Self::State => "state",
            Self::Transcript => "transcript",
            Self::Jobs => "jobs",
        }
    }

    /// The need that an import such as `interleaf:layer/memory@0.1.0` is. Versions that only add share major and
    /// minor number.
    pub fn of_import(import: &str) -> Option<Self> {
        let (name, version) = import.strip_prefix("interleaf:layer/")?.split_once('@')?;
        let (minor, _) = version.rsplit_once('.')?;
        let known = Self::ALL.into_iter().find(|need| need.as_str() == name);
        known.filter(|_| CONTRACT_VERSION.rsplit_once('.').is_some_and(|(ours, _)| ours == minor))
    }

    /// The line of `[layers.NAME.grants]` that asks for the least that meets it.
    pub const fn grant_setting(self) -> &'static str {
        match self {
            Self::Memory => "memory = \"read\"",
            Self::Llm => "llm = true",
            Self::Project => "project = true",
            Self::State => "state = true",
            Self::Transcript => "transcript = true",
            Self::Jobs => "jobs = true",
        }
    }

    /// Whether these grants meet it, at least in part.
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
    fn the_line_that_is_proposed_meets_the_need() {
        for need in Need::ALL {
            let (key, value) = need.grant_setting().split_once(" = ").expect("a setting");
            let grants = Grants::from_json(
                serde_json::json!({key: serde_json::from_str::<serde_json::Value>(value).expect("JSON too")}),
            );
            assert!(need.is_met_by(&grants.expect("valid")), "{}", need.grant_setting());
            assert!(!need.is_met_by(&Grants::default()));
        }
    }
}
