//! **warmstart**: shows memories that the model should know before the first prompt of a session.
//!
//! It shows, in this order: the cheat sheet (memories with that tag), project rules and decisions, memories
//! about current work (found by the subjects of the newest commits and the branch's name) and, if there is
//! room, the last session's summary, open technical debt, and what tools reported in several sessions.
//!
//! The last line is a map of what else is known, by tags. Once an hour it draws the map ([`subject_map`]),
//! and stores the project's commands ([`discover`]) for pretool and posttool.

mod discover;
mod selection;
mod subject_map;
mod topic_refresh;

use interleaf_layer::prelude::*;
use selection::Selection;

/// Maximum number of memories of the cheat sheet, and of rules and current work together.
const MAX_MEMORIES_PER_KIND: usize = 5;

/// Number of newest commit subjects searched for as current work. With five, the recorded sessions showed no
/// more of what they need, and two memories more of what they do not; with none, three facts fewer.
const MAX_COMMIT_SUBJECTS: u32 = 2;

/// Maximum number of technical debts shown, the newest.
const MAX_TECH_DEBTS: u32 = 3;

/// Maximum number of facts, those that most sessions saw.
const MAX_FACTS: u32 = 3;

/// The tag of facts that several sessions saw. The save layer sets it.
const REPEATED_TAG: &str = "repeated";

/// Relevance assigned to facts.
const FACT_RELEVANCE: f32 = 0.4;

/// Maximum number of memories found per commit subject; only the first hits are good.
const MAX_MEMORIES_PER_SUBJECT: u32 = 2;

/// Relevance assigned to memories of the cheat sheet.
const CHEAT_SHEET_RELEVANCE: f32 = 1.0;
/// Relevance assigned to rules.
const RULE_RELEVANCE: f32 = 0.9;
/// Relevance assigned to the last session's summary and to technical debt.
const OPEN_WORK_RELEVANCE: f32 = 0.5;

/// Relevance assigned to the map, which is the first to be left out.
const MAP_RELEVANCE: f32 = 0.1;

/// Categories that a start shows in any case, so that they need no place among what concerns the current
/// work.
const OPEN_WORK: [Category; 2] = [Category::TechDebt, Category::SessionSummary];

/// Factor on the relevance of memories found by a commit's subject, so that rules rank above them.
const CURRENT_WORK_FACTOR: f32 = 0.8;

/// Branch names that say nothing about the work.
const ORDINARY_BRANCHES: [&str; 6] = ["main", "master", "trunk", "develop", "dev", "staging"];

/// The warmstart layer.
pub struct Warmstart;
export_layer!(Warmstart: session_start, subagent_start);

impl session_start::Handler for Warmstart {
    fn handle(_event: session_start::Event) -> Result<Reply> {
        let mut selection = Selection::new(2 * MAX_MEMORIES_PER_KIND + MAX_FACTS as usize);
        for memory in cheat_sheet()? {
            selection.add(memory.id, CHEAT_SHEET_RELEVANCE);
        }
        for (id, relevance) in selection::share(rules()?, current_work()?, MAX_MEMORIES_PER_KIND) {
            selection.add(id, relevance);
        }
        for memory in open_work()? {
            selection.add(memory.id, OPEN_WORK_RELEVANCE);
        }
        for memory in facts()? {
            selection.add(memory.id, FACT_RELEVANCE);
        }
        // The reply does not depend on the refresh: if it fails, the list of topics stays as it was.
        let _ = topic_refresh::refresh();
        let map = if selection.is_empty() { None } else { map() };
        Ok(show(selection, map))
    }
}

/// A subagent does not see the memories shown in the main conversation, and its prompt reaches no layer. So
/// it gets the memories that always apply: the cheat sheet and the rules.
impl subagent_start::Handler for Warmstart {
    fn handle(_event: subagent_start::Event) -> Result<Reply> {
        let mut selection = Selection::new(MAX_MEMORIES_PER_KIND);
        for memory in cheat_sheet()? {
            selection.add(memory.id, CHEAT_SHEET_RELEVANCE);
        }
        for (id, relevance) in rules()? {
            selection.add(id, relevance);
        }
        Ok(show(selection, None))
    }
}

