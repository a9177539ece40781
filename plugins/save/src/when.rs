//! When is something saved? A turn that ends asks for a flush after a while, so that not every turn costs a model call;
//! what is about to be lost asks for one at once. There is one flush in waiting for each conversation: asking again
//! only lets it know more, or come earlier. One that waits for a session which never comes back is done by whatever
//! event comes next.

use serde::{Deserialize, Serialize};

use crate::progress::Progress;

/// The kind of the only job there is.
pub const FLUSH: &str = "flush";

/// Bytes of a final message that travel with a job. The transcript may not have it yet.
const MOST_LAST: usize = 8 << 10;

/// What a flush is told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Order {
    /// The final message of the turn.
    pub last: Option<String>,
}

impl Order {
    /// For the end of a turn.
    pub fn after_turn(last: Option<String>) -> Self {
        Self { last: last.map(shortened) }
    }

    /// As a job carries it.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// What the next flush of a conversation is called.
pub fn id(session: &str, agent: Option<&str>, progress: &Progress) -> String {
    format!("{FLUSH}/{session}/{}/{}", agent.unwrap_or("main"), progress.count)
}

/// How long a flush waits after the end of a turn, in milliseconds: until the last one is `debounce` seconds ago. Before
/// the first one it waits as long, because a session is judged better as a whole.
pub fn delay(now: i64, progress: &Progress, debounce: u64) -> u64 {
    let debounce = debounce.saturating_mul(1000);
    if progress.count == 0 {
        return debounce;
    }
    let passed = u64::try_from(now.saturating_sub(progress.at)).unwrap_or(0);
    debounce.saturating_sub(passed)
}

fn shortened(text: String) -> String {
    if text.len() <= MOST_LAST {
        return text;
    }
    let cut = text.floor_char_boundary(MOST_LAST);
    // Half a token is no token that redaction knows.
    let whole = text[..cut].rfind(char::is_whitespace).unwrap_or(0);
    text[..whole].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flush_waits_until_the_last_one_is_long_enough_ago() {
        let after = |at| Progress { count: 1, at, ..Progress::default() };

        assert_eq!(delay(1_000_000, &Progress::default(), 300), 300_000);
        assert_eq!(delay(1_000_000, &after(900_000), 300), 200_000);
        assert_eq!(delay(1_000_000, &after(0), 300), 0);
        assert_eq!(delay(0, &after(1_000_000), 300), 300_000, "a clock that was set back");
    }

    #[test]
    fn every_conversation_has_one_flush_in_waiting() {
        let progress = Progress { count: 3, ..Progress::default() };

        assert_eq!(id("s", None, &progress), "flush/s/main/3");
        assert_eq!(id("s", Some("a1"), &progress), "flush/s/a1/3");
    }

    #[test]
    fn a_long_last_message_ends_with_a_whole_word() {
        let order = Order::after_turn(Some("word ".repeat(4000)));

        let last = order.last.expect("it was given");
        assert!(last.len() <= MOST_LAST && last.ends_with("word"));
        assert_eq!(shortened("x".repeat(9000)), "", "a single word that long is no message");
    }
}
