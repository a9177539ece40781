//! Repositories that name programs and servers, as an unpacked archive may: questions about them start
//! nothing. Each attack meets every git on this machine's PATH, and first runs with git's own options, which
//! proves that it works.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::tests::{commit, git, program, repository, text};
use super::*;
use crate::dirs::scratch::Scratch;
use crate::error::ErrorKind;

/// Returns the different programs named `git` on the PATH.
fn gits() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").expect("git is on it");
    let files = std::env::split_paths(&path).map(|folder| folder.join("git"));
    let mut gits: Vec<_> = files.filter_map(|file| file.canonicalize().ok()).collect();
    gits.sort();
    gits.dedup();
    assert!(!gits.is_empty());
    gits
}

/// A repository with traps: programs that leave a file behind when they run.
struct Trapped {
    scratch: Scratch,
    main: PathBuf,
    trap: PathBuf,
}

impl Trapped {
    fn new() -> Self {
        let scratch = Scratch::new();
        let main = repository(&scratch, "main");
        let sprung = scratch.path().join("sprung");
        let trap = program(&scratch, "trap", &format!("touch '{}'", text(&sprung)));
        Self { scratch, main, trap }
    }

    fn configure(&self, key: &str, value: &str) {
        git(&self.main, &["config", key, value]);
    }

    /// Tells whether a trap ran since the last call.
    fn is_sprung(&self) -> bool {
        std::fs::remove_file(self.scratch.path().join("sprung")).is_ok()
    }

    /// Asks every question with this git. Errors are answers, too.
    fn ask_everything(&self, program: &Path) -> Vec<Option<crate::error::Error>> {
        let project = Project::locate(&self.main).with_git_program(program);
        vec![
            project.recent_subjects(5).err(),
            project.commits_since("0123abcd").err(),
            project.changed_files().err(),
            project.branch().err(),
            project.default_branch().err(),
            project.file_status(".claude/settings.local.json").err(),
        ]
    }

    /// Springs the trap with plain git, then checks that no question of ours springs it.
    fn check(&self, bait: &[&str]) {
        for program in gits() {
            let _ = Command::new(&program).arg("-C").arg(&self.main).args(bait).output();
            assert!(self.is_sprung(), "{} {bait:?} starts the trap", program.display());
            let errors = self.ask_everything(&program);
            assert!(!self.is_sprung(), "{} {bait:?}: {errors:?}", program.display());
        }
    }

    /// Removes an object that the questions need, so that git would fetch it.
    fn lose_object(&self, revision: &str) {
        let output = Command::new("git").arg("-C").arg(&self.main).args(["rev-parse", revision]).output();
        let hash = String::from_utf8(output.expect("git").stdout).expect("a hash");
        let file = self.main.join(".git/objects").join(&hash[..2]).join(hash[2..].trim());
        std::fs::remove_file(file).expect("a loose object");
    }

    fn make_partial(&self) {
        self.configure("remote.origin.url", &format!("ext::{}", text(&self.trap)));
        self.configure("remote.origin.promisor", "true");
        self.configure("protocol.ext.allow", "always");
        self.configure("protocol.allow", "always");
        self.configure("extensions.partialClone", "origin");
        self.configure("core.repositoryFormatVersion", "1");
    }
}

#[test]
fn filters_do_not_run_whatever_their_names_and_where_the_attributes_are() {
    for key in ["filter.x.clean", "filter.x.process", "filter.X y.z.clean"] {
        let trapped = Trapped::new();
        let name = key.split('.').nth(1).expect("a filter");
        trapped.scratch.file("main/a.txt", "one\n");
        git(&trapped.main, &["add", "."]);
        commit(&trapped.main, "a file");
        trapped.configure(key, text(&trapped.trap));
        let pattern = if name == "x" { "* filter=x\n" } else { "* filter=X\n" };
        trapped.scratch.file("main/.gitattributes", pattern);
        trapped.scratch.file("main/.git/info/attributes", pattern);
        if name == "x" {
            // A changed time, with the same size, makes git compare the content.
            trapped.scratch.file("main/a.txt", "two\n");
            trapped.check(&["status"]);
        }
        for program in gits() {
            trapped.scratch.file("main/a.txt", "six\n");
            let files = Project::locate(&trapped.main).with_git_program(&program).changed_files();
            assert_eq!(files.expect("an answer"), ["a.txt", ".gitattributes"], "{key}");
            assert!(!trapped.is_sprung(), "{key}");
        }
    }
}

