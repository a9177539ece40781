//! The `interleaf` program under test, built once for each test process.
//!
//! Cargo gives a test the path of a binary only inside the binary's own package, and these tests are
//! deliberately in another one. So they have cargo build it (a no-op if it is up to date) and read the path
//! from cargo's messages.

use crate::cargo::cargo;
use crate::workspace;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Returns the program to test: the file that `INTERLEAF_BIN` names, else the workspace's own in the profile
/// of this test.
///
/// # Panics
/// If it cannot be built, with the compiler's output.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| match std::env::var_os("INTERLEAF_BIN") {
        Some(path) => {
            std::fs::canonicalize(&path).unwrap_or_else(|error| panic!("INTERLEAF_BIN, {path:?}: {error}"))
        }
        None => build(),
    })
}

fn build() -> PathBuf {
    let output = cargo()
        // The same flags as for the tests themselves; otherwise every dependency is built again.
        .args(["build", "--workspace", "--bin", "interleaf"])
        .args([
            "--message-format",
            "json-render-diagnostics",
            "--profile",
            &workspace::profile(),
            "--target-dir",
        ])
        .arg(workspace::target())
        .output()
        .expect("cargo runs these tests, so it can be run");
    assert!(
        output.status.success(),
        "`interleaf` does not build:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    executable(&output.stdout).expect("a successful build names the executable")
}

/// Returns the `executable` of the last compiler message that has one.
fn executable(messages: &[u8]) -> Option<PathBuf> {
    let messages = messages.split(|byte| *byte == b'\n').rev();
    let mut messages = messages.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    messages.find_map(|message| Some(PathBuf::from(message["executable"].as_str()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_read_from_cargos_messages() {
        let messages = br#"{"reason":"compiler-artifact","executable":null}
{"reason":"compiler-artifact","executable":"/t/debug/interleaf"}
{"reason":"build-finished","success":true}
"#;

        assert_eq!(executable(messages), Some(PathBuf::from("/t/debug/interleaf")));
    }
}
