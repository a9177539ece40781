//! Tests each rule of the decision table with real memories, and assessments of drafts in other scripts.

use super::super::content::LifecycleEvent;
use super::super::{Category, Draft, Memories, Memory, Origin, Policy, SqliteStore, Status};
use super::decision_table::{DECISION_TABLE, look_up};
use super::{AllowedActions, Intent, MemoryVersion, Proposal, Resolution, ResolutionAction, Similarity};
use crate::clock::Clock;
use crate::database::Database;
use crate::error::ErrorKind;
use crate::redact::Redactor;
use std::sync::Arc;

const NOW: i64 = 1_800_000_000_000;
const INTENTS: [Intent; 4] = [Intent::Create, Intent::Update, Intent::Retire, Intent::Supersede];

/// A known text, a duplicate, a correction, and another text about the same subject.
const KNOWN: &str = "The vendor API allows 10 requests a second, by design";
const DUPLICATE: &str = "By design, the vendor API allows 10 requests a second";
const CORRECTION: &str = "The vendor API allows 20 requests a second, by design";
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

/// Returns memories that hold [`KNOWN`] in this category, and its id.
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

// No memory matches.

#[test]
fn without_a_match_a_create_creates() {
    let memories = memories();
    let resolved = resolve(&memories, proposal(Category::Constraint, KNOWN, Intent::Create));

    assert_eq!(resolved.action, ResolutionAction::Created);
    assert_eq!(active(&memories)[0].id, resolved.id.expect("an id"));
}

