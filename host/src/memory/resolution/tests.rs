//! One test for each cell of the table, done to real memories; and what the memories say to drafts in other scripts.

use super::super::content::LifecycleEvent;
use super::super::{Category, Draft, Memories, Memory, Origin, Policy, SqliteStore, Status};
use super::table::{TABLE, look_up};
use super::{Action, Intent, Likeness, Proposal, Resolved, Structure};
use crate::clock::Clock;
use crate::database::Database;
use crate::error::ErrorKind;
use crate::redact::Redactor;
use std::sync::Arc;

const NOW: i64 = 1_800_000_000_000;
const INTENTS: [Intent; 4] = [Intent::Create, Intent::Update, Intent::Retire, Intent::Supersede];

/// What is known, the same in other words, its correction, and something else of the matter.
const KNOWN: &str = "The vendor API allows 10 requests a second, by design";
const SAME: &str = "By design, the vendor API allows 10 requests a second";
const CORRECTED: &str = "The vendor API allows 20 requests a second, by design";
const RELATED: &str = "The vendor API answers 429 beyond its requests, and bans for a minute";

fn memories() -> Memories {
    let store = SqliteStore::new(Database::in_memory().expect("a database"));
    Memories::new(Arc::new(store), Redactor::new(&[]).expect("patterns"), Clock::Fixed(NOW))
        .written_by("test")
}

fn draft(category: Category, text: &str) -> Draft {
    let title = Some("Vendor API requests".to_owned());
    Draft { title, tags: vec!["vendor".into()], ..Draft::new(category, text, Origin::Assistant) }
}

fn proposal(category: Category, text: &str, intent: Intent) -> Proposal {
    Proposal {
        draft: draft(category, text),
        intent,
        event: None,
        seen: None,
        reason: "for the test".into(),
        key: None,
    }
}

/// A store in which [`KNOWN`] is known as this category, and its id.
fn known(category: Category) -> (Memories, String) {
    let memories = memories();
    let id = memories.remember(draft(category, KNOWN)).expect("written").id;
    (memories, id)
}

fn resolve(memories: &Memories, proposal: Proposal) -> Resolved {
    memories.resolve(proposal).expect("resolved")
}

fn active(memories: &Memories) -> Vec<Memory> {
    memories.list(&Default::default(), super::super::Order::Newest, 100).expect("a list")
}

#[track_caller]
fn check(category: Category, text: &str, intent: Intent, action: Action) -> (Memories, String, Resolved) {
    let (memories, id) = known(category);
    let resolved = resolve(&memories, proposal(category, text, intent));
    assert_eq!(resolved.action, action, "{category} × {intent:?}: {}", resolved.because);
    (memories, id, resolved)
}

// Nothing is known of the matter.

#[test]
fn create_create_creates() {
    let memories = memories();
    let resolved = resolve(&memories, proposal(Category::Constraint, KNOWN, Intent::Create));

    assert_eq!(resolved.action, Action::Create);
    assert_eq!(active(&memories)[0].id, resolved.id.expect("an id"));
}

#[test]
fn create_update_and_create_supersede_create() {
    for intent in [Intent::Update, Intent::Supersede] {
        let memories = memories();
        assert_eq!(resolve(&memories, proposal(Category::Decision, KNOWN, intent)).action, Action::Create);
        assert_eq!(active(&memories).len(), 1);
    }
}

#[test]
fn create_retire_does_nothing() {
    let memories = memories();
    let resolved = resolve(&memories, proposal(Category::Constraint, KNOWN, Intent::Retire));

    assert_eq!((resolved.action, resolved.id), (Action::Nothing, None));
    assert!(active(&memories).is_empty() && resolved.because.contains("contradict"));
}

// Something is known and may be retired.

#[test]
fn update_or_retire_update_updates() {
    let (memories, id, resolved) = check(Category::Constraint, RELATED, Intent::Update, Action::Update);
    let memory = memories.get(&id).expect("there");

    assert_eq!((resolved.id.as_deref(), memory.text.as_str(), memory.version), (Some(&*id), RELATED, 2));
    assert_eq!(memory.changes[1].was["text"], KNOWN);
}

#[test]
fn update_or_retire_retire_retires() {
    let (memories, id, _) = check(Category::TechDebt, RELATED, Intent::Retire, Action::Retire);
    let memory = memories.get(&id).expect("there");

    assert_eq!((memory.status, memory.status_reason.as_deref()), (Status::Retired, Some("for the test")));
}

