//! One test for each cell of the table, done to real memories; and what the memories say to drafts in other scripts.

use super::super::content::LifecycleEvent;
use super::super::{Category, Draft, Memories, Memory, Origin, Policy, SqliteStore, Status};
use super::table::{TABLE, look_up};
use super::{AllowedActions, Intent, MemoryVersion, Proposal, Resolution, ResolutionAction, Similarity};
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
        .with_actor("test")
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
        target: None,
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

fn resolve(memories: &Memories, proposal: Proposal) -> Resolution {
    memories.resolve(proposal).expect("resolved")
}

fn active(memories: &Memories) -> Vec<Memory> {
    memories.list(&Default::default(), super::super::Order::Newest, 100).expect("a list")
}

#[track_caller]
fn check(
    category: Category,
    text: &str,
    intent: Intent,
    action: ResolutionAction,
) -> (Memories, String, Resolution) {
    let (memories, id) = known(category);
    let resolved = resolve(&memories, proposal(category, text, intent));
    assert_eq!(resolved.action, action, "{category} × {intent:?}: {}", resolved.reason);
    (memories, id, resolved)
}

// Nothing is known of the matter.

#[test]
fn create_create_creates() {
    let memories = memories();
    let resolved = resolve(&memories, proposal(Category::Constraint, KNOWN, Intent::Create));

    assert_eq!(resolved.action, ResolutionAction::Created);
    assert_eq!(active(&memories)[0].id, resolved.id.expect("an id"));
}

#[test]
fn create_update_and_create_supersede_create() {
    for intent in [Intent::Update, Intent::Supersede] {
        let memories = memories();
        assert_eq!(
            resolve(&memories, proposal(Category::Decision, KNOWN, intent)).action,
            ResolutionAction::Created
        );
        assert_eq!(active(&memories).len(), 1);
    }
}

#[test]
fn create_retire_does_nothing() {
    let memories = memories();
    let resolved = resolve(&memories, proposal(Category::Constraint, KNOWN, Intent::Retire));

    assert_eq!((resolved.action, resolved.id), (ResolutionAction::Skipped, None));
    assert!(active(&memories).is_empty() && resolved.reason.contains("contradict"));
}

// Something is known and may be retired.

#[test]
fn update_or_retire_update_updates() {
    let (memories, id, resolved) =
        check(Category::Constraint, RELATED, Intent::Update, ResolutionAction::Updated);
    let memory = memories.get(&id).expect("there");

    assert_eq!((resolved.id.as_deref(), memory.text.as_str(), memory.version), (Some(&*id), RELATED, 2));
    assert_eq!(memory.changes[1].was["text"], KNOWN);
}

#[test]
fn update_or_retire_retire_retires() {
    let (memories, id, _) = check(Category::TechDebt, RELATED, Intent::Retire, ResolutionAction::Retired);
    let memory = memories.get(&id).expect("there");

    assert_eq!((memory.status, memory.status_reason.as_deref()), (Status::Retired, Some("for the test")));
}

#[test]
fn update_or_retire_create_creates_what_is_new_and_updates_what_is_told_again() {
    let (memories, ..) = check(Category::Constraint, RELATED, Intent::Create, ResolutionAction::Created);
    assert_eq!(active(&memories).len(), 2);

    let (memories, id, _) = check(Category::Constraint, SAME, Intent::Create, ResolutionAction::Updated);
    let memory = memories.get(&id).expect("there");
    assert_eq!((active(&memories).len(), memory.text.as_str(), memory.version), (1, KNOWN, 2));
}

#[test]
fn update_or_retire_supersede_supersedes_what_it_does_not_repeat() {
    let (memories, old, resolved) =
        check(Category::Constraint, CORRECTED, Intent::Supersede, ResolutionAction::Superseded);
    let new = memories.get(resolved.id.as_deref().expect("an id")).expect("there");
    let old = memories.get(&old).expect("there");

    assert_eq!((&new.supersedes, resolved.superseded.as_ref()), (&vec![old.id.clone()], Some(&old.id)));
    assert_eq!((old.status, old.superseded_by.as_ref()), (Status::Retired, Some(&new.id)));
    assert_eq!(active(&memories), [new]);

    check(Category::Constraint, SAME, Intent::Supersede, ResolutionAction::Updated);
}

// Something is known and goes only with a successor.

#[test]
fn update_only_update_updates() {
    for category in [Category::Decision, Category::Preference, Category::SessionSummary] {
        check(category, RELATED, Intent::Update, ResolutionAction::Updated);
    }
}

