//! The imports of the contract that a layer needs. They are compared with its grants before it runs.

use super::event_name::served_interface;
use super::{CategorySet, Grants};

/// An imported interface that has to be granted. `settings` and `log` do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Need {
    /// Reading memories.
    Memory,
    /// Writing memories, also where none is read.
    #[serde(rename = "memory-write")]
    MemoryWrite,
    /// The language model.
    Llm,
    /// Facts about the project.
    Project,
    /// Small values between events.
    State,
    /// The session so far.
    Transcript,
    /// The record of earlier sessions.
    Sessions,
    /// Captures and jobs.
    Jobs,
}

/// One row for each need, in the order of [`Need`]: the name of the interface, which is also the key of its
/// grant, and the line of `[layers.NAME.grants]` that requests the smallest grant for it.
const TABLE: [(Need, &str, &str); 8] = [
    (Need::Memory, "memory", "memory = \"read\""),
    (Need::MemoryWrite, "memory (write)", "memory = { write = true }"),
    (Need::Llm, "llm", "llm = true"),
    (Need::Project, "project", "project = true"),
    (Need::State, "state", "state = true"),
    (Need::Transcript, "transcript", "transcript = true"),
    (Need::Sessions, "sessions", "sessions = true"),
    (Need::Jobs, "jobs", "jobs = true"),
];

/// The line that requests reading and writing memories. A table cannot have the key `memory` twice.
const READ_AND_WRITE: &str = "memory = \"write\"";

/// The functions of `memory` that need the right to write.
const WRITING_FUNCTIONS: [&str; 5] = ["assess", "create", "resolve", "retire", "update"];

/// The functions of `memory` that write without reading.
const ONLY_WRITING_FUNCTIONS: [&str; 4] = ["create", "resolve", "retire", "update"];

/// A need without a grant, and the line of `[layers.NAME.grants]` that requests the grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct MissingGrant {
    /// The need.
    pub need: Need,
    /// The line of TOML.
    pub line: &'static str,
}

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

    /// Returns the needs of an import such as `interleaf:layer/memory@0.1.0`, of which the component imports
    /// these functions. `is_whole` tells whether they are all: some toolchains import a whole interface
    /// whatever the layer calls, so that says nothing about writing.
    pub fn of_import(import: &str, functions: &[&str], is_whole: bool) -> Vec<Self> {
        let Some(name) = served_interface(import) else { return Vec::new() };
        let Some(need) = Self::ALL.into_iter().find(|need| need.as_str() == name) else { return Vec::new() };
        if need != Self::Memory || is_whole {
            return vec![need];
        }
        let writes = functions.iter().any(|name| WRITING_FUNCTIONS.contains(name));
        let only_writes = writes && functions.iter().all(|name| ONLY_WRITING_FUNCTIONS.contains(name));
        [(Self::Memory, !only_writes), (Self::MemoryWrite, writes)]
            .into_iter()
            .filter_map(|(need, is_needed)| is_needed.then_some(need))
            .collect()
    }

    /// Returns those of a layer's needs that these grants do not meet.
    pub fn missing(needs: &[Self], grants: &Grants) -> Vec<MissingGrant> {
        let unmet = |need: Self| needs.contains(&need) && !need.is_met_by(grants);
        let reads_and_writes = unmet(Self::MemoryWrite) && needs.contains(&Self::Memory);
        let missing = needs.iter().filter(|need| unmet(**need)).map(|&need| match need {
            Self::MemoryWrite if reads_and_writes => MissingGrant { need, line: READ_AND_WRITE },
            _ => MissingGrant { need, line: need.grant_setting() },
        });
        missing.filter(|missing| missing.need != Self::Memory || !reads_and_writes).collect()
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
            Self::MemoryWrite => grants.memory.write != CategorySet::None,
            Self::Llm => grants.llm.is_some(),
            Self::Project => grants.project,
            Self::State => grants.state,
            Self::Transcript => grants.transcript,
            Self::Sessions => grants.sessions,
            Self::Jobs => grants.jobs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMORY: &str = "interleaf:layer/memory@0.1.0";

    #[test]
    fn an_import_names_its_need() {
        assert_eq!(Need::of_import("interleaf:layer/state@0.1.0", &["get"], false), [Need::State]);
        for other in ["interleaf:layer/memory@0.2.0", "interleaf:layer/settings@0.1.0", "wasi:cli/exit@0.2.6"]
        {
            assert_eq!(Need::of_import(other, &[], false), []);
        }
    }

    #[test]
    fn the_imported_functions_tell_whether_memories_are_written() {
        for (functions, needs) in [
            (&["search", "categories"][..], &[Need::Memory][..]),
            (&["create", "retire"], &[Need::MemoryWrite]),
            (&["search", "create"], &[Need::Memory, Need::MemoryWrite]),
            (&["assess", "resolve"], &[Need::Memory, Need::MemoryWrite]),
            (&[], &[Need::Memory]),
        ] {
            assert_eq!(Need::of_import(MEMORY, functions, false), needs, "{functions:?}");
        }
        let all = ["search", "create"];
        assert_eq!(Need::of_import(MEMORY, &all, true), [Need::Memory], "a whole interface tells nothing");
    }

    #[test]
    fn the_missing_lines_have_each_key_once() {
        let lines = |needs: &[Need], grants: serde_json::Value| {
            let grants = Grants::from_json(grants).expect("valid");
            Need::missing(needs, &grants).iter().map(|missing| missing.line).collect::<Vec<_>>()
        };
        let both = [Need::Memory, Need::MemoryWrite, Need::Jobs];

        assert_eq!(lines(&both, serde_json::json!({})), [READ_AND_WRITE, "jobs = true"]);
        assert_eq!(lines(&both, serde_json::json!({"memory": "read", "jobs": true})), [READ_AND_WRITE]);
        assert_eq!(lines(&[Need::MemoryWrite], serde_json::json!({})), ["memory = { write = true }"]);
        assert_eq!(lines(&both[..2], serde_json::json!({"memory": "write"})), [""; 0]);
    }

    #[test]
    fn the_proposed_setting_meets_the_need() {
        for need in Need::ALL {
            let table: toml::Table = need.grant_setting().parse().expect("a line of TOML");
            let grants = serde_json::to_value(table).and_then(serde_json::from_value).expect("valid");

            assert!(need.is_met_by(&grants), "{}", need.grant_setting());
            assert!(!need.is_met_by(&Grants::default()));
        }
    }
}
