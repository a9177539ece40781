//! Error and fix: a command that failed, what was changed, and the same command succeeding.
//!
//! Only what came after the last failure counts: what was tried before did not help. What the person then refused is no
//! fix either, nor is putting back what this stretch itself took away.

mod explained;
mod pair;
mod remedy;
mod way;

use serde_json::json;

pub use self::way::is_configuration;

use self::explained::Explanation;
use self::pair::Pair;
use self::remedy::Remedy;
use super::context::Context;
use super::quote::quotable;
use super::runs::Known;
use super::stated::wording::cut;
use crate::find::{Category, Evidence, Find, Origin};

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

/// Characters of the main line of an error.
const LONGEST_LINE: usize = 160;

/// Error and fix, in order.
pub fn fixes(context: &Context) -> Fixes {
    let runs = super::runs::runs(context.deeds);
    let mut fixes = Fixes::default();
    for pair in pair::pairs(context, &runs) {
        fixes.resolved.extend(pair.failures.iter().map(|run| run.known.clone()));
        let Some(remedy) = Remedy::of(context, &pair).filter(|remedy| remedy.teaches()) else { continue };
        let explanation = Explanation::of(context, &pair, &remedy);
        let Some(find) = find(context, &pair, &remedy, explanation.as_ref()) else { continue };
        let words = pair.name();
        let broad = words.split([' ', ':', '-', '_', '/', '.']).any(|word| BROAD.contains(&word));
        if broad && find.origin == Origin::Assistant && find.score >= 0.78 {
            fixes.broad.push(find.key.clone());
        }
        fixes.finds.push(find);
    }
    fixes
}

fn find(context: &Context, pair: &Pair, remedy: &Remedy, explanation: Option<&Explanation>) -> Option<Find> {
    let name = pair.name();
    let said = pair.error();
    let (cause, origin) = match explanation {
        Some(explanation) => (explanation.text.clone(), Origin::Assistant),
        // What git wants is common knowledge.
        None if remedy.is_code() || name.starts_with("git ") => return None,
        None => (format!("It said: {}", cut(said.as_ref()?, LONGEST_LINE)), Origin::ToolOutput),
    };
    let steps = remedy.steps();
    let text = format!("`{name}` failed. {} What helped: {}.", ended(&cause), steps.join(", "));
    let failed = pair.last().deed.call;
    let evidence = evidence(pair, explanation, said.filter(|_| origin == Origin::ToolOutput));
    let first = evidence.first()?;
    Some(Find {
        category: Category::Runbook,
        title: None,
        content: json!({
            "trigger": format!("`{name}` fails"),
            "symptoms": [],
            "steps": steps,
            "verification": format!("`{name}` succeeds"),
            "root_cause": explanation.map(|explanation| &explanation.text),
        }),
        tags: vec!["error-fix".to_owned()],
        files: remedy.files(),
        confidence: if explanation.is_some() { 0.85 } else { 0.65 },
        importance: if remedy.is_code() { 0.5 } else { 0.75 },
        origin,
        score: remedy.score(explanation.is_some()),
        key: context.key(Category::Runbook, &Evidence { quote: name, cursor: failed.cursor }),
        evidence: std::iter::once(first).chain(&evidence[1..]).cloned().collect(),
        text,
    })
}

fn ended(text: &str) -> String {
    let stop = if text.ends_with(['.', '!', '?', '。', '…']) { "" } else { "." };
    format!("{text}{stop}")
}

/// The explanation first, then the calls; the error's own line only where nobody explained it.
fn evidence(pair: &Pair, explanation: Option<&Explanation>, said: Option<String>) -> Vec<Evidence> {
    let calls = [pair.last().deed, pair.success.deed].into_iter();
    let calls = calls.filter_map(|deed| quotable(deed.call, deed.text("command")));
    let result = pair.failures.first().and_then(|run| run.deed.result);
    let line = said.zip(result).map(|(quote, result)| Evidence { quote, cursor: result.cursor });
    explanation
        .into_iter()
        .flat_map(|explanation| explanation.evidence.clone())
        .chain(line)
        .chain(calls)
        .collect()
}
