//! Finds out what became of the branches on which memories were written. Git may take seconds for that, so no
//! hook asks.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::memory::BranchState;
use crate::project::Project;
use crate::project_context::ProjectContext;
use crate::state::BranchRecord;

/// Records what became of the branches.
pub(super) fn record(context: &ProjectContext) -> Result<()> {
    let (project, records) = (&context.project, context.branch_records());
    if !project.can_run_git() {
        return Ok(());
    }
    let names = records.names()?;
    let Some(default) = project.default_branch()?.filter(|_| !names.is_empty()) else { return Ok(()) };
    let (known, tips) = (records.all()?, project.branch_tips()?);
    let Some(default_tip) = tips.get(&default) else { return Ok(()) };
    let mut found = BTreeMap::new();
    for name in names.into_iter().filter(|name| *name != default) {
        let record = state_of(project, default_tip, tips.get(&name), known.get(&name))?;
        found.extend(record.map(|record| (name, record)));
    }
    if found != known {
        records.replace(&found)?;
    }
    Ok(())
}

/// Returns what became of a branch with this newest commit, `None` if it does not exist, of which this is
/// recorded. Of a branch that this repository has never seen, nothing is known.
fn state_of(
    project: &Project,
    default_tip: &str,
    tip: Option<&String>,
    known: Option<&BranchRecord>,
) -> Result<Option<BranchRecord>> {
    let Some(last) = tip.or(known.map(|record| &record.tip)) else { return Ok(None) };
    let is_settled =
        |known: &&BranchRecord| tip.is_none_or(|tip| *tip == known.tip) && known.state == BranchState::Merged;
    if let Some(known) = known.filter(is_settled) {
        return Ok(Some(known.clone()));
    }
    let state = match (project.has_changes_of(default_tip, last)?, tip) {
        (Some(false), Some(_)) => BranchState::Unmerged,
        (Some(false), None) => BranchState::Deleted,
        // A commit that is not there any more says nothing against the branch; what was known stays.
        (None, _) => known.map_or(BranchState::Merged, |known| known.state),
        (Some(true), _) => BranchState::Merged,
    };
    Ok(Some(BranchRecord { tip: last.clone(), state }))
}
