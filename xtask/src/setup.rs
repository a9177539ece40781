//! Fetches the parts that a build needs and a Rust toolchain lacks: the targets for which layers are
//! compiled.
//!
//! Packages that only an administrator can install are named, not installed.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::checkout::{self, cargo, exists, output_of, root, rustc};
use crate::example::{LANGUAGES, Language};

/// The targets for which layers are compiled, with and without WASI.
const TARGETS: [&str; 2] = ["wasm32-wasip2", "wasm32-unknown-unknown"];

/// Makes sure that the host and its layers can be built, and a recorded session played.
pub fn prepare() -> Result<()> {
    if !exists("git", "--version") {
        bail!("cannot run git\nnext: install it (Debian, Ubuntu: apt install git)");
    }
    TARGETS.into_iter().try_for_each(target)
}

/// Runs `cargo xtask setup`.
pub fn run() -> Result<()> {
    prepare()?;
    components()?;
    let missing: Vec<String> = LANGUAGES.iter().filter_map(absent).collect();
    missing.iter().for_each(|line| println!("{line}"));
    if missing.is_empty() {
        println!("everything that building and testing need is installed");
    }
    Ok(())
}

/// Returns a note if an example cannot be built here. The tests then skip it and report that.
fn absent(language: &Language) -> Option<String> {
    let missing = language.missing()?;
    Some(format!("the example in {} is not built or tested here: {missing}", language.name))
}

/// Installs a target for the toolchain in use.
fn target(target: &str) -> Result<()> {
    let libraries = output_of(Command::new(rustc()).args(["--print", "target-libdir", "--target", target]))?;
    if Path::new(libraries.trim()).exists() {
        return Ok(());
    }
    rustup(&["target", "add", target], &format!("the Rust target {target}"))
}

/// Installs rustfmt and clippy, which a minimal toolchain lacks.
pub fn components() -> Result<()> {
    for (component, verb) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let there = cargo().args([verb, "--version"]).output().is_ok_and(|output| output.status.success());
        if !there {
            rustup(&["component", "add", component], component)?;
        }
    }
    Ok(())
}

/// Runs rustup for the toolchain in use.
fn rustup(arguments: &[&str], what: &str) -> Result<()> {
    if !exists("rustup", "--version") {
        bail!(
            "{what} is missing, and so is rustup, which would install it\n\
             next: install Rust from https://rustup.rs, or {what} the way this Rust was installed"
        );
    }
    println!("installing {what}");
    checkout::run(Command::new("rustup").args(arguments).current_dir(root()))
}
