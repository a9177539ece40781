//! Tests of scores and the threshold, with mistakes that an earlier detector made.

use super::*;

/// An earlier detector let blank lines push a long failure below the threshold.
#[test]
fn blank_lines_and_headings_do_not_hide_a_failure() {
    let error = format!(
        "Exit code 1\n{}Error: the archive is gone\n{}# heading\n## heading\n",
        "\n\n\n".repeat(80),
        "\n".repeat(90)
    );

    assert!(failed("node export.js", &error).learnable);
    assert_eq!(
        failed("node export.js", &error).score,
        failed("node export.js", "Exit code 1\nError: the archive is gone").score
    );
}

/// An earlier detector read the threshold and did not use it.
#[test]
fn the_threshold_of_the_settings_applies() {
    let run = ToolRun::from_failure("Bash", r#"{"command":"node x.js"}"#, "Exit code 1", false);
    let commands = interleaf_shell::commands("node x.js");

    for (threshold, learnable) in [("0.5", true), ("0.6", false)] {
        let settings = Settings::parse(&format!("{{\"threshold\": {threshold}}}"));
        assert_eq!(detect(&run, &commands, &settings).learnable, learnable, "{threshold}");
    }
}

/// A failure is a separate event whose text contains the exit code; a response has no exit code.
#[test]
fn the_exit_code_is_read_from_the_text_of_the_failure() {
    let finding = failed("node x.js", "Exit code 1\nError: file not found");

    assert!(finding.learnable && finding.reasons().iter().any(|reason| reason.starts_with("exit 0.50")));
}

/// A bare exit code of a build counts; a search result that mentions a TypeError does not.
#[test]
fn a_build_failure_without_a_message_counts_and_a_search_result_does_not() {
    assert!(failed("make build", "Exit code 2").learnable);
    assert!(!succeeded("grep -rn TypeError src", "src/a.py:3: raise TypeError('error')", "").learnable);
}

/// Lines of success subtract from the score only if nothing failed, and never more than 0.3.
#[test]
fn lines_of_success_reduce_only_an_uncertain_score() {
    let uncertain = "retrying in 1s\nfalling back to the mirror\n";
    let success = "done\nok\nBuild complete\nok\nok\nok\nok\nok\nok\nok\n";

    assert!(succeeded("./sync", uncertain, "").learnable);
    let reduced = succeeded("./sync", &format!("{uncertain}{success}"), "");
    assert!(!reduced.learnable && (reduced.score - 0.35).abs() < 1e-9, "{}", reduced.score);
    assert!(failed("make", &format!("Exit code 2\n{success}")).learnable);
}
