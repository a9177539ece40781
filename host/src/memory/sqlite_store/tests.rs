//! Tests of search and lists.

use super::*;
use crate::clock::Clock;
use crate::memory::{Category, Draft, Memories, Origin, Patch, Source, Status};
use crate::redact::Redactor;
use std::collections::BTreeSet;
use std::sync::Arc;

const NOW: i64 = 1_700_000_000_000;

fn memories() -> Memories {
    let store = SqliteStore::new(Database::in_memory().unwrap());
    Memories::new(Arc::new(store), Redactor::new(&[]).unwrap(), Clock::Fixed(NOW))
}

fn draft(text: &str) -> Draft {
    Draft::new(Category::Learning, text, Origin::Person)
}

/// Returns a store of these texts with the ids 1, 2, 3, …, each newer than the one before.
fn store_of(texts: &[&str]) -> Memories {
    let memories = memories();
    for (place, text) in texts.iter().enumerate() {
        let id = Some((place + 1).to_string());
        memories.remember(Draft { id, created_at: Some(NOW - 1000 + place as i64), ..draft(text) }).unwrap();
    }
    memories
}

/// Returns the ids of the memories that a hook finds, best first.
fn found(memories: &Memories, query: &str) -> Vec<String> {
    found_with(memories, query, &Filter::default())
}

fn found_with(memories: &Memories, query: &str, filter: &Filter) -> Vec<String> {
    memories.search(query, filter, 5).unwrap().into_iter().map(|hit| hit.memory.id).collect()
}

/// Returns the ids of all memories that share a word with the query, the best first.
fn matching(memories: &Memories, query: &str) -> Vec<String> {
    let hits = memories.search_with_min_relevance(0.0, query, &Filter::default(), 5).unwrap();
    hits.into_iter().map(|hit| hit.memory.id).collect()
}

const NOTHING: [&str; 0] = [];

#[test]
fn the_only_memory_of_a_store_is_found_by_its_subject() {
    let memories = store_of(&["Use pnpm, never npm, as package manager"]);

    let hits = memories.search("Which package manager do we use here?", &Filter::default(), 3).unwrap();

    assert_eq!(hits.len(), 1);
    assert!(hits[0].relevance > 0.9, "{}", hits[0].relevance);
}

#[test]
fn two_common_words_find_nothing_even_in_a_store_of_one() {
    for (memory, prompt) in [
        ("Use pnpm, never npm, as package manager", "please use another name here"),
        ("Run the tests with cargo xtask test", "run the test again"),
        ("Run the tests with cargo xtask test", "can you run this and look whether the test is still red"),
        ("The office in Porto has a slow line", "what a slow line of work"),
        ("Texte immer per Du, nie per Sie", "schreib bitte eine kurze Seite mit Text"),
        ("Change the file before the next step", "could you change that file"),
    ] {
        assert_eq!(found(&store_of(&[memory]), prompt), NOTHING, "{prompt}");
    }
}

#[test]
fn one_shared_word_of_several_finds_nothing() {
    let memories = store_of(&["The portal is owned by the web team"]);

    assert_eq!(
        found(&memories, "show the retry counter in the header of the portal, below the avatar"),
        NOTHING
    );
}

#[test]
fn common_words_in_a_prompt_do_not_hide_its_subject() {
    let memories =
        store_of(&["Prometheus must be upgraded before the metrics task", "Retries live in a table"]);

    assert_eq!(
        found(&memories, "ok so prometheus is upgraded now, what was it that was waiting for that?"),
        ["1"]
    );
}

#[test]
fn a_memory_is_found_by_its_cues_and_is_no_duplicate_because_of_them() {
    let memories = store_of(&["The vendor takes ten requests a second", "Retries live in a table"]);
    let cues = ["wie oft dürfen wir den Lieferanten abfragen", "why do we get code 429"];
    let with_cues = Draft {
        id: Some("3".into()),
        asked_as: cues.map(str::to_owned).to_vec(),
        ..draft("Pace what goes to the supplier of prices")
    };
    memories.remember(with_cues.clone()).unwrap();

    assert_eq!(found(&memories, "Wie oft dürfen wir bei dem Lieferanten abfragen?"), ["3"]);
    assert_eq!(memories.get("3").unwrap().asked_as, [cues[1], cues[0]]);
    let text = "Wie oft dürfen wir den Lieferanten abfragen, why do we get code 429";
    assert!(memories.write(|transaction| transaction.similar(text, 0)).unwrap().is_empty());

    let patch = Patch { asked_as: Some(Vec::new()), ..Patch::new(Origin::Person, "nobody asks so") };
    memories.update("3", 1, patch).unwrap();
    assert_eq!(matching(&memories, "Lieferanten"), NOTHING);
}

