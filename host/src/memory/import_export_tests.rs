use super::*;
use crate::clock::Clock;
use crate::database::Database;
use crate::memory::memory_id;
use crate::memory::{Category, Filter, Order, Origin, SqliteStore, Status, is_project_rule};
use crate::redact::Redactor;
use std::sync::Arc;

const NOW: i64 = 1_800_000_000_000;

fn memories() -> Memories {
    let store = SqliteStore::new(Database::in_memory().unwrap());
    Memories::new(Arc::new(store), Redactor::new(&[]).unwrap(), Clock::Fixed(NOW))
}

fn import(memories: &Memories, input: &str) -> ImportReport {
    memories.import(input.as_bytes(), ImportTrust::Untrusted, NearDuplicates::Refused)
}

#[test]
fn a_json_list_and_json_lines_are_equivalent() {
    let (one, two) =
        (r#"{"id": "s1/pnpm", "text": "Use pnpm", "extra": 1}"#, r#"{"text": "Pace the client"}"#);

    for input in [format!(" \n[{one}, {two}]"), format!("{one}\n\n{two}"), format!("{one}\r\n{two}\r\n")] {
        let memories = memories();
        let imported = import(&memories, &input);

        assert_eq!((imported.written, imported.duplicates, imported.refused.len()), (2, 0, 0), "{input}");
        assert_eq!(memories.get("s1/pnpm").unwrap().text, "Use pnpm");
    }
}

#[test]
fn ids_times_and_categories_are_kept() {
    let memories = memories();
    let first = serde_json::json!({
        "id": "a", "text": "one", "category": "Tech-Debt", "created_at": "2026-01-31T12:00:00+01:00",
        "tags": ["X"],
    });
    let others = r#"
        {"id": "b", "text": "two", "category": "decision", "created_at": 1700000000123, "importance": 0.9}
        {"id": "c", "text": "three", "created_at": "2026-01-31"}"#;
    import(&memories, &format!("{first}{others}"));

    let get = |id| memories.get(id).unwrap();
    assert_eq!((get("a").category, get("a").created_at), (Category::TechDebt, 1_769_857_200_000));
    assert_eq!(get("a").tags, ["x"]);
    assert_eq!(
        (get("b").category, get("b").created_at, get("b").importance),
        (Category::Decision, 1_700_000_000_123, 0.9)
    );
    assert_eq!((get("c").category, get("c").created_at), (Category::Learning, 1_769_817_600_000));
}

#[test]
fn an_untrusted_import_gets_the_origin_imported_and_loses_privileged_tags() {
    let memories = memories();
    let input = r#"{"id": "a", "text": "Always run this", "origin": "person", "category": "constraint",
        "importance": 1, "tags": ["cheat-sheet", "Hot  Topic ", "ci"]}"#
        .replace('\n', " ");

    let imported = import(&memories, &input);

    let memory = memories.get("a").unwrap();
    assert_eq!((imported.written, imported.untagged), (1, 1));
    assert_eq!((memory.origin, memory.tags.as_slice()), (Origin::Imported, &["ci".to_owned()][..]));
    assert!(!is_project_rule(&memory));
}

#[test]
fn an_import_of_a_person_s_own_entries_keeps_their_origins() {
    let memories = memories();
    let input = r#"[{"id": "a", "text": "mine", "tags": ["cheat-sheet"]},
        {"id": "b", "text": "learned", "origin": "assistant"},
        {"id": "c", "text": "printed", "origin": "tool_output"}]"#;

    let _ = memories.import(input.as_bytes(), ImportTrust::Own, NearDuplicates::Refused);

    let origin = |id| memories.get(id).unwrap().origin;
    assert_eq!(
        (origin("a"), origin("b"), origin("c")),
        (Origin::Person, Origin::Assistant, Origin::ToolOutput)
    );
    assert_eq!(memories.get("a").unwrap().tags, ["cheat-sheet"]);
}

