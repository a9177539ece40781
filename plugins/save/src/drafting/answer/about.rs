//! What an answer says of the memories that it was shown: which of them a draft is about, and which came to their end.

use serde_json::Value;

use super::{MOST_QUOTES, strings};
use crate::drafting::cut::one_line;
use crate::standing::{Event, Intent};

/// Memories that one answer may end. A session that ends more is none that a model understood.
const MOST: usize = 5;
/// Characters of a reason: what fits into a history.
const WHY: usize = 240;

/// Which of the memories that were shown a draft is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::drafting) struct Pointer {
    pub known: usize,
    pub intent: Intent,
}

/// That one of them came to its end.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::drafting) struct End {
    pub known: usize,
    pub event: Event,
    pub why: String,
    pub quotes: Vec<String>,
}

impl End {
    /// All that it says.
    pub fn says(&self) -> impl Iterator<Item = &str> {
        self.quotes.iter().chain([&self.why]).map(String::as_str)
    }
}

/// What a draft is about. What is no answer to that leaves it to the host.
pub(super) fn about(value: &Value) -> Option<Pointer> {
    let intent = Intent::ALL.into_iter().find(|intent| value["intent"] == intent.as_str())?;
    Some(Pointer { known: index(value)?, intent })
}

/// What came to its end.
pub(super) fn ended(list: &Value) -> Vec<End> {
    let ends = list.as_array().into_iter().flatten().filter_map(|value| {
        let event = Event::ALL.into_iter().find(|event| value["event"] == event.as_str())?;
        let why = one_line(value["why"].as_str().unwrap_or_default(), WHY);
        let quotes = strings(&value["quotes"]).map(str::to_owned).take(MOST_QUOTES).collect();
        Some(End { known: index(value)?, event, why, quotes })
    });
    ends.filter(|end| !end.why.is_empty()).take(MOST).collect()
}

fn index(value: &Value) -> Option<usize> {
    usize::try_from(value["known"].as_u64()?).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_points_nowhere_or_tells_no_reason_is_ignored() {
        for broken in [json!(null), json!(1), json!({"known": 1}), json!({"known": -1, "intent": "update"})] {
            assert_eq!(about(&broken), None, "{broken}");
        }
        assert_eq!(about(&json!({"known": 1, "intent": "retire"})), None, "an end has a reason");
        let end = |event: &str, why: &str| json!({"known": 0, "event": event, "why": why, "quotes": ["q"]});
        let list = json!([end("paid", "it was"), end("resolved", " "), end("resolved", "it was"), 7]);
        assert_eq!(ended(&list).len(), 1);
        assert_eq!(ended(&json!(vec![end("removed", "gone"); 50])).len(), MOST);
    }
}
