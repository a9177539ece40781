//! Tests of `init` and `uninstall` on projects in temporary folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::*;
use crate::claude::settings::HOOKED_EVENTS;
use crate::command::file_edit::FileEdit;
use crate::command::uninstall;

const PROGRAM: &str = "/opt/my tools/interleaf";

/// A temporary project with a user's Claude Code folder and a state folder.
struct TestProject {
    folder: PathBuf,
}

impl TestProject {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("interleaf-init-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("project")).unwrap();
        Self { folder: fs::canonicalize(folder).unwrap() }
    }

    /// Adds a file to the project.
    fn with(self, name: &str, text: &str) -> Self {
        self.write(name, text);
        self
    }

    fn with_git(self) -> Self {
        assert!(git(&self.root(), &["init", "--quiet"]).status.success());
        self
    }

    fn root(&self) -> PathBuf {
        self.folder.join("project")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root().join(name)).unwrap()
    }

    fn has_record(&self) -> bool {
        install_record::InstallRecord::path(&self.folder.join("state"), &self.root()).exists()
    }

    /// Returns every file and folder of the project, except git's own, with its text.
    fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.root()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                let name = entry.strip_prefix(self.root()).unwrap().to_str().unwrap().to_owned();
                if name.starts_with(".git")
                    && name != ".git/info"
                    && name != ".git"
                    && name != ".git/info/exclude"
                {
                    continue;
                }
                files.insert(name, fs::read_to_string(&entry).unwrap_or_default());
                folders.extend(entry.is_dir().then_some(entry));
            }
        }
        files
    }

    fn run(
        &self,
        command: impl FnOnce(&mut InstallContext<'_>) -> anyhow::Result<()>,
    ) -> Result<String, Error> {
        let mut out = Vec::new();
        let done = command(&mut InstallContext {
            root: &self.root(),
            user_folder: Some(self.folder.join("user")),
            state: &self.folder.join("state"),
            store: self.folder.join("interleaf.db"),
            program: PathBuf::from(PROGRAM),
            events: &HOOKED_EVENTS,
            out: &mut out,
        });
        done.map(|()| String::from_utf8(out).unwrap()).map_err(|error| error.downcast().unwrap())
    }

    fn init(&self) -> String {
        self.run(|install| run(&Args::default(), install)).unwrap()
    }

    fn init_with(&self, args: &Args) -> Result<String, Error> {
        self.run(|install| run(args, install))
    }

    fn uninstall(&self) -> String {
        self.run(|install| uninstall::run(&uninstall::Args::default(), install)).unwrap()
    }

    fn restore(&self) -> String {
        let args = uninstall::Args { restore: true, ..Default::default() };
        self.run(|install| uninstall::run(&args, install)).unwrap()
    }
}

impl Drop for TestProject {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn git(root: &Path, args: &[&str]) -> std::process::Output {
    Command::new("git").arg("-C").arg(root).args(args).env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap()
}

const SKILL: &str = "\
---
name: apply
---

1. Read

<!-- wt-memory hooks start -->
4b. recall
<!-- wt-memory hooks end -->

2. Write
<!-- wt-memory hooks-remember start -->
7. remember
<!-- wt-memory hooks-remember end -->
";
const WT_SETTINGS: &str = r#"{
    "hooks": {
        "UserPromptSubmit": [
            {
                "matcher": "",
                "hooks": [
                    {
                        "type": "command",
                        "command": "wt-hook-skill"
                    },
                    {
                        "type": "command",
                        "command": "wt-hook-memory-recall",
                        "timeout": 15
                    }
                ]
            }
        ],
        "Stop": [
            {
                "matcher": "",
                "hooks": [
                    {
                        "type": "command",
                        "command": "wt-hook-memory Stop",
                        "timeout": 30
                    }
                ]
            }
        ]
    },
    "model": "sonnet"
}
"#;