#[test]
fn a_required_filter_neither_runs_nor_fails_the_question() {
    let trapped = Trapped::new();
    trapped.scratch.file("main/a.txt", "one\n");
    git(&trapped.main, &["add", "."]);
    trapped.configure("filter.x.clean", text(&trapped.trap));
    trapped.configure("filter.x.required", "true");
    trapped.scratch.file("main/.git/info/attributes", "* filter=x\n");
    trapped.scratch.file("main/a.txt", "two\n");

    let files = Project::locate(&trapped.main).changed_files().expect("an answer");

    assert_eq!((files, trapped.is_sprung()), (vec!["a.txt".to_owned()], false));
}

#[test]
fn a_filter_of_an_included_file_does_not_run() {
    let trapped = Trapped::new();
    trapped.scratch.file("main/a.txt", "one\n");
    git(&trapped.main, &["add", "."]);
    let included = format!("[filter \"x\"]\n\tclean = {}\n", text(&trapped.trap));
    trapped.scratch.file("main/.git/other", &included);
    trapped.configure("include.path", "other");
    trapped.scratch.file("main/.git/info/attributes", "* filter=x\n");
    trapped.scratch.file("main/a.txt", "two\n");

    trapped.check(&["status"]);
}

#[test]
fn a_filter_that_cannot_be_switched_off_is_refused() {
    let trapped = Trapped::new();
    let section = format!("[filter \"a=b\"]\n\tclean = {}\n", text(&trapped.trap));
    let config = std::fs::read_to_string(trapped.main.join(".git/config")).expect("there");
    trapped.scratch.file("main/.git/config", &(config + &section));

    let error = Project::locate(&trapped.main).changed_files().expect_err("no override is possible");

    assert_eq!(error.kind, ErrorKind::Unavailable);
    assert!(error.message.contains("cannot be overridden") && error.hint.is_some(), "{error}");
}

#[test]
fn a_missing_commit_is_not_fetched() {
    let trapped = Trapped::new();
    commit(&trapped.main, "second");
    trapped.make_partial();
    trapped.lose_object("HEAD~1");

    // Newer versions of `git log` do not fetch a commit; this shows that the trap is set for all.
    trapped.check(&["cat-file", "-p", "HEAD~1"]);
}

#[test]
fn a_missing_ignore_file_is_not_fetched() {
    let trapped = Trapped::new();
    trapped.scratch.file("main/.gitignore", "*.log\n");
    git(&trapped.main, &["add", "."]);
    commit(&trapped.main, "ignore");
    git(&trapped.main, &["update-index", "--skip-worktree", ".gitignore"]);
    std::fs::remove_file(trapped.main.join(".gitignore")).expect("there");
    trapped.make_partial();
    trapped.lose_object("HEAD:.gitignore");

    trapped.check(&["check-ignore", "x"]);
}

#[test]
fn a_remote_that_is_named_by_an_included_file_or_the_work_tree_is_not_fetched_from() {
    for place in ["main/.git/config.worktree", "main/.git/other"] {
        let trapped = Trapped::new();
        commit(&trapped.main, "second");
        trapped.lose_object("HEAD~1");
        let remote = format!(
            "[remote \"origin\"]\n\turl = \"ext::{}\"\n\tpromisor = true\n[protocol \"ext\"]\n\tallow = \
             always\n",
            text(&trapped.trap)
        );
        trapped.scratch.file(place, &remote);
        match place.ends_with("other") {
            true => trapped.configure("include.path", "other"),
            false => trapped.configure("extensions.worktreeConfig", "true"),
        }
        trapped.configure("core.repositoryFormatVersion", "1");

        // Newer versions of `git log` do not fetch a commit; this shows that the trap is set for all.
        trapped.check(&["cat-file", "-p", "HEAD~1"]);
    }
}

#[test]
fn every_transport_is_forbidden_even_one_that_the_configuration_allows() {
    let trapped = Trapped::new();
    trapped.make_partial();
    trapped.configure("protocol.file.allow", "always");
    trapped.configure("core.sshCommand", text(&trapped.trap));
    trapped.configure("protocol.trap.allow", "always");
    program(&trapped.scratch, "git-remote-trap", &format!("exec '{}'", text(&trapped.trap)));
    let layout = git_layout::GitLayout::find(&trapped.main).git.expect("a repository");
    let search = std::env::join_paths([trapped.scratch.path().join("bin"), "/usr/bin".into(), "/bin".into()]);
    for program in gits() {
        for url in [
            format!("ext::{}", text(&trapped.trap)),
            "ssh://nowhere.invalid/x".to_owned(),
            "nowhere.invalid:x".to_owned(),
            "trap::x".to_owned(),
            text(&trapped.main).to_owned(),
            "http://127.0.0.1:9/x".to_owned(),
            "https://127.0.0.1:9/x".to_owned(),
            "git://127.0.0.1:9/x".to_owned(),
        ] {
            let mut command = Command::new(&program);
            let options = git_safety::options(&trapped.main, &layout);
            // A git that does not know this option is refused before.
            command.args(options.into_iter().filter(|option| option != "--no-lazy-fetch"));
            command
                .envs(git_safety::variables(&trapped.main))
                .env("PATH", search.as_ref().expect("no colon"));
            let output = command.args(["ls-remote", &url]).output().expect("git runs");

            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(stderr.contains("not allowed") && !trapped.is_sprung(), "{url}: {stderr}");
        }
    }
}

