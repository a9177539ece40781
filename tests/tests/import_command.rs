//! `interleaf import`: what other memory tools have kept comes in, once, checked and without secrets. The
//! samples are in `tests/fixtures/import`, each with a README that says how it was made.

use std::fs;
use std::path::{Path, PathBuf};

use interleaf_tests::run::ProcessOutput;
use interleaf_tests::scratch::Scratch;
use interleaf_tests::workspace::fixtures;
use serde_json::Value;

/// A project in which commands are run.
struct Shop(Scratch);

impl Shop {
    fn new() -> Self {
        Self(Scratch::new())
    }

    fn import(&self, arguments: &[&str]) -> ProcessOutput {
        self.0.interleaf(&[&["import"], arguments].concat())
    }

    /// Imports with `--json` and returns the exit code and the report.
    fn report(&self, arguments: &[&str]) -> (i32, Value) {
        let ran = self.import(&[arguments, &["--json"]].concat());
        let report = serde_json::from_str(&ran.out());
        (
            ran.code.expect("it ended by itself"),
            report.unwrap_or_else(|_| panic!("{} {}", ran.out(), ran.err())),
        )
    }

    fn memories(&self) -> Vec<Value> {
        let exported = self.0.interleaf(&["memory", "export"]).success();
        exported.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
    }

    /// Returns the only memory with this in its text.
    fn memory(&self, part: &str) -> Value {
        let has_part = |memory: &Value| memory["text"].as_str().is_some_and(|text| text.contains(part));
        let found: Vec<Value> = self.memories().into_iter().filter(has_part).collect();
        let [memory] = &found[..] else { panic!("{part}: {found:?}") };
        memory.clone()
    }

    /// Puts the sample of claude-memory in its default place.
    fn with_claude_memory() -> Self {
        let shop = Self::new();
        copy(&sample("claude-memory"), &shop.0.project.join(".claude/memory"));
        shop
    }

    /// Writes the sample of cs-memory as git notes: a note for each namespace.
    fn with_cs_memory() -> Self {
        let shop = Self::new();
        for namespace in ["decisions", "learnings", "blockers"] {
            let file = sample("cs-memory").join(format!("{namespace}.md"));
            let reference = format!("refs/notes/cs/{namespace}");
            let file = file.to_str().expect("a path in UTF-8");
            shop.0.git(&["notes", "--ref", &reference, "add", "-F", file]);
        }
        shop
    }

    /// Puts the sample of claude-mem in its default place, with more rows.
    fn with_claude_mem(more: &str) -> Self {
        let shop = Self::new();
        let folder = shop.0.home.join(".claude-mem");
        fs::create_dir_all(&folder).expect("the home is writable");
        let sql = fs::read_to_string(sample("claude-mem/claude-mem.sql")).expect("a sample");
        let database = rusqlite::Connection::open(folder.join("claude-mem.db"));
        database.and_then(|database| database.execute_batch(&format!("{sql}\n{more}"))).expect("valid SQL");
        shop
    }

    /// Puts the sample of Claude Code's notes in their default place.
    fn with_claude_code() -> Self {
        let shop = Self::new();
        copy(&sample("claude-code/memory"), &shop.notes_folder());
        shop
    }

    fn notes_folder(&self) -> PathBuf {
        let path = self.0.project.to_str().expect("a path in UTF-8");
        let name = path.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        self.0.home.join(".claude/projects").join(name).join("memory")
    }
}

fn sample(name: &str) -> PathBuf {
    fixtures().join("import").join(name)
}

/// Copies the files of a folder, and of its folders.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder is writable");
    for entry in fs::read_dir(from).expect("a sample").flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).expect("the folder is writable")),
        }
    }
}

fn export() -> String {
    sample("wt-memory/export.json").to_str().expect("a path in UTF-8").to_owned()
}

/// A token in two parts, so that no scanner takes it for a real one.
fn secret() -> String {
    format!("ghp_{}", "a1B2".repeat(9))
}

#[test]
fn the_files_of_claude_memory_come_in_with_their_content() {
    let shop = Shop::with_claude_memory();

    let (code, report) = shop.report(&["claude-memory"]);

    assert_eq!(
        (code, &report["written"], report["skipped"].as_array().map(Vec::len)),
        (2, &3.into(), Some(1))
    );
    let decision = shop.memory("The order id is the idempotency key");
    assert_eq!((&decision["category"], &decision["origin"]), (&"decision".into(), &"imported".into()));
    assert_eq!(decision["content"]["rationale"][0], "The provider retries for three days");
    assert_eq!(decision["related_files"][0], "src/payment.rs");
    assert_eq!(decision["created_at"], 1_768_035_600_000_i64);
    assert_eq!(shop.memory("ten requests a second")["category"], "constraint");
    assert_eq!(shop.memory("right to the cent")["category"], "session_summary");
}

