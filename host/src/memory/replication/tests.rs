//! Property test: stores that exchange their entries through replicas hold the same in the end, whatever they
//! wrote meanwhile, however far their clocks are apart, and wherever an exchange broke off.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};

use super::*;
use crate::memory::test_support::{DAY, TestStore, config, draft};
use crate::memory::{Entry, EntryKind, Filter, Memories, Memory, Order, Origin, Patch, Status};

const STORES: usize = 3;
const REPLICAS: usize = 2;
const MAX_OPERATIONS: usize = 40;

/// What is written, so that no memory is taken for a duplicate of another.
const TEXTS: [&str; 6] = [
    "The billing job runs at noon",
    "Parcels are weighed in grams",
    "Otters sleep holding hands",
    "The gateway listens on port 8443",
    "Lighthouse keepers write logs in ink",
    "Saffron is picked before sunrise",
];

#[derive(Debug, Clone)]
enum Operation {
    Remember(usize, usize),
    Rewrite(usize, usize, u8),
    Tag(usize, usize, u8),
    Retire(usize, usize),
    Restore(usize, usize),
    Purge(usize, usize),
    /// The grace period of retired memories ends on this store.
    Collect(usize),
    /// The clock of this store goes forward or back.
    Tick(usize, i32),
    /// A store exchanges its entries with a replica, up to the given number in each direction.
    Exchange(usize, usize, usize, usize),
}

fn operation() -> impl Strategy<Value = Operation> {
    let (store, memory, replica) = (0..STORES, 0..TEXTS.len(), 0..REPLICAS);
    let on = (store.clone(), memory);
    prop_oneof![
        4 => on.clone().prop_map(|(store, text)| Operation::Remember(store, text)),
        4 => (on.clone(), any::<u8>()).prop_map(|((store, text), to)| Operation::Rewrite(store, text, to)),
        2 => (on.clone(), any::<u8>()).prop_map(|((store, text), tag)| Operation::Tag(store, text, tag)),
        2 => on.clone().prop_map(|(store, text)| Operation::Retire(store, text)),
        2 => on.clone().prop_map(|(store, text)| Operation::Restore(store, text)),
        1 => on.prop_map(|(store, text)| Operation::Purge(store, text)),
        1 => store.clone().prop_map(Operation::Collect),
        3 => (store.clone(), -100_000..100_000).prop_map(|(store, millis)| Operation::Tick(store, millis)),
        6 => (store, replica, 0_usize..6, 0_usize..6)
            .prop_map(|(store, replica, pulled, pushed)| Operation::Exchange(store, replica, pulled, pushed)),
    ]
}

/// The stores and replicas, and what was written.
struct World {
    stores: Vec<TestStore>,
    clocks: Vec<i64>,
    replicas: Vec<BTreeMap<String, Entry>>,
    purged: BTreeSet<String>,
}

impl World {
    fn new() -> Self {
        let world = Self {
            stores: (0..STORES).map(|_| TestStore::new()).collect(),
            clocks: vec![0; STORES],
            replicas: vec![BTreeMap::new(); REPLICAS],
            purged: BTreeSet::new(),
        };
        let devices: Vec<String> = (0..STORES).map(|store| world.memories(store).device().unwrap()).collect();
        for store in 0..STORES {
            let others = devices.iter().enumerate().filter(|(other, _)| *other != store);
            let others: Vec<String> = others.map(|(_, device)| device.clone()).collect();
            world.memories(store).trust(&others).unwrap();
        }
        world
    }

    fn memories(&self, store: usize) -> Memories {
        self.stores[store].after(self.clocks[store])
    }

    /// Returns the memory of a store with one of the ids of this text.
    fn find(&self, store: usize, text: usize) -> Option<Memory> {
        self.memories(store).get(&id(text)).ok()
    }

