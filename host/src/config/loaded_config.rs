//! The configuration as it was loaded: the merged values, the status of each setting in the files, and the
//! problems of the files. A hook uses only the values; the commands show the rest.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::category_descriptions::{
    CategoryDescriptions, DescriptionApprovals, parse_description, pending_message,
};
use super::key_path::nearest_key;
use super::settings_merge::{FileOwner, SettingStatus, merge};
use super::{Config, MAX_FILE_BYTES, MAX_WARNINGS_PER_FILE, user_file};
use crate::dirs::{Folders, read_file};
use crate::layer::FileScope;
use crate::memory::Category;

/// The configuration and its sources.
#[derive(Debug, Default)]
pub struct LoadedConfig {
    /// The values that apply.
    pub config: Config,
    /// Every setting of both files, the user's first, each in the order of its lines.
    pub settings: Vec<LoadedSetting>,
    /// The problems of the files. [`Config::warnings`] has the first of these, then the pending settings.
    pub diagnostics: Vec<Diagnostic>,
    /// Settings that are correct and that the user has not accepted yet.
    pub pending: Vec<Diagnostic>,
    /// The paths that the user has set.
    set_by_user: BTreeSet<String>,
}

/// A setting of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedSetting {
    /// The owner of the file.
    pub scope: FileScope,
    /// The file.
    pub file: PathBuf,
    /// Counted from 1.
    pub line: usize,
    /// The names of its path.
    pub path: Vec<String>,
    /// The value as it was written.
    pub value: Value,
    /// Its status after merging.
    pub status: SettingStatus,
}

/// A problem of a file, with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file.
    pub file: PathBuf,
    /// Counted from 1; `None` if it concerns the whole file.
    pub line: Option<usize>,
    /// The path of the setting; empty if it concerns the whole file.
    pub setting: Vec<String>,
    /// The ignored part, and the reason.
    pub message: String,
}

impl Diagnostic {
    /// Tells whether the settings of this layer are affected: one of them, or all of the file.
    pub fn concerns_layer(&self, name: &str) -> bool {
        self.setting.is_empty() || self.setting.get(1).is_some_and(|layer| layer == name)
    }

    /// Tells whether it keeps the requested grants of a layer from being read.
    pub fn hides_grants(&self) -> bool {
        self.setting.get(2).is_none_or(|key| key == "grants")
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.message)
    }
}

impl LoadedSetting {
    /// Returns the path as it is written in a file.
    pub fn key(&self) -> String {
        self.path.join(".")
    }

    /// Returns the category and its valid description, if this setting is one.
    fn description(&self) -> Option<(Category, String)> {
        let [section, category, name] = self.path.as_slice() else { return None };
        if section != "categories" || name != "description" {
            return None;
        }
        Some((category.parse().ok()?, parse_description(self.value.as_str()?).ok()?))
    }
}

impl LoadedConfig {
    /// Reads the user's file, then the project's; `project_id` is the id under which the user's
    /// approvals are stored. Without folders, there is neither a file of the user nor an approval.
    pub fn load(folders: Option<&Folders>, project_file: &Path, project_id: &str) -> Self {
        let mut loaded = Self::default();
        let user_file = folders.map(user_file);
        if let Some(file) = &user_file {
            let may_weaken_guard = folders.is_none_or(Folders::are_recorded);
            loaded.read(file, FileOwner { may_weaken_guard, ..FileOwner::alone(FileScope::User) });
        }
        let project = FileOwner { user_file: user_file.as_deref(), ..FileOwner::alone(FileScope::Project) };
        loaded.read(project_file, project);
        loaded.apply_descriptions(folders, project_id);
        loaded.set_warnings();
        loaded
    }

    /// Reads this file as if it were the only one.
    pub fn load_file(file: &Path, scope: FileScope) -> Self {
        let mut loaded = Self::default();
        loaded.read(file, FileOwner::alone(scope));
        loaded.set_warnings();
        loaded
    }

    /// Reads this text as the user's file.
    pub fn from_text(file: &Path, text: &str) -> Self {
        let mut loaded = Self::default();
        loaded.merge(file, text.as_bytes(), FileOwner::alone(FileScope::User));
        loaded.set_warnings();
        loaded
    }

    /// Returns the project's descriptions of categories, accepted or not.
    pub fn descriptions(&self) -> CategoryDescriptions {
        let of_project = self.settings.iter().filter(|setting| setting.scope == FileScope::Project);
        of_project.filter_map(LoadedSetting::description).collect()
    }

    /// Returns the problems that concern a layer's settings.
    pub fn problems_of_layer(&self, name: &str) -> Vec<Diagnostic> {
        self.diagnostics.iter().filter(|problem| problem.concerns_layer(name)).cloned().collect()
    }

