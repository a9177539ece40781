//! Error and fix: a command that failed, what was changed, and the same command succeeding.
//!
//! Only what came after the last failure counts: what was tried before did not help. What the person then refused is no
//! fix either, nor is putting back what this stretch itself took away.

mod explained;
mod found;
mod news;
mod pair;
mod refusal;
mod remedy;
mod slip;

pub use self::found::is_same_failure;
pub use self::news::is_good;
pub use self::refusal::{asks, refuses_work};
pub use self::remedy::is_configuration;

use self::explained::Explanation;
use self::pair::Pair;
use self::remedy::Remedy;
use super::context::Context;
use super::runs::Known;
use crate::finding::{Evidence, Finding, Origin};
use crate::word_lists::BROAD;

/// What was fixed.
#[derive(Debug, Default)]
pub struct Fixes {
    /// Worth keeping.
    pub finds: Vec<Finding>,
    /// Keys of those that are worth having at every start.
    pub broad: Vec<String>,
    /// Command lines that failed and succeeded later, whether that taught something or not.
    pub resolved: Vec<Vec<Known>>,
    /// The calls that failed, each followed by the one by which the same command succeeded.
    pub calls: Vec<Evidence>,
}

/// What a fix of a command that everybody runs is worth, from which it is worth having at every start.
const LEAST_BROAD: f32 = 0.78;

/// Error and fix, in order.
pub fn fixes(context: &Context) -> Fixes {
    let runs = super::runs::runs(context.deeds);
    let pairs = pair::pairs(context, &runs);
    let found = pairs.iter().filter_map(|pair| Some((pair, of_pair(context, pair)?)));
    let found: Vec<(&Pair, Finding)> = found.collect();
    let within = |pair: &Pair, find: &Finding| {
        found.iter().any(|(other, better)| other.encloses(pair) && better.score >= find.score)
    };
    let steps: Vec<bool> = found.iter().map(|(pair, find)| within(pair, find)).collect();
    let mut fixes = Fixes::default();
    for ((pair, find), _) in found.into_iter().zip(steps).filter(|(_, step)| !step) {
        if is_broad(&pair.name()) && find.origin == Origin::Assistant && find.score >= LEAST_BROAD {
            fixes.broad.push(find.key.clone());
        }
        fixes.finds.push(find);
    }
    fixes.calls = pairs.iter().flat_map(Pair::calls).collect();
    fixes.resolved =
        pairs.iter().flat_map(|pair| pair.failures.iter().map(|run| run.known.clone())).collect();
    fixes
}

/// What a pair teaches.
fn of_pair(context: &Context, pair: &Pair) -> Option<Finding> {
    let remedy = Remedy::of(context, pair).filter(Remedy::teaches)?;
    let explanation = Explanation::of(context, pair, &remedy);
    let unwritten = || remedy.is_written() && pair.error().is_some_and(|error| slip::is_syntax(&error));
    let slip = explanation.as_ref().map_or_else(unwritten, |why| slip::is_told(&why.text));
    (!slip).then(|| found::find(context, pair, &remedy, explanation.as_ref())).flatten()
}

/// Whether everybody who works here runs this command.
pub fn is_broad(name: &str) -> bool {
    name.split([' ', ':', '-', '_', '/', '.']).any(|word| BROAD.has(word))
}
