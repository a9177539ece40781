//! Writes the tables into the page of the documentation.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::arguments::Arguments;

/// The beginning of the paragraph that says where the tables come from.
const PROVENANCE: &str = "Measured with ";

/// Returns the paragraph that says where the tables come from.
pub fn provenance(arguments: &Arguments, program: &Path) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let kernel = kernel.split(['-', '+']).next().unwrap_or_default().trim();
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kibibytes = memory.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0.0);
    let command = format!("cargo xtask faults {}", arguments.measured().join(" "));
    let gibibytes = kibibytes / f64::from(1 << 20);
    let is_dist = program.components().any(|part| part.as_os_str() == "dist");
    let program = if is_dist { "the program of `cargo xtask dist`" } else { "a build for development" };
    let machine = format!("{cores} cores, {gibibytes:.0} GiB of memory, Linux {kernel}");
    format!("{PROVENANCE}`{command}` and {program}, on\n{machine}.")
}

/// Replaces the tables and the paragraph that says where they come from.
pub fn write(page: &Path, tables: &[String], provenance: &str) -> Result<()> {
    let mut text = fs::read_to_string(page).with_context(|| page.display().to_string())?;
    for table in tables {
        text = with_table(&text, table)?;
    }
    text = with_block(&text, provenance, |line| line.starts_with(PROVENANCE))?;
    Ok(fs::write(page, text)?)
}

/// Replaces the table whose head begins with the same cell.
fn with_table(text: &str, table: &str) -> Result<String> {
    let first_cell = |row: &str| row.split('|').nth(1).map(|cell| cell.trim().to_owned());
    with_block(text, table, |line| line.starts_with('|') && first_cell(line) == first_cell(table))
}

/// Replaces the lines from this first one to the next empty line.
fn with_block(text: &str, block: &str, is_first: impl Fn(&str) -> bool) -> Result<String> {
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| is_first(line));
    let start = start.with_context(|| format!("the page has no place for {block}"))?;
    let length = lines[start..].iter().take_while(|line| !line.is_empty()).count();
    let (before, behind) = (&lines[..start], &lines[start + length..]);
    let lines = before.iter().copied().chain(block.lines()).chain(behind.iter().copied());
    Ok(lines.map(|line| format!("{line}\n")).collect())
}

/// Returns the cells of the rows of a documented table, the first of which is its head; `None` until it has
/// been measured.
#[cfg(test)]
pub fn documented(first_cell: &str) -> Option<Vec<Vec<String>>> {
    let page = fs::read_to_string(crate::checkout::root().join("docs/faults.md")).expect("the page exists");
    let cells = |row: &str| -> Vec<String> {
        row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let lines = page.lines().skip_while(|line| !line.starts_with('|') || cells(line)[0] != first_cell);
    let rows: Vec<Vec<String>> = lines.take_while(|line| line.starts_with('|')).map(cells).collect();
    assert!(rows.len() >= 2, "the page has no table {first_cell}");
    (rows.len() > 2).then_some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_the_place_of_the_one_with_the_same_first_cell() {
        let page = "text\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n| c | d |\n| 3 | 4 |\n\nend\n";

        let written = with_table(page, "| c | e |\n| 5 | 6 |\n| 7 | 8 |\n").unwrap();

        assert_eq!(written, page.replace("| c | d |\n| 3 | 4 |", "| c | e |\n| 5 | 6 |\n| 7 | 8 |"));
        assert!(with_table(page, "| x | y |\n").is_err());
    }
}
