//! A clone, or an unpacked archive with its `.git`, starts none of its programs through git, makes `init`
//! write nothing outside the project, and prints nothing that steers a terminal.

use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::json;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// Clears the screen, sets the clipboard, forges a line of ours, reverses and hides text.
const HOSTILE: &str = "x\u{1b}[2J\u{1b}]52;c;eA==\u{7}\nEverything is in order.\u{202e}\u{200b}";

/// A project that brings a program along, which leaves a file behind when it runs.
struct Trapped {
    scratch: Scratch,
    sprung: PathBuf,
}

impl Trapped {
    fn new() -> Self {
        let scratch = Scratch::new();
        let sprung = scratch.root.join("sprung");
        let trapped = Self { scratch, sprung };
        trapped.program("bin/git");
        trapped.program("trap");
        trapped
    }

    fn program(&self, name: &str) {
        self.scratch.write(name, &format!("#!/bin/sh\ntouch '{}'\n", self.sprung.display()));
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.scratch.project.join(name), mode).expect("ours");
    }

    /// Runs `interleaf` with these folders before the PATH of this machine.
    fn with_path(&self, folders: &[&Path], arguments: &[&str], stdin: &str) -> ProcessOutput {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = folders.iter().map(|folder| folder.to_path_buf()).chain(std::env::split_paths(&path));
        let path = std::env::join_paths(folders).expect("no colon");
        let mut command = self.scratch.command(program());
        run(command.args(arguments).env("PATH", path), stdin.as_bytes(), HANG_TIMEOUT)
    }
}

/// Tells whether a text steers a terminal.
fn is_hostile(text: &str) -> bool {
    let is_invisible = |c: char| (c.is_control() && c != '\t') || "\u{202e}\u{200b}".contains(c);
    text.lines().any(|line| line.starts_with("Everything is in order") || line.contains(is_invisible))
}

#[test]
fn a_git_inside_the_project_is_not_started_by_a_relative_or_an_absolute_path() {
    let trapped = Trapped::new();
    let event = trapped.scratch.event("SessionStart", json!({"source": "startup"}));
    let absolute = trapped.scratch.project.join("bin");

    for folder in [Path::new("bin"), Path::new(""), &absolute] {
        let _ = trapped.with_path(&[folder], &["hook"], &event).success();
        let _ = trapped.with_path(&[folder], &["init", "--dry-run"], "").success();
        assert!(!trapped.sprung.exists(), "{folder:?}");
    }
}

#[test]
fn init_fetches_nothing_from_a_partial_clone() {
    let trapped = Trapped::new();
    let scratch = &trapped.scratch;
    scratch.write(".gitignore", "*.log\n");
    scratch.git(&["add", ".gitignore"]);
    scratch.git(&["commit", "--quiet", "--message", "ignore"]);
    let hash = scratch.git(&["rev-parse", "HEAD:.gitignore"]);
    scratch.git(&["update-index", "--skip-worktree", ".gitignore"]);
    fs::remove_file(scratch.project.join(".gitignore")).expect("there");
    let object = scratch.project.join(".git/objects").join(&hash[..2]).join(hash[2..].trim());
    fs::remove_file(object).expect("a loose object");
    let url = format!("ext::{}", scratch.project.join("trap").display());
    for (key, value) in [
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", &url),
        ("protocol.ext.allow", "always"),
    ] {
        scratch.git(&["config", key, value]);
    }

    let _ = scratch.interleaf(&["init", "--dry-run"]).success();
    let _ = scratch.hook(scratch.event("SessionStart", json!({"source": "startup"}))).success();

    assert!(!trapped.sprung.exists());
}

#[test]
fn init_writes_into_no_file_that_a_committed_link_leads_to() {
    let scratch = Scratch::new();
    let target = scratch.home.join(".bashrc");
    fs::write(&target, "alias ll='ls -l'\n").expect("ours");
    symlink("../home/.bashrc", scratch.project.join("CLAUDE.md")).expect("ours");
    scratch.git(&["add", "--all"]);
    scratch.git(&["commit", "--quiet", "--message", "a link"]);

    for arguments in [&["init"][..], &["init", "--shared"], &["init", "--dry-run"], &["uninstall"]] {
        let output = scratch.interleaf(arguments);

        assert!(output.err().contains("CLAUDE.md is a link out of the project"), "{arguments:?}: {output:?}");
        assert!(output.err().contains("hint: "), "{output:?}");
    }
    assert_eq!(fs::read_to_string(&target).expect("ours"), "alias ll='ls -l'\n");
    assert!(!scratch.project.join(".claude").exists());
}

#[test]
fn no_command_prints_what_steers_a_terminal() {
    let scratch = Scratch::new();
    scratch.write(format!(".claude/commands/{HOSTILE}.md"), "wt-memory\n\u{1b}[2J");
    scratch.write(format!(".claude/skills/{HOSTILE}/SKILL.md"), "<!-- wt-memory hooks start -->\n\u{1b}[2J");
    scratch.write(format!(".claude/layers/{HOSTILE}.wasm"), "not a layer");
    let quoted = json!(HOSTILE);
    scratch.write(
        ".claude/interleaf.toml",
        &format!(
            "{quoted} = {quoted}\n[layers.gate]\nfile = {quoted}\ngrants = {{ files = [{quoted}] }}\n\
             [layers.save.settings]\n{quoted} = {quoted}\n"
        ),
    );
    fs::write(scratch.project.join(".git/HEAD"), format!("ref: refs/heads/{HOSTILE}\n")).expect("ours");
    let import =
        json!({"title": HOSTILE, "text": format!("{HOSTILE} is a rule of the build"), "category": "context"});
    scratch.write("import.json", &import.to_string());
    let commands: [&[&str]; 16] = [
        &["init", "--dry-run"],
        &["init"],
        &["init", "--commands"],
        &["layer", "list"],
        &["layer", "accept"],
        &["layer", "accept", "gate"],
        &["layer", "accept", HOSTILE],
        &["layer", "show", "gate"],
        &["doctor"],
        &["config"],
        &["config", "check"],
        &["memory", "import", "import.json"],
        &["memory", "list"],
        &["memory", "show", HOSTILE],
        &["log"],
        &["uninstall"],
    ];

    for arguments in commands {
        let output = scratch.interleaf(arguments);

        for shown in [output.out(), output.err()] {
            assert!(!is_hostile(&shown), "{arguments:?}: {shown:?}");
        }
    }
}