/// Creates a project with hooks and blocks of wt-memory.
fn project_with_wt_memory(name: &str) -> TestProject {
    TestProject::new(name)
        .with(SHARED_SETTINGS, WT_SETTINGS)
        .with(
            "CLAUDE.md",
            "# Shop\n\n<!-- wt-memory hooks start -->\nx\n<!-- wt-memory hooks end -->\n\nUse tabs.",
        )
        .with(".claude/skills/apply/SKILL.md", SKILL)
        .with(".claude/skills/apply/data.txt", SKILL)
        .with(".claude/commands/opsx/apply.md", SKILL)
}

#[test]
fn an_empty_project_gets_local_settings_and_instructions() {
    let project = TestProject::new("empty");

    let output = project.init();

    let files = project.files();
    assert_eq!(files.keys().collect::<Vec<_>>(), [".claude", LOCAL_SETTINGS, "CLAUDE.md"]);
    let settings: Value = serde_json::from_str(&files[LOCAL_SETTINGS]).unwrap();
    assert_eq!(settings["hooks"].as_object().unwrap().len(), HOOKED_EVENTS.len());
    assert_eq!(settings["hooks"]["Stop"][0]["hooks"][0]["command"], PROGRAM);
    assert!(files["CLAUDE.md"].contains("## Persistent Memory"));
    assert_eq!(
        output,
        ".claude/settings.local.json: registers Interleaf for 10 events\n\
         CLAUDE.md: tells the model about Interleaf\n\n\
         Takes effect in the next Claude Code session. To undo: interleaf uninstall\n"
    );
}

#[test]
fn a_second_init_changes_nothing_and_says_so() {
    for args in [Args::default(), Args { shared: true, ..Args::default() }] {
        let project = project_with_wt_memory("twice").with_git();
        project.init_with(&args).unwrap();
        let once = project.files();

        let output = project.init_with(&args).unwrap();

        assert_eq!(output, "Interleaf is already set up here; nothing to change.\n");
        assert_eq!(project.files(), once);
    }
}

#[test]
fn uninstall_restores_the_project_as_it_was_before_init() {
    let settings =
        "{\n\t\"permissions\": {\"allow\": [\"Bash(ls:*)\"]},\n\t\"hooks\": {\"Stop\": []},\n\t\"n\": 1.0\n}";
    let projects = [
        TestProject::new("same-empty"),
        TestProject::new("same-git").with_git(),
        TestProject::new("same-text").with("CLAUDE.md", "# Shop").with(LOCAL_SETTINGS, settings),
        TestProject::new("same-blank")
            .with("CLAUDE.md", "")
            .with(".claude/other", "x")
            .with(SHARED_SETTINGS, settings),
        TestProject::new("same-inner")
            .with(".claude/CLAUDE.md", "# Inner\r\n")
            .with(LOCAL_SETTINGS, "{\"hooks\": {}}"),
    ];
    for project in projects {
        for shared in [false, true] {
            let before = project.files();

            project.init_with(&Args { shared, ..Args::default() }).unwrap();
            assert_ne!(project.files(), before);
            project.uninstall();

            assert_eq!(project.files(), before);
            assert!(!project.has_record());
        }
    }
}

