//! Builds the layers that come with Interleaf as components, compiles them to native code, and generates
//! the table that the host embeds: name, code, digest, exports and the declarations in `layer.toml` of each
//! layer.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};
use wasmparser::{Parser, Payload};
use wasmtime::Engine;
use wit_component::ComponentEncoder;

#[path = "../src/sandbox/engine_config.rs"]
mod engine_config;

/// The target of layers that read files. Rust's standard library for it imports 16 interfaces, most of them
/// to print the message of a panic.
const WITH_FILES: &str = "wasm32-wasip2";

/// The target of layers that need at most a clock of WASI. To read and link the 16 interfaces takes a tenth
/// of the time of a hook.
const WITHOUT_FILES: &str = "wasm32-unknown-unknown";

/// The layers, in the order in which their replies are merged, each with its target.
const LAYERS: [(&str, &str); 5] = [
    ("warmstart", WITH_FILES),
    ("recall", WITHOUT_FILES),
    ("pretool", WITHOUT_FILES),
    ("posttool", WITHOUT_FILES),
    ("save", WITH_FILES),
];

/// Writes the table of the layers into `out`, Cargo's `OUT_DIR`.
pub fn build(workspace: &Path, out: &Path) {
    for watched in
        ["plugins", "sdk/rust", "classifier", "text", "docs/schemas", "wit", "Cargo.toml", "Cargo.lock"]
    {
        println!("cargo:rerun-if-changed={}", workspace.join(watched).display());
    }
    for target in [WITH_FILES, WITHOUT_FILES] {
        build_layers(workspace, &layers_target_dir(out), target, out);
    }
    let engine = engine();
    let mut code = String::from("&[\n");
    for (name, _) in LAYERS {
        let wasm = out.join(format!("{name}.wasm"));
        fs::write(wasm.with_extension("cwasm"), compile(&engine, &wasm)).expect("OUT_DIR can be written");
        embed(&mut code, name, &wasm, &workspace.join("plugins").join(name));
    }
    code.push(']');
    fs::write(out.join("embedded.rs"), code).expect("OUT_DIR can be written");
}

/// Returns the target directory of the layers: one for all profiles of the host, so that the layers are built
/// only once. `OUT_DIR` is `TARGET/PROFILE/build/PACKAGE-HASH/out`.
fn layers_target_dir(out: &Path) -> PathBuf {
    out.ancestors().nth(4).expect("OUT_DIR lies five folders deep").join("layers")
}

/// Builds the layers of a target in a target directory of their own, without the flags for the host: those
/// would apply to the layers, too, or make cargo wait for a lock that it holds itself. Writes the components
/// into `out` at once, because another build may replace the layers.
fn build_layers(workspace: &Path, target_dir: &Path, target: &str, out: &Path) {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(workspace).args(["build", "--locked", "--profile", "layer", "--target", target]);
    cargo.arg("--target-dir").arg(target_dir);
    let names = || LAYERS.iter().filter(|(_, of_layer)| *of_layer == target).map(|(name, _)| name);
    for name in names() {
        cargo.args(["--package", name]);
    }
    for flag in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_TARGET"] {
        cargo.env_remove(flag);
    }
    let status = cargo.status().expect("cargo can be run");
    assert!(
        status.success(),
        "the layers did not build for {target}; if the target is missing: rustup target add {target}"
    );
    for name in names() {
        let file = format!("{name}.wasm");
        let component = component(&target_dir.join(target).join("layer").join(&file));
        fs::write(out.join(&file), component).expect("OUT_DIR can be written");
    }
}

/// Reads a layer. For [`WITHOUT_FILES`] the compiler makes a module, which becomes a component here.
fn component(file: &Path) -> Vec<u8> {
    let read = || -> Result<Vec<u8>, Box<dyn Error>> {
        let wasm = fs::read(file)?;
        match Parser::is_component(&wasm) {
            true => Ok(wasm),
            false => Ok(ComponentEncoder::default().validate(true).module(&wasm)?.encode()?),
        }
    };
    read().unwrap_or_else(|error| panic!("{}: {error:#}", file.display()))
}

/// Creates the engine that compiles for the target of this build. With a target, wasmtime uses only what
/// every processor of that target has, and nothing of the machine that builds.
fn engine() -> Engine {
    let target = env::var("TARGET").expect("cargo sets it");
    let mut config = engine_config::config();
    config.target(&target).unwrap_or_else(|error| panic!("no layer can be compiled for {target}: {error:#}"));
    Engine::new(&config).unwrap_or_else(|error| panic!("no layer can be compiled for {target}: {error:#}"))
}

/// Returns the native code of a component.
fn compile(engine: &Engine, wasm: &Path) -> Vec<u8> {
    let bytes = fs::read(wasm).unwrap_or_else(|error| panic!("{}: {error}", wasm.display()));
    let compiled = engine.precompile_component(&bytes);
    compiled.unwrap_or_else(|error| panic!("{} cannot be compiled: {error:#}", wasm.display()))
}

fn embed(code: &mut String, name: &str, wasm: &Path, source: &Path) {
    let bytes = fs::read(wasm).unwrap_or_else(|error| panic!("{}: {error}", wasm.display()));
    let declared = fs::read_to_string(source.join("layer.toml")).expect("every layer has a layer.toml");
    let declared: toml::Table = declared.parse().unwrap_or_else(|error| panic!("{name}/layer.toml: {error}"));
    let digest: String = Sha256::digest(&bytes).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    let _ = writeln!(
        code,
        "Embedded {{ name: {name:?}, about: {:?}, digest: {digest:?}, \
         #[cfg(test)] wasm: include_bytes!({:?}), \
         code: EmbeddedCode(&PageAligned(*include_bytes!({:?})).0), exports: &{:?}, grants: {:?}, \
         on_failure: {:?}, failure_words: &{:?} }},",
        declared["about"].as_str().expect("`about` is a sentence"),
        wasm,
        wasm.with_extension("cwasm"),
        exports(&bytes),
        serde_json::to_string(&declared["grants"]).expect("a TOML table is JSON"),
        declared.get("on_failure").map_or("pass", |policy| policy.as_str().expect("a policy is a string")),
        words(declared.get("failure_words")),
    );
}

/// Returns the strings of a list.
fn words(list: Option<&toml::Value>) -> Vec<&str> {
    let list = list.map(|list| list.as_array().expect("`failure_words` is a list"));
    list.into_iter().flatten().map(|word| word.as_str().expect("a word is a string")).collect()
}

/// Returns the names of a component's exports.
fn exports(wasm: &[u8]) -> Vec<String> {
    let mut depth = 0;
    let mut names = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        match payload.expect("the build made a valid component") {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth -= 1,
            Payload::ComponentExportSection(section) if depth == 0 => {
                names.extend(section.into_iter().flatten().map(|export| export.name.name.to_owned()));
            }
            _ => {}
        }
    }
    names
}
