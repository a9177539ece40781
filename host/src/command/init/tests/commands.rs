//! The slash commands that `init` writes when it is asked to.

use super::*;

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
