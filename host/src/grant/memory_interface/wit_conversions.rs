//! Conversions between the host's types of memories and those of the contract.

use crate::memory::content::LifecycleEvent;
use crate::memory::{
    self as store, AllowedActions, Category, Intent, Origin, ResolutionAction, Similarity, Status,
};
use crate::sandbox::bindings::memory as wit;

pub(super) fn hit(hit: store::Hit) -> wit::Hit {
    wit::Hit { relevance: hit.relevance, memory: memory(hit.memory) }
}

pub(super) fn memory(memory: store::Memory) -> wit::Memory {
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
        status: status(memory.status),
        superseded_by: memory.superseded_by,
        confirmed: memory.confirmed_at.is_some(),
        version: memory.version,
    }
}

pub(super) fn assessment(assessment: store::Assessment) -> wit::Assessment {
    let candidate = assessment.candidate.map(|candidate| wit::Candidate {
        memory: memory(candidate.memory),
        similarity: similarity(candidate.similarity),
    });
    let (allowed, vetoes) = (allowed_actions(assessment.allowed), assessment.vetoes);
    wit::Assessment { allowed, candidate, vetoes }
}

pub(super) fn resolution(resolution: store::Resolution) -> wit::Resolution {
    wit::Resolution {
        action: resolution_action(resolution.action),
        id: resolution.id,
        superseded: resolution.superseded,
        reason: resolution.reason,
    }
}

pub(super) fn category_policy(category: Category, policy: &store::CategoryPolicy) -> wit::CategoryPolicy {
    wit::CategoryPolicy {
        category: category_to_wit(category),
        enabled: policy.enabled,
        auto_capture: policy.auto_capture,
        description: policy.description.clone(),
    }
}

/// Converts between two enums of the same name with the same cases.
macro_rules! same_cases {
    ($function:ident to $enum:ident: $($case:ident)*) => {
        pub(super) fn $function(host: $enum) -> wit::$enum {
            match host { $($enum::$case => wit::$enum::$case,)* }
        }
    };
    ($function:ident from $enum:ident: $($case:ident)*) => {
        pub(super) fn $function(contract: wit::$enum) -> $enum {
            match contract { $(wit::$enum::$case => $enum::$case,)* }
        }
    };
}

same_cases!(category_to_wit to Category:
    SessionSummary Decision Runbook Constraint TechDebt Preference Learning Context Blocker);
same_cases!(category from Category:
    SessionSummary Decision Runbook Constraint TechDebt Preference Learning Context Blocker);
same_cases!(origin_to_wit to Origin: Person Assistant ToolOutput Imported Shared);
same_cases!(origin from Origin: Person Assistant ToolOutput Imported Shared);
same_cases!(status to Status: Active Retired Archived);
same_cases!(lifecycle_event from LifecycleEvent: Resolved Removed Reversed Superseded Deprecated);
same_cases!(allowed_actions to AllowedActions: CreateOnly AnyExceptRetire Any NoAction);
same_cases!(similarity to Similarity: Duplicate Correction Related);
same_cases!(intent from Intent: Create Update Retire Supersede);
same_cases!(resolution_action to ResolutionAction: Created Updated Retired Superseded Skipped);
