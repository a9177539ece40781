//! Registration in settings files of many styles.

use std::path::Path;

use serde_json::{Value, json};

use super::*;

const PROGRAM: HookCommand<'static> = HookCommand::Program("/opt/bin/interleaf");

/// Settings files as people have them.
const FILES: [&str; 9] = [
    "{}",
    "{}\n",
    "{\"a\":1}",
    "{\n    \"env\": {\"K\": \"v\"},\n    \"n\": 1.50\n}\n",
    "{\n\t\"hooks\": {},\n\t\"z\": [],\n\t\"a\": \"\\u00e9\"\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [],\n    \"Other\": [ { \"hooks\": [] } ]\n  }\n}",
    concat!(
        "{\r\n  \"hooks\": {\r\n    \"Stop\": [\r\n      {\r\n        \"matcher\": \"\",\r\n",
        "        \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }]\r\n",
        "      }\r\n    ]\r\n  }\r\n}\r\n",
    ),
    "{ \"hooks\": { \"Stop\": [ {\"hooks\": [{\"command\": \"x\"}]} ] } }",
    "{\n  \"hooks\": {\"Stop\": [{\n    \"hooks\": [{\n      \"command\": \"x\"\n    }]\n  }]}\n}\n",
];

fn registered(text: &str, call: HookCommand<'_>) -> Settings {
    let mut settings = Settings::parse(text).unwrap();
    settings.register(call, &HOOKED_EVENTS).unwrap();
    settings
}

#[test]
fn an_empty_file_gets_one_hook_for_each_event() {
    let settings = registered("", PROGRAM);

    let value: Value = serde_json::from_str(settings.text()).unwrap();
    let hook = json!({"type": "command", "command": "/opt/bin/interleaf", "args": ["hook"], "timeout": 10});
    assert_eq!(value["hooks"].as_object().unwrap().len(), HOOKED_EVENTS.len());
    assert_eq!(value["hooks"]["SessionEnd"], json!([{"hooks": [hook]}]));
    assert_eq!(settings.registered_events(), HOOKED_EVENTS.map(|hooked| hooked.event));
    let start = r#"{
  "hooks": {
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "/opt/bin/interleaf",
            "args": [
              "hook"
            ],
            "timeout": 10
          }
        ]
      }
    ],
    "UserPromptSubmit": ["#;
    assert!(settings.text().starts_with(start), "{}", settings.text());
}

#[test]
fn registering_leaves_everything_else_unchanged() {
    for file in FILES {
        for call in [PROGRAM, HookCommand::Shared, HookCommand::Plugin] {
            let before: Value = serde_json::from_str(file).unwrap();
            let mut after: Value = serde_json::from_str(registered(file, call).text()).unwrap();

            for (event, groups) in after["hooks"].as_object_mut().unwrap() {
                let groups = groups.as_array_mut().unwrap();
                let theirs = before["hooks"][event].as_array().map_or(0, Vec::len);
                assert_eq!(groups.len(), theirs + usize::from(event != "Other"), "{event} in {file}");
                groups.truncate(theirs);
                assert_eq!(json!(groups), before["hooks"].get(event).cloned().unwrap_or(json!([])));
            }
            assert!(
                before.as_object().unwrap().iter().all(|(key, value)| key == "hooks" || after[key] == *value)
            );
        }
    }
}

#[test]
fn settings_that_are_json_for_javascript_only_are_read_too() {
    for text in [r#"{"x":"\ud83d"}"#, r#"{"x":1e400}"#, r#"{"hooks":{"Notification":[{"x":"\ud83d"}]}}"#] {
        let mut settings = registered(text, PROGRAM);
        assert_eq!(registered(settings.text(), PROGRAM), settings, "a second registration");
        settings.unregister(&[]);
        assert_eq!(settings.text(), text);
    }
}

#[test]
fn registering_twice_is_registering_once() {
    for file in FILES {
        let once = registered(file, PROGRAM);
        assert_eq!(registered(once.text(), PROGRAM), once);
    }
}

#[test]
fn unregistering_restores_the_same_bytes() {
    for file in FILES {
        for call in [PROGRAM, HookCommand::Shared, HookCommand::Plugin] {
            let keep = Settings::parse(file).unwrap().empty_lists();
            let mut settings = registered(file, call);

            settings.unregister(&keep);

            assert_eq!(settings.text(), file);
        }
    }
}