#[test]
fn update_only_retire_updates() {
    for category in [Category::Decision, Category::Preference, Category::SessionSummary] {
        let (memories, id, _) = check(category, RELATED, Intent::Retire, ResolutionAction::Updated);
        assert_eq!(memories.get(&id).expect("there").status, Status::Active);
    }
}

#[test]
fn update_only_create_creates_what_is_new_and_updates_what_is_told_again() {
    let (memories, ..) = check(Category::Decision, RELATED, Intent::Create, ResolutionAction::Created);
    assert_eq!(active(&memories).len(), 2);
    let (memories, ..) = check(Category::Decision, SAME, Intent::Create, ResolutionAction::Updated);
    assert_eq!(active(&memories).len(), 1);
}

#[test]
fn update_only_supersede_supersedes_what_it_does_not_repeat() {
    check(Category::Decision, CORRECTED, Intent::Supersede, ResolutionAction::Superseded);
    check(Category::Decision, SAME, Intent::Supersede, ResolutionAction::Updated);
}

// The draft tells the end of something that is not known.

#[test]
fn nothing_with_anything_does_nothing() {
    for intent in INTENTS {
        let memories = memories();
        let event = Some(LifecycleEvent::Resolved);
        let ended = Proposal { event, ..proposal(Category::TechDebt, KNOWN, intent) };

        assert_eq!(resolve(&memories, ended).action, ResolutionAction::Skipped, "{intent:?}");
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
        assert_eq!(resolved.action, ResolutionAction::Skipped, "{intent:?}");
        assert!(resolved.reason.contains("forgotten within the last 24 hours"), "{}", resolved.reason);

        let mut policy = Policy::default();
        policy.of_mut(category).enabled = false;
        let memories = known(category).0.with_policy(policy);
        for text in [SAME, CORRECTED, RELATED, "something else altogether"] {
            let resolved = resolve(&memories, proposal(category, text, intent));
            assert_eq!(resolved.action, ResolutionAction::Skipped, "{intent:?}");
            assert!(resolved.reason.contains("categories.constraint.enabled"), "{}", resolved.reason);
        }
        assert_eq!(active(&memories).len(), 1);
    }
}

#[test]
fn every_combination_has_a_cell_and_every_cell_is_reached() {
    let structures = [
        AllowedActions::CreateOnly,
        AllowedActions::AnyExceptRetire,
        AllowedActions::Any,
        AllowedActions::NoAction,
    ];
    let mut reached = std::collections::HashSet::new();
    for allowed in structures {
        for intent in INTENTS {
            for similarity in [Similarity::Duplicate, Similarity::Correction, Similarity::Related] {
                let cell = look_up(allowed, intent, similarity);
                assert_eq!((cell.allowed, cell.intent), (allowed, intent));
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
        target: Some(MemoryVersion { id: id.clone(), version }),
        ..proposal(Category::Constraint, "our account is on twenty from today", Intent::Supersede)
    };
    memories.rate(&id, super::super::Rating::Up).expect("rated");

    let error = memories.resolve(seen(1)).expect_err("outdated");
    assert_eq!(error.kind, ErrorKind::Conflict);
    assert!(error.message.contains("version 2"), "{error}");
    assert_eq!(resolve(&memories, seen(2)).action, ResolutionAction::Superseded);
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
        target: Some(MemoryVersion { id: id.clone(), version: 1 }),
        ..proposal(Category::TechDebt, "The keys are in", Intent::Retire)
    };

    assert_eq!(resolve(&memories, ended).action, ResolutionAction::Retired);
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
        assert!(
            matches!(resolved.action, ResolutionAction::Created | ResolutionAction::Skipped),
            "{intent:?}: {resolved:?}"
        );
        assert_eq!(memories.get(&id).expect("there"), before);
    }
}

#[test]
fn what_somebody_says_themselves_stands_beside_a_tools_word() {
    let memories = memories();
    let tool = Draft { origin: Origin::ToolOutput, ..draft(Category::Constraint, KNOWN) };
    let tool = memories.remember(tool).expect("written").id;

    let resolved = resolve(&memories, proposal(Category::Constraint, SAME, Intent::Create));

    assert_eq!(resolved.action, ResolutionAction::Created);
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
        assert_eq!((related.memory.id, related.similarity), (id.clone(), Similarity::Related), "{title}");
        let same = memories.assess(drafted(text), None).expect("assessed").candidate.expect(title);
        assert_eq!((same.memory.id, same.similarity), (id, Similarity::Duplicate), "{title}");
    }
}

#[test]
fn one_common_word_makes_no_candidate() {
    let (memories, _) = known(Category::Constraint);
    let other =
        Draft::new(Category::Constraint, "Every vendor invoice needs two signatures", Origin::Assistant);

    assert_eq!(memories.assess(other, None).expect("assessed").candidate, None);
}
