//! `cargo xtask dist` builds the program that people install. A hook runs for milliseconds, so the file must
//! load fast: it is static, at a fixed address, without symbols, and optimized as a whole, and the functions
//! that hooks run lie side by side.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::checkout::{self, cargo, host, root};
use crate::setup;

/// The linker script that places the functions that hooks run side by side, in the checkout. It is made by
/// `cargo xtask link-order`.
pub const LINKER_SCRIPT: &str = "host/hook_functions.ld";

/// The variable by which the program's build script learns of a linker script.
const LINKER_SCRIPT_VARIABLE: &str = "INTERLEAF_LINKER_SCRIPT";

/// The target for which rustc brings its own linker. Others have not been seen to heed the script.
pub const ORDERED_TARGET: &str = "x86_64-unknown-linux-gnu";

/// Builds the program and prints its path.
pub fn run() -> Result<()> {
    setup::prepare()?;
    let program = build()?;
    println!("{} ({:.1} MB)", program.display(), fs::metadata(&program)?.len() as f64 / 1e6);
    Ok(())
}

/// Builds the program.
pub fn build() -> Result<PathBuf> {
    let host = host()?;
    if !matches!(&host[..], ORDERED_TARGET | "aarch64-unknown-linux-gnu") {
        println!("{host} has no static programs: this one is linked dynamically");
        return checkout::build(&mut cargo(), &options(&host));
    }
    let program = checkout::build(&mut cargo_for_static(&host), &options(&host))?;
    if !is_static(&program)? {
        bail!("{} is not a static program at a fixed address", program.display());
    }
    Ok(program)
}

/// Returns the options of cargo for this program.
pub fn options(host: &str) -> [&str; 5] {
    [checkout::BY_ITSELF, "--profile", "dist", "--target", host]
}

/// Returns a cargo command that builds a static program. With an explicit target the flags apply to the
/// program only: a static compiler could not load procedural macros.
pub fn cargo_for_static(host: &str) -> Command {
    let given = std::env::var("RUSTFLAGS").unwrap_or_default();
    // Names of version 0 tell the instances of a generic function apart, so that the script can name them.
    let flags = "-C target-feature=+crt-static -C relocation-model=static -C symbol-mangling-version=v0";
    let mut cargo = cargo();
    cargo.env("RUSTFLAGS", format!("{given} {flags}").trim());
    if host == ORDERED_TARGET {
        cargo.env(LINKER_SCRIPT_VARIABLE, root().join(LINKER_SCRIPT));
    }
    cargo
}

/// Tells whether a 64-bit little-endian ELF file has a fixed address (its type is EXEC) and no interpreter.
/// Offsets are those of the ELF-64 object file format.
fn is_static(program: &Path) -> Result<bool> {
    const EXEC: u16 = 2;
    const INTERPRETER: u32 = 3;
    let file = fs::read(program)?;
    let two = |at: usize| file.get(at..at + 2).and_then(|b| b.try_into().ok()).map_or(0, u16::from_le_bytes);
    let four = |at: usize| file.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes);
    let (headers, size, count) = (four(32) as usize, usize::from(two(54)), usize::from(two(56)));
    let interpreted = (0..count).any(|header| four(headers + header * size) == INTERPRETER);
    Ok(two(16) == EXEC && !interpreted)
}