#[test]
fn results_are_sorted_by_relevance_then_by_age() {
    let memories = store_of(&[
        "The webhook poller sleeps",
        "A gateway between the webhook, its poller and two retries",
        "Webhook, poller: see above",
    ]);

    assert_eq!(matching(&memories, "webhook poller gateway"), ["2", "3", "1"]);
    assert_eq!(matching(&memories, "webhook poller"), ["3", "1", "2"], "of equal ones the shortest");
}

#[test]
fn a_search_is_deterministic() {
    let memories = store_of(&["vendor quota", "vendor quota one", "quota of the vendor"]);
    let first = found(&memories, "vendor quota");

    assert!((0..20).all(|_| found(&memories, "vendor quota") == first));
}

#[test]
fn every_text_of_a_memory_is_searchable() {
    let memories = memories();
    let full = Draft {
        id: Some("full".into()),
        title: Some("Bananas".into()),
        content: serde_json::json!({
            "decision": "a table", "rationale": ["two people"],
            "alternatives": [{"option": "rabbitmq", "rejected_reason": "needs operators"}],
        }),
        tags: vec!["change:add-webhook-retries".into()],
        related_files: vec!["services/notifier/poller.js".into()],
        category: Category::Decision,
        ..draft("Apples")
    };
    memories.remember(full).unwrap();

    for query in [
        "banana",
        "apple",
        "rabbitmq",
        "add-webhook-retries",
        "notifier poller",
        "services/notifier/poller.js",
    ] {
        assert_eq!(matching(&memories, query), ["full"], "{query}");
    }
    assert_eq!(matching(&memories, "rejected_reason alternatives"), NOTHING);
}

#[test]
fn search_works_in_every_language_and_script() {
    let memories = store_of(&[
        "Übersetzungen müssen vor dem Deployment geprüft werden",
        "数据库连接池上限是二十",
        "配信サーバーのタイムアウトは三十秒",
        "데이터베이스 마이그레이션은 배포 전에",
        "Миграции запускаются перед тестами",
    ]);

    assert_eq!(found(&memories, "wer prüft die Übersetzung fürs Deployment?"), ["1"]);
    assert_eq!(found(&memories, "数据库连接池现在是多少？"), ["2"]);
    assert_eq!(found(&memories, "配信サーバーのタイムアウトを教えて"), ["3"]);
    assert_eq!(found(&memories, "데이터베이스 마이그레이션 언제 해?"), ["4"]);
    assert_eq!(found(&memories, "Миграции запускаются"), ["5"]);
    assert_eq!(found(&memories, "你好，今天天气怎么样"), NOTHING);
}

#[test]
fn no_operator_in_a_query_is_interpreted() {
    let memories = store_of(&["The vendor quota is ten", "NEAR misses AND other things"]);

    for query in [
        "\"vendor\" quota",
        "vendor* quota*",
        "NEAR(vendor quota, 2)",
        "vendor AND quota",
        "vendor\0quota",
        "terms: vendor + quota",
        "'; DROP TABLE memories; -- vendor quota",
        "(vendor (quota",
        "{vendor quota}",
        "^vendor -quota",
        "vendor \u{FFFD} quota \u{10FFFF}",
    ] {
        assert_eq!(found(&memories, query), ["1"], "{query:?}");
    }
    assert_eq!(memories.count().unwrap(), 2);
}

#[test]
fn a_query_without_words_finds_nothing() {
    let memories = store_of(&["The vendor quota is ten"]);

    for query in ["", " \n\t", "\0", "\"", "*", "()", "the and of", "🙂", "---", "?!"] {
        assert_eq!(found(&memories, query), NOTHING, "{query:?}");
        assert_eq!(memories.search_with_min_relevance(0.0, query, &Filter::default(), 5).unwrap(), []);
    }
    assert_eq!(memories.search("vendor quota", &Filter::default(), 0).unwrap(), []);
}

#[test]
fn a_query_of_any_length_is_fast() {
    let memories = store_of(&["The vendor quota is ten"]);
    let start = std::time::Instant::now();

    let noise = "lorem ipsum dolor ".repeat(600_000);
    assert_eq!(found(&memories, &noise), NOTHING);
    assert_eq!(found(&memories, &"vendorquota".repeat(1_000_000)), NOTHING);
    assert_eq!(found(&memories, &format!("vendor quota {noise}")), ["1"]);
    assert_eq!(found(&memories, &format!("{noise} vendor quota")), ["1"]);

    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
}

