//! The imports that this host provides in addition to the contract: WASI 0.2, through which a layer can
//! access nothing without a grant.

use super::Mismatch;
use super::interfaces::InterfaceName;

/// The newest served patch release of WASI 0.2. Patch releases only add to the interfaces.
const NEWEST_PATCH: u64 = 12;

/// The interfaces of WASI 0.2, by package.
const INTERFACES: [(&str, &[&str]); 6] = [
    (
        "wasi:cli",
        &[
            "environment",
            "exit",
            "stdin",
            "stdout",
            "stderr",
            "terminal-input",
            "terminal-output",
            "terminal-stdin",
            "terminal-stdout",
            "terminal-stderr",
        ],
    ),
    ("wasi:io", &["error", "poll", "streams"]),
    ("wasi:clocks", &["monotonic-clock", "wall-clock"]),
    ("wasi:random", &["random", "insecure", "insecure-seed"]),
    ("wasi:filesystem", &["types", "preopens"]),
    (
        "wasi:sockets",
        &[
            "network",
            "instance-network",
            "ip-name-lookup",
            "tcp",
            "tcp-create-socket",
            "udp",
            "udp-create-socket",
        ],
    ),
];

/// The hint that names the imports that a layer can have.
pub(super) const AVAILABLE_IMPORTS: &str = "a layer can import interleaf:layer and the packages cli, io, \
                                            clocks, random, filesystem and sockets of WASI 0.2";

/// Returns the mismatch of an import that does not belong to the contract.
pub(super) fn check(name: &InterfaceName<'_>) -> Option<Mismatch> {
    let Some((_, interfaces)) = INTERFACES.iter().find(|(package, _)| *package == name.package) else {
        let message = format!(
            "expected interleaf:layer or WASI 0.2, found {}, which this host does not have",
            name.package
        );
        return Some(Mismatch::new(name.full, message).hint(hint_for_package(name.package)));
    };
    let version = name.version();
    let is_served = version.as_ref().is_some_and(|version| {
        (version.major, version.minor) == (0, 2) && version.patch <= NEWEST_PATCH && version.pre.is_empty()
    });
    if !is_served {
        let found = version.map_or("none".to_owned(), |version| version.to_string());
        let message = format!("expected WASI of version 0.2.0 to 0.2.{NEWEST_PATCH}, found {found}");
        return Some(
            Mismatch::new(name.full, message).hint("build the layer for WASI 0.2, such as wasm32-wasip2"),
        );
    }
    let is_known = interfaces.contains(&name.interface);
    let message = || format!("expected one of {}, found {}", interfaces.join(", "), name.interface);
    (!is_known).then(|| Mismatch::new(name.full, message()).hint(AVAILABLE_IMPORTS))
}

/// Returns the hint for an import of an unavailable package.
fn hint_for_package(package: &str) -> &'static str {
    match package {
        "wasi:http" => {
            "leave HTTP out when building: ComponentizeJS with disableFeatures: [\"http\", \"fetch-event\"], \
             componentize-py with --stub-wasi"
        }
        _ => AVAILABLE_IMPORTS,
    }
}