#[test]
fn update_or_retire_create_creates_what_is_new_and_updates_what_is_told_again() {
    let (memories, ..) = check(Category::Constraint, RELATED, Intent::Create, Action::Create);
    assert_eq!(active(&memories).len(), 2);

    let (memories, id, _) = check(Category::Constraint, SAME, Intent::Create, Action::Update);
    let memory = memories.get(&id).expect("there");
    assert_eq!((active(&memories).len(), memory.text.as_str(), memory.version), (1, KNOWN, 2));
}

#[test]
fn update_or_retire_supersede_supersedes_what_it_does_not_repeat() {
    let (memories, old, resolved) =
        check(Category::Constraint, CORRECTED, Intent::Supersede, Action::Supersede);
    let new = memories.get(resolved.id.as_deref().expect("an id")).expect("there");
    let old = memories.get(&old).expect("there");

    assert_eq!((&new.supersedes, resolved.superseded.as_ref()), (&vec![old.id.clone()], Some(&old.id)));
    assert_eq!((old.status, old.superseded_by.as_ref()), (Status::Retired, Some(&new.id)));
    assert_eq!(active(&memories), [new]);

    check(Category::Constraint, SAME, Intent::Supersede, Action::Update);
}

// Something is known and goes only with a successor.

#[test]
fn update_only_update_updates() {
    for category in [Category::Decision, Category::Preference, Category::SessionSummary] {
        check(category, RELATED, Intent::Update, Action::Update);
    }
}

#[test]
fn update_only_retire_updates() {
    for category in [Category::Decision, Category::Preference, Category::SessionSummary] {
        let (memories, id, _) = check(category, RELATED, Intent::Retire, Action::Update);
        assert_eq!(memories.get(&id).expect("there").status, Status::Active);
    }
}

#[test]
fn update_only_create_creates_what_is_new_and_updates_what_is_told_again() {
    let (memories, ..) = check(Category::Decision, RELATED, Intent::Create, Action::Create);
    assert_eq!(active(&memories).len(), 2);
    let (memories, ..) = check(Category::Decision, SAME, Intent::Create, Action::Update);
    assert_eq!(active(&memories).len(), 1);
}

#[test]
fn update_only_supersede_supersedes_what_it_does_not_repeat() {
    check(Category::Decision, CORRECTED, Intent::Supersede, Action::Supersede);
    check(Category::Decision, SAME, Intent::Supersede, Action::Update);
}

// The draft tells the end of something that is not known.

#[test]
fn nothing_with_anything_does_nothing() {
    for intent in INTENTS {
        let memories = memories();
        let event = Some(LifecycleEvent::Resolved);
        let ended = Proposal { event, ..proposal(Category::TechDebt, KNOWN, intent) };

        assert_eq!(resolve(&memories, ended).action, Action::Nothing, "{intent:?}");
        assert!(active(&memories).is_empty());
    }
}

#[test]
fn a_veto_comes_before_every_cell() {
    let category = Category::Constraint;
    for intent in INTENTS {
        let (memories, id) = known(category);
        memories.retire(&id, None, "wrong").expect("retired");
        let resolved = resolve(&memories, proposal(category, SAME, intent));
        assert_eq!(resolved.action, Action::Nothing, "{intent:?}");
        assert!(resolved.because.contains("forgotten within the last 24 hours"), "{}", resolved.because);

        let mut policy = Policy::default();
        policy.of_mut(category).enabled = false;
        let memories = known(category).0.kept_as(policy);
        for text in [SAME, CORRECTED, RELATED, "something else altogether"] {
            let resolved = resolve(&memories, proposal(category, text, intent));
            assert_eq!(resolved.action, Action::Nothing, "{intent:?}");
            assert!(resolved.because.contains("categories.constraint.enabled"), "{}", resolved.because);
        }
        assert_eq!(active(&memories).len(), 1);
    }
}

#[test]
fn every_combination_has_a_cell_and_every_cell_is_reached() {
    let structures =
        [Structure::Create, Structure::UpdateOnly, Structure::UpdateOrRetire, Structure::Nothing];
    let mut reached = std::collections::HashSet::new();
    for structure in structures {
        for intent in INTENTS {
            for likeness in [Likeness::Same, Likeness::Corrects, Likeness::Related] {
                let cell = look_up(structure, intent, likeness);
                assert_eq!((cell.structure, cell.intent), (structure, intent));
                reached.insert(std::ptr::from_ref(cell));
            }
        }
    }
    assert_eq!(reached.len(), TABLE.len());
}

