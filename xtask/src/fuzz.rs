//! `cargo xtask fuzz` runs the fuzz targets of `fuzz/` with cargo-fuzz.
//!
//! The targets run without a sanitizer: the program has no unsafe code of its own to be watched, and a
//! sanitizer would need the nightly compiler, which cannot build the embedded layers.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::checkout::{self, cargo, exists, root, target};
use crate::setup;

/// Minutes that each target runs.
const DEFAULT_MINUTES: u64 = 3;
/// Maximum memory of a target, in MiB.
const MAX_MEBIBYTES: u32 = 512;
/// Maximum time of one input, in seconds.
const MAX_SECONDS_PER_INPUT: u32 = 1;
/// Maximum length of an input, in bytes.
const MAX_INPUT_BYTES: u32 = 16 << 10;

/// The arguments of the command.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    targets: Vec<String>,
    minutes: u64,
}

/// Runs the named targets, or all of them.
pub fn run(arguments: &[String]) -> Result<()> {
    let known = targets()?;
    let options = parse(arguments, &known)?;
    setup::prepare()?;
    let tools = install()?;
    let mut failed = Vec::new();
    for name in &options.targets {
        println!(
            "\n=== {name}: {} minutes; limits: {MAX_MEBIBYTES} MiB, {MAX_SECONDS_PER_INPUT} s an input",
            options.minutes
        );
        if let Err(error) = fuzz(name, options.minutes, tools.as_deref()) {
            println!("{name}: {error:#}");
            failed.push(name.as_str());
        }
    }
    if !failed.is_empty() {
        bail!(
            "{} found an input that breaks its property: it is in fuzz/artifacts\n\
             next: mend the cause, and keep the input in fuzz/corpus",
            failed.join(", ")
        );
    }
    println!("\nno input breaks a property");
    Ok(())
}

/// Returns the names of the targets.
fn targets() -> Result<Vec<String>> {
    let folder = root().join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let stem = |entry: fs::DirEntry| Some(entry.path().file_stem()?.to_str()?.to_owned());
    let mut names: Vec<String> = entries.flatten().filter_map(stem).collect();
    names.sort();
    Ok(names)
}

fn parse(arguments: &[String], known: &[String]) -> Result<Options> {
    let mut options = Options { targets: Vec::new(), minutes: DEFAULT_MINUTES };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--minutes" => {
                let minutes =
                    words.next().and_then(|minutes| minutes.parse().ok()).filter(|&minutes| minutes > 0);
                options.minutes = minutes.context("--minutes needs a number of minutes")?;
            }
            name if known.iter().any(|target| target == name) => options.targets.push(name.to_owned()),
            name => bail!("there is no fuzz target {name}; there are {}", known.join(", ")),
        }
    }
    if options.targets.is_empty() {
        options.targets = known.to_vec();
    }
    Ok(options)
}

/// Installs cargo-fuzz into the target folder if it is missing. Returns the folder of programs to add to
/// PATH.
fn install() -> Result<Option<PathBuf>> {
    if exists("cargo-fuzz", "--version") {
        return Ok(None);
    }
    let tools = target()?.join("tools");
    let programs = tools.join("bin");
    if !programs.join("cargo-fuzz").exists() {
        println!("cargo-fuzz is not installed; installing it into {}", tools.display());
        let mut install = cargo();
        install.args(["install", "cargo-fuzz", "--locked", "--root"]).arg(&tools);
        checkout::run(install.arg("--target-dir").arg(target()?.join("tools-build")))?;
    }
    Ok(Some(programs))
}

/// Runs one target. New inputs go into the target folder, not into the corpus of the repository.
fn fuzz(name: &str, minutes: u64, tools: Option<&Path>) -> Result<()> {
    let built = target()?.join("fuzz");
    let found = built.join("found").join(name);
    fs::create_dir_all(&found)?;
    let mut command = cargo();
    command.args(["fuzz", "run", "--sanitizer", "none", "--fuzz-dir", "fuzz", name]);
    command.arg(&found).arg(root().join("fuzz/corpus").join(name)).arg("--");
    command.arg(format!("-max_total_time={}", 60 * minutes));
    command.arg(format!("-rss_limit_mb={MAX_MEBIBYTES}"));
    command.arg(format!("-timeout={MAX_SECONDS_PER_INPUT}"));
    command.arg(format!("-max_len={MAX_INPUT_BYTES}")).arg("-print_final_stats=1");
    command.env("CARGO_TARGET_DIR", &built);
    if let Some(tools) = tools {
        command.env("PATH", with_first(tools)?);
    }
    checkout::run(&mut command)
}

/// Returns PATH with this folder in front.
fn with_first(folder: &Path) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths([folder.to_owned()].into_iter().chain(std::env::split_paths(&path)))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Options> {
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        parse(&arguments, &["one".to_owned(), "two".to_owned()])
    }

    #[test]
    fn all_targets_run_three_minutes_unless_some_are_named() {
        let all = Options { targets: vec!["one".to_owned(), "two".to_owned()], minutes: 3 };

        assert_eq!(parsed(&[]).unwrap(), all);
        assert_eq!(
            parsed(&["two", "--minutes", "7"]).unwrap(),
            Options { targets: vec!["two".to_owned()], minutes: 7 }
        );
    }

    #[test]
    fn unknown_targets_and_wrong_minutes_are_refused_by_name() {
        assert!(parsed(&["three"]).unwrap_err().to_string().contains("three; there are one, two"));
        for minutes in ["", "0", "x"] {
            assert!(parsed(&["--minutes", minutes]).unwrap_err().to_string().contains("--minutes"));
        }
    }

    #[test]
    fn every_target_is_found() {
        assert!(targets().unwrap().contains(&"redaction".to_owned()));
    }
}
