//! Whether a person agreed that the sessions of a project are recorded. A project's own file can only switch
//! that off. The person's choice for one project lies beside its memories and goes before their choice for
//! all projects.

use std::path::{Path, PathBuf};

use crate::config::{RecordChoice, RecordConfig};
use crate::dirs::{
    cannot_write, create_atomically, create_private_folder, read_file, remove_if_there, write_atomically,
};
use crate::error::Result;

/// The name of the file with the choice for one project, and the maximum of its length in bytes.
const CHOICE_FILE: &str = "record-sessions";
/// What stands in the file of a person who was told of recording and has not chosen yet.
const ANNOUNCED: &str = "announced\n";
const MAX_CHOICE_BYTES: u64 = 64;

/// Whether the sessions of a project are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// The person agreed.
    On,
    /// The person declined, or switched it off.
    Off,
    /// The project's own file switches it off.
    OffByProject,
    /// The person has not been asked, so nothing is recorded.
    NotAsked,
}

impl Consent {
    /// Returns whether the sessions of a project are recorded. `folder` has the project's memories.
    pub fn of(config: &RecordConfig, folder: &Path) -> Self {
        let choice = match choice_for_project(folder) {
            RecordChoice::Ask => config.choice,
            choice => choice,
        };
        match choice {
            RecordChoice::Off => Self::Off,
            _ if config.is_off_by_project => Self::OffByProject,
            RecordChoice::On => Self::On,
            RecordChoice::Ask => Self::NotAsked,
        }
    }
}

/// Returns the person's choice for one project. What cannot be read is a choice against recording.
fn choice_for_project(folder: &Path) -> RecordChoice {
    match read_file(&choice_file(folder), MAX_CHOICE_BYTES) {
        Ok(None) => RecordChoice::Ask,
        Ok(Some(text)) if text == ANNOUNCED.as_bytes() => RecordChoice::Ask,
        Ok(Some(text)) => match RecordChoice::parse(String::from_utf8_lossy(&text).trim()) {
            RecordChoice::Ask => RecordChoice::Off,
            choice => choice,
        },
        Err(_) => RecordChoice::Off,
    }
}

/// Records the person's choice for one project; none of its own for [`RecordChoice::Ask`].
///
/// # Errors
/// `Unavailable` if the file cannot be written.
pub fn choose_for_project(folder: &Path, choice: RecordChoice) -> Result<()> {
    let file = choice_file(folder);
    let written = match choice.name() {
        Some(name) => create_private_folder(folder)
            .and_then(|()| write_atomically(&file, format!("{name}\n").as_bytes())),
        None => remove_if_there(&file),
    };
    written.map_err(|error| cannot_write(&file, &error))
}

/// Tells whether the person was told of recording in this project, or has chosen.
pub fn is_announced(folder: &Path) -> bool {
    choice_file(folder).exists()
}

/// Notes that the person was told of recording. Returns whether that was not noted before.
pub fn note_announced(folder: &Path) -> bool {
    create_atomically(&choice_file(folder), ANNOUNCED.as_bytes()).is_ok()
}

fn choice_file(folder: &Path) -> PathBuf {
    folder.join(CHOICE_FILE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    fn config(choice: RecordChoice, is_off_by_project: bool) -> RecordConfig {
        RecordConfig { choice, is_off_by_project, ..RecordConfig::default() }
    }

    #[test]
    fn without_a_choice_nothing_is_recorded_and_a_project_can_only_switch_off() {
        let scratch = Scratch::new();
        let of = |choice, by_project| Consent::of(&config(choice, by_project), scratch.path());

        assert_eq!(of(RecordChoice::Ask, false), Consent::NotAsked);
        assert_eq!(of(RecordChoice::On, false), Consent::On);
        assert_eq!(of(RecordChoice::Off, false), Consent::Off);
        assert_eq!(of(RecordChoice::On, true), Consent::OffByProject);
        assert_eq!(of(RecordChoice::Ask, true), Consent::OffByProject);
    }

    #[test]
    fn the_choice_for_a_project_goes_before_that_for_all() {
        let scratch = Scratch::new();
        let of = |choice| Consent::of(&config(choice, false), scratch.path());

        choose_for_project(scratch.path(), RecordChoice::Off).expect("written");
        assert_eq!(of(RecordChoice::On), Consent::Off);
        choose_for_project(scratch.path(), RecordChoice::On).expect("written");
        assert_eq!(of(RecordChoice::Off), Consent::On);
        choose_for_project(scratch.path(), RecordChoice::Ask).expect("removed");
        assert_eq!(of(RecordChoice::Off), Consent::Off);
    }

    #[test]
    fn an_announcement_is_noted_once_and_is_no_choice() {
        let scratch = Scratch::new();
        assert!(!is_announced(scratch.path()));
        assert!(note_announced(scratch.path()) && !note_announced(scratch.path()));
        assert!(is_announced(scratch.path()));
        assert_eq!(Consent::of(&config(RecordChoice::Ask, false), scratch.path()), Consent::NotAsked);
        assert_eq!(Consent::of(&config(RecordChoice::On, false), scratch.path()), Consent::On);
    }

    #[test]
    fn a_choice_that_cannot_be_read_switches_off() {
        let scratch = Scratch::new();
        scratch.file(CHOICE_FILE, "perhaps");
        assert_eq!(Consent::of(&config(RecordChoice::On, false), scratch.path()), Consent::Off);
    }
}