    /// Does an operation. What the write rules refuse is not done.
    fn perform(&mut self, operation: &Operation) {
        match *operation {
            Operation::Remember(store, text) => {
                let draft = crate::memory::Draft { id: Some(id(text)), ..draft(TEXTS[text]) };
                let _ = self.memories(store).remember(draft);
            }
            Operation::Rewrite(store, text, to) => {
                let text_of = |memory: &Memory| format!("{} ({to})", memory.text);
                self.patch(store, text, |memory| Patch { text: Some(text_of(memory)), ..patch() });
            }
            Operation::Tag(store, text, tag) => {
                let tags = |memory: &Memory| [memory.tags.clone(), vec![format!("t{}", tag % 4)]].concat();
                self.patch(store, text, |memory| Patch { tags: Some(tags(memory)), ..patch() });
            }
            Operation::Retire(store, text) => drop(self.memories(store).retire(&id(text), None, "old")),
            Operation::Restore(store, text) => drop(self.memories(store).restore(&id(text), None, "wanted")),
            Operation::Purge(store, text) => {
                if self.memories(store).purge(&id(text)).is_ok() {
                    self.purged.insert(id(text));
                }
            }
            Operation::Collect(store) => {
                self.clocks[store] += 40 * DAY;
                self.memories(store).apply_retention().unwrap();
                self.clocks[store] -= 40 * DAY;
            }
            Operation::Tick(store, millis) => self.clocks[store] += i64::from(millis),
            Operation::Exchange(store, replica, pulled, pushed) => {
                self.exchange(store, replica, pulled, pushed);
            }
        }
    }

    fn patch(&self, store: usize, text: usize, patch: impl FnOnce(&Memory) -> Patch) {
        if let Some(memory) = self.find(store, text) {
            let _ = self.memories(store).update(&memory.id, memory.version, patch(&memory));
        }
    }

    /// Lets a store take the first entries of a replica, and the replica the first ones of the store.
    fn exchange(&mut self, store: usize, replica: usize, pulled: usize, pushed: usize) {
        let incoming: Vec<Entry> = self.replicas[replica].values().take(pulled).cloned().collect();
        let applied = self.memories(store).apply_entries(incoming).unwrap();
        assert!(applied.refused.is_empty(), "{:?}", applied.refused);
        for logged in self.memories(store).entries_since(0, pushed).unwrap() {
            let known = self.replicas[replica].remove(&logged.entry.id);
            // As every replica does, it holds what was written and read again.
            let entry = Entry::from_json(logged.entry.to_json().unwrap()).unwrap();
            let merged = known.map_or(Ok(entry.clone()), |known| known.merge(&entry)).unwrap();
            self.replicas[replica].insert(merged.id.clone(), merged);
        }
    }

    /// Returns what a store shows, without what each store counts for itself.
    fn active(&self, store: usize) -> Vec<Memory> {
        let all = self.memories(store).list(&Filter::default(), Order::Newest, 100).unwrap();
        let mut all: Vec<Memory> =
            all.into_iter().map(|memory| Memory { version: 0, uses: 0, ..memory }).collect();
        all.sort_by(|a, b| a.id.cmp(&b.id));
        all
    }
}

fn id(text: usize) -> String {
    format!("memory-{text}")
}

fn patch() -> Patch {
    Patch::new(Origin::Assistant, "so it is")
}