#[test]
fn an_author_who_saw_another_version_is_told_which_there_is() {
    let (memories, id) = known(Category::Constraint);
    let seen = |version| Proposal {
        seen: Some((id.clone(), version)),
        ..proposal(Category::Constraint, "our account is on twenty from today", Intent::Supersede)
    };
    memories.rate(&id, super::super::Rating::Up).expect("rated");

    let error = memories.resolve(seen(1)).expect_err("outdated");
    assert_eq!(error.kind, ErrorKind::Conflict);
    assert!(error.message.contains("version 2"), "{error}");
    assert_eq!(resolve(&memories, seen(2)).action, Action::Supersede);
}

#[test]
fn the_end_of_a_debt_is_written_into_it() {
    let memories = memories();
    let content = serde_json::json!({ "description": "idempotency keys", "status": "open" });
    let text = "Idempotency keys for POST /entries wait for the v2 schema";
    let debt = Draft { content, ..Draft::new(Category::TechDebt, text, Origin::Assistant) };
    let id = memories.remember(debt).expect("written").id;
    let event = Some(LifecycleEvent::Resolved);
    let ended = Proposal {
        event,
        seen: Some((id.clone(), 1)),
        ..proposal(Category::TechDebt, "The keys are in", Intent::Retire)
    };

    assert_eq!(resolve(&memories, ended).action, Action::Retire);
    let debt = memories.get(&id).expect("there");
    assert_eq!((debt.status, &debt.content["status"]), (Status::Retired, &"resolved".into()));
}

#[test]
fn foreign_words_change_nothing_of_ours() {
    for intent in INTENTS {
        let (memories, id) = known(Category::Constraint);
        let before = memories.get(&id).expect("there");
        let mut foreign = proposal(Category::Constraint, CORRECTED, intent);
        foreign.draft.origin = Origin::ToolOutput;

        let resolved = memories.resolve(foreign).expect("resolved");
        assert!(matches!(resolved.action, Action::Create | Action::Nothing), "{intent:?}: {resolved:?}");
        assert_eq!(memories.get(&id).expect("there"), before);
    }
}

#[test]
fn what_somebody_says_themselves_stands_beside_a_tools_word() {
    let memories = memories();
    let tool = Draft { origin: Origin::ToolOutput, ..draft(Category::Constraint, KNOWN) };
    let tool = memories.remember(tool).expect("written").id;

    let resolved = resolve(&memories, proposal(Category::Constraint, SAME, Intent::Create));

    assert_eq!(resolved.action, Action::Create);
    assert_eq!(memories.get(&tool).expect("there").version, 1);
}

#[test]
fn a_change_with_a_key_is_made_once() {
    let (memories, id) = known(Category::Constraint);
    let again = || Proposal { key: Some("k".into()), ..proposal(Category::Constraint, SAME, Intent::Update) };

    resolve(&memories, again());
    resolve(&memories, again());

    assert_eq!(memories.get(&id).expect("there").version, 2);
}

#[test]
fn the_matter_is_recognised_in_every_script() {
    let scripts = [
        (
            "데이터베이스 연결 제한",
            "데이터베이스 연결 제한은 스무 개이고, 그 이상이면 대기한다",
            "연결 제한을 넘으면 데이터베이스가 거절한다",
        ),
        ("数据库连接池上限", "数据库连接池上限是二十，超过就排队", "数据库连接池满了以后返回错误"),
        (
            "Árvíztűrő mentés",
            "Az árvíztűrő mentés éjjel kettőkor fut",
            "Az árvíztűrő mentés naplója a szerveren van",
        ),
        (
            "Ограничение запросов",
            "Ограничение запросов поставщика: десять в секунду",
            "Ограничение запросов снимают по заявке поставщика",
        ),
    ];
    for (title, text, further) in scripts {
        let memories = memories();
        let drafted = |text: &str| Draft {
            title: Some(title.to_owned()),
            ..Draft::new(Category::Constraint, text, Origin::Assistant)
        };
        let id = memories.remember(drafted(text)).expect("written").id;

        let related = memories.assess(drafted(further), None).expect("assessed").candidate.expect(title);
        assert_eq!((related.memory.id, related.likeness), (id.clone(), Likeness::Related), "{title}");
        let same = memories.assess(drafted(text), None).expect("assessed").candidate.expect(title);
        assert_eq!((same.memory.id, same.likeness), (id, Likeness::Same), "{title}");
    }
}

#[test]
fn one_common_word_makes_no_candidate() {
    let (memories, _) = known(Category::Constraint);
    let other =
        Draft::new(Category::Constraint, "Every vendor invoice needs two signatures", Origin::Assistant);

    assert_eq!(memories.assess(other, None).expect("assessed").candidate, None);
}