#[test]
fn wt_memory_is_removed_and_can_be_put_back() {
    let project = project_with_wt_memory("wt");
    let before = project.files();

    let output = project.init();

    for file in
        [SHARED_SETTINGS, "CLAUDE.md", ".claude/skills/apply/SKILL.md", ".claude/commands/opsx/apply.md"]
    {
        assert!(!project.read(file).contains("wt-memory"), "{file}");
        assert!(!project.read(file).contains("wt-hook-memory"), "{file}");
    }
    assert!(project.read(SHARED_SETTINGS).contains("wt-hook-skill"));
    assert_eq!(
        project.read(".claude/skills/apply/SKILL.md"),
        "---\nname: apply\n---\n\n1. Read\n\n2. Write\n"
    );
    assert!(output.contains(".claude/settings.json: 2 wt-memory hooks removed\n"), "{output}");
    assert!(output.contains(".claude/skills/apply/SKILL.md: 2 wt-memory blocks removed\n"), "{output}");
    assert!(output.contains("--restore"), "{output}");

    let output = project.uninstall();
    assert!(
        output.contains(
            "2 hooks and 5 instruction blocks of wt-memory; to put them back: interleaf uninstall --restore"
        ),
        "{output}"
    );
    assert!(!project.read("CLAUDE.md").contains("wt-memory"));

    let output = project.restore();
    assert!(output.contains(".claude/settings.json: 2 wt-memory hooks put back\n"), "{output}");
    let mut after = project.files();
    let (old, new) = (
        before[SHARED_SETTINGS].clone(),
        after.insert(SHARED_SETTINGS.to_owned(), before[SHARED_SETTINGS].clone()).unwrap(),
    );
    assert_eq!(after, before);
    assert_eq!(hooks(&old), hooks(&new));
    assert_eq!(project.restore(), "Interleaf is not set up in this project.\n");
}

/// Returns every hook of a settings file with its event and matcher.
fn hooks(settings: &str) -> Vec<String> {
    let settings: Value = serde_json::from_str(settings).unwrap();
    let mut hooks = Vec::new();
    for (event, groups) in settings["hooks"].as_object().unwrap() {
        for group in groups.as_array().unwrap() {
            let each = group["hooks"].as_array().unwrap().iter();
            hooks.extend(each.map(|hook| format!("{event} {} {hook}", group["matcher"])));
        }
    }
    hooks
}

#[test]
fn a_restore_right_after_init_puts_back_every_instruction() {
    let project = project_with_wt_memory("wt-at-once");
    let before = project.files();

    project.init();
    project.restore();

    let mut after = project.files();
    after.insert(SHARED_SETTINGS.to_owned(), before[SHARED_SETTINGS].clone());
    assert_eq!(after, before);
}

#[test]
fn a_block_that_cannot_be_put_back_is_reported_and_kept() {
    let project = project_with_wt_memory("wt-lost");
    project.init();
    project.write(".claude/skills/apply/SKILL.md", "rewritten\n");
    fs::remove_file(project.root().join(".claude/commands/opsx/apply.md")).unwrap();

    let output = project.restore();

    assert!(output.contains("a block could not be put back into .claude/skills/apply/SKILL.md"), "{output}");
    assert_eq!(project.read(".claude/skills/apply/SKILL.md"), "rewritten\n");
    assert!(!project.root().join(".claude/commands/opsx/apply.md").exists());
    assert!(project.has_record());
}

#[test]
fn dry_run_shows_the_change_and_writes_nothing() {
    let project = project_with_wt_memory("dry").with_git();
    let before = project.files();

    let output = project.init_with(&Args { dry_run: true, ..Args::default() }).unwrap();

    assert_eq!(project.files(), before);
    assert!(!project.folder.join("state").exists());
    for line in [
        "--- (no file)",
        "+++ .claude/settings.local.json",
        "+             \"args\": [",
        "- 4b. recall",
        "Nothing was written.",
    ] {
        assert!(output.lines().any(|entry| entry == line), "{line:?} in\n{output}");
    }

    project.init();
    let before = project.files();
    let args = uninstall::Args { dry_run: true, restore: true };
    let output = project.run(|install| uninstall::run(&args, install)).unwrap();
    assert_eq!(project.files(), before);
    assert!(output.contains("+++ (no file)") && output.contains("+ 4b. recall"), "{output}");
}

#[test]
fn a_second_registration_is_refused_with_the_file_and_a_hint() {
    let project = TestProject::new("second");
    project.init();
    let before = project.files();

    let error = project.init_with(&Args { shared: true, ..Args::default() }).unwrap_err();
    assert!(error.message.contains(LOCAL_SETTINGS) && error.hint.unwrap().contains("interleaf uninstall"));
    assert_eq!(project.files(), before);

    let project = TestProject::new("second-user");
    fs::create_dir_all(project.folder.join("user")).unwrap();
    let hook = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"interleaf hook"}]}]}}"#;
    fs::write(project.folder.join("user/settings.json"), hook).unwrap();
    let error = project.init_with(&Args::default()).unwrap_err();
    assert!(error.message.contains("user/settings.json") && error.hint.is_some(), "{error}");
    assert!(project.files().is_empty());
    assert!(project.uninstall().contains("user/settings.json still registers Interleaf"));
}

