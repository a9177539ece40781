use super::*;

/// A policy of so many days for blockers, and so many of grace.
fn policy(days: u64, grace: u64) -> Policy {
    let mut policy = Policy::default();
    policy.grace_days = grace;
    policy.of_mut(Category::Blocker).retention_days = days;
    policy
}

#[test]
fn what_is_beyond_its_days_is_retired_and_an_update_makes_it_young() {
    let place = Place::new();
    let at = |days: i64| place.after(days * DAY).with_policy(policy(10, 30));
    let old = written(&at(0), of(Category::Blocker, "the staging network is down"));
    let told_again = written(&at(0), of(Category::Blocker, "waiting for the licence"));
    let lasting = written(&at(0), of(Category::Decision, "Use pnpm"));
    at(8).rate(&told_again.id, Rating::Up).expect("rated");

    assert!(at(10).apply_retention().expect("done").is_empty());
    let done = at(11).apply_retention().expect("done");

    assert_eq!(done.expired, [(old.id, old.title)]);
    let ids: Vec<String> = active(&at(11)).into_iter().map(|memory| memory.id).collect();
    assert_eq!(ids.len(), 2);
    assert!(ids.contains(&lasting.id) && ids.contains(&told_again.id));
}

#[test]
fn what_was_retired_goes_after_the_grace_period_and_what_is_archived_never() {
    let place = Place::new();
    let at = |days: i64| place.after(days * DAY).with_policy(policy(0, 30));
    let forgotten = written(&at(0), draft("the first thing"));
    let put_away = written(&at(0), draft("another matter"));
    at(0).retire(&forgotten.id, None, "r").expect("retired");
    at(0).archive(&put_away.id, None, "r").expect("archived");

    assert!(at(30).preview_retention().expect("looked").is_empty());
    assert_eq!(at(31).apply_retention().expect("done").collected, [(forgotten.id.clone(), forgotten.title)]);

    refused(at(31).get(&forgotten.id), ErrorKind::NotFound);
    assert_eq!(at(9999).apply_retention().expect("done"), Default::default());
    assert_eq!(at(9999).get(&put_away.id).expect("there").status, Status::Archived);
}

#[test]
fn no_grace_at_all_is_no_way_round_the_day_of_anti_resurrection() {
    let place = Place::new();
    let at = |hours: i64| place.after(hours * 3_600_000).with_policy(policy(0, 0));
    let memory = written(&at(0), draft("Run the migrations before the tests"));
    at(0).retire(&memory.id, None, "wrong").expect("retired");

    assert!(at(23).apply_retention().expect("done").is_empty());
    refused(at(23).remember(draft("Run the migrations before tests")), ErrorKind::Conflict);
    assert_eq!(at(25).apply_retention().expect("done").collected.len(), 1);
}

#[test]
fn where_the_person_wants_it_what_was_retired_is_archived_instead() {
    let place = Place::new();
    let mut archiving = policy(0, 30);
    archiving.archive_retired = true;
    let memory = written(&place.after(0), draft("a thing"));
    place.after(0).retire(&memory.id, None, "wrong").expect("retired");

    let done = place.after(31 * DAY).with_policy(archiving).apply_retention().expect("done");

    assert_eq!(done.collected.len(), 1);
    assert_eq!(place.after(31 * DAY).get(&memory.id).expect("there").status, Status::Archived);
}

#[test]
fn what_was_collected_is_found_nowhere() {
    let place = Place::new();
    let memory = written(&place.after(0), draft("xylophone lessons"));
    place.after(0).retire(&memory.id, None, "wrong").expect("retired");
    place.after(31 * DAY).apply_retention().expect("done");
    let later = place.after(31 * DAY);
    let every = Filter { statuses: Status::ALL.to_vec(), ..Filter::default() };

    assert!(later.search_with_min_relevance(0.0, "xylophone", &every, 9).expect("searched").is_empty());
    assert_eq!(later.counts().expect("counted"), []);
    assert_eq!(written(&later, draft("xylophone lessons")).version, 1);
}