#[test]
fn the_notes_of_cs_memory_come_in_with_their_commit() {
    let shop = Shop::with_cs_memory();

    let (code, report) = shop.report(&["cs-memory"]);

    assert_eq!((code, &report["written"]), (2, &4.into()), "{report}");
    let decision = shop.memory("idempotency key");
    assert_eq!(decision["title"], "Keep payments idempotent by order id");
    assert_eq!(decision["source"]["commit"], shop.0.git(&["rev-parse", "HEAD"]).trim());
    assert_eq!(shop.memory("half cents")["category"], "learning");
    assert!(shop.memory("half cents")["text"].as_str().is_some_and(|text| text.contains("one cent")));
    assert_eq!(shop.memory("Vouchers vanish")["created_at"], 1_765_789_200_000_i64);
    let blocker = shop.memory("sandbox of the payment provider");
    assert_eq!((&blocker["category"], &blocker["status"]), (&"blocker".into(), &"archived".into()));
    assert!(
        report["skipped"][0]["reason"].as_str().is_some_and(|reason| reason.contains("summary")),
        "{report}"
    );
}

#[test]
fn an_export_of_wt_memory_comes_in() {
    let shop = Shop::new();

    let (code, report) = shop.report(&["wt-memory", &export()]);

    assert_eq!((code, &report["written"], &report["untagged"]), (2, &4.into(), &1.into()), "{report}");
    assert_eq!(report["skipped"][0]["place"], "record 3");
    let decision = shop.memory("We chose Postgres");
    assert_eq!((&decision["category"], &decision["importance"]), (&"decision".into(), &0.8.into()));
    assert_eq!(shop.memory("needs TZ=UTC")["category"], "learning");
    assert_eq!(shop.memory("every second Tuesday")["category"], "context");
    assert_eq!(shop.memory("every second Tuesday")["id"], "wt-memory-0f5c7f1e-2f5d-4b5d-9f8e-2b1a1f7a0000");
    assert_eq!(shop.memory("Never run migrations")["category"], "preference", "its text decides");
}

#[test]
fn of_the_database_of_claude_mem_the_rows_of_this_project_come_in() {
    let shop = Shop::with_claude_mem("");

    let (code, report) = shop.report(&["claude-mem"]);

    assert_eq!((code, &report["written"]), (0, &5.into()), "{report}");
    let decision = shop.memory("sends webhooks twice");
    assert_eq!(decision["id"], "claude-mem-observation-1");
    assert_eq!(
        (&decision["category"], &decision["created_at"]),
        (&"decision".into(), &1_772_355_600_000_i64.into())
    );
    assert!(
        decision["text"].as_str().is_some_and(|text| text.contains("- The order id is the idempotency key"))
    );
    assert_eq!(shop.memory("voucher vanished")["related_files"][0], "src/checkout.rs", "a merged worktree");
    assert_eq!(shop.memory("another signature")["id"], "claude-mem-summary-1-learned");
    assert_eq!(shop.memory("Goal: Make the webhook handler")["category"], "context");
    assert!(!shop.memories().iter().any(|memory| memory.to_string().contains("otters")));
}

#[test]
fn a_database_in_use_and_of_an_older_version_is_read() {
    let older = "PRAGMA journal_mode = WAL; ALTER TABLE observations DROP COLUMN merged_into_project;
        DROP TABLE session_summaries;";
    let shop = Shop::with_claude_mem(older);
    let file = shop.0.home.join(".claude-mem/claude-mem.db");
    let writer = rusqlite::Connection::open(&file).expect("a database");
    let more = "INSERT INTO observations (memory_session_id, project, type, title, narrative, created_at, \
        created_at_epoch) VALUES ('m1', 'shop', 'discovery', 'New', 'This row is only in the log.', '', 1)";
    writer.execute(more, []).expect("valid SQL");

    let (code, report) = shop.report(&["claude-mem"]);

    assert_eq!((code, &report["written"]), (0, &3.into()), "{report}");
    shop.memory("only in the log");
}

#[test]
fn claude_codes_own_notes_come_in() {
    let shop = Shop::with_claude_code();

    let (code, report) = shop.report(&["claude-code"]);

    assert_eq!((code, &report["written"]), (0, &3.into()), "{report}");
    let preference = shop.memory("must use a real database");
    assert_eq!(preference["category"], "preference");
    assert_eq!(preference["title"], "Integration tests use a real database and no mocks");
    assert!(preference["text"].as_str().is_some_and(|text| text.contains("docker compose")));
    assert_eq!(shop.memory("needs Node 22")["tags"], serde_json::json!(["build"]));
}

