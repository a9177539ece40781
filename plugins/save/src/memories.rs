//! The host's memories, as the drafting and the keeping know them.

use crate::bindings::interleaf::layer::memory::{self, Filter, Order};
use crate::bindings::interleaf::layer::types::Error;
use crate::categories::Categories;
use crate::find::Category;
use crate::standing::{Memories, Standing};

/// Memories asked for by one text, and texts that are asked by: the best of each are enough, and every question is a call.
const BY_ONE: u32 = 3;
const MOST_TEXTS: usize = 6;

/// The memories of the project.
pub struct Project;

impl Memories for Project {
    fn standing(&self, categories: &[Category], texts: &[&str], most: usize) -> Vec<Standing> {
        let filter = filter(categories);
        // A category that is switched off has none, and a store that does not answer costs a hint, not the flush.
        let by_text = |text: &&str| memory::search(text, &filter, BY_ONE).unwrap_or_default();
        let hits = texts.iter().take(MOST_TEXTS).flat_map(by_text).map(|hit| hit.memory);
        let mut found: Vec<Standing> = Vec::new();
        let newest = memory::list(&filter, Order::Newest, most as u32).unwrap_or_default();
        for memory in hits.chain(newest) {
            if found.len() < most && found.iter().all(|known| known.id != memory.id) {
                found.push(standing(memory));
            }
        }
        found
    }
}

/// How the person wants each category kept.
///
/// # Errors
/// Where the host cannot tell now.
pub fn categories() -> Result<Categories, Error> {
    let kept = memory::categories()?.into_iter();
    Ok(kept.fold(Categories::all(), |categories, keeping| {
        let wanted = keeping.enabled && keeping.auto_capture;
        categories.with(ours(keeping.category), wanted, &keeping.description)
    }))
}

fn filter(categories: &[Category]) -> Filter {
    Filter {
        categories: categories.iter().map(|category| wire(*category)).collect(),
        tags: Vec::new(),
        branch: None,
        since: None,
        origins: Vec::new(),
        unseen: false,
    }
}

fn standing(memory: memory::Memory) -> Standing {
    Standing {
        id: memory.id,
        version: memory.version,
        category: ours(memory.category),
        title: memory.title,
        text: memory.text,
    }
}

/// Two enums with the same words, there and back.
macro_rules! same_words {
    ($($word:ident)*) => {
        /// A category as the contract writes it.
        pub fn wire(category: Category) -> memory::Category {
            match category { $(Category::$word => memory::Category::$word,)* }
        }

        fn ours(category: memory::Category) -> Category {
            match category { $(memory::Category::$word => Category::$word,)* }
        }
    };
}

same_words!(SessionSummary Decision Runbook Constraint TechDebt Preference Learning Context Blocker);
