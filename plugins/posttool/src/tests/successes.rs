//! Tests with output that looks like a failure and is not one.

use super::*;

#[test]
fn a_success_that_mentions_errors_does_not_count() {
    for (command, stdout) in [
        (
            "cargo test",
            "test test_error_handling ... ok\ntest fails_on_timeout ... ok\n\ntest result: ok. 12 passed; 0 \
             failed; 0 ignored",
        ),
        ("cargo test", "test returns an error when permission denied ... ok"),
        (
            "npx jest",
            "  ✓ throws TypeError: on invalid input (3 ms)\n  ✓ retries on timeout\nTests:       6 passed, \
             6 total",
        ),
        (
            "pytest -v",
            "tests/test_a.py::test_error PASSED\ntests/test_a.py::test_failure_exception PASSED\n2 passed \
             in 0.1s",
        ),
        ("go test ./...", "--- PASS: TestError (0.00s)\nok  \tshop/errors\t0.01s\nPASS"),
        ("mvn test", "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS"),
        ("npx eslint .", "0 errors, 0 warnings"),
        ("npx tsc --noEmit", "Found 0 errors. Watching for file changes."),
        ("make lint", "no errors found"),
        ("make lint", "Checked 12 files without any errors. No failures."),
        ("./report", "Passed: 10\nFailed: 0\nErrors: 0"),
        ("./report", "{\"errors\": [], \"error\": null, \"failed\": 0, \"exception\": false}"),
        ("./list", "src/error_handler.rs\nsrc/errors/mod.rs\nsrc/error.rs\nsrc/timeout-error.ts\nfailed.log"),
        ("./tool --no-error", "running with --no-error --on-failure=stop -fatal"),
        ("./x", "use std::error::Error;\nfn main() -> Result<(), Error> { panic_free() }"),
        ("npm install", "added 120 packages, and audited 121 packages in 3s\n\nfound 0 vulnerabilities"),
        (
            "cargo build",
            "   Compiling thiserror v1.0.0\n   Compiling anyhow v1.0\n    Finished `dev` profile in 3.1s",
        ),
        (
            "git commit -m x",
            "[main 1a2b3c4] Fix error handling of failed retries\n 2 files changed, 404 insertions(+)",
        ),
        ("git push", "To github.com:x/y\n   1a2b..3c4d  main -> main"),
        ("git fetch", " * [new branch]      fix/timeout-error -> origin/fix/timeout-error"),
        ("./serve", "INFO starting; on error the failed request is handled\n[INFO] fatal errors: none"),
        ("curl -s http://x", "HTTP/1.1 200 OK\n404 items, 500 rows"),
        ("docker ps", "CONTAINER ID   IMAGE   STATUS\n1a2b   web   Up 3 minutes (healthy)"),
        ("seq 1 20000", "399\n400\n401\n404\n500\n503"),
    ] {
        let finding = succeeded(command, stdout, "");

        assert!(!finding.learnable, "{command}: {stdout}: {} {:?}", finding.score, finding.reasons());
    }
}

#[test]
fn errors_in_text_that_is_only_read_do_not_count() {
    let text = "Traceback (most recent call last):\nTypeError: fatal\nerror[E0308]: mismatched \
                types\nSegmentation fault\npermission denied";
    for command in [
        "cat build.log",
        "grep -rn Error src",
        "git log -p",
        "git show HEAD",
        "git diff",
        "tail -n 100 x.log | sort",
        "sed -n 1,20p a.py",
        "jq . x.json",
        "cd src && ls -la",
        "find . -name x",
        "head -5 a && cat b",
        "echo hi",
    ] {
        let finding = succeeded(command, text, "");
        assert!(!finding.learnable, "{command}: {:?}", finding.reasons());
    }
    for tool in ["Read", "Write", "Edit", "Grep", "Glob"] {
        assert!(!Settings::default().is_tool_enabled(tool), "{tool}");
    }
}

#[test]
fn only_the_error_status_of_a_fetched_page_counts() {
    let page = |code: u32, text: &str| {
        let response = json!({ "code": code, "codeText": "x", "result": text, "bytes": 1 });
        finding(&ToolRun::from_response("WebFetch", r#"{"url":"https://x/y"}"#, &response.to_string()))
    };

    assert!(!page(200, "error: connection refused; TypeError: x; permission denied").learnable);
    assert!(page(404, "").learnable && page(503, "").learnable);
}

#[test]
fn an_ordinary_warning_is_not_worth_a_capture() {
    for stdout in [
        "warning: unused variable: `x`\n --> src/a.rs:1:1\nwarning: `shop` (bin) generated 1 warning",
        "npm warn deprecated inflight@1.0.6: This module is not supported",
        "0 warnings",
        "Python 3.12.1",
        "node v20.1.0",
    ] {
        let finding = succeeded("cargo build", stdout, "");
        assert!(!finding.learnable, "{stdout}: {:?}", finding.reasons());
    }
}

#[test]
fn a_subagent_s_report_that_mentions_errors_does_not_count() {
    for answer in [
        "I looked at the error handling: it fails with TypeError: when permission is denied, and the \
         timeout is fatal.",
        "The tests failed before; error[E0308] is gone now.",
        "Done.",
        "",
    ] {
        let finding = subagent_answered(answer);
        assert!(!finding.learnable, "{answer}: {:?}", finding.reasons());
    }
}
