use super::*;
use serde_json::json;

#[test]
fn content_of_another_category_is_refused_with_the_fields_name() {
    let content = json!({ "decision": "pnpm", "rationale": ["CI rejects npm"], "severity": "high" });
    let error = refused(
        memories().remember(Draft { content, ..of(Category::Decision, "Use pnpm") }),
        ErrorKind::Invalid,
    );

    assert!(error.message.contains("severity"), "{error}");
}

#[test]
fn a_memory_has_one_to_twelve_tags() {
    let memories = memories();
    let bare = written(&memories, draft("The migrations run before the tests"));
    let tags = |count: usize| Draft { tags: (0..count).map(|n| format!("t{n}")).collect(), ..draft("a b c") };

    assert_eq!(bare.tags, ["learning"]);
    assert!(
        memories
            .search_with_min_relevance(0.0, "learning", &Filter::default(), 9)
            .expect("searched")
            .is_empty()
    );
    refused(memories.remember(tags(13)), ErrorKind::Invalid);
    assert_eq!(written(&memories, tags(12)).tags.len(), 12);
}

#[test]
fn only_what_a_person_says_or_confirms_is_surer_than_nine_tenths() {
    let memories = memories();
    let sure = |confidence, origin, text: &str| {
        written(&memories, Draft { confidence, origin, ..draft(text) }).confidence
    };

    assert_eq!(sure(1.0, Origin::Assistant, "the first thing"), 0.9);
    assert_eq!(sure(0.1, Origin::ToolOutput, "a second matter"), 0.7);
    assert_eq!(sure(1.0, Origin::Person, "something third"), 1.0);
    assert_eq!(sure(0.3, Origin::Person, "and number four"), 0.3);

    let memory = written(&memories, draft("what was found out"));
    let confirmed = memories.confirm(&memory.id).expect("confirmed");
    assert_eq!((confirmed.confidence, confirmed.origin), (1.0, Origin::Person));
    assert_eq!(confirmed.confirmed_at, Some(NOW));
}

#[test]
fn a_create_over_what_is_there_is_refused_whatever_its_status() {
    let memories = memories();
    let named = |text: &str| Draft { id: Some("mine".into()), ..draft(text) };
    memories.remember(named("first")).expect("written");

    assert!(refused(memories.remember(named("second")), ErrorKind::Conflict).message.contains("active"));
    memories.archive("mine", None, "old").expect("archived");
    assert!(refused(memories.remember(named("third")), ErrorKind::Conflict).message.contains("archived"));
    memories.unarchive("mine", None, "new").expect("back");
    memories.retire("mine", None, "wrong").expect("retired");
    let error = refused(memories.remember(named("fourth")), ErrorKind::Conflict);
    assert_eq!(error.hint.as_deref(), Some("bring it back: interleaf memory restore mine"));
}

#[test]
fn what_was_forgotten_does_not_come_back_within_a_day_however_it_is_told() {
    let place = Place::new();
    let text = "The vendor API allows 10 requests a second, by design";
    let memory = written(&place.after(0), of(Category::Constraint, text));
    place.after(0).retire(&memory.id, None, "wrong").expect("retired");

    let again = [
        of(Category::Constraint, text),
        of(Category::Learning, "By design, the vendor API allows 10 requests a second"),
        Draft {
            title: Some("Another title".into()),
            tags: vec!["other".into()],
            ..of(Category::Constraint, text)
        },
        Draft { id: Some("another".into()), origin: Origin::Person, ..of(Category::Constraint, text) },
    ];
    for draft in again {
        let error = refused(place.after(DAY - 1).remember(draft), ErrorKind::Conflict);
        assert!(error.hint.expect("a hint").contains(&format!("interleaf memory restore {}", memory.id)));
    }
    assert!(active(&place.after(DAY - 1)).is_empty());
    written(
        &place.after(DAY - 1),
        of(Category::Constraint, "The vendor API allows 20 requests a second, by design"),
    );
    written(&place.after(DAY + 1), of(Category::Constraint, text));
}

#[test]
fn a_restored_memory_is_the_way_back() {
    let memories = memories();
    let memory = written(&memories, draft("Run the migrations before the tests"));
    memories.retire(&memory.id, None, "wrong").expect("retired");

    let back = memories.restore(&memory.id, None, "it was right").expect("restored");

    assert_eq!((back.status, back.version, back.status_reason), (Status::Active, 3, None));
    let what: Vec<&str> = back.changes.iter().map(|change| change.what.as_str()).collect();
    assert_eq!(what, ["written", "retired: wrong", "restored: it was right"]);
}

#[test]
fn what_is_archived_is_not_written_a_second_time() {
    let memories = memories();
    let memory = written(&memories, draft("Run the migrations before the tests"));
    memories.archive(&memory.id, None, "old").expect("archived");

    let error = refused(memories.remember(draft("Run the migrations before tests")), ErrorKind::Conflict);

    assert!(error.hint.expect("a hint").contains("unarchive"));
}

#[test]
fn a_category_that_is_switched_off_takes_nothing_and_one_without_capture_nothing_of_layers() {
    let mut policy = Policy::default();
    policy.of_mut(Category::Decision).enabled = false;
    policy.of_mut(Category::Learning).auto_capture = false;
    let memories = memories().with_policy(policy);
    let mut by_layer = draft("found out by a layer");
    by_layer.source.layer = Some("save".into());

    assert!(
        refused(memories.remember(of(Category::Decision, "a")), ErrorKind::Denied)
            .message
            .contains("decision.enabled")
    );
    assert!(
        refused(memories.remember(by_layer), ErrorKind::Denied).message.contains("learning.auto_capture")
    );
    written(&memories, draft("found out by hand"));
}

#[test]
fn titles_in_every_script_have_ids_of_their_own_are_found_and_are_written_once() {
    let titles = ["배포 절차", "部署流程", "Telepítési lépések", "🚀🔥", "🚀🎉"];
    let memories = memories();
    let named = |title: &str| Draft { title: Some(title.to_owned()), ..draft(title) };
    let ids: std::collections::HashSet<String> =
        titles.iter().map(|title| written(&memories, named(title)).id).collect();

    assert_eq!(ids.len(), titles.len());
    for title in titles {
        let found = memories.search_with_min_relevance(0.0, title, &Filter::default(), 1).expect("found");
        assert_eq!(found[0].memory.title, title);
        let again = memories.remember(named(title)).expect("known");
        assert_eq!((again.outcome, &again.id), (WriteOutcome::Duplicate, &found[0].memory.id));
    }
}

#[test]
fn a_reason_has_one_to_three_hundred_characters() {
    let memories = memories();
    let memory = written(&memories, draft("a thing"));

    for reason in [String::new(), " \n".into(), "x".repeat(301)] {
        let error = refused(memories.retire(&memory.id, None, &reason), ErrorKind::Invalid);
        assert!(error.message.contains("reason"), "{error}");
    }
    memories.retire(&memory.id, None, &"ß".repeat(300)).expect("retired");
}
