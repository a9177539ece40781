//! Builds what the host embeds: the layers that come with it, and the tables of redaction rules.

#[path = "build/embedded_layers.rs"]
mod embedded_layers;
#[path = "build/redaction_rules.rs"]
mod redaction_rules;

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    let workspace = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("..");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    link_without_relocations();
    link_with_script();
    embedded_layers::build(&workspace, &out);
    redaction_rules::compile(Path::new("src/redact/rules.toml"), &out.join("redaction_rules.rs"));
}

/// Gives a development build for Linux a fixed address. The tests start it thousands of times, and in a
/// program of 260 MB, relocations took a fifth of a hook's time. What people install keeps its profile's
/// choice.
fn link_without_relocations() {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|it| it == value);
    if is("PROFILE", "debug") && is("CARGO_CFG_TARGET_OS", "linux") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}

/// Gives the linker the script that `cargo xtask dist` names. It says which functions lie side by side.
fn link_with_script() {
    const VARIABLE: &str = "INTERLEAF_LINKER_SCRIPT";
    println!("cargo:rerun-if-env-changed={VARIABLE}");
    match env::var(VARIABLE) {
        Ok(script) => {
            println!("cargo:rerun-if-changed={script}");
            println!("cargo:rustc-link-arg-bins=-T");
            println!("cargo:rustc-link-arg-bins={script}");
        }
        Err(env::VarError::NotPresent) => {}
        Err(error) => panic!("{VARIABLE}: {error}"),
    }
}
