//! Layers made for the tests. Ordinary crates under `tests/layers/` are built for `wasm32-wasip2` once per
//! test process, in a target directory of their own. Components that no compiler would produce are written as
//! text under `tests/layers/wat/`.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::cargo::cargo;
use crate::workspace;
use serde_json::Value;

/// Returns the hostile layer, which misbehaves as its prompt asks.
pub fn hostile() -> Vec<u8> {
    static BUILT: OnceLock<Vec<u8>> = OnceLock::new();
    BUILT.get_or_init(|| build("hostile")).clone()
}

/// Returns the worker layer, which submits and runs the jobs that a message names.
pub fn worker() -> Vec<u8> {
    static BUILT: OnceLock<Vec<u8>> = OnceLock::new();
    BUILT.get_or_init(|| build("worker")).clone()
}

/// Returns the scribe layer, which runs the memory operations that its prompt lists.
pub fn scribe() -> Vec<u8> {
    static BUILT: OnceLock<Vec<u8>> = OnceLock::new();
    BUILT.get_or_init(|| build("scribe")).clone()
}

/// Returns the component of `tests/layers/wat/NAME.wat`.
pub fn wat(name: &str) -> Vec<u8> {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let folder = BUILT.get_or_init(|| {
        let messages = cargo_build("wat-layers");
        out_dir(&messages).expect("cargo names the folder of a build script's output")
    });
    let wasm = folder.join(name).with_extension("wasm");
    std::fs::read(&wasm).unwrap_or_else(|error| panic!("{}: {error}", wasm.display()))
}

/// Adds `more` core instances to a component. The sections of a component may come in any order.
pub fn with_instances(mut component: Vec<u8>, more: u8) -> Vec<u8> {
    assert!(more < 43, "the lengths below must fit in one byte");
    const CORE_INSTANCES: u8 = 2;
    component.extend([CORE_INSTANCES, 1 + 3 * more, more]);
    // Each instance: made from a module, which is the first one, without arguments.
    component.extend([0, 0, 0].repeat(more.into()));
    component
}

fn build(name: &str) -> Vec<u8> {
    drop(cargo_build(name));
    let wasm = target_dir().join("wasm32-wasip2/layer").join(format!("{name}.wasm"));
    std::fs::read(&wasm).unwrap_or_else(|error| panic!("{}: {error}", wasm.display()))
}

fn target_dir() -> PathBuf {
    workspace::target().join("guests")
}

/// Builds a package for the layers' target and returns cargo's messages.
fn cargo_build(name: &str) -> Vec<u8> {
    let mut cargo = cargo();
    cargo.args(["build", "--quiet", "--locked", "--profile", "layer", "--target", "wasm32-wasip2"]);
    cargo.args(["--message-format", "json-render-diagnostics", "--package", name]);
    cargo.arg("--target-dir").arg(target_dir());
    // Flags meant for the host have no meaning for a guest.
    for flag in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET"] {
        cargo.env_remove(flag);
    }
    let output = cargo.output().expect("cargo can be run");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "the test layer {name} did not build; is the target wasm32-wasip2 installed?\n{stderr}"
    );
    output.stdout
}

/// Returns the output folder of the build script of `wat-layers`.
fn out_dir(messages: &[u8]) -> Option<PathBuf> {
    let messages =
        messages.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let ours = |message: &Value| {
        message["reason"] == "build-script-executed"
            && message["package_id"].as_str().is_some_and(|id| id.contains("tests/layers/wat"))
    };
    messages.filter(ours).find_map(|message| Some(PathBuf::from(message["out_dir"].as_str()?)))
}
