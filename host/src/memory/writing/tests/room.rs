use super::*;
use serde_json::json;

fn summary(number: usize, done: &[&str]) -> Draft {
    let content = json!({ "goal": format!("goal {number}"), "outcome": "success", "completed": done, "next_actions": [] });
    let text = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf"][number];
    Draft { content, ..of(Category::SessionSummary, &format!("session {text} {text}{number}")) }
}

#[test]
fn five_summaries_are_kept_and_the_oldest_makes_room() {
    let place = Place::new();
    let first = written(&place.after(0), summary(0, &[]));
    for number in 1..5 {
        assert_eq!(place.after(number as i64).remember(summary(number, &[])).expect("written").evicted, []);
    }

    let sixth = place.after(6).remember(summary(5, &[])).expect("written");

    assert_eq!(sixth.evicted[0].id, first.id);
    assert_eq!(active(&place.after(6)).len(), 5);
    let first = place.after(6).get(&first.id).expect("there");
    assert_eq!(first.status_reason.as_deref(), Some("made room: 5 of session_summary are kept"));
}

#[test]
fn what_only_the_oldest_summary_holds_is_named_and_what_any_other_memory_says_is_not() {
    let place = Place::new();
    let done = ["paced the vendor client in 100 ms slots", "moved the statements to dayjs"];
    let memories = capped(place.after(0), Category::SessionSummary, 1);
    written(&memories, summary(0, &done));
    written(&memories, of(Category::Decision, "The vendor client is paced: slots of 100 ms, no retries"));

    let second = memories.remember(summary(1, &[])).expect("written");

    assert_eq!(second.evicted[0].unique_items, [done[1]]);
    assert!(second.evicted[0].warning().contains("dayjs"));
}

#[test]
fn what_holds_until_it_is_changed_makes_no_room_and_says_what_to_do() {
    for category in [Category::Decision, Category::Preference, Category::Constraint] {
        let memories = capped(memories(), category, 1);
        let first = written(&memories, of(category, "one thing"));

        let error = refused(memories.remember(of(category, "another matter")), ErrorKind::OverBudget);

        assert!(error.hint.expect("a hint").contains(&format!("categories.{category}.max_kept")));
        assert_eq!(active(&memories), [first]);
    }
}

#[test]
fn of_what_is_about_a_moment_the_one_that_weighs_least_goes() {
    let place = Place::new();
    let at = |days: i64| capped(place.after(days * DAY), Category::Blocker, 2);
    let weighty = |text, importance| Draft { importance, ..of(Category::Blocker, text) };
    let old = written(&at(0), weighty("the staging network is down", 0.6));
    written(&at(90), weighty("waiting for the licence", 0.5));

    let third = at(90).remember(weighty("the runner has no disk left", 0.3)).expect("written");

    assert_eq!(third.evicted[0].id, old.id);
}

#[test]
fn what_comes_back_needs_room_like_anything_else() {
    let memories = memories();
    let one = written(&memories, of(Category::Decision, "one thing"));
    memories.retire(&one.id, None, "r").expect("retired");
    let memories = capped(memories, Category::Decision, 1);
    written(&memories, of(Category::Decision, "another matter"));

    refused(memories.restore(&one.id, None, "r"), ErrorKind::OverBudget);
}

#[test]
fn what_comes_or_comes_back_is_not_what_makes_room() {
    let place = Place::new();
    let at = |hour: i64| capped(place.after(hour * 3_600_000), Category::Blocker, 1);
    let strong =
        written(&at(0), Draft { importance: 0.9, ..of(Category::Blocker, "the staging network is down") });

    let weak = Draft { importance: 0.1, ..of(Category::Blocker, "waiting for the licence") };
    let weak = at(1).remember(weak).expect("written");
    assert_eq!(weak.evicted[0].id, strong.id);
    assert_eq!(at(1).get(&weak.id).expect("there").status, Status::Active);

    at(2).restore(&strong.id, None, "it is down again").expect("restored");
    at(3).restore(&weak.id, None, "still waiting").expect("restored");
    let ids: Vec<String> = active(&at(3)).into_iter().map(|memory| memory.id).collect();
    assert_eq!(ids, [weak.id]);
}

#[test]
fn a_summary_of_long_ago_that_is_imported_takes_its_place_by_its_age() {
    let memories = capped(memories(), Category::SessionSummary, 1);
    let present = written(&memories, summary(0, &[]));
    let old = r#"{"id": "old", "text": "what was done long ago", "category": "session_summary", "created_at": 1000}"#;

    memories.import(old.as_bytes(), crate::memory::ImportTrust::Untrusted).expect("imported");

    assert_eq!(active(&memories), [present]);
    assert_eq!(memories.get("old").expect("there").status, Status::Retired);
}
