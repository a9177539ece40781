//! The files: which component files a person and a project candidate as layers, by name. Nothing is opened here; whether a
//! file may run is for the lock to say.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::config::Config;

/// Files of one folder that are looked at. A project cannot make every hook walk through a million.
const MOST_FILES: usize = 256;

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileScope {
    /// The person's own: for all their projects.
    User,
    /// The project's.
    Project,
}

/// Where layers are looked for.
#[derive(Debug, Clone)]
pub struct LayerFolders {
    /// The person's configuration folder: `layers/*.wasm` in it, and what its paths are relative to.
    pub user: PathBuf,
    /// The person's home, for paths that begin with `~/`.
    pub home: Option<PathBuf>,
    /// The folder that holds the project's `.claude`: `.claude/layers/*.wasm`, and what its paths are relative to.
    pub project: PathBuf,
}

/// A file that would be a layer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LayerCandidate {
    /// The layer's name.
    pub name: String,
    /// Who candidates it.
    pub scope: FileScope,
    /// The component.
    pub file: PathBuf,
}

/// What is offered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LayerFiles {
    /// By name; of one name, the person's own comes first.
    pub candidates: Vec<LayerCandidate>,
    /// Files that cannot be layers, and why.
    pub warnings: Vec<String>,
}

impl LayerFiles {
    /// Looks into the folders; `[layers.NAME] file` of the configuration takes the place of a file of that name.
    pub fn find(places: &LayerFolders, config: &Config) -> Self {
        let mut found = BTreeMap::new();
        let mut notes = Vec::new();
        let folders =
            [(FileScope::User, places.user.join("layers")), (FileScope::Project, places.project_layers())];
        for (whose, folder) in folders {
            for file in components(&folder) {
                match name(&file) {
                    Ok(name) => drop(found.insert((name, whose), file)),
                    Err(note) => notes.push(note),
                }
            }
        }
        for (name, layer) in &config.layers {
            if let Some((whose, path)) = &layer.file {
                found.insert((name.clone(), *whose), places.resolve(*whose, path));
            }
        }
        let candidates = found
            .into_iter()
            .map(|((name, whose), file)| LayerCandidate { name, scope: whose, file })
            .collect();
        Self { candidates, warnings: notes }
    }
}

impl LayerFolders {
    fn project_layers(&self) -> PathBuf {
        self.project.join(".claude/layers")
    }

    fn resolve(&self, whose: FileScope, path: &Path) -> PathBuf {
        match (whose, path.strip_prefix("~"), &self.home) {
            (FileScope::Project, _, _) => self.project.join(path),
            (FileScope::User, Ok(below), Some(home)) => home.join(below),
            (FileScope::User, _, _) => self.user.join(path),
        }
    }
}

/// Names of layers are also names of files and owners of state.
pub fn is_layer_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=40).contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(fits)
}

fn components(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_FILES);
    let mut files: Vec<PathBuf> = files.map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "wasm"));
    files.sort();
    files
}

fn name(file: &Path) -> Result<String, String> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    if is_layer_name(&stem) {
        return Ok(stem.into_owned());
    }
    let file = file.display().to_string().replace(char::is_control, "\u{fffd}");
    Err(format!(
        "{file} is not taken for a layer: a layer's name has up to 40 lower-case letters, digits and hyphens and \
         begins with a letter; rename the file"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    fn places(scratch: &Scratch) -> LayerFolders {
        let [person, project] = ["person", "project"].map(|name| scratch.path().join(name));
        LayerFolders { user: person, home: Some("/home/anna".into()), project }
    }

    #[test]
    fn files_in_both_folders_are_offered_and_the_person_s_own_come_first() {
        let scratch = Scratch::new();
        scratch.file("project/.claude/layers/gate.wasm", "");
        scratch.file("project/.claude/layers/README.md", "");
        scratch.file("person/layers/gate.wasm", "");

        let files = LayerFiles::find(&places(&scratch), &Config::default());

        let candidates: Vec<_> =
            files.candidates.iter().map(|candidate| (candidate.name.as_str(), candidate.scope)).collect();
        assert_eq!(candidates, [("gate", FileScope::User), ("gate", FileScope::Project)]);
    }

    #[test]
    fn a_file_that_the_configuration_names_takes_the_place_of_one_in_the_folder() {
        let scratch = Scratch::new();
        scratch.file("person/layers/gate.wasm", "");
        let config = Config::from_user_toml("[layers.gate]\nfile = \"~/built/gate.wasm\"");

        let files = LayerFiles::find(&places(&scratch), &config);

        assert_eq!(files.candidates[0].file, Path::new("/home/anna/built/gate.wasm"));
        assert_eq!(files.candidates.len(), 1);
    }

    #[test]
    fn a_file_whose_name_is_none_is_named() {
        let scratch = Scratch::new();
        scratch.file("project/.claude/layers/My_Gate.wasm", "");

        let files = LayerFiles::find(&places(&scratch), &Config::default());

        assert!(files.candidates.is_empty());
        assert!(files.warnings[0].contains("My_Gate.wasm is not taken for a layer"), "{:?}", files.warnings);
    }
}
