//! Tests of the write rules, and of reading stored memories.

use super::*;
use crate::clock::Clock;
use crate::database::Database;
use crate::dirs::scratch::Scratch;
use crate::error::ErrorKind;
use crate::redact::Redactor;
use serde_json::json;
use std::sync::Arc;

const NOW: i64 = 1_700_000_000_000;

fn memories_in(database: Database) -> Memories {
    let store = Arc::new(SqliteStore::new(database));
    Memories::new(store, Redactor::new(&[]).unwrap(), Clock::Fixed(NOW)).with_actor("test")
}

fn memories() -> Memories {
    memories_in(Database::in_memory().unwrap())
}

fn draft(text: &str) -> Draft {
    Draft::new(Category::Learning, text, Origin::Assistant)
}

fn remember(memories: &Memories, draft: Draft) -> Memory {
    let written = memories.remember(draft).unwrap();
    assert_eq!(written.outcome, WriteOutcome::Created);
    memories.get(&written.id).unwrap()
}

#[test]
fn a_written_memory_is_read_back_complete() {
    let memories = memories();
    let full = Draft {
        title: Some("Retries".into()),
        content: json!({"decision": "a table", "rationale": ["two people", "no broker"]}),
        tags: vec!["Notifier ".into(), "design choice".into(), "notifier".into(), "  ".into()],
        related_files: vec!["services/notifier/poller.js".into()],
        confidence: 0.9,
        importance: 7.0,
        source: Source { branch: Some("main".into()), ..Source::default() },
        created_at: Some(NOW - 5),
        ..Draft::new(Category::Decision, "  Retries live in a table.\r\nNo broker.  ", Origin::Person)
    };

    let memory = remember(&memories, full);

    assert_eq!(memory.title, "Retries");
    assert_eq!(memory.text, "Retries live in a table.\nNo broker.");
    assert_eq!(memory.content, json!({"decision": "a table", "rationale": ["two people", "no broker"]}));
    assert_eq!(memory.tags, ["design-choice", "notifier"]);
    assert_eq!((memory.confidence, memory.importance), (0.9, 1.0));
    assert_eq!((memory.created_at, memory.updated_at, memory.version, memory.uses), (NOW - 5, NOW, 1, 0));
    assert_eq!((memory.status, memory.origin), (Status::Active, Origin::Person));
    assert_eq!(memory.source.branch.as_deref(), Some("main"));
    let author = Some(memories.write(|tx| tx.own_author()).unwrap());
    assert_eq!(
        memory.changes,
        [Change { at: NOW, what: "written".into(), by: "test".into(), author, ..Change::default() }]
    );
    assert_eq!(memory.id.len(), 10);
}

#[test]
fn reading_creates_no_database() {
    let scratch = Scratch::new();
    let memories = memories_in(Database::at(scratch.path().join("data/interleaf.db")));

    assert_eq!(memories.search("which package manager", &Filter::default(), 5).unwrap(), []);
    assert_eq!(memories.list(&Filter::default(), Order::Newest, 5).unwrap(), []);
    assert_eq!(memories.count().unwrap(), 0);
    assert_eq!(memories.get("abcdef").unwrap_err().kind, ErrorKind::NotFound);
    memories.record_uses(&[]).unwrap();

    assert!(!scratch.path().join("data").exists());
}

#[test]
fn no_secret_is_stored_in_any_field() {
    let memories = memories();
    let secret = concat!("gh", "p_abcdefghijklmnopqrstuvwxyz0123456789");
    let hidden = "gh\u{70}_abcdefghij\u{200B}klmnopqrstuvwxyz0123456789";
    let memory = remember(
        &memories,
        Draft {
            title: Some(format!("token {secret}")),
            content: json!({
                "trigger": "a push", "steps": [format!("export GH_TOKEN={secret}")], "verification": "ok",
            }),
            tags: vec![secret.into()],
            related_files: vec!["/home/dev/ledger/.env".into()],
            ..Draft::new(Category::Runbook, format!("the token is {hidden}"), Origin::Assistant)
        },
    );

    let memory = memories.retire(&memory.id, None, &format!("{secret} leaked")).unwrap();

    let kept = serde_json::to_string(&memory).unwrap();
    assert!(!kept.contains("ghp_") && !kept.contains("/home/dev"), "{kept}");
    assert!(memory.text.contains("[SECRET:"), "{}", memory.text);
}

#[test]
fn a_missing_title_is_the_first_sentence() {
    let memories = memories();
    let title = |text: &str| remember(&memories, draft(text)).title;

    assert_eq!(title("Use pnpm. Npm breaks the lockfile."), "Use pnpm");
    assert_eq!(title("Pace calls, e.g. by a slot per 100 ms\nmore"), "Pace calls, e.g. by a slot per 100 ms");
    assert_eq!(title("Version 1.5 is out!"), "Version 1.5 is out!");
    assert_eq!(title("使用缓存。第二句"), "使用缓存");
    let long = title(&"quite a long sentence about nothing ".repeat(9));
    assert!(long.chars().count() <= 120 && long.ends_with("quite a…"), "{long}");
}

