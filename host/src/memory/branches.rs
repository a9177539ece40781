//! Branches: a memory may have been written on one, and then need not hold on another. What was written on
//! the default branch, on one that was merged, or on one that this repository has never seen is everybody's.
//! What was written on another branch ranks behind, and what was written on one that was deleted without
//! being merged is shown by no hook; a search that somebody asks for finds it.
//!
//! A preference or a constraint holds whatever becomes of the branch on which it was said.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::category::Category;
use super::record::Memory;
use super::store::Filter;

/// The categories that hold on any branch.
pub(super) const ON_ANY_BRANCH: [Category; 2] = [Category::Preference, Category::Constraint];

/// Weight in the rank of a memory from another branch, beside 1. It is that of the oldest memory, so that
/// what clearly fits better, or is clearly more important, still comes first.
pub(super) const OUTRANKED_BRANCH_FACTOR: f32 = 0.9;

/// What became of a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BranchState {
    /// It exists, and the default branch lacks changes of it.
    Unmerged,
    /// The default branch has its changes.
    Merged,
    /// It was deleted, and the default branch lacks changes of it.
    Deleted,
}

impl BranchState {
    /// Returns the name of the state in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unmerged => "unmerged",
            Self::Merged => "merged",
            Self::Deleted => "deleted",
        }
    }

    /// Returns the state of this name.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Unmerged, Self::Merged, Self::Deleted].into_iter().find(|state| state.as_str() == word)
    }
}

/// The branches of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Branches {
    /// The branch that is checked out.
    pub current: Option<String>,
    /// The default branch.
    pub default: Option<String>,
    /// What became of the branches on which memories were written.
    pub states: BTreeMap<String, BranchState>,
}

impl Branches {
    fn in_state(&self, state: BranchState) -> impl Iterator<Item = &String> {
        let is_own =
            |name: &&String| self.current.as_ref() == Some(*name) || self.default.as_ref() == Some(*name);
        self.states.iter().filter(move |(name, of)| **of == state && !is_own(name)).map(|(name, _)| name)
    }

    /// Returns the branches whose memories hold on this one.
    fn holding_on(&self, branch: String) -> Vec<String> {
        let merged = self.in_state(BranchState::Merged).cloned();
        std::iter::once(branch).chain(self.default.clone()).chain(merged).collect()
    }

    /// Narrows a filter to what holds here, and to what holds on the branch `only`, if there is one.
    pub(super) fn narrow(&self, filter: Filter, only: Option<String>) -> Filter {
        Filter {
            branches: only.map(|branch| self.holding_on(branch)).unwrap_or_default(),
            excluded_branches: self.in_state(BranchState::Deleted).cloned().collect(),
            outranked_branches: self.in_state(BranchState::Unmerged).cloned().collect(),
            ..filter
        }
    }

    /// Tells whether a memory was written on a branch that was deleted without being merged, and holds only
    /// there.
    pub fn hide(&self, memory: &Memory) -> bool {
        let is_deleted = |branch: &String| self.in_state(BranchState::Deleted).any(|name| name == branch);
        !ON_ANY_BRANCH.contains(&memory.category) && memory.source.branch.as_ref().is_some_and(is_deleted)
    }
}

/// What became of branches, by their names.
pub type BranchStates = BTreeMap<String, BranchState>;

/// Finds out about the branches, once, when they are first needed.
#[derive(Clone)]
pub(super) struct LazyBranches {
    ask_states: Arc<dyn Fn() -> BranchStates + Send + Sync>,
    ask: Arc<dyn Fn(BranchStates) -> Branches + Send + Sync>,
    states: Arc<OnceLock<BranchStates>>,
    answer: Arc<OnceLock<Branches>>,
}

impl LazyBranches {
    pub(super) fn new(
        ask_states: impl Fn() -> BranchStates + Send + Sync + 'static,
        ask: impl Fn(BranchStates) -> Branches + Send + Sync + 'static,
    ) -> Self {
        let (ask_states, ask) = (Arc::new(ask_states), Arc::new(ask));
        Self { ask_states, ask, states: Arc::default(), answer: Arc::default() }
    }

    /// Returns what is recorded. Most projects have nothing, and then need not ask for the current branch.
    pub(super) fn states(&self) -> &BranchStates {
        self.states.get_or_init(|| (self.ask_states)())
    }

    pub(super) fn get(&self) -> &Branches {
        self.answer.get_or_init(|| (self.ask)(self.states().clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_merged_holds_everywhere_and_what_was_deleted_nowhere() {
        let states = [
            ("merged", BranchState::Merged),
            ("other", BranchState::Unmerged),
            ("here", BranchState::Unmerged),
            ("gone", BranchState::Deleted),
        ];
        let branches = Branches {
            current: Some("here".to_owned()),
            default: Some("main".to_owned()),
            states: states.map(|(name, state)| (name.to_owned(), state)).into(),
        };
        let only = |state| branches.in_state(state).map(String::as_str).collect::<Vec<_>>();

        assert_eq!(branches.holding_on("here".to_owned()), ["here", "main", "merged"]);
        assert_eq!(only(BranchState::Deleted), ["gone"]);
        assert_eq!(only(BranchState::Unmerged), ["other"]);
    }
}
