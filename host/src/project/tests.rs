//! Tests of the identity of projects and of the queries about them, with the real git.

use std::process::Command;
use std::time::Duration;

use super::*;
use crate::dirs::scratch::Scratch;
use crate::error::{ErrorKind, Result};

/// Runs git in a folder, with a fixed author and without this machine's configuration.
pub(super) fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=Test", "-c", "user.email=test@example.com"]);
    command.args(["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"]).args(arguments);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let output = command.output().expect("git is installed");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

pub(super) fn commit(folder: &Path, subject: &str) {
    git(folder, &["commit", "--quiet", "--allow-empty", "-m", subject]);
}

/// Creates a repository with one commit.
pub(super) fn repository(scratch: &Scratch, name: &str) -> PathBuf {
    let folder = scratch.folder(name);
    git(&folder, &["init", "--quiet"]);
    commit(&folder, "first");
    folder
}

pub(super) fn text(path: &Path) -> &str {
    path.to_str().expect("utf-8")
}

#[test]
fn a_linked_work_tree_is_the_same_project_and_a_clone_is_not() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main tree ünï");
    git(&main, &["worktree", "add", "--quiet", "../linked"]);
    git(scratch.path(), &["clone", "--quiet", text(&main), "clone"]);

    let project = Project::locate(&main);
    let linked = Project::locate(&scratch.path().join("linked"));
    let clone = Project::locate(&scratch.path().join("clone"));

    assert_eq!((project.id.len(), &project.id), (16, &linked.id));
    assert_eq!((project.name.as_str(), linked.name.as_str()), ("main tree ünï", "main tree ünï"));
    assert_eq!((linked.root.clone(), linked.git_warning.clone()), (scratch.path().join("linked"), None));
    assert_eq!(linked.branch().expect("a file read").as_deref(), Some("linked"));
    assert_ne!(project.id, clone.id);
    assert_eq!((project.main_root(), linked.main_root()), (Some(main.clone()), Some(main)));
    assert_eq!(Project::locate(scratch.path()).main_root(), None, "without git there is none");
}

#[test]
fn a_subfolder_and_a_link_lead_to_the_same_project() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    let deep = scratch.folder("main/a/b");
    std::os::unix::fs::symlink(&main, scratch.path().join("link")).expect("a link can be made");

    let project = Project::locate(&main);
    for path in
        [deep.clone(), scratch.path().join("link/a"), deep.join("gone/by/now"), main.join(".git/hooks")]
    {
        let found = Project::locate(&path);
        assert_eq!((&found.id, &found.root), (&project.id, &main), "{path:?}");
    }
}

#[test]
fn without_git_the_folder_is_the_project() {
    let scratch = Scratch::new();
    let (one, two) = (scratch.folder("one"), scratch.folder("one/two"));

    let project = Project::locate(&one);

    assert_eq!((project.root.clone(), project.name.as_str(), project.has_git()), (one, "one", false));
    assert_ne!(project.id, Project::locate(&two).id);
    assert_eq!(project.branch().expect("nothing to ask"), None);
    assert_eq!(project.default_branch().expect("nothing to ask"), None);
    assert!(project.recent_subjects(5).expect("nothing to ask").is_empty());
    assert!(project.commits_since("abcd").expect("nothing to ask").is_empty());
    assert!(project.changed_files().expect("nothing to ask").is_empty());
    assert_eq!(Project::locate(Path::new("/")).name, "/");
}

#[test]
fn paths_that_cannot_exist_are_handled_quickly() {
    let began = Instant::now();
    for long in
        ["/a".repeat(5 << 20), "a/".repeat(5 << 20), "/a".repeat(2000), "/\0".repeat(1000), String::new()]
    {
        let project = Project::locate(Path::new(&long));
        assert!(project.root.is_absolute());
        assert_eq!(project.relative(Path::new(&"../".repeat(1 << 20))), None);
    }
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}

