//! The data of one invented project: its memories, and events that need one of them or none.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use interleaf_tests::workspace;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::needing_event::NeedingEvent;

/// The parts of the data, each a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Split {
    /// What weights are fitted on; may be read
    Train,
    /// What a change is compared on
    Development,
    /// What only totals are printed of
    Sealed,
}

/// A memory of the project.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredMemory {
    pub id: String,
    pub category: String,
    pub text: String,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default, rename = "age_days")]
    _age_days: u32,
    #[serde(default)]
    pub cheat_sheet: bool,
    /// How one would ask for it; from a file of their own, because others wrote them.
    #[serde(skip)]
    pub asked_as: Vec<String>,
}

/// The cues of a memory.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cues {
    id: String,
    asked_as: Vec<String>,
}

/// A project.
#[derive(Debug, Clone)]
pub struct Family {
    pub name: String,
    pub memories: Vec<StoredMemory>,
    pub events: Vec<NeedingEvent>,
}

/// Reads the families of a split, in the order of their names.
///
/// # Errors
/// If a file cannot be read, or an event needs a memory that is not there.
pub fn read_split(split: Split) -> Result<Vec<Family>> {
    let value = split.to_possible_value();
    read_folder(&folder().join(value.as_ref().map_or("", |value| value.get_name())))
}

/// Reads the families in the folders of a folder, in the order of their names.
///
/// # Errors
/// As [`read_split`].
pub fn read_folder(folder: &Path) -> Result<Vec<Family>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut folders: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    folders.iter().map(|folder| Family::read(folder)).collect()
}

fn folder() -> PathBuf {
    workspace::root().join("eval/recall")
}

impl Family {
    /// Returns the family with memories that have no cues.
    pub fn without_cues(&self) -> Self {
        let memories =
            self.memories.iter().cloned().map(|memory| StoredMemory { asked_as: Vec::new(), ..memory });
        Self { name: self.name.clone(), memories: memories.collect(), events: self.events.clone() }
    }

    /// Returns one family with the memories and events of several.
    pub fn merged(families: &[Self]) -> Self {
        let mut merged = Self { name: String::new(), memories: Vec::new(), events: Vec::new() };
        for Self { name, memories, events } in families {
            let unique = |id: &String| format!("{name}/{id}");
            let memories =
                memories.iter().map(|memory| StoredMemory { id: unique(&memory.id), ..memory.clone() });
            merged.memories.extend(memories);
            let events = events.iter().cloned().map(|mut event| {
                event.needs = event.needs.iter().map(unique).collect();
                event
            });
            merged.events.extend(events);
            merged.name = [&merged.name[..], name].join(" ").trim().to_owned();
        }
        merged
    }

    fn read(folder: &Path) -> Result<Self> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut memories: Vec<StoredMemory> = read_lines(&folder.join("memories.jsonl"))?;
        let cues = folder.join("cues.jsonl");
        for Cues { id, asked_as } in if cues.exists() { read_lines(&cues)? } else { Vec::new() } {
            let memory = memories.iter_mut().find(|memory| memory.id == id);
            memory
                .with_context(|| format!("{}: cues of {id}, which is no memory", folder.display()))?
                .asked_as = asked_as;
        }
        let events: Vec<NeedingEvent> = read_lines(&folder.join("events.jsonl"))?;
        for need in events.iter().flat_map(|event| &event.needs) {
            if !memories.iter().any(|memory| memory.id == *need) {
                bail!("{}: an event needs {need}, which is not among the memories", folder.display());
            }
        }
        Ok(Self { name, memories, events })
    }
}

fn read_lines<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            serde_json::from_str(line).with_context(|| format!("{}:{}", file.display(), index + 1))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_can_be_read_and_belongs_to_one_split() {
        let splits = [Split::Train, Split::Development, Split::Sealed];
        let families: Vec<Family> =
            splits.iter().flat_map(|split| read_split(*split).expect("the data are there")).collect();

        let mut names: Vec<&str> = families.iter().map(|family| family.name.as_str()).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "a family is in two splits");
        let events = |needs: bool| {
            families
                .iter()
                .flat_map(|family| &family.events)
                .filter(move |event| event.needs.is_empty() != needs)
        };
        assert!(count >= 60 && events(true).count() >= 600 && events(false).count() >= 800);
    }
}
