//! What a run says of itself: lines of mere success, and the one that sums up that all went well.

use crate::scan::lines;

/// What a line of mere success takes off, and all of them at most (seed 002). Blank lines and headings, which the seed
/// counted too, say nothing about a failure.
const PER_NOISE: f64 = 0.05;
const MOST_NOISE: f64 = 0.3;

/// How much lines of mere success take off.
pub fn noise(text: &str) -> f64 {
    let count = lines(text).filter(|line| is_noise(text[line.clone()].trim())).take(6).count();
    (PER_NOISE * count as f64).min(MOST_NOISE)
}

/// Words by which builds and test runs sum up that all went well.
const VERDICTS: [&str; 8] = [
    "test result: ok",
    "build success",
    "build succeeded",
    "all tests passed",
    "all checks passed",
    "compiled successfully",
    " passed, 0 failed",
    " 0 failures",
];

/// Whether a line sums up that all went well.
pub fn is_verdict(line: &str) -> bool {
    if line.len() > 200 {
        return false;
    }
    let line = line.to_ascii_lowercase();
    let counted = line.trim_start_matches(['=', ' ']);
    let passed = counted.starts_with("tests:") && counted.contains(" passed") && !counted.contains("fail")
        || counted.starts_with(|c: char| c.is_ascii_digit())
            && counted.contains(" passed in ")
            && !counted.contains("fail");
    passed || VERDICTS.iter().any(|verdict| line.contains(verdict)) && !line.contains("error")
}

fn is_noise(line: &str) -> bool {
    if line.len() > 200 || line.is_empty() {
        return false;
    }
    let line = line.to_ascii_lowercase();
    let bare = matches!(
        line.trim_end_matches(['.', '!']),
        "ok" | "done" | "success" | "passed" | "all checks passed"
    );
    let ends = [
        "build complete",
        "successfully installed",
        "build succeeded",
        "build successful",
        "test result: ok",
    ];
    bare || line.starts_with("[info]")
        || line.ends_with("tests passed")
        || ends.iter().any(|end| line.contains(end))
}
