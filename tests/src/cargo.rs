//! Cargo within a test: asked to build what the test is about.

use crate::workspace;
use std::process::Command;

/// Cargo, in the root of the checkout. What cargo told this test process of its own package is taken back:
/// build scripts that look at it (ring's) would run again, and everything above them be compiled anew.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(workspace::root());
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let of_a_package = |name: &String| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    names.filter(of_a_package).for_each(|name| {
        cargo.env_remove(name);
    });
    cargo
}
