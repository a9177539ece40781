//! What this host has besides the contract: WASI 0.2 with an empty world, and nothing else.

use super::Mismatch;
use super::name::Name;

/// The newest WASI 0.2 there is; its versions only add.
const NEWEST_PATCH: u64 = 12;

/// The interfaces of it, by package.
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

/// What a layer can import, in a sentence.
pub(super) const WHAT_THERE_IS: &str = "a layer can import interleaf:layer and, of WASI 0.2, the packages cli, io, \
    clocks, random, filesystem and sockets";

/// What is wrong with an import that is not of the contract.
pub(super) fn fault(name: &Name<'_>) -> Option<Mismatch> {
    let Some((_, interfaces)) = INTERFACES.iter().find(|(package, _)| *package == name.package) else {
        let what = format!(
            "expected interleaf:layer or WASI 0.2, found {}, which this host does not have",
            name.package
        );
        return Some(Mismatch::new(name.whole, what).hint(remedy(name.package)));
    };
    let version = name.version();
    let is_fine = version.as_ref().is_some_and(|version| {
        (version.major, version.minor) == (0, 2) && version.patch <= NEWEST_PATCH && version.pre.is_empty()
    });
    if !is_fine {
        let found = version.map_or("none".to_owned(), |version| version.to_string());
        let what = format!("expected WASI of version 0.2.0 to 0.2.{NEWEST_PATCH}, found {found}");
        return Some(
            Mismatch::new(name.whole, what).hint("build the layer for WASI 0.2, such as wasm32-wasip2"),
        );
    }
    let is_known = interfaces.contains(&name.interface);
    let what = || format!("expected one of {}, found {}", interfaces.join(", "), name.interface);
    (!is_known).then(|| Mismatch::new(name.whole, what()).hint(WHAT_THERE_IS))
}

/// What keeps a toolchain from importing it.
fn remedy(package: &str) -> &'static str {
    match package {
        "wasi:http" => {
            "leave HTTP out when building: ComponentizeJS with disableFeatures: [\"http\", \"fetch-event\"], \
             componentize-py with --stub-wasi"
        }
        _ => WHAT_THERE_IS,
    }
}
