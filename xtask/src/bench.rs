//! `cargo xtask bench`: what one hook costs, as a whole process, next to a program that does nothing.
//!
//! Medians of runs that take turns, so that whatever else the machine does falls on all of them alike. Every
//! run is the first of a session nobody has had. Not part of `cargo xtask test`: a busy machine would fail it
//! for no reason.

mod budget;
mod corpus;
mod events;
mod fixture;
mod hostile_layer;
mod options;
mod process;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::checkout::{self, cargo, target};
use crate::example::LANGUAGES;
use crate::{dist, setup};

use fixture::Fixture;
use options::{Options, Program};
use process::Sample;
use table::Row;

/// Rounds before the first that counts: layers compile, files come into memory.
const WARMUP_ROUNDS: usize = 3;

/// Measures and prints a table for the README.
pub fn run(words: &[String]) -> Result<()> {
    let options = Options::read(words)?;
    match options.programs.is_empty() {
        true => build_and_measure(options),
        false => measure(&options),
    }
}

/// Builds the program that people install and a plain release, and measures them in a new process: reading
/// what cargo says takes memory, and what this process has had at most counts for those that it starts (see
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
    let folder = target()?.join("bench");
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

/// A warning when others are at work here: ratios shrink or grow, depending on what they do.
fn busy_warning() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().and_then(|minute| minute.parse().ok()).unwrap_or(0.0);
    // Filling the stores is itself one process's work.
    if load < 1.5 {
        String::new()
    } else {
        format!("; this machine is busy (load {load}), do not trust the figures")
    }
}

/// Every program with a store of every size, and with a layer in every language on the largest.
fn fixtures(options: &Options, folder: &Path) -> Result<Vec<Fixture>> {
    let mut fixtures = Vec::new();
    for program in &options.programs {
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

/// The least that a process can cost: a static C program that ends at once.
fn empty_program(folder: &Path) -> Result<PathBuf> {
    let (source, program) = (folder.join("empty.c"), folder.join("empty"));
    std::fs::write(&source, "int main(void) { return 0; }\n")?;
    checkout::run(Command::new("cc").args(["-static", "-O2", "-o"]).arg(&program).arg(&source))
        .context("a C compiler with a static C library is needed to compare with")?;
    Ok(program)
}
