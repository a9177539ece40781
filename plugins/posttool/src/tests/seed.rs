//! What was wrong in the seed's detector, each row of its table marked as a defect.

use super::*;

/// Blank lines in a long genuine failure pushed it below the threshold.
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

/// The threshold was read and not passed on.
#[test]
fn the_threshold_of_the_settings_holds() {
    let happening = Happening::failed("Bash", r#"{"command":"node x.js"}"#, "Exit code 1", false);
    let commands = topics::commands("node x.js");

    for (threshold, learnable) in [("0.5", true), ("0.6", false)] {
        let settings = Settings::read(&format!("{{\"threshold\": {threshold}}}"));
        assert_eq!(detect(&happening, &commands, &settings).learnable, learnable, "{threshold}");
    }
}

/// The response has no exit code, and failures are another event: the strongest signal never fired.
#[test]
fn the_exit_code_is_read_from_the_words_of_the_failure() {
    let finding = failed("node x.js", "Exit code 1\nError: file not found");

    assert!(finding.learnable && finding.reasons().iter().any(|reason| reason.starts_with("exit 0.50")));
}

/// An exit code alone was missed for builds, and Grep or Write that mention a TypeError were taken for one.
#[test]
fn what_the_seed_missed_and_what_it_made_up() {
    assert!(failed("make build", "Exit code 2").learnable);
    assert!(!ran("grep -rn TypeError src", "src/a.py:3: raise TypeError('error')", "").learnable);
}

/// Noise counted everywhere; it counts only where nothing failed, and never more than 0.3.
#[test]
fn lines_of_success_lessen_a_doubtful_score_only() {
    let doubtful = "retrying in 1s\nfalling back to the mirror\n";
    let success = "done\nok\nBuild complete\nok\nok\nok\nok\nok\nok\nok\n";

    assert!(ran("./sync", doubtful, "").learnable);
    let less = ran("./sync", &format!("{doubtful}{success}"), "");
    assert!(!less.learnable && (less.score - 0.35).abs() < 1e-9, "{}", less.score);
    assert!(failed("make", &format!("Exit code 2\n{success}")).learnable);
}
