//! The registry of the gates that this account has accepted: what must be answered if a gate cannot run.
//!
//! A hook reads it before anything of the project, so that it knows the answer of every gate whatever the
//! project's files do. It lies in the account's own home, which no variable of a session can change
//! (`dirs/account.rs`), so redirected folders do not make a gate disappear either.

use std::cell::LazyCell;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::dirs::write_json_atomically;
use crate::dirs::{Folders, account_data_folder, lock_for_update, read_file, real_path};
use crate::error::{Error, Result};
use crate::layer::{FailurePolicy, FileScope, Layer};
use crate::project::Project;

use super::accepted_layer::AcceptedLayer;

/// Maximum size of the registry, in bytes: thousands of gates.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// A gate, with the project and the folders in which it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisteredGate {
    name: String,
    /// The project; absent for a gate of the user, which belongs to every project.
    project: Option<GateProject>,
    /// The user's configuration folder at that time.
    config: PathBuf,
    /// The user's data folder at that time.
    data: PathBuf,
    on_failure: FailurePolicy,
}

/// The project of a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct GateProject {
    id: String,
    root: PathBuf,
}

/// The gates that this account has accepted.
#[derive(Debug, Default)]
pub struct GateRegistry {
    file: Option<PathBuf>,
    gates: Vec<RegisteredGate>,
    /// The reason why the file cannot be read.
    issue: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Content {
    gates: Vec<RegisteredGate>,
}

impl GateRegistry {
    /// Reads the registry of this account. A missing one is empty.
    pub fn read() -> Self {
        let Some(file) = account_data_folder().map(|folder| folder.join("gates.json")) else {
            return Self::default();
        };
        Self::read_file(&file)
    }

