//! Saying aloud that something was not tested.
//!
//! The harness of Rust has no word for *skipped*: a test that returns early counts as passed, and what it
//! prints is swallowed. So the line goes to the real standard error, which the harness does not capture, and
//! a marker file in `target/skipped/` stays behind, which `cargo xtask test` lists at the end.

use crate::workspace;
use std::io::Write;
use std::panic::Location;
use std::path::PathBuf;

/// Says that the calling test is skipped, and why.
#[track_caller]
pub fn skipped(reason: &str) {
    let (marker, place) = (marker(Location::caller()), Location::caller());
    let line = format!("\n!!! SKIPPED, NOT TESTED: {} ({place}): {reason}\n\n", name(place));
    let _ = std::io::stderr().write_all(line.as_bytes());
    let folder = marker.parent().expect("the marker lies in a folder");
    std::fs::create_dir_all(folder).expect("the target folder is writable");
    std::fs::write(&marker, format!("{place}: {reason}\n")).expect("the target folder is writable");
}

/// Takes back what an earlier run said of the calling test.
#[track_caller]
pub fn not_skipped() {
    let _ = std::fs::remove_file(marker(Location::caller()));
}

fn marker(place: &Location<'_>) -> PathBuf {
    workspace::target().join("skipped").join(name(place))
}

/// The harness names the thread of a test after it, except where it runs tests on the main thread.
fn name(place: &Location<'_>) -> String {
    match std::thread::current().name() {
        Some("main") | None => place.to_string().replace(['/', ':'], "-"),
        Some(test) => test.replace("::", "-"),
    }
}
