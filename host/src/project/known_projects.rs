//! The projects whose memories are stored, and which of them a folder could be.

use std::fs;
use std::path::{Path, PathBuf};

use super::Project;
use super::git_remotes::path_digest;
use super::project_id::{self, DATABASE_FILE, projects_folder};
use super::project_record::ProjectRecord;
use crate::dirs::{cannot_write, real_path};
use crate::error::{Error, Result};

/// Maximum number of projects that are read.
const MAX_PROJECTS: usize = 5_000;

/// A project whose memories are stored.
#[derive(Debug, Clone)]
pub struct KnownProject {
    /// The id under which it was recorded.
    pub id: String,
    /// The name; the id for a project of an Interleaf that kept no record.
    pub name: String,
    /// Where it was last; `None` if that was not recorded.
    pub root: Option<PathBuf>,
    /// The id of the project whose memories it uses, if a person joined the two.
    pub joined_to: Option<String>,
    record: ProjectRecord,
    store: PathBuf,
}

impl KnownProject {
    /// Returns the database with its memories, which need not exist.
    pub fn database_file(&self) -> PathBuf {
        self.store.join(DATABASE_FILE)
    }

    /// Tells whether the folder is no longer where it was.
    pub fn is_gone(&self) -> bool {
        self.root.as_ref().is_some_and(|root| !root.exists())
    }

    /// Deletes its memories and its record.
    ///
    /// # Errors
    /// `Unavailable` if a file cannot be deleted.
    pub fn delete(&self) -> Result<()> {
        fs::remove_dir_all(&self.store).map_err(|error| cannot_write(&self.store, &error))?;
        project_id::delete_pointers(self.store.parent().unwrap_or(&self.store), &self.id)
    }
}

/// All projects whose memories are stored, by name.
#[derive(Debug, Default)]
pub struct KnownProjects(Vec<KnownProject>);

impl KnownProjects {
    /// Reads the records in the data folder. What cannot be read is left out.
    pub fn read(data: &Path) -> Self {
        let projects = projects_folder(data);
        let entries = fs::read_dir(&projects).into_iter().flatten().flatten().take(MAX_PROJECTS);
        let ids = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut known: Vec<KnownProject> = ids
            .filter(|id| project_id::is_project_id(id))
            .filter_map(|id| known_project(&projects, id))
            .collect();
        known.sort_by(|one, other| (&one.name, &one.id).cmp(&(&other.name, &other.id)));
        Self(known)
    }

    /// Returns the projects, by name.
    pub fn iter(&self) -> impl Iterator<Item = &KnownProject> {
        self.0.iter()
    }

    /// Returns the project with this id, the beginning of it, this path, or this name.
    ///
    /// # Errors
    /// `NotFound` if there is none, `Invalid` if there are several.
    pub fn get(&self, text: &str) -> Result<&KnownProject> {
        let path = real_path(&std::env::current_dir().unwrap_or_default().join(text));
        let is_path = |project: &&KnownProject| project.root.as_ref() == Some(&path);
        let has_id = |project: &&KnownProject| text.len() >= 4 && project.id.starts_with(text);
        let has_name = |project: &&KnownProject| project.name == text;
        let by_path: Vec<_> = self.iter().filter(is_path).collect();
        let by_id: Vec<_> = self.iter().filter(has_id).collect();
        let by_name: Vec<_> = self.iter().filter(has_name).collect();
        let found = [by_path, by_id, by_name].into_iter().find(|found| !found.is_empty());
        match found.unwrap_or_default().as_slice() {
            [] => {
                Err(Error::not_found(format!("no project is known as `{text}`"))
                    .hint("interleaf project list"))
            }
            [project] => Ok(project),
            [one, ..] => Err(Error::invalid(format!("several projects are known as `{text}`"))
                .hint(format!("use the id, such as {}; interleaf project list shows them", one.id))),
        }
    }

    /// Returns the projects with memories that `project` could be, with the reason for each: the one that was
    /// at its path before, those with a common git folder, remote or first commit, and those of the same name
    /// whose folder is gone.
    pub fn candidates_for(&self, project: &Project) -> Vec<(&KnownProject, &'static str)> {
        let others: Vec<&KnownProject> = self.iter().filter(|known| known.may_be(project)).collect();
        let commits: Vec<&String> = others.iter().flat_map(|known| known.root_commits()).collect();
        let commits = project.existing_commits(&commits).unwrap_or_default();
        let here = project.evidence();
        others
            .into_iter()
            .filter_map(|known| Some((known, known.reason(project, &here, &commits)?)))
            .collect()
    }
}

impl KnownProject {
    fn root_commits(&self) -> &[String] {
        self.record.root_commits.as_deref().unwrap_or_default()
    }

    /// Tells whether a person could join the project to this one.
    fn may_be(&self, project: &Project) -> bool {
        let is_other = self.id != project.id && self.id != project.own_id;
        is_other && self.joined_to.is_none() && self.database_file().exists()
    }

    /// Returns why the project could be this one.
    fn reason(&self, project: &Project, here: &ProjectRecord, commits: &[String]) -> Option<&'static str> {
        let is_remote = |remote: &String| {
            let is_clone_of = self.root.as_ref().is_some_and(|root| *remote == path_digest(root));
            is_clone_of || self.record.remotes.contains(remote)
        };
        let has_same_git_path = here.git.is_some() && self.record.git == here.git;
        if has_same_git_path && here.git_identity.is_none() {
            Some("it has the same git folder")
        } else if has_same_git_path || project.replaced_id.as_ref() == Some(&self.id) {
            Some("it was at this path before")
        } else if here.remotes.iter().any(is_remote) {
            Some("it has the same remote")
        } else if self.root_commits().iter().any(|commit| commits.contains(commit)) {
            Some("it has the same first commit")
        } else {
            (self.name == project.name && self.is_gone())
                .then_some("it has the same name, and its folder is gone")
        }
    }
}

fn known_project(projects: &Path, id: String) -> Option<KnownProject> {
    let store = projects.join(&id);
    let record = ProjectRecord::read(&store);
    if record.is_none() && !store.join(DATABASE_FILE).exists() {
        return None;
    }
    let root = record.as_ref().map(|record| record.root.clone());
    let record = record.unwrap_or_default();
    let name = if record.name.is_empty() { id.clone() } else { record.name.clone() };
    let target = project_id::follow_joins(projects, id.clone());
    let joined_to = (target != id).then_some(target);
    Some(KnownProject { id, name, root, joined_to, record, store })
}
