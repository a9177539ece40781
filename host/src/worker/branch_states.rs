//! Finds out what became of the branches on which memories were written. Git may take seconds for that, so no
//! hook asks: the worker does, and the commands of a person who does not want to wait for it.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::memory::BranchState;
use crate::project::Project;
use crate::project_context::ProjectContext;
use crate::state::BranchRecord;

/// Records what became of the branches.
///
/// # Errors
/// `Unavailable` if git or the database fails.
pub fn record(context: &ProjectContext) -> Result<()> {
    let (project, records) = (&context.project, context.branch_records());
    if !project.can_run_git() {
        return Ok(());
    }
    let named = records.named()?;
    let Some(default) = project.default_branch()?.filter(|_| !named.is_empty()) else { return Ok(()) };
    let (known, tips) = (records.all()?, project.branch_tips()?);
    let Some(default_tip) = tips.get(&default) else { return Ok(()) };
    let mut found = BTreeMap::new();
    for (name, commit) in named.into_iter().filter(|(name, _)| *name != default) {
        let last = known.get(&name).map(|record| &record.tip).or(commit.as_ref());
        let record = state_of(project, default_tip, tips.get(&name), last, known.get(&name))?;
        found.extend(record.map(|record| (name, record)));
    }
    if found != known {
        records.replace(&found)?;
    }
    Ok(())
}

/// Returns what became of a branch with this newest commit, `None` if it does not exist, whose `last` commit
/// was seen before, at the latest when a memory was written on it. Of a branch that this repository has never
/// seen, nothing is known.
fn state_of(
    project: &Project,
    default_tip: &str,
    tip: Option<&String>,
    last: Option<&String>,
    known: Option<&BranchRecord>,
) -> Result<Option<BranchRecord>> {
    let Some(last) = tip.or(last) else { return Ok(None) };
    let is_settled =
        |known: &&BranchRecord| tip.is_none_or(|tip| *tip == known.tip) && known.state == BranchState::Merged;
    if let Some(known) = known.filter(is_settled) {
        return Ok(Some(known.clone()));
    }
    let state = match (project.has_changes_of(default_tip, last)?, tip) {
        (Some(false), Some(_)) => BranchState::Unmerged,
        (Some(false), None) => BranchState::Deleted,
        // A commit that is not there says nothing against the branch; what was known stays.
        (None, _) => match known {
            Some(known) => known.state,
            None => return Ok(None),
        },
        (Some(true), _) => BranchState::Merged,
    };
    Ok(Some(BranchRecord { tip: last.clone(), state }))
}
