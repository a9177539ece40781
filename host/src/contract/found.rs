//! What a component really exports and imports, as its own types say. Everything is validated but the code inside its
//! modules: that costs as much as all the rest and is the compiler's business.

use std::collections::HashMap;

use wasmparser::component_types::{
    ComponentAnyTypeId, ComponentDefinedTypeId, ComponentEntityType, ComponentInstanceTypeId,
};
use wasmparser::types::{Types, TypesRef};
use wasmparser::{Parser, Payload, ValidPayload, Validator, WasmFeatures};

use super::refuse::{breaks_off, broken};
use crate::error::Result;

/// What a component exports and imports.
pub(super) struct Found {
    pub(super) exports: Vec<Item>,
    pub(super) imports: Vec<Item>,
    types: Types,
    /// What the component calls them.
    pub(super) names: HashMap<ComponentDefinedTypeId, String>,
}

/// One export or import.
pub(super) struct Item {
    pub(super) name: String,
    pub(super) ty: ComponentEntityType,
}

impl Item {
    /// The interface that it is; none for a function, a type or a module by itself.
    pub(super) fn interface(&self) -> Option<ComponentInstanceTypeId> {
        match self.ty {
            ComponentEntityType::Instance(id) => Some(id),
            _ => None,
        }
    }
}

impl Found {
    /// Reads a component.
    ///
    /// # Errors
    /// `Invalid` when it breaks off or is broken.
    pub(super) fn read(wasm: &[u8]) -> Result<Self> {
        let outline = outline(wasm).map_err(|error| broken(&error, wasm.len()))?;
        let (types, exports, imports) = outline.ok_or_else(|| breaks_off(wasm.len()))?;
        let known = types.as_ref();
        let items = |names: Vec<String>, find: &dyn Fn(&str) -> Option<ComponentEntityType>| -> Vec<Item> {
            names.into_iter().filter_map(|name| Some(Item { ty: find(&name)?, name })).collect()
        };
        let exports = items(exports, &|name| known.component_item_for_export(name).map(|item| item.ty));
        let imports = items(imports, &|name| known.component_item_for_import(name).map(|item| item.ty));
        let names = exports.iter().chain(&imports).flat_map(|item| named(item, &types)).collect();
        Ok(Self { exports, imports, types, names })
    }

    /// All types, which the items refer to.
    pub(super) fn types(&self) -> TypesRef<'_> {
        self.types.as_ref()
    }
}

type Outline = (Types, Vec<String>, Vec<String>);

/// The types, and the names of exports and imports of the outermost component; none where it breaks off.
fn outline(wasm: &[u8]) -> Result<Option<Outline>, wasmparser::BinaryReaderError> {
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
                // The parser takes the end of the file for the end of what is nested, too.
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
    Ok(types.map(|types| (types, exports, imports)))
}

/// The types that an interface gives a name, by id.
fn named(item: &Item, types: &Types) -> Vec<(ComponentDefinedTypeId, String)> {
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
