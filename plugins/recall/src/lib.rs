//! **recall**: what a prompt needs from earlier sessions, and silence when nothing fits.
//!
//! The thinking is in [`prompt`], [`triggers`] and [`change`], which know nothing of the host and run in ordinary
//! tests; this file asks the host and answers.

pub mod change;
pub mod prompt;
pub mod triggers;

use bindings::exports::interleaf::layer::user_prompt::{Event, Guest};
use bindings::interleaf::layer::memory::{self, Category, Filter, Hit, Memory, Order};
use bindings::interleaf::layer::types::{Content, Context, Error, Item, Reply};
use bindings::interleaf::layer::{settings, state};
use triggers::Trigger;

/// The generated side of the contract.
#[allow(missing_docs, unsafe_code, clippy::all)]
mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "interleaf:layer/on-user-prompt" });

    // Native builds, which only run the tests, have no linker that takes such names.
    #[cfg(target_arch = "wasm32")]
    mod exports_of_the_component {
        use crate::Recall;
        super::export!(Recall with_types_in super);
    }
}

/// Memories shown for an ordinary prompt, and for one that asks for the past (seeds 000 and 002), unless the settings say
/// how many.
const LIMITS: (u32, u32) = (3, 5);

/// Relevance claimed for what answers "where were we?" by being the newest.
const NEWEST: f32 = 0.5;

/// Where the change being worked on is kept between prompts.
const CHANGE: &str = "change";

/// The layer.
pub struct Recall;

impl Guest for Recall {
    fn handle(event: Event) -> Result<Reply, Error> {
        if !prompt::is_worth_asking(&event.prompt) {
            return Ok(answer(Vec::new()));
        }
        let settings = settings::get();
        let trigger = triggers::find(&event.prompt, &triggers::own(&settings));
        let usual = if trigger.is_some() { LIMITS.1 } else { LIMITS.0 };
        let limit = prompt::most(&settings).unwrap_or(usual);
        if limit == 0 {
            return Ok(answer(Vec::new()));
        }
        let change = current_change(&event.prompt);
        let mut hits = find(&event.prompt, change.as_deref(), limit)?;
        if hits.is_empty() && trigger == Some(Trigger::Continuation) {
            hits = newest(limit)?;
        }
        Ok(answer(hits))
    }
}

/// The change named in this prompt, else the one named earlier in the session. State is a convenience here: a
/// layer that was not granted it still recalls.
fn current_change(prompt: &str) -> Option<String> {
    if let Some(change) = change::named_in(prompt) {
        let _ = state::set(state::Scope::Session, CHANGE, change);
        return Some(change.to_owned());
    }
    state::get(state::Scope::Session, CHANGE).ok().flatten()
}

/// What fits the prompt, or the prompt together with the change; best first. The change's name has a search of
/// its own, because added to every query it would drown a prompt about something else.
fn find(prompt: &str, change: Option<&str>, limit: u32) -> Result<Vec<Hit>, Error> {
    let query = prompt::query(prompt);
    let mut hits = memory::search(&query, &unseen(Vec::new()), limit)?;
    if let Some(change) = change {
        let of_change = memory::search(&format!("{change} {query}"), &unseen(Vec::new()), limit)?;
        hits.extend(of_change);
        hits.sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
        let mut seen = std::collections::HashSet::new();
        hits.retain(|hit| seen.insert(hit.memory.id.clone()));
        hits.truncate(limit as usize);
    }
    Ok(hits)
}

/// The newest notes on where work stands.
fn newest(limit: u32) -> Result<Vec<Hit>, Error> {
    let standing = vec![Category::SessionSummary, Category::Context, Category::Blocker];
    let memories = memory::list(&unseen(standing), Order::Newest, limit)?;
    let hit = |memory: Memory| Hit { memory, relevance: NEWEST };
    Ok(memories.into_iter().map(hit).collect())
}

fn unseen(categories: Vec<Category>) -> Filter {
    Filter { categories, tags: Vec::new(), branch: None, since: None, origins: Vec::new(), unseen: true }
}

fn answer(hits: Vec<Hit>) -> Reply {
    let item = |hit: Hit| Item { content: Content::Memory(hit.memory.id), relevance: hit.relevance };
    let items: Vec<Item> = hits.into_iter().map(item).collect();
    let heading = "What may bear on this prompt".to_owned();
    let context = (!items.is_empty()).then_some(Context { heading, items, urgent: false });
    Reply { context, decisions: Vec::new(), notice: None }
}