#[test]
fn a_field_beyond_its_limit_is_refused_with_the_limit() {
    let memories = memories();
    let refused = |draft: Draft| memories.remember(draft).unwrap_err();
    let long = |n| Some("x".repeat(n));

    assert_eq!(refused(draft(" \n ")).message, "the memory has no text");
    assert_eq!(refused(draft(&"x".repeat(8193))).message, "the text has 8193 bytes; the maximum is 8192");
    assert!(refused(Draft { title: long(121), ..draft("a") }).message.contains("121 characters"));
    assert!(
        refused(Draft { tags: (0..13).map(|n| format!("t{n}")).collect(), ..draft("a") })
            .message
            .contains("13")
    );
    assert_eq!(
        refused(Draft { content: json!([1]), ..draft("a") }).message,
        "the content is not a JSON object"
    );
    assert!(
        refused(Draft { content: json!({"a": "b".repeat(20_000)}), ..draft("a") }).message.contains("16384")
    );
    assert_eq!(
        refused(Draft { confidence: f32::NAN, ..draft("a") }).message,
        "the confidence is not a number"
    );
    assert!(
        refused(Draft { id: Some("a b".into()), ..draft("a") }).message.contains("`a b` is not a valid id")
    );
    assert!(refused(Draft { id: long(81), ..draft("a") }).hint.unwrap().contains("1 to 80"));
    assert_eq!(memories.count().unwrap(), 0);
}

#[test]
fn invisible_characters_are_removed() {
    let text = "pnpm\u{0} only\u{202E}\u{1b}[31m\u{E0041}\u{FEFF}";
    let memory = remember(&memories(), Draft { title: Some("one\ntwo\u{7}".into()), ..draft(text) });

    assert_eq!((memory.title.as_str(), memory.text.as_str()), ("one two", "pnpm only[31m"));
}

#[test]
fn a_creation_time_in_the_future_becomes_now() {
    assert_eq!(remember(&memories(), Draft { created_at: Some(NOW * 2), ..draft("a b") }).created_at, NOW);
}

#[test]
fn a_duplicate_is_not_written() {
    let memories = memories();
    let first = remember(&memories, draft("The migrations run before the tests"));

    let again = memories.remember(draft("Migrations are run before a test!")).unwrap();

    assert_eq!(again, WriteResult { id: first.id, outcome: WriteOutcome::Duplicate, evicted: Vec::new() });
    assert_eq!(memories.count().unwrap(), 1);
}

#[test]
fn a_correction_and_a_negation_are_written() {
    let memories = memories();
    remember(&memories, draft("The vendor API allows 10 requests a second"));
    remember(&memories, draft("The vendor API allows 20 requests a second"));
    remember(&memories, draft("The vendor API never allows 20 requests a second"));

    assert_eq!(memories.count().unwrap(), 3);
}

#[test]
fn a_tool_s_words_do_not_make_a_person_s_redundant() {
    let memories = memories();
    let rule = |origin| Draft::new(Category::Constraint, "Deploys go through the release branch", origin);

    remember(&memories, rule(Origin::ToolOutput));
    remember(&memories, rule(Origin::Person));

    assert_eq!(memories.remember(rule(Origin::ToolOutput)).unwrap().outcome, WriteOutcome::Duplicate);
}

#[test]
fn a_durable_memory_makes_a_note_redundant_but_not_the_reverse() {
    let memories = memories();
    let rule = |category| Draft::new(category, "Deploys go through the release branch", Origin::Person);
    remember(&memories, rule(Category::Learning));

    remember(&memories, rule(Category::Constraint));

    assert_eq!(memories.remember(rule(Category::Context)).unwrap().outcome, WriteOutcome::Duplicate);
}

#[test]
fn tool_output_and_imports_carry_no_privileged_tag() {
    let memories = memories();
    for origin in [Origin::ToolOutput, Origin::Imported] {
        for tag in ["cheat-sheet", "Hot-Topic ", "hot topic"] {
            let tagged =
                Draft { tags: vec![tag.into()], ..Draft::new(Category::Learning, "run this", origin) };
            let error = memories.remember(tagged).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Denied, "{origin} {tag}");
        }
        let rule =
            remember(&memories, Draft::new(Category::Constraint, format!("a rule by {origin}"), origin));
        assert!(!is_project_rule(&rule));
    }
    assert!(is_project_rule(&remember(
        &memories,
        Draft::new(Category::Preference, "spaces, not tabs", Origin::Person)
    )));
    assert!(!is_project_rule(&remember(
        &memories,
        Draft::new(Category::Learning, "it is slow", Origin::Person)
    )));
}

