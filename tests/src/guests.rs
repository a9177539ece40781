//! Layers made for the tests: ordinary crates under `tests/layers/`, built for `wasm32-wasip2` once per test process
//! in a target directory of their own.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use crate::workspace;

/// The component of the hostile layer, which misbehaves as its prompt asks.
pub fn hostile() -> Vec<u8> {
    static BUILT: OnceLock<Vec<u8>> = OnceLock::new();
    BUILT.get_or_init(|| build("hostile")).clone()
}

fn build(name: &str) -> Vec<u8> {
    let target_dir: PathBuf = workspace::target().join("guests");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(workspace::root());
    cargo.args([
        "build",
        "--quiet",
        "--locked",
        "--profile",
        "layer",
        "--target",
        "wasm32-wasip2",
        "--package",
        name,
    ]);
    cargo.arg("--target-dir").arg(&target_dir);
    // Flags meant for the host have no meaning for a guest.
    for flag in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET"] {
        cargo.env_remove(flag);
    }
    let status = cargo.status().expect("cargo can be run");
    assert!(status.success(), "the test layer {name} did not build; is the target wasm32-wasip2 installed?");
    let wasm = target_dir.join("wasm32-wasip2/layer").join(format!("{name}.wasm"));
    std::fs::read(&wasm).unwrap_or_else(|error| panic!("{}: {error}", wasm.display()))
}
