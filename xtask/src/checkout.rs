//! The checkout that this program belongs to, and cargo in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Returns the root of the checkout.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies one folder below the root")
}

/// Returns the folder of files that tests and the demo read.
pub fn fixtures() -> PathBuf {
    root().join("tests/fixtures")
}

/// Returns the target folder, as set by `CARGO_TARGET_DIR` and cargo's configuration.
pub fn target() -> Result<PathBuf> {
    let metadata = output_of(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    Ok(metadata["target_directory"].as_str().context("cargo names its target directory")?.into())
}

/// Returns the target triple of this machine.
pub fn host() -> Result<String> {
    let version = output_of(Command::new(rustc()).arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names its host")?.to_owned())
}

/// Returns the compiler that cargo uses.
pub fn rustc() -> std::ffi::OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// Returns a cargo command in the root of the checkout. The variables that describe this program's own
/// package are removed: build scripts that read them (ring's) would run again, and their dependents be
/// recompiled.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let is_of_package = |name: &String| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    names.filter(is_of_package).for_each(|name| {
        cargo.env_remove(name);
    });
    cargo
}

/// Builds all packages together, for development. Cargo unifies the features of their dependencies, so builds
/// of the tests are reused.
pub const FOR_DEVELOPMENT: &str = "--workspace";
/// Builds the program that people install by itself, with only the features that it needs.
pub const BY_ITSELF: &str = "--package=interleaf";

/// Builds `interleaf` and returns its path. `cargo` may carry an environment of its own.
pub fn build(cargo: &mut Command, options: &[&str]) -> Result<PathBuf> {
    built(cargo.arg("build"), "interleaf", options, &[])
}

/// Builds `interleaf` with further arguments for the compiler of its last crate, and returns its path.
pub fn build_with(cargo: &mut Command, options: &[&str], for_rustc: &[&str]) -> Result<PathBuf> {
    built(cargo.arg("rustc"), "interleaf", options, for_rustc)
}

/// Builds `interleaf` and `interleaf-eval` for development, and returns their paths.
pub fn build_with_eval() -> Result<[PathBuf; 2]> {
    let interleaf = build(&mut cargo(), &[FOR_DEVELOPMENT])?;
    Ok([interleaf, built(cargo().arg("build"), "interleaf-eval", &[FOR_DEVELOPMENT], &[])?])
}

fn built(cargo: &mut Command, binary: &str, options: &[&str], for_rustc: &[&str]) -> Result<PathBuf> {
    cargo.args(["--locked", "--bin", binary]).args(options);
    cargo.args(["--message-format", "json-render-diagnostics"]).stderr(Stdio::inherit());
    if !for_rustc.is_empty() {
        cargo.arg("--").args(for_rustc);
    }
    let messages = output_of(cargo)?;
    let messages = messages.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let executable =
        messages.filter_map(|message| Some(PathBuf::from(message["executable"].as_str()?))).next();
    executable.with_context(|| format!("cargo built `{binary}` but does not say where it is"))
}

/// Runs a program that inherits standard output and standard error.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {}", line(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", line(command));
    }
    Ok(())
}

/// Runs a program and returns its standard output.
pub fn output_of(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {}", line(command)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("{} ended with {}\n{}", line(command), output.status, stderr.trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("{} did not print text", line(command)))
}

/// Tells whether a program can be run.
pub fn exists(program: &str, probe: &str) -> bool {
    let command = &mut Command::new(program);
    command
        .arg(probe)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Returns a command as a person would type it.
pub fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
