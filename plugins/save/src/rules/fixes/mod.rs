//! Error and fix: a command that failed, what was changed, and the same command succeeding.
//!
//! Only what came after the last failure counts: what was tried before did not help. What the person then refused is no
//! fix either, nor is putting back what this stretch itself took away.

mod explained;
mod found;
mod pair;
mod remedy;
mod way;

pub use self::way::is_configuration;

use self::explained::Explanation;
use self::remedy::Remedy;
use super::context::Context;
use super::runs::Known;
use crate::find::{Find, Origin};

/// What was fixed.
#[derive(Debug, Default)]
pub struct Fixes {
    /// Worth keeping.
    pub finds: Vec<Find>,
    /// Keys of those that are worth having at every start.
    pub broad: Vec<String>,
    /// Command lines that failed and succeeded later, whether that taught something or not.
    pub resolved: Vec<Vec<Known>>,
}

/// Words of commands that everybody who works here runs.
const BROAD: &[&str] = &[
    "test",
    "tests",
    "build",
    "deploy",
    "install",
    "check",
    "lint",
    "start",
    "dev",
    "up",
    "migrate",
    "ci",
    "sync",
    "run",
    "compile",
    "verify",
    "package",
    "release",
    "serve",
    "setup",
    "bootstrap",
    "pytest",
    "tox",
    "mvn",
    "gradle",
    "gradlew",
    "tsc",
    "e2e",
    "jest",
    "vitest",
    "site",
    "docs",
    "apply",
    "add",
    "restore",
    "publish",
    "format",
    "db",
    "seed",
    "rspec",
    "rake",
    "phpunit",
    "ctest",
    "cmake",
];

/// Error and fix, in order.
pub fn fixes(context: &Context) -> Fixes {
    let runs = super::runs::runs(context.deeds);
    let mut fixes = Fixes::default();
    for pair in pair::pairs(context, &runs) {
        fixes.resolved.extend(pair.failures.iter().map(|run| run.known.clone()));
        let Some(remedy) = Remedy::of(context, &pair).filter(|remedy| remedy.teaches()) else { continue };
        let explanation = Explanation::of(context, &pair, &remedy);
        let Some(find) = found::find(context, &pair, &remedy, explanation.as_ref()) else { continue };
        let words = pair.name();
        let broad = words.split([' ', ':', '-', '_', '/', '.']).any(|word| BROAD.contains(&word));
        if broad && find.origin == Origin::Assistant && find.score >= 0.78 {
            fixes.broad.push(find.key.clone());
        }
        fixes.finds.push(find);
    }
    fixes
}
