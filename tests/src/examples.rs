//! The example layers, built with the real tools of their languages.
//!
//! `cargo xtask example` builds them, once for each target folder; the tests do not know how. If a language
//! is missing on this machine or its tools cannot be fetched, the calling test is marked as skipped.

use crate::cargo::cargo;
use crate::skip::{not_skipped, skipped};
use crate::workspace;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// A language that the example is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Through `wasm32-wasip2` and wit-bindgen.
    Rust,
    /// Through ComponentizeJS.
    JavaScript,
    /// Through componentize-py.
    Python,
}

/// Exit code of `cargo xtask example` if the machine lacks a tool (see `xtask/src/example.rs`).
const MISSING: i32 = 3;

impl Language {
    /// All languages.
    pub const ALL: [Language; 3] = [Language::Rust, Language::JavaScript, Language::Python];

    /// Returns the name of its folder below `examples/protect-branch`.
    pub fn name(self) -> &'static str {
        match self {
            Language::Rust => "rust",
            Language::JavaScript => "javascript",
            Language::Python => "python",
        }
    }

    /// Returns the example's component, and builds it if necessary. If the language is missing, marks the
    /// calling test as skipped and returns `None`; the test must then return.
    ///
    /// # Panics
    /// If the build fails, with the output of its tools.
    #[track_caller]
    pub fn component(self) -> Option<Vec<u8>> {
        static BUILT: [OnceLock<Result<PathBuf, String>>; 3] = [const { OnceLock::new() }; 3];
        match BUILT[self as usize].get_or_init(|| build(self.name())) {
            Ok(path) => {
                not_skipped();
                Some(read(path))
            }
            Err(missing) => {
                skipped(missing);
                None
            }
        }
    }
}

/// Returns the table of commands and expected answers in `examples/protect-branch/cases.json`.
pub fn cases() -> serde_json::Value {
    let table = workspace::root().join("examples/protect-branch/cases.json");
    serde_json::from_slice(&read(&table)).unwrap_or_else(|error| panic!("{}: {error}", table.display()))
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn build(name: &str) -> Result<PathBuf, String> {
    // One build at a time: parallel builds would only compete for the processor.
    static BUILD: Mutex<()> = Mutex::new(());
    let _guard = BUILD.lock();
    let output = cargo()
        .args(["xtask", "example", name])
        .env("CARGO_TARGET_DIR", workspace::target())
        .output()
        .expect("cargo runs these tests, so it can be run");
    let stderr = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())),
        Some(MISSING) => {
            Err(stderr.lines().filter(|line| !line.is_empty()).take(3).collect::<Vec<_>>().join("; "))
        }
        _ => panic!("the example in {name} does not build:\n{stderr}"),
    }
}