#[test]
fn broken_files_are_refused_with_the_position_of_the_error() {
    let broken = "{\n  \"hooks\": {},\n  // a comment\n}\n";
    for (file, text, place) in [
        (LOCAL_SETTINGS, broken, "line 3 column 3"),
        (SHARED_SETTINGS, broken, "line 3 column 3"),
        (LOCAL_SETTINGS, "{\"hooks\": 3}", "`hooks` is not an object"),
        ("CLAUDE.md", "a\n<!-- interleaf start -->\n", "line 2"),
    ] {
        let project = project_with_wt_memory("broken").with(file, text);
        let before = project.files();

        let error = project.init_with(&Args::default()).unwrap_err();

        assert!(error.message.starts_with(&format!("{file}: ")) && error.message.contains(place), "{error}");
        assert!(error.hint.is_some());
        assert_eq!(project.files(), before);
    }
}

#[test]
fn files_that_are_not_ordinary_text_are_refused_or_skipped() {
    let project = TestProject::new("odd");
    fs::create_dir_all(project.root().join("CLAUDE.md")).unwrap();
    assert!(
        project.init_with(&Args::default()).unwrap_err().message.starts_with("CLAUDE.md: is not a text file")
    );

    let project = TestProject::new("odd-bytes").with(".claude/skills/a.md", "");
    fs::write(project.root().join(".claude/skills/a.md"), b"\xff<!-- wt-memory hooks start -->").unwrap();
    assert!(project.init().contains("note: .claude/skills/a.md is not readable as text"));

    let project =
        TestProject::new("odd-open").with(".claude/skills/a.md", "x\n<!-- wt-memory hooks start -->\n");
    assert!(project.init().contains("note: .claude/skills/a.md:2: a wt-memory block has no end"));
}

#[test]
fn remains_of_wt_memory_are_reported() {
    let project = TestProject::new("left").with("CLAUDE.md", "# Shop\n\nRun `wt-memory recall` first.\n");
    fs::create_dir_all(project.folder.join("user")).unwrap();
    let hook = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"wt-hook-memory-save"}]}]}}"#;
    fs::write(project.folder.join("user/settings.json"), hook).unwrap();

    let output = project.init();

    assert!(output.contains("note: CLAUDE.md:3 still mentions wt-memory"), "{output}");
    assert!(output.contains("user/settings.json also registers wt-memory"), "{output}");
    assert_eq!(fs::read_to_string(project.folder.join("user/settings.json")).unwrap(), hook);
}

#[test]
fn new_local_settings_stay_out_of_commits() {
    let project = TestProject::new("ignored").with_git();
    let output = project.init();
    assert!(output.contains(".git/info/exclude: has git ignore .claude/settings.local.json"), "{output}");
    assert!(git(&project.root(), &["check-ignore", "--quiet", LOCAL_SETTINGS]).status.success());

    let ignore = "settings.local.json\nCLAUDE.local.md\n";
    let ignored = TestProject::new("ignored-already").with_git().with(".gitignore", ignore);
    assert!(!ignored.init().contains("exclude"));

    let tracked = TestProject::new("tracked").with_git().with(LOCAL_SETTINGS, "{}");
    git(&tracked.root(), &["add", "--force", LOCAL_SETTINGS]);
    assert!(
        tracked
            .init()
            .contains("note: .claude/settings.local.json has a path of this machine but is tracked")
    );

    let shared = TestProject::new("ignored-shared").with_git();
    assert!(!shared.init_with(&Args { shared: true, ..Args::default() }).unwrap().contains("exclude"));
}

