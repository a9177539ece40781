//! `cargo xtask test`: every check that CI runs, in the order in which they are likely to fail; the first that fails
//! ends it, and is named last.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::checkout::{self, cargo, target};
use crate::{setup, trespass};

/// A check: what it is called, and what it does.
type Check = (&'static str, fn() -> Result<()>);

const CHECKS: [Check; 7] = [
    ("format", format),
    ("boundaries", trespass::check),
    ("lints", || {
        checkout::run(cargo().args([
            "clippy",
            "--locked",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]))
    }),
    // The end-to-end tests run the program; built beforehand, they do not wait for each other to build it.
    ("build", || checkout::build(&mut cargo(), &[checkout::FOR_DEVELOPMENT]).map(drop)),
    ("tests", || checkout::run(cargo().args(["test", "--locked", "--workspace"]))),
    ("documentation", || {
        checkout::run(
            cargo().args(["doc", "--locked", "--no-deps", "--workspace"]).env("RUSTDOCFLAGS", "-D warnings"),
        )
    }),
    ("dependencies", dependencies),
];

/// Runs them all.
pub fn run() -> Result<()> {
    setup::prepare()?;
    setup::components()?;
    let skipped = target()?.join("skipped");
    // What an earlier run skipped says nothing about this one.
    let _ = fs::remove_dir_all(&skipped);
    let mut times = Vec::new();
    for (name, check) in CHECKS {
        println!("\n=== {name}");
        let began = Instant::now();
        let outcome = check();
        times.push((name, began.elapsed()));
        if outcome.is_err() {
            summary(&times, &skipped);
        }
        outcome.with_context(|| format!("{name} failed"))?;
    }
    summary(&times, &skipped);
    println!("\nall {} checks passed", CHECKS.len());
    Ok(())
}

/// The workspace, and the example in Rust, which is a workspace of its own.
fn format() -> Result<()> {
    checkout::run(cargo().args(["fmt", "--all", "--check"]))?;
    let example = "examples/protect-branch/rust/Cargo.toml";
    checkout::run(cargo().args(["fmt", "--manifest-path", example, "--check"]))
}

/// Licences, sources and bans of everything we depend on, where cargo-deny is installed.
fn dependencies() -> Result<()> {
    if checkout::said(cargo().args(["deny", "--version"])).is_err() {
        return skip("dependencies", "cargo-deny is not installed (cargo install --locked cargo-deny)");
    }
    checkout::run(cargo().args(["deny", "--locked", "check", "bans", "licenses", "sources"]))
}

/// Leaves the mark of something that was not checked, as the tests do.
fn skip(name: &str, reason: &str) -> Result<()> {
    let folder = target()?.join("skipped");
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join(name), format!("{name}: {reason}\n"))?)
}

fn summary(times: &[(&str, Duration)], skipped: &std::path::Path) {
    println!("\n=== summary");
    for (name, time) in times {
        println!("{name:<16}{:>8.1} s", time.as_secs_f64());
    }
    let marks = fs::read_dir(skipped).into_iter().flatten().flatten();
    let mut marks: Vec<_> = marks.filter_map(|mark| fs::read_to_string(mark.path()).ok()).collect();
    marks.sort();
    for mark in marks {
        println!("!!! NOT TESTED: {}", mark.trim());
    }
}
