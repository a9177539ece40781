//! Schedules flushes. The end of a turn schedules a flush after a delay, so that not every turn costs a model
//! call; a compaction and the end of a session or of a subagent schedule one at once. Each conversation has
//! at most one scheduled flush: another request only gives it newer data or an earlier time. If the session
//! never continues, the next event of the project runs its flush.

use serde::{Deserialize, Serialize};

use crate::progress::Progress;

/// The kind of this layer's only job.
pub const FLUSH_JOB: &str = "flush";

/// Maximum length of the final message in a job's payload, in bytes. The transcript may not contain the
/// message yet.
pub const MAX_LAST_MESSAGE_BYTES: usize = 8 << 10;

/// The payload of a flush job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FlushRequest {
    /// The final message of the turn.
    #[serde(rename = "last")]
    pub last_message: Option<String>,
}

impl FlushRequest {
    /// Returns a request for the end of a turn.
    pub fn after_turn(last_message: Option<String>) -> Self {
        Self { last_message: last_message.map(shorten) }
    }

    /// Returns the payload as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Returns the id of the conversation's next flush.
pub fn flush_id(session: &str, agent: Option<&str>, progress: &Progress) -> String {
    format!("{FLUSH_JOB}/{session}/{}/{}", agent.unwrap_or("main"), progress.count)
}

/// Returns the delay of a flush after the end of a turn, in milliseconds: the flush runs `debounce_seconds`
/// after the previous one. The first flush waits the full time, because a longer part of a session gives
/// better results.
pub fn delay_ms(now: i64, progress: &Progress, debounce_seconds: u64) -> u64 {
    let debounce = debounce_seconds.saturating_mul(1000);
    if progress.count == 0 {
        return debounce;
    }
    let passed = u64::try_from(now.saturating_sub(progress.at)).unwrap_or(0);
    debounce.saturating_sub(passed)
}

fn shorten(text: String) -> String {
    if text.len() <= MAX_LAST_MESSAGE_BYTES {
        return text;
    }
    let head = &text[..text.floor_char_boundary(MAX_LAST_MESSAGE_BYTES)];
    // Redaction would not recognize half a token.
    let end = head.rfind(char::is_whitespace).unwrap_or(0);
    text[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flush_runs_the_debounce_time_after_the_previous_one() {
        let after = |at| Progress { count: 1, at, ..Progress::default() };

        assert_eq!(delay_ms(1_000_000, &Progress::default(), 300), 300_000);
        assert_eq!(delay_ms(1_000_000, &after(900_000), 300), 200_000);
        assert_eq!(delay_ms(1_000_000, &after(0), 300), 0);
        assert_eq!(delay_ms(0, &after(1_000_000), 300), 300_000, "a clock that was set back");
    }

    #[test]
    fn conversations_and_subagents_have_separate_flush_ids() {
        let progress = Progress { count: 3, ..Progress::default() };

        assert_eq!(flush_id("s", None, &progress), "flush/s/main/3");
        assert_eq!(flush_id("s", Some("a1"), &progress), "flush/s/a1/3");
    }

    #[test]
    fn a_long_last_message_is_truncated_between_words() {
        let request = FlushRequest::after_turn(Some("word ".repeat(4000)));

        let last = request.last_message.expect("the request has a message");
        assert!(last.len() <= MAX_LAST_MESSAGE_BYTES && last.ends_with("word"));
        assert_eq!(shorten("x".repeat(9000)), "", "a message without white space is dropped");
    }

    #[test]
    fn a_job_of_an_earlier_version_is_read() {
        let request: FlushRequest = serde_json::from_str(r#"{"last":"done"}"#).expect("valid");

        assert_eq!(request.last_message.as_deref(), Some("done"));
        assert_eq!(request.to_json(), r#"{"last":"done"}"#);
    }
}