#[test]
fn the_longest_text_can_be_stored_and_compared() {
    let memories = memories();
    let text: String = (0..1_500).map(|n| format!("{n:x}y ")).collect::<String>();
    let long = draft(text.trim());
    memories.remember(long.clone()).unwrap();

    let again = memories.remember(Draft { text: text.to_uppercase(), ..long }).unwrap();

    assert_eq!(again.outcome, crate::memory::WriteOutcome::Duplicate);
}

/// Checks that a search for the required terms finds as many memories as a search for all terms.
#[test]
fn an_identical_text_is_found_among_any_number_of_similar_ones() {
    let memories = memories();
    let text = "Every request to billing goes through the gateway";
    let of_service = |number| {
        format!("Every request to service{number} goes through the gateway of region{}", number % 50)
    };
    memories
        .write(|transaction| {
            for text in [text.to_owned()].into_iter().chain((0..5_000).map(of_service)) {
                transaction.insert(&memories.memory_from_draft(draft(&text), "test")?)?;
            }
            Ok(())
        })
        .unwrap();

    let similar = |text: &str| memories.write(|transaction| transaction.similar(text, 0)).unwrap();

    assert_eq!(similar(text)[0].text, text);
    assert_eq!(similar("every request to billing, goes through the GATEWAY.")[0].text, text);
    assert_eq!(similar(&of_service(4_999))[0].text, of_service(4_999));
    assert!(similar("nothing of it is known").is_empty());
}

#[test]
fn an_identical_text_is_found_although_each_of_its_words_is_in_a_thousand_others() {
    let word = |place: usize, number: usize| {
        let words = ["amber", "bronze", "cobalt", "denim"][(number >> (2 * place)) % 4];
        format!("{words}{place}")
    };
    let text = |number| (0..6).map(|place| word(place, number)).collect::<Vec<_>>().join(" ");
    let memories = memories();
    memories
        .write(|transaction| {
            for number in 0..4_096 {
                transaction.insert(&memories.memory_from_draft(draft(&text(number)), "test")?)?;
            }
            Ok(())
        })
        .unwrap();

    for number in [0, 1, 2_000, 4_095] {
        let similar = memories.write(|transaction| transaction.similar(&text(number), 0)).unwrap();
        assert_eq!(similar[0].text, text(number));
    }
}

#[test]
fn a_minimum_leaves_out_only_what_is_below_it() {
    let mut seed = 7_u64;
    let mut word = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // Squaring makes low numbers common, as words are.
        let rank = ((seed >> 33) as f64 / f64::from(1_u32 << 31)).powi(2) * 120.0;
        format!("word{}x", rank as u32)
    };
    let mut text = |words: usize| (0..words).map(|_| word()).collect::<Vec<_>>().join(" ");
    let memories = memories();
    for _ in 0..150 {
        memories.remember(draft(&text(8))).unwrap();
    }

    let mut hits = 0;
    for words in (1..12).cycle().take(200) {
        let query = text(words);
        let mut all = memories.search_with_min_relevance(0.0, &query, &Filter::default(), 200).unwrap();
        all.retain(|hit| hit.relevance >= 0.15);
        let found = memories.search_with_min_relevance(0.15, &query, &Filter::default(), 200).unwrap();
        assert_eq!(found, all, "{query}");
        hits += all.len();
    }
    assert!(hits > 20, "{hits}");
}

#[test]
fn without_a_minimum_every_shared_word_is_a_hit() {
    let memories = store_of(&["The portal is owned by the web team", "Run the test"]);
    let query = "show the retry counter in the header of the portal and run it";

    let hits = memories.search_with_min_relevance(0.0, query, &Filter::default(), 5).unwrap();

    assert_eq!(hits.iter().map(|hit| hit.memory.id.as_str()).collect::<Vec<_>>(), ["1", "2"]);
    assert!(hits.iter().all(|hit| hit.relevance < 0.4));
}

