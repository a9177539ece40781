//! Makes a component of every `*.wat` file here. A text with `(component` is used as it is; a core module
//! becomes a component that answers `user-prompt`. This is a build script so that its tools are not
//! dependencies of the tests.

use std::path::{Path, PathBuf};
use std::{env, fs};

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let contract = here.join("../../../wit");
    println!("cargo:rerun-if-changed={}", here.display());
    println!("cargo:rerun-if-changed={}", contract.display());
    for entry in fs::read_dir(&here).expect("cargo runs it here") {
        let file = entry.expect("a listed file can be named").path();
        let Some(name) = file.file_stem().filter(|_| file.extension().is_some_and(|end| end == "wat")) else {
            continue;
        };
        let bytes = wat::parse_file(&file).unwrap_or_else(|error| panic!("{error}"));
        // The fifth to eighth byte distinguish modules (1, 0, 0, 0) from components.
        let wasm = if bytes[4..8] == [1, 0, 0, 0] { component(bytes, &contract) } else { bytes };
        fs::write(out.join(name).with_extension("wasm"), wasm).expect("OUT_DIR can be written");
    }
}

fn component(mut module: Vec<u8>, contract: &Path) -> Vec<u8> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(contract).expect("the contract is valid");
    let world = resolve.select_world(&[package], Some("on-user-prompt")).expect("the contract has it");
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).expect("a core module");
    let mut encoder = ComponentEncoder::default();
    let encoder = encoder.module(&module).expect("it fits the contract");
    encoder.encode().unwrap_or_else(|error| panic!("{error:#}"))
}
