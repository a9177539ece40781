//! The grant of memories: the categories that a layer may read, and those that it may write.

use std::collections::BTreeSet;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::memory::Category;

/// The categories that a right covers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum CategorySet {
    /// No category.
    #[default]
    None,
    /// These categories.
    Only(BTreeSet<Category>),
    /// All categories, also future ones.
    All,
}

/// The grant of memories: `"none"`, `"read"`, `"write"` (which includes reading), or a table that names the
/// categories, such as `{ read = ["decision"], write = ["learning"] }`. In a table, writing a category does
/// not include reading it, so a layer can be allowed to add memories without seeing any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryGrant {
    /// The categories that the layer may search and read.
    pub read: CategorySet,
    /// The categories whose memories the layer may create, change and retire, subject to the host's write
    /// rules.
    pub write: CategorySet,
}

impl CategorySet {
    /// Returns whether the set contains this category.
    pub fn includes(&self, category: Category) -> bool {
        match self {
            Self::None => false,
            Self::Only(categories) => categories.contains(&category),
            Self::All => true,
        }
    }
}

/// The grant as it is written for all categories.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    None,
    Read,
    Write,
}

/// The grant as it is written with a set for each right.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    read: CategorySet,
    #[serde(default)]
    write: CategorySet,
}

impl Serialize for CategorySet {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => to.serialize_bool(false),
            Self::Only(categories) => categories.serialize(to),
            Self::All => to.serialize_bool(true),
        }
    }
}

impl<'de> Deserialize<'de> for CategorySet {
    /// Reads the value by hand, because serde's own choice between variants hides what is wrong with one.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(match Value::deserialize(from)? {
            Value::Bool(false) => Self::None,
            Value::Bool(true) => Self::All,
            list @ Value::Array(_) => match read_value::<BTreeSet<Category>, D>(list)? {
                categories if categories.is_empty() => Self::None,
                categories => Self::Only(categories),
            },
            _ => return Err(D::Error::custom("expected true, false or a list of categories")),
        })
    }
}

fn read_value<'de, T: DeserializeOwned, D: Deserializer<'de>>(value: Value) -> Result<T, D::Error> {
    serde_json::from_value(value).map_err(D::Error::custom)
}

impl Serialize for MemoryGrant {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let word = match (&self.read, &self.write) {
            (CategorySet::None, CategorySet::None) => Word::None,
            (CategorySet::All, CategorySet::None) => Word::Read,
            (CategorySet::All, CategorySet::All) => Word::Write,
            (read, write) => {
                return Table { read: read.clone(), write: write.clone() }.serialize(to);
            }
        };
        word.serialize(to)
    }
}

impl<'de> Deserialize<'de> for MemoryGrant {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        if value.is_object() {
            let table: Table = read_value::<_, D>(value)?;
            return Ok(Self { read: table.read, write: table.write });
        }
        Ok(match read_value::<_, D>(value)? {
            Word::None => Self::default(),
            Word::Read => Self { read: CategorySet::All, write: CategorySet::None },
            Word::Write => Self { read: CategorySet::All, write: CategorySet::All },
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(json: serde_json::Value) -> MemoryGrant {
        serde_json::from_value(json).expect("valid")
    }

    #[test]
    fn a_word_covers_every_category_and_a_list_only_its_own() {
        assert!(read(json!("read")).read.includes(Category::Decision));
        assert!(!read(json!("read")).write.includes(Category::Decision));
        let some = read(json!({"read": ["decision", "constraint"]}));
        assert!(some.read.includes(Category::Constraint));
        assert!(!some.read.includes(Category::Preference));
        assert!(!some.write.includes(Category::Decision));
    }

    #[test]
    fn an_unknown_category_is_rejected() {
        assert!(serde_json::from_value::<MemoryGrant>(json!({"read": ["secrets"]})).is_err());
        assert!(serde_json::from_value::<MemoryGrant>(json!("everything")).is_err());
    }
}
