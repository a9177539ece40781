//! `cargo xtask bench` measures a hook as a whole process, in relation to a program that does nothing.
//!
//! It takes medians of interleaved runs, so that other load on the machine affects all of them alike. Every
//! run is the first event of a new session. It is not part of `cargo xtask test`, because it would fail on a
//! busy machine.

mod budget;
pub mod corpus;
pub mod events;
pub mod fixture;
mod hostile_layer;
pub mod options;
pub mod process;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::checkout::{self, cargo};
use crate::example::LANGUAGES;
use crate::{dist, setup};

use fixture::Fixture;
use options::{Options, Program};
use process::Sample;
use table::Row;

/// Number of rounds that do not count: layers compile, and files are loaded into the page cache.
const WARMUP_ROUNDS: usize = 3;

/// Runs the benchmark and prints a table for the README.
pub fn run(words: &[String]) -> Result<()> {
    let options = Options::read(words)?;
    match options.programs.is_empty() {
        true => build_and_measure(options),
        false => measure(&options),
    }
}

/// Builds the program that people install and a plain release, and measures them in a new process: reading
/// cargo's messages takes memory, and the peak of this process would count for those that it starts (see
/// `process.rs`).
fn build_and_measure(mut options: Options) -> Result<()> {
    setup::prepare()?;
    println!("building the dist and the release program; the first time takes some minutes");
    let release = checkout::build(&mut cargo(), &[checkout::BY_ITSELF, "--release"])?;
    let programs = [("dist", dist::build()?), ("release", release)];
    options.programs = programs.map(|(name, path)| Program { name: name.to_owned(), path }).into();
    checkout::run(Command::new(std::env::current_exe()?).arg("bench").args(options.words()))
}

fn measure(options: &Options) -> Result<()> {
    // Outside the checkout: a program ignores a variable for its folders that leads into a repository around
    // the project.
    let folder = std::env::temp_dir().join("interleaf-bench");
    std::fs::create_dir_all(&folder)?;
    let empty = empty_program(&folder)?;
    if options.hostile {
        return hostile_layer::measure(options, &folder, &empty);
    }
    let fixtures = fixtures(options, &folder)?;
    let mut rows: Vec<Row> = fixtures.iter().flat_map(Row::all).collect();
    println!("{} rounds of {} processes{}\n", options.runs, rows.len() + 1, busy_warning());
    let mut empty_sample = Sample::default();
    for round in 0..WARMUP_ROUNDS + options.runs {
        if round == WARMUP_ROUNDS {
            empty_sample = Sample::default();
            rows.iter_mut().for_each(Row::forget);
        }
        empty_sample.add(process::run(&mut Command::new(&empty), "")?);
        for row in &mut rows {
            row.run(round)?;
        }
    }
    print!("{}", table::markdown(&empty_sample, &rows));
    print!("\n{}", budget::check(&empty_sample, &rows));
    Ok(())
}

/// Returns a warning if the machine is busy, because other load makes the ratios unreliable.
pub fn busy_warning() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().and_then(|minute| minute.parse().ok()).unwrap_or(0.0);
    // Filling the stores loads one processor itself.
    if load < 1.5 {
        String::new()
    } else {
        format!("; this machine is busy (load {load}), do not trust the figures")
    }
}

/// Creates the fixtures: every program with a store of every size, and with a layer in every language on the
/// largest store.
fn fixtures(options: &Options, folder: &Path) -> Result<Vec<Fixture>> {
    let mut fixtures = Vec::new();
    for program in &options.programs {
        let program = &fresh_copy(program, folder)?;
        for &memories in &options.stores {
            println!("filling a store with {memories} memories for {}", program.name);
            fixtures.push(Fixture::new(folder, program, memories, None)?);
        }
        let memories = options.stores.iter().copied().max().unwrap_or_default();
        for language in &LANGUAGES {
            if let Some(missing) = language.missing() {
                println!("a layer in {} is not measured: {missing}", language.name);
                continue;
            }
            println!("accepting a layer in {} for {}", language.name, program.name);
            fixtures.push(Fixture::new(folder, program, memories, Some(language))?);
        }
    }
    Ok(fixtures)
}

/// Copies a program into a new file that is written in one piece. How a file came into the kernel's page
/// cache changes the time of its processes (docs/performance.md), so all programs must be alike in this. `dd`
/// does it, because what this process reads would count as the peak memory of those that it starts.
fn fresh_copy(program: &Program, folder: &Path) -> Result<Program> {
    let path = folder.join(format!("program-{}", program.name));
    // A copy of an earlier run keeps its page cache as long as it exists.
    let _ = std::fs::remove_file(&path);
    let files = [format!("if={}", program.path.display()), format!("of={}", path.display())];
    checkout::output_of(Command::new("dd").args(files).arg("bs=268435456"))?;
    std::fs::set_permissions(&path, std::fs::metadata(&program.path)?.permissions())?;
    Ok(Program { name: program.name.clone(), path })
}

/// Builds the reference, which is the cheapest possible process: a static C program that exits at once.
fn empty_program(folder: &Path) -> Result<PathBuf> {
    let (source, program) = (folder.join("empty.c"), folder.join("empty"));
    std::fs::write(&source, "int main(void) { return 0; }\n")?;
    checkout::run(Command::new("cc").args(["-static", "-O2", "-o"]).arg(&program).arg(&source))
        .context("a C compiler with a static C library is needed to compare with")?;
    Ok(program)
}
