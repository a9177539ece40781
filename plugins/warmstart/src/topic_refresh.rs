//! Refreshes the project's list of topics, in which discovered topics are replaced and promoted ones stay,
//! and the map of its memories.

use interleaf_layer::prelude::*;
use topics::{Topic, Topics};

use crate::discover::{self, KnownMemory, ProjectFolder};
use crate::subject_map;

/// Number of memories read, the newest: the maximum that one call returns.
const MAX_MEMORIES: u32 = 100;

/// Time until the next discovery: one hour.
const DISCOVERY_LIFETIME_MS: i64 = 60 * 60 * 1_000;

/// Discovers the project's commands, and draws the map of its memories, unless the last discovery is less
/// than an hour old. A command that posttool promotes meanwhile is kept.
pub fn refresh() -> Result<()> {
    let now = interleaf_layer::now_ms();
    if !is_due(state::get(Scope::Shared, topics::STATE_KEY)?.as_deref(), now) {
        return Ok(());
    }
    let memories = memory::list(&Filter::new(), Order::Newest, MAX_MEMORIES)?;
    let is_trusted = |memory: &&Memory| matches!(memory.origin, Origin::Person | Origin::Assistant);
    let tags = memories.iter().filter(is_trusted).map(|memory| memory.tags.as_slice());
    store_map(&subject_map::of(&tags.collect::<Vec<_>>()))?;
    let memories: Vec<KnownMemory> = memories.into_iter().map(KnownMemory::from).collect();
    let discovered = discover::topics(&ProjectFolder, &memories, now);
    let renew = |stored: Option<&str>| renewed(stored, &discovered, !memories.is_empty(), now);
    state::update(Scope::Shared, topics::STATE_KEY, renew)
}

/// Stores the map if it has changed.
fn store_map(map: &str) -> Result<()> {
    let stored = state::get(Scope::Shared, subject_map::STATE_KEY)?.unwrap_or_default();
    if stored == map { Ok(()) } else { state::set(Scope::Shared, subject_map::STATE_KEY, map) }
}

/// Tells whether a discovery is due. A last discovery in the future means that the clock was set back.
pub fn is_due(stored: Option<&str>, now: i64) -> bool {
    let generated = stored.and_then(Topics::generated_at);
    !generated.is_some_and(|at| (0..DISCOVERY_LIFETIME_MS).contains(&now.saturating_sub(at)))
}

/// Returns the list with these topics as its discovered ones. Returns none if there is nothing to store (no
/// list, no topic, no memory), so that no database is created for it.
pub fn renewed(stored: Option<&str>, discovered: &[Topic], has_memories: bool, now: i64) -> Option<String> {
    if stored.is_none() && discovered.is_empty() && !has_memories {
        return None;
    }
    let mut topics = stored.map(Topics::read).unwrap_or_default();
    topics.patterns = discovered.to_vec();
    topics.generated_at = Some(now);
    topics.expire(now);
    Some(topics.to_json())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discovery_is_due_after_an_hour() {
        let kept = Topics { generated_at: Some(1_000), ..Topics::default() }.to_json();

        assert!(!is_due(Some(&kept), 1_000 + DISCOVERY_LIFETIME_MS - 1));
        assert!(is_due(Some(&kept), 1_000 + DISCOVERY_LIFETIME_MS) && is_due(Some(&kept), 999));
        assert!(is_due(None, 0) && is_due(Some("broken ["), 0) && is_due(Some("{}"), 0));
    }

    #[test]
    fn promoted_topics_stay_when_the_list_is_refreshed() {
        let mut topics = Topics::default();
        topics.promote(&interleaf_shell::commands("g++ x")[0], 5);
        let found = [Topic { command: "make a".into(), ..Topic::default() }];

        let renewed = renewed(Some(&topics.to_json()), &found, true, 7).map(|json| Topics::read(&json));

        let expected = Topics { patterns: found.to_vec(), generated_at: Some(7), ..topics };
        assert_eq!(renewed, Some(expected));
    }

    #[test]
    fn nothing_is_stored_for_an_empty_project() {
        assert_eq!(renewed(None, &[], false, 7), None);
        assert!(renewed(None, &[], true, 7).is_some());
    }
}
