//! A secret in a command, its output or a path is not stored or printed.

use super::{failure, prepared_project, queue};
use interleaf_tests::scratch::{SESSION, Scratch};
use serde_json::json;
use std::path::Path;

/// Returns secrets, assembled so that no scanner takes them for real ones.
fn secrets() -> Vec<String> {
    vec![
        format!("ghp_{}", "a1B2c3D4e5".repeat(4).get(..36).unwrap_or_default()),
        format!("AKIA{}", "Q3EXMPLA7KZT5WNB"),
        format!("xoxb-{}-{}-{}", "123456789012", "123456789012", "aBcDeFgHiJkLmNoPqRsTuVwX"),
    ]
}

fn halves(secret: &str) -> [&str; 2] {
    [&secret[..secret.len() * 2 / 3], &secret[secret.len() / 3..]]
}

/// Collects the paths and contents of all files below a folder.
fn written(folder: &Path, all: &mut Vec<u8>) {
    for entry in std::fs::read_dir(folder).expect("it is ours").flatten() {
        match entry.path() {
            path if path.is_dir() => written(&path, all),
            path => {
                all.extend(path.to_string_lossy().as_bytes());
                all.extend(std::fs::read(path).unwrap_or_default());
            }
        }
    }
}

fn assert_gone(scratch: &Scratch, printed: &str, secret: &str) {
    let mut all = printed.as_bytes().to_vec();
    written(&scratch.interleaf_home, &mut all);
    let all = String::from_utf8_lossy(&all);
    for half in halves(secret) {
        if let Some(at) = all.find(half) {
            panic!(
                "a part of a secret is left: …{}",
                all[..at].chars().rev().take(80).collect::<String>().chars().rev().collect::<String>()
            );
        }
    }
}

#[test]
fn a_secret_in_command_output_and_path_is_stored_nowhere() {
    for secret in secrets() {
        let scratch = prepared_project();
        let command = format!(
            "API_TOKEN={secret} ./deploy.sh --token {secret} -H 'Authorization: Bearer {secret}' \
             /srv/{secret}/app {}",
            "--with-a-very-long-flag ".repeat(20) + &secret
        );
        let error = format!(
            "Exit code 2\n{}error: cannot open /srv/{secret}/app.rs:3:5 with token={secret}\n{} \
             {secret}\nfatal: {secret}",
            "padding ".repeat(8),
            "error ".repeat(48)
        );
        let mut printed = scratch.hook(failure(&scratch, SESSION, &command, &error)).success();
        let response =
            json!({ "stdout": error.clone(), "stderr": "error: could not compile", "interrupted": false });
        let fields = json!({
            "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "t",
            "tool_response": response,
        });
        printed += &scratch.hook(scratch.event("PostToolUse", fields)).success();

        assert!(!queue(&scratch).is_empty());
        printed += &scratch.interleaf(&["queue", "list", "--json"]).success();
        printed += &scratch.interleaf(&["queue", "list"]).success();
        printed += &scratch
            .interleaf_with(&["detect"], failure(&scratch, SESSION, &command, &error).as_bytes())
            .success();
        assert_gone(&scratch, &printed, &secret);
    }
}

/// Checks that a command is redacted before it is truncated.
#[test]
fn a_secret_at_any_position_of_a_truncated_command_is_not_stored_in_part() {
    let secret = &secrets()[0];
    let scratch = prepared_project();
    for padding in (340..420).step_by(7) {
        let command = format!("./run.sh {} {secret} end", "x".repeat(padding));
        let error = format!(
            "Exit code 127\n./run.sh: line {padding}: command not found {}{secret}",
            "y ".repeat(padding / 2)
        );
        scratch.hook(failure(&scratch, SESSION, &command, &error)).success();
    }

    let listed = scratch.interleaf(&["queue", "list", "--json"]).success();

    assert_gone(&scratch, &listed, secret);
}