#[test]
fn an_empty_git_folder_is_ignored() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    let inner = scratch.folder("main/inner");
    scratch.folder("main/inner/.git");

    assert_eq!(Project::locate(&inner).root, main);
}

#[test]
fn a_submodule_is_a_separate_project_shared_by_its_work_trees() {
    let scratch = Scratch::new();
    let library = repository(&scratch, "library");
    let main = repository(&scratch, "main");
    git(&main, &["submodule", "--quiet", "add", text(&library), "vendor/lib"]);
    let inner = main.join("vendor/lib");
    git(&inner, &["worktree", "add", "--quiet", "../../../linked"]);

    let module = Project::locate(&inner);
    let linked = Project::locate(&scratch.path().join("linked"));

    assert_eq!((module.name.as_str(), &module.root, module.has_git()), ("lib", &inner, true));
    assert_ne!(module.id, Project::locate(&main).id);
    assert_eq!((&module.id, linked.name.as_str()), (&linked.id, "lib"));
}

#[test]
fn a_separate_git_folder_is_shared_by_its_work_trees() {
    let scratch = Scratch::new();
    let main = scratch.folder("main");
    git(&main, &["init", "--quiet", "--separate-git-dir", text(&scratch.path().join("kept.git"))]);
    commit(&main, "first");
    git(&main, &["worktree", "add", "--quiet", "../linked"]);

    let (project, linked) = (Project::locate(&main), Project::locate(&scratch.path().join("linked")));

    assert_eq!((&project.id, project.name.as_str()), (&linked.id, "main"));
    assert_eq!(linked.name, "kept");
    assert_eq!(project.recent_subjects(1).expect("git answers"), ["first"]);
}

#[test]
fn work_trees_of_a_bare_repository_share_a_project() {
    let scratch = Scratch::new();
    repository(&scratch, "origin");
    git(scratch.path(), &["clone", "--quiet", "--bare", "origin", "app/.bare"]);
    git(&scratch.path().join("app/.bare"), &["worktree", "add", "--quiet", "../one"]);
    git(&scratch.path().join("app/.bare"), &["worktree", "add", "--quiet", "../two"]);

    let one = Project::locate(&scratch.path().join("app/one"));
    let two = Project::locate(&scratch.path().join("app/two"));

    assert_eq!((&one.id, one.name.as_str(), one.has_git()), (&two.id, "app", true));
    assert_eq!(one.main_root(), None, "a bare repository has no main work tree");
}

#[test]
fn a_git_file_whose_target_does_not_point_back_is_ignored() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    git(&main, &["worktree", "add", "--quiet", "../linked"]);
    git(&main, &["init", "--quiet", "--bare", "../bare.git"]);
    let unrelated = scratch.folder("unrelated");
    let forged = scratch.folder("forged");
    for name in ["HEAD", "objects/x"] {
        scratch.file(&format!("forged/{name}"), "ref: refs/heads/main");
    }
    scratch.file("forged/commondir", text(&main.join(".git")));
    scratch.file("forged/gitdir", text(&unrelated.join(".git")));

    let targets =
        [main.join(".git"), main.join(".git/worktrees/linked"), scratch.path().join("bare.git"), forged];
    for target in targets {
        scratch.file("unrelated/.git", &format!("gitdir: {}\n", target.display()));
        let project = Project::locate(&unrelated);
        assert_ne!(project.id, Project::locate(&main).id, "{target:?}");
        assert!(!project.has_git() && project.git_warning.is_some(), "{target:?}");
        assert_eq!((project.root.as_path(), project.name.as_str()), (unrelated.as_path(), "unrelated"));
    }
}

#[test]
fn a_git_folder_that_names_or_links_to_another_one_is_ignored() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    let (with_commondir, with_link) = (scratch.folder("with_commondir"), scratch.folder("with_link"));
    scratch.file("with_commondir/.git/HEAD", "ref: refs/heads/main");
    scratch.file("with_commondir/.git/commondir", text(&main.join(".git")));
    std::os::unix::fs::symlink(main.join(".git"), with_link.join(".git")).expect("a link can be made");

    for folder in [with_commondir, with_link] {
        let project = Project::locate(&folder);
        assert!(!project.has_git() && project.git_warning.is_some(), "{folder:?}");
        assert_ne!(project.id, Project::locate(&main).id);
    }
}

