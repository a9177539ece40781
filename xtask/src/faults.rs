//! `cargo xtask faults` measures what takes too long for the tests: thousands of processes killed at random
//! moments, and stores of up to 300,000 memories.
//!
//! It fails if something acknowledged was lost or doubled, or if a promise of `docs/faults.md` does not hold.

mod arguments;
mod growth;
mod kills;
mod lessons;
mod page;

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::bench::busy_warning;
use crate::checkout::{self, root};
use crate::{dist, setup};

use arguments::Arguments;

/// Maximum number of findings in the error. The others were printed when they were found.
const MAX_LISTED: usize = 10;

/// Runs the measurements, prints their tables, and writes them into the documentation if that is asked.
pub fn run(words: &[String]) -> Result<()> {
    let arguments = Arguments::read(words)?;
    match &arguments.binary {
        None => build_and_measure(arguments),
        Some(program) => measure(&arguments, &program.canonicalize().context(program.display().to_string())?),
    }
}

/// Builds the program that people install, and measures it in a new process: reading cargo's messages takes
/// memory, and the peak of this process would count for those that it starts.
fn build_and_measure(mut arguments: Arguments) -> Result<()> {
    setup::prepare()?;
    println!("building the dist program; the first time takes some minutes");
    arguments.binary = Some(dist::build()?);
    checkout::run(Command::new(std::env::current_exe()?).arg("faults").args(arguments.words()))
}

/// Measures growth first: a peak of memory below this process's own size cannot be measured, and the killing
/// makes it grow.
fn measure(arguments: &Arguments, program: &Path) -> Result<()> {
    println!("seed {}{}", arguments.seed, busy_warning());
    let mut broken = Vec::new();
    let mut tables = Vec::new();
    if !arguments.stores.is_empty() {
        let report = growth::measure(arguments, program)?;
        report.tables.iter().for_each(|table| print!("\n{table}"));
        println!();
        report.promises.iter().for_each(|promise| println!("{}", promise.verdict()));
        broken.extend(
            report.promises.iter().filter(|promise| !promise.is_held()).map(|promise| promise.verdict()),
        );
        tables.extend(report.tables);
    }
    if arguments.kills > 0 {
        let report = kills::run(arguments, program)?;
        print!("\n{}", report.table);
        broken.extend(report.failures);
        tables.push(report.table);
    }
    if arguments.write {
        let page = root().join("docs/faults.md");
        page::write(&page, &tables, &page::provenance(arguments, program))?;
        println!("\nwritten to {}", page.display());
    }
    if !broken.is_empty() {
        let first = broken.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>().join("\n");
        bail!("{} findings; the first of them:\n{first}", broken.len());
    }
    println!("\nnothing was lost or doubled, and every promise that was checked held");
    Ok(())
}
