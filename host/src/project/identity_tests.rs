//! Tests of the recognition of projects: moves, clones, and other repositories at the same path, with the
//! real git and folders.

use std::fs;
use std::path::Path;

use super::project_id::DATABASE_FILE;
use super::tests::{commit, git, repository, text};
use super::*;
use crate::dirs::scratch::Scratch;

/// The data folder of a test, in which projects have memories.
struct Data(PathBuf);

impl Data {
    fn new(scratch: &Scratch) -> Self {
        Self(scratch.folder("data"))
    }

    fn find(&self, folder: &Path) -> Project {
        Project::find(folder, &self.0)
    }

    /// Finds the project and gives it a database.
    fn remember_in(&self, folder: &Path) -> Project {
        let project = self.find(folder);
        project.record(&self.0).expect("a record");
        let store = self.0.join("projects").join(&project.id);
        fs::create_dir_all(&store).expect("a folder");
        fs::write(store.join(DATABASE_FILE), "").expect("a file");
        project
    }

    fn candidates(&self, folder: &Path) -> Vec<(String, &'static str)> {
        let known = KnownProjects::read(&self.0);
        let candidates = known.candidates_for(&self.find(folder));
        candidates.into_iter().map(|(known, reason)| (known.id.clone(), reason)).collect()
    }
}

#[test]
fn a_moved_repository_keeps_its_memories_and_its_work_trees_do() {
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let old = repository(&scratch, "old");
    git(&old, &["worktree", "add", "--quiet", "../linked"]);
    let before = data.remember_in(&old);

    let new = scratch.path().join("new");
    fs::rename(&old, &new).expect("a move");
    git(&new, &["worktree", "repair"]);

    assert_eq!(data.find(&new).id, before.id);
    assert_eq!(data.find(&scratch.path().join("linked")).id, before.id);
}

#[test]
fn a_moved_folder_without_git_keeps_its_memories() {
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let old = scratch.folder("old");
    let before = data.remember_in(&old);

    fs::rename(&old, scratch.path().join("new")).expect("a move");

    assert_eq!(data.find(&scratch.path().join("new")).id, before.id);
}

#[test]
fn a_folder_keeps_its_memories_when_it_becomes_a_repository_and_when_that_begins_anew() {
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let folder = scratch.folder("notes");
    let before = data.remember_in(&folder);

    git(&folder, &["init", "--quiet"]);
    assert_eq!(data.remember_in(&folder).id, before.id);
    fs::remove_dir_all(folder.join(".git")).expect("a folder");
    git(&folder, &["init", "--quiet"]);
    assert_eq!(data.remember_in(&folder).id, before.id);
    fs::rename(&folder, scratch.path().join("moved")).expect("a move");
    assert_eq!(data.find(&scratch.path().join("moved")).id, before.id);
}

#[test]
fn another_repository_at_the_same_path_starts_empty_and_each_is_recognized_again() {
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let at = repository(&scratch, "workspace");
    let first = data.remember_in(&at);
    first.record_history(&data.0).expect("a record");
    fs::rename(&at, scratch.path().join("first")).expect("a move");

    let at = scratch.folder("workspace");
    git(&at, &["init", "--quiet"]);
    commit(&at, "another first commit");
    let second = data.remember_in(&at);
    assert_ne!(second.id, first.id);
    assert_eq!(data.candidates(&at), [(first.id.clone(), "it was at this path before")]);
    assert_eq!(data.find(&at).id, second.id, "it stays the same");

    fs::rename(&at, scratch.path().join("second")).expect("a move");
    fs::rename(scratch.path().join("first"), &at).expect("a move");
    assert_eq!(data.remember_in(&at).id, first.id);
    assert_eq!(data.find(&scratch.path().join("second")).id, second.id);
}

#[test]
fn a_clone_in_the_place_of_its_repository_has_its_memories() {
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let origin = repository(&scratch, "origin");
    for history in [false, true] {
        let name = format!("work-{history}");
        git(scratch.path(), &["clone", "--quiet", text(&origin), &name]);
        let at = scratch.path().join(&name);
        if history {
            git(&at, &["remote", "remove", "origin"]);
        }
        let before = data.remember_in(&at);
        before.record_history(&data.0).expect("a record");
        fs::remove_dir_all(&at).expect("a folder");
        git(scratch.path(), &["clone", "--quiet", text(&origin), &name]);

        assert_eq!(data.find(&at).id, before.id, "by history: {history}");
    }
}

#[test]
fn a_clone_elsewhere_is_only_a_candidate() {
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let origin = repository(&scratch, "origin");
    for name in ["one", "two", "three"] {
        git(scratch.path(), &["clone", "--quiet", text(&origin), name]);
    }
    let [one, two, three] = ["one", "two", "three"].map(|name| scratch.path().join(name));
    git(&three, &["remote", "set-url", "origin", "https://example.com/elsewhere.git"]);
    let known = data.remember_in(&one);
    known.record_history(&data.0).expect("a record");

    assert_ne!(data.find(&two).id, known.id);
    assert_eq!(data.candidates(&two), [(known.id.clone(), "it has the same remote")]);
    assert_eq!(data.candidates(&three), [(known.id.clone(), "it has the same first commit")]);
    assert_eq!(data.candidates(&origin), [(known.id, "it has the same first commit")]);
}