#[test]
fn a_git_that_does_not_know_how_not_to_fetch_is_refused_in_a_partial_clone_only() {
    let trapped = Trapped::new();
    let old = program(
        &trapped.scratch,
        "old-git",
        "case \" $* \" in *\" --no-lazy-fetch \"*) echo 'unknown option: --no-lazy-fetch' >&2; exit 129;; \
             esac\nexec git \"$@\"",
    );
    let asked = || Project::locate(&trapped.main).with_git_program(&old).recent_subjects(5);

    assert_eq!(asked().expect("nothing can be fetched"), ["first"]);
    trapped.make_partial();
    let error = asked().expect_err("it would fetch");

    assert_eq!(error.kind, ErrorKind::Unavailable);
    assert!(error.message.contains("too old") && error.hint.is_some(), "{error}");
}

#[test]
fn no_program_for_files_hooks_signatures_or_differences_runs() {
    let trapped = Trapped::new();
    let trap = text(&trapped.trap).to_owned();
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.askPass",
        "core.sshCommand",
        "core.gitProxy",
        "credential.helper",
        "gpg.program",
        "diff.external",
        "diff.x.textconv",
        "diff.x.command",
        "pager.log",
        "pager.status",
        "merge.x.driver",
        "hook.x.command",
    ] {
        trapped.configure(key, &trap);
    }
    for alias in ["log", "status", "ls-files", "config"] {
        trapped.configure(&format!("alias.{alias}"), &format!("!{trap}"));
    }
    trapped.configure("hook.x.event", "post-index-change");
    trapped.configure("log.showSignature", "true");
    trapped.configure("core.hooksPath", text(trapped.trap.parent().expect("a folder")));
    for hook in ["post-index-change", "reference-transaction", "fsmonitor-watchman", "query-watchman"] {
        program(&trapped.scratch, hook, &format!("exec '{trap}'"));
    }
    trapped.scratch.file("main/.git/info/attributes", "* diff=x merge=x\n");
    trapped.scratch.file("main/new.txt", "a");

    trapped.check(&["status"]);
}

#[test]
fn the_programs_of_a_submodule_do_not_run() {
    let trapped = Trapped::new();
    let library = repository(&trapped.scratch, "library");
    git(&trapped.main, &["submodule", "--quiet", "add", text(&library), "lib"]);
    commit(&trapped.main, "submodule");
    trapped.configure("submodule.lib.ignore", "none");
    let inner = trapped.main.join("lib");
    git(&inner, &["config", "core.fsmonitor", text(&trapped.trap)]);
    trapped.scratch.file("main/lib/new.txt", "a");

    trapped.check(&["status", "--ignore-submodules=none"]);
}

#[test]
fn a_work_tree_elsewhere_is_not_looked_at() {
    let scratch = Scratch::new();
    let main = repository(&scratch, "main");
    scratch.file("private/diary.txt", "a");
    git(&main, &["config", "core.worktree", text(&scratch.path().join("private"))]);
    scratch.file("main/new.txt", "a");

    for program in gits() {
        let files = Project::locate(&main).with_git_program(program).changed_files().expect("an answer");
        assert_eq!(files, ["new.txt"]);
    }
}

#[test]
fn programs_are_looked_up_in_no_work_tree_of_the_repository_or_around_it() {
    let trapped = Trapped::new();
    git(&trapped.main, &["worktree", "add", "--quiet", "../linked"]);
    let inner = repository(&trapped.scratch, "main/vendor/inner");
    let linked = Project::locate(&trapped.scratch.path().join("linked"));

    assert!(linked.foreign_work_trees().contains(&trapped.main));
    let trees = Project::locate(&inner).foreign_work_trees();
    assert!(trees.contains(&inner) && trees.contains(&trapped.main), "{trees:?}");
    assert!(
        Project::locate(Path::new("/")).foreign_work_trees().is_empty(),
        "the whole system is not foreign"
    );
}
