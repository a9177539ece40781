//! Reads a component: checks that the bytes are one, and returns its exports and imports with their types.
//!
//! Everything is validated except the code inside its modules. Validating that would cost as much as all the
//! rest, and the compiler does it anyway. Passing a wrong file is a common first mistake of a layer's author,
//! so the error names the kind of file.

use std::collections::HashMap;

use wasmparser::component_types::{
    ComponentAnyTypeId, ComponentDefinedTypeId, ComponentEntityType, ComponentInstanceTypeId,
};
use wasmparser::types::{Types, TypesRef};
use wasmparser::{BinaryReaderError, Parser, Payload, ValidPayload, Validator, WasmFeatures};

use crate::error::{Error, Result};

/// The first bytes of a component.
const COMPONENT_HEADER: &[u8] = b"\0asm\x0d\0\x01\0";
/// The first bytes of a core module.
const MODULE_HEADER: &[u8] = b"\0asm\x01\0\0\0";
/// The first bytes of native code, also of a component that wasmtime has compiled.
const ELF_HEADER: &[u8] = b"\x7fELF";

const REBUILD_HINT: &str = "build or copy the file again; it was changed after the build";
const WRONG_FILE_HINT: &str = "pass the component itself, the .wasm file that the build produced";

/// Checks whether the bytes begin with the header of a component.
///
/// # Errors
/// `Invalid` if they do not; the message identifies the actual format.
pub(super) fn check_format(wasm: &[u8]) -> Result<()> {
    if wasm.starts_with(COMPONENT_HEADER) {
        return Ok(());
    }
    let is_beginning = wasm.len() < COMPONENT_HEADER.len()
        && [COMPONENT_HEADER, MODULE_HEADER].iter().any(|header| header.starts_with(wasm));
    let (what, hint) = match wasm {
        [] => ("the file is empty", WRONG_FILE_HINT),
        _ if is_beginning => ("the file ends within its first eight bytes", WRONG_FILE_HINT),
        _ if wasm.starts_with(MODULE_HEADER) => (
            "this is a core module, not a component",
            "build it for wasm32-wasip2, which makes components: cargo build --release --target \
             wasm32-wasip2",
        ),
        _ if wasm.starts_with(ELF_HEADER) => {
            ("this is native or compiled code (ELF, perhaps a .cwasm), not a component", WRONG_FILE_HINT)
        }
        _ if wasm.starts_with(b"\0asm") => (
            "this WebAssembly file is neither a component nor a core module",
            "build it with current tools: this host reads components of the WASI 0.2 format",
        ),
        _ if wasm.trim_ascii_start().starts_with(b"(") => (
            "this is the text format of a component, not the binary format",
            "convert it: wasm-tools parse FILE.wat --output FILE.wasm",
        ),
        _ => ("this is not WebAssembly: its first bytes are not \\0asm", WRONG_FILE_HINT),
    };
    Err(Error::invalid(what).hint(hint))
}

fn invalid(error: &BinaryReaderError, size: usize) -> Error {
    let (message, offset) = (error.message(), error.offset());
    match message.contains("unexpected end") || message.contains("unexpected-eof") {
        true => truncated(size),
        false => Error::invalid(format!("the component is invalid at byte {offset} of {size}: {message}"))
            .hint(REBUILD_HINT),
    }
}

fn truncated(size: usize) -> Error {
    Error::invalid(format!("the component ends after {size} bytes, in the middle of a section"))
        .hint(REBUILD_HINT)
}

/// The exports and imports of a component, with their types.
pub(super) struct Component {
    pub(super) exports: Vec<Item>,
    pub(super) imports: Vec<Item>,
    types: Types,
    /// The names that the component gives its types.
    pub(super) type_names: HashMap<ComponentDefinedTypeId, String>,
}

/// An export or import.
pub(super) struct Item {
    pub(super) name: String,
    pub(super) ty: ComponentEntityType,
}

impl Item {
    /// Returns the item as an interface; `None` for a single function, type or module.
    pub(super) fn interface(&self) -> Option<ComponentInstanceTypeId> {
        match self.ty {
            ComponentEntityType::Instance(id) => Some(id),
            _ => None,
        }
    }
}

impl Component {
    /// Reads a component.
    ///
    /// # Errors
    /// `Invalid` if it is truncated or invalid.
    pub(super) fn read(wasm: &[u8]) -> Result<Self> {
        let outline = read_outline(wasm).map_err(|error| invalid(&error, wasm.len()))?;
        let Outline { types, exports, imports } = outline.ok_or_else(|| truncated(wasm.len()))?;
        let known = types.as_ref();
        let items = |names: Vec<String>, find: &dyn Fn(&str) -> Option<ComponentEntityType>| -> Vec<Item> {
            names.into_iter().filter_map(|name| Some(Item { ty: find(&name)?, name })).collect()
        };
        let exports = items(exports, &|name| known.component_item_for_export(name).map(|item| item.ty));
        let imports = items(imports, &|name| known.component_item_for_import(name).map(|item| item.ty));
        let type_names =
            exports.iter().chain(&imports).flat_map(|item| names_of_types(item, &types)).collect();
        Ok(Self { exports, imports, types, type_names })
    }

    /// Returns the names of the functions of an interface; none for anything else.
    pub(super) fn functions(&self, item: &Item) -> Vec<&str> {
        let interface = item.interface().and_then(|id| self.types().get(id));
        let exports = interface.into_iter().flat_map(|interface| &interface.exports);
        let functions = exports.filter(|(_, item)| matches!(item.ty, ComponentEntityType::Func(_)));
        functions.map(|(name, _)| name.as_str()).collect()
    }

    /// Returns all types, to which the items refer.
    pub(super) fn types(&self) -> TypesRef<'_> {
        self.types.as_ref()
    }
}

/// The types of a component, and the names of the exports and imports of the outermost one.
struct Outline {
    types: Types,
    exports: Vec<String>,
    imports: Vec<String>,
}

/// Reads the outline of a component. Returns `None` if the component is truncated.
fn read_outline(wasm: &[u8]) -> Result<Option<Outline>, BinaryReaderError> {
    let mut validator = Validator::new_with_features(WasmFeatures::all());
    let (mut exports, mut imports, mut types, mut depth) = (Vec::new(), Vec::new(), None, 0);
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload?;
        if let ValidPayload::End(all) = validator.payload(&payload)? {
            types = Some(all);
        }
        match payload {
            Payload::ModuleSection { unchecked_range, .. }
            | Payload::ComponentSection { unchecked_range, .. } => {
                // The parser also accepts the end of the file as the end of a nested component.
                if unchecked_range.end > wasm.len() {
                    return Ok(None);
                }
                depth += 1;
            }
            Payload::End(_) => depth -= 1,
            Payload::ComponentImportSection(section) if depth == 0 => {
                for import in section {
                    imports.push(import?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(section) if depth == 0 => {
                for export in section {
                    exports.push(export?.name.name.to_owned());
                }
            }
            _ => {}
        }
    }
    Ok(types.map(|types| Outline { types, exports, imports }))
}

/// Returns the types that an interface names, by id.
fn names_of_types(item: &Item, types: &Types) -> Vec<(ComponentDefinedTypeId, String)> {
    let interface = item.interface().and_then(|id| types.as_ref().get(id));
    let exports = interface.into_iter().flat_map(|interface| &interface.exports);
    let names = exports.filter_map(|(name, item)| match item.ty {
        ComponentEntityType::Type { created: ComponentAnyTypeId::Defined(id), .. } => {
            Some((id, name.clone()))
        }
        _ => None,
    });
    names.collect()
}
