//! The categories of memories, and a table of what the host does differently for each: how it describes them,
//! how fast they age, how many it keeps and for how long. The fields of a category's content are in
//! `content.rs`.

use super::word_enum::word_enum;

word_enum! {
    /// The kind of a memory.
    Category, "category" {
        /// The goal and the outcome of a session.
        SessionSummary = "session_summary",
        /// A choice and its reasons.
        Decision = "decision",
        /// The fix for a recurring failure.
        Runbook = "runbook",
        /// A limit that the project cannot change.
        Constraint = "constraint",
        /// Deferred work.
        TechDebt = "tech_debt",
        /// How the people of the project want things done.
        Preference = "preference",
        /// A discovery.
        Learning = "learning",
        /// The current state of something.
        Context = "context",
        /// An obstacle that currently blocks the work.
        Blocker = "blocker",
    }
}

/// The properties of a category.
pub(super) struct Properties {
    /// Default description of the category; the configuration can replace it.
    pub(super) description: &'static str,
    /// Days after which a memory has lost half its weight in rankings; `None` if it does not age.
    pub(super) half_life_days: Option<f32>,
    /// Whether a memory is retired only when another one supersedes it.
    pub(super) needs_successor: bool,
    /// Default of `categories.NAME.retention_days`; 0 means forever.
    pub(super) retention_days: u64,
    /// Default of `categories.NAME.max_kept`; 0 means no limit, because a search over 10,000 memories is
    /// still fast.
    pub(super) max_kept: u64,
}

/// Half-life of categories whose memories stay relevant for weeks, in days.
const WEEKS: Option<f32> = Some(30.0);
/// Half-life of categories whose memories stay relevant for months, in days.
const MONTHS: Option<f32> = Some(180.0);

impl Category {
    /// Returns the properties of this category: the table to edit when a category is added or changed.
    pub(super) const fn properties(self) -> Properties {
        match self {
            Self::SessionSummary => Properties {
                half_life_days: WEEKS,
                needs_successor: true,
                retention_days: 90,
                max_kept: 5,
                ..durable("the goal of a session, its outcome and its open work")
            },
            Self::Decision => Properties {
                needs_successor: true,
                ..durable("a choice and its reason: why this option and not another")
            },
            Self::Runbook => Properties {
                half_life_days: MONTHS,
                ..durable("a failure that can happen again, and the fix that worked")
            },
            Self::Constraint => durable("a limit that the project cannot change"),
            Self::TechDebt => Properties {
                half_life_days: MONTHS,
                ..durable("deferred work, and the reason why it was deferred")
            },
            Self::Preference => {
                Properties { needs_successor: true, ..durable("how work on this project should be done") }
            }
            Self::Learning => Properties {
                half_life_days: MONTHS,
                ..durable("a discovery about the project or its environment")
            },
            Self::Context => {
                Properties { half_life_days: WEEKS, ..durable("the current state of something") }
            }
            Self::Blocker => {
                Properties { half_life_days: WEEKS, ..durable("an obstacle that currently blocks the work") }
            }
        }
    }

    /// Tells whether memories of this category apply until they are changed. Memories of other
    /// categories lose weight with age, and are evicted when their category is full.
    pub const fn is_durable(self) -> bool {
        self.properties().half_life_days.is_none()
    }
}

/// Returns the base properties of most categories: no aging, no required successor, no limits.
const fn durable(description: &'static str) -> Properties {
    Properties { description, half_life_days: None, needs_successor: false, retention_days: 0, max_kept: 0 }
}
