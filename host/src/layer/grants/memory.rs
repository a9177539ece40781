//! How far a layer may go with memories: which categories it may read, and which it may write.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::memory::Category;

/// Which categories a right extends to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum CategorySet {
    /// None.
    #[default]
    None,
    /// These.
    Only(BTreeSet<Category>),
    /// All, also those to come.
    All,
}

/// What a layer may do with memories: `"read"`, `"write"` (which includes reading), or a table that names the
/// categories, such as `{ read = ["decision"], write = ["learning"] }`. Writing a category never includes reading it
/// there: a layer may be made to add without looking.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryGrant {
    /// Search and read.
    pub read: CategorySet,
    /// Create and retire, under the host's write rules.
    pub write: CategorySet,
}

impl CategorySet {
    /// Whether it extends to this category.
    pub fn includes(&self, category: Category) -> bool {
        match self {
            Self::None => false,
            Self::Only(categories) => categories.contains(&category),
            Self::All => true,
        }
    }
}

/// As it is written: a word for everything, or a list for each right.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "\"none\", \"read\", \"write\" or a table with `read` and `write`")]
enum Written {
    Word(Word),
    Table(Table),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    None,
    Read,
    Write,
}

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
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "true, false or a list of categories")]
        enum Written {
            Switch(bool),
            List(BTreeSet<Category>),
        }
        Ok(match Written::deserialize(from)? {
            Written::Switch(false) => Self::None,
            Written::Switch(true) => Self::All,
            Written::List(categories) if categories.is_empty() => Self::None,
            Written::List(categories) => Self::Only(categories),
        })
    }
}

impl Serialize for MemoryGrant {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let word = match (&self.read, &self.write) {
            (CategorySet::None, CategorySet::None) => Word::None,
            (CategorySet::All, CategorySet::None) => Word::Read,
            (CategorySet::All, CategorySet::All) => Word::Write,
            (read, write) => {
                return Written::Table(Table { read: read.clone(), write: write.clone() }).serialize(to);
            }
        };
        Written::Word(word).serialize(to)
    }
}

impl<'de> Deserialize<'de> for MemoryGrant {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let everything = || CategorySet::All;
        Ok(match Written::deserialize(from)? {
            Written::Word(Word::None) => Self::default(),
            Written::Word(Word::Read) => Self { read: everything(), write: CategorySet::None },
            Written::Word(Word::Write) => Self { read: everything(), write: everything() },
            Written::Table(table) => Self { read: table.read, write: table.write },
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
    fn a_word_reaches_every_category_and_a_list_only_its_own() {
        assert!(read(json!("read")).read.includes(Category::Decision));
        assert!(!read(json!("read")).write.includes(Category::Decision));
        let some = read(json!({"read": ["decision", "constraint"]}));
        assert!(some.read.includes(Category::Constraint));
        assert!(!some.read.includes(Category::Preference));
        assert!(!some.write.includes(Category::Decision));
    }

    #[test]
    fn a_category_that_does_not_exist_is_refused() {
        assert!(serde_json::from_value::<MemoryGrant>(json!({"read": ["secrets"]})).is_err());
        assert!(serde_json::from_value::<MemoryGrant>(json!("everything")).is_err());
    }
}
