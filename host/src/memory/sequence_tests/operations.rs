//! The operations on a store, and a generator of random sequences. Texts are few and similar, ids come from
//! earlier operations, and time passes in large steps, so that the rules interact often.

use crate::memory::content::LifecycleEvent;
use crate::memory::{Category, ImportTrust, Intent, Origin, Rating};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Texts that are duplicates, near-duplicates or different, in three scripts.
pub const TEXTS: [&str; 12] = [
    "The vendor API allows 10 requests a second, by design",
    "By design, the vendor API allows 10 requests a second",
    "The vendor API allows 20 requests a second, by design",
    "The vendor API answers 429 beyond its requests, and bans for a minute",
    "Run the migrations before the tests",
    "Run the migrations before tests",
    "Never run the migrations before the tests",
    "Use pnpm, never npm",
    "Use npm, never pnpm",
    "数据库连接池上限是二十",
    "数据库连接池的上限是二十",
    "🚀🔥",
];

/// The categories of the sequences: two are durable, two have a maximum, two have retention days.
pub const CATEGORIES: [Category; 5] = [
    Category::Decision,
    Category::Constraint,
    Category::Blocker,
    Category::SessionSummary,
    Category::Learning,
];

const FILES: [&str; 3] = ["src/vendor.rs", "src/gone.rs", "Makefile"];

#[derive(Debug, Clone)]
pub enum Operation {
    Remember(Statement),
    Update(MemoryRef, Change),
    ChangeStatus(StatusAction, Index, Option<Version>),
    Supersede(MemoryRef, Statement),
    Resolve(ProposalParts),
    Confirm(Index),
    /// Rates a memory this number of times.
    Rate(Index, Rating, u8),
    ApplyRetention,
    /// Stores an export for a later import.
    Export,
    /// Imports one of the exports.
    Import(Index, ImportTrust),
    /// Lets this number of minutes pass.
    Wait(i64),
}

/// The parts of a draft.
#[derive(Debug, Clone)]
pub struct Statement {
    pub text: usize,
    pub category: Category,
    pub origin: Origin,
    pub importance: f32,
    pub by_layer: bool,
}

/// A memory, and whether the operation names its current version.
#[derive(Debug, Clone)]
pub struct MemoryRef(pub Index, pub Version);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    Current,
    Outdated,
}

#[derive(Debug, Clone, Copy)]
pub enum StatusAction {
    Retire,
    Archive,
    Unarchive,
    Restore,
}

/// The fields that an update changes.
#[derive(Debug, Clone)]
pub struct Change {
    pub origin: Origin,
    pub text: Option<usize>,
    pub tags: Option<Vec<String>>,
    pub files: Option<Vec<&'static str>>,
    pub content: bool,
}

/// The parts of a proposal.
#[derive(Debug, Clone)]
pub struct ProposalParts {
    pub statement: Statement,
    pub intent: Intent,
    pub event: Option<LifecycleEvent>,
    pub target: Option<MemoryRef>,
    pub key: Option<u8>,
}

/// Generates a sequence of at most `max` operations.
pub fn sequence(max: usize) -> impl Strategy<Value = Vec<Operation>> {
    vec(operation(), 1..=max)
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        12 => statement().prop_map(Operation::Remember),
        6 => (memory_ref(), change()).prop_map(|(memory, change)| Operation::Update(memory, change)),
        16 => (status_action(), any::<Index>(), option::weighted(0.2, version()))
            .prop_map(|(action, id, version)| Operation::ChangeStatus(action, id, version)),
        5 => (memory_ref(), statement())
            .prop_map(|(memory, statement)| Operation::Supersede(memory, statement)),
        8 => proposal_parts().prop_map(Operation::Resolve),
        2 => any::<Index>().prop_map(Operation::Confirm),
        2 => (any::<Index>(), select(vec![Rating::Up, Rating::Down]), select(vec![1, 1, 30]))
            .prop_map(|(id, rating, repetitions)| Operation::Rate(id, rating, repetitions)),
        3 => Just(Operation::ApplyRetention),
        2 => Just(Operation::Export),
        3 => (any::<Index>(), select(vec![ImportTrust::Own, ImportTrust::Untrusted]))
            .prop_map(|(export, trust)| Operation::Import(export, trust)),
        8 => select(vec![1, 60, 12 * 60, 23 * 60, 25 * 60, 7 * 24 * 60, 40 * 24 * 60])
            .prop_map(Operation::Wait),
    ]
}

fn statement() -> impl Strategy<Value = Statement> {
    let importance = select(vec![0.1_f32, 0.5, 0.9]);
    let parts = (0..TEXTS.len(), select(CATEGORIES.to_vec()), origin(), importance, any::<bool>());
    parts.prop_map(|(text, category, origin, importance, by_layer)| Statement {
        text,
        category,
        origin,
        importance,
        by_layer,
    })
}

fn origin() -> impl Strategy<Value = Origin> {
    prop_oneof![4 => Just(Origin::Assistant), 2 => Just(Origin::Person), 1 => Just(Origin::ToolOutput)]
}

fn memory_ref() -> impl Strategy<Value = MemoryRef> {
    (any::<Index>(), version()).prop_map(|(id, version)| MemoryRef(id, version))
}

fn version() -> impl Strategy<Value = Version> {
    prop_oneof![4 => Just(Version::Current), 1 => Just(Version::Outdated)]
}

fn status_action() -> impl Strategy<Value = StatusAction> {
    prop_oneof![
        5 => Just(StatusAction::Retire),
        2 => Just(StatusAction::Archive),
        2 => Just(StatusAction::Unarchive),
        4 => Just(StatusAction::Restore),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    let tag = (0..20_u8).prop_map(|number| format!("t{number}"));
    let parts = (
        origin(),
        option::of(0..TEXTS.len()),
        option::weighted(0.4, vec(tag, 0..13)),
        option::weighted(0.3, vec(select(FILES.to_vec()), 0..3)),
        any::<bool>(),
    );
    parts.prop_map(|(origin, text, tags, files, content)| Change { origin, text, tags, files, content })
}

fn proposal_parts() -> impl Strategy<Value = ProposalParts> {
    let intents = vec![Intent::Create, Intent::Update, Intent::Retire, Intent::Supersede];
    let event = option::weighted(0.3, select(LifecycleEvent::ALL.to_vec()));
    let target = option::weighted(0.4, memory_ref());
    let parts = (statement(), select(intents), event, target, option::weighted(0.3, 0..3_u8));
    parts.prop_map(|(statement, intent, event, target, key)| ProposalParts {
        statement,
        intent,
        event,
        target,
        key,
    })
}