#[test]
fn invalid_entries_are_reported_by_line_and_the_rest_is_imported() {
    let memories = memories();
    let lines: [&[u8]; 9] = [
        br#"{"text": "good"}"#,
        b"not json",
        br#"{"title": "no text"}"#,
        br#"{"text": "x", "category": "rule"}"#,
        br#"{"text": "x", "created_at": "yesterday"}"#,
        br#"{"text": "", "id": "a b"}"#,
        b"\xFF\xFE",
        br#"[1]"#,
        br#"{"text": "the vendor allows ten requests"}"#,
    ];

    let imported =
        memories.import(lines.join(&b'\n').as_slice(), ImportTrust::Untrusted, NearDuplicates::Refused);

    assert_eq!(imported.written, 2);
    assert_eq!(imported.refused.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(imported.refused[2].1.message, "unknown category `rule`");
    assert_eq!(imported.refused[3].1.message, "`yesterday` is not a date");
}

#[test]
fn an_id_that_a_shell_could_interpret_is_replaced_and_links_and_history_follow() {
    let memories = memories();
    let entries = serde_json::json!([
        {
            "id": "x;~/evil.sh;abcd", "text": "Ten connections are the most", "category": "constraint",
            "status": "retired", "superseded_by": "New$(reboot)", "version": 2,
            "changes": [
                { "at": 1, "what": "written", "by": "x" },
                { "at": 2, "what": "retired: superseded by New$(reboot)", "by": "x" },
            ],
        },
        {
            "id": "New$(reboot)", "text": "Twenty connections are the most", "category": "constraint",
            "supersedes": ["x;~/evil.sh;abcd"],
        },
    ])
    .to_string();

    let import = || memories.import(entries.as_bytes(), ImportTrust::Own, NearDuplicates::Refused);
    assert_eq!((import().written, import().duplicates), (2, 2));

    let (old, new) = (memories.get("x;~/evil.sh;abcd").unwrap(), memories.get("New$(reboot)").unwrap());
    for memory in [&old, &new] {
        assert!(memory_id::is_id(&memory.id) && memories.get(&memory.id).is_ok(), "{}", memory.id);
    }
    assert_eq!(
        (old.superseded_by.as_deref(), &new.supersedes),
        (Some(new.id.as_str()), &vec![old.id.clone()])
    );
    assert_eq!(old.changes[1].what, format!("retired: superseded by {}", new.id));
}

#[test]
fn a_broken_list_is_an_error_after_the_entries_before_it() {
    let report = import(&memories(), "[{\"text\": \"a\"}, {\"text\": ");

    let error = report.stopped_by.unwrap();
    assert!(error.message.starts_with("cannot parse the list"), "{}", error.message);
    assert_eq!(report.written, 1);
    assert_eq!(import(&memories(), "").written, 0);
}

#[test]
fn importing_twice_changes_nothing() {
    let memories = memories();
    let input = r#"[{"id": "a", "text": "The vendor allows ten requests"},
        {"text": "Prometheus has to be upgraded"}]"#;
    import(&memories, input);

    let again = import(&memories, input);

    assert_eq!((again.written, again.duplicates), (0, 2));
    assert_eq!(memories.count().unwrap(), 2);
}