    fn read_file(file: &Path) -> Self {
        let (gates, issue) = match read_gates(file) {
            Ok(gates) => (gates, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        Self { file: Some(file.to_owned()), gates, issue }
    }

    /// Returns what has to answer a tool call in the session's folder while nothing is known of its project:
    /// the user's gates, those whose project contains the folder, and if the registry cannot be read, a
    /// substitute that asks.
    pub fn gates_in(&self, folder: &Path) -> Vec<Layer> {
        let real = LazyCell::new(|| real_path(folder));
        // Also where a link takes the place that the project was moved from.
        let is_around = |project: &GateProject| {
            folder.starts_with(&project.root) || real.starts_with(real_path(&project.root))
        };
        let is_in = |gate: &&RegisteredGate| gate.project.as_ref().is_none_or(is_around);
        let gates = self.gates.iter().filter(is_in).map(RegisteredGate::to_layer);
        gates.chain(self.issue.iter().map(|_| substitute())).collect()
    }

    /// Returns the gates of the project and of the user.
    pub fn gates_of(&self, project: &Project) -> impl Iterator<Item = &RegisteredGate> {
        self.gates.iter().filter(|gate| {
            gate.project.as_ref().is_none_or(|known| known.id == project.id || known.is_at(project))
        })
    }

    /// Returns the reason why the registry cannot be read.
    pub fn issue(&self) -> Option<&str> {
        self.issue.as_deref()
    }

    /// Records an accepted gate; a layer without a failure answer is removed instead.
    ///
    /// # Errors
    /// `Unavailable` if the registry cannot be read or written.
    pub fn record(
        &mut self,
        layer: &AcceptedLayer,
        scope: FileScope,
        project: &Project,
        folders: &Folders,
    ) -> Result<()> {
        let gate = RegisteredGate {
            name: layer.name.clone(),
            project: match scope {
                FileScope::User => None,
                FileScope::Project => {
                    Some(GateProject { id: project.id.clone(), root: project.root.clone() })
                }
            },
            config: folders.config.clone(),
            data: folders.data.clone(),
            on_failure: layer.on_failure,
        };
        let is_gate = layer.has_failure_answer();
        self.change(|gates| {
            gates.retain(|known| !known.is_same(&gate));
            gates.extend(is_gate.then_some(gate));
        })
    }

    /// Removes the gates of this name that belong to the project or to the user, and returns their number.
    ///
    /// # Errors
    /// `Unavailable` if the registry cannot be read or written.
    pub fn forget(&mut self, name: &str, project: &Project) -> Result<usize> {
        let is_meant = |gate: &RegisteredGate| {
            let of_project = |known: &GateProject| known.id == project.id || known.is_at(project);
            gate.name == name && gate.project.as_ref().is_none_or(of_project)
        };
        if !self.gates.iter().any(is_meant) && self.issue.is_none() {
            return Ok(0);
        }
        let mut forgotten = 0;
        self.change(|gates| {
            let before = gates.len();
            gates.retain(|gate| !is_meant(gate));
            forgotten = before - gates.len();
        })?;
        Ok(forgotten)
    }

    /// Changes the file under its lock.
    fn change(&mut self, change: impl FnOnce(&mut Vec<RegisteredGate>)) -> Result<()> {
        let Some(file) = self.file.clone() else { return Ok(()) };
        let _lock = lock_for_update(&file)?;
        let mut content = Content { gates: read_gates(&file)? };
        change(&mut content.gates);
        write_json_atomically(&file, &content)?;
        self.gates = content.gates;
        Ok(())
    }
}

impl RegisteredGate {
    /// Returns the gate's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the owner of the gate's file.
    pub fn scope(&self) -> FileScope {
        if self.project.is_some() { FileScope::Project } else { FileScope::User }
    }

    /// Returns the reason why these folders are not those in which the gate was accepted. A project could
    /// set variables that lead to other folders, in which the gate is unknown or switched off.
    pub fn redirection(&self, folders: &Folders) -> Option<String> {
        let changed = [(&self.data, &folders.data), (&self.config, &folders.config)];
        let (known, current) = changed.into_iter().find(|(known, current)| known != current)?;
        Some(format!(
            "it was accepted with the folder {}, but this session uses {}; unset the variables that change \
             it (INTERLEAF_HOME, HOME or XDG_*), or accept it again",
            known.display(),
            current.display()
        ))
    }

    /// Returns a layer that cannot run and has the gate's failure answer.
    pub fn to_layer(&self) -> Layer {
        Layer::failed_gate(&self.name, self.on_failure)
    }

    fn is_same(&self, other: &Self) -> bool {
        let id = |gate: &Self| gate.project.as_ref().map(|project| project.id.clone());
        self.name == other.name && id(self) == id(other)
    }
}

impl GateProject {
    /// Tells whether the session lies in the folder of this project, although it has another id: its `.git`
    /// was removed or replaced. A repository of its own inside the folder is another project.
    fn is_at(&self, project: &Project) -> bool {
        let is_in = |root: &Path| {
            let is_inner_repository =
                project.has_git() && project.root != root && project.root.starts_with(root);
            project.start().starts_with(root) && !is_inner_repository
        };
        is_in(&self.root) || is_in(&real_path(&self.root))
    }
}

/// Returns the gate that stands for those of an unreadable registry.
fn substitute() -> Layer {
    Layer::failed_gate("gates", FailurePolicy::Ask)
}

fn read_gates(file: &Path) -> Result<Vec<RegisteredGate>> {
    let unreadable = |cause: &dyn std::fmt::Display| {
        Error::unavailable(format!("cannot read {}, which lists your gates: {cause}", file.display()))
            .hint("remove the file, then accept the gates again with `interleaf layer accept`")
    };
    let Some(content) = read_file(file, MAX_FILE_BYTES).map_err(|cause| unreadable(&cause))? else {
        return Ok(Vec::new());
    };
    let content: Content = serde_json::from_slice(&content).map_err(|cause| unreadable(&cause))?;
    Ok(content.gates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    fn gate(name: &str, root: Option<&Path>) -> RegisteredGate {
        RegisteredGate {
            name: name.to_owned(),
            project: root.map(|root| GateProject { id: "0".repeat(16), root: root.to_owned() }),
            config: "/config".into(),
            data: "/data".into(),
            on_failure: FailurePolicy::Deny,
        }
    }

    fn names(layers: &[Layer]) -> Vec<&str> {
        layers.iter().map(|layer| layer.name.as_ref()).collect()
    }

    fn folders(config: &str, data: &str) -> Folders {
        let [config, data] = [config, data].map(PathBuf::from);
        let (state, cache) = ("/s".into(), "/c".into());
        Folders { config, data, state, cache, ignored: Vec::new(), unrecorded: Vec::new() }
    }

    #[test]
    fn a_folder_has_the_gates_of_the_user_and_of_the_project_around_it() {
        let gates = vec![gate("own", None), gate("shop", Some(Path::new("/srv/shop")))];
        let registry = GateRegistry { gates, ..GateRegistry::default() };

        assert_eq!(names(&registry.gates_in(Path::new("/srv/shop/src"))), ["own", "shop"]);
        assert_eq!(names(&registry.gates_in(Path::new("/srv/shopping"))), ["own"]);
    }

    #[test]
    fn an_unreadable_registry_asks() {
        let scratch = Scratch::new();
        let registry = GateRegistry::read_file(&scratch.file("gates.json", "{"));

        let gates = registry.gates_in(Path::new("/"));

        assert_eq!(names(&gates), ["gates"]);
        assert_eq!(gates[0].on_failure, FailurePolicy::Ask);
        assert!(registry.issue().is_some_and(|issue| issue.contains("gates.json")));
    }

    #[test]
    fn a_project_keeps_its_gates_when_its_git_folder_is_gone_but_an_inner_repository_has_its_own() {
        let scratch = Scratch::new();
        let inner = scratch.folder("shop/inner");
        scratch.file("shop/inner/.git/HEAD", "ref: refs/heads/main\n");
        scratch.folder("shop/inner/.git/objects");
        scratch.folder("shop/inner/.git/refs");
        let root = scratch.folder("shop").canonicalize().expect("it exists");
        let registry = GateRegistry { gates: vec![gate("shop", Some(&root))], ..GateRegistry::default() };
        let count = |folder: &Path| registry.gates_of(&Project::locate(folder)).count();

        assert_eq!([count(&root), count(&scratch.folder("shop/src"))], [1, 1]);
        assert_eq!(count(&inner), 0);
    }

    #[test]
    fn a_gate_knows_that_the_session_s_folders_are_not_its_own() {
        let gate = gate("own", None);

        assert_eq!(gate.redirection(&folders("/config", "/data")), None);
        for (config, data) in [("/config", "/elsewhere"), ("/elsewhere", "/data")] {
            let reason = gate.redirection(&folders(config, data)).expect("they differ");
            assert!(reason.contains("/elsewhere") && reason.contains("INTERLEAF_HOME"), "{reason}");
        }
    }
}