fn cheat_sheet() -> Result<Vec<Memory>> {
    memory::list(&Filter::unseen().tag("cheat-sheet"), Order::Importance, MAX_MEMORIES_PER_KIND as u32)
}

/// Returns the project rules, the most important first.
fn rules() -> Result<Vec<(String, f32)>> {
    let filter =
        Filter::unseen().categories([Category::Constraint, Category::Preference, Category::Decision]);
    let found = memory::list(&filter, Order::Importance, 4 * MAX_MEMORIES_PER_KIND as u32)?;
    let rules = found.into_iter().filter(|memory| memory.is_project_rule);
    Ok(rules.map(|memory| (memory.id, RULE_RELEVANCE)).collect())
}

/// Returns the memories found by the newest commits and the branch; none if git is missing or slow.
fn current_work() -> Result<Vec<(String, f32)>> {
    let branch = project::branch().unwrap_or_default();
    let mut queries = project::recent_subjects(MAX_COMMIT_SUBJECTS).unwrap_or_default();
    queries.extend(branch_query(&project::name().unwrap_or_default(), branch.as_deref()));
    let filter = Filter { branch, ..Filter::unseen() };
    let mut found = Vec::new();
    for query in queries {
        let hits = memory::search(&query, &filter, MAX_MEMORIES_PER_SUBJECT)?;
        // Of what is about the same work, a decision comes before a map of the code.
        let weight = |hit: &Hit| CURRENT_WORK_FACTOR * hit.relevance * hit.memory.importance;
        let hits = hits.into_iter().filter(|hit| !OPEN_WORK.contains(&hit.memory.category));
        found.extend(hits.map(|hit| (hit.memory.id.clone(), weight(&hit))));
    }
    Ok(found)
}

/// Returns the project's name and the branch as a query, unless the branch is an ordinary one. The project's
/// name alone is not a query: every memory of the project may contain it.
fn branch_query(project: &str, branch: Option<&str>) -> Option<String> {
    let branch = branch.filter(|branch| !ORDINARY_BRANCHES.contains(branch))?;
    Some(format!("{project} {branch}"))
}

/// Returns the summary of the last session, and the newest technical debts.
fn open_work() -> Result<Vec<Memory>> {
    let newest = |category, limit| memory::list(&Filter::unseen().category(category), Order::Newest, limit);
    let mut open = newest(Category::SessionSummary, 1)?;
    open.extend(newest(Category::TechDebt, MAX_TECH_DEBTS)?);
    Ok(open)
}

/// Returns what tools reported in several sessions: a command that failed, and with what it passed.
fn facts() -> Result<Vec<Memory>> {
    let filter = Filter::unseen().category(Category::Runbook).tag(REPEATED_TAG);
    let found = memory::list(&filter, Order::Importance, MAX_FACTS)?;
    Ok(found.into_iter().filter(|memory| memory.origin == Origin::ToolOutput).collect())
}

/// Returns the line that says what else is known.
fn map() -> Option<Item> {
    let map =
        state::get(Scope::Shared, subject_map::STATE_KEY).ok().flatten().filter(|map| !map.is_empty())?;
    Some(Item::text(
        format!("tags of what is known: {map}; `interleaf memory search` finds more"),
        MAP_RELEVANCE,
    ))
}

fn show(selection: Selection, map: Option<Item>) -> Reply {
    let items = selection.into_iter().map(|(id, relevance)| Item::memory(id, relevance)).chain(map);
    Reply::items("Rules and decisions of this project, and memories about its latest work", items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_unusual_branch_is_searched_for() {
        assert_eq!(
            branch_query("shop", Some("feature/webhook-retries")).as_deref(),
            Some("shop feature/webhook-retries")
        );
        assert_eq!(branch_query("shop", Some("main")), None);
        assert_eq!(branch_query("shop", None), None);
    }
}
