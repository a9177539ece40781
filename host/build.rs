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
    embedded_layers::build(&workspace, &out);
    redaction_rules::compile(Path::new("src/redact/rules.toml"), &out.join("redaction_rules.rs"));
}
