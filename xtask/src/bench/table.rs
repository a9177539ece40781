//! The figures as Markdown, for the README.

use std::fmt::Write;

use super::cell::Cell;
use super::process::Sample;

/// The table, the empty program first.
pub fn markdown(nothing: &Sample, cells: &[Cell]) -> String {
    let mut table = String::from(
        "| program | memories | event | median ms | × empty program | hits | injected | peak MiB |\n\
         |---|---:|---|---:|---:|---:|---:|---:|\n",
    );
    let empty = nothing.median();
    let _ = writeln!(table, "| empty static C program | | | {empty:.2} | 1.0 | | | {:.1} |", nothing.peak());
    for cell @ Cell { scene, sample, hits, injected, .. } in cells {
        let (program, memories, row) = (&scene.program, scene.memories, cell.name());
        let (median, peak) = (sample.median(), sample.peak());
        let [hits, injected] =
            [hits, injected].map(|count| count.map_or(String::new(), |count| count.to_string()));
        let _ = writeln!(
            table,
            "| {program} | {memories} | {row} | {median:.2} | {:.1} | {hits} | {injected} | {peak:.1} |",
            median / empty
        );
    }
    table
}