#[test]
fn a_filter_applies_to_search_and_list_alike() {
    let memories = memories();
    let remember = |id: &str, draft: Draft| {
        memories
            .remember(Draft { id: Some(id.into()), text: format!("vendor quota {id}"), ..draft })
            .unwrap();
    };
    let on = |branch: &str| Source { branch: Some(branch.into()), ..Source::default() };
    remember("plain", Draft { created_at: Some(NOW - 100), ..draft("") });
    remember("rule", Draft { category: Category::Constraint, created_at: Some(NOW - 90), ..draft("") });
    remember("tagged", Draft { tags: vec!["a".into(), "b".into()], created_at: Some(NOW - 80), ..draft("") });
    remember("tool", Draft { origin: Origin::ToolOutput, created_at: Some(NOW - 70), ..draft("") });
    let spelled = vec!["ABC-123".into(), "rate limit".into()];
    remember("main", Draft { source: on("main"), tags: spelled, created_at: Some(NOW - 60), ..draft("") });
    remember("topic", Draft { source: on("topic"), created_at: Some(NOW - 50), ..draft("") });
    remember("gone", draft(""));
    memories.retire("gone", None, "wrong").unwrap();

    let all = Filter::default;
    let tags = |tags: &[&str]| tags.iter().map(ToString::to_string).collect::<Vec<_>>();
    let ids = |ids: &[&str]| ids.iter().map(ToString::to_string).collect();
    for (filter, expected) in [
        (all(), &["topic", "main", "tool", "tagged", "rule", "plain"][..]),
        (Filter { categories: vec![Category::Constraint, Category::Decision], ..all() }, &["rule"]),
        (Filter { tags: tags(&["a"]), ..all() }, &["tagged"]),
        (Filter { tags: tags(&["a", "b"]), ..all() }, &["tagged"]),
        (Filter { tags: tags(&["a", "c"]), ..all() }, &[]),
        (Filter { tags: tags(&[" ABC-123", "Rate  Limit"]), ..all() }, &["main"]),
        (Filter { branches: vec!["main".into()], ..all() }, &["main", "tool", "tagged", "rule", "plain"]),
        (Filter { since: Some(NOW - 70), ..all() }, &["topic", "main", "tool"]),
        (Filter { origins: vec![Origin::ToolOutput], ..all() }, &["tool"]),
        (Filter { statuses: vec![Status::Retired], ..all() }, &["gone"]),
        (Filter { statuses: vec![], ..all() }, &[]),
        (
            Filter { excluded_ids: ids(&["topic", "main", "plain", "no'such"]), ..all() },
            &["tool", "tagged", "rule"],
        ),
    ] {
        let hits = memories.search_with_min_relevance(0.0, "vendor quota", &filter, 9).unwrap();
        let hits: BTreeSet<_> = hits.iter().map(|hit| hit.memory.id.as_str()).collect();
        let listed = memories.list(&filter, Order::Newest, 9).unwrap();
        let listed: Vec<_> = listed.iter().map(|memory| memory.id.as_str()).collect();
        assert_eq!(listed.as_slice(), expected, "{filter:?}");
        assert_eq!(hits, expected.iter().copied().collect(), "{filter:?}");
    }
}

#[test]
fn a_list_is_ordered_across_categories() {
    let memories = memories();
    let remember = |id: &str, category, importance, age| {
        let draft = Draft { id: Some(id.into()), importance, created_at: Some(NOW - age), ..draft(id) };
        memories.remember(Draft { category, ..draft }).unwrap();
    };
    remember("alpha", Category::Decision, 0.9, 30);
    remember("bravo", Category::Constraint, 0.9, 20);
    remember("charlie", Category::Learning, 1.0, 10);
    remember("delta", Category::Preference, 0.2, 0);
    let durable = vec![Category::Decision, Category::Preference, Category::Constraint];
    let list = |filter: Filter, order, limit| -> Vec<String> {
        memories.list(&filter, order, limit).unwrap().into_iter().map(|memory| memory.id).collect()
    };

    let rules = list(Filter { categories: durable, ..Filter::default() }, Order::Importance, 2);

    assert_eq!(rules, ["bravo", "alpha"]);
    assert_eq!(list(Filter::default(), Order::Importance, 9), ["charlie", "bravo", "alpha", "delta"]);
    assert_eq!(list(Filter::default(), Order::Newest, 3), ["delta", "charlie", "bravo"]);
}

#[test]
fn a_list_uses_an_index() {
    let memories = Database::in_memory().unwrap();
    let plan = |sql: &str| {
        let explained = memories.read(|connection| {
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
            let lines = statement.query_map([], |row| row.get::<_, String>(3))?;
            Ok(lines.collect::<rusqlite::Result<Vec<_>>>()?.join("; "))
        });
        explained.unwrap().unwrap()
    };
    let within = "FROM memories WHERE TRUE AND status = 'active' AND category = 'decision'";

    let newest = plan(&format!(
        "SELECT 0.0, created_at, number {within} ORDER BY created_at DESC, number DESC LIMIT 5"
    ));
    let important = plan(&format!(
        "SELECT importance, created_at, number {within}
         ORDER BY importance DESC, created_at DESC, number DESC LIMIT 5"
    ));

    assert!(newest.contains("COVERING INDEX memories_by_age") && !newest.contains("TEMP"), "{newest}");
    assert!(
        important.contains("COVERING INDEX memories_by_importance") && !important.contains("TEMP"),
        "{important}"
    );
}

