//! The one place that decides whether a layer may do what it is about to do, and what it is told if not: the layer, the
//! grant, and the line that would ask for it.

use std::collections::BTreeSet;

use super::{LayerHost, wire};
use crate::layer::{CategorySet, Grants, MemoryGrant, Need};
use crate::memory::Category;
use crate::sandbox::bindings::types;

/// What a host function is about to do.
#[derive(Debug, Clone, Copy)]
pub(super) enum Use<'a> {
    /// Read memories of any category.
    ReadMemory,
    /// Read memories of one of these categories.
    ReadCategories(&'a [Category]),
    /// Write memories of some category.
    WriteMemory,
    /// Write a memory of this category.
    WriteCategory(Category),
    /// Everything else goes by the interface.
    Other(Need),
}

impl LayerHost {
    /// Decides whether this layer may do this, and counts the call and the bytes it carries.
    pub(super) fn permit(&mut self, what: Use, bytes: usize) -> Result<(), types::Error> {
        if let Err(error) = self.meter.call(bytes) {
            self.met.get_or_insert_with(|| error.message.clone());
            return Err(wire(error));
        }
        self.decide(what)
    }

    /// The decision alone, for what is known only in the middle of a call.
    pub(super) fn decide(&self, what: Use) -> Result<(), types::Error> {
        let grants = &self.layer.grants;
        if what.is_granted(grants) {
            return Ok(());
        }
        let (layer, meant, line) = (&self.layer.name, what.meant(), what.line(grants));
        Err(types::Error::Denied(format!(
            "layer {layer} was not granted this{meant}; to ask for it, add to [layers.{layer}.grants]: {line}"
        )))
    }
}

impl Use<'_> {
    fn is_granted(self, grants: &Grants) -> bool {
        let MemoryGrant { read, write } = &grants.memory;
        match self {
            Self::ReadMemory => *read != CategorySet::None,
            Self::ReadCategories(any) => any.iter().any(|category| read.includes(*category)),
            Self::WriteMemory => *write != CategorySet::None,
            Self::WriteCategory(category) => write.includes(category),
            Self::Other(need) => need.is_met_by(grants),
        }
    }

    /// What "this" is, where the interface does not say it.
    fn meant(self) -> String {
        match self {
            Self::ReadCategories(any) => format!(" (to read {})", list(any)),
            Self::WriteCategory(category) => format!(" (to write {category})"),
            Self::ReadMemory | Self::WriteMemory | Self::Other(_) => String::new(),
        }
    }

    /// The line that would grant it beside what is granted already.
    fn line(self, grants: &Grants) -> String {
        let MemoryGrant { read, write } = grants.memory.clone();
        let wanted = match self {
            Self::Other(need) => return need.grant_setting().to_owned(),
            Self::ReadMemory => MemoryGrant { read: CategorySet::All, write },
            Self::WriteMemory => MemoryGrant { read: CategorySet::All, write: CategorySet::All },
            Self::ReadCategories(any) => MemoryGrant { read: and(read, any), write },
            Self::WriteCategory(category) => MemoryGrant { read, write: and(write, &[category]) },
        };
        let value = toml::Value::try_from(&wanted).map_or_else(|_| String::new(), |value| value.to_string());
        format!("memory = {value}")
    }
}

/// The reach with these categories as well.
fn and(reach: CategorySet, more: &[Category]) -> CategorySet {
    let known = match reach {
        CategorySet::All => return CategorySet::All,
        CategorySet::Only(known) => known,
        CategorySet::None => BTreeSet::new(),
    };
    CategorySet::Only(known.into_iter().chain(more.iter().copied()).collect())
}

fn list(categories: &[Category]) -> String {
    categories.iter().map(Category::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(grants: serde_json::Value, what: Use) -> String {
        what.line(&Grants::from_json(grants).expect("valid"))
    }

    #[test]
    fn the_line_to_add_keeps_what_is_granted_and_asks_for_no_more_than_is_missing() {
        assert_eq!(line(json!({}), Use::ReadMemory), r#"memory = "read""#);
        assert_eq!(line(json!({"memory": "read"}), Use::WriteMemory), r#"memory = "write""#);
        assert_eq!(
            line(json!({"memory": {"read": ["decision"]}}), Use::ReadCategories(&[Category::Constraint])),
            r#"memory = { read = ["decision", "constraint"], write = false }"#
        );
        assert_eq!(
            line(json!({"memory": "read"}), Use::WriteCategory(Category::Learning)),
            r#"memory = { read = true, write = ["learning"] }"#
        );
        assert_eq!(line(json!({}), Use::Other(Need::Llm)), "llm = true");
    }
}