#[test]
fn any_order_of_any_exchange_ends_with_the_same_memories() {
    let mut runner = TestRunner::new(config(128));
    let operations = proptest::collection::vec(operation(), 1..MAX_OPERATIONS);
    let result = runner.run(&operations, |operations| {
        let mut world = World::new();
        operations.iter().for_each(|operation| world.perform(operation));
        for _ in 0..STORES + REPLICAS {
            for (store, replica) in (0..STORES).flat_map(|store| (0..REPLICAS).map(move |at| (store, at))) {
                world.exchange(store, replica, usize::MAX, usize::MAX);
            }
        }
        let first = world.active(0);
        for store in 1..STORES {
            prop_assert_eq!(&world.active(store), &first);
        }
        for memory in &first {
            prop_assert!(!world.purged.contains(&memory.id), "{} came back", memory.id);
        }
        for store in 0..STORES {
            let before = world.memories(store).entries_since(0, usize::MAX).unwrap();
            world.exchange(store, 0, usize::MAX, usize::MAX);
            let after = world.memories(store).entries_since(0, usize::MAX).unwrap();
            prop_assert_eq!(before, after, "twice applied changes nothing");
        }
        Ok::<_, TestCaseError>(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// Returns two stores that do not know each other.
fn two() -> (TestStore, TestStore) {
    (TestStore::new(), TestStore::new())
}

/// Lets one store take all entries of another.
fn send(from: &Memories, to: &Memories) -> AppliedEntries {
    let entries = from.entries_since(0, usize::MAX).unwrap();
    to.apply_entries(entries.into_iter().map(|logged| logged.entry).collect()).unwrap()
}

#[test]
fn writes_to_different_fields_of_a_memory_are_both_kept() {
    let (one, two) = two();
    let (one, two) = (one.after(0), two.after(1_000));
    let id = one.remember(draft("The gateway listens on port 8443")).unwrap().id;
    send(&one, &two);

    let text = Some("The gateway listens on port 9443".to_owned());
    one.update(&id, 1, Patch { text, ..patch() }).unwrap();
    let origin = Origin::Shared;
    two.update(&id, 1, Patch { importance: Some(0.9), origin, ..patch() }).unwrap();
    send(&two, &one);
    send(&one, &two);

    for memory in [one.get(&id).unwrap(), two.get(&id).unwrap()] {
        assert_eq!((memory.text.as_str(), memory.importance), ("The gateway listens on port 9443", 0.9));
        let reasons: Vec<&str> = memory.changes.iter().map(|change| change.what.as_str()).collect();
        assert_eq!(reasons.len(), 3, "{reasons:?}");
    }
}

#[test]
fn a_change_of_the_history_alone_travels() {
    let (one, two) = two();
    let (one, two) = (one.after(0), two.after(0));
    let id = one.remember(draft("The gateway listens on port 8443")).unwrap().id;
    (0..20).for_each(|_| drop(one.rate(&id, crate::memory::Rating::Up).unwrap()));
    let newest = one.entries_since(0, usize::MAX).unwrap().last().unwrap().number;

    one.rate(&id, crate::memory::Rating::Up).unwrap();

    let logged = one.entries_since(newest, usize::MAX).unwrap();
    two.apply_entries(logged.into_iter().map(|logged| logged.entry).collect()).unwrap();
    assert_eq!(two.get(&id).unwrap().changes, one.get(&id).unwrap().changes);
}

#[test]
fn words_of_others_are_shared_until_their_author_is_trusted() {
    let (one, two) = two();
    let (one, two) = (one.after(0), two.after(0));
    let draft =
        crate::memory::Draft { origin: Origin::Person, confidence: 1.0, ..draft("Never push on Fridays") };
    let id = one.remember(draft).unwrap().id;

    send(&one, &two);
    assert_eq!(two.get(&id).unwrap().origin, Origin::Shared);
    two.trust(&[one.device().unwrap()]).unwrap();
    assert_eq!(two.get(&id).unwrap().origin, Origin::Person);
    two.distrust(&[one.device().unwrap()]).unwrap();
    assert_eq!(two.get(&id).unwrap().origin, Origin::Shared);
}

#[test]
fn words_that_an_unknown_device_puts_into_a_memory_of_this_one_make_it_shared() {
    let (one, two) = two();
    let (one, two) = (one.after(0), two.after(5));
    let id = one
        .remember(crate::memory::Draft { origin: Origin::Person, ..draft("Never push on Fridays") })
        .unwrap()
        .id;
    send(&one, &two);

    let text = Some("Always push on Fridays".to_owned());
    two.update(&id, 1, Patch { text, origin: Origin::Shared, ..patch() }).unwrap();
    send(&two, &one);

    let memory = one.get(&id).unwrap();
    assert_eq!((memory.text.as_str(), memory.origin), ("Always push on Fridays", Origin::Shared));
    assert_eq!(one.confirm(&id).unwrap().origin, Origin::Person);
    send(&two, &one);
    assert_eq!(one.get(&id).unwrap().origin, Origin::Person, "a confirmation stays");
}

#[test]
fn what_claims_to_be_from_this_device_is_refused() {
    let (one, two) = two();
    let (one, two) = (one.after(0), two.after(0));
    two.remember(draft("Never push on Fridays")).unwrap();
    let mut entry = two.entries_since(0, 1).unwrap().remove(0).entry;
    let EntryKind::Live(live) = &mut entry.kind else { panic!("{entry:?}") };
    live.stamps.written.device = one.device().unwrap();
    assert_eq!(one.apply_entries(vec![entry.clone()]).unwrap().refused.len(), 1, "the author is another one");
    let EntryKind::Live(live) = &mut entry.kind else { panic!("{entry:?}") };
    live.author.device = one.device().unwrap();

    let applied = one.apply_entries(vec![entry.clone()]).unwrap();

    let (refused, error) = &applied.refused[0];
    assert_eq!((refused, one.count().unwrap()), (&entry, 0));
    assert!(error.to_string().contains("this device"), "{error}");
}

#[test]
fn a_secret_that_comes_in_is_removed_and_a_broken_entry_is_named() {
    let (one, two) = two();
    let (one, two) = (one.after(0), two.after(0));
    let id = one.remember(draft("The gateway listens on port 8443")).unwrap().id;
    let entry = |text: String| {
        let mut entry = one.entries_since(0, 1).unwrap().remove(0).entry;
        let EntryKind::Live(live) = &mut entry.kind else { panic!("{entry:?}") };
        live.memory.text = text;
        entry
    };

    let broken = two.apply_entries(vec![entry("x".repeat(1 << 20))]).unwrap();
    assert_eq!((broken.refused.len(), two.count().unwrap()), (1, 0));
    let secret = format!("The token is ghp_{}", "aB3dE5gH7jK9mN1pQ3sT5vX7zB9dF1hJ3lN5");
    two.apply_entries(vec![entry(secret)]).unwrap();

    let text = two.get(&id).unwrap().text;
    assert!(text.starts_with("The token is") && !text.contains("ghp_a"), "{text}");
}

#[test]
fn the_end_of_a_memory_outlives_its_collection() {
    let (one, two) = two();
    let id = one.after(0).remember(draft("The gateway listens on port 8443")).unwrap().id;
    send(&one.after(0), &two.after(0));
    one.after(1).retire(&id, None, "moved").unwrap();

    let gone = one.after(50 * DAY);
    gone.apply_retention().unwrap();
    assert!(gone.get(&id).is_err());
    send(&two.after(0), &gone);
    assert!(gone.get(&id).is_err(), "an old copy does not bring it back");
    send(&gone, &two.after(0));

    assert_eq!(two.after(0).get(&id).unwrap().status, Status::Retired);
}

#[test]
fn a_purge_deletes_everywhere_but_only_at_the_word_of_a_trusted_device() {
    let (one, two) = two();
    let (one, two) = (one.after(0), two.after(0));
    let id = one.remember(draft("The gateway listens on port 8443")).unwrap().id;
    send(&one, &two);
    one.purge(&id).unwrap();
    assert!(one.get(&id).is_err());

    assert_eq!(send(&one, &two).refused.len(), 1);
    two.trust(&[one.device().unwrap()]).unwrap();
    assert_eq!(send(&one, &two).purged, 1);

    assert!(two.get(&id).is_err());
    send(&two, &one);
    assert!(one.get(&id).is_err());
}
