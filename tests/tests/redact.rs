//! Redaction as a black box: the filter as a command, and a search for secrets in all files after a session.

use interleaf_tests::run::ProcessOutput;
use interleaf_tests::scratch::Scratch;
use interleaf_tests::tool_decision::decision;
use serde_json::json;
use std::fs;
use std::path::Path;

/// Returns an invented GitHub token.
fn token() -> String {
    format!("{}{}", ["gh", "p_"].concat(), "a1B2".repeat(9))
}

const PASSWORD: &str = "tr0ub4dor3x";

fn redact(scratch: &Scratch, input: &[u8]) -> ProcessOutput {
    scratch.interleaf_with(&["redact"], input)
}

#[test]
fn three_secrets_in_a_file_are_removed_and_counted() {
    let scratch = Scratch::new();
    let input = format!(
        "# settings\nDB_PASSWORD={PASSWORD}\nurl = postgres://app:{PASSWORD}@db/shop\ndeploy with {} today\n",
        token()
    );

    let ran = redact(&scratch, input.as_bytes());

    assert_eq!(ran.err().trim(), "removed: 1 github-token, 1 password, 1 url-password");
    assert_eq!(
        ran.success(),
        "# settings\nDB_PASSWORD=[SECRET:password]\nurl = \
         postgres://app:[SECRET:url-password]@db/shop\ndeploy with [SECRET:github-token] today\n"
    );
}

#[test]
fn input_without_secrets_is_unchanged() {
    let scratch = Scratch::new();
    let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    for input in [&b""[..], b"no line break", &bytes] {
        let ran = redact(&scratch, input);

        assert_eq!((ran.code, ran.err().trim()), (Some(0), "removed: nothing"));
        assert!(ran.stdout == input);
    }
}

#[test]
fn a_secret_after_many_megabytes_is_found() {
    let scratch = Scratch::new();
    let lines = "an ordinary line of a long log\n".repeat(100_000);
    let input = format!("{lines}DB_PASSWORD={PASSWORD}\n{lines}");

    let out = redact(&scratch, input.as_bytes()).success();

    assert!(out == input.replace(PASSWORD, "[SECRET:password]"));
}

#[test]
fn the_person_s_own_patterns_apply() {
    let scratch = Scratch::new();
    let config = scratch.interleaf_home.join("config/config.toml");
    let before = fs::read_to_string(&config).expect("the kit writes one");
    fs::write(&config, format!("{before}\n[redact]\npatterns = [\"corp-[0-9]{{6}}\"]\n"))
        .expect("it is writable");

    assert_eq!(redact(&scratch, b"ask corp-123456\n").success(), "ask [SECRET:custom]\n");
}

#[test]
fn utf_16_is_refused_with_a_hint_to_convert_it() {
    let ran = redact(&Scratch::new(), b"\xff\xfeD\0B\0");

    assert_eq!(ran.code, Some(2));
    assert!(ran.err().contains("UTF-16") && ran.err().contains("iconv"), "{}", ran.err());
    assert!(ran.stdout.is_empty());
}

/// Calls `see` with the path and content of every file below a folder.
fn everything(folder: &Path, see: &mut dyn FnMut(&Path, &[u8])) {
    for entry in fs::read_dir(folder).expect("it can be listed").flatten() {
        match entry.path() {
            path if path.is_dir() => everything(&path, see),
            path => see(&path, &fs::read(&path).unwrap_or_default()),
        }
    }
}