#[test]
fn a_joined_project_uses_the_other_id() {
    let scratch = Scratch::new();
    let data = scratch.folder("data");
    let [a, b, c] = ["a", "b", "c"].map(|name| Project::find(&scratch.folder(name), &data));
    let find = |project: &Project| Project::find(&project.root, &data).id;

    a.clone().join(&data, &b.id).expect("another project");
    assert_eq!((find(&a), find(&b)), (b.id.clone(), b.id.clone()));
    b.clone().join(&data, &c.id).expect("another project");
    assert_eq!((find(&a), find(&b)), (c.id.clone(), c.id.clone()));

    assert_eq!(c.clone().join(&data, &a.id).expect_err("a circle").kind, ErrorKind::Invalid);
    assert_eq!(c.clone().join(&data, "../../x").expect_err("no id").kind, ErrorKind::Invalid);
    scratch.file(&format!("data/projects/joined/{}", c.id), &a.id);
    assert!(project_id::is_project_id(&find(&a)), "a circle ends");
    scratch.file(&format!("data/projects/joined/{}", c.id), "not an id");
    assert_eq!(find(&c), c.id);
}

#[test]
fn the_nearest_configuration_within_the_work_tree_is_used() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "outer/main");
    let deep = scratch.folder("outer/main/a/b");
    scratch.file("outer/.claude/interleaf.toml", "");
    let root_file = main.join(".claude/interleaf.toml");

    assert_eq!(Project::locate(&deep).config_file(), root_file, "not a file outside the work tree");
    let near = scratch.file("outer/main/a/.claude/interleaf.toml", "");
    assert_eq!(Project::locate(&deep).config_file(), near);
    assert_eq!(Project::locate(&main).config_file(), root_file);
}

#[test]
fn paths_are_relative_to_the_root() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    let deep = scratch.folder("main/src/deep");
    std::os::unix::fs::symlink(scratch.path(), main.join("out")).expect("a link can be made");
    let project = Project::locate(&deep);
    let relative = |path: &Path| project.relative(path);

    assert_eq!(relative(&main.join("src/lib.rs")).as_deref(), Some("src/lib.rs"));
    assert_eq!(relative(Path::new("new file.rs")).as_deref(), Some("src/deep/new file.rs"));
    assert_eq!(relative(Path::new("../x/../y.rs")).as_deref(), Some("src/y.rs"));
    assert_eq!(relative(&main.join("out")).as_deref(), Some("out"), "the link is a file of the project");
    assert_eq!(relative(&main).as_deref(), Some(""));
    assert_eq!(relative(&main.join("out/elsewhere")), None);
    assert_eq!(relative(&main.join("../elsewhere")), None);
    assert_eq!(relative(Path::new("../../../x")), None);
    assert_eq!(relative(Path::new("/etc/passwd")), None);
}

#[test]
fn the_branch_is_known_before_the_first_commit_but_not_on_a_detached_head() {
    let scratch = Scratch::new();
    let unborn = scratch.folder("unborn");
    git(&unborn, &["init", "--quiet", "-b", "feature/x"]);
    let main = repository(&scratch, "main");

    let project = Project::locate(&unborn);
    assert_eq!(project.branch().expect("a file read").as_deref(), Some("feature/x"));
    assert_eq!(project.default_branch().expect("file reads"), None);
    assert!(project.recent_subjects(5).expect("no commits are no error").is_empty());
    assert!(project.commits_since("0123abcd").expect("no commits are no error").is_empty());

    git(&main, &["checkout", "--quiet", "--detach"]);
    assert_eq!(Project::locate(&main).branch().expect("a file read"), None);
    assert_eq!(Project::locate(&main).recent_subjects(5).expect("git answers"), ["first"]);
}