#[test]
fn secrets_are_not_imported() {
    let memories = memories();
    let token = concat!("gh", "p_abcdefghijklmnopqrstuvwxyz0123456789");
    import(&memories, &format!(r#"{{"id": "a", "text": "token {token} works"}}"#));

    assert!(!memories.get("a").unwrap().text.contains("ghp_"));
}

#[test]
fn an_export_can_be_imported_elsewhere() {
    let memories = memories();
    import(
        &memories,
        r#"[{"id": "a", "text": "one thing", "tags": ["t"], "related_files": ["src/a.rs"]},
            {"id": "b", "text": "gone"}]"#,
    );
    memories.retire("b", None, "wrong").unwrap();
    let mut exported = Vec::new();

    let count = memories.export(&mut exported).unwrap();
    let other = self::memories();
    let _ = other.import(exported.as_slice(), ImportTrust::Own, NearDuplicates::Refused);

    assert_eq!((count, exported.iter().filter(|&&byte| byte == b'\n').count()), (2, 2));
    let (old, new) = (memories.get("a").unwrap(), other.get("a").unwrap());
    assert_eq!(
        (new.text, new.tags, new.related_files, new.created_at),
        (old.text, old.tags, old.related_files, old.created_at)
    );
    assert_eq!(other.get("b").unwrap().status, Status::Retired);
    assert_eq!(other.list(&Filter::default(), Order::Newest, 9).unwrap().len(), 1);
}

#[test]
fn an_imported_history_continues_and_keeps_the_newest_fifty_entries() {
    let source = memories();
    let id = source.remember(Draft::new(Category::Learning, "one thing", Origin::Assistant)).unwrap().id;
    (0..60).for_each(|_| drop(source.rate(&id, crate::memory::Rating::Up).unwrap()));
    let mut export = Vec::new();
    source.export(&mut export).unwrap();

    let target = memories();
    let _ = target.import(export.as_slice(), ImportTrust::Own, NearDuplicates::Refused);

    let (before, after) = (source.get(&id).unwrap(), target.get(&id).unwrap());
    assert_eq!((after.version, after.changes.len()), (62, 50));
    assert_eq!(after.changes[..49], before.changes[1..]);
    assert_eq!(after.changes[49].what, "imported");
}

#[test]
fn history_and_links_of_an_import_are_sanitized() {
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let entry = serde_json::json!({
        "id": "a", "text": "one thing", "status": "archived",
        "status_reason": format!("\u{1b}[2J{secret} {}", "x".repeat(999)),
        "supersedes": ["b", "", "c"], "superseded_by": " ",
        "changes": [{ "at": 1, "what": secret, "by": secret, "was": { "text": secret } }],
    });
    let memories = memories();

    let _ = memories.import(entry.to_string().as_bytes(), ImportTrust::Own, NearDuplicates::Refused);

    let memory = memories.get("a").unwrap();
    let reason = memory.status_reason.clone().unwrap();
    assert!(reason.chars().count() <= 300 && !reason.contains('\u{1b}'), "{reason}");
    assert_eq!((&memory.supersedes, &memory.superseded_by), (&vec!["b".to_owned(), "c".to_owned()], &None));
    assert!(!serde_json::to_string(&memory).unwrap().contains(&secret));
}

#[test]
fn an_import_does_not_activate_a_superseded_memory() {
    let memories = memories();
    let id = memories.remember(Draft::new(Category::Decision, "Use npm", Origin::Assistant)).unwrap().id;
    let mut export = Vec::new();
    memories.export(&mut export).unwrap();
    let newer = Draft::new(Category::Decision, "Use pnpm", Origin::Assistant);
    memories.supersede(&id, 1, newer, "the CI rejects npm").unwrap();
    memories.write(|step| step.delete(&id, 2)).unwrap();

    let imported = memories.import(export.as_slice(), ImportTrust::Untrusted, NearDuplicates::Refused);

    assert_eq!((imported.written, imported.refused.len()), (0, 1));
    assert!(imported.refused[0].1.message.contains("supersedes it"), "{:?}", imported.refused);
}

#[test]
fn an_entry_that_the_store_refuses_does_not_keep_the_others_out() {
    let memories = memories();
    let id = memories.remember(Draft::new(Category::Decision, "Use npm", Origin::Assistant)).unwrap().id;
    let newer = Draft::new(Category::Decision, "Use pnpm", Origin::Assistant);
    memories.supersede(&id, 1, newer, "the CI rejects npm").unwrap();
    memories.write(|step| step.delete(&id, 2)).unwrap();
    let entries = [
        r#"{"text": "the quota is ten"}"#.to_owned(),
        format!(r#"{{"id": "{id}", "text": "Use npm"}}"#),
        r#"{"text": "the lock is held by the worker"}"#.to_owned(),
    ];

    let report = import(&memories, &entries.join("\n"));

    assert_eq!((report.written, report.refused.len(), report.refused[0].0), (2, 1, 2));
    assert_eq!(memories.search("who holds the lock of the worker", &Filter::default(), 1).unwrap().len(), 1);
}

#[test]
fn more_entries_than_one_transaction_takes_are_imported() {
    let lines: Vec<String> = (0..2 * BATCH_ENTRIES + 1)
        .map(|number| format!(r#"{{"text": "host{number} is in rack{number}"}}"#))
        .collect();
    let memories = memories();

    assert_eq!(import(&memories, &lines.join("\n")).written, lines.len() as u64);
    assert_eq!(import(&memories, &lines.join("\n")).duplicates, lines.len() as u64);
}

#[test]
fn an_entry_that_says_nearly_the_same_is_refused_by_name_and_written_on_request() {
    let memories = memories();
    let text = "The production cluster keeps its backups in Frankfurt";
    let known = memories.remember(Draft::new(Category::Learning, text, Origin::Person)).unwrap().id;
    let entries = "{\"text\": \"the production cluster keeps its backups in Frankfurt!\"}\n\
                   {\"text\": \"The production cluster keeps its backup in Frankfurt\"}\n";

    let refused = memories.import(entries.as_bytes(), ImportTrust::Own, NearDuplicates::Refused);
    let forced = memories.import(entries.as_bytes(), ImportTrust::Own, NearDuplicates::Written);

    let [(2, error)] = &refused.refused[..] else { panic!("{:?}", refused.refused) };
    assert!(error.message.contains(&known) && error.full().contains("--force"), "{}", error.full());
    assert_eq!((refused.written, refused.duplicates), (0, 1));
    assert_eq!((forced.written, forced.duplicates, forced.refused.len()), (1, 1, 0));
}
