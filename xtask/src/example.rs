//! `cargo xtask example LANGUAGE`: builds the example layer in that language and prints where the component
//! is.
//!
//! It is built as its author would build it, by the lines of its README, in a copy below `target/`: no
//! checkout fills up with packages, and the contract lies there as a folder, as in a repository of its own.
//! Nothing is done where neither the sources nor the contract have changed.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::checkout::{root, said, target};

/// How an example is built, in its folder.
#[derive(Debug)]
pub struct Language {
    /// The name of its folder.
    pub name: &'static str,
    /// What a machine must have: a line that fails where it is missing, and what to install then.
    needs: (&'static str, &'static str),
    /// What gets its tools, of exactly the versions that it names.
    tools: &'static [&'static str],
    build: &'static str,
    component: &'static str,
}

/// Every language that the example is written in.
pub const LANGUAGES: [Language; 3] = [
    Language {
        name: "rust",
        needs: ("cargo --version", "Rust"),
        tools: &[],
        build: "cargo build --locked --release --target wasm32-wasip2",
        component: "target/wasm32-wasip2/release/protect_branch.wasm",
    },
    Language {
        name: "javascript",
        needs: (
            "node --version && npm --version",
            "Node.js with npm (Debian, Ubuntu: apt install nodejs npm)",
        ),
        tools: &["npm ci"],
        build: "npm run build",
        component: "dist/protect-branch.wasm",
    },
    Language {
        name: "python",
        needs: (
            "python3 -c 'import venv, ensurepip'",
            "Python with its module venv (Debian, Ubuntu: apt install python3 python3-venv)",
        ),
        tools: &["python3 -m venv .venv", ".venv/bin/pip install -r requirements.txt"],
        build: ".venv/bin/componentize-py -d wit -w protect-branch componentize --stub-wasi layer -o \
                protect-branch.wasm",
        component: "protect-branch.wasm",
    },
];

/// The exit code where a language cannot be had on this machine, which is not the example's fault.
pub const MISSING: u8 = 3;

/// What is missing on this machine.
#[derive(Debug)]
pub struct Missing(String);

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Missing {}

/// Builds the example and prints the path of its component.
pub fn run(language: &str) -> Result<()> {
    let names = LANGUAGES.map(|language| language.name).join(", ");
    let language = LANGUAGES.iter().find(|known| known.name == language);
    let language = language.with_context(|| format!("no such example; there are {names}"))?;
    println!("{}", language.component()?.display());
    Ok(())
}

impl Language {
    /// The component, built where it is not there or not of these sources. Several processes may ask at once.
    pub fn component(&self) -> Result<PathBuf> {
        let folder = target()?.join("examples");
        fs::create_dir_all(&folder)?;
        let lock = File::create(folder.join(format!("{}.lock", self.name)))?;
        lock.lock()?;
        let copy = folder.join(self.name);
        let component = copy.join(self.component);
        let sources = files(&root().join("examples/protect-branch").join(self.name))?;
        if !component.exists() || files(&copy)? != sources {
            // Before anything else: whoever is interrupted must not leave a component of other sources
            // behind.
            let _ = fs::remove_file(&component);
            mirror(&sources, &copy)?;
            self.make(&copy)?;
        }
        Ok(component)
    }

    /// Whether the machine has what it takes, else what to install.
    pub fn missing(&self) -> Option<String> {
        let (probe, install) = self.needs;
        said(&mut shell(probe, root())).err().map(|_| format!("{install} is missing"))
    }

    fn make(&self, folder: &Path) -> Result<()> {
        if let Some(missing) = self.missing() {
            return Err(Missing(missing).into());
        }
        for line in self.tools {
            said(&mut shell(line, folder)).map_err(|error| Missing(format!("{error:#}")))?;
        }
        said(&mut shell(self.build, folder)).map(drop)
    }
}

/// A line as a person would type it, free of what is meant for the build that this process belongs to.
fn shell(line: &str, folder: &Path) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder);
    for flag in ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        shell.env_remove(flag);
    }
    shell
}

/// What building leaves behind in the folders of the examples.
fn is_made(name: &str) -> bool {
    ["target", "node_modules", "dist", ".venv", "__pycache__"].contains(&name) || name.ends_with(".wasm")
}

/// The sources below a folder, links followed; none where there is no such folder.
fn files(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry?;
        let (name, path) = (PathBuf::from(entry.file_name()), entry.path());
        if is_made(&name.to_string_lossy()) {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path)?.into_iter().map(|(below, bytes)| (name.join(below), bytes)));
        } else {
            found.insert(name, fs::read(&path).with_context(|| path.display().to_string())?);
        }
    }
    Ok(found)
}

/// Makes the sources below a folder these and no others.
fn mirror(sources: &BTreeMap<PathBuf, Vec<u8>>, folder: &Path) -> Result<()> {
    for stale in files(folder)?.keys().filter(|path| !sources.contains_key(*path)) {
        fs::remove_file(folder.join(stale))?;
    }
    for (path, bytes) in sources {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_run_stands_in_the_readme_of_the_example() {
        for language in &LANGUAGES {
            let readme = root().join("examples/protect-branch").join(language.name).join("README.md");
            let text = fs::read_to_string(&readme).expect("every example has a README");
            for line in language.tools.iter().chain([&language.build, &language.component]) {
                assert!(text.contains(line), "{} lacks {line}", readme.display());
            }
        }
    }
}
