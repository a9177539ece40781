//! Memories and their closed sets of words, in the host's types and in the contract's.

use crate::memory::content::LifecycleEvent;
use crate::memory::{
    self as store, AllowedActions, Category, Intent, Origin, ResolutionAction, Similarity, Status,
};
use crate::sandbox::bindings::memory as wit;

/// A memory as the contract writes it.
pub(super) fn to_wit(memory: store::Memory) -> wit::Memory {
    wit::Memory {
        is_project_rule: store::is_project_rule(&memory),
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
        superseded_by: memory.superseded_by,
        confirmed: memory.confirmed_at.is_some(),
        version: memory.version,
    }
}

/// What the memories say to a draft, as the contract writes it.
pub(super) fn assessment(assessed: store::Assessment) -> wit::Assessment {
    let candidate = assessed.candidate.map(|candidate| wit::Candidate {
        memory: to_wit(candidate.memory),
        similarity: likeness_to_wit(candidate.similarity),
    });
    wit::Assessment { allowed: allowed_to_wit(assessed.allowed), candidate, vetoes: assessed.vetoes }
}

/// What was done about a draft, likewise.
pub(super) fn resolved(resolved: store::Resolution) -> wit::Resolution {
    wit::Resolution {
        action: action_to_wit(resolved.action),
        id: resolved.id,
        superseded: resolved.superseded,
        reason: resolved.reason,
    }
}

/// How the person wants a category kept, likewise.
pub(super) fn category_policy(category: Category, policy: &store::CategoryPolicy) -> wit::CategoryPolicy {
    wit::CategoryPolicy {
        category: category_to_wit(category),
        enabled: policy.enabled,
        auto_capture: policy.auto_capture,
        description: policy.description.clone(),
    }
}

/// Two enums with the same words: ours as the contract's, or the contract's as ours.
macro_rules! same_words {
    ($to:ident to $ours:ident: $($word:ident)*) => {
        pub(super) fn $to(ours: $ours) -> wit::$ours {
            match ours { $($ours::$word => wit::$ours::$word,)* }
        }
    };
    ($from:ident from $ours:ident: $($word:ident)*) => {
        pub(super) fn $from(theirs: wit::$ours) -> $ours {
            match theirs { $(wit::$ours::$word => $ours::$word,)* }
        }
    };
}

same_words!(category_to_wit to Category:
    SessionSummary Decision Runbook Constraint TechDebt Preference Learning Context Blocker);
same_words!(category from Category:
    SessionSummary Decision Runbook Constraint TechDebt Preference Learning Context Blocker);
same_words!(origin_to_wit to Origin: Person Assistant ToolOutput Imported Shared);
same_words!(origin from Origin: Person Assistant ToolOutput Imported Shared);
same_words!(status_to_wit to Status: Active Retired Archived);
same_words!(event from LifecycleEvent: Resolved Removed Reversed Superseded Deprecated);
same_words!(allowed_to_wit to AllowedActions: CreateOnly AnyExceptRetire Any NoAction);
same_words!(likeness_to_wit to Similarity: Duplicate Correction Related);
same_words!(intent from Intent: Create Update Retire Supersede);
same_words!(action_to_wit to ResolutionAction: Created Updated Retired Superseded Skipped);