#[test]
fn a_privileged_tag_cannot_be_added_by_an_update_either() {
    let memories = memories();
    let memory = remember(&memories, Draft::new(Category::Learning, "from a log", Origin::ToolOutput));

    let patch = Patch { tags: Some(vec!["cheat-sheet".into()]), ..Patch::new(Origin::Person, "it changed") };

    assert_eq!(memories.update(&memory.id, 1, patch).unwrap_err().kind, ErrorKind::Denied);
}

#[test]
fn untrusted_words_cannot_change_a_person_s_memory() {
    let memories = memories();
    let rule = remember(&memories, Draft::new(Category::Preference, "Use pnpm", Origin::Person));
    let patch = |origin| Patch { text: Some("Use npm".into()), ..Patch::new(origin, "it changed") };

    let denied = memories.update(&rule.id, 1, patch(Origin::ToolOutput)).unwrap_err();
    let changed = memories.update(&rule.id, 1, patch(Origin::Assistant)).unwrap();

    assert_eq!(denied.kind, ErrorKind::Denied);
    assert_eq!(denied.message, "a tool's output cannot change what a person said");
    assert_eq!(changed.origin, Origin::Assistant);
}

#[test]
fn an_update_keeps_other_fields_and_extends_the_history() {
    let memories = memories();
    let old = remember(
        &memories,
        Draft { tags: vec!["vendor".into()], ..draft("The limit is 10 a second. Says Gunther.") },
    );

    let patch = Patch {
        text: Some("The limit is 20 a second".into()),
        ..Patch::new(Origin::Assistant, "the vendor called")
    };
    let new = memories.with_actor("save").update(&old.id, old.version, patch).unwrap();

    assert_eq!(new, memories.get(&old.id).unwrap());
    assert_eq!((new.version, new.tags.as_slice()), (2, &["vendor".to_owned()][..]));
    assert_eq!(new.title, "The limit is 20 a second");
    let last = new.changes.last().unwrap();
    assert_eq!((last.what.as_str(), last.by.as_str()), ("changed text: the vendor called", "save"));
    assert_eq!(memories.search("gunther", &Filter::default(), 1).unwrap(), []);
}

#[test]
fn an_explicit_title_is_kept() {
    let memories = memories();
    let old = remember(&memories, Draft { title: Some("Vendor limit".into()), ..draft("10 a second") });

    let patch = Patch { text: Some("20 a second".into()), ..Patch::new(Origin::Assistant, "it changed") };

    assert_eq!(memories.update(&old.id, 1, patch).unwrap().title, "Vendor limit");
}

#[test]
fn an_outdated_version_is_a_conflict_that_names_the_current_one() {
    let memories = memories();
    let memory = remember(&memories, draft("one two three"));
    let patch = |text: &str| Patch { text: Some(text.into()), ..Patch::new(Origin::Assistant, "it changed") };
    memories.update(&memory.id, 1, patch("four five six")).unwrap();

    let error = memories.update(&memory.id, 1, patch("seven eight nine")).unwrap_err();

    assert_eq!(error.kind, ErrorKind::Conflict);
    assert_eq!(error.message, format!("memory `{}` is at version 2, not 1", memory.id));
    assert_eq!(memories.retire(&memory.id, Some(1), "old").unwrap_err().kind, ErrorKind::Conflict);
    assert_eq!(memories.update(&memory.id, 3, patch("a guess")).unwrap_err().kind, ErrorKind::Conflict);
    assert_eq!(memories.get(&memory.id).unwrap().text, "four five six");
}

#[test]
fn the_history_keeps_the_newest_fifty_entries() {
    let memories = memories();
    let memory = remember(&memories, draft("a text"));
    for version in 1..=60 {
        let patch = Patch {
            importance: Some(0.1),
            reason: version.to_string(),
            ..Patch::new(Origin::Assistant, "it changed")
        };
        memories.update(&memory.id, version, patch).unwrap();
    }

    let changes = memories.get(&memory.id).unwrap().changes;

    assert_eq!(changes.len(), 50);
    assert_eq!(changes[0].what, "changed importance: 11");
    assert_eq!(changes[49].what, "changed importance: 60");
}

#[test]
fn retiring_keeps_the_record_and_hides_it() {
    let memories = memories();
    let memory = remember(&memories, draft("Prometheus has to be upgraded"));

    let retired = memories.retire(&memory.id, None, "done  today\n").unwrap();

    assert_eq!((retired.status, retired.version), (Status::Retired, 2));
    assert_eq!(retired.changes[1].what, "retired: done today");
    assert_eq!(memories.search("prometheus upgraded", &Filter::default(), 5).unwrap(), []);
    assert_eq!(memories.list(&Filter::default(), Order::Newest, 5).unwrap(), []);
    assert_eq!(memories.count().unwrap(), 0);
    assert_eq!(memories.get(&memory.id).unwrap(), retired);
    assert_eq!(memories.retire(&memory.id, None, "again").unwrap(), retired);
    let patch = Patch { importance: Some(1.0), ..Patch::new(Origin::Person, "it changed") };
    assert_eq!(memories.update(&memory.id, 2, patch).unwrap_err().kind, ErrorKind::Denied);
}

