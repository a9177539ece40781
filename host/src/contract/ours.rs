//! The contract as this host was built with it: the text of `wit/`, parsed when somebody asks.

use wit_parser::{Function, Interface, Resolve, SourceMap};

use crate::error::{Error, Result};

pub(super) const TEXT: [(&str, &str); 4] = [
    ("types.wit", include_str!("../../../wit/types.wit")),
    ("events.wit", include_str!("../../../wit/events.wit")),
    ("imports.wit", include_str!("../../../wit/imports.wit")),
    ("worlds.wit", include_str!("../../../wit/worlds.wit")),
];

/// The world that imports everything a layer may import.
const HOST: &str = "host";

/// The contract.
pub(super) struct Ours {
    pub(super) resolve: Resolve,
}

impl Ours {
    /// Parses the contract.
    ///
    /// # Errors
    /// None that a test would not have found: the text is part of the program.
    pub(super) fn read() -> Result<Self> {
        let mut source = SourceMap::default();
        for (file, text) in TEXT {
            source.push_str(file, text);
        }
        let mut resolve = Resolve::default();
        let unreadable = |error: &dyn std::fmt::Display| Error::unavailable(format!("the contract: {error}"));
        let package = source.parse().map_err(|(_, error)| unreadable(&error))?;
        resolve.push_group(package).map_err(|error| unreadable(&error))?;
        Ok(Self { resolve })
    }

    /// The interface of this name, whichever way it points.
    pub(super) fn interface(&self, name: &str) -> Option<&Interface> {
        let mut all = self.resolve.interfaces.iter().map(|(_, interface)| interface);
        all.find(|interface| interface.name.as_deref() == Some(name))
    }

    /// The function of this name in an interface.
    pub(super) fn function(interface: &Interface, name: &str) -> Option<Function> {
        interface.functions.get(name).cloned()
    }

    /// The names of the interfaces that a layer can import.
    pub(super) fn imports(&self) -> Vec<String> {
        let host = self.resolve.worlds.iter().find(|(_, world)| world.name == HOST);
        let keys = host.into_iter().flat_map(|(_, world)| world.imports.keys());
        let ids = keys.filter_map(|key| match key {
            wit_parser::WorldKey::Interface(id) => Some(*id),
            wit_parser::WorldKey::Name(_) => None,
        });
        ids.filter_map(|id| self.resolve.interfaces[id].name.clone()).collect()
    }
}
