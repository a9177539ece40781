//! What is promised of a hook, and whether it held.

use std::fmt::Write;

use super::cell::{Cell, Row};
use super::process::Sample;

/// The size of the store that the promise is about.
const MEMORIES: usize = 10_000;

/// What a plain release may cost, as a multiple of what is promised of the program that people install.
const RELEASE: f64 = 1.5;

/// Peak memory, in MiB, with the layers that come with Interleaf. Another language has its own needs: the
/// table tells.
const PEAK: f64 = 40.0;

/// Multiples of the empty program's time.
fn ratio(cell: &Cell) -> f64 {
    match cell.row {
        Row::NoLayer => 3.0,
        Row::SilentPrompt => 8.0,
        Row::MatchingPrompt => 10.0,
        Row::SessionStart => 14.0,
        Row::ToolWithoutMatch => 6.0,
        Row::ToolWithMatch => 10.0,
        Row::CleanOutput => 8.0,
        Row::OutputWithSecret => 12.0,
        Row::Stop => 10.0,
        // A layer in JavaScript or Python brings its whole language along.
        Row::Asked | Row::Passed if cell.scene.layer == Some("rust") => 10.0,
        Row::Asked | Row::Passed => 15.0,
    }
}

/// One line for each thing promised.
pub fn verdict(nothing: &Sample, cells: &[Cell]) -> String {
    let mut lines = String::new();
    for cell in cells.iter().filter(|cell| cell.scene.memories == MEMORIES) {
        let slack = if cell.scene.program == "release" { RELEASE } else { 1.0 };
        let (least, ratio) = (ratio(cell) * slack, cell.sample.median() / nothing.median());
        let name = format!("{}, {}", cell.scene.program, cell.name());
        let _ = writeln!(
            lines,
            "{} {name}: {ratio:.1} times the empty program, promised {least}",
            held(ratio, least)
        );
    }
    let ours = cells.iter().filter(|cell| cell.scene.layer.is_none());
    let peak = ours.map(|cell| cell.sample.peak()).fold(0.0, f64::max);
    let _ = writeln!(lines, "{} peak memory: {peak:.1} MiB, promised {PEAK}", held(peak, PEAK));
    lines
}

fn held(is: f64, promised: f64) -> &'static str {
    if is <= promised { "held    " } else { "NOT HELD" }
}
