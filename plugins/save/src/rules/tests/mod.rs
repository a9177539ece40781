//! The rules on recorded sessions, and on talks of our own.

mod recorded;
pub mod script;
mod talks;

use crate::drafting::schemas;
use crate::finding::{Finding, Origin};
use crate::transcript::{Kind, Role, Transcript};

/// What the host checks: a quotation stands in the entry at its cursor, and a find of the assistant quotes no tool.
fn check(talk: &Transcript, find: &Finding) {
    let bare = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for quote in &find.evidence {
        let standing = |tool: bool| {
            let at = talk.entries.iter().filter(|entry| entry.cursor == quote.cursor);
            at.filter(|entry| (entry.role == Role::Tool) == tool)
                .any(|entry| bare(&entry.text).contains(&bare(&quote.quote)))
        };
        let own = standing(false);
        assert!(own || standing(true), "{quote:?} does not stand there");
        assert!(own || find.origin == Origin::ToolOutput, "{find:?} quotes a tool");
    }
    assert!(find.text.chars().count() <= 1_000 && !find.text.trim().is_empty(), "{find:?}");
    let told = find.content.as_object().expect("an object").values().filter(|value| !value.is_null()).count();
    let kept = schemas::fit_to_host(find.category, &find.content);
    assert_eq!(
        kept.as_object().map(serde_json::Map::len),
        Some(told),
        "the host would take {kept} of {find:?}"
    );
    let _ = Kind::Text;
}