#[test]
fn instructions_come_in_by_bullets_without_the_section_of_interleaf() {
    let shop = Shop::new();
    shop.0.write("CLAUDE.md", &fs::read_to_string(sample("claude-code/CLAUDE.md")).expect("a sample"));

    let missing = shop.import(&["claude-code"]);
    let (code, report) = shop.report(&["claude-code", "CLAUDE.md"]);

    assert!(missing.err().contains("interleaf import claude-code CLAUDE.md"), "{}", missing.err());
    assert_eq!((code, &report["written"]), (0, &4.into()), "{report}");
    assert_eq!(shop.memory("whole cents")["category"], "preference");
    assert_eq!(shop.memory("pnpm test --run")["tags"], serde_json::json!(["commands"]));
    assert!(
        shop.memory("Never edit files")["text"].as_str().is_some_and(|text| text.contains("pnpm codegen"))
    );
    assert!(!shop.memories().iter().any(|memory| memory.to_string().contains("Interleaf remembers")));
}

/// Every source with its sample, and the arguments of the import.
fn sources() -> [(Shop, Vec<String>); 5] {
    let arguments = |line: &[&str]| line.iter().map(ToString::to_string).collect();
    [
        (Shop::with_claude_memory(), arguments(&["claude-memory"])),
        (Shop::with_cs_memory(), arguments(&["cs-memory"])),
        (Shop::new(), arguments(&["wt-memory", &export()])),
        (Shop::with_claude_mem(""), arguments(&["claude-mem"])),
        (Shop::with_claude_code(), arguments(&["claude-code"])),
    ]
}

#[test]
fn importing_again_brings_nothing_new() {
    for (shop, arguments) in sources() {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();

        let (_, first) = shop.report(&arguments);
        let before = shop.memories();
        let (_, second) = shop.report(&arguments);

        assert_eq!(
            (&second["written"], &second["known"]),
            (&0.into(), &first["written"]),
            "{arguments:?} {second}"
        );
        assert_eq!(shop.memories(), before, "{arguments:?}");
    }
}

#[test]
fn what_was_forgotten_does_not_come_back() {
    let shop = Shop::with_claude_mem("");
    shop.report(&["claude-mem"]);
    shop.0.interleaf(&["forget", "claude-mem-observation-2", "--yes"]).success();

    let (_, again) = shop.report(&["claude-mem"]);

    assert_eq!(again["written"], 0, "{again}");
    assert_eq!(shop.memory("round_down in the cart")["status"], "retired");
}

#[test]
fn a_dry_run_says_the_same_and_writes_nothing() {
    for (shop, arguments) in sources() {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();

        let (code, rehearsed) = shop.report(&[&arguments[..], &["--dry-run"]].concat());
        assert_eq!(shop.memories(), [] as [Value; 0], "{arguments:?}");
        let (written_code, written) = shop.report(&arguments);

        assert_eq!(code, written_code, "{arguments:?}");
        for field in ["written", "known", "skipped", "untagged"] {
            assert_eq!(rehearsed[field], written[field], "{arguments:?} {field}");
        }
        let announced = rehearsed["would_write"].as_array().expect("a list");
        let ids = |list: &[Value]| {
            let mut ids: Vec<String> = list.iter().map(|memory| memory["id"].to_string()).collect();
            ids.sort();
            ids
        };
        assert_eq!(ids(announced), ids(&shop.memories()), "{arguments:?}");
    }
}

#[test]
fn a_dry_run_knows_what_is_there_already_and_prints_the_rest() {
    let shop = Shop::with_claude_mem("");
    let same = "The function round_down in the cart cuts half cents before tax is added.";
    shop.0.interleaf(&["remember", same]).success();

    let shown = shop.import(&["claude-mem", "--dry-run"]).success();

    assert!(shown.contains("4 would be taken, 1 already known, 0 skipped"), "{shown}");
    assert!(shown.contains("  decision: Payments are idempotent by order id\n"), "{shown}");
    assert_eq!(shop.memories().len(), 1);
}

#[test]
fn a_broken_entry_is_named_and_the_others_come_in() {
    let shop = Shop::with_claude_memory();

    let ran = shop.import(&["claude-memory"]);

    assert_eq!(ran.code, Some(2));
    assert!(ran.out().contains("3 taken, 0 already known, 1 skipped"), "{}", ran.out());
    let reason = "constraints/unfinished.json: the field `created_at` is not a date";
    assert!(ran.err().contains("1 entry skipped") && ran.err().contains(reason), "{}", ran.err());
    assert_eq!(shop.memories().len(), 3);
}

