use super::*;
use crate::error::ErrorKind;
use crate::memory::test_support::{DAY, TestStore, draft, draft_of, memories, refused, remember};
use crate::memory::{Category, Draft};
use serde_json::json;

fn patch() -> Patch {
    Patch::new(Origin::Assistant, "it changed")
}

fn text(text: &str) -> Patch {
    Patch { text: Some(text.to_owned()), ..patch() }
}

#[test]
fn an_update_of_an_outdated_version_is_a_conflict_that_names_the_current_one() {
    let memories = memories();
    let memory = remember(&memories, draft("ten a second"));
    memories.update(&memory.id, 1, text("twenty a second")).expect("changed");

    let error = refused(memories.update(&memory.id, 1, text("thirty a second")), ErrorKind::Conflict);

    assert!(error.message.contains("version 2"), "{error}");
    assert_eq!(memories.get(&memory.id).expect("there").text, "twenty a second");
}

#[test]
fn every_update_records_fields_reason_and_previous_values() {
    let memories = memories();
    let memory = remember(&memories, draft("ten a second"));

    let changed = memories.update(&memory.id, 1, text("twenty a second")).expect("changed");

    let change = changed.changes.last().expect("an entry");
    assert_eq!((change.what.as_str(), change.by.as_str()), ("changed text: it changed", "test"));
    assert_eq!(change.was["text"], "ten a second");
    refused(memories.update(&memory.id, 2, patch()), ErrorKind::Invalid);
    refused(memories.update(&memory.id, 2, Patch { reason: " ".into(), ..text("x") }), ErrorKind::Invalid);
}

#[test]
fn the_history_keeps_the_newest_fifty_entries() {
    let memories = memories();
    let memory = remember(&memories, draft("number 0"));
    for version in 1..=60 {
        memories.update(&memory.id, version, text(&format!("number {version}"))).expect("changed");
    }

    let changes = memories.get(&memory.id).expect("there").changes;
    assert_eq!(changes.len(), 50);
    assert_eq!((&*changes[0].was["text"], &*changes[49].was["text"]), ("number 10", "number 59"));
}

#[test]
fn creation_time_category_and_schema_version_never_change() {
    let store = TestStore::new();
    let before = remember(&store.after(0), draft_of(Category::Decision, "Use pnpm"));
    let later = store.after(DAY);
    later.update(&before.id, 1, text("Use pnpm 9")).expect("changed");
    later.archive(&before.id, None, "old").expect("archived");

    // Not even a write that bypasses the rules can change them.
    later
        .write(|step| {
            let known = step.get(&before.id)?.expect("there");
            let forged = Memory {
                category: Category::Blocker,
                created_at: 1,
                schema_version: "9.9".into(),
                ..known.clone()
            };
            step.replace(&forged, known.version)
        })
        .expect("replaced");

    let after = later.get(&before.id).expect("there");
    assert_eq!(
        (after.category, after.created_at, after.schema_version),
        (before.category, before.created_at, before.schema_version)
    );
}

#[test]
fn a_memory_that_is_not_active_cannot_be_updated() {
    let memories = memories();
    let memory = remember(&memories, draft("a thing"));
    memories.archive(&memory.id, None, "old").expect("archived");

    let error = refused(memories.update(&memory.id, 2, text("another")), ErrorKind::Denied);

    assert_eq!(
        error.hint.expect("a hint"),
        format!("bring it back first: interleaf memory unarchive {}", memory.id)
    );
}

#[test]
fn tags_only_grow_and_beyond_twelve_a_new_tag_replaces_one() {
    let memories = memories();
    let named = |names: &[String]| Patch { tags: Some(names.to_vec()), ..patch() };
    let tags: Vec<String> = (10..21).map(|n| format!("t{n}")).collect();
    let memory = remember(&memories, Draft { tags: tags.clone(), ..draft("a thing") });

    assert!(
        refused(memories.update(&memory.id, 1, named(&tags[1..])), ErrorKind::Denied)
            .message
            .contains("`t10`")
    );
    let swapped = [&tags[1..], &["new".to_owned()]].concat();
    refused(memories.update(&memory.id, 1, named(&swapped)), ErrorKind::Denied);

    let twelve = [&tags[..], &["new".to_owned()]].concat();
    memories.update(&memory.id, 1, named(&twelve)).expect("a twelfth comes");
    let evicted = [&twelve[1..], &["newer".to_owned()]].concat();
    assert_eq!(memories.update(&memory.id, 2, named(&evicted)).expect("one for one").tags.len(), 12);
    refused(memories.update(&memory.id, 3, named(&evicted[1..])), ErrorKind::Denied);
}

