//! The value of `--branch`: a misspelt branch would select nothing, or keep a memory from everybody.

use std::collections::BTreeSet;

use crate::error::{Error, Result};
use crate::project::is_branch_name;
use crate::project_context::ProjectContext;

/// Maximum number of branches that an error names.
const MAX_NAMED: usize = 10;

/// Refuses what is not the name of a branch that git or a memory knows.
///
/// # Errors
/// `Invalid`, which names the known branches; `Unavailable` if git fails.
pub(super) fn check(name: Option<&str>, context: &ProjectContext) -> Result<()> {
    let Some(name) = name else { return Ok(()) };
    if name.trim().is_empty() {
        return Err(Error::invalid("--branch names no branch")
            .hint("name one, or leave --branch out for memories of every branch"));
    }
    let mut known: BTreeSet<String> = context.branch_records().named()?.into_keys().collect();
    if known.contains(name) {
        return Ok(());
    }
    if !is_branch_name(name) {
        return Err(Error::invalid(format!(
            "--branch: git allows no branch called `{}`",
            name.escape_debug()
        ))
        .hint("git branch --all lists the branches"));
    }
    known.extend(context.project.branch_names()?);
    match known.contains(name) {
        true => Ok(()),
        false => Err(unknown(name, &known)),
    }
}

fn unknown(name: &str, known: &BTreeSet<String>) -> Error {
    let named: Vec<&str> = known.iter().take(MAX_NAMED).map(String::as_str).collect();
    let hint = match (named.is_empty(), known.len() > MAX_NAMED) {
        (true, _) => "leave --branch out".to_owned(),
        (false, true) => format!("known are {} and others: git branch --all", named.join(", ")),
        (false, false) => format!("known are {}", named.join(", ")),
    };
    Error::invalid(format!("--branch: neither git nor a memory of this project knows a branch `{name}`"))
        .hint(hint)
}
