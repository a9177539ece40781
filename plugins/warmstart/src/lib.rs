//! **warmstart**: what a session should know before its first prompt.
//!
//! Four kinds, in this order: the cheat sheet (memories tagged so), the rules and decisions that stay true, what
//! concerns the work at hand, found by the subjects of the newest commits and the branch's name, and, where there is
//! room, what was left open: the last session's summary and what was put off.
//!
//! Once an hour it also writes down which commands the project has ([`discover`]), for pretool and posttool.

mod branch;
mod discover;
mod folder;
mod hot;
mod pick;

use bindings::exports::interleaf::layer::{session_start, subagent_start};
use bindings::interleaf::layer::memory::{self, Category, Filter, Memory, Order};
use bindings::interleaf::layer::types::{Content, Context, Error, Item, Reply};
use bindings::interleaf::layer::{project, state};
use pick::Picked;

use discover::Known;
use folder::Folder;

/// The generated side of the contract.
#[allow(missing_docs, unsafe_code, clippy::all)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        inline: "package interleaf:warmstart;
            world warmstart {
                include interleaf:layer/host@0.1.0;
                export interleaf:layer/session-start@0.1.0;
                export interleaf:layer/subagent-start@0.1.0;
            }",
        world: "interleaf:warmstart/warmstart",
        generate_all,
    });

    // Native builds, which only run the tests, have no linker that takes such names.
    #[cfg(target_arch = "wasm32")]
    mod exports_of_the_component {
        use crate::Warmstart;
        super::export!(Warmstart with_types_in super);
    }
}

/// At most this many of the cheat sheet, and this many of the rest (seed 000: 5 and 5).
const EACH: usize = 5;

/// Commit subjects that say what is being worked on (seed 000).
const SUBJECTS: u32 = 5;

/// Of what was put off, the newest are shown.
const PUT_OFF: u32 = 3;

/// Memories asked for by one subject: the first answers are the good ones.
const PER_SUBJECT: u32 = 2;

/// The layer.
pub struct Warmstart;

impl session_start::Guest for Warmstart {
    fn handle(_event: session_start::Event) -> Result<Reply, Error> {
        let mut picked = Picked::new(2 * EACH);
        for memory in cheat_sheet()? {
            picked.add(memory.id, 1.0);
        }
        let rules = rules()?;
        let context = work_at_hand()?;
        for (id, relevance) in pick::share(rules, context, EACH) {
            picked.add(id, relevance);
        }
        for memory in left_open()? {
            picked.add(memory.id, 0.5);
        }
        // What is shown does not depend on it: where it fails, the list stays as it was.
        let _ = refresh_topics();
        Ok(answer(picked))
    }
}

/// A subagent sees nothing of what its conversation was shown, and no prompt of its own reaches a layer: it gets
/// what always holds.
impl subagent_start::Guest for Warmstart {
    fn handle(_event: subagent_start::Event) -> Result<Reply, Error> {
        let mut picked = Picked::new(EACH);
        for memory in cheat_sheet()? {
            picked.add(memory.id, 1.0);
        }
        for (id, relevance) in rules()? {
            picked.add(id, relevance);
        }
        Ok(answer(picked))
    }
}

fn cheat_sheet() -> Result<Vec<Memory>, Error> {
    let filter = Filter { tags: vec!["cheat-sheet".to_owned()], ..any() };
    memory::list(&filter, Order::Importance, EACH as u32)
}

/// Rules and decisions whose origin lets them stand, most important first.
fn rules() -> Result<Vec<(String, f32)>, Error> {
    let categories = vec![Category::Constraint, Category::Preference, Category::Decision];
    let found = memory::list(&Filter { categories, ..any() }, Order::Importance, 4 * EACH as u32)?;
    Ok(found.into_iter().filter(|memory| memory.is_project_rule).map(|memory| (memory.id, 0.9)).collect())
}

/// What the newest commits and the branch bring up. Git may be missing or slow: then nothing is at hand.
fn work_at_hand() -> Result<Vec<(String, f32)>, Error> {
    let branch = project::branch().unwrap_or_default();
    let mut topics = project::recent_subjects(SUBJECTS).unwrap_or_default();
    topics.extend(branch::of_branch(&project::name().unwrap_or_default(), branch.as_deref()));
    let filter = Filter { branch, ..any() };
    let mut found = Vec::new();
    for topic in topics {
        let hits = memory::search(&topic, &filter, PER_SUBJECT)?;
        found.extend(hits.into_iter().map(|hit| (hit.memory.id, 0.8 * hit.relevance)));
    }
    Ok(found)
}

/// The summary of the last session, and the newest of what was put off.
fn left_open() -> Result<Vec<Memory>, Error> {
    let newest =
        |category, limit| memory::list(&Filter { categories: vec![category], ..any() }, Order::Newest, limit);
    let mut open = newest(Category::SessionSummary, 1)?;
    open.extend(newest(Category::TechDebt, PUT_OFF)?);
    Ok(open)
}

/// Discovers the project's commands, if that was not done lately. Somebody who promotes one meanwhile is heard.
fn refresh_topics() -> Result<(), Error> {
    let now = hot::now();
    let mut kept = state::get(state::Scope::Shared, hot::KEY)?;
    if !hot::is_due(kept.as_deref(), now) {
        return Ok(());
    }
    let memories = memory::list(&Filter { unseen: false, ..any() }, Order::Newest, hot::MEMORIES)?;
    let memories: Vec<Known> = memories.into_iter().map(known).collect();
    let found = discover::topics(&Folder, &memories, now);
    for _ in 0..hot::ATTEMPTS {
        let Some(new) = hot::renewed(kept.as_deref(), &found, memories.is_empty(), now) else {
            return Ok(());
        };
        if state::swap(state::Scope::Shared, hot::KEY, kept.as_deref(), &new)? {
            return Ok(());
        }
        kept = state::get(state::Scope::Shared, hot::KEY)?;
    }
    Ok(())
}

fn known(memory: Memory) -> Known {
    let is_runbook = memory.category == Category::Runbook;
    Known { text: format!("{}\n{}", memory.title, memory.text), tags: memory.tags, is_runbook }
}

fn any() -> Filter {
    Filter {
        categories: Vec::new(),
        tags: Vec::new(),
        branch: None,
        since: None,
        origins: Vec::new(),
        unseen: true,
    }
}

fn answer(picked: Picked) -> Reply {
    let item = |(id, relevance)| Item { content: Content::Memory(id), relevance };
    let items: Vec<Item> = picked.into_iter().map(item).collect();
    let heading = "What this project has settled, and what bears on its latest work".to_owned();
    let context = (!items.is_empty()).then_some(Context { heading, items, urgent: false });
    Reply { context, decisions: Vec::new(), notice: None }
}
