//! `cargo xtask dist` builds the program that people install. A hook runs for milliseconds, so the file must
//! load fast: it is static, at a fixed address, without symbols, and optimized as a whole. On x86-64, the
//! functions that hooks run lie side by side.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};
use object::{Endianness, Object, ObjectSection, elf};

use crate::checkout::{self, cargo, host, root};
use crate::setup;

/// The linker script that places the functions that hooks run side by side, in the checkout. It is made by
/// `cargo xtask link-order`.
pub const LINKER_SCRIPT: &str = "host/hook_functions.ld";

/// The section of these functions.
pub const HOOK_SECTION: &str = ".text.hooks";

/// Minimum size of that section in bytes. With the functions of all events it has 3.1 MB; if it is smaller
/// than this, most of their names are wrong.
const MIN_HOOK_BYTES: u64 = 1 << 20;

/// The variable by which the program's build script learns of a linker script.
const LINKER_SCRIPT_VARIABLE: &str = "INTERLEAF_LINKER_SCRIPT";

/// The only target on which the script was tried. There, rustc brings the linker LLD along.
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
    check(&program, &host)?;
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

/// Checks that the file is what a hook loads fast.
fn check(program: &Path, host: &str) -> Result<()> {
    let content = fs::read(program)?;
    let file = ElfFile64::<Endianness>::parse(&*content).with_context(|| program.display().to_string())?;
    if !is_static(&file) {
        bail!("{} is not a static program at a fixed address", program.display());
    }
    let placed = file.section_by_name(HOOK_SECTION).map_or(0, |section| section.size());
    if host == ORDERED_TARGET && placed < MIN_HOOK_BYTES {
        bail!(
            "{}: {LINKER_SCRIPT} placed {placed} bytes of functions, at least {MIN_HOOK_BYTES} are expected\n\
             next: record the functions again with cargo xtask link-order",
            program.display()
        );
    }
    Ok(())
}

/// Tells whether a program has a fixed address and no interpreter.
fn is_static(file: &ElfFile64<Endianness>) -> bool {
    let endian = file.endian();
    let interpreted = file.elf_program_headers().iter().any(|header| header.p_type(endian) == elf::PT_INTERP);
    file.elf_header().e_type(endian) == elf::ET_EXEC && !interpreted
}