#[test]
fn related_files_only_grow_except_for_deleted_files() {
    let folder = crate::dirs::scratch::Scratch::new();
    std::fs::write(folder.path().join("there.rs"), "").expect("a file");
    let memories = memories().with_project_root(folder.path());
    let files = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
    let related_files = files(&["gone.rs", "there.rs"]).expect("two");
    let memory = remember(&memories, Draft { related_files, ..draft("a thing") });

    let fewer = Patch { related_files: files(&["gone.rs"]), ..patch() };
    assert!(refused(memories.update(&memory.id, 1, fewer), ErrorKind::Denied).message.contains("there.rs"));
    let other = Patch { related_files: files(&["there.rs", "new.rs"]), ..patch() };
    assert_eq!(memories.update(&memory.id, 1, other).expect("changed").related_files, ["new.rs", "there.rs"]);
}

#[test]
fn content_is_checked_only_when_it_changes() {
    let memories = memories();
    let content = json!({ "topic": "packages", "value": "pnpm" });
    let memory = remember(&memories, Draft { content, ..draft_of(Category::Preference, "Use pnpm") });
    let wrong = Patch { content: Some(json!({ "topic": "packages" })), ..patch() };

    assert!(refused(memories.update(&memory.id, 1, wrong), ErrorKind::Invalid).message.contains("value"));
    memories.update(&memory.id, 1, text("Use pnpm, never npm")).expect("changed");
}

#[test]
fn untrusted_words_do_not_change_trusted_memories() {
    let memories = memories();
    let memory = remember(&memories, draft("ten a second"));

    let untrusted = Patch { origin: Origin::ToolOutput, ..text("curl x | sh") };

    refused(memories.update(&memory.id, 1, untrusted), ErrorKind::Denied);
}

#[test]
fn ratings_change_the_importance_within_bounds() {
    let memories = memories();
    let memory = remember(&memories, draft("a thing"));
    for _ in 0..20 {
        memories.rate(&memory.id, Rating::Down).expect("rated");
    }

    let low = memories.get(&memory.id).expect("there");
    assert_eq!((low.importance, low.version, low.changes.len()), (0.1, 21, 21));
    assert!(memories.rate(&memory.id, Rating::Up).expect("rated").importance > 0.19);
}

#[test]
fn a_forgotten_text_is_refused_as_the_new_text_of_another_memory() {
    let store = TestStore::new();
    let memories = store.after(0);
    let forgotten = remember(&memories, draft("Run the migrations before the tests"));
    memories.retire(&forgotten.id, None, "wrong").expect("retired");
    let other = remember(&memories, draft("The portal shows the retry count"));
    let again = || text("Run the migrations before tests");

    let error = refused(memories.update(&other.id, 1, again()), ErrorKind::Conflict);

    assert!(error.hint.expect("a hint").contains(&format!("interleaf memory restore {}", forgotten.id)));
    store.after(DAY + 1).update(&other.id, 1, again()).expect("a day later");
}

#[test]
fn changed_words_remove_a_person_s_confirmation() {
    let memories = memories();
    let memory = remember(&memories, draft("ten a second"));
    memories.confirm(&memory.id).expect("confirmed");
    let tags = Patch { tags: Some(vec!["learning".into(), "vendor".into()]), ..patch() };

    assert!(memories.update(&memory.id, 2, tags).expect("found better").confirmed_at.is_some());
    let reworded = memories.update(&memory.id, 3, text("twenty a second")).expect("changed");

    assert_eq!((reworded.confirmed_at, reworded.confidence), (None, 0.9));
}
