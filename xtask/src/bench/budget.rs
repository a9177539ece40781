//! The performance budget of a hook: promised ratios to the empty program, and whether they held.

use std::fmt::Write;

use super::events::Event;
use super::process::Sample;
use super::table::Row;

/// The size of the store that the promise is about.
const STORE_SIZE: usize = 10_000;

/// Factor by which a plain release may exceed what is promised of the program that people install.
const RELEASE_FACTOR: f64 = 1.5;

/// Peak memory, in MiB, with the layers that come with Interleaf. Another language has its own needs: the
/// table tells.
const MAX_PEAK_MIB: f64 = 40.0;

/// The promised maximum, as a multiple of the empty program's time.
fn promised_ratio(row: &Row) -> f64 {
    match row.event {
        Event::NoLayer => 3.0,
        Event::SilentPrompt => 8.0,
        Event::MatchingPrompt => 10.0,
        Event::SessionStart => 14.0,
        Event::ToolWithoutMatch => 6.0,
        Event::ToolWithMatch => 10.0,
        Event::CleanOutput => 8.0,
        Event::OutputWithSecret => 12.0,
        Event::Stop => 10.0,
        // A layer in JavaScript or Python brings its whole language along.
        Event::Asked | Event::Passed if row.fixture.layer == Some("rust") => 10.0,
        Event::Asked | Event::Passed => 15.0,
    }
}

/// Returns a line for each promise: whether it held.
pub fn check(empty_program: &Sample, rows: &[Row]) -> String {
    let mut lines = String::new();
    for row in rows.iter().filter(|row| row.fixture.memories == STORE_SIZE) {
        let slack = if row.fixture.program == "release" { RELEASE_FACTOR } else { 1.0 };
        let (promised, ratio) = (promised_ratio(row) * slack, row.sample.median() / empty_program.median());
        let name = format!("{}, {}", row.fixture.program, row.name());
        let _ = writeln!(
            lines,
            "{} {name}: {ratio:.1} times the empty program, promised {promised}",
            held(ratio, promised)
        );
    }
    let ours = rows.iter().filter(|row| row.fixture.layer.is_none());
    let peak = ours.map(|row| row.sample.peak()).fold(0.0, f64::max);
    let _ =
        writeln!(lines, "{} peak memory: {peak:.1} MiB, promised {MAX_PEAK_MIB}", held(peak, MAX_PEAK_MIB));
    lines
}

fn held(is: f64, promised: f64) -> &'static str {
    if is <= promised { "held    " } else { "NOT HELD" }
}