#[test]
fn a_clone_of_a_local_repository_has_that_as_a_candidate() {
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let origin = repository(&scratch, "origin");
    let known = data.remember_in(&origin);
    git(scratch.path(), &["clone", "--quiet", text(&origin), "clone"]);

    let candidates = data.candidates(&scratch.path().join("clone"));

    assert_eq!(candidates, [(known.id, "it has the same remote")]);
}

#[test]
fn a_folder_that_is_gone_is_a_candidate_by_its_name() {
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let old = scratch.folder("here/shop");
    let known = data.remember_in(&old);
    let copy = scratch.folder("there/shop");
    assert_eq!(data.candidates(&copy), [], "its folder is still there");

    fs::remove_dir_all(&old).expect("a folder");

    assert_eq!(data.candidates(&copy), [(known.id, "it has the same name, and its folder is gone")]);
}

#[test]
fn a_separate_git_folder_opens_nobody_elses_memories() {
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let (main, kept) = (scratch.folder("main"), scratch.path().join("kept.git"));
    git(&main, &["init", "--quiet", "--separate-git-dir", text(&kept)]);
    commit(&main, "first");
    git(&main, &["remote", "add", "origin", "https://example.com/shop.git"]);
    git(&main, &["worktree", "add", "--quiet", "../linked"]);
    let project = data.remember_in(&main);
    let linked = data.remember_in(&scratch.path().join("linked"));
    assert_eq!(linked.id, project.id, "a linked work tree is listed in the git folder");

    scratch.file("archive/.git", &format!("gitdir: {}\n", kept.display()));
    let archive = scratch.path().join("archive");
    let stranger = data.remember_in(&archive);

    assert!(stranger.has_git(), "git would use it");
    assert_ne!(stranger.id, project.id);
    assert_eq!(data.find(&archive).id, stranger.id);
    assert_eq!(data.find(&main).id, project.id);
    fs::rename(&main, scratch.path().join("moved")).expect("a move");
    assert_eq!(data.find(&scratch.path().join("moved")).id, project.id);
}

#[test]
fn memories_of_a_shared_git_folder_without_a_record_are_only_a_candidate() {
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let main = scratch.folder("main");
    git(&main, &["init", "--quiet", "--separate-git-dir", text(&scratch.path().join("kept.git"))]);
    let unrecorded = Project::locate(&main).id;
    scratch.file(&format!("data/projects/{unrecorded}/{DATABASE_FILE}"), "");

    assert_ne!(data.find(&main).id, unrecorded);
    assert_eq!(data.candidates(&main), [(unrecorded, "it was at this path before")]);
}

#[test]
fn without_git_a_subfolder_belongs_to_the_known_project_around_it() {
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let (root, deep) = (scratch.folder("notes"), scratch.folder("notes/a/b"));
    assert_ne!(data.find(&deep).id, data.find(&root).id, "no project is known yet");
    let project = data.remember_in(&root);

    let found = data.find(&deep);

    assert_eq!((&found.id, &found.root, found.name.as_str()), (&project.id, &root, "notes"));
    let inner = repository(&scratch, "notes/a/inner");
    assert_ne!(data.find(&inner).id, project.id, "a repository is its own project");
}

#[test]
fn a_folder_that_everybody_may_write_is_around_no_project() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let (shared, inside) = (scratch.folder("shared"), scratch.folder("shared/inside"));
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).expect("permissions");
    let project = data.remember_in(&shared);

    assert_ne!(data.find(&inside).id, project.id);
    assert_eq!(data.find(&shared).id, project.id);
}

#[test]
fn identities_in_a_copied_data_folder_say_nothing() {
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let at = repository(&scratch, "shop");
    let before = data.remember_in(&at);
    // As after a restored backup: every folder is at its path, and every one of them is new.
    for folder in ["shop", "data"] {
        let (from, copy) = (scratch.path().join(folder), scratch.path().join("copy"));
        let copied = std::process::Command::new("cp").arg("-a").arg(&from).arg(&copy).status();
        assert!(copied.expect("cp runs").success());
        fs::remove_dir_all(&from).expect("a folder");
        fs::rename(&copy, &from).expect("a move");
    }

    assert_eq!(data.find(&at).id, before.id);
}

#[test]
fn a_join_can_be_ended() {
    let scratch = Scratch::new();
    let data = Data::new(&scratch);
    let [one, other] = ["one", "other"].map(|name| data.remember_in(&scratch.folder(name)));
    let mut joined = one.clone();
    joined.join(&data.0, &other.id).expect("another project");
    assert_eq!(data.find(&one.root).id, other.id);

    assert!(joined.leave(&data.0).expect("a file") && !joined.leave(&data.0).expect("no file"));

    assert_eq!((&data.find(&one.root).id, &joined.id), (&one.id, &one.id));
}
