//! What may be done to a store, and how a sequence of it is made up. The texts are few and near to each other, the ids
//! are picked among those there were, and time passes in leaps: so the rules meet each other all the time.

use super::super::*;
use crate::memory::content::LifecycleEvent;
use crate::memory::{ImportTrust, Intent};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Texts that say the same, nearly the same, or something else; three scripts.
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

/// Those that a sequence is about: two are durable, two have a cap, two have days.
pub const CATEGORIES: [Category; 5] = [
    Category::Decision,
    Category::Constraint,
    Category::Blocker,
    Category::SessionSummary,
    Category::Learning,
];

const FILES: [&str; 3] = ["src/vendor.rs", "src/gone.rs", "Makefile"];

/// One thing that is done.
#[derive(Debug, Clone)]
pub enum Deed {
    Remember(Words),
    Update(Seen, Change),
    Turn(Way, Index, Option<Age>),
    Supersede(Seen, Words),
    Resolve(Wish),
    Confirm(Index),
    /// So often, one after another.
    Rate(Index, Rating, u8),
    KeepUp,
    /// Keeps what is exported, for an import.
    Export,
    /// Imports what was exported once.
    Import(Index, ImportTrust),
    /// So many minutes pass.
    Wait(i64),
}

/// What is said, as what, and by whom.
#[derive(Debug, Clone)]
pub struct Words {
    pub text: usize,
    pub category: Category,
    pub origin: Origin,
    pub importance: f32,
    pub by_layer: bool,
}

/// A memory, and whether its present version was seen.
#[derive(Debug, Clone)]
pub struct Seen(pub Index, pub Age);

/// Which version somebody saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Age {
    Present,
    Past,
}

/// A change of status.
#[derive(Debug, Clone, Copy)]
pub enum Way {
    Retire,
    Archive,
    Unarchive,
    Restore,
}

/// What an update changes.
#[derive(Debug, Clone)]
pub struct Change {
    pub origin: Origin,
    pub text: Option<usize>,
    pub tags: Option<Vec<String>>,
    pub files: Option<Vec<&'static str>>,
    pub content: bool,
}

/// What is proposed for resolution.
#[derive(Debug, Clone)]
pub struct Wish {
    pub words: Words,
    pub intent: Intent,
    pub event: Option<LifecycleEvent>,
    pub seen: Option<Seen>,
    pub key: Option<u8>,
}

/// A sequence of at most so many.
pub fn sequence(longest: usize) -> impl Strategy<Value = Vec<Deed>> {
    vec(deed(), 1..=longest)
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        12 => words().prop_map(Deed::Remember),
        6 => (seen(), change()).prop_map(|(seen, change)| Deed::Update(seen, change)),
        16 => (way(), any::<Index>(), option::weighted(0.2, age())).prop_map(|(way, id, age)| Deed::Turn(way, id, age)),
        5 => (seen(), words()).prop_map(|(seen, words)| Deed::Supersede(seen, words)),
        8 => wish().prop_map(Deed::Resolve),
        2 => any::<Index>().prop_map(Deed::Confirm),
        2 => (any::<Index>(), select(vec![Rating::Up, Rating::Down]), select(vec![1, 1, 30]))
            .prop_map(|(id, rating, times)| Deed::Rate(id, rating, times)),
        3 => Just(Deed::KeepUp),
        2 => Just(Deed::Export),
        3 => (any::<Index>(), select(vec![ImportTrust::Own, ImportTrust::Untrusted])).prop_map(|(of, by)| Deed::Import(of, by)),
        8 => select(vec![1, 60, 12 * 60, 23 * 60, 25 * 60, 7 * 24 * 60, 40 * 24 * 60]).prop_map(Deed::Wait),
    ]
}

fn words() -> impl Strategy<Value = Words> {
    let importance = select(vec![0.1_f32, 0.5, 0.9]);
    let parts = (0..TEXTS.len(), select(CATEGORIES.to_vec()), origin(), importance, any::<bool>());
    parts.prop_map(|(text, category, origin, importance, by_layer)| Words {
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

fn seen() -> impl Strategy<Value = Seen> {
    (any::<Index>(), age()).prop_map(|(id, age)| Seen(id, age))
}

fn age() -> impl Strategy<Value = Age> {
    prop_oneof![4 => Just(Age::Present), 1 => Just(Age::Past)]
}

fn way() -> impl Strategy<Value = Way> {
    prop_oneof![5 => Just(Way::Retire), 2 => Just(Way::Archive), 2 => Just(Way::Unarchive), 4 => Just(Way::Restore)]
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

fn wish() -> impl Strategy<Value = Wish> {
    let intents = vec![Intent::Create, Intent::Update, Intent::Retire, Intent::Supersede];
    let event = option::weighted(0.3, select(LifecycleEvent::ALL.to_vec()));
    let parts =
        (words(), select(intents), event, option::weighted(0.4, seen()), option::weighted(0.3, 0..3_u8));
    parts.prop_map(|(words, intent, event, seen, key)| Wish { words, intent, event, seen, key })
}