#[test]
fn a_secret_in_prompt_command_output_and_path_is_stored_nowhere() {
    let scratch = Scratch::new();
    scratch.interleaf(&["compile"]).success();
    let token = token();
    let text = format!("Deploys fail without the deploy token {token}, and with DB_PASSWORD={PASSWORD}");
    scratch.interleaf(&["remember", &text]).success();
    let (command, path) = (format!("deploy --token {token}"), format!("/srv/{token}/notes.txt"));
    let tool = json!({ "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "toolu_1" });
    let with = |fields: serde_json::Value| {
        let mut all = tool.as_object().cloned().unwrap_or_default();
        all.extend(fields.as_object().cloned().unwrap_or_default());
        serde_json::Value::Object(all)
    };
    let output = format!("error: push refused for {token}\nfatal: {path} is missing\nexit code 1");
    let printed = json!({ "stdout": output, "stderr": output });
    let mut all_output = String::new();
    for event in [
        scratch.event("SessionStart", json!({ "source": "startup" })),
        scratch.event("UserPromptSubmit", json!({ "prompt": text })),
        scratch.event("PreToolUse", tool.clone()),
        scratch.event("PostToolUse", with(json!({ "tool_response": printed }))),
        scratch.event("PostToolUseFailure", with(json!({ "error": output, "is_interrupt": false }))),
        scratch.event(
            "PostToolUse",
            json!({
                "tool_name": "Write", "tool_use_id": "toolu_2",
                "tool_input": { "file_path": path, "content": output },
                "tool_response": { "type": "create", "filePath": path, "content": output },
            }),
        ),
        scratch.event("Stop", json!({ "stop_hook_active": false, "last_assistant_message": output })),
        scratch.event("SessionEnd", json!({ "reason": "other" })),
        scratch
            .event("UserPromptSubmit", json!({ "prompt": text }))
            .replace("Submit\"", &format!("{token}\"")),
    ] {
        all_output += &scratch.hook(event).success();
    }
    all_output += &scratch.interleaf(&["log", "-n", "1000"]).success();
    all_output += &scratch.interleaf(&["doctor"]).out();
    // The end of the session saves the queue.
    scratch.interleaf(&["jobs", "run"]).success();
    let saved = scratch.interleaf(&["memory", "export"]).success();
    all_output += &saved;

    for secret in [&token[..], &token[..20], PASSWORD] {
        assert!(!all_output.contains(secret), "{all_output}");
        everything(&scratch.interleaf_home, &mut |path, bytes| {
            let found = bytes.windows(secret.len()).any(|piece| piece == secret.as_bytes());
            assert!(!found, "{secret} is left in {}", path.display());
        });
    }
    assert!(all_output.contains("[SECRET:"), "the memory was shown without its secrets: {all_output}");
}

/// Configurations whose own patterns for secrets cannot be read, and a word that the message about it has.
const UNREADABLE_PATTERNS: [(&str, &str); 7] = [
    ("[redact]\npatterns = [\"corp-[0-9]{6}\"]\n[layers.recall\n", "config.toml:3"),
    ("[redact]\npatterns = [\"a\"]\npatterns = [\"b\"]\n", "config.toml:3"),
    ("[redact]\npatterns = \"corp-[0-9]{6}\"\n", "config.toml:2"),
    ("[redact]\npatern = [\"corp-[0-9]{6}\"]\n", "config.toml:2"),
    ("[redakt]\npatterns = [\"corp-[0-9]{6}\"]\n", "config.toml:1"),
    ("redact.patterns = [\"corp-[0-9]{6}\n", "config.toml:1"),
    ("[redact]\npatterns = [\"(\"]\n", "redaction pattern"),
];

#[test]
fn while_the_own_patterns_cannot_be_read_nothing_is_stored_and_the_reason_is_told() {
    for (config, place) in UNREADABLE_PATTERNS {
        let scratch = Scratch::new();
        let file = scratch.interleaf_home.join("config/config.toml");
        fs::write(&file, config).expect("ours");
        let text = "The ticket of the customer is corp-123456";

        let refused = scratch.interleaf(&["remember", text]);
        let prompt = json!({"prompt": format!("always remember corp-123456 {text}")});
        let hook = scratch.hook(scratch.event("UserPromptSubmit", prompt)).success();

        assert!(refused.code != Some(0) && refused.err().contains(place), "{config}: {}", refused.err());
        assert_eq!(hook.trim(), "", "{config}");
        let doctor = scratch.interleaf(&["doctor"]).out();
        assert!(doctor.contains(place) && !doctor.contains("in order"), "{config}: {doctor}");
        everything(&scratch.root, &mut |path, content| {
            let holds_it = String::from_utf8_lossy(content).contains("corp-123456");
            assert!(!holds_it, "{config}: {}", path.display());
        });

        fs::remove_file(&file).expect("ours");
        let _ = scratch.interleaf(&["remember", text]).success();
    }
}

#[test]
fn while_the_own_patterns_cannot_be_read_the_guard_still_asks() {
    let scratch = Scratch::new();
    let file = scratch.interleaf_home.join("config/config.toml");
    fs::write(file, "[redact]\npatterns = [\n").expect("ours");

    assert_eq!(decision(&scratch, "env -u CLAUDECODE interleaf layer accept x", &[]).as_deref(), Some("ask"));
}

#[test]
fn a_configuration_without_patterns_keeps_nothing_from_being_stored() {
    let scratch = Scratch::new();
    fs::write(scratch.interleaf_home.join("config/config.toml"), "[layers.recall\n").expect("ours");

    let _ = scratch.interleaf(&["remember", "The quota is ten"]).success();
}
