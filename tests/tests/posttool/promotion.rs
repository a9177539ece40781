//! A failing command becomes a topic of the project under its real name, also with concurrent hooks.

use super::{failure, prepared_project};
use interleaf_tests::scratch::{SESSION, Scratch};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const ERROR: &str = "Exit code 2\nerror: registry handshake expired";

fn promoted(scratch: &Scratch) -> BTreeSet<String> {
    let topics: Value =
        serde_json::from_str(&scratch.interleaf(&["topics", "--json"]).success()).expect("JSON");
    let promoted = topics["promoted"].as_array().expect("a list");
    promoted.iter().map(|topic| topic["command"].as_str().expect("a command").to_owned()).collect()
}

/// Covers lines whose first word is not the command, and commands with separator characters.
#[test]
fn a_topic_is_the_failing_command_s_real_name() {
    for (command, name) in [
        ("cd app && CI=1 make deploy 2>&1 | tail -5", Some("make deploy")),
        ("sudo -u ci ./ship.sh --now", Some("ship.sh")),
        ("g++ a.cc", Some("g++")),
        ("printf '|||' ||| docker-thing |||", Some("docker-thing")),
        ("bash -c 'npm run build'", Some("npm run build")),
        ("cat missing | grep x", None),
        ("[ -f x ]", None),
        ("((((", None),
    ] {
        let scratch = prepared_project();

        scratch.hook(failure(&scratch, SESSION, command, ERROR)).success();

        assert_eq!(promoted(&scratch).into_iter().next().as_deref(), name, "{command}");
    }
}

#[test]
fn an_interruption_or_a_negative_result_promotes_nothing() {
    let scratch = prepared_project();
    let mut interrupted: Value =
        serde_json::from_str(&failure(&scratch, SESSION, "make deploy", ERROR)).expect("JSON");
    interrupted["is_interrupt"] = json!(true);

    scratch.hook(interrupted.to_string()).success();
    scratch.hook(failure(&scratch, SESSION, "git diff --exit-code", "Exit code 1")).success();
    scratch.hook(failure(&scratch, SESSION, "make deploy | grep done", "Exit code 1")).success();

    assert_eq!(promoted(&scratch), BTreeSet::new());
}

#[test]
fn eight_concurrent_processes_lose_no_promotion() {
    let scratch = prepared_project();

    std::thread::scope(|scope| {
        for writer in 0..8 {
            let scratch = &scratch;
            scope.spawn(move || {
                let command = format!("ship-{writer} --now");
                scratch.hook(failure(scratch, "many", &command, ERROR)).success();
            });
        }
    });

    assert_eq!(promoted(&scratch), (0..8).map(|writer| format!("ship-{writer}")).collect());
}

/// Checks that long text is truncated between characters.
#[test]
fn a_long_error_in_any_script_is_captured() {
    let scratch = prepared_project();
    scratch.interleaf(&["remember", "デプロイが失敗したら先に make login を実行する"]).success();
    let error = format!("Exit code 2\nエラー: デプロイが失敗しました {}", "ü😀é".repeat(200));

    let printed = scratch.hook(failure(&scratch, SESSION, "make deploy", &error)).success();

    assert!(printed.is_empty() || serde_json::from_str::<Value>(&printed).is_ok(), "{printed}");
    assert_eq!(super::queue(&scratch).len(), 1);
}