#[test]
fn without_a_match_an_update_or_a_supersede_creates() {
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
fn without_a_match_a_retire_is_skipped() {
    let memories = memories();
    let resolved = resolve(&memories, proposal(Category::Constraint, KNOWN, Intent::Retire));

    assert_eq!((resolved.action, resolved.id), (ResolutionAction::Skipped, None));
    assert!(active(&memories).is_empty() && resolved.reason.contains("no memory to retire"));
}

// A memory matches and may be retired.

#[test]
fn with_a_match_an_update_updates() {
    let (memories, id, resolved) =
        check(Category::Constraint, RELATED, Intent::Update, ResolutionAction::Updated);
    let memory = memories.get(&id).expect("there");

    assert_eq!((resolved.id.as_deref(), memory.text.as_str(), memory.version), (Some(&*id), RELATED, 2));
    assert_eq!(memory.changes[1].was["text"], KNOWN);
}

#[test]
fn with_a_match_a_retire_retires() {
    let (memories, id, _) = check(Category::TechDebt, RELATED, Intent::Retire, ResolutionAction::Retired);
    let memory = memories.get(&id).expect("there");

    assert_eq!((memory.status, memory.status_reason.as_deref()), (Status::Retired, Some("for the test")));
}

#[test]
fn with_a_match_a_create_creates_unless_it_is_a_duplicate() {
    let (memories, ..) = check(Category::Constraint, RELATED, Intent::Create, ResolutionAction::Created);
    assert_eq!(active(&memories).len(), 2);

    let (memories, id, _) = check(Category::Constraint, DUPLICATE, Intent::Create, ResolutionAction::Updated);
    let memory = memories.get(&id).expect("there");
    assert_eq!((active(&memories).len(), memory.text.as_str(), memory.version), (1, KNOWN, 2));
}

#[test]
fn with_a_match_a_supersede_supersedes_unless_it_is_a_duplicate() {
    let (memories, old, resolved) =
        check(Category::Constraint, CORRECTION, Intent::Supersede, ResolutionAction::Superseded);
    let new = memories.get(resolved.id.as_deref().expect("an id")).expect("there");
    let old = memories.get(&old).expect("there");

    assert_eq!((&new.supersedes, resolved.superseded.as_ref()), (&vec![old.id.clone()], Some(&old.id)));
    assert_eq!((old.status, old.superseded_by.as_ref()), (Status::Retired, Some(&new.id)));
    assert_eq!(active(&memories), [new]);

    check(Category::Constraint, DUPLICATE, Intent::Supersede, ResolutionAction::Updated);
}

// A memory matches and needs a successor.

#[test]
fn with_a_match_that_needs_a_successor_an_update_updates() {
    for category in [Category::Decision, Category::Preference, Category::SessionSummary] {
        check(category, RELATED, Intent::Update, ResolutionAction::Updated);
    }
}

#[test]
fn with_a_match_that_needs_a_successor_a_retire_updates() {
    for category in [Category::Decision, Category::Preference, Category::SessionSummary] {
        let (memories, id, _) = check(category, RELATED, Intent::Retire, ResolutionAction::Updated);
        assert_eq!(memories.get(&id).expect("there").status, Status::Active);
    }
}

#[test]
fn with_a_match_that_needs_a_successor_a_create_creates_unless_it_is_a_duplicate() {
    let (memories, ..) = check(Category::Decision, RELATED, Intent::Create, ResolutionAction::Created);
    assert_eq!(active(&memories).len(), 2);
    let (memories, ..) = check(Category::Decision, DUPLICATE, Intent::Create, ResolutionAction::Updated);
    assert_eq!(active(&memories).len(), 1);
}

#[test]
fn with_a_match_that_needs_a_successor_a_supersede_supersedes_unless_it_is_a_duplicate() {
    check(Category::Decision, CORRECTION, Intent::Supersede, ResolutionAction::Superseded);
    check(Category::Decision, DUPLICATE, Intent::Supersede, ResolutionAction::Updated);
}

// The draft ends something that no memory mentions.

#[test]
fn a_draft_that_ends_something_unknown_is_skipped() {
    for intent in INTENTS {
        let memories = memories();
        let event = Some(LifecycleEvent::Resolved);
        let ended = Proposal { event, ..proposal(Category::TechDebt, KNOWN, intent) };

        assert_eq!(resolve(&memories, ended).action, ResolutionAction::Skipped, "{intent:?}");
        assert!(active(&memories).is_empty());
    }
}

#[test]
fn a_veto_comes_before_every_rule() {
    let category = Category::Constraint;
    for intent in INTENTS {
        let (memories, id) = known(category);
        memories.retire(&id, None, "wrong").expect("retired");
        let resolved = resolve(&memories, proposal(category, DUPLICATE, intent));
        assert_eq!(resolved.action, ResolutionAction::Skipped, "{intent:?}");
        assert!(resolved.reason.contains("forgotten within the last 24 hours"), "{}", resolved.reason);

        let mut policy = Policy::default();
        policy.of_mut(category).enabled = false;
        let memories = known(category).0.with_policy(policy);
        for text in [DUPLICATE, CORRECTION, RELATED, "something else altogether"] {
            let resolved = resolve(&memories, proposal(category, text, intent));
            assert_eq!(resolved.action, ResolutionAction::Skipped, "{intent:?}");
            assert!(resolved.reason.contains("categories.constraint.enabled"), "{}", resolved.reason);
        }
        assert_eq!(active(&memories).len(), 1);
    }
}

#[test]
fn every_combination_has_a_rule_and_every_rule_is_reached() {
    let allowed_actions = [
        AllowedActions::CreateOnly,
        AllowedActions::AnyExceptRetire,
        AllowedActions::Any,
        AllowedActions::NoAction,
    ];
    let mut reached = std::collections::HashSet::new();
    for allowed in allowed_actions {
        for intent in INTENTS {
            for similarity in [Similarity::Duplicate, Similarity::Correction, Similarity::Related] {
                let rule = look_up(allowed, intent, similarity);
                assert_eq!((rule.allowed, rule.intent), (allowed, intent));
                reached.insert(std::ptr::from_ref(rule));
            }
        }
    }
    assert_eq!(reached.len(), DECISION_TABLE.len());
}

#[test]
fn an_outdated_target_is_a_conflict_that_names_the_current_version() {
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
fn retiring_a_debt_sets_its_status() {
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
fn untrusted_words_change_no_trusted_memory() {
    for intent in INTENTS {
        let (memories, id) = known(Category::Constraint);
        let before = memories.get(&id).expect("there");
        let mut untrusted = proposal(Category::Constraint, CORRECTION, intent);
        untrusted.draft.origin = Origin::ToolOutput;

        let resolved = memories.resolve(untrusted).expect("resolved");
        assert!(
            matches!(resolved.action, ResolutionAction::Created | ResolutionAction::Skipped),
            "{intent:?}: {resolved:?}"
        );
        assert_eq!(memories.get(&id).expect("there"), before);
    }
}

#[test]
fn a_person_s_draft_does_not_become_an_update_of_a_tool_s_words() {
    let memories = memories();
    let tool = Draft { origin: Origin::ToolOutput, ..draft(Category::Constraint, KNOWN) };
    let tool = memories.remember(tool).expect("written").id;

    let resolved = resolve(&memories, proposal(Category::Constraint, DUPLICATE, Intent::Create));

    assert_eq!(resolved.action, ResolutionAction::Created);
    assert_eq!(memories.get(&tool).expect("there").version, 1);
}

#[test]
fn a_change_with_a_key_is_made_once() {
    let (memories, id) = known(Category::Constraint);
    let again =
        || Proposal { key: Some("k".into()), ..proposal(Category::Constraint, DUPLICATE, Intent::Update) };

    resolve(&memories, again());
    resolve(&memories, again());

    assert_eq!(memories.get(&id).expect("there").version, 2);
}

#[test]
fn a_related_memory_is_found_in_every_script() {
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
fn one_shared_term_is_not_enough_for_a_candidate() {
    let (memories, _) = known(Category::Constraint);
    let other =
        Draft::new(Category::Constraint, "Every vendor invoice needs two signatures", Origin::Assistant);

    assert_eq!(memories.assess(other, None).expect("assessed").candidate, None);
}

#[test]
fn what_is_said_again_on_another_branch_or_confirmed_holds_on_every_one() {
    let on = |branch: &str| {
        let mut draft = draft(Category::Constraint, KNOWN);
        draft.source.branch = Some(branch.to_owned());
        draft
    };
    let memories = memories();
    memories.remember(on("feature")).expect("written");
    let again = |branch: &str| {
        let again = Proposal { draft: on(branch), ..proposal(Category::Constraint, KNOWN, Intent::Update) };
        resolve(&memories, again);
        active(&memories)[0].source.branch.clone()
    };

    assert_eq!(again("feature").as_deref(), Some("feature"));
    assert_eq!(again("main"), None);

    let (others, confirmed) = (self::memories(), on("feature"));
    let id = others.remember(confirmed).expect("written").id;
    assert_eq!(others.confirm(&id).expect("confirmed").source.branch, None);
}
