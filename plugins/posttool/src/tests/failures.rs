//! Tests with tools that failed.

use super::*;

#[test]
fn failures_with_an_error_message_count() {
    for (command, error) in [
        ("cat /nonexistent", "Exit code 1\ncat: /nonexistent: No such file or directory"),
        ("cargo build", "Exit code 101\nerror[E0382]: borrow of moved value: `x`\n --> src/main.rs:4:5"),
        ("gcc a.c", "Exit code 1\na.c:3:5: error: expected ';' before 'return'"),
        ("clang++ a.cc", "Exit code 1\na.cc:1:10: fatal error: 'x.h' file not found"),
        ("npx tsc", "Exit code 2\nsrc/a.ts(3,5): error TS2345: Argument of type 'x'"),
        ("go build ./...", "Exit code 1\n# shop/api\n./main.go:10:2: undefined: handler"),
        (
            "cc a.o",
            "Exit code 1\n/usr/bin/ld: a.o: undefined reference to `frob'\ncollect2: error: ld returned 1 \
             exit status",
        ),
        (
            "cargo test",
            "Exit code 101\ntest a ... ok\ntest b ... FAILED\n\ntest result: FAILED. 1 passed; 1 failed; 0 \
             ignored",
        ),
        (
            "pytest",
            "Exit code 1\nFAILED tests/test_a.py::test_b - AssertionError: 1 != 2\n1 failed, 3 passed in \
             0.1s",
        ),
        ("npx jest", "Exit code 1\nTests:       1 failed, 5 passed, 6 total"),
        ("go test ./...", "Exit code 1\n--- FAIL: TestA (0.00s)\nFAIL\tshop/api\t0.01s"),
        (
            "mvn test",
            "Exit code 1\n[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE",
        ),
        (
            "npm install",
            "Exit code 1\nnpm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree",
        ),
        ("npm install", "Exit code 1\nnpm error code E404\nnpm error 404 Not Found - GET https://registry/x"),
        ("pip install nope", "Exit code 1\nERROR: No matching distribution found for nope"),
        ("apt-get install nope", "Exit code 100\nE: Unable to locate package nope"),
        (
            "git merge main",
            "Exit code 1\nCONFLICT (content): Merge conflict in a.txt\nAutomatic merge failed; fix conflicts",
        ),
        ("curl -f http://x/y", "Exit code 22\ncurl: (22) The requested URL returned error: 503"),
        ("./run.sh", "Exit code 137\nKilled"),
        ("./app", "Exit code 139\nSegmentation fault (core dumped)"),
        ("./app", "Exit code 101\nthread 'main' panicked at src/main.rs:3:5:\nboom"),
        (
            "python app.py",
            "Exit code 1\nTraceback (most recent call last):\n  File \"app.py\", line 1\nValueError: bad",
        ),
        ("node app.js", "Exit code 1\nError: Cannot find module 'express'"),
        ("foo --bar", "Exit code 127\n/bin/sh: 1: foo: command not found"),
        ("psql shop", "Exit code 2\npsql: error: connection to server refused: Connection refused"),
        ("sleep 1000", "Exit code 143\nCommand timed out after 2m 0.0s"),
        ("java App", "Exit code 1\nException in thread \"main\" java.lang.NullPointerException: x"),
        ("docker push x", "Exit code 1\ndenied: requested access to the resource is denied"),
    ] {
        let finding = failed(command, error);

        assert!(finding.learnable, "{command}: {} {:?}", finding.score, finding.reasons());
        assert_eq!(category(&finding), "error", "{command}");
        assert!(finding.needs_fix(), "{command}");
    }
}

#[test]
fn a_failure_without_a_message_counts_for_builds_only() {
    for command in [
        "make deploy",
        "cargo build -q",
        "npm test --silent",
        "./scripts/deploy.sh",
        "pytest -q",
        "terraform apply",
    ] {
        let finding = failed(command, "Exit code 2");
        assert!(finding.learnable && finding.failed, "{command}: {:?}", finding.reasons());
    }
    for command in ["node app.js", "ls x", "cat x", "cd x", "python x.py"] {
        assert!(!failed(command, "Exit code 1").learnable, "{command}");
    }
}

#[test]
fn an_exit_code_that_means_no_is_not_a_failure() {
    for command in [
        "grep -rn needle src",
        "diff a.txt b.txt",
        "test -f x",
        "[ -d x ]",
        "which nope",
        "cmp a b",
        "pgrep nope",
        "git diff --exit-code",
        "git merge-base --is-ancestor a b",
        "command -v nope",
        "git log | grep x",
        "cd a && rg needle",
    ] {
        for error in ["Exit code 1", "Exit code 1\n< let error = TypeError: failed;\n> permission denied"] {
            let finding = failed(command, error);

            assert!(!finding.learnable && !finding.failed, "{command}: {:?}", finding.reasons());
            assert!(!finding.needs_fix());
        }
    }
    assert!(!failed("cargo test 2>&1 | grep FAILED", "Exit code 1").failed);
    assert!(failed("grep x missing", "Exit code 2\ngrep: missing: No such file or directory").learnable);
}

#[test]
fn exit_codes_of_crashes_and_timeouts_count_without_a_message() {
    for code in [124, 127, 134, 137, 139, 143] {
        assert!(failed("./app", &format!("Exit code {code}")).learnable, "{code}");
    }
}

#[test]
fn an_interrupted_tool_is_not_scored() {
    let input = r#"{"command":"make"}"#;
    let interrupted = ToolRun::from_failure("Bash", input, "Exit code 1\nerror: could not compile", true);
    let by_signal = ToolRun::from_failure("Bash", input, "Exit code 130\nmake: *** [all] Interrupt", false);

    for run in [interrupted, by_signal] {
        let finding = finding(&run);
        assert!(!finding.learnable && !finding.needs_fix() && finding.score == 0.0);
    }
}

#[test]
fn failures_of_other_tools_count_if_their_message_has_a_signal() {
    let missing = "File does not exist. Note: your current working directory is /home/dev/shop.";
    assert!(finding(&ToolRun::from_failure("Read", r#"{"file_path":"/x"}"#, missing, false)).learnable);

    let boom = finding(&ToolRun::from_failure("mcp__elic__boom", "{}", "boom failed", false));
    assert!(boom.learnable && boom.failed, "{:?}", boom.reasons());
    assert!(!finding(&ToolRun::from_failure("mcp__elic__boom", "{}", "boom", false)).learnable);
}
