//! `cargo xtask dist` builds the program that people install. A hook runs for milliseconds, so the file must
//! load fast: it is static, at a fixed address, without symbols, and optimized as a whole.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::checkout::{self, cargo, host};
use crate::setup;

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
    let options = [checkout::BY_ITSELF, "--profile", "dist", "--target", &host];
    if !matches!(&host[..], "x86_64-unknown-linux-gnu" | "aarch64-unknown-linux-gnu") {
        println!("{host} has no static programs: this one is linked dynamically");
        return checkout::build(&mut cargo(), &options);
    }
    // With an explicit target the flags apply to the program only: a static compiler could not load
    // procedural macros.
    let given = std::env::var("RUSTFLAGS").unwrap_or_default();
    let flags = format!("{given} -C target-feature=+crt-static -C relocation-model=static");
    let program = checkout::build(cargo().env("RUSTFLAGS", flags.trim()), &options)?;
    if !is_static(&program)? {
        bail!("{} is not a static program at a fixed address", program.display());
    }
    Ok(program)
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
