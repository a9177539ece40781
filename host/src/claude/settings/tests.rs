//! Registration in settings files of many kinds.

use std::path::Path;

use serde_json::{Value, json};

use super::*;

const PROGRAM: HookCommand<'static> = HookCommand::Program("/opt/bin/interleaf");

/// Settings that people have, from none to a lot.
const FILES: [&str; 9] = [
    "{}",
    "{}\n",
    "{\"a\":1}",
    "{\n    \"env\": {\"K\": \"v\"},\n    \"n\": 1.50\n}\n",
    "{\n\t\"hooks\": {},\n\t\"z\": [],\n\t\"a\": \"\\u00e9\"\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [],\n    \"Other\": [ { \"hooks\": [] } ]\n  }\n}",
    "{\r\n  \"hooks\": {\r\n    \"Stop\": [\r\n      {\r\n        \"matcher\": \"\",\r\n        \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }]\r\n      }\r\n    ]\r\n  }\r\n}\r\n",
    "{ \"hooks\": { \"Stop\": [ {\"hooks\": [{\"command\": \"x\"}]} ] } }",
    "{\n  \"hooks\": {\"Stop\": [{\n    \"hooks\": [{\n      \"command\": \"x\"\n    }]\n  }]}\n}\n",
];

fn registered(text: &str, call: HookCommand<'_>) -> Settings {
    let mut settings = Settings::parse(text).unwrap();
    settings.register(call, &HOOKED_EVENTS).unwrap();
    settings
}

#[test]
fn a_fresh_file_gets_one_hook_for_each_event() {
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
fn registering_adds_to_what_is_there_and_changes_nothing_of_it() {
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
fn registering_twice_is_registering_once() {
    for file in FILES {
        let once = registered(file, PROGRAM);
        assert_eq!(registered(once.text(), PROGRAM), once);
    }
}

#[test]
fn unregistering_gives_back_the_same_bytes() {
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
fn lists_that_only_held_our_hooks_go_with_them() {
    let mut settings = registered("{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n", PROGRAM);
    settings.unregister(&[]);
    assert!(settings.is_empty());

    let mut mixed = Settings::parse(
        r#"{"hooks":{"Stop":[{"hooks":[{"command":"a"},{"command":"interleaf hook"}]},{"matcher":"x","hooks":[{"command":"interleaf hook"}]}]}}"#,
    )
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
fn our_hook_twice_for_one_event_becomes_one() {
    let hook = r#"{"command":"/opt/bin/interleaf","args":["hook"]}"#;
    let twice = format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{hook}]}},{{"hooks":[{hook},{hook}]}}]}}}}"#);
    let mut settings = Settings::parse(&twice).unwrap();

    settings.register(PROGRAM, &[HookedEvent { event: "Stop", timeout: 1 }]).unwrap();

    assert_eq!(settings.text(), format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{hook}]}}]}}}}"#));

    let two = format!(
        r#"{{"hooks":{{"Stop":[{{"matcher":"a","hooks":[{hook}]}},{{"matcher":"b","hooks":[{hook}]}}]}}}}"#
    );
    let mut chosen = Settings::parse(&two).unwrap();
    chosen.register(PROGRAM, &[HookedEvent { event: "Stop", timeout: 1 }]).unwrap();
    assert_eq!(chosen.text(), two, "a person may choose for which tools it is called");
}

#[test]
fn hooks_of_wt_memory_are_taken_out_and_can_be_put_back() {
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

    let taken = settings.remove_wt_memory_hooks();

    assert_eq!(settings.text(), "{}\n");
    assert_eq!(taken.iter().map(|it| it.event.as_str()).collect::<Vec<_>>(), ["SessionStart", "PreToolUse"]);
    for hook in &taken {
        settings.restore_hook(hook).unwrap();
    }
    assert_eq!(settings.text(), text);
}

#[test]
fn other_hooks_of_the_same_event_survive_wt_memory() {
    let text = r#"{"hooks":{"Stop":[{"matcher":"","hooks":[{"command":"wt-hook-stop"},{"command":"wt-hook-memory Stop"}]}]}}"#;
    let mut settings = Settings::parse(text).unwrap();

    assert_eq!(settings.remove_wt_memory_hooks().len(), 1);

    assert_eq!(
        settings.text(),
        r#"{"hooks":{"Stop":[{"matcher":"","hooks":[{"command":"wt-hook-stop"}]}]}}"#
    );
}