#[test]
fn lists_that_held_only_our_hooks_are_removed_with_them() {
    let mut settings = registered("{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n", PROGRAM);
    settings.unregister(&[]);
    assert!(settings.is_empty());

    let mut mixed = Settings::parse(concat!(
        r#"{"hooks":{"Stop":[{"hooks":[{"command":"a"},{"command":"interleaf hook"}]},"#,
        r#"{"matcher":"x","hooks":[{"command":"interleaf hook"}]}]}}"#,
    ))
    .unwrap();
    mixed.unregister(&[]);
    assert_eq!(mixed.text(), r#"{"hooks":{"Stop":[{"hooks":[{"command":"a"}]}]}}"#);
}

#[test]
fn another_program_or_event_list_replaces_the_hooks_and_a_changed_timeout_stays() {
    let text = registered("{}", PROGRAM).text().replacen("10", "55", 1);
    assert_eq!(registered(&text, PROGRAM).text(), text);

    let moved = registered(&text, HookCommand::Program("/new/interleaf"));
    assert!(!moved.text().contains("/opt/bin/interleaf"));
    assert_eq!(moved.registered_events().len(), HOOKED_EVENTS.len());

    let mut fewer = moved;
    fewer.register(HookCommand::Program("/new/interleaf"), &HOOKED_EVENTS[..2]).unwrap();
    assert_eq!(fewer.registered_events(), ["SessionStart", "UserPromptSubmit"]);
}

#[test]
fn a_repeated_hook_of_ours_becomes_one() {
    let hook = r#"{"command":"/opt/bin/interleaf","args":["hook"]}"#;
    let twice = format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{hook}]}},{{"hooks":[{hook},{hook}]}}]}}}}"#);
    let mut settings = Settings::parse(&twice).unwrap();

    settings.register(PROGRAM, &[HookedEvent { event: "Stop", timeout_secs: 1 }]).unwrap();

    assert_eq!(settings.text(), format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{hook}]}}]}}}}"#));

    let two = format!(
        r#"{{"hooks":{{"Stop":[{{"matcher":"a","hooks":[{hook}]}},{{"matcher":"b","hooks":[{hook}]}}]}}}}"#
    );
    let mut chosen = Settings::parse(&two).unwrap();
    chosen.register(PROGRAM, &[HookedEvent { event: "Stop", timeout_secs: 1 }]).unwrap();
    assert_eq!(chosen.text(), two, "a person may choose for which tools it is called");
}

#[test]
fn hooks_of_wt_memory_are_removed_and_can_be_restored() {
    let text = r#"{
  "hooks": {
    "SessionStart": [
      {
        "matcher": "",
        "hooks": [
          {
            "type": "command",
            "command": "wt-hook-memory-warmstart",
            "timeout": 10
          }
        ]
      }
    ],
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "wt-hook-memory-pretool",
            "timeout": 5
          }
        ]
      }
    ]
  }
}
"#;
    let mut settings = Settings::parse(text).unwrap();
    assert!(settings.has_wt_memory_hooks());

    let removed = settings.remove_wt_memory_hooks();

    assert_eq!(settings.text(), "{}\n");
    assert_eq!(
        removed.iter().map(|it| it.event.as_str()).collect::<Vec<_>>(),
        ["SessionStart", "PreToolUse"]
    );
    for hook in &removed {
        settings.restore_hook(hook).unwrap();
    }
    assert_eq!(settings.text(), text);
}

#[test]
fn other_hooks_of_the_same_event_survive_wt_memory() {
    let text = concat!(
        r#"{"hooks":{"Stop":[{"matcher":"","hooks":"#,
        r#"[{"command":"wt-hook-stop"},{"command":"wt-hook-memory Stop"}]}]}}"#,
    );
    let mut settings = Settings::parse(text).unwrap();

    assert_eq!(settings.remove_wt_memory_hooks().len(), 1);

    assert_eq!(
        settings.text(),
        r#"{"hooks":{"Stop":[{"matcher":"","hooks":[{"command":"wt-hook-stop"}]}]}}"#
    );
}

