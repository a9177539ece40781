//! The list of hot topics, as this layer renews it: what was discovered is replaced, what failures promoted stays.

use std::time::SystemTime;

use topics::{Topic, Topics};

/// Where the list is kept, in the state that all layers share.
pub const KEY: &str = "hot-topics";

/// How often the list is written anew when somebody else was faster.
pub const ATTEMPTS: usize = 5;

/// Memories looked at, the newest: as many as one call gives.
pub const MEMORIES: u32 = 100;

/// Milliseconds for which a discovery is good: an hour.
const GOOD_FOR: i64 = 60 * 60 * 1_000;

/// Milliseconds since the epoch.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Whether it is time to discover again. A moment in the future is a clock that was set back.
pub fn is_due(kept: Option<&str>, now: i64) -> bool {
    let generated = kept.and_then(Topics::generated_at);
    !generated.is_some_and(|at| (0..GOOD_FOR).contains(&now.saturating_sub(at)))
}

/// The list with what was found in the place of what was found before. None where there is nothing to write down: no
/// memories, nothing found, nothing known; then no database should be made.
pub fn renewed(kept: Option<&str>, found: &[Topic], no_memories: bool, now: i64) -> Option<String> {
    if kept.is_none() && found.is_empty() && no_memories {
        return None;
    }
    let mut topics = kept.map(Topics::read).unwrap_or_default();
    topics.patterns = found.to_vec();
    topics.generated_at = Some(now);
    topics.expire(now);
    Some(topics.to_json())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discovery_is_good_for_an_hour() {
        let kept = Topics { generated_at: Some(1_000), ..Topics::default() }.to_json();

        assert!(!is_due(Some(&kept), 1_000 + GOOD_FOR - 1));
        assert!(is_due(Some(&kept), 1_000 + GOOD_FOR) && is_due(Some(&kept), 999));
        assert!(is_due(None, 0) && is_due(Some("broken ["), 0) && is_due(Some("{}"), 0));
    }

    #[test]
    fn what_was_promoted_stays_when_the_list_is_renewed() {
        let mut topics = Topics::default();
        topics.promote(&topics::commands("g++ x")[0], 5);
        let found = [Topic { command: "make a".into(), ..Topic::default() }];

        let renewed = renewed(Some(&topics.to_json()), &found, false, 7).map(|json| Topics::read(&json));

        let expected = Topics { patterns: found.to_vec(), generated_at: Some(7), ..topics };
        assert_eq!(renewed, Some(expected));
    }

    #[test]
    fn where_nothing_is_known_nothing_is_written() {
        assert_eq!(renewed(None, &[], true, 7), None);
        assert!(renewed(None, &[], false, 7).is_some());
    }
}
