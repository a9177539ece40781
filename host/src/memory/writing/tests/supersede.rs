use super::*;
use serde_json::json;

const OLD: &str = "The vendor API allows 10 requests a second";
const NEW: &str = "The vendor API allows 20 requests a second";

fn known() -> (Memories, Memory) {
    let memories = memories();
    let content = json!({ "rule": "10 a second", "impact": ["pace the client"], "active": true });
    let old = written(&memories, Draft { content, ..of(Category::Constraint, OLD) });
    (memories, old)
}

#[test]
fn the_new_one_and_the_old_one_name_each_other_and_the_old_one_is_no_longer_current() {
    let (memories, old) = known();

    let new = memories
        .supersede(&old.id, 1, of(Category::Constraint, NEW), "the vendor raised it")
        .expect("written");

    let (new, old) = (memories.get(&new.id).expect("there"), memories.get(&old.id).expect("there"));
    assert_eq!((&new.supersedes, &old.superseded_by), (&vec![old.id.clone()], &Some(new.id.clone())));
    assert_eq!((old.status, &old.content["active"]), (Status::Retired, &json!(false)));
    assert_eq!(active(&memories), [new]);
    let found = memories.search_with_min_relevance(0.0, OLD, &Filter::default(), 9).expect("searched");
    assert_eq!(found.len(), 1);
}

#[test]
fn what_was_superseded_comes_back_only_after_its_successor_is_gone() {
    let (memories, old) = known();
    let new = memories.supersede(&old.id, 1, of(Category::Constraint, NEW), "raised").expect("written");

    assert!(refused(memories.restore(&old.id, None, "r"), ErrorKind::Conflict).message.contains(&new.id));
    memories.retire(&new.id, None, "a mistake").expect("retired");
    let old = memories.restore(&old.id, None, "r").expect("restored");
    assert_eq!((old.superseded_by, &old.content["active"]), (None, &json!(true)));
}

#[test]
fn where_another_says_it_already_that_one_takes_the_place() {
    let (memories, old) = known();
    let standing = written(&memories, of(Category::Constraint, NEW));

    let result = memories.supersede(&old.id, 1, of(Category::Constraint, NEW), "raised").expect("taken over");

    assert_eq!((result.outcome, &result.id), (WriteOutcome::Duplicate, &standing.id));
    let standing = memories.get(&standing.id).expect("there");
    assert_eq!((standing.supersedes, active(&memories).len()), (vec![old.id], 1));
}

#[test]
fn a_successor_fits_where_the_category_is_full() {
    let (memories, old) = known();
    let memories = capped(memories, Category::Constraint, 1);

    memories.supersede(&old.id, 1, of(Category::Constraint, NEW), "raised").expect("written");

    assert_eq!(active(&memories).len(), 1);
}

#[test]
fn a_successor_of_another_version_or_of_foreign_words_changes_nothing() {
    let (memories, old) = known();
    let foreign = Draft { origin: Origin::Imported, ..of(Category::Constraint, NEW) };

    refused(memories.supersede(&old.id, 7, of(Category::Constraint, NEW), "r"), ErrorKind::Conflict);
    refused(memories.supersede(&old.id, 1, foreign, "r"), ErrorKind::Denied);
    assert_eq!(active(&memories), [old]);
}

#[test]
fn a_successor_comes_back_only_after_what_it_replaced_is_gone_again() {
    let (memories, old) = known();
    let new = memories.supersede(&old.id, 1, of(Category::Constraint, NEW), "raised").expect("written");
    memories.retire(&new.id, None, "a mistake").expect("retired");
    memories.restore(&old.id, None, "it was right").expect("restored");

    assert!(refused(memories.restore(&new.id, None, "r"), ErrorKind::Conflict).message.contains(&old.id));

    memories.retire(&old.id, None, "wrong after all").expect("retired");
    memories.restore(&new.id, None, "r").expect("restored");
    assert!(refused(memories.restore(&old.id, None, "r"), ErrorKind::Conflict).message.contains(&new.id));
}

#[test]
fn what_was_superseded_twice_over_comes_back_only_after_the_last_is_gone() {
    let (memories, old) = known();
    let newer = "The vendor API allows 40 requests a second";
    let new = memories.supersede(&old.id, 1, of(Category::Constraint, NEW), "raised").expect("written");
    let last =
        memories.supersede(&new.id, 1, of(Category::Constraint, newer), "raised again").expect("written");

    assert!(refused(memories.restore(&old.id, None, "r"), ErrorKind::Conflict).message.contains(&last.id));
}
