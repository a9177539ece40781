//! The example layers, built with the real tools of their languages.
//!
//! `cargo xtask example` builds them, once for a target folder, whoever asks: the tests do not know how.
//! Where a language is missing on this machine, or its tools cannot be fetched, the calling test is declared
//! skipped.

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

/// The exit code of `cargo xtask example` where the machine lacks something (see `xtask/src/example.rs`).
const MISSING: i32 = 3;

impl Language {
    /// All of them.
    pub const ALL: [Language; 3] = [Language::Rust, Language::JavaScript, Language::Python];

    /// The name of its folder below `examples/protect-branch`.
    pub fn name(self) -> &'static str {
        match self {
            Language::Rust => "rust",
            Language::JavaScript => "javascript",
            Language::Python => "python",
        }
    }

    /// The example's component, built where it is not yet. `None` where the language is missing; the calling
    /// test, which must return then, has been declared skipped.
    ///
    /// # Panics
    /// When it does not build, with the words of its tools.
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

/// The table that says which commands are asked about: `examples/protect-branch/cases.json`.
pub fn cases() -> serde_json::Value {
    let table = workspace::root().join("examples/protect-branch/cases.json");
    serde_json::from_slice(&read(&table)).unwrap_or_else(|error| panic!("{}: {error}", table.display()))
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn build(name: &str) -> Result<PathBuf, String> {
    // One after the other: they would only take the processor from each other.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock();
    let output = cargo()
        .args(["xtask", "example", name])
        .env("CARGO_TARGET_DIR", workspace::target())
        .output()
        .expect("cargo runs these tests, so it can be run");
    let words = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())),
        Some(MISSING) => {
            Err(words.lines().filter(|line| !line.is_empty()).take(3).collect::<Vec<_>>().join("; "))
        }
        _ => panic!("the example in {name} does not build:\n{words}"),
    }
}
