//! `cargo xtask test` runs every check that CI runs, the quick ones first. It runs them
//! all and names those that failed at the end.

mod boundaries;
mod cycles;
mod duplicates;
mod sources;
mod tokens;
mod tree;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use crate::checkout::{self, cargo, root, target};
use crate::home_listing::HomeListing;
use crate::setup;

/// A check: its name and its function.
type Check = (&'static str, fn() -> Result<()>);

/// The test that takes longest, in `eval/tests/recall.rs`. It computes on all processors, and many of the
/// others wait for processes most of the time.
const LONGEST_TEST: &str = "the_tables_in_the_docs_hold_the_measured_figures";

const CHECKS: [Check; 11] = [
    ("format", format),
    ("boundaries", || report(boundaries::find(&sources::read_all(root())?))),
    ("tree", || {
        let rustfmt = fs::read_to_string(root().join("rustfmt.toml"))?;
        let max_width = tree::max_width(&rustfmt).context("rustfmt.toml has no max_width")?;
        report(tree::find(&sources::read_all(root())?, max_width))
    }),
    ("cycles", || report(cycles::find(&sources::read_all(root())?))),
    ("duplicates", || report(duplicates::find(&sources::read_all(root())?))),
    ("lints", || {
        let lints = ["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"];
        checkout::run(cargo().args(lints))
    }),
    // The end-to-end tests run the programs. Built beforehand, no test waits for another one's build.
    ("build", || checkout::build_with_eval().map(drop)),
    ("tests", tests),
    ("documentation", || {
        let doc = ["doc", "--locked", "--no-deps", "--workspace"];
        checkout::run(cargo().args(doc).env("RUSTDOCFLAGS", "-D warnings"))
    }),
    ("dependencies", dependencies),
    // The last one: it is about all the others.
    ("home", home),
];

/// The home folder before the first check.
static HOME_BEFORE: OnceLock<HomeListing> = OnceLock::new();

/// Runs the named checks, or all of them.
pub fn run(names: &[String]) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| !CHECKS.iter().any(|(known, _)| known == name)) {
        let known = CHECKS.map(|(name, _)| name).join(", ");
        bail!("there is no check {unknown}; there are {known}");
    }
    setup::prepare()?;
    setup::components()?;
    HOME_BEFORE.get_or_init(HomeListing::take);
    let skipped = target()?.join("skipped");
    // Markers of an earlier run do not apply to this one.
    let _ = fs::remove_dir_all(&skipped);
    let (mut times, mut failed) = (Vec::new(), Vec::new());
    for (name, check) in
        CHECKS.iter().filter(|(name, _)| names.is_empty() || names.iter().any(|it| it == name))
    {
        println!("\n=== {name}");
        let began = Instant::now();
        if let Err(error) = check() {
            println!("{name} failed: {error:#}");
            failed.push(*name);
        }
        times.push((*name, began.elapsed()));
    }
    print_summary(&times, &skipped);
    if !failed.is_empty() {
        bail!("{} of {} checks failed: {}", failed.len(), times.len(), failed.join(", "));
    }
    println!("\nall {} checks passed", times.len());
    Ok(())
}

/// Fails with the findings of a check, if there are any.
fn report(found: Vec<String>) -> Result<()> {
    if !found.is_empty() {
        bail!("{} found:\n{}", found.len(), found.join("\n"));
    }
    println!("nothing found");
    Ok(())
}

/// Checks the format of the workspace, and of the Rust example and the fuzz targets, which are workspaces of
/// their own.
fn format() -> Result<()> {
    checkout::run(cargo().args(["fmt", "--all", "--check"]))?;
    for other in ["examples/protect-branch/rust/Cargo.toml", "fuzz/Cargo.toml"] {
        checkout::run(cargo().args(["fmt", "--manifest-path", other, "--check"]))?;
    }
    Ok(())
}

/// Runs all tests, the longest beside the others.
fn tests() -> Result<()> {
    thread::scope(|scope| {
        let longest = ["--test", "recall", "--", "--exact", LONGEST_TEST];
        let longest = scope.spawn(move || cargo_test().args(longest).output());
        let others = ["--no-fail-fast", "--", "--exact", "--skip", LONGEST_TEST];
        let others = checkout::run(cargo_test().args(others));
        let longest = longest.join().map_err(|_| anyhow!("the thread of {LONGEST_TEST} panicked"))??;
        let printed = String::from_utf8_lossy(&longest.stdout);
        println!("{}{printed}", String::from_utf8_lossy(&longest.stderr));
        if longest.status.success() && printed.contains("test result: ok. 1 passed") {
            return others;
        }
        others.unwrap_or_else(|error| println!("{error:#}"));
        bail!("{LONGEST_TEST} did not pass: {}", longest.status)
    })
}

fn cargo_test() -> Command {
    let mut command = cargo();
    // A snapshot that differs fails and is not written down.
    command.args(["test", "--locked", "--workspace"]).env("INSTA_UPDATE", "no");
    command
}

/// Checks licenses, sources, bans and advisories of all dependencies if cargo-deny is installed. Where the
/// database of advisories cannot be had, it says so instead of passing in silence.
fn dependencies() -> Result<()> {
    if checkout::output_of(cargo().args(["deny", "--version"])).is_err() {
        return skip("dependencies", "cargo-deny is not installed (cargo install --locked cargo-deny)");
    }
    checkout::run(cargo().args(["deny", "--locked", "check", "bans", "licenses", "sources"]))?;
    if let Err(error) = checkout::output_of(cargo().args(["deny", "fetch", "db"])) {
        let cause = error.to_string();
        let cause = cause.lines().last().unwrap_or_default();
        return skip("advisories", &format!("the database of advisories cannot be had: {cause}"));
    }
    checkout::run(cargo().args(["deny", "--locked", "check", "advisories"]))
}

/// Checks that the checks before this one left this person's real home folder as it was. A session of Claude
/// Code that runs the checks writes there itself, so that its changes prove nothing.
fn home() -> Result<()> {
    let same = HOME_BEFORE.get_or_init(HomeListing::take).require_same(&HomeListing::take());
    match same {
        Err(error) if std::env::var_os("CLAUDECODE").is_some() => skip(
            "home",
            &format!("the session of Claude Code in which this runs writes there, too: {error:#}"),
        ),
        same => same.context("the checks wrote into your home folder"),
    }
}

/// Writes a marker for a skipped check, as the tests do.
fn skip(name: &str, reason: &str) -> Result<()> {
    let folder = target()?.join("skipped");
    fs::create_dir_all(&folder)?;
    println!("!!! NOT CHECKED: {name}: {reason}");
    Ok(fs::write(folder.join(name), format!("{name}: {reason}\n"))?)
}

fn print_summary(times: &[(&str, Duration)], skipped: &Path) {
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