#[test]
fn a_memory_is_found_by_an_unambiguous_prefix_of_its_id() {
    let memories = memories();
    let with_id = |id: &str, text: &str| remember(&memories, Draft { id: Some(id.into()), ..draft(text) });
    with_id("abcd1111", "first thing");
    with_id("abcd2222", "another matter");
    with_id("s1_pnpm-x", "package manager");

    assert_eq!(memories.get("abcd1").unwrap().id, "abcd1111");
    assert_eq!(memories.get("s1_p").unwrap().id, "s1_pnpm-x");
    assert_eq!(memories.get("abc").unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(memories.get("____").unwrap_err().kind, ErrorKind::NotFound);
    let several = memories.get("abcd").unwrap_err();
    assert_eq!(several.message, "`abcd` is ambiguous:\n  abcd1111  first thing\n  abcd2222  another matter");
}

#[test]
fn a_memory_of_an_old_store_with_another_id_is_read_and_changed() {
    let memories = memories();
    let old = remember(&memories, draft("first thing"));
    let old = Memory { id: "x;~/evil.sh".into(), text: "another matter".into(), ..old };
    memories.write(|tx| tx.insert(&old)).unwrap();

    assert_eq!(memories.get("x;~/").unwrap().text, "another matter");
    assert_eq!(memories.retire("x;~/evil.sh", None, "it is wrong").unwrap().status, Status::Retired);
    let again = memories.remember(draft("another matter")).unwrap_err();
    assert!(again.hint.unwrap().ends_with("interleaf memory restore 'x;~/evil.sh'"));
}

#[test]
fn an_id_is_unique() {
    let memories = memories();
    remember(&memories, Draft { id: Some("mine".into()), ..draft("first thing") });

    let error = memories.remember(Draft { id: Some("mine".into()), ..draft("another matter") }).unwrap_err();

    assert_eq!(error.kind, ErrorKind::Conflict);
}

#[test]
fn counting_a_use_does_not_change_the_version() {
    let memories = memories();
    let memory = remember(&memories, draft("a text"));
    memories.record_uses(&[memory.id.clone(), "unknown".into()]).unwrap();
    memories.record_uses(std::slice::from_ref(&memory.id)).unwrap();

    let patch = Patch { importance: Some(0.1), ..Patch::new(Origin::Assistant, "it changed") };
    let changed = memories.update(&memory.id, 1, patch).unwrap();

    assert_eq!(memories.get(&memory.id).unwrap().uses, 2);
    assert_eq!(changed.version, 2);
}

#[test]
fn sixteen_concurrent_writers_lose_nothing() {
    let scratch = Scratch::new();
    let path = scratch.path().join("data/interleaf.db");

    std::thread::scope(|scope| {
        for writer in 0..16 {
            let memories = memories_in(Database::at(&path));
            scope.spawn(move || {
                for n in 0..200 {
                    memories.remember(draft(&format!("writer{writer} wrote entry{n}"))).unwrap();
                }
            });
        }
    });

    let memories = memories_in(Database::at(&path));
    assert_eq!(memories.count().unwrap(), 3_200);
    let hits = memories.search_with_min_relevance(0.0, "writer7 entry99", &Filter::default(), 1).unwrap();
    assert_eq!(hits[0].memory.text, "writer7 wrote entry99");
}

#[test]
fn concurrent_writes_of_one_text_create_one_memory() {
    let scratch = Scratch::new();
    let path = scratch.path().join("interleaf.db");

    std::thread::scope(|scope| {
        for _ in 0..8 {
            let memories = memories_in(Database::at(&path));
            scope.spawn(move || memories.remember(draft("the vendor allows twenty requests")).unwrap());
        }
    });

    assert_eq!(memories_in(Database::at(&path)).count().unwrap(), 1);
}

#[test]
fn concurrent_retirements_do_not_fail() {
    let scratch = Scratch::new();
    let path = scratch.path().join("interleaf.db");
    let memory = remember(&memories_in(Database::at(&path)), draft("a text"));

    std::thread::scope(|scope| {
        for _ in 0..8 {
            let memories = memories_in(Database::at(&path));
            let id = memory.id.clone();
            scope.spawn(move || memories.retire(&id, None, "done").unwrap());
        }
    });

    assert_eq!(memories_in(Database::at(&path)).get(&memory.id).unwrap().version, 2);
}
