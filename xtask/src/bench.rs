//! `cargo xtask bench`: what one hook costs, as a whole process, next to a program that does nothing.
//!
//! Medians of runs that take turns, so that whatever else the machine does falls on all of them alike. Every run is
//! the first of a session nobody has had. Not part of `cargo xtask test`: a busy machine would fail it for no reason.

mod cell;
mod corpus;
mod options;
mod process;
mod promise;
mod random;
mod scene;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::checkout::{self, cargo, target};
use crate::{dist, setup};

use cell::Cell;
use options::Options;
use process::Sample;
use scene::Scene;

/// Rounds before the first that counts: layers compile, files come into memory.
const WARMUP: usize = 3;

/// A program to measure.
struct Program {
    name: &'static str,
    path: PathBuf,
}

/// Measures and prints a table for the README.
pub fn run(words: &[String]) -> Result<()> {
    let options = Options::read(words)?;
    let folder = target()?.join("bench");
    std::fs::create_dir_all(&folder)?;
    let empty = empty_program(&folder)?;
    let mut scenes = Vec::new();
    for program in programs(&options)? {
        for &memories in &options.stores {
            println!("filling a store with {memories} memories for {}", program.name);
            scenes.push(Scene::set(&folder, &program, memories)?);
        }
    }
    let mut cells: Vec<Cell> = scenes.iter().flat_map(Cell::all).collect();
    println!("{} rounds of {} processes\n", options.runs, cells.len() + 1);
    let mut nothing = Sample::default();
    for round in 0..WARMUP + options.runs {
        if round == WARMUP {
            nothing = Sample::default();
            cells.iter_mut().for_each(Cell::forget);
        }
        nothing.add(process::run(&mut Command::new(&empty), "")?);
        for cell in &mut cells {
            cell.run(round)?;
        }
    }
    print!("{}", table::markdown(&nothing, &cells));
    print!("\n{}", promise::verdict(&nothing, &cells));
    Ok(())
}

/// The programs asked for; else the one that people install and a plain release.
fn programs(options: &Options) -> Result<Vec<Program>> {
    if let Some(path) = &options.binary {
        let path = path.canonicalize().with_context(|| path.display().to_string())?;
        return Ok(vec![Program { name: "given", path }]);
    }
    setup::prepare()?;
    println!("building the dist and the release program; the first time takes some minutes");
    let release = checkout::build(&mut cargo(), &["--release"])?;
    Ok(vec![Program { name: "dist", path: dist::build()? }, Program { name: "release", path: release }])
}

/// The least that a process can cost: a static C program that ends at once.
fn empty_program(folder: &Path) -> Result<PathBuf> {
    let (source, program) = (folder.join("empty.c"), folder.join("empty"));
    std::fs::write(&source, "int main(void) { return 0; }\n")?;
    checkout::run(Command::new("cc").args(["-static", "-O2", "-o"]).arg(&program).arg(&source))
        .context("a C compiler with a static C library is needed to compare with")?;
    Ok(program)
}