#[test]
fn settings_with_values_of_another_type_in_the_place_of_hooks_are_refused() {
    for (text, culprit) in [(r#"{"hooks":[]}"#, "`hooks`"), (r#"{"hooks":{"Stop":{}}}"#, "`hooks.Stop`")] {
        let mut settings = Settings::parse(text).unwrap();
        let error = settings.register(PROGRAM, &HOOKED_EVENTS).unwrap_err();
        assert!(error.message.contains(culprit), "{error}");
        assert_eq!(settings.text(), text);
    }
}

#[test]
fn hooks_of_unknown_shape_are_left_unchanged() {
    let text = concat!(
        r#"{"hooks":{"Stop":[null,7,{"hooks":"x"},"#,
        r#"{"hooks":[null,"interleaf hook",{"command":7}]}],"Odd":3}}"#,
    );
    let mut settings = registered(text, PROGRAM);
    settings.unregister(&[]);
    assert_eq!(settings.text(), text);
}

#[test]
fn of_two_members_with_one_name_the_last_counts() {
    let text = r#"{"hooks":{"Stop":[]},"hooks":{"Stop":[{"hooks":[{"command":"x"}]}]}}"#;
    let mut settings = registered(text, PROGRAM);
    assert_eq!(settings.registered_events().len(), HOOKED_EVENTS.len());
    settings.unregister(&[]);
    assert_eq!(settings.text(), text);
}

#[test]
fn a_shared_command_line_is_silent_without_interleaf_and_names_its_caller_with_it() {
    for (call, caller) in [(HookCommand::Shared, "shared"), (HookCommand::Plugin, "plugin")] {
        let missing = run_command_line(call, "/nowhere", Path::new("/nowhere"));
        assert!(missing.status.success() && missing.stdout.is_empty() && missing.stderr.is_empty());

        let home = std::env::temp_dir().join(format!("interleaf-guarded-{caller}-{}", std::process::id()));
        for folder in ["bin", ".cargo/bin", ".local/bin"] {
            let program = fake_program(&home.join(folder));
            let path = if folder == "bin" { home.join(folder) } else { PathBuf::from("/nowhere") };
            let present = run_command_line(call, path.to_str().unwrap(), &home);
            let output = String::from_utf8(present.stdout).unwrap();
            assert_eq!(
                (output, present.status.code()),
                (format!("got hook of {caller}\n"), Some(3)),
                "{folder}"
            );
            std::fs::remove_file(program).unwrap();
        }
        std::fs::remove_dir_all(&home).unwrap();
    }
}

/// Runs the command line as Claude Code does.
fn run_command_line(call: HookCommand<'_>, path: &str, home: &Path) -> std::process::Output {
    let settings: Value = serde_json::from_str(registered("", call).text()).unwrap();
    let hook = &settings["hooks"]["Stop"][0]["hooks"][0];
    assert_eq!(hook.get("args"), None);
    let mut shell = std::process::Command::new("/bin/sh");
    shell.args(["-c", hook["command"].as_str().unwrap()]).env_clear();
    shell.env("PATH", path).env("HOME", home).output().unwrap()
}

/// Creates an `interleaf` that prints how it was called.
fn fake_program(folder: &Path) -> PathBuf {
    std::fs::create_dir_all(folder).unwrap();
    let program = folder.join("interleaf");
    std::fs::write(&program, "#!/bin/sh\necho \"got $* of $INTERLEAF_CALLER\"\nexit 3\n").unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    program
}

#[test]
fn the_plugin_registers_what_init_registers() {
    let plugin: Value =
        serde_json::from_str(include_str!("../../../../claude-plugin/hooks/hooks.json")).unwrap();
    let ours: Value = serde_json::from_str(registered("", HookCommand::Plugin).text()).unwrap();

    assert_eq!(plugin["hooks"], ours["hooks"]);
}

#[test]
fn the_plugin_is_named_by_its_manifest_and_its_marketplace_and_has_our_version() {
    let plugin: Value =
        serde_json::from_str(include_str!("../../../../claude-plugin/.claude-plugin/plugin.json")).unwrap();
    let marketplace: Value =
        serde_json::from_str(include_str!("../../../../.claude-plugin/marketplace.json")).unwrap();
    let entry = &marketplace["plugins"][0];

    let name = |value: &Value| value["name"].as_str().unwrap().to_owned();
    assert_eq!(format!("{}@{}", name(&plugin), name(&marketplace)), PLUGIN_ID);
    assert_eq!((name(entry), entry["source"].as_str()), (name(&plugin), Some("./claude-plugin")));
    assert_eq!(plugin["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(entry.get("version"), None, "the manifest says it once");
}

#[test]
fn a_plugin_is_enabled_by_its_id_alone() {
    let has = |text: &str| Settings::parse(text).unwrap().has_plugin();
    assert!(has(r#"{"enabledPlugins": {"other@x": false, "memory@interleaf": true}}"#));
    for text in [
        "{}",
        r#"{"enabledPlugins": {"memory@interleaf": false}}"#,
        r#"{"enabledPlugins": {"memory@other": true}}"#,
    ] {
        assert!(!has(text), "{text}");
    }
}

#[test]
fn the_user_folder_is_where_claude_code_looks() {
    let with = |pairs: &[(&str, &str)]| {
        let pairs: Vec<_> =
            pairs.iter().map(|(key, value)| ((*key).to_owned(), OsString::from(value))).collect();
        user_folder(&move |name| pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()))
    };
    assert_eq!(with(&[("HOME", "/home/dev")]), Some("/home/dev/.claude".into()));
    assert_eq!(with(&[("HOME", "/home/dev"), ("CLAUDE_CONFIG_DIR", "/etc/c")]), Some("/etc/c".into()));
    assert_eq!(with(&[("HOME", "")]), None);
}
