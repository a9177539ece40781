//! Finds the component files that could be layers: those in the layer folders of the user and the project,
//! and those that the configuration names. This module opens no file; whether a file may run depends on its
//! approval.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::layer::{FileScope, is_layer_name};

/// Maximum number of entries that are read from one folder, so that a project cannot make every hook list a
/// million files.
const MAX_FOLDER_ENTRIES: usize = 256;

/// The folders in which layers are searched.
#[derive(Debug, Clone)]
pub struct LayerFolders {
    /// The user's configuration folder. Layers are in `layers/*.wasm`; configured paths are relative to it.
    pub user: PathBuf,
    /// The user's home folder, for paths that begin with `~/`.
    pub home: Option<PathBuf>,
    /// The folder that contains the project's `.claude`. Layers are in `.claude/layers/*.wasm`; configured
    /// paths are relative to it.
    pub project: PathBuf,
}

/// A file that could be a layer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LayerCandidate {
    /// The layer's name.
    pub name: String,
    /// The owner of the file.
    pub scope: FileScope,
    /// The component.
    pub file: PathBuf,
}

/// The files that could be layers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LayerFiles {
    /// The files, sorted by name; of several with the same name, the user's own comes first.
    pub candidates: Vec<LayerCandidate>,
    /// A message for each file that cannot be a layer.
    pub warnings: Vec<String>,
}

impl LayerFiles {
    /// Searches the folders. The setting `file` of `[layers.NAME]` replaces a file of that name in a folder.
    pub fn find(folders: &LayerFolders, config: &Config) -> Self {
        let mut files = BTreeMap::new();
        let mut warnings = Vec::new();
        let searched = [
            (FileScope::User, folders.user.join("layers")),
            (FileScope::Project, folders.project.join(".claude/layers")),
        ];
        for (scope, folder) in searched {
            for file in components_in(&folder) {
                match layer_name(&file) {
                    Ok(name) => drop(files.insert((name, scope), file)),
                    Err(warning) => warnings.push(warning),
                }
            }
        }
        for (name, layer) in &config.layers {
            if let Some((scope, path)) = &layer.file {
                files.insert((name.clone(), *scope), folders.resolve(*scope, path));
            }
        }
        let candidates =
            files.into_iter().map(|((name, scope), file)| LayerCandidate { name, scope, file }).collect();
        Self { candidates, warnings }
    }
}

impl LayerFolders {
    fn resolve(&self, scope: FileScope, path: &Path) -> PathBuf {
        match (scope, path.strip_prefix("~"), &self.home) {
            (FileScope::Project, _, _) => self.project.join(path),
            (FileScope::User, Ok(rest), Some(home)) => home.join(rest),
            (FileScope::User, _, _) => self.user.join(path),
        }
    }
}

fn components_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_FOLDER_ENTRIES);
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "wasm"));
    files.sort();
    files
}

fn layer_name(file: &Path) -> Result<String, String> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    if is_layer_name(&stem) {
        return Ok(stem.into_owned());
    }
    let file = interleaf_text::for_terminal(&file.display().to_string());
    Err(format!(
        "{file} is not used as a layer: the name of a layer has up to 40 lower-case letters, digits and \
         hyphens, begins with a letter and is not `interleaf`; rename the file"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    fn folders(scratch: &Scratch) -> LayerFolders {
        let [user, project] = ["user", "project"].map(|name| scratch.path().join(name));
        LayerFolders { user, home: Some("/home/anna".into()), project }
    }

    #[test]
    fn files_in_both_folders_are_candidates_and_the_user_s_own_come_first() {
        let scratch = Scratch::new();
        scratch.file("project/.claude/layers/gate.wasm", "");
        scratch.file("project/.claude/layers/README.md", "");
        scratch.file("user/layers/gate.wasm", "");

        let files = LayerFiles::find(&folders(&scratch), &Config::default());

        let found = files.candidates.iter().map(|candidate| (candidate.name.as_str(), candidate.scope));
        assert_eq!(found.collect::<Vec<_>>(), [("gate", FileScope::User), ("gate", FileScope::Project)]);
    }

    #[test]
    fn a_configured_file_replaces_the_one_in_the_folder() {
        let scratch = Scratch::new();
        scratch.file("user/layers/gate.wasm", "");
        let config = Config::from_user_toml("[layers.gate]\nfile = \"~/built/gate.wasm\"");

        let files = LayerFiles::find(&folders(&scratch), &config);

        assert_eq!(files.candidates[0].file, Path::new("/home/anna/built/gate.wasm"));
        assert_eq!(files.candidates.len(), 1);
    }

    #[test]
    fn a_file_with_an_invalid_name_is_reported() {
        let scratch = Scratch::new();
        scratch.file("project/.claude/layers/My_Gate.wasm", "");

        let files = LayerFiles::find(&folders(&scratch), &Config::default());

        assert!(files.candidates.is_empty());
        assert!(files.warnings[0].contains("My_Gate.wasm is not used as a layer"), "{:?}", files.warnings);
    }
}
