//! Runs cargo inside a test, to build the program and layers under test.

use crate::workspace;
use std::process::Command;

/// Returns a cargo command in the root of the checkout. The variables that describe this test's own package
/// are removed: build scripts that read them (ring's) would run again, and their dependents be recompiled.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(workspace::root());
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let is_of_package = |name: &String| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    names.filter(is_of_package).for_each(|name| {
        cargo.env_remove(name);
    });
    cargo
}
