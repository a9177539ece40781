//! What a file is that is no component: said in a sentence, because a wrong file is the first thing that happens to the
//! author of a layer.

use crate::error::{Error, Result};

/// The eight bytes that every component begins with.
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

/// And every core module.
const MODULE: &[u8] = b"\0asm\x01\0\0\0";

/// Native code, which is also what wasmtime compiles a component to.
const ELF: &[u8] = b"\x7fELF";

const AGAIN: &str = "build or copy the file again; this is not what the tools made";

const REMEDY: &str = "hand over the component itself, the .wasm file that the build made";

/// Looks at the first bytes.
pub(super) fn what_is_no_component(wasm: &[u8]) -> Result<()> {
    if wasm.starts_with(COMPONENT) {
        return Ok(());
    }
    let what = match wasm {
        [] => "the file is empty",
        _ if wasm.len() < 8 && (COMPONENT.starts_with(wasm) || MODULE.starts_with(wasm)) => {
            "the file breaks off within its first eight bytes"
        }
        _ if wasm.starts_with(MODULE) => return Err(core_module()),
        _ if wasm.starts_with(ELF) => {
            "this is native or compiled code (ELF, perhaps a .cwasm), not a component"
        }
        _ if wasm.starts_with(b"\0asm") => return Err(unknown_format()),
        _ if wasm.trim_ascii_start().starts_with(b"(") => {
            return Err(Error::invalid("this is the text of a component, not the component")
                .hint("make one of it: wasm-tools parse FILE.wat --output FILE.wasm"));
        }
        _ => "this is not WebAssembly: its first bytes are not \\0asm",
    };
    Err(Error::invalid(what).hint(REMEDY))
}

fn core_module() -> Error {
    Error::invalid("this is a core module, not a component").hint(
        "build it for wasm32-wasip2, which makes components: cargo build --release --target wasm32-wasip2",
    )
}

fn unknown_format() -> Error {
    Error::invalid("this is WebAssembly of a format that is neither a component's nor a module's")
        .hint("build it with tools of today: this host reads components of the WASI 0.2 format")
}

/// The error for a component that cannot be read to its end.
pub(super) fn broken(error: &wasmparser::BinaryReaderError, size: usize) -> Error {
    let (message, place) = (error.message(), error.offset());
    match message.contains("unexpected end") || message.contains("unexpected-eof") {
        true => breaks_off(size),
        false => Error::invalid(format!("the component is broken at byte {place} of {size}: {message}"))
            .hint(AGAIN),
    }
}

/// The error for a component that is not all there.
pub(super) fn breaks_off(size: usize) -> Error {
    Error::invalid(format!("the component breaks off after {size} bytes, in the middle of a section"))
        .hint(AGAIN)
}