#[test]
fn the_index_follows_an_update() {
    let memories = store_of(&["The vendor quota is ten"]);
    let patch = crate::memory::Patch {
        text: Some("Gateways close early".into()),
        ..crate::memory::Patch::new(Origin::Person, "it changed")
    };
    memories.update("1", 1, patch).unwrap();

    assert_eq!(found(&memories, "vendor quota"), NOTHING);
    assert_eq!(found(&memories, "gateways close"), ["1"]);
}

#[test]
fn a_damaged_column_is_named_in_the_error() {
    let database = Database::in_memory().unwrap();
    let store = Arc::new(SqliteStore::new(database.clone()));
    let memories = Memories::new(store, Redactor::new(&[]).unwrap(), Clock::Fixed(NOW));
    memories.remember(Draft { id: Some("broken".into()), ..draft("a text") }).unwrap();
    database.write(|t| Ok(t.execute("UPDATE memories SET tags = '[oops'", [])?)).unwrap();

    let error = memories.get("broken").unwrap_err();

    assert!(error.message.starts_with("cannot read the column `tags` of a memory"), "{}", error.message);
}

#[test]
fn memories_that_name_a_file_are_found_with_related_files_first() {
    let memories = memories();
    let remember = |id: &str, text: &str, files: &[&str], importance| {
        let related_files = files.iter().map(ToString::to_string).collect();
        memories.remember(Draft { id: Some(id.into()), related_files, importance, ..draft(text) }).unwrap();
    };
    remember("text", "Amounts in `src/billing/pay.rs` are cents", &[], 0.9);
    remember("related", "Rounding is half to even", &["src/billing/pay.rs"], 0.2);
    remember("other", "The pay.rs of src, in billing, is old", &["src/billing/pay.rs.bak"], 0.9);
    remember("gone", "Never touch this", &["src/billing/pay.rs"], 0.9);
    memories.retire("gone", None, "wrong").unwrap();

    let about = |files: &[&str], filter: &Filter, limit| -> Vec<String> {
        let files: Vec<String> = files.iter().map(ToString::to_string).collect();
        let found = memories.about_files(&files, filter, limit).unwrap();
        found.into_iter().map(|memory| memory.id).collect()
    };
    let any = Filter::default();
    assert_eq!(about(&["src/billing/pay.rs"], &any, 9), ["related", "text"]);
    assert_eq!(about(&["src/billing/pay.rs"], &any, 1), ["related"]);
    assert_eq!(about(&["x", "src/billing/pay.rs", "/", ""], &any, 9), ["related", "text"]);
    assert_eq!(about(&["ay.rs", "\" OR \"", "billing/pay"], &any, 9), NOTHING);
    let without_related = Filter { excluded_ids: ["related".to_owned()].into(), ..Filter::default() };
    assert_eq!(about(&["src/billing/pay.rs"], &without_related, 9), ["text"]);
}

#[test]
fn a_store_of_an_earlier_version_is_migrated_with_its_memories() {
    let scratch = crate::dirs::scratch::Scratch::new();
    let path = scratch.path().join("interleaf.db");
    let earlier = rusqlite::Connection::open(&path).unwrap();
    for migration in [
        include_str!("../../../migrations/0001-memory.sql"),
        include_str!("../../../migrations/0002-state.sql"),
        include_str!("../../../migrations/0003-failures.sql"),
        include_str!("../../../migrations/0004-job-places.sql"),
        include_str!("../../../migrations/0005-job-again.sql"),
    ] {
        earlier.execute_batch(migration).unwrap();
    }
    let row = r#"INSERT INTO memories VALUES (
        1, 'old', 'runbook', 'retired', 'person', NULL, 5, 7, 0.5, 0.5, 2, 0, 'title', 'text',
        '{"steps": []}', '[]', '[]', '{}', '[{"at": 5, "what": "written", "by": "x"}]', '')"#;
    earlier.execute(row, []).unwrap();
    earlier.pragma_update(None, "user_version", 5).unwrap();
    drop(earlier);

    let store = Arc::new(SqliteStore::new(Database::at(&path)));
    let memories = Memories::new(store, Redactor::new(&[]).unwrap(), Clock::Fixed(NOW));

    let old = memories.get("old").unwrap();
    assert_eq!((old.schema_version.as_str(), old.status_since, old.supersedes.len()), ("1.0", 7, 0));
    assert_eq!(old.changes[0].what, "written");
    assert_eq!(memories.restore("old", None, "it holds").unwrap().version, 3);
}
