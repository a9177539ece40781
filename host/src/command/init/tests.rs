//! `init` and `uninstall` on projects in temporary folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::*;
use crate::claude::settings::HOOKED_EVENTS;
use crate::command::uninstall;

const PROGRAM: &str = "/opt/my tools/interleaf";

/// A project, a person's Claude Code folder and a state folder, removed at the end.
struct Scene {
    folder: PathBuf,
}

impl Scene {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("interleaf-init-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("project")).unwrap();
        Self { folder: fs::canonicalize(folder).unwrap() }
    }

    /// With a file of this text in the project.
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
        install_record::Record::path(&self.folder.join("state"), &self.root()).exists()
    }

    /// Every file and folder of the project but git's own, with its text.
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

    fn run(&self, command: impl FnOnce(&mut Site<'_>) -> anyhow::Result<()>) -> Result<String, Error> {
        let mut out = Vec::new();
        let done = command(&mut Site {
            root: &self.root(),
            user_folder: Some(&self.folder.join("user")),
            state: &self.folder.join("state"),
            program: Path::new(PROGRAM),
            events: &HOOKED_EVENTS,
            out: &mut out,
        });
        done.map(|()| String::from_utf8(out).unwrap()).map_err(|error| error.downcast().unwrap())
    }

    fn init(&self) -> String {
        self.run(|site| run(&Args::default(), site)).unwrap()
    }

    fn init_with(&self, args: &Args) -> Result<String, Error> {
        self.run(|site| run(args, site))
    }

    fn uninstall(&self) -> String {
        self.run(|site| uninstall::run(&uninstall::Args::default(), site)).unwrap()
    }

    fn restore(&self) -> String {
        let args = uninstall::Args { restore: true, ..Default::default() };
        self.run(|site| uninstall::run(&args, site)).unwrap()
    }
}

