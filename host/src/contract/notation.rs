//! Types in the notation of WIT, both the contract's and a component's.

use wasmparser::PrimitiveValType;
use wasmparser::component_types::{ComponentDefinedType, ComponentFuncType, ComponentValType};
use wit_parser::{Function, Resolve, Type, TypeDefKind};

use super::found::Found;

/// How deep a nameless type is written out. Beyond it stands `…`: a stranger's type may be as deep as it likes.
const DEPTH: usize = 3;

/// How many fields or cases of a nameless type are written out.
const MEMBERS: usize = 6;

/// A function of the contract, such as `func(event: event) -> result<reply, error>`.
pub(super) fn our_function(function: &Function, resolve: &Resolve) -> String {
    let params = function.params.iter().map(|param| format!("{}: {}", param.name, ours(param.ty, resolve)));
    signature(params.collect(), function.result.map(|ty| ours(ty, resolve)))
}

/// A function of the component.
pub(super) fn their_function(function: &ComponentFuncType, found: &Found) -> String {
    let params = function.params.iter().map(|(name, ty)| format!("{name}: {}", theirs(*ty, found)));
    let result = function.result.map(|ty| theirs(ty, found));
    let kind = if function.async_ { "async " } else { "" };
    format!("{kind}{}", signature(params.collect(), result))
}

fn signature(params: Vec<String>, result: Option<String>) -> String {
    let result = result.map_or(String::new(), |result| format!(" -> {result}"));
    format!("func({}){result}", params.join(", "))
}

/// A type of the contract.
pub(super) fn ours(ty: Type, resolve: &Resolve) -> String {
    let Type::Id(id) = ty else { return our_primitive(ty).to_owned() };
    let def = &resolve.types[id];
    if let Some(name) = &def.name {
        return name.clone();
    }
    let ours = |ty: &Type| ours(*ty, resolve);
    match &def.kind {
        TypeDefKind::List(element) => format!("list<{}>", ours(element)),
        TypeDefKind::Option(inner) => format!("option<{}>", ours(inner)),
        TypeDefKind::Result(both) => result(both.ok.as_ref().map(ours), both.err.as_ref().map(ours)),
        TypeDefKind::Tuple(tuple) => {
            format!("tuple<{}>", tuple.types.iter().map(ours).collect::<Vec<_>>().join(", "))
        }
        TypeDefKind::Type(same) => ours(same),
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

fn our_primitive(ty: Type) -> &'static str {
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

/// Whether the two primitive types are the same.
pub(super) fn is_same_primitive(ours: Type, theirs: PrimitiveValType) -> bool {
    our_primitive(ours) == theirs.to_string()
}

/// A type of the component.
pub(super) fn theirs(ty: ComponentValType, found: &Found) -> String {
    their(ty, found, DEPTH)
}

fn their(ty: ComponentValType, found: &Found, depth: usize) -> String {
    let id = match ty {
        ComponentValType::Primitive(primitive) => return primitive.to_string(),
        ComponentValType::Type(id) => id,
    };
    match (found.names.get(&id), found.types().get(id)) {
        (Some(name), _) => name.clone(),
        (None, Some(def)) if depth > 0 => structure(def, found, depth - 1),
        _ => "…".to_owned(),
    }
}

fn structure(def: &ComponentDefinedType, found: &Found, depth: usize) -> String {
    use ComponentDefinedType as D;
    let their = |ty: &ComponentValType| their(*ty, found, depth);
    match def {
        D::Primitive(primitive) => primitive.to_string(),
        D::Record(record) => {
            members("record", record.fields.iter().map(|(name, ty)| format!("{name}: {}", their(ty))))
        }
        D::Variant(variant) => members("variant", variant.cases.keys().map(ToString::to_string)),
        D::Enum(cases) => members("enum", cases.iter().map(ToString::to_string)),
        D::Flags(flags) => members("flags", flags.iter().map(ToString::to_string)),
        D::List { element, .. } => format!("list<{}>", their(element)),
        D::FixedLengthList { element, length, .. } => format!("list<{}, {length}>", their(element)),
        D::Map { key, value, .. } => format!("map<{}, {}>", their(key), their(value)),
        D::Option { ty, .. } => format!("option<{}>", their(ty)),
        D::Result { ok, err, .. } => result(ok.as_ref().map(their), err.as_ref().map(their)),
        D::Tuple(tuple) => format!("tuple<{}>", few(tuple.types.iter().map(their))),
        D::Own(_) => "own<resource>".to_owned(),
        D::Borrow(_) => "borrow<resource>".to_owned(),
        D::Future { .. } => "future".to_owned(),
        D::Stream { .. } => "stream".to_owned(),
    }
}

fn members(kind: &str, members: impl Iterator<Item = String>) -> String {
    format!("{kind} {{ {} }}", few(members))
}

fn few(members: impl Iterator<Item = String>) -> String {
    let mut members = members;
    let mut shown: Vec<String> = members.by_ref().take(MEMBERS).collect();
    shown.extend(members.next().map(|_| "…".to_owned()));
    shown.join(", ")
}
