//! Formats types of the contract and of components in the notation of WIT.

use wasmparser::PrimitiveValType;
use wasmparser::component_types::{ComponentDefinedType, ComponentFuncType, ComponentValType};
use wit_parser::{Function, Resolve, Type, TypeDefKind};

use super::component::Component;

/// Depth to which an unnamed type is written out; deeper parts are `…`. The types of an untrusted component
/// may be nested arbitrarily deeply.
const MAX_DEPTH: usize = 3;

/// Maximum number of fields or cases of an unnamed type that are written out.
const MAX_MEMBERS: usize = 6;

/// Returns a function of the contract, such as `func(event: event) -> result<reply, error>`.
pub(super) fn contract_function(function: &Function, resolve: &Resolve) -> String {
    let params =
        function.params.iter().map(|param| format!("{}: {}", param.name, contract_type(param.ty, resolve)));
    signature(params.collect(), function.result.map(|ty| contract_type(ty, resolve)))
}

/// Returns a function of the component.
pub(super) fn component_function(function: &ComponentFuncType, component: &Component) -> String {
    let params =
        function.params.iter().map(|(name, ty)| format!("{name}: {}", component_type(*ty, component)));
    let result = function.result.map(|ty| component_type(ty, component));
    let kind = if function.async_ { "async " } else { "" };
    format!("{kind}{}", signature(params.collect(), result))
}

fn signature(params: Vec<String>, result: Option<String>) -> String {
    let result = result.map_or(String::new(), |result| format!(" -> {result}"));
    format!("func({}){result}", params.join(", "))
}

/// Returns a type of the contract.
pub(super) fn contract_type(ty: Type, resolve: &Resolve) -> String {
    let Type::Id(id) = ty else { return contract_primitive(ty).to_owned() };
    let def = &resolve.types[id];
    if let Some(name) = &def.name {
        return name.clone();
    }
    let type_name = |ty: &Type| contract_type(*ty, resolve);
    match &def.kind {
        TypeDefKind::List(element) => format!("list<{}>", type_name(element)),
        TypeDefKind::Option(inner) => format!("option<{}>", type_name(inner)),
        TypeDefKind::Result(both) => {
            result(both.ok.as_ref().map(type_name), both.err.as_ref().map(type_name))
        }
        TypeDefKind::Tuple(tuple) => {
            format!("tuple<{}>", tuple.types.iter().map(type_name).collect::<Vec<_>>().join(", "))
        }
        TypeDefKind::Type(same) => type_name(same),
        other => other.as_str().to_owned(),
    }
}

fn result(ok: Option<String>, err: Option<String>) -> String {
    match (ok, err) {
        (Some(ok), Some(err)) => format!("result<{ok}, {err}>"),
        (Some(ok), None) => format!("result<{ok}>"),
        (None, Some(err)) => format!("result<_, {err}>"),
        (None, None) => "result".to_owned(),
    }
}

fn contract_primitive(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "bool",
        Type::U8 => "u8",
        Type::U16 => "u16",
        Type::U32 => "u32",
        Type::U64 => "u64",
        Type::S8 => "s8",
        Type::S16 => "s16",
        Type::S32 => "s32",
        Type::S64 => "s64",
        Type::F32 => "f32",
        Type::F64 => "f64",
        Type::Char => "char",
        Type::String => "string",
        Type::ErrorContext => "error-context",
        Type::Id(_) => "a type",
    }
}

/// Returns whether the two primitive types are the same.
pub(super) fn is_same_primitive(expected: Type, found: PrimitiveValType) -> bool {
    contract_primitive(expected) == found.to_string()
}

/// Returns a type of the component.
pub(super) fn component_type(ty: ComponentValType, component: &Component) -> String {
    component_type_to(ty, component, MAX_DEPTH)
}

fn component_type_to(ty: ComponentValType, component: &Component, depth: usize) -> String {
    let id = match ty {
        ComponentValType::Primitive(primitive) => return primitive.to_string(),
        ComponentValType::Type(id) => id,
    };
    match (component.type_names.get(&id), component.types().get(id)) {
        (Some(name), _) => name.clone(),
        (None, Some(def)) if depth > 0 => structure(def, component, depth - 1),
        _ => "…".to_owned(),
    }
}

fn structure(def: &ComponentDefinedType, component: &Component, depth: usize) -> String {
    use ComponentDefinedType as D;
    let type_name = |ty: &ComponentValType| component_type_to(*ty, component, depth);
    match def {
        D::Primitive(primitive) => primitive.to_string(),
        D::Record(record) => {
            members("record", record.fields.iter().map(|(name, ty)| format!("{name}: {}", type_name(ty))))
        }
        D::Variant(variant) => members("variant", variant.cases.keys().map(ToString::to_string)),
        D::Enum(cases) => members("enum", cases.iter().map(ToString::to_string)),
        D::Flags(flags) => members("flags", flags.iter().map(ToString::to_string)),
        D::List { element, .. } => format!("list<{}>", type_name(element)),
        D::FixedLengthList { element, length, .. } => format!("list<{}, {length}>", type_name(element)),
        D::Map { key, value, .. } => format!("map<{}, {}>", type_name(key), type_name(value)),
        D::Option { ty, .. } => format!("option<{}>", type_name(ty)),
        D::Result { ok, err, .. } => result(ok.as_ref().map(type_name), err.as_ref().map(type_name)),
        D::Tuple(tuple) => format!("tuple<{}>", first_members(tuple.types.iter().map(type_name))),
        D::Own(_) => "own<resource>".to_owned(),
        D::Borrow(_) => "borrow<resource>".to_owned(),
        D::Future { .. } => "future".to_owned(),
        D::Stream { .. } => "stream".to_owned(),
    }
}

fn members(kind: &str, members: impl Iterator<Item = String>) -> String {
    format!("{kind} {{ {} }}", first_members(members))
}

fn first_members(members: impl Iterator<Item = String>) -> String {
    let mut members = members;
    let mut shown: Vec<String> = members.by_ref().take(MAX_MEMBERS).collect();
    shown.extend(members.next().map(|_| "…".to_owned()));
    shown.join(", ")
}
