//! The name of an interface, such as `wasi:cli/environment@0.2.6`, taken apart.

use semver::Version;

use crate::layer::CONTRACT_VERSION;

/// The package of the contract.
const PACKAGE: &str = "interleaf:layer";

/// A name, as the parts of it are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name<'a> {
    /// As the file writes it.
    pub(super) whole: &'a str,
    /// Such as `wasi:cli`.
    pub(super) package: &'a str,
    /// Such as `environment`.
    pub(super) interface: &'a str,
    version: Option<&'a str>,
}

impl<'a> Name<'a> {
    /// The parts of a name; none where it names no interface of a package.
    pub(super) fn read(whole: &'a str) -> Option<Self> {
        let (package, rest) = whole.split_once('/')?;
        let (interface, version) =
            rest.split_once('@').map_or((rest, None), |(name, version)| (name, Some(version)));
        package.contains(':').then_some(Self { whole, package, interface, version })
    }

    /// Whether it belongs to the contract, of whatever version.
    pub(super) fn is_ours(&self) -> bool {
        self.package == PACKAGE
    }

    /// Its version, where it has one.
    pub(super) fn version(&self) -> Option<Version> {
        Version::parse(self.version?).ok()
    }

    /// Whether this host serves its version of the contract: versions that only add share major and minor number.
    pub(super) fn is_served(&self) -> bool {
        self.version().zip(contract()).is_some_and(|(theirs, ours)| {
            (theirs.major, theirs.minor) == (ours.major, ours.minor) && theirs.pre.is_empty()
        })
    }

    /// Whether it was built for a contract that came after this host's.
    pub(super) fn is_newer(&self) -> bool {
        self.version().zip(contract()).is_some_and(|(theirs, ours)| theirs > ours)
    }
}

fn contract() -> Option<Version> {
    Version::parse(CONTRACT_VERSION).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_comes_apart() {
        let name = Name::read("wasi:cli/environment@0.2.6").expect("a name");

        assert_eq!((name.package, name.interface), ("wasi:cli", "environment"));
        assert_eq!(name.version().map(|version| version.to_string()).as_deref(), Some("0.2.6"));
        assert_eq!(Name::read("handle"), None);
    }

    #[test]
    fn versions_that_only_add_are_served() {
        let served = |name| Name::read(name).expect("a name").is_served();

        assert!(served("interleaf:layer/job@0.1.0"));
        assert!(served("interleaf:layer/job@0.1.9"));
        assert!(!served("interleaf:layer/job@0.2.0"));
        assert!(!served("interleaf:layer/job@0.1.0-draft"));
        assert!(!served("interleaf:layer/job"));
    }
}
