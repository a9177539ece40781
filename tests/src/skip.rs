//! Reports of skipped tests.
//!
//! Rust's test harness has no *skipped* result: a test that returns early counts as passed, and its output is
//! captured. So the report goes to the real standard error, which the harness does not capture, and into a
//! marker file in `target/skipped/`, which `cargo xtask test` lists at the end.

use crate::workspace;
use std::io::Write;
use std::panic::Location;
use std::path::PathBuf;

/// Reports that the calling test is skipped, with the reason.
#[track_caller]
pub fn skipped(reason: &str) {
    let (marker, location) = (marker(Location::caller()), Location::caller());
    let line = format!("\n!!! SKIPPED, NOT TESTED: {} ({location}): {reason}\n\n", name(location));
    let _ = std::io::stderr().write_all(line.as_bytes());
    let folder = marker.parent().expect("the marker lies in a folder");
    std::fs::create_dir_all(folder).expect("the target folder is writable");
    std::fs::write(&marker, format!("{location}: {reason}\n")).expect("the target folder is writable");
}

/// Removes the report of an earlier run about the calling test.
#[track_caller]
pub fn not_skipped() {
    let _ = std::fs::remove_file(marker(Location::caller()));
}

fn marker(location: &Location<'_>) -> PathBuf {
    workspace::target().join("skipped").join(name(location))
}

/// Returns the name of the current test. The harness names the thread of a test after it, unless it runs
/// tests on the main thread; then the location replaces the name.
fn name(location: &Location<'_>) -> String {
    match std::thread::current().name() {
        Some("main") | None => location.to_string().replace(['/', ':'], "-"),
        Some(test) => test.replace("::", "-"),
    }
}
