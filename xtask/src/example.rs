//! `cargo xtask example LANGUAGE` builds the example layer in that language and prints the path of the
//! component.
//!
//! The example is built with the commands of its README, in a copy below `target/`: the checkout does not
//! fill up with packages, and the contract is a folder there, as in a separate repository. Nothing is built
//! if neither the sources nor the contract have changed.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::checkout::{output_of, root, target};

/// The build of an example in its folder.
#[derive(Debug)]
pub struct Language {
    /// The name of its folder.
    pub name: &'static str,
    /// The required tool: a command that fails if it is missing, and the package to install then.
    needs: (&'static str, &'static str),
    /// Commands that install its tools in pinned versions.
    tools: &'static [&'static str],
    build: &'static str,
    component: &'static str,
}

/// The languages of the example.
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

/// Exit code if a language is missing on this machine, as opposed to a broken example.
pub const MISSING: u8 = 3;

/// A tool that is missing on this machine.
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
    /// Returns the component, and builds it if it is missing or outdated. Processes may call this
    /// concurrently.
    pub fn component(&self) -> Result<PathBuf> {
        let folder = target()?.join("examples");
        fs::create_dir_all(&folder)?;
        let lock = File::create(folder.join(format!("{}.lock", self.name)))?;
        lock.lock()?;
        let copy = folder.join(self.name);
        let component = copy.join(self.component);
        let sources = files(&root().join("examples/protect-branch").join(self.name))?;
        if !component.exists() || files(&copy)? != sources {
            // Removed first, so that an interrupted build does not leave a component of older sources.
            let _ = fs::remove_file(&component);
            mirror(&sources, &copy)?;
            self.make(&copy)?;
        }
        Ok(component)
    }

    /// Returns the tool that is missing on this machine, if any.
    pub fn missing(&self) -> Option<String> {
        let (probe, install) = self.needs;
        output_of(&mut shell(probe, root())).err().map(|_| format!("{install} is missing"))
    }

    fn make(&self, folder: &Path) -> Result<()> {
        if let Some(missing) = self.missing() {
            return Err(Missing(missing).into());
        }
        for line in self.tools {
            output_of(&mut shell(line, folder)).map_err(|error| Missing(format!("{error:#}")))?;
        }
        output_of(&mut shell(self.build, folder)).map(drop)
    }
}

/// Returns a command line for the shell, without the variables of the build that this process belongs to.
fn shell(line: &str, folder: &Path) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder);
    for flag in ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        shell.env_remove(flag);
    }
    shell
}

/// Tells whether a file or folder of an example is the result of a build.
fn is_made(name: &str) -> bool {
    ["target", "node_modules", "dist", ".venv", "__pycache__"].contains(&name) || name.ends_with(".wasm")
}

/// Returns the sources below a folder, following links; none if the folder does not exist.
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

/// Makes a folder contain exactly these sources.
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
    fn the_readme_of_each_example_has_the_commands_that_are_run() {
        for language in &LANGUAGES {
            let readme = root().join("examples/protect-branch").join(language.name).join("README.md");
            let text = fs::read_to_string(&readme).expect("every example has a README");
            for line in language.tools.iter().chain([&language.build, &language.component]) {
                assert!(text.contains(line), "{} lacks {line}", readme.display());
            }
        }
    }
}
