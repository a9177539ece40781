//! Whether a function of the component has the type that the contract gives it, and if not, where the first difference
//! lies.
//!
//! Types are compared by their structure, as the sandbox does: what they are called does not matter, nor what the
//! parameters are called, while fields and cases must have the same names in the same order. Only as much of the
//! component's type is looked at as the contract's own reaches, so a stranger's type cannot be too deep.

use wasmparser::component_types::{ComponentDefinedType, ComponentFuncType, ComponentValType};
use wit_parser::{Function, Type, TypeDef, TypeDefKind};

use super::found::Found;
use super::notation;
use super::ours::Ours;

/// The two that are compared.
pub(super) struct Comparison<'a> {
    pub(super) ours: &'a Ours,
    pub(super) found: &'a Found,
}

/// How two types differ.
enum Difference {
    /// They themselves do: whoever refers to them tells it, where they have a place and perhaps a name.
    Here,
    /// Something inside does; in words.
    Inside(String),
}

type Same = Result<(), Difference>;

impl Comparison<'_> {
    /// The first difference, in words; none where the types are the same.
    pub(super) fn function(&self, ours: &Function, theirs: &ComponentFuncType) -> Option<String> {
        let whole = theirs.async_
            || theirs.params.len() != ours.params.len()
            || theirs.result.is_some() != ours.result.is_some();
        if whole {
            let expected = notation::our_function(ours, &self.ours.resolve);
            return Some(differ(&expected, &notation::their_function(theirs, self.found)));
        }
        let params = ours
            .params
            .iter()
            .zip(&theirs.params)
            .map(|(our, (_, theirs))| self.place(&format!("parameter `{}`", our.name), our.ty, *theirs));
        let result =
            ours.result.zip(theirs.result).map(|(our, theirs)| self.place("the result", our, theirs));
        params.chain(result).find_map(Result::err)
    }

    /// The types of something that has a place: a parameter, a field, a case.
    fn place(&self, place: &str, ours: Type, theirs: ComponentValType) -> Result<(), String> {
        self.value(ours, theirs).map_err(|difference| match difference {
            Difference::Inside(words) => words,
            Difference::Here => {
                let expected = notation::ours(ours, &self.ours.resolve);
                format!("{place}: {}", differ(&expected, &notation::theirs(theirs, self.found)))
            }
        })
    }

    fn value(&self, ours: Type, theirs: ComponentValType) -> Same {
        let theirs = match theirs {
            ComponentValType::Type(id) => self.found.types().get(id).ok_or(Difference::Here)?,
            ComponentValType::Primitive(primitive) => &ComponentDefinedType::Primitive(primitive),
        };
        match (self.def(ours), theirs) {
            (Some(def), theirs) => self.defined(def, theirs),
            (None, ComponentDefinedType::Primitive(primitive)) => {
                same(notation::is_same_primitive(ours, *primitive))
            }
            (None, _) => Err(Difference::Here),
        }
    }

    /// The definition behind all aliases; none for a primitive type.
    fn def(&self, mut ty: Type) -> Option<&TypeDef> {
        while let Type::Id(id) = ty {
            let def = &self.ours.resolve.types[id];
            let TypeDefKind::Type(behind) = def.kind else { return Some(def) };
            ty = behind;
        }
        None
    }

    fn defined(&self, ours: &TypeDef, theirs: &ComponentDefinedType) -> Same {
        use ComponentDefinedType as D;
        use TypeDefKind as K;
        let name = ours.name.as_deref().unwrap_or("of the contract");
        match (&ours.kind, theirs) {
            (K::List(our), D::List { element, .. }) => self.value(*our, *element),
            (K::Option(our), D::Option { ty, .. }) => self.value(*our, *ty),
            (K::Result(our), D::Result { ok, err, .. }) => {
                self.perhaps(our.ok, *ok).and_then(|()| self.perhaps(our.err, *err))
            }
            (K::Record(our), D::Record(their)) => {
                let our: Vec<_> =
                    our.fields.iter().map(|field| (field.name.as_str(), Some(field.ty))).collect();
                let their: Vec<_> =
                    their.fields.iter().map(|(name, ty)| (name.as_str(), Some(*ty))).collect();
                self.members(&format!("record `{name}`"), "field", &our, &their)
            }
            (K::Variant(our), D::Variant(their)) => {
                let our: Vec<_> = our.cases.iter().map(|case| (case.name.as_str(), case.ty)).collect();
                let their: Vec<_> = their.cases.iter().map(|(name, case)| (name.as_str(), case.ty)).collect();
                self.members(&format!("variant `{name}`"), "case", &our, &their)
            }
            (K::Enum(our), D::Enum(their)) => {
                let our: Vec<_> = our.cases.iter().map(|case| (case.name.as_str(), None)).collect();
                let their: Vec<_> = their.iter().map(|name| (name.as_str(), None)).collect();
                self.members(&format!("enum `{name}`"), "case", &our, &their)
            }
            _ => Err(Difference::Here),
        }
    }

    fn perhaps(&self, ours: Option<Type>, theirs: Option<ComponentValType>) -> Same {
        match (ours, theirs) {
            (None, None) => Ok(()),
            (Some(ours), Some(theirs)) => self.value(ours, theirs),
            _ => Err(Difference::Here),
        }
    }

    /// Fields or cases: first their names in their order, then their types.
    fn members(
        &self,
        whole: &str,
        kind: &str,
        ours: &[(&str, Option<Type>)],
        theirs: &[(&str, Option<ComponentValType>)],
    ) -> Same {
        let count = ours.len().max(theirs.len());
        let names = |at: usize| (ours.get(at).map(|our| our.0), theirs.get(at).map(|their| their.0));
        if let Some((our, their)) = (0..count).map(names).find(|(our, their)| our != their) {
            let told =
                |name: Option<&str>| name.map_or(format!("no {kind}"), |name| format!("{kind} `{name}`"));
            return Err(Difference::Inside(format!("{whole}: {}", differ(&told(our), &told(their)))));
        }
        for ((name, our), (_, their)) in ours.iter().zip(theirs) {
            let place = format!("{kind} `{name}` of {whole}");
            self.member(&place, *our, *their).map_err(Difference::Inside)?;
        }
        Ok(())
    }

    fn member(
        &self,
        place: &str,
        ours: Option<Type>,
        theirs: Option<ComponentValType>,
    ) -> Result<(), String> {
        let nothing = || "no value".to_owned();
        match (ours, theirs) {
            (None, None) => Ok(()),
            (Some(ours), Some(theirs)) => self.place(place, ours, theirs),
            (ours, theirs) => {
                let expected = ours.map_or_else(nothing, |ty| notation::ours(ty, &self.ours.resolve));
                let found = theirs.map_or_else(nothing, |ty| notation::theirs(ty, self.found));
                Err(format!("{place}: {}", differ(&expected, &found)))
            }
        }
    }
}

fn same(same: bool) -> Same {
    if same { Ok(()) } else { Err(Difference::Here) }
}

fn differ(expected: &str, found: &str) -> String {
    format!("expected {expected}, found {found}")
}
