//! Fetches what building needs and a Rust toolchain does not bring along: the target that layers are compiled
//! for.
//!
//! What only an administrator can install is named, not installed.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::checkout::{self, cargo, exists, root, rustc, said};
use crate::example::{LANGUAGES, Language};

/// What layers are compiled for.
const TARGET: &str = "wasm32-wasip2";

/// Makes sure that the host and its layers can be built, and a recorded session played.
pub fn prepare() -> Result<()> {
    if !exists("git", "--version") {
        bail!("git cannot be run\nnext: install it (Debian, Ubuntu: apt install git)");
    }
    target()
}

/// `cargo xtask setup`.
pub fn run() -> Result<()> {
    prepare()?;
    components()?;
    let missing: Vec<String> = LANGUAGES.iter().filter_map(absent).collect();
    missing.iter().for_each(|line| println!("{line}"));
    if missing.is_empty() {
        println!("everything that building and testing need is here");
    }
    Ok(())
}

/// What an example lacks to be built here. The tests skip it then, and say so.
fn absent(language: &Language) -> Option<String> {
    let missing = language.missing()?;
    Some(format!("the example in {} is not built or tested here: {missing}", language.name))
}

/// The wasm target of the toolchain in use.
fn target() -> Result<()> {
    let libraries = said(Command::new(rustc()).args(["--print", "target-libdir", "--target", TARGET]))?;
    if Path::new(libraries.trim()).exists() {
        return Ok(());
    }
    rustup(&["target", "add", TARGET], &format!("the Rust target {TARGET}"))
}

/// rustfmt and clippy, which a minimal toolchain leaves out.
pub fn components() -> Result<()> {
    for (component, verb) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let there = cargo().args([verb, "--version"]).output().is_ok_and(|output| output.status.success());
        if !there {
            rustup(&["component", "add", component], component)?;
        }
    }
    Ok(())
}

/// Has rustup install something for the toolchain in use.
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