impl Drop for Scene {
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

/// A project that had wt-memory.
fn wt_project(name: &str) -> Scene {
    Scene::new(name)
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
    let scene = Scene::new("empty");

    let said = scene.init();

    let files = scene.files();
    assert_eq!(files.keys().collect::<Vec<_>>(), [".claude", LOCAL_SETTINGS, "CLAUDE.md"]);
    let settings: Value = serde_json::from_str(&files[LOCAL_SETTINGS]).unwrap();
    assert_eq!(settings["hooks"].as_object().unwrap().len(), HOOKED_EVENTS.len());
    assert_eq!(settings["hooks"]["Stop"][0]["hooks"][0]["command"], PROGRAM);
    assert!(files["CLAUDE.md"].contains("## Persistent Memory"));
    assert_eq!(
        said,
        ".claude/settings.local.json: calls interleaf for 10 events\n\
         CLAUDE.md: tells the model about interleaf\n\n\
         It begins with the next Claude Code session here. To undo: interleaf uninstall\n"
    );
}

#[test]
fn a_second_init_changes_nothing_and_says_so() {
    for args in [Args::default(), Args { shared: true, ..Args::default() }] {
        let scene = wt_project("twice").with_git();
        scene.init_with(&args).unwrap();
        let once = scene.files();

        let said = scene.init_with(&args).unwrap();

        assert_eq!(said, "Interleaf is already set up here; nothing to change.\n");
        assert_eq!(scene.files(), once);
    }
}

#[test]
fn init_and_uninstall_give_back_the_same_project() {
    let settings =
        "{\n\t\"permissions\": {\"allow\": [\"Bash(ls:*)\"]},\n\t\"hooks\": {\"Stop\": []},\n\t\"n\": 1.0\n}";
    let scenes = [
        Scene::new("same-empty"),
        Scene::new("same-git").with_git(),
        Scene::new("same-text").with("CLAUDE.md", "# Shop").with(LOCAL_SETTINGS, settings),
        Scene::new("same-blank")
            .with("CLAUDE.md", "")
            .with(".claude/other", "x")
            .with(SHARED_SETTINGS, settings),
        Scene::new("same-inner")
            .with(".claude/CLAUDE.md", "# Inner\r\n")
            .with(LOCAL_SETTINGS, "{\"hooks\": {}}"),
    ];
    for scene in scenes {
        for shared in [false, true] {
            let before = scene.files();

            scene.init_with(&Args { shared, ..Args::default() }).unwrap();
            assert_ne!(scene.files(), before);
            scene.uninstall();

            assert_eq!(scene.files(), before);
            assert!(!scene.has_record());
        }
    }
}

#[test]
fn wt_memory_makes_room_and_comes_back_on_wish() {
    let scene = wt_project("wt");
    let before = scene.files();

    let said = scene.init();

    for file in
        [SHARED_SETTINGS, "CLAUDE.md", ".claude/skills/apply/SKILL.md", ".claude/commands/opsx/apply.md"]
    {
        assert!(!scene.read(file).contains("wt-memory"), "{file}");
        assert!(!scene.read(file).contains("wt-hook-memory"), "{file}");
    }
    assert!(scene.read(SHARED_SETTINGS).contains("wt-hook-skill"));
    assert_eq!(scene.read(".claude/skills/apply/SKILL.md"), "---\nname: apply\n---\n\n1. Read\n\n2. Write\n");
    assert!(said.contains(".claude/settings.json: 2 wt-memory hooks removed\n"), "{said}");
    assert!(said.contains(".claude/skills/apply/SKILL.md: 2 wt-memory blocks removed\n"), "{said}");
    assert!(said.contains("--restore"), "{said}");

    let said = scene.uninstall();
    assert!(
        said.contains("2 hooks and 5 instruction blocks of wt-memory; interleaf uninstall --restore"),
        "{said}"
    );
    assert!(!scene.read("CLAUDE.md").contains("wt-memory"));

    let said = scene.restore();
    assert!(said.contains(".claude/settings.json: 2 wt-memory hooks put back\n"), "{said}");
    let mut after = scene.files();
    let (old, new) = (
        before[SHARED_SETTINGS].clone(),
        after.insert(SHARED_SETTINGS.to_owned(), before[SHARED_SETTINGS].clone()).unwrap(),
    );
    assert_eq!(after, before);
    assert_eq!(hooks(&old), hooks(&new));
    assert_eq!(scene.restore(), "Nothing of interleaf is set up in this project.\n");
}

/// Every hook of a settings file with its event and matcher.
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
fn init_and_restore_at_once_give_back_every_instruction() {
    let scene = wt_project("wt-at-once");
    let before = scene.files();

    scene.init();
    scene.restore();

    let mut after = scene.files();
    after.insert(SHARED_SETTINGS.to_owned(), before[SHARED_SETTINGS].clone());
    assert_eq!(after, before);
}

#[test]
fn a_block_whose_place_is_gone_is_named_and_kept() {
    let scene = wt_project("wt-lost");
    scene.init();
    scene.write(".claude/skills/apply/SKILL.md", "rewritten\n");
    fs::remove_file(scene.root().join(".claude/commands/opsx/apply.md")).unwrap();

    let said = scene.restore();

    assert!(said.contains("the place of a block in .claude/skills/apply/SKILL.md is gone"), "{said}");
    assert_eq!(scene.read(".claude/skills/apply/SKILL.md"), "rewritten\n");
    assert!(!scene.root().join(".claude/commands/opsx/apply.md").exists());
    assert!(scene.has_record());
}

#[test]
fn dry_run_shows_the_change_and_writes_nothing() {
    let scene = wt_project("dry").with_git();
    let before = scene.files();

    let said = scene.init_with(&Args { dry_run: true, ..Args::default() }).unwrap();

    assert_eq!(scene.files(), before);
    assert!(!scene.folder.join("state").exists());
    for line in [
        "--- (no file)",
        "+++ .claude/settings.local.json",
        "+             \"args\": [",
        "- 4b. recall",
        "Nothing was written.",
    ] {
        assert!(said.lines().any(|it| it == line), "{line:?} in\n{said}");
    }

    scene.init();
    let before = scene.files();
    let args = uninstall::Args { dry_run: true, restore: true };
    let said = scene.run(|site| uninstall::run(&args, site)).unwrap();
    assert_eq!(scene.files(), before);
    assert!(said.contains("+++ (no file)") && said.contains("+ 4b. recall"), "{said}");
}

#[test]
fn a_second_registration_is_refused_with_the_file_and_the_remedy() {
    let scene = Scene::new("second");
    scene.init();
    let before = scene.files();

    let error = scene.init_with(&Args { shared: true, ..Args::default() }).unwrap_err();
    assert!(error.message.contains(LOCAL_SETTINGS) && error.hint.unwrap().contains("interleaf uninstall"));
    assert_eq!(scene.files(), before);

    let scene = Scene::new("second-user");
    fs::create_dir_all(scene.folder.join("user")).unwrap();
    let hook = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"interleaf hook"}]}]}}"#;
    fs::write(scene.folder.join("user/settings.json"), hook).unwrap();
    let error = scene.init_with(&Args::default()).unwrap_err();
    assert!(error.message.contains("user/settings.json") && error.hint.is_some(), "{error}");
    assert!(scene.files().is_empty());
    assert!(scene.uninstall().contains("user/settings.json still has Claude Code call interleaf"));
}