#[test]
fn the_next_commit_of_everything_has_nothing_of_a_person_s_own_installation() {
    for instructions in [None, Some("CLAUDE.md"), Some(".claude/CLAUDE.md")] {
        let mut project = TestProject::new("add-all").with_git().with("a", "");
        project = instructions.into_iter().fold(project, |project, name| project.with(name, "# Shop\n"));
        let root = project.root();
        git(&root, &["add", "--all"]);
        let staged = || String::from_utf8(git(&root, &["diff", "--cached"]).stdout).expect("UTF-8");
        let before = (staged(), project.files());

        project.init();
        git(&root, &["add", "--all"]);

        assert_eq!(staged(), before.0, "{instructions:?}");
        assert!(project.read("CLAUDE.local.md").contains("## Persistent Memory"), "{instructions:?}");
        assert!(project.init().contains("nothing to change"));
        project.uninstall();
        assert_eq!(project.files(), before.1, "{instructions:?}");
    }
}

#[test]
fn a_shared_installation_writes_the_instructions_of_the_team() {
    let project = TestProject::new("shared-instructions").with_git();

    let output = project.init_with(&Args { shared: true, ..Args::default() }).expect("it is set up");

    assert!(output.contains("CLAUDE.md: tells the model about Interleaf"), "{output}");
    assert!(!project.root().join("CLAUDE.local.md").exists());
}

#[test]
fn uninstall_says_where_the_memories_stay() {
    let project = TestProject::new("stay");
    let store = project.folder.join("interleaf.db");
    project.init();
    fs::write(&store, "").expect("ours");

    let output = project.uninstall();

    assert!(output.contains(&format!("\nYour memories stay in {}.", store.display())), "{output}");
    project.init();
    fs::remove_file(&store).expect("ours");
    assert!(!project.uninstall().contains("memories stay"), "there are none");
}

