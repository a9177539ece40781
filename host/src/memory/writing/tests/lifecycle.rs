use super::*;

type Act = fn(&Memories, &str) -> Result<Memory, Error>;

const ACTS: [(&str, Act); 4] = [
    ("retire", |memories, id| memories.retire(id, None, "r")),
    ("archive", |memories, id| memories.archive(id, None, "r")),
    ("unarchive", |memories, id| memories.unarchive(id, None, "r")),
    ("restore", |memories, id| memories.restore(id, None, "r")),
];

/// A memory in this status.
fn in_status(status: Status) -> (Memories, String) {
    let memories = memories();
    let id = written(&memories, draft("a thing")).id;
    match status {
        Status::Active => {}
        Status::Retired => drop(memories.retire(&id, None, "r").expect("retired")),
        Status::Archived => drop(memories.archive(&id, None, "r").expect("archived")),
    }
    (memories, id)
}

#[test]
fn the_four_actions_lead_where_the_picture_says_and_nowhere_else() {
    use Status::{Active, Archived, Retired};
    let led = [
        ("retire", [Some(Retired), Some(Retired), None]),
        ("archive", [Some(Archived), None, Some(Archived)]),
        ("unarchive", [Some(Active), None, Some(Active)]),
        ("restore", [Some(Active), Some(Active), None]),
    ];
    for ((name, act), (row, ends)) in ACTS.into_iter().zip(led) {
        assert_eq!(name, row);
        for (status, end) in [Active, Retired, Archived].into_iter().zip(ends) {
            let (memories, id) = in_status(status);
            match (act(&memories, &id), end) {
                (Ok(memory), Some(end)) => assert_eq!(memory.status, end, "{name} from {status}"),
                (Err(error), None) => assert_eq!(error.kind, ErrorKind::Denied, "{name} from {status}"),
                (result, _) => panic!("{name} from {status}: {result:?}"),
            }
        }
    }
}

#[test]
fn an_action_that_changes_nothing_leaves_no_entry() {
    let (memories, id) = in_status(Status::Retired);
    let before = memories.get(&id).expect("there");

    assert_eq!(memories.retire(&id, None, "again").expect("as it was"), before);
}

#[test]
fn since_when_and_why_is_known() {
    let place = Place::new();
    let memory = written(&place.after(0), draft("a thing"));

    let retired = place.after(DAY).retire(&memory.id, None, "no longer so").expect("retired");

    assert_eq!((retired.status_since, retired.status_reason.as_deref()), (NOW + DAY, Some("no longer so")));
}

#[test]
fn what_comes_back_does_not_stand_beside_what_says_the_same_by_now() {
    let place = Place::new();
    let memory = written(&place.after(0), draft("Run the migrations before the tests"));
    place.after(0).retire(&memory.id, None, "wrong").expect("retired");
    let newer = written(&place.after(2 * DAY), draft("Run the migrations before tests"));

    let error = refused(place.after(2 * DAY).restore(&memory.id, None, "r"), ErrorKind::Conflict);

    assert!(error.message.contains(&newer.id), "{error}");
}

#[test]
fn an_action_of_a_version_that_is_past_is_a_conflict() {
    let (memories, id) = in_status(Status::Active);
    memories.rate(&id, Rating::Up).expect("rated");

    refused(memories.archive(&id, Some(1), "r"), ErrorKind::Conflict);
    memories.archive(&id, Some(2), "r").expect("archived");
}

#[test]
fn what_is_not_active_is_neither_listed_nor_found_nor_confirmed_nor_rated() {
    for status in [Status::Retired, Status::Archived] {
        let (memories, id) = in_status(status);
        assert!(active(&memories).is_empty());
        assert!(
            memories
                .search_with_min_relevance(0.0, "a thing", &Filter::default(), 9)
                .expect("searched")
                .is_empty()
        );
        refused(memories.confirm(&id), ErrorKind::Denied);
        refused(memories.rate(&id, Rating::Up), ErrorKind::Denied);
    }
}