#[test]
fn broken_files_are_refused_with_their_place_and_left_alone() {
    let broken = "{\n  \"hooks\": {},\n  // a comment\n}\n";
    for (file, text, place) in [
        (LOCAL_SETTINGS, broken, "line 3 column 3"),
        (SHARED_SETTINGS, broken, "line 3 column 3"),
        (LOCAL_SETTINGS, "{\"hooks\": 3}", "`hooks` is not an object"),
        ("CLAUDE.md", "a\n<!-- interleaf start -->\n", "line 2"),
    ] {
        let scene = wt_project("broken").with(file, text);
        let before = scene.files();

        let error = scene.init_with(&Args::default()).unwrap_err();

        assert!(error.message.starts_with(&format!("{file}: ")) && error.message.contains(place), "{error}");
        assert!(error.hint.is_some());
        assert_eq!(scene.files(), before);
    }
}

#[test]
fn odd_files_are_refused_or_left_out() {
    let scene = Scene::new("odd");
    fs::create_dir_all(scene.root().join("CLAUDE.md")).unwrap();
    assert!(
        scene.init_with(&Args::default()).unwrap_err().message.starts_with("CLAUDE.md: is not a text file")
    );

    let scene = Scene::new("odd-bytes").with(".claude/skills/a.md", "");
    fs::write(scene.root().join(".claude/skills/a.md"), b"\xff<!-- wt-memory hooks start -->").unwrap();
    assert!(scene.init().contains("note: .claude/skills/a.md cannot be read as text"));

    let scene = Scene::new("odd-open").with(".claude/skills/a.md", "x\n<!-- wt-memory hooks start -->\n");
    assert!(scene.init().contains("note: .claude/skills/a.md:2: a wt-memory block begins and never ends"));
}

#[test]
fn what_is_left_of_wt_memory_is_pointed_out() {
    let scene = Scene::new("left").with("CLAUDE.md", "# Shop\n\nRun `wt-memory recall` first.\n");
    fs::create_dir_all(scene.folder.join("user")).unwrap();
    let hook = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"wt-hook-memory-save"}]}]}}"#;
    fs::write(scene.folder.join("user/settings.json"), hook).unwrap();

    let said = scene.init();

    assert!(said.contains("note: CLAUDE.md:3 still speaks of wt-memory"), "{said}");
    assert!(said.contains("user/settings.json has Claude Code call wt-memory too"), "{said}");
    assert_eq!(fs::read_to_string(scene.folder.join("user/settings.json")).unwrap(), hook);
}

#[test]
fn new_local_settings_stay_out_of_commits() {
    let scene = Scene::new("ignored").with_git();
    let said = scene.init();
    assert!(said.contains(".git/info/exclude: has git ignore .claude/settings.local.json"), "{said}");
    assert!(git(&scene.root(), &["check-ignore", "--quiet", LOCAL_SETTINGS]).status.success());

    let ignored = Scene::new("ignored-already").with_git().with(".gitignore", "settings.local.json\n");
    assert!(!ignored.init().contains("exclude"));

    let tracked = Scene::new("tracked").with_git().with(LOCAL_SETTINGS, "{}");
    git(&tracked.root(), &["add", "--force", LOCAL_SETTINGS]);
    assert!(tracked.init().contains("note: .claude/settings.local.json is tracked by git"));

    let shared = Scene::new("ignored-shared").with_git();
    assert!(!shared.init_with(&Args { shared: true, ..Args::default() }).unwrap().contains("exclude"));
}

