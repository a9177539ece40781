//! Both files read, and what became of each setting: for hooks the configuration alone, for who asks the whole account.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::apply::{self, Author, Taken};
use super::description::{self, CategoryDescriptions, Lock};
use super::note::Diagnostic;
use super::{Config, MOST_FILE, MOST_NOTES, user_file};
use crate::dirs::{Folders, read_file};
use crate::layer::FileScope;
use crate::memory::Category;

/// The configuration, and where it comes from.
#[derive(Debug, Default)]
pub struct LoadedConfig {
    /// What holds.
    pub config: Config,
    /// Every setting of both files, the person's first, each in the order of its lines.
    pub settings: Vec<LoadedSetting>,
    /// What was not heeded and why. The configuration's own notes are these, cut short, and those that follow.
    pub diagnostics: Vec<Diagnostic>,
    /// What waits for the person to accept it; there is nothing wrong with it.
    pub pending: Vec<Diagnostic>,
    /// The paths that the person has set.
    told: BTreeSet<String>,
}

/// One setting of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedSetting {
    /// Whose file it is in.
    pub scope: FileScope,
    /// The file.
    pub file: PathBuf,
    /// Counted from 1.
    pub line: usize,
    /// Its path, name by name.
    pub path: Vec<String>,
    /// As it was written.
    pub value: Value,
    /// What became of it.
    pub status: SettingStatus,
}

/// What became of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingStatus {
    /// It holds.
    Effective,
    /// The person's own holds instead.
    Overridden,
    /// It holds once the person has accepted it.
    Pending,
    /// It is not heeded, for this reason.
    Rejected(String),
}

impl LoadedSetting {
    /// The path as it is written in a file.
    pub fn key(&self) -> String {
        self.path.join(".")
    }

    /// The category and the words of a description that would be taken.
    fn described(&self) -> Option<(Category, String)> {
        let [first, category, last] = self.path.as_slice() else { return None };
        let is_one = first == "categories" && last == "description";
        let words = || description::read(self.value.as_str()?).ok();
        is_one.then(|| Some((category.parse().ok()?, words()?)))?
    }
}

impl LoadedConfig {
    /// Reads the person's file, then the project's; `project` is the project's id, under which this user keeps what they
    /// accepted. Without folders there is neither.
    pub fn load(folders: Option<&Folders>, project_file: &Path, project: &str) -> Self {
        let mut survey = Self::default();
        let user_file = folders.map(user_file);
        if let Some(file) = &user_file {
            survey.read(file, Author::Person);
        }
        survey.read(project_file, Author::Project { user_file: user_file.as_deref() });
        survey.heed_descriptions(folders, project);
        survey.tell();
        survey
    }

    /// Reads this file as if it were the only one.
    pub fn load_file(file: &Path, whose: FileScope) -> Self {
        let mut survey = Self::default();
        survey.read(file, author(whose));
        survey.tell();
        survey
    }

    /// Takes this text for a file of the person's.
    pub fn from_text(file: &Path, text: &str) -> Self {
        let mut survey = Self::default();
        survey.apply(file, text.as_bytes(), Author::Person);
        survey.tell();
        survey
    }

    /// The project's descriptions, accepted or not.
    pub fn descriptions(&self) -> CategoryDescriptions {
        let of_project = self.settings.iter().filter(|said| said.scope == FileScope::Project);
        of_project.filter_map(LoadedSetting::described).collect()
    }

    fn read(&mut self, file: &Path, author: Author) {
        match read_file(file, MOST_FILE) {
            Ok(None) => {}
            Ok(Some(content)) => self.apply(file, &content, author),
            Err(error) => self.note(file, None, format!("cannot be read: {error}; it is not used")),
        }
    }

    fn apply(&mut self, file: &Path, content: &[u8], author: Author) {
        let whose = author.scope();
        let mut taken = match apply::apply(&mut self.config, content, author, &mut self.told) {
            Ok(taken) => taken,
            Err((line, cause)) => {
                let what = format!("not read: {cause}; nothing of this file is used until that is mended");
                return self.note(file, Some(line), what);
            }
        };
        taken.sort_by_key(|taken| taken.setting.line);
        for Taken { setting, outcome } in taken {
            if let SettingStatus::Rejected(why) = &outcome {
                self.note(file, Some(setting.line), why.clone());
            }
            let (line, path, value) = (setting.line, setting.path, setting.value);
            self.settings.push(LoadedSetting {
                scope: whose,
                file: file.to_owned(),
                line,
                path,
                value,
                status: outcome,
            });
        }
    }

    /// A project's descriptions hold where the person has accepted exactly these. Nothing is read where there are none.
    fn heed_descriptions(&mut self, folders: Option<&Folders>, project: &str) {
        let waiting: Vec<_> = self.waiting().collect();
        let Some((first, ..)) = waiting.first() else { return };
        let (lock, trouble) = folders.map_or_else(Default::default, |folders| Lock::read(folders, project));
        if lock.holds(&self.descriptions()) {
            for (at, category, text) in waiting {
                self.config.policy.of_mut(category).description = text;
                self.settings[at].status = SettingStatus::Effective;
            }
            return;
        }
        let categories: Vec<&str> = waiting.iter().map(|(_, category, _)| category.as_str()).collect();
        let (file, line) = (&self.settings[*first].file, self.settings[*first].line);
        let note = |what| Diagnostic { file: file.clone(), line: Some(line), message: what };
        self.pending = trouble.into_iter().chain([lock.waiting(&categories)]).map(note).collect();
    }

    fn waiting(&self) -> impl Iterator<Item = (usize, Category, String)> {
        let waits =
            self.settings.iter().enumerate().filter(|(_, said)| said.status == SettingStatus::Pending);
        waits.filter_map(|(at, said)| said.described().map(|(category, text)| (at, category, text)))
    }

    fn note(&mut self, file: &Path, line: Option<usize>, what: String) {
        self.diagnostics.push(Diagnostic { file: file.to_owned(), line, message: what });
    }

    /// Hands the notes over to the configuration, some of each file.
    fn tell(&mut self) {
        for notes in self.diagnostics.chunk_by(|one, other| one.file == other.file) {
            self.config.warnings.extend(notes.iter().take(MOST_NOTES).map(Diagnostic::to_string));
            if let Some(more) = notes.len().checked_sub(MOST_NOTES).filter(|more| *more > 0) {
                let file = notes[0].file.clone();
                let note = Diagnostic { file, line: None, message: format!("{more} more of the kind") };
                self.config.warnings.push(note.to_string());
            }
        }
        self.config.warnings.extend(self.pending.iter().map(Diagnostic::to_string));
    }
}

fn author(whose: FileScope) -> Author<'static> {
    match whose {
        FileScope::User => Author::Person,
        FileScope::Project => Author::Project { user_file: None },
    }
}
