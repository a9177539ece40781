//! Compares the type of a function in a component with its type in the contract, and returns the first
//! difference.
//!
//! Types are compared by structure, as in the sandbox: the names of types and parameters do not matter, but
//! fields and cases must have the same names in the same order. The comparison is only as deep as the
//! contract's own type, so deeply nested types of an untrusted component do no harm.

use wasmparser::component_types::{ComponentDefinedType, ComponentFuncType, ComponentValType};
use wit_parser::{Function, Type, TypeDef, TypeDefKind};

use super::component::Component;
use super::interfaces::Contract;
use super::type_notation;

/// The contract and the component to compare with it.
pub(super) struct Comparison<'a> {
    pub(super) contract: &'a Contract,
    pub(super) component: &'a Component,
}

/// The difference of two types.
enum Difference {
    /// The types themselves differ. The caller adds the description, because it knows their location.
    Type,
    /// A member of the types differs, as described.
    Member(String),
}

type CompareResult = Result<(), Difference>;

impl Comparison<'_> {
    /// Returns the first difference in words; `None` if the types are the same.
    pub(super) fn function(&self, expected: &Function, found: &ComponentFuncType) -> Option<String> {
        let has_other_shape = found.async_
            || found.params.len() != expected.params.len()
            || found.result.is_some() != expected.result.is_some();
        if has_other_shape {
            let expected = type_notation::contract_function(expected, &self.contract.resolve);
            return Some(difference(&expected, &type_notation::component_function(found, self.component)));
        }
        let params = expected.params.iter().zip(&found.params).map(|(expected, (_, found))| {
            self.located(&format!("parameter `{}`", expected.name), expected.ty, *found)
        });
        let results = expected.result.zip(found.result);
        let result = results.map(|(expected, found)| self.located("the result", expected, found));
        params.chain(result).find_map(Result::err)
    }

    /// Compares the types of a parameter, field or case at this location.
    fn located(&self, location: &str, expected: Type, found: ComponentValType) -> Result<(), String> {
        self.value(expected, found).map_err(|error| match error {
            Difference::Member(description) => description,
            Difference::Type => {
                let expected = type_notation::contract_type(expected, &self.contract.resolve);
                let found = type_notation::component_type(found, self.component);
                format!("{location}: {}", difference(&expected, &found))
            }
        })
    }

    fn value(&self, expected: Type, found: ComponentValType) -> CompareResult {
        let found = match found {
            ComponentValType::Type(id) => self.component.types().get(id).ok_or(Difference::Type)?,
            ComponentValType::Primitive(primitive) => &ComponentDefinedType::Primitive(primitive),
        };
        match (self.definition(expected), found) {
            (Some(definition), found) => self.defined(definition, found),
            (None, ComponentDefinedType::Primitive(primitive))
                if type_notation::is_same_primitive(expected, *primitive) =>
            {
                Ok(())
            }
            (None, _) => Err(Difference::Type),
        }
    }

    /// Returns the definition of a type after resolving all aliases; `None` for a primitive type.
    fn definition(&self, mut ty: Type) -> Option<&TypeDef> {
        while let Type::Id(id) = ty {
            let definition = &self.contract.resolve.types[id];
            let TypeDefKind::Type(target) = definition.kind else { return Some(definition) };
            ty = target;
        }
        None
    }

    fn defined(&self, expected: &TypeDef, found: &ComponentDefinedType) -> CompareResult {
        use ComponentDefinedType as D;
        use TypeDefKind as K;
        let name = expected.name.as_deref().unwrap_or("of the contract");
        match (&expected.kind, found) {
            (K::List(expected), D::List { element, .. }) => self.value(*expected, *element),
            (K::Option(expected), D::Option { ty, .. }) => self.value(*expected, *ty),
            (K::Result(expected), D::Result { ok, err, .. }) => {
                self.optional(expected.ok, *ok).and_then(|()| self.optional(expected.err, *err))
            }
            (K::Record(expected), D::Record(found)) => {
                let expected = expected.fields.iter().map(|field| (field.name.as_str(), Some(field.ty)));
                let found = found.fields.iter().map(|(name, ty)| (name.as_str(), Some(*ty)));
                self.members(&format!("record `{name}`"), "field", expected.collect(), found.collect())
            }
            (K::Variant(expected), D::Variant(found)) => {
                let expected = expected.cases.iter().map(|case| (case.name.as_str(), case.ty));
                let found = found.cases.iter().map(|(name, case)| (name.as_str(), case.ty));
                self.members(&format!("variant `{name}`"), "case", expected.collect(), found.collect())
            }
            (K::Enum(expected), D::Enum(found)) => {
                let expected = expected.cases.iter().map(|case| (case.name.as_str(), None));
                let found = found.iter().map(|name| (name.as_str(), None));
                self.members(&format!("enum `{name}`"), "case", expected.collect(), found.collect())
            }
            _ => Err(Difference::Type),
        }
    }

    fn optional(&self, expected: Option<Type>, found: Option<ComponentValType>) -> CompareResult {
        match (expected, found) {
            (None, None) => Ok(()),
            (Some(expected), Some(found)) => self.value(expected, found),
            _ => Err(Difference::Type),
        }
    }

    /// Compares the fields of a record or the cases of a variant: first their names in order, then their
    /// types.
    fn members(
        &self,
        parent: &str,
        kind: &str,
        expected: Vec<(&str, Option<Type>)>,
        found: Vec<(&str, Option<ComponentValType>)>,
    ) -> CompareResult {
        let count = expected.len().max(found.len());
        let names = |index: usize| {
            let expected = expected.get(index).map(|(name, _)| *name);
            (expected, found.get(index).map(|(name, _)| *name))
        };
        if let Some((expected, found)) = (0..count).map(names).find(|(expected, found)| expected != found) {
            let described =
                |name: Option<&str>| name.map_or(format!("no {kind}"), |name| format!("{kind} `{name}`"));
            let difference = difference(&described(expected), &described(found));
            return Err(Difference::Member(format!("{parent}: {difference}")));
        }
        for ((name, expected), (_, found)) in expected.iter().zip(&found) {
            let location = format!("{kind} `{name}` of {parent}");
            self.member(&location, *expected, *found).map_err(Difference::Member)?;
        }
        Ok(())
    }

    fn member(
        &self,
        location: &str,
        expected: Option<Type>,
        found: Option<ComponentValType>,
    ) -> Result<(), String> {
        let no_value = || "no value".to_owned();
        match (expected, found) {
            (None, None) => Ok(()),
            (Some(expected), Some(found)) => self.located(location, expected, found),
            (expected, found) => {
                let expected = expected
                    .map_or_else(no_value, |ty| type_notation::contract_type(ty, &self.contract.resolve));
                let found =
                    found.map_or_else(no_value, |ty| type_notation::component_type(ty, self.component));
                Err(format!("{location}: {}", difference(&expected, &found)))
            }
        }
    }
}

fn difference(expected: &str, found: &str) -> String {
    format!("expected {expected}, found {found}")
}