#[test]
fn a_project_below_the_root_of_its_repository_and_a_work_tree_are_kept_clean_too() {
    let scene = Scene::new("below").with_git().with("a", "");
    let root = scene.root();
    git(&root, &["add", "a"]);
    git(&root, &["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "a"]);
    assert!(git(&root, &["worktree", "add", "--quiet", "../tree"]).status.success());

    for folder in [root.join("packages/web"), scene.folder.join("tree")] {
        fs::create_dir_all(&folder).unwrap();
        let (mut out, state) = (Vec::new(), scene.folder.join("state"));
        let program = Path::new(PROGRAM);
        let mut site = Site {
            root: &folder,
            user_folder: None,
            state: &state,
            program,
            events: &HOOKED_EVENTS,
            out: &mut out,
        };
        run(&Args::default(), &mut site).unwrap();
        assert!(git(&folder, &["check-ignore", "--quiet", LOCAL_SETTINGS]).status.success(), "{folder:?}");
    }
}

#[test]
fn uninstall_leaves_what_others_put_in() {
    let scene = Scene::new("others");
    scene.init();
    let text = scene.read("CLAUDE.md");
    scene.write("CLAUDE.md", &format!("# New\n\n{text}\nmore\n"));
    let settings = scene.read(LOCAL_SETTINGS);
    scene.write(LOCAL_SETTINGS, &settings.replacen('{', "{\n  \"model\": \"opus\",", 1));

    scene.uninstall();

    assert_eq!(scene.read("CLAUDE.md"), "# New\n\nmore\n");
    assert_eq!(scene.read(LOCAL_SETTINGS), "{\n  \"model\": \"opus\"\n}\n");
}

#[test]
fn uninstall_works_without_a_record() {
    let scene = Scene::new("no-record").with(SHARED_SETTINGS, "{}\n");
    scene.init_with(&Args { shared: true, ..Args::default() }).unwrap();
    fs::remove_dir_all(scene.folder.join("state")).unwrap();

    scene.uninstall();

    assert_eq!(scene.files().keys().collect::<Vec<_>>(), [".claude", SHARED_SETTINGS]);
    assert_eq!(scene.read(SHARED_SETTINGS), "{}\n");
}

#[test]
fn a_project_that_never_had_interleaf_is_left_alone() {
    let scene = wt_project("never");
    let before = scene.files();

    assert_eq!(scene.uninstall(), "Nothing of interleaf is set up in this project.\n");

    assert_eq!(scene.files(), before);
}

#[test]
fn another_program_takes_the_place_of_the_old_one() {
    let scene = Scene::new("moved");
    scene.init();
    let moved = scene.read(LOCAL_SETTINGS).replace(PROGRAM, "/old/interleaf");
    scene.write(LOCAL_SETTINGS, &moved);

    assert!(scene.init().contains("calls interleaf for 10 events"));

    assert!(!scene.read(LOCAL_SETTINGS).contains("/old/interleaf"));
    assert_eq!(scene.read(LOCAL_SETTINGS).matches(PROGRAM).count(), 10);
    scene.uninstall();
    assert!(scene.files().is_empty(), "what the first init made is still known to be ours");
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_modes_stay_modes() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let scene = Scene::new("links").with("docs/AGENTS.md", "# Agents\n").with(LOCAL_SETTINGS, "{}");
    symlink("docs/AGENTS.md", scene.root().join("CLAUDE.md")).unwrap();
    fs::set_permissions(scene.root().join(LOCAL_SETTINGS), fs::Permissions::from_mode(0o600)).unwrap();

    scene.init();

    assert!(scene.root().join("CLAUDE.md").is_symlink());
    assert!(scene.read("docs/AGENTS.md").contains("interleaf"));
    assert_eq!(fs::metadata(scene.root().join(LOCAL_SETTINGS)).unwrap().permissions().mode() & 0o777, 0o600);
    let state = fs::metadata(scene.folder.join("state/installed"));
    assert!(state.map_or(true, |it| it.permissions().mode() & 0o777 == 0o700));
    assert!(fs::read_dir(scene.root().join(".claude")).unwrap().count() == 1, "nothing is left lying about");

    let outside = Scene::new("links-out");
    fs::write(outside.folder.join("shared.md"), "# All\n").unwrap();
    symlink("../shared.md", outside.root().join("CLAUDE.md")).unwrap();
    let real = format!("CLAUDE.md (that is {}): tells", outside.folder.join("shared.md").display());
    assert!(outside.init().contains(&real));

    let dangling = Scene::new("dangling");
    symlink("nowhere", dangling.root().join("CLAUDE.md")).unwrap();
    assert!(
        dangling
            .init_with(&Args::default())
            .unwrap_err()
            .message
            .starts_with("CLAUDE.md: is a link to nothing")
    );
}

#[test]
fn a_project_that_is_not_there_is_refused_and_not_made() {
    let scene = Scene::new("nowhere");
    fs::remove_dir(scene.root()).unwrap();

    assert_eq!(scene.init_with(&Args::default()).unwrap_err().kind, crate::error::ErrorKind::NotFound);

    assert!(!scene.root().exists());
}

#[test]
fn a_program_without_an_absolute_path_is_refused() {
    let scene = Scene::new("relative");
    let refused = scene.run(|site| {
        let mut site = Site { program: Path::new("interleaf"), out: &mut Vec::new(), ..*site };
        run(&Args::default(), &mut site)
    });
    assert!(refused.unwrap_err().hint.is_some());
    assert!(scene.files().is_empty());
}

#[test]
fn a_file_that_changes_under_our_hands_is_not_overwritten() {
    let scene = Scene::new("race").with("CLAUDE.md", "one\n");
    let mut file = file_edit::Edit::open(&scene.root(), "CLAUDE.md").unwrap();
    file.set("two\n".to_owned(), "");
    scene.write("CLAUDE.md", "three\n");

    assert_eq!(file.apply().unwrap_err().kind, crate::error::ErrorKind::Conflict);

    assert_eq!(scene.files().len(), 1);
    assert_eq!(scene.read("CLAUDE.md"), "three\n");
}

fn with_commands() -> Args {
    Args { commands: true, ..Args::default() }
}

#[test]
fn commands_are_written_only_when_asked_for_and_go_with_uninstall() {
    let scene = Scene::new("commands");
    scene.init();
    assert!(!scene.root().join(".claude/commands").exists());
    scene.uninstall();
    let before = scene.files();

    let said = scene.init_with(&with_commands()).unwrap();

    for typed in ["/memory", "/memory:config", "/memory:search", "/memory:save"] {
        assert!(said.contains(&format!("answers to {typed}\n")), "{typed} is not in {said}");
    }
    assert!(scene.read(".claude/commands/memory.md").contains("interleaf memory stats"));
    assert!(scene.init_with(&with_commands()).unwrap().contains("nothing to change"));
    scene.uninstall();
    assert_eq!(scene.files(), before);
}

#[test]
fn commands_of_the_persons_own_and_changed_ones_stay() {
    let scene = Scene::new("own-commands").with(".claude/commands/memory.md", "mine\n");

    let said = scene.init_with(&with_commands()).unwrap();
    assert!(said.contains("note: .claude/commands/memory.md is there already"), "{said}");
    scene.write(".claude/commands/memory/save.md", "changed\n");
    let said = scene.uninstall();

    assert!(said.contains(".claude/commands/memory/save.md is not as init made it"), "{said}");
    let left: Vec<String> = scene.files().into_keys().filter(|name| name.ends_with(".md")).collect();
    assert_eq!(left, [".claude/commands/memory.md", ".claude/commands/memory/save.md"]);
    assert_eq!(scene.read(".claude/commands/memory.md"), "mine\n");
}

#[test]
fn a_plugin_that_is_switched_on_is_named() {
    let scene = Scene::new("with-plugin");
    fs::create_dir_all(scene.folder.join("user")).unwrap();
    let enabled = r#"{"enabledPlugins": {"memory@interleaf": true}}"#;
    fs::write(scene.folder.join("user/settings.json"), enabled).unwrap();

    let said = scene.init();

    assert!(said.contains("switches the plugin memory@interleaf on; each event is answered once"), "{said}");
}
