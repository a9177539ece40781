//! Tentative memories: what a layer found likely but not certain. No hook shows them; a search that somebody
//! asked for finds them, and `interleaf review` lists them.
//!
//! A memory is tentative as long as it has the tag [`TENTATIVE_TAG`]. It loses the tag when another session
//! says the same, when a session's own search finds it and the session then follows it (the worker's
//! `followed_memories.rs`), or when a person keeps it. Otherwise it is retired after [`RETENTION_DAYS`].
//! Losing the tag never changes its origin.

use super::record::{Memory, Origin};
use super::store::{Filter, Order};
use super::write_rules::{TENTATIVE_TAG, normalize_tag};
use super::{Memories, Patch};
use crate::error::{Error, Result};

/// Number of days without a change after which a tentative memory is retired.
pub(super) const RETENTION_DAYS: u64 = 30;

/// Tells whether a memory is tentative.
pub fn is_tentative(memory: &Memory) -> bool {
    has_tag(&memory.tags)
}

fn has_tag(tags: &[String]) -> bool {
    tags.iter().any(|tag| normalize_tag(tag) == TENTATIVE_TAG)
}

/// Returns the joined tags of a memory and what is merged into it, without [`TENTATIVE_TAG`] unless both are
/// tentative and from one session, or the old words are a tool's or an import's.
pub(super) fn joined_tags(joined: Vec<String>, old: &Memory, new: &Memory) -> Vec<String> {
    let same_session = old.source.session == new.source.session;
    let stays = is_tentative(new) && same_session || !is_own(old);
    match is_tentative(old) && stays {
        true => joined,
        false => without_tag(joined),
    }
}

/// Tells whether the words of a memory are the person's or the assistant's.
fn is_own(memory: &Memory) -> bool {
    matches!(memory.origin, Origin::Person | Origin::Assistant)
}

fn without_tag(tags: Vec<String>) -> Vec<String> {
    tags.into_iter().filter(|tag| normalize_tag(tag) != TENTATIVE_TAG).collect()
}

impl Memories {
    /// Returns the tentative memories, the newest first.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read.
    pub fn tentative(&self) -> Result<Vec<Memory>> {
        let filter = Filter { tags: vec![TENTATIVE_TAG.to_owned()], ..Filter::default() };
        self.list(&filter, Order::Newest, usize::MAX)
    }

    /// Makes a tentative memory an ordinary one. Does nothing with any other memory.
    ///
    /// # Errors
    /// `not-found`; `conflict` if the memory was changed meanwhile; `denied` if its words are a tool's or an
    /// import's, which only a person can confirm.
    pub fn promote(&self, id: &str, reason: &str) -> Result<()> {
        let memory = self.get(id)?;
        if !is_tentative(&memory) {
            return Ok(());
        }
        if !is_own(&memory) {
            return Err(Error::denied(format!("the words of the memory come from {}", memory.origin))
                .hint(format!("interleaf memory confirm {}", memory.id)));
        }
        let patch = Patch { tags: Some(without_tag(memory.tags)), ..Patch::new(memory.origin, reason) };
        self.update(&memory.id, memory.version, patch).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::test_support::memories;
    use crate::memory::{Category, Draft};

    fn draft(text: &str) -> Draft {
        let tags = vec![TENTATIVE_TAG.to_owned()];
        Draft { tags, ..Draft::new(Category::Decision, text, Origin::Assistant) }
    }

    #[test]
    fn a_tentative_memory_is_listed_until_it_is_promoted() {
        let memories = memories();
        let id = memories.remember(draft("Use SQLite for the queue")).expect("written").id;
        memories.remember(Draft::new(Category::Decision, "Other", Origin::Assistant)).expect("written");
        assert_eq!(memories.tentative().expect("listed").len(), 1);

        memories.promote(&id, "kept").expect("promoted");

        assert!(memories.tentative().expect("listed").is_empty());
        let memory = memories.get(&id).expect("still there");
        assert_eq!((memory.origin, memory.tags), (Origin::Assistant, vec!["decision".to_owned()]));
    }

    /// Returns whether a tentative memory stays so when this session says the same.
    fn stays_tentative(session: &str, origin: Origin) -> bool {
        let memories = memories();
        let told = |session: &str| {
            let source = crate::memory::Source { session: Some(session.to_owned()), ..Default::default() };
            Draft { source, origin, ..draft("Use SQLite for the queue") }
        };
        memories.remember(told("first")).expect("written");
        let known = memories.tentative().expect("listed").remove(0);
        let again = memories.memory_from_draft(told(session), "test").expect("valid");
        has_tag(&joined_tags(known.tags.clone(), &known, &again))
    }

    #[test]
    fn only_another_session_s_own_words_make_a_tentative_memory_certain() {
        assert!(stays_tentative("first", Origin::Assistant));
        assert!(!stays_tentative("second", Origin::Assistant));
        assert!(stays_tentative("second", Origin::ToolOutput));
    }

    #[test]
    fn a_filter_can_leave_out_tentative_memories() {
        let memories = memories();
        memories.remember(draft("Use SQLite for the queue")).expect("written");
        let certain = Filter { certain_only: true, ..Filter::default() };

        assert!(memories.list(&certain, Order::Newest, 9).expect("listed").is_empty());
        assert_eq!(memories.list(&Filter::default(), Order::Newest, 9).expect("listed").len(), 1);
    }
}
