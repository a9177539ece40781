//! Values of the contract as JSON with the contract's names: `duplicate-of`, not `DuplicateOf`, and
//! `related-files`, not `related_files`. JSON text inside a value is a string in the contract and stays one.

use serde::Serialize;
use serde::ser::{Impossible, SerializeSeq, SerializeStruct, Serializer};
use serde_json::{Error, Map, Value};

/// Converts a value of the contract to JSON.
pub(super) fn to_json<T: Serialize + ?Sized>(value: &T) -> Value {
    // The contract has no type that could fail: no maps, no tuples in variants.
    value.serialize(WitSerializer).unwrap_or_default()
}

/// Converts `RelatedFiles` and `related_files` to `related-files`.
pub(super) fn kebab_case(name: &str) -> String {
    let mut kebab = String::with_capacity(name.len() + 4);
    for (at, letter) in name.trim_start_matches("r#").char_indices() {
        if letter.is_ascii_uppercase() && at > 0 {
            kebab.push('-');
        }
        kebab.push(if letter == '_' { '-' } else { letter.to_ascii_lowercase() });
    }
    kebab
}

struct WitSerializer;

/// The elements of a list.
struct List(Vec<Value>);

/// The fields of a record.
struct Fields(Map<String, Value>);

/// Serializes scalars as `serde_json` does.
macro_rules! scalars {
    ($($function:ident: $ty:ty),* $(,)?) => {$(
        fn $function(self, value: $ty) -> Result<Value, Error> {
            serde_json::to_value(value)
        }
    )*};
}

/// Refuses types that the contract does not have.
macro_rules! absent {
    ($($function:ident($($argument:ty),*) -> $kind:ident;)*) => {$(
        fn $function(self, $(_: $argument),*) -> Result<Self::$kind, Error> {
            Err(serde::ser::Error::custom(concat!("the contract has no ", stringify!($kind))))
        }
    )*};
}

impl Serializer for WitSerializer {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = List;
    type SerializeStruct = Fields;
    type SerializeTuple = Impossible<Value, Error>;
    type SerializeTupleStruct = Impossible<Value, Error>;
    type SerializeTupleVariant = Impossible<Value, Error>;
    type SerializeMap = Impossible<Value, Error>;
    type SerializeStructVariant = Impossible<Value, Error>;

    scalars! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_f64: f64,
        serialize_char: char, serialize_str: &str, serialize_bytes: &[u8],
    }

    absent! {
        serialize_tuple(usize) -> SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant;
        serialize_map(Option<usize>) -> SerializeMap;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant;
    }

    /// Writes the shortest decimal that identifies the value: 0.3, not 0.30000001192092896.
    fn serialize_f32(self, value: f32) -> Result<Value, Error> {
        serde_json::to_value(value.to_string().parse::<f64>().unwrap_or(f64::from(value)))
    }

    fn serialize_none(self) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Value, Error> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _at: u32,
        case: &'static str,
    ) -> Result<Value, Error> {
        Ok(Value::String(kebab_case(case)))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _at: u32,
        case: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        Ok(Value::Object(Map::from_iter([(kebab_case(case), value.serialize(self)?)])))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<List, Error> {
        Ok(List(Vec::with_capacity(length.unwrap_or_default())))
    }

    fn serialize_struct(self, _name: &'static str, _fields: usize) -> Result<Fields, Error> {
        Ok(Fields(Map::new()))
    }
}

impl SerializeSeq for List {
    type Ok = Value;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.0.push(value.serialize(WitSerializer)?);
        Ok(())
    }

    fn end(self) -> Result<Value, Error> {
        Ok(Value::Array(self.0))
    }
}

impl SerializeStruct for Fields {
    type Ok = Value;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.0.insert(kebab_case(name), value.serialize(WitSerializer)?);
        Ok(())
    }

    fn end(self) -> Result<Value, Error> {
        Ok(Value::Object(self.0))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sandbox::bindings::memory::{Category, WriteResult};
    use crate::sandbox::bindings::types::{Content, Error, Item};

    #[test]
    fn records_variants_and_enums_have_the_contract_s_names() {
        let item = Item { content: Content::Text("a_b C".into()), relevance: 0.3 };

        assert_eq!(to_json(&item), json!({"content": {"text": "a_b C"}, "relevance": 0.3}));
        assert_eq!(to_json(&WriteResult::DuplicateOf("x".into())), json!({"duplicate-of": "x"}));
        assert_eq!(to_json(&[Category::TechDebt].to_vec()), json!(["tech-debt"]));
    }

    #[test]
    fn results_and_options_are_distinguishable() {
        let refused: Result<Option<String>, Error> = Err(Error::NotFound("no".into()));

        assert_eq!(to_json(&refused), json!({"err": {"not-found": "no"}}));
        assert_eq!(to_json(&Ok::<Option<String>, Error>(None)), json!({"ok": null}));
        assert_eq!(to_json(&Ok::<(), Error>(())), json!({"ok": null}));
    }

    #[test]
    fn rust_names_become_names_of_the_contract() {
        assert_eq!(kebab_case("default_branch"), "default-branch");
        assert_eq!(kebab_case("SessionSummary"), "session-summary");
    }
}