#[test]
fn settings_that_keep_something_else_in_the_place_of_hooks_are_refused() {
    for (text, culprit) in [(r#"{"hooks":[]}"#, "`hooks`"), (r#"{"hooks":{"Stop":{}}}"#, "`hooks.Stop`")] {
        let mut settings = Settings::parse(text).unwrap();
        let error = settings.register(PROGRAM, &HOOKED_EVENTS).unwrap_err();
        assert!(error.message.contains(culprit), "{error}");
        assert_eq!(settings.text(), text);
    }
}

#[test]
fn hooks_of_odd_shapes_are_left_alone() {
    let text = r#"{"hooks":{"Stop":[null,7,{"hooks":"x"},{"hooks":[null,"interleaf hook",{"command":7}]}],"Odd":3}}"#;
    let mut settings = registered(text, PROGRAM);
    settings.unregister(&[]);
    assert_eq!(settings.text(), text);
}

#[test]
fn of_two_members_of_one_name_the_last_is_the_one_that_counts() {
    let text = r#"{"hooks":{"Stop":[]},"hooks":{"Stop":[{"hooks":[{"command":"x"}]}]}}"#;
    let mut settings = registered(text, PROGRAM);
    assert_eq!(settings.registered_events().len(), HOOKED_EVENTS.len());
    settings.unregister(&[]);
    assert_eq!(settings.text(), text);
}

#[test]
fn a_guarded_call_is_silent_where_interleaf_is_missing_and_says_who_it_is_where_it_is_not() {
    for (call, caller) in [(HookCommand::Shared, "shared"), (HookCommand::Plugin, "plugin")] {
        let missing = run_guarded(call, "/nowhere", Path::new("/nowhere"));
        assert!(missing.status.success() && missing.stdout.is_empty() && missing.stderr.is_empty());

        let home = std::env::temp_dir().join(format!("interleaf-guarded-{caller}-{}", std::process::id()));
        for folder in ["bin", ".cargo/bin", ".local/bin"] {
            let program = fake_program(&home.join(folder));
            let path = if folder == "bin" { home.join(folder) } else { PathBuf::from("/nowhere") };
            let present = run_guarded(call, path.to_str().unwrap(), &home);
            let said = String::from_utf8(present.stdout).unwrap();
            assert_eq!(
                (said, present.status.code()),
                (format!("got hook of {caller}\n"), Some(3)),
                "{folder}"
            );
            std::fs::remove_file(program).unwrap();
        }
        std::fs::remove_dir_all(&home).unwrap();
    }
}

/// Runs the call's line as Claude Code does.
fn run_guarded(call: HookCommand<'_>, path: &str, home: &Path) -> std::process::Output {
    let settings: Value = serde_json::from_str(registered("", call).text()).unwrap();
    let hook = &settings["hooks"]["Stop"][0]["hooks"][0];
    assert_eq!(hook.get("args"), None);
    let mut shell = std::process::Command::new("/bin/sh");
    shell.args(["-c", hook["command"].as_str().unwrap()]).env_clear();
    shell.env("PATH", path).env("HOME", home).output().unwrap()
}

/// An `interleaf` that tells how it was called.
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
fn a_plugin_is_switched_on_by_its_name_and_by_nothing_else() {
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
fn the_persons_own_folder_is_where_claude_code_looks() {
    let with = |pairs: &[(&str, &str)]| {
        let pairs: Vec<_> =
            pairs.iter().map(|(key, value)| ((*key).to_owned(), OsString::from(value))).collect();
        user_folder(&move |name| pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()))
    };
    assert_eq!(with(&[("HOME", "/home/dev")]), Some("/home/dev/.claude".into()));
    assert_eq!(with(&[("HOME", "/home/dev"), ("CLAUDE_CONFIG_DIR", "/etc/c")]), Some("/etc/c".into()));
    assert_eq!(with(&[("HOME", "")]), None);
}
