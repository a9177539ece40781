//! Tests with tools that succeeded but whose output shows a failure or a finding.

use super::*;

#[test]
fn an_error_counts_although_the_command_succeeded() {
    for (command, stdout) in [
        ("make 2>&1 | tail -5", "a.c:3:5: error: expected ';'\nmake: *** [a.o] Error 1"),
        ("cargo test 2>&1 | tail -3", "test result: FAILED. 3 passed; 1 failed; 0 ignored"),
        ("npm ci || true", "npm ERR! code ENOTFOUND"),
        ("docker compose up -d; sleep 3; docker logs x", "panic: runtime error: index out of range"),
        ("./deploy.sh | tee log", "HTTP/1.1 502 Bad Gateway"),
        ("git stash pop || true", "CONFLICT (content): Merge conflict in a.txt"),
        ("./x; echo exit code: $?", "Error: no lease\nexit code: 3"),
        (
            "make test; ./push",
            "test result: ok. 3 passed; 0 failed\nConnectionError: refused\nfatal: unable to push",
        ),
        ("./all 2>&1 | tail", "1 failed, 3 passed\ntest result: ok. 3 passed; 0 failed"),
        ("dmesg | tail", "Out of memory: Killed process 4711 (java)"),
    ] {
        let finding = succeeded(command, stdout, "");

        assert!(finding.learnable, "{command}: {:?}", finding.reasons());
        assert_eq!(category(&finding), "error", "{command}");
        assert!(finding.needs_fix() && !finding.failed, "{command}");
    }
}

#[test]
fn findings_have_the_category_of_their_heaviest_signal() {
    for (expected, finding) in [
        (
            "workaround",
            succeeded("./sync", "", "registry is slow, retrying in 3s\nfalling back to the mirror"),
        ),
        (
            "workaround",
            subagent_answered(
                "As a workaround I fell back to the old client: falling back worked.\nRetrying did not help.",
            ),
        ),
        (
            "discovery",
            subagent_answered("Root cause: the cache keeps the old key. Fixed by clearing it on start."),
        ),
        (
            "discovery",
            subagent_answered(
                "It turns out the fixture is shared; the tests works only if it is reset. The fix was one \
                 line.",
            ),
        ),
        (
            "warning",
            succeeded(
                "python app.py",
                "",
                "DeprecationWarning: x is deprecated and will be removed in Python 3.14\nwarning: y",
            ),
        ),
        ("error", succeeded("./x | tee y", "retrying\nerror: could not compile `x`", "")),
    ] {
        assert!(finding.learnable, "{expected}: {} {:?}", finding.score, finding.reasons());
        assert_eq!(category(&finding), expected, "{:?}", finding.reasons());
    }
}

#[test]
fn a_crash_is_worse_than_a_warning() {
    assert_eq!(failed("./app", "Exit code 139\nSegmentation fault").severity, 0);
    assert_eq!(failed("cargo build", "Exit code 101\nerror: could not compile `x`").severity, 1);
    assert_eq!(succeeded("./sync", "", "retrying\nfalling back to y").severity, 2);
}

#[test]
fn a_score_is_at_most_one_and_lists_its_reasons() {
    let finding = failed(
        "cargo build",
        "Exit code 101\nerror[E0308]: mismatched types\nTypeError: x\npermission denied\nKilled",
    );

    assert_eq!(finding.score, 1.0);
    let reasons = finding.reasons();
    assert!(reasons.contains(&"work-exit 0.60: exit code 101".to_owned()), "{reasons:?}");
    assert!(reasons.contains(&"compiler 0.60: error".to_owned()), "{reasons:?}");
}

#[test]
fn a_long_text_is_scanned_in_linear_time() {
    let hostile = [
        "error ".repeat(40_000),
        "error: 0 ".repeat(30_000),
        "a".repeat(300_000),
        "error\n".repeat(50_000),
        "\n".repeat(300_000),
        "{\"error\":".repeat(30_000),
        "404 ".repeat(60_000),
        "no no no error ".repeat(20_000),
        "ä".repeat(100_000),
        "make[".repeat(60_000),
        "-----BEGIN".repeat(30_000),
        "x.go:1:".repeat(40_000),
    ];
    for text in hostile {
        // Quadratic work would take minutes here.
        let finding = failed("make", &format!("Exit code 2\n{text}"));
        assert!(finding.score <= 1.0);
    }
}
