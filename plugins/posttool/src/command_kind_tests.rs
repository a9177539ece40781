//! Tests of command kinds as tables.

use super::*;

#[test]
fn exit_code_1_can_be_a_negative_answer() {
    for line in [
        "grep -r needle src",
        "cat log | grep needle",
        "cd src && rg needle",
        "diff a b",
        "test -f x",
        "[ -f x ]",
        "which foo",
        "command -v foo",
        "cmp a b",
        "pgrep foo",
        "git diff --exit-code",
        "git diff --quiet HEAD",
        "git merge-base --is-ancestor a b",
        "git grep x",
        "cargo test 2>&1 | grep FAILED",
        "ls | grep x | head",
        "grep -q x f && echo yes",
        "git log | grep fix",
        "systemctl is-active nginx",
    ] {
        assert!(is_negative_answer(&interleaf_shell::commands(line), 1), "{line}");
    }
}

#[test]
fn other_exit_codes_are_failures() {
    for (line, code) in [
        ("grep needle missing", 2),
        ("diff a b", 2),
        ("make test", 1),
        ("cargo build", 1),
        ("cat x", 1),
        ("grep -q x f && make deploy", 2),
        ("git push", 1),
        ("python app.py", 1),
        ("", 1),
        ("git diff", 128),
    ] {
        assert!(!is_negative_answer(&interleaf_shell::commands(line), code), "{line}");
    }
    assert!(!is_negative_answer(&interleaf_shell::commands("make && grep -c x log && make deploy"), 1));
}

#[test]
fn builds_tests_and_deployments_are_builds() {
    for line in [
        "make",
        "cargo test -p x",
        "npm run build",
        "npm ci",
        "pnpm -r test",
        "go vet ./...",
        "python -m pytest -q",
        "./scripts/deploy.sh prod",
        "cd app && RAILS_ENV=test bundle exec rspec",
        "docker build .",
        "npx tsc",
        "git push origin main",
        "terraform apply",
        "cargo xtask test",
        "pip install x",
        "g++ a.cc",
        "./gradlew build",
        "npm run test:unit",
        "uv run pytest",
        "kubectl apply -f x.yaml",
    ] {
        assert_eq!(of(&interleaf_shell::commands(line)), CommandKind::Build, "{line}");
    }
}

#[test]
fn readers_and_other_programs_are_not_builds() {
    for line in [
        "cat build.log",
        "ls tests",
        "grep build Makefile",
        "git log",
        "python app.py",
        "curl -s x",
        "node x.js",
        "",
    ] {
        assert_eq!(of(&interleaf_shell::commands(line)), CommandKind::Other, "{line}");
    }
}
