//! The interfaces of the contract, parsed from the text of `wit/`, which is part of the program; and the
//! names under which components export and import them.

use semver::Version;
use wit_parser::{Interface, Resolve, SourceMap};

use crate::error::{Error, Result};
use crate::layer::CONTRACT_VERSION;

/// The package of the contract.
const PACKAGE: &str = "interleaf:layer";

/// The world that imports everything that a layer may import.
const HOST_WORLD: &str = "host";

/// The files of the contract and their text.
pub(super) const WIT_FILES: [(&str, &str); 4] = [
    ("types.wit", include_str!("../../../wit/types.wit")),
    ("events.wit", include_str!("../../../wit/events.wit")),
    ("imports.wit", include_str!("../../../wit/imports.wit")),
    ("worlds.wit", include_str!("../../../wit/worlds.wit")),
];

/// The contract with which this host was built.
pub(super) struct Contract {
    pub(super) resolve: Resolve,
}

impl Contract {
    /// Parses the contract.
    ///
    /// # Errors
    /// None in practice: the text is part of the program, and the tests parse it.
    pub(super) fn parse() -> Result<Self> {
        let mut source = SourceMap::default();
        for (file, text) in WIT_FILES {
            source.push_str(file, text);
        }
        let mut resolve = Resolve::default();
        let invalid = |error: &dyn std::fmt::Display| Error::unavailable(format!("the contract: {error}"));
        let package = source.parse().map_err(|(_, error)| invalid(&error))?;
        resolve.push_group(package).map_err(|error| invalid(&error))?;
        Ok(Self { resolve })
    }

    /// Returns the interface of this name, exported or imported.
    pub(super) fn interface(&self, name: &str) -> Option<&Interface> {
        let mut all = self.resolve.interfaces.iter().map(|(_, interface)| interface);
        all.find(|interface| interface.name.as_deref() == Some(name))
    }

    /// Returns the names of the interfaces that a layer can import.
    pub(super) fn importable_interfaces(&self) -> Vec<String> {
        let host = self.resolve.worlds.iter().find(|(_, world)| world.name == HOST_WORLD);
        let keys = host.into_iter().flat_map(|(_, world)| world.imports.keys());
        let ids = keys.filter_map(|key| match key {
            wit_parser::WorldKey::Interface(id) => Some(*id),
            wit_parser::WorldKey::Name(_) => None,
        });
        ids.filter_map(|id| self.resolve.interfaces[id].name.clone()).collect()
    }
}

/// The name of an interface in a component, such as `wasi:cli/environment@0.2.6`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InterfaceName<'a> {
    /// The name as the file writes it.
    pub(super) full: &'a str,
    /// Such as `wasi:cli`.
    pub(super) package: &'a str,
    /// Such as `environment`.
    pub(super) interface: &'a str,
    version: Option<&'a str>,
}

impl<'a> InterfaceName<'a> {
    /// Parses a name; `None` if it is not the name of an interface in a package.
    pub(super) fn parse(full: &'a str) -> Option<Self> {
        let (package, rest) = full.split_once('/')?;
        let (interface, version) =
            rest.split_once('@').map_or((rest, None), |(name, version)| (name, Some(version)));
        package.contains(':').then_some(Self { full, package, interface, version })
    }

    /// Returns whether the interface belongs to the contract, in any version.
    pub(super) fn is_of_contract(&self) -> bool {
        self.package == PACKAGE
    }

    /// Returns the version, if the name has a valid one.
    pub(super) fn version(&self) -> Option<Version> {
        Version::parse(self.version?).ok()
    }

    /// Returns whether this host serves its version of the contract. Versions that only add to the contract
    /// share the major and minor number.
    pub(super) fn is_served(&self) -> bool {
        self.version().zip(contract_version()).is_some_and(|(version, served)| {
            (version.major, version.minor) == (served.major, served.minor) && version.pre.is_empty()
        })
    }

    /// Returns whether the interface is from a newer version of the contract than this host's.
    pub(super) fn is_newer(&self) -> bool {
        self.version().zip(contract_version()).is_some_and(|(version, served)| version > served)
    }
}

fn contract_version() -> Option<Version> {
    Version::parse(CONTRACT_VERSION).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_split_into_its_parts() {
        let name = InterfaceName::parse("wasi:cli/environment@0.2.6").expect("a name");

        assert_eq!((name.package, name.interface), ("wasi:cli", "environment"));
        assert_eq!(name.version().map(|version| version.to_string()).as_deref(), Some("0.2.6"));
        assert_eq!(InterfaceName::parse("handle"), None);
    }

    #[test]
    fn versions_with_the_same_major_and_minor_number_are_served() {
        let is_served = |name| InterfaceName::parse(name).expect("a name").is_served();

        assert!(is_served("interleaf:layer/job@0.1.0"));
        assert!(is_served("interleaf:layer/job@0.1.9"));
        assert!(!is_served("interleaf:layer/job@0.2.0"));
        assert!(!is_served("interleaf:layer/job@0.1.0-draft"));
        assert!(!is_served("interleaf:layer/job"));
    }
}
