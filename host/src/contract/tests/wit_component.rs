//! Builds components from WIT: the types of a world without any code. Such a component imports each interface
//! that it exports, under a name with the prefix [`OUTSIDE`].

use std::collections::HashMap;

use wasm_encoder::{
    ComponentBuilder, ComponentExportKind, ComponentTypeRef, ComponentValType, InstanceType,
    PrimitiveValType, TypeBounds,
};
use wit_parser::{InterfaceId, Resolve, SourceMap, Type, TypeDefKind, TypeId, WorldItem};

/// The prefix of the names of imports that are exported again.
pub(super) const OUTSIDE: &str = "outside";

/// Builds the component of the world `test` in these texts.
pub(super) fn component(texts: &[String]) -> Vec<u8> {
    let mut source = SourceMap::default();
    for (n, text) in texts.iter().enumerate() {
        source.push_str(&format!("{n}.wit"), text);
    }
    let mut resolve = Resolve::default();
    resolve.push_group(source.parse().map_err(|(_, error)| error).expect("WIT")).expect("WIT");
    let world = resolve.worlds.iter().find(|(_, world)| world.name == "test").expect("the world").1;
    let mut component = ComponentBuilder::default();
    for interface in world.imports.values().filter_map(interface) {
        import(&mut component, &resolve, interface, &resolve.id_of(interface).expect("a name"));
    }
    for (n, interface) in world.exports.values().filter_map(interface).enumerate() {
        let instance = import(&mut component, &resolve, interface, &format!("{OUTSIDE}{n}"));
        let name = resolve.id_of(interface).expect("a name");
        component.export(name.as_str(), ComponentExportKind::Instance, instance, None);
    }
    component.finish()
}

fn interface(item: &WorldItem) -> Option<InterfaceId> {
    match item {
        WorldItem::Interface { id, .. } => Some(*id),
        _ => None,
    }
}

/// Imports an interface under this name.
fn import(component: &mut ComponentBuilder, resolve: &Resolve, id: InterfaceId, name: &str) -> u32 {
    let mut shape = Shape { resolve, ty: InstanceType::new(), known: HashMap::new() };
    let interface = &resolve.interfaces[id];
    for ty in interface.types.values() {
        shape.def(*ty);
    }
    for (name, function) in &interface.functions {
        let params: Vec<_> =
            function.params.iter().map(|param| (param.name.as_str(), shape.value(param.ty))).collect();
        let result = function.result.map(|ty| shape.value(ty));
        let index = shape.ty.type_count();
        shape.ty.ty().function().params(params).result(result);
        shape.ty.export(name.as_str(), ComponentTypeRef::Func(index));
    }
    let ty = component.type_instance(None, &shape.ty);
    component.import(name, ComponentTypeRef::Instance(ty))
}

/// The type of an interface under construction. It defines all types itself, also those that it uses from
/// other interfaces.
struct Shape<'a> {
    resolve: &'a Resolve,
    ty: InstanceType,
    known: HashMap<TypeId, u32>,
}

impl Shape<'_> {
    fn value(&mut self, ty: Type) -> ComponentValType {
        use PrimitiveValType as P;
        ComponentValType::Primitive(match ty {
            Type::Id(id) => match self.resolve.types[id].kind {
                TypeDefKind::Type(target) => return self.value(target),
                _ => return ComponentValType::Type(self.def(id)),
            },
            Type::Bool => P::Bool,
            Type::U8 => P::U8,
            Type::U32 => P::U32,
            Type::U64 => P::U64,
            Type::S64 => P::S64,
            Type::F32 => P::F32,
            Type::F64 => P::F64,
            Type::String => P::String,
            other => panic!("these tests do not use {other:?}"),
        })
    }

    fn def(&mut self, id: TypeId) -> u32 {
        if let Some(index) = self.known.get(&id) {
            return *index;
        }
        let resolve = self.resolve;
        let def = &resolve.types[id];
        if let TypeDefKind::Type(Type::Id(target)) = def.kind {
            return self.def(target);
        }
        let mut index = self.structure(&def.kind);
        if let Some(name) = &def.name {
            self.ty.export(name.as_str(), ComponentTypeRef::Type(TypeBounds::Eq(index)));
            index = self.ty.type_count() - 1;
        }
        self.known.insert(id, index);
        index
    }

    fn structure(&mut self, kind: &TypeDefKind) -> u32 {
        use TypeDefKind as K;
        match kind {
            K::Record(record) => {
                let fields: Vec<_> =
                    record.fields.iter().map(|field| (field.name.as_str(), self.value(field.ty))).collect();
                self.ty.ty().defined_type().record(fields);
            }
            K::Variant(variant) => {
                let cases: Vec<_> = variant
                    .cases
                    .iter()
                    .map(|case| (case.name.as_str(), case.ty.map(|ty| self.value(ty))))
                    .collect();
                self.ty.ty().defined_type().variant(cases);
            }
            K::Enum(cases) => {
                self.ty.ty().defined_type().enum_type(cases.cases.iter().map(|case| case.name.as_str()));
            }
            K::List(ty) => {
                let ty = self.value(*ty);
                self.ty.ty().defined_type().list(ty);
            }
            K::Option(ty) => {
                let ty = self.value(*ty);
                self.ty.ty().defined_type().option(ty);
            }
            K::Result(result) => {
                let (ok, err) = (result.ok.map(|ty| self.value(ty)), result.err.map(|ty| self.value(ty)));
                self.ty.ty().defined_type().result(ok, err);
            }
            other => panic!("these tests do not use {}", other.as_str()),
        }
        self.ty.type_count() - 1
    }
}
