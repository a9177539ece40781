//! What takes longer in a large store than in a small one: an import, and then whole processes on the stores
//! in turn, so that other load on the machine affects all of them alike.

mod beside_gc;
mod operations;
mod promises;

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};

use crate::bench::fixture::Fixture;
use crate::bench::options::Program;
use crate::bench::process::{ProcessRun, Sample};

use super::arguments::{Arguments, LARGE_STORE};

use operations::Operation;
use promises::Promise;

/// The first cell of the table.
pub const TABLE_HEAD: &str = "operation";

/// Number of rounds that do not count.
const WARMUP_ROUNDS: usize = 2;

/// A store, and what was measured on it.
pub struct Store {
    fixture: Fixture,
    import: ProcessRun,
    /// The costs of [`Operation::ALL`].
    samples: Vec<Sample>,
    /// The memory that was written last.
    newest: String,
}

/// The result of all measurements.
pub struct GrowthReport {
    /// The tables, as Markdown.
    pub tables: Vec<String>,
    /// The promises that were checked.
    pub promises: Vec<Promise>,
}

/// Fills the stores, and measures every operation on each of them.
pub fn measure(arguments: &Arguments, program: &Path) -> Result<GrowthReport> {
    let folder = std::env::temp_dir().join("interleaf-growth");
    let sizes = arguments.stores.iter();
    let mut stores = sizes.map(|size| Store::filled(&folder, program, *size)).collect::<Result<Vec<_>>>()?;
    for round in 0..WARMUP_ROUNDS + arguments.runs {
        if round == WARMUP_ROUNDS {
            stores.iter_mut().for_each(Store::forget_samples);
        }
        for operation in Operation::ALL {
            for store in &mut stores {
                store.run(operation, round).with_context(|| operation.name())?;
            }
        }
    }
    let mut report = GrowthReport { tables: vec![table(&stores)], promises: promises::of(&stores) };
    for store in stores.iter().filter(|store| store.size() == LARGE_STORE) {
        let beside = beside_gc::measure(&store.fixture)?;
        report.promises.extend(beside.promises());
        report.tables.push(beside.table());
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(report)
}

impl Store {
    /// Creates a store of this size with `interleaf memory import`.
    fn filled(folder: &Path, program: &Path, size: usize) -> Result<Self> {
        let program = Program { name: "store".to_owned(), path: program.to_owned() };
        let name = folder.join(size.to_string());
        let mut fixture = Fixture::new(&name, &program, 0, None)?;
        fixture.memories = size;
        let import = fixture.import().context("the import of a store")?;
        fixture.remember_rules()?;
        println!("imported {size} memories in {:.1} s, peak {:.1} MiB", import.seconds(), import.peak());
        let samples = vec![Sample::default(); Operation::ALL.len()];
        Ok(Self { fixture, import, samples, newest: String::new() })
    }

    fn size(&self) -> usize {
        self.fixture.memories
    }

    fn forget_samples(&mut self) {
        self.samples.fill(Sample::default());
    }

    fn run(&mut self, operation: Operation, round: usize) -> Result<()> {
        let ran = operation.run(&self.fixture, round, &self.newest)?;
        if let Some(id) = ran.stdout.strip_prefix("Remembered as ").and_then(|rest| rest.split(' ').next()) {
            id.clone_into(&mut self.newest);
        }
        self.samples[operation as usize].add(ran);
        Ok(())
    }

    /// Returns the median time of an operation in milliseconds.
    fn median(&self, operation: Operation) -> f64 {
        self.samples[operation as usize].median()
    }
}

/// Returns the table: the import, then every operation, with its ratio to the smallest store.
fn table(stores: &[Store]) -> String {
    let mut table = format!("| {TABLE_HEAD} |");
    for (index, store) in stores.iter().enumerate() {
        let _ = write!(table, " {} |{}", thousands(store.size()), if index > 0 { " × |" } else { "" });
    }
    let _ = write!(table, "\n|---|{}\n", "---:|".repeat(2 * stores.len() - 1));
    let of_import = |figure: fn(&ProcessRun) -> f64| -> Vec<f64> {
        stores.iter().map(|store| figure(&store.import)).collect()
    };
    row(&mut table, "`memory import`, s", &of_import(ProcessRun::seconds));
    row(&mut table, "its processor time, s", &of_import(ProcessRun::busy_seconds));
    row(&mut table, "its peak memory, MiB", &of_import(ProcessRun::peak));
    for operation in Operation::ALL {
        let medians: Vec<f64> = stores.iter().map(|store| store.median(operation)).collect();
        row(&mut table, &format!("{}, ms", operation.name()), &medians);
    }
    table
}

fn row(table: &mut String, name: &str, figures: &[f64]) {
    let _ = write!(table, "| {name} |");
    for (index, figure) in figures.iter().enumerate() {
        let ratio = if index > 0 { format!(" {:.1} |", figure / figures[0]) } else { String::new() };
        let _ = write!(table, " {figure:.1} |{ratio}");
    }
    table.push('\n');
}

/// Returns a number with its thousands apart.
pub fn thousands(number: usize) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", thousands(number / 1_000), number % 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([7, 1_000, 300_012].map(thousands), ["7", "1,000", "300,012"]);
    }

    #[test]
    fn a_row_compares_each_size_with_the_first() {
        let mut table = String::new();

        row(&mut table, "x", &[2.0, 3.0, 5.0]);

        assert_eq!(table, "| x | 2.0 | 3.0 | 1.5 | 5.0 | 2.5 |\n");
    }
}