#[test]
fn the_branch_is_read_from_a_head_that_is_a_link() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    std::fs::remove_file(main.join(".git/HEAD")).expect("it is there");
    std::os::unix::fs::symlink("refs/heads/main", main.join(".git/HEAD")).expect("a link can be made");

    assert_eq!(Project::locate(&main).branch().expect("a link read").as_deref(), Some("main"));
}

#[test]
fn the_default_branch_is_the_remote_s_or_main_or_master() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    git(&main, &["branch", "-m", "trunk"]);
    git(scratch.path(), &["clone", "--quiet", text(&main), "clone"]);
    let clone = scratch.path().join("clone");
    git(&clone, &["checkout", "--quiet", "-b", "work"]);
    let default = |folder: &Path| Project::locate(folder).default_branch().expect("file reads");

    assert_eq!(default(&clone).as_deref(), Some("trunk"));
    assert_eq!(default(&main), None);
    git(&main, &["branch", "master"]);
    assert_eq!(default(&main).as_deref(), Some("master"));
    git(&main, &["pack-refs", "--all"]);
    assert_eq!(default(&main).as_deref(), Some("master"));
}

#[test]
fn branches_in_the_reftable_format_are_read_by_running_git() {
    let scratch = Scratch::new();
    let main = scratch.folder("main");
    let mut init = Command::new("git");
    init.current_dir(&main).args(["init", "--quiet", "-b", "main", "--ref-format=reftable"]);
    if !init.output().is_ok_and(|output| output.status.success()) {
        return; // A git before 2.45 does not support the format.
    }
    commit(&main, "first");
    let project = Project::locate(&main);

    assert_eq!(project.branch().expect("git answers").as_deref(), Some("main"));
    assert_eq!(project.default_branch().expect("git answers").as_deref(), Some("main"));
    git(&main, &["checkout", "--quiet", "--detach"]);
    assert_eq!(project.branch().expect("git answers"), None);
}

#[test]
fn recent_subjects_are_newest_first_and_git_runs_only_once() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    commit(&main, "second: ünï");
    commit(&main, &"long ".repeat(200));
    let project = Project::locate(&main);

    let subjects = project.recent_subjects(3).expect("git answers");
    assert_eq!(
        (subjects[0].chars().count(), &subjects[1..]),
        (300, &["second: ünï".into(), "first".into()][..])
    );
    let without_git = project.with_git_program("/nowhere/git");
    assert_eq!(without_git.recent_subjects(2).expect("known already").len(), 2);
    assert_eq!(without_git.commits_since("abcd").expect_err("not known").kind, ErrorKind::Unavailable);
}

#[test]
fn commits_after_a_cursor_are_oldest_first() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    let project = Project::locate(&main);
    let cursor = project.recent_commits(1).expect("git answers").remove(0).hash;
    commit(&main, "second");
    commit(&main, "third");

    let subjects = |hash: &str| -> Result<Vec<String>> {
        Ok(project.commits_since(hash)?.into_iter().map(|commit| commit.subject).collect())
    };
    assert_eq!(subjects(&cursor).expect("git answers"), ["second", "third"]);
    assert_eq!(subjects(&"0123456789".repeat(4)).expect_err("not here").kind, ErrorKind::NotFound);
    for no_hash in ["--all", "", "main", "HEAD~1", "12"] {
        assert_eq!(subjects(no_hash).expect_err("no hash").kind, ErrorKind::Invalid);
    }
}

#[test]
fn changed_files_include_new_files_and_names_with_quotes_and_umlauts() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    scratch.file("main/kept.txt", "a");
    scratch.file("main/changed.txt", "a");
    git(&main, &["add", "."]);
    commit(&main, "files");
    scratch.file("main/changed.txt", "b");
    scratch.file("main/new/ünï \"x\".txt", "a");

    let files = Project::locate(&scratch.folder("main/new")).changed_files().expect("git answers");

    assert_eq!(files, ["changed.txt", "new/ünï \"x\".txt"]);
}