#[test]
fn what_says_nearly_the_same_is_skipped_unless_forced() {
    let shop = Shop::with_claude_mem("");
    shop.0
        .interleaf(&["remember", "The voucher vanished because the form was reset before it was sent off."])
        .success();

    let (code, report) = shop.report(&["claude-mem"]);
    let (forced_code, forced) = shop.report(&["claude-mem", "--force"]);

    assert_eq!((code, &report["written"]), (2, &4.into()), "{report}");
    assert_eq!(report["skipped"][0]["place"], "observation 4");
    assert_eq!((forced_code, &forced["written"]), (0, &1.into()), "{forced}");
}

#[test]
fn at_most_ten_reasons_are_listed() {
    let shop = Shop::new();
    let records: Vec<Value> = (0..12).map(|number| serde_json::json!({ "id": number.to_string() })).collect();
    shop.0.write("export.json", &Value::from(records).to_string());

    let ran = shop.import(&["wt-memory", "export.json"]);

    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.err().matches("it has no `content`").count(), 10, "{}", ran.err());
    assert!(ran.err().contains("12 entries skipped") && ran.err().contains("and 2 more"), "{}", ran.err());
}

#[test]
fn secrets_are_removed() {
    let secret = secret();
    let shop = Shop::with_claude_mem(&format!(
        "INSERT INTO observations (memory_session_id, project, type, title, narrative, created_at, \
         created_at_epoch) VALUES ('m1', 'shop', 'discovery', 'Token', \
         'The deploy job reads {secret} from the vault.', '', 1)"
    ));
    shop.0.write("notes.md", &format!("# Access {secret}\n\n- The robot signs in with {secret} at night\n"));

    let rehearsed = shop.import(&["claude-mem", "--dry-run", "--json"]).success();
    shop.import(&["claude-mem"]).success();
    shop.import(&["claude-code", "notes.md"]).success();

    let all = format!("{rehearsed}{:?}", shop.memories());
    assert!(all.contains("[SECRET:github-token]") && !all.contains(&secret), "{all}");
    for file in files_below(&shop.0.interleaf_home) {
        let bytes = fs::read(&file).expect("readable");
        assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()), "{}", file.display());
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn a_missing_source_is_named_with_the_next_step() {
    let shop = Shop::new();
    for (arguments, named) in [
        (&["claude-memory"][..], ".claude/memory"),
        (&["cs-memory"], "refs/notes/cs"),
        (&["wt-memory", "none.json"], "none.json"),
        (&["claude-mem"], ".claude-mem/claude-mem.db"),
        (&["claude-mem", "none.db"], "none.db"),
        (&["claude-code"], ".claude/projects"),
    ] {
        let ran = shop.import(arguments);

        assert_eq!(ran.code, Some(1), "{arguments:?} {}", ran.out());
        assert!(ran.err().contains(named) && ran.err().contains("hint: "), "{arguments:?} {}", ran.err());
        let json = shop.import(&[arguments, &["--json"]].concat());
        assert_eq!(json.out(), "", "{arguments:?}");
    }
    let unnamed = shop.import(&["wt-memory"]);
    assert!(unnamed.code == Some(2) && unnamed.err().contains("wt-memory export"), "{}", unnamed.err());
    assert!(shop.memories().is_empty());
}

#[test]
fn a_file_of_another_kind_is_refused() {
    let shop = Shop::new();
    shop.0.write("notes.md", &"# Notes\n\nThis is no database and no export.\n".repeat(50));

    for source in ["claude-mem", "wt-memory"] {
        let ran = shop.import(&[source, "notes.md"]);
        assert_ne!(ran.code, Some(0), "{source}");
        assert!(ran.err().contains("notes.md") && ran.err().contains("hint: "), "{source} {}", ran.err());
    }
}

#[test]
fn links_that_lead_out_of_the_folder_are_not_followed() {
    let shop = Shop::with_claude_code();
    let private = shop.0.home.join("private.md");
    fs::write(&private, "The combination of the safe is in the blue book.").expect("the home is writable");
    std::os::unix::fs::symlink(&private, shop.notes_folder().join("linked.md")).expect("linked");

    let (code, report) = shop.report(&["claude-code"]);

    assert_eq!((code, &report["written"]), (2, &3.into()), "{report}");
    assert_eq!(report["skipped"][0]["place"], "linked.md");
    assert!(!shop.memories().iter().any(|memory| memory.to_string().contains("blue book")));
}

#[test]
fn notes_of_another_repository_are_read_by_its_path() {
    let (shop, other) = (Shop::new(), Shop::with_cs_memory());

    let (_, report) = shop.report(&["cs-memory", other.0.project.to_str().expect("a path in UTF-8")]);

    assert_eq!(report["written"], 4, "{report}");
}