    fn read(&mut self, file: &Path, owner: FileOwner) {
        match read_file(file, MAX_FILE_BYTES) {
            Ok(None) => {}
            Ok(Some(content)) => self.merge(file, &content, owner),
            Err(error) => {
                self.report(file, None, &[], format!("cannot be read: {error}; the file is ignored"));
                self.protect(owner);
            }
        }
    }

    /// Keeps anything from being stored while the user's own patterns for secrets are not known.
    fn protect(&mut self, owner: FileOwner) {
        if owner.scope == FileScope::User {
            self.config.redact_obstacle = self.diagnostics.last().map(Diagnostic::to_string);
        }
    }

    fn merge(&mut self, file: &Path, content: &[u8], owner: FileOwner) {
        let mut merged = match merge(&mut self.config, content, owner, &mut self.set_by_user) {
            Ok(merged) => merged,
            Err((line, cause)) => {
                let message =
                    format!("cannot be parsed: {cause}; the whole file is ignored until this is fixed");
                self.report(file, Some(line), &[], message);
                if mentions_patterns(content) {
                    self.protect(owner);
                }
                return;
            }
        };
        merged.sort_by_key(|(setting, _)| setting.line);
        for (setting, status) in merged {
            if let SettingStatus::Rejected(reason) = &status {
                self.report(file, Some(setting.line), &setting.path, reason.clone());
                if is_redaction(&setting.path) {
                    self.protect(owner);
                }
            }
            self.settings.push(LoadedSetting {
                scope: owner.scope,
                file: file.to_owned(),
                line: setting.line,
                path: setting.path,
                value: setting.value,
                status,
            });
        }
    }

    /// Applies the project's descriptions if the user accepted exactly these. Reads no approvals if there are
    /// no descriptions.
    fn apply_descriptions(&mut self, folders: Option<&Folders>, project: &str) {
        let pending: Vec<_> = self.pending_descriptions().collect();
        let Some((first, ..)) = pending.first() else { return };
        let (approvals, warning) =
            folders.map(|folders| DescriptionApprovals::read(folders, project)).unzip();
        if approvals.as_ref().is_some_and(|approvals| approvals.contains(&self.descriptions())) {
            for (index, category, text) in pending {
                self.config.policy.of_mut(category).description = text;
                self.settings[index].status = SettingStatus::Effective;
            }
            return;
        }
        let categories: Vec<&str> = pending.iter().map(|(_, category, _)| category.as_str()).collect();
        let message = pending_message(approvals.as_ref(), &categories);
        let LoadedSetting { file, line, path, .. } = &self.settings[*first];
        let diagnostic =
            |message| Diagnostic { file: file.clone(), line: Some(*line), setting: path.clone(), message };
        self.pending = warning.flatten().into_iter().chain([message]).map(diagnostic).collect();
    }

    fn pending_descriptions(&self) -> impl Iterator<Item = (usize, Category, String)> {
        let settings = self.settings.iter().enumerate();
        let pending = settings.filter(|(_, setting)| setting.status == SettingStatus::Pending);
        pending.filter_map(|(index, setting)| {
            setting.description().map(|(category, text)| (index, category, text))
        })
    }

    fn report(&mut self, file: &Path, line: Option<usize>, setting: &[String], message: String) {
        let (file, setting) = (file.to_owned(), setting.to_owned());
        self.diagnostics.push(Diagnostic { file, line, setting, message });
    }

    /// Copies the first diagnostics of each file, and everything pending, to the warnings of the
    /// configuration.
    fn set_warnings(&mut self) {
        for diagnostics in self.diagnostics.chunk_by(|one, other| one.file == other.file) {
            let shown = diagnostics.iter().take(MAX_WARNINGS_PER_FILE);
            self.config.warnings.extend(shown.map(Diagnostic::to_string));
            let hidden = diagnostics.len().saturating_sub(MAX_WARNINGS_PER_FILE);
            if hidden > 0 {
                let file = diagnostics[0].file.display();
                self.config.warnings.push(format!("{file}: {hidden} more problems"));
            }
        }
        self.config.warnings.extend(self.pending.iter().map(Diagnostic::to_string));
    }
}

/// Tells whether a setting that is rejected may be one of redaction, under its own name or a misspelt one.
fn is_redaction(path: &[String]) -> bool {
    path[0] == "redact" || nearest_key(&path[..1]).is_some_and(|key| key == "redact")
}

/// Tells whether a file that cannot be parsed may set the user's own patterns for secrets.
fn mentions_patterns(content: &[u8]) -> bool {
    let text = String::from_utf8_lossy(content).to_lowercase();
    text.contains("redact") || text.contains("pattern")
}