#[test]
fn a_git_that_hangs_is_killed_at_the_deadline() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    let heartbeat = scratch.path().join("heartbeat");
    let sleeper =
        program(&scratch, "git", &format!("while :; do echo x >> '{}'; sleep 0.02; done", text(&heartbeat)));
    let began = Instant::now();

    let project =
        Project::locate(&main).with_git_program(sleeper).with_deadline(began + Duration::from_millis(200));
    let error = project.recent_subjects(5).expect_err("it never answers");

    assert_eq!((error.kind, began.elapsed() < Duration::from_millis(900)), (ErrorKind::Unavailable, true));
    assert_eq!(error.message, "`git log` did not finish before the deadline");
    let size = || std::fs::metadata(&heartbeat).expect("it ran").len();
    let (size_at_deadline, _) = (size(), std::thread::sleep(Duration::from_millis(150)));
    assert_eq!(size(), size_at_deadline, "it was killed");
    let late = project.changed_files().expect_err("nothing is started any more");
    assert_eq!(late.message, "no time is left to run `git status`");
}

#[test]
fn a_missing_git_is_reported_with_a_next_step() {
    let scratch = Scratch::new();
    let error =
        Project::locate(&repository(&scratch, "main")).with_git_program("/nowhere/git").recent_subjects(1);
    let error = error.expect_err("there is no such program");
    assert!(error.kind == ErrorKind::Unavailable && error.hint.is_some(), "{error}");
}

pub(super) fn program(scratch: &Scratch, name: &str, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let file = scratch.file(&format!("bin/{name}"), &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    file
}

/// A store in memory, and the number of times that it was written.
#[derive(Default)]
struct MemoryStore(Mutex<(Option<String>, u32)>);

impl CommitStore for MemoryStore {
    fn load(&self) -> Option<String> {
        self.0.lock().expect("no panic").0.clone()
    }

    fn store(&self, text: &str) {
        let mut stored = self.0.lock().expect("no panic");
        *stored = (Some(text.to_owned()), stored.1 + 1);
    }
}

#[test]
fn git_is_asked_for_the_newest_commits_only_if_head_has_moved() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    let store = Arc::new(MemoryStore::default());
    let new_session = || Project::locate(&main).with_commit_store(store.clone());
    let subjects = |project: Project| project.recent_subjects(3).expect("commits");
    let writes = || store.0.lock().expect("no panic").1;

    assert_eq!((subjects(new_session()), writes()), (vec!["first".to_owned()], 1));
    assert_eq!(
        (subjects(new_session().with_git_program("/nowhere")), writes()),
        (vec!["first".to_owned()], 1)
    );
    commit(&main, "second");
    git(&main, &["pack-refs", "--all"]);
    assert_eq!((subjects(new_session()), writes()), (vec!["second".to_owned(), "first".to_owned()], 2));
    assert_eq!(subjects(new_session().with_git_program("/nowhere")).len(), 2, "also by a packed reference");
    git(&main, &["checkout", "--quiet", "--detach", "HEAD~1"]);
    assert_eq!((subjects(new_session()), writes()), (vec!["first".to_owned()], 3));
    new_session().with_git_program("/nowhere").refresh_commits().expect("HEAD is where it was");
}

#[test]
fn commits_of_an_earlier_head_are_better_than_none() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    let store = Arc::new(MemoryStore::default());
    let new_session = || Project::locate(&main).with_commit_store(store.clone());
    new_session().refresh_commits().expect("git answers");
    commit(&main, "second");

    let broken = new_session().with_git_program("/nowhere");

    assert_eq!(broken.recent_subjects(3).expect("the known ones"), ["first"]);
    assert!(new_session().with_git_program("/nowhere").refresh_commits().is_err());
    assert!(Project::locate(&main).with_git_program("/nowhere").recent_subjects(3).is_err());
}