#[test]
fn local_settings_of_a_subfolder_and_of_a_linked_work_tree_stay_out_of_commits() {
    let project = TestProject::new("below").with_git().with("a", "");
    let root = project.root();
    git(&root, &["add", "a"]);
    git(&root, &["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "a"]);
    assert!(git(&root, &["worktree", "add", "--quiet", "../tree"]).status.success());

    for folder in [root.join("packages/web"), project.folder.join("tree")] {
        fs::create_dir_all(&folder).unwrap();
        let (mut out, state) = (Vec::new(), project.folder.join("state"));
        let mut install = InstallContext {
            root: &folder,
            user_folder: None,
            state: &state,
            store: PathBuf::from("/no/store"),
            program: PathBuf::from(PROGRAM),
            events: &HOOKED_EVENTS,
            out: &mut out,
        };
        run(&Args::default(), &mut install).unwrap();
        assert!(git(&folder, &["check-ignore", "--quiet", LOCAL_SETTINGS]).status.success(), "{folder:?}");
    }
}

#[test]
fn uninstall_keeps_text_and_settings_that_were_added_later() {
    let project = TestProject::new("others");
    project.init();
    let text = project.read("CLAUDE.md");
    project.write("CLAUDE.md", &format!("# New\n\n{text}\nmore\n"));
    let settings = project.read(LOCAL_SETTINGS);
    project.write(LOCAL_SETTINGS, &settings.replacen('{', "{\n  \"model\": \"opus\",", 1));

    project.uninstall();

    assert_eq!(project.read("CLAUDE.md"), "# New\n\nmore\n");
    assert_eq!(project.read(LOCAL_SETTINGS), "{\n  \"model\": \"opus\"\n}\n");
}

#[test]
fn uninstall_works_without_a_record() {
    let project = TestProject::new("no-record").with(SHARED_SETTINGS, "{}\n");
    project.init_with(&Args { shared: true, ..Args::default() }).unwrap();
    fs::remove_dir_all(project.folder.join("state")).unwrap();

    project.uninstall();

    assert_eq!(project.files().keys().collect::<Vec<_>>(), [".claude", SHARED_SETTINGS]);
    assert_eq!(project.read(SHARED_SETTINGS), "{}\n");
}

#[test]
fn uninstall_does_not_change_a_project_without_interleaf() {
    let project = project_with_wt_memory("never");
    let before = project.files();

    assert_eq!(project.uninstall(), "Interleaf is not set up in this project.\n");

    assert_eq!(project.files(), before);
}

#[test]
fn init_from_another_path_replaces_the_registered_program() {
    let project = TestProject::new("moved");
    project.init();
    let moved = project.read(LOCAL_SETTINGS).replace(PROGRAM, "/old/interleaf");
    project.write(LOCAL_SETTINGS, &moved);

    assert!(project.init().contains("registers Interleaf for 10 events"));

    assert!(!project.read(LOCAL_SETTINGS).contains("/old/interleaf"));
    assert_eq!(project.read(LOCAL_SETTINGS).matches(PROGRAM).count(), 10);
    project.uninstall();
    assert!(project.files().is_empty(), "the record still names the files of the first init");
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let project = TestProject::new("links").with("docs/AGENTS.md", "# Agents\n").with(LOCAL_SETTINGS, "{}");
    symlink("docs/AGENTS.md", project.root().join("CLAUDE.md")).unwrap();
    fs::set_permissions(project.root().join(LOCAL_SETTINGS), fs::Permissions::from_mode(0o600)).unwrap();

    project.init();

    assert!(project.root().join("CLAUDE.md").is_symlink());
    assert!(project.read("docs/AGENTS.md").contains("interleaf"));
    assert_eq!(
        fs::metadata(project.root().join(LOCAL_SETTINGS)).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let state = fs::metadata(project.folder.join("state/installed"));
    assert!(state.map_or(true, |entry| entry.permissions().mode() & 0o777 == 0o700));
    assert!(fs::read_dir(project.root().join(".claude")).unwrap().count() == 1, "no temporary file is left");

    let dangling = TestProject::new("dangling");
    symlink("nowhere", dangling.root().join("CLAUDE.md")).unwrap();
    assert!(
        dangling
            .init_with(&Args::default())
            .unwrap_err()
            .message
            .starts_with("CLAUDE.md: is a link to a file that does not exist")
    );
}

/// A clone may contain a link to the person's own files, such as `~/.bashrc` or `~/.claude/settings.json`.
#[cfg(unix)]
#[test]
fn no_link_out_of_the_project_is_followed() {
    for (name, link, target) in [
        ("CLAUDE.md", "CLAUDE.md", "person/.bashrc"),
        (LOCAL_SETTINGS, LOCAL_SETTINGS, "person/settings.json"),
        (".claude/settings", ".claude", "person"),
        (".claude/commands/memory.md", ".claude/commands", "person"),
    ] {
        let project = TestProject::new("links-out");
        let person = project.folder.join("person");
        fs::create_dir_all(&person).unwrap();
        for file in [".bashrc", "settings.json"] {
            fs::write(person.join(file), "{}\n").unwrap();
        }
        fs::create_dir_all(project.root().join(link).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(project.folder.join(target), project.root().join(link)).unwrap();
        let arguments = [
            Args { dry_run: true, commands: true, ..Args::default() },
            Args { commands: true, ..Args::default() },
            Args { shared: true, commands: true, ..Args::default() },
        ];
        for args in arguments {
            let error = project.init_with(&args).unwrap_err();

            assert!(error.message.contains("is a link out of the project"), "{link}: {error}");
            assert!(error.message.starts_with(name) && error.hint.is_some(), "{error}");
        }
        if link != ".claude/commands" {
            project.run(|install| uninstall::run(&uninstall::Args::default(), install)).unwrap_err();
        }
        for file in [".bashrc", "settings.json"] {
            assert_eq!(fs::read_to_string(person.join(file)).unwrap(), "{}\n", "{link}");
        }
        assert_eq!(fs::read_dir(&person).unwrap().count(), 2, "{link}");
    }
}

#[test]
fn the_list_of_ignored_files_of_another_repository_is_not_written() {
    let other = TestProject::new("other");
    git(&other.root(), &["init", "--quiet"]);
    let project = TestProject::new("disowned");
    fs::write(project.root().join(".git"), format!("gitdir: {}\n", other.root().join(".git").display()))
        .unwrap();
    let list = other.root().join(".git/info/exclude");
    let before = fs::read_to_string(&list).ok();

    let shown = project.init();

    assert!(!shown.contains("exclude"), "{shown}");
    assert_eq!(fs::read_to_string(&list).ok(), before);
}

#[test]
fn a_project_that_does_not_exist_is_refused_and_not_created() {
    let project = TestProject::new("nowhere");
    fs::remove_dir(project.root()).unwrap();

    assert_eq!(project.init_with(&Args::default()).unwrap_err().kind, crate::error::ErrorKind::NotFound);

    assert!(!project.root().exists());
}

#[test]
fn a_program_without_an_absolute_path_is_refused() {
    let project = TestProject::new("relative");
    let refused = project.run(|install| {
        install.program = PathBuf::from("interleaf");
        run(&Args::default(), install)
    });
    assert!(refused.unwrap_err().hint.is_some());
    assert!(project.files().is_empty());
}

#[test]
fn a_file_that_changes_during_the_command_is_not_overwritten() {
    let project = TestProject::new("race").with("CLAUDE.md", "one\n");
    let mut file = FileEdit::open(&project.root(), "CLAUDE.md").unwrap();
    file.set("two\n".to_owned(), "");
    project.write("CLAUDE.md", "three\n");

    assert_eq!(file.apply().unwrap_err().kind, crate::error::ErrorKind::Conflict);

    assert_eq!(project.files().len(), 1);
    assert_eq!(project.read("CLAUDE.md"), "three\n");
}

fn with_commands() -> Args {
    Args { commands: true, ..Args::default() }
}

#[test]
fn slash_commands_are_written_only_on_request_and_removed_by_uninstall() {
    let project = TestProject::new("commands");
    project.init();
    assert!(!project.root().join(".claude/commands").exists());
    project.uninstall();
    let before = project.files();

    let output = project.init_with(&with_commands()).unwrap();

    for typed in ["/memory", "/memory:config", "/memory:search", "/memory:save"] {
        assert!(output.contains(&format!("adds the command {typed}\n")), "{typed} is not in {output}");
    }
    assert!(project.read(".claude/commands/memory.md").contains("interleaf memory stats"));
    assert!(project.init_with(&with_commands()).unwrap().contains("nothing to change"));
    project.uninstall();
    assert_eq!(project.files(), before);
}

#[test]
fn existing_and_changed_slash_commands_are_kept() {
    let project = TestProject::new("own-commands").with(".claude/commands/memory.md", "mine\n");

    let output = project.init_with(&with_commands()).unwrap();
    assert!(output.contains("note: .claude/commands/memory.md exists with another text"), "{output}");
    project.write(".claude/commands/memory/save.md", "changed\n");
    let output = project.uninstall();

    assert!(output.contains(".claude/commands/memory/save.md was changed after init"), "{output}");
    let left: Vec<String> = project.files().into_keys().filter(|name| name.ends_with(".md")).collect();
    assert_eq!(left, [".claude/commands/memory.md", ".claude/commands/memory/save.md"]);
    assert_eq!(project.read(".claude/commands/memory.md"), "mine\n");
}

#[test]
fn an_enabled_plugin_is_reported() {
    let project = TestProject::new("with-plugin");
    fs::create_dir_all(project.folder.join("user")).unwrap();
    let enabled = r#"{"enabledPlugins": {"memory@interleaf": true}}"#;
    fs::write(project.folder.join("user/settings.json"), enabled).unwrap();

    let output = project.init();

    assert!(
        output.contains("enables the plugin memory@interleaf too; each event is answered once"),
        "{output}"
    );
}
