//! Memories and their closed sets of words, in the host's types and in the contract's.

use crate::memory::{self as store, Category, Origin, Status};
use crate::sandbox::bindings::memory as wit;

/// A memory as the contract writes it.
pub(super) fn to_wit(memory: store::Memory) -> wit::Memory {
    wit::Memory {
        may_rule: store::may_rule(&memory),
        id: memory.id,
        category: category_to_wit(memory.category),
        title: memory.title,
        text: memory.text,
        content: memory.content.to_string(),
        tags: memory.tags,
        related_files: memory.related_files,
        confidence: memory.confidence,
        importance: memory.importance,
        origin: origin_to_wit(memory.origin),
        branch: memory.source.branch,
        created_at: memory.created_at,
        updated_at: memory.updated_at,
        status: status_to_wit(memory.status),
        version: memory.version,
    }
}

/// Two enums with the same words, there and back.
macro_rules! same_words {
    ($to:ident $from:ident $ours:ident: $($word:ident)*) => {
        pub(super) fn $to(ours: $ours) -> wit::$ours {
            match ours { $($ours::$word => wit::$ours::$word,)* }
        }

        #[allow(dead_code)]
        pub(super) fn $from(theirs: wit::$ours) -> $ours {
            match theirs { $(wit::$ours::$word => $ours::$word,)* }
        }
    };
}

same_words!(category_to_wit category Category:
    SessionSummary Decision Runbook Constraint TechDebt Preference Learning Context Blocker);
same_words!(origin_to_wit origin Origin: Person Assistant ToolOutput Imported Shared);
same_words!(status_to_wit status Status: Active Retired Archived);
