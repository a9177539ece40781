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
        /// The remedy for a recurring failure.
        Runbook = "runbook",
        /// A limit that the project cannot change.
        Constraint = "constraint",
        /// Deferred work.
        TechDebt = "tech_debt",
        /// How the people of the project want things done.
        Preference = "preference",
        /// A discovery.
        Learning = "learning",
        /// The present state of something.
        Context = "context",
        /// An obstacle to the present work.
        Blocker = "blocker",
    }
}

/// The properties of a category.
pub(super) struct Properties {
    /// What belongs in the category, unless the configuration describes it otherwise.
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

/// Half-life of categories that are news for weeks, in days.
const WEEKS: Option<f32> = Some(30.0);
/// Half-life of categories that stay useful for months, in days.
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
                ..durable("what a session set out to do, what came of it and what is open")
            },
            Self::Decision => Properties {
                needs_successor: true,
                ..durable("a choice and its reason: why this and not that")
            },
            Self::Runbook => Properties {
                half_life_days: MONTHS,
                ..durable("a failure that can come back, and the cure that worked")
            },
            Self::Constraint => durable("a limit that cannot be changed from here"),
            Self::TechDebt => {
                Properties { half_life_days: MONTHS, ..durable("work that was put off, and why") }
            }
            Self::Preference => {
                Properties { needs_successor: true, ..durable("how things are to be done here") }
            }
            Self::Learning => Properties { half_life_days: MONTHS, ..durable("something found out") },
            Self::Context => Properties { half_life_days: WEEKS, ..durable("how things stand") },
            Self::Blocker => {
                Properties { half_life_days: WEEKS, ..durable("what stops the work at present") }
            }
        }
    }

    /// Tells whether memories of this category hold until somebody changes them. All others lose weight with
    /// age and make room when their category is full.
    pub const fn is_durable(self) -> bool {
        self.properties().half_life_days.is_none()
    }
}

/// Returns the properties that most categories start from: no ageing, no successor needed, no limits.
const fn durable(description: &'static str) -> Properties {
    Properties { description, half_life_days: None, needs_successor: false, retention_days: 0, max_kept: 0 }
}
