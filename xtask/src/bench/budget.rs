//! The performance budget of a hook: promised ratios to the empty program, and a check of each.

use std::fmt::Write;

use super::events::Event;
use super::process::Sample;
use super::table::Row;

/// Number of memories in the store for which the promises hold.
const STORE_SIZE: usize = 10_000;

/// Factor by which a plain release may exceed the promises for the program that people install.
const RELEASE_FACTOR: f64 = 1.5;

/// Maximum peak memory in MiB with the embedded layers. Layers in other languages need more; see the table.
const MAX_PEAK_MIB: f64 = 40.0;

/// Returns the promised maximum, as a multiple of the empty program's time. `layer` is the language of the
/// team's layer.
fn promised_ratio(event: Event, layer: Option<&str>) -> f64 {
    match event {
        Event::NoLayer => 3.0,
        Event::SilentPrompt => 8.0,
        Event::MatchingPrompt => 10.0,
        Event::SessionStart => 14.0,
        // Every command and every failure is searched for (docs/decisions/0064).
        Event::ToolWithoutMatch => 7.0,
        Event::ToolWithMatch => 10.0,
        Event::CleanOutput => 8.0,
        Event::OutputWithSecret => 14.0,
        Event::Stop => 10.0,
        // A layer in JavaScript or Python contains the runtime of its language.
        Event::Asked | Event::Passed if layer == Some("rust") => 10.0,
        Event::Asked | Event::Passed => 15.0,
    }
}

/// Returns a line for each promise that tells whether it held.
pub fn check(empty_program: &Sample, rows: &[Row]) -> String {
    let mut lines = String::new();
    for row in rows.iter().filter(|row| row.fixture.memories == STORE_SIZE) {
        let slack = if row.fixture.program == "release" { RELEASE_FACTOR } else { 1.0 };
        let promised = promised_ratio(row.event, row.fixture.layer) * slack;
        let ratio = row.sample.median() / empty_program.median();
        let name = format!("{}, {}", row.fixture.program, row.name());
        let _ = writeln!(
            lines,
            "{} {name}: {ratio:.1} times the empty program, promised {promised}",
            verdict(ratio, promised)
        );
    }
    let ours = rows.iter().filter(|row| row.fixture.layer.is_none());
    let peak = ours.map(|row| row.sample.peak()).fold(0.0, f64::max);
    let _ = writeln!(
        lines,
        "{} peak memory: {peak:.1} MiB, promised {MAX_PEAK_MIB}",
        verdict(peak, MAX_PEAK_MIB)
    );
    lines
}

fn verdict(is: f64, promised: f64) -> &'static str {
    if is <= promised { "held    " } else { "NOT HELD" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkout::root;
    use crate::example::LANGUAGES;

    /// Returns the rows of the documented table by their names, each as median milliseconds and ratio.
    fn documented() -> Vec<(String, f64, f64)> {
        let page = std::fs::read_to_string(root().join("docs/performance.md")).expect("the page exists");
        let rows = page.lines().filter(|line| line.starts_with("| dist ") || line.starts_with("| empty "));
        let number = |cell: &str| cell.parse().expect("a number");
        rows.map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            (cells[2].to_owned(), number(cells[3]), number(cells[4]))
        })
        .collect()
    }

    #[test]
    fn the_documented_table_has_a_row_for_each_event_and_holds_every_promise() {
        let rows = documented();
        let (_, empty_ms, _) = &rows[0];
        let embedded = Event::EMBEDDED_LAYERS.map(|event| (event.name().to_owned(), event, None));
        let of_team = LANGUAGES.iter().flat_map(|language| {
            let name = |event: Event| format!("{} (layer in {})", event.name(), language.name);
            Event::TEAM_LAYER.map(|event| (name(event), event, Some(language.name)))
        });

        for (name, event, layer) in embedded.into_iter().chain(of_team) {
            let (_, ms, ratio) =
                rows.iter().find(|row| row.0 == name).unwrap_or_else(|| panic!("no row for {name}"));
            // The empty program's half a millisecond is rounded to hundredths.
            let is_ratio = (ms / empty_ms / ratio - 1.0).abs() < 0.02;
            assert!(is_ratio, "{name}: {ms} ms of {empty_ms} ms is not {ratio}");
            assert!(*ratio <= promised_ratio(event, layer), "{name}: {ratio}");
        }
    }

    #[test]
    fn the_readme_rounds_the_documented_ratio() {
        const NUMBERS: [&str; 8] = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
        let rows = documented();
        let (_, _, ratio) = rows.iter().find(|row| row.0 == Event::SilentPrompt.name()).expect("a row");
        let readme = std::fs::read_to_string(root().join("README.md")).expect("it exists");
        let readme = readme.split_whitespace().collect::<Vec<_>>().join(" ");

        let number = NUMBERS[ratio.round() as usize - 1];
        assert!(readme.contains(&format!("a silent prompt takes about {number} times as long")), "{ratio}");
    }
}
