//! What work teaches: fixes, changes, captures, the summary.

use super::{mined, table};
use crate::finding::Origin;
use crate::rules::tests::script::talk;
use crate::rules::{Around, Captured, Design, changes, mine};
use crate::transcript::Entry;
use interleaf_layer::memory::Category::{Learning, Runbook, SessionSummary};

#[test]
fn a_fix_is_what_came_after_the_last_failure() {
    table(&[
        (
            "u: run the e2e tests\n$ npx playwright test\n- Error: browserType.launch: Executable doesn't exist\n$ npm rebuild\n+ ok\n$ npx playwright test\n- Error: browserType.launch: Executable doesn't exist\n$ npx playwright install chromium\n+ downloaded\n$ npx playwright test\n+ 12 passed\na: All pass. The browsers were missing: they have to be installed once with `npx playwright install chromium`.",
            &[(Runbook, &["playwright test", "browsers were missing"])],
        ),
        (
            "u: bau das bitte\n$ cargo build\n- error: linker `cc` not found\n$ sudo apt-get install -y build-essential\n+ ok\n$ cargo build\n+ Finished\na: Es fehlte ein Linker, build-essential bringt ihn mit.",
            &[(Runbook, &["build-essential"])],
        ),
        (
            "u: migrate\n$ ./manage migrate\n- django.db.utils.OperationalError: connection refused\n$ docker compose up -d db\n+ started\n$ ./manage migrate\n+ OK\na: Migrated.",
            &[(Runbook, &["manage", "docker compose up"])],
        ),
        (
            "u: test it\n$ go test ./...\n- undefined: Foo\ne foo.go: a => b\n$ go test ./...\n+ ok\na: Done, all green.",
            &[],
        ),
        ("u: try\n$ make lint\n- lint.c: bad\n$ make lint\n+ ok\na: Flaky.", &[]),
        (
            "u: serve\n$ npm start\n! The user doesn't want to proceed with this tool use.\n$ npm start\n+ ok",
            &[],
        ),
        (
            "u: clean up\n$ rm -rf config.yml\n+ ok\n$ make run\n- config.yml not found\n$ cp config.example.yml config.yml\n+ ok\n$ make run\n+ ok\na: It needs config.yml.",
            &[],
        ),
        (
            "u: build\n$ make app\n- app.c missing\n$ cd sub && make app\n+ ok\na: It has to be run in sub.",
            &[],
        ),
        (
            "u: run the report\n$ python report.py\n- ModuleNotFoundError: No module named 'pandas'\n$ pip install pandas\n+ ok\n$ python report.py\n+ ok\na: pandas was missing.\nu: no, do not install things globally, use the venv",
            &[],
        ),
    ]);
}

#[test]
fn a_fix_that_nobody_explained_is_of_a_tool() {
    let mined = mined(
        "u: migrate\n$ ./manage migrate\n- OperationalError: connection refused\n$ docker compose up -d db\n+ started\n$ ./manage migrate\n+ OK",
    );

    assert_eq!(mined.finds[0].origin, Origin::ToolOutput);
    assert!(
        mined.finds[0].text.contains("connection refused")
            && !mined.finds[0].tags.contains(&"cheat-sheet".to_owned())
    );
}

#[test]
fn what_the_agent_saved_itself_is_not_found_again() {
    let mined = mined(
        "u: never use float for money here\n$ interleaf remember --category preference \"Never use float for money here\"\n+ saved\na: Saved.",
    );

    assert!(!mined.saved.is_empty() && mined.finds.is_empty());
}

#[test]
fn captures_are_grouped_and_those_that_were_fixed_are_settled() {
    let talk = talk(
        "u: go\n$ make db\n- no route\n$ docker compose up -d db\n+ ok\n$ make db\n+ ok\na: The database was not running.",
    );
    let capture = |id: &str, command: &str, summary: &str, tool: &str| {
        let payload = serde_json::json!({ "summary": summary, "attempted": format!("Running: {command}"), "tool": tool, "severity": "sev-1" });
        Captured::read(id, &payload.to_string())
    };
    let captures = [
        capture("1", "make db", "make db: no route", "Bash"),
        capture("2", "make deploy", "make deploy: quota exceeded", "Bash"),
        capture("3", "make deploy", "make deploy: quota exceeded", "Bash"),
        capture("4", "x", "Read: error in a book", "Read"),
    ];

    let mined = mine(&talk, &Around { session: "s", captures: &captures, ..Around::default() });

    let captured = mined.captures.memory.as_ref().expect("one memory");
    assert_eq!((captured.category, captured.origin), (Learning, Origin::ToolOutput));
    assert!(
        captured.text.contains("quota exceeded (2 times)")
            && !captured.text.contains("no route")
            && !captured.text.contains("book")
    );
    assert_eq!(mined.captures.told, ["2", "3"]);
    assert_eq!(mined.captures.over, ["1", "4"]);
    let of_subagent = mined.of_subagent();
    assert_eq!(
        (of_subagent.captures.memory, of_subagent.captures.told),
        (None, vec![]),
        "it may be mended elsewhere"
    );
    assert_eq!(of_subagent.captures.over, ["1", "4"]);
}

#[test]
fn captures_that_there_is_no_room_for_wait_for_the_next_memory() {
    let nothing = talk("u: go\na: Done.");
    let capture = |number: usize| {
        let command = format!("make part{number}");
        let payload = serde_json::json!({ "summary": format!("{command}: error {}", "x".repeat(number * 10)),
            "attempted": format!("Running: {command}"), "tool": "Bash", "severity": "sev-1" });
        Captured::read(&number.to_string(), &payload.to_string())
    };
    let mut waiting: Vec<Captured> = (0..20).map(capture).collect();
    let mut told = String::new();

    for _ in 0..20 {
        let mined = mine(&nothing, &Around { session: "s", captures: &waiting, ..Around::default() });
        waiting.retain(|capture| !mined.captures.told.contains(&capture.id));
        told += &mined.captures.memory.map_or(String::new(), |find| format!("{}; ", find.text));
    }

    assert!(waiting.is_empty());
    for number in 0..20 {
        assert_eq!(told.matches(&format!("make part{number}: ")).count(), 1, "{number}: {told}");
    }
}

#[test]
fn the_summary_says_what_was_wanted_done_and_left() {
    let mined = mined(
        "u: hi, how are you?\na: Fine.\nu: add a CSV export to the report page\nw src/export.ts: export function toCsv() {}\na: The export is in, with a test. I would add a limit for big tables next.\nu: commit it\n$ git commit -qam 'feat: csv export'\n+ ok\na: Committed.",
    );

    let summary = mined.summary.expect("a summary");
    assert_eq!(summary.category, SessionSummary);
    for words in ["CSV export", "The export is in", "limit for big tables", "src/export.ts"] {
        assert!(summary.text.contains(words), "{}", summary.text);
    }
    assert_eq!(summary.content["outcome"], "success");
}

#[test]
fn what_still_fails_makes_the_session_a_part() {
    let mined = mined(
        "u: fix the parser\ne src/parser.rs: a => b\n$ cargo test\n- test parser ... FAILED\na: It still fails, I need the grammar.",
    );

    let summary = mined.summary.expect("a summary");
    assert_eq!(summary.content["outcome"], "partial");
    assert!(summary.text.contains("`cargo test` still fails"));
}

#[test]
fn a_change_has_a_code_map_without_tests_and_manifests() {
    let mined = mined(
        "u: /opsx:apply add-search\nw src/search.rs: pub fn search() {}\nw tests/search.rs: x\nw Cargo.toml: x\nw src/search.test.ts: x\na: In.",
    );

    let (name, map) = &mined.once[0];
    assert_eq!(name, "code-map/add-search");
    assert_eq!(map.text, "The change add-search touched: src/search.rs (search)");
}

#[test]
fn any_input_is_survived_in_time() {
    let long = "a".repeat(1 << 20);
    let odd = "„".repeat(200_000)
        + &"\"".repeat(200_000)
        + "\0\0 never\u{0}use "
        + &"a. ".repeat(100_000)
        + &"1:".repeat(100_000);
    for text in [
        long.as_str(),
        odd.as_str(),
        &"日本".repeat(200_000),
        &"no, never. ".repeat(90_000),
        &"\n".repeat(1 << 20),
    ] {
        let mut talk = talk("u: x\n$ make\n- y\n$ make\n+ z\na: w");
        talk.entries.iter_mut().for_each(|entry| entry.text.push_str(text));
        let mined = mine(&talk, &Around::default());
        assert!(mined.finds.len() < 500);
    }
}

#[test]
fn what_is_not_in_the_code_is_worth_most() {
    table(&[
        (
            "u: deploy\n$ ./deploy.sh staging\n- Error: Missing required env DEPLOY_KEY\n$ DEPLOY_KEY=x ./deploy.sh staging\n- Error: DEPLOY_KEY rejected\n$ source .deployrc && ./deploy.sh staging\n+ deployed\na: Deployed. The key lives in .deployrc, source it before deploy.sh.",
            &[(Runbook, &["source .deployrc", "lives in"])],
        ),
        (
            "u: run the tests\n$ pytest\n- ModuleNotFoundError: No module named 'app'\n$ PYTHONPATH=. pytest\n+ 12 passed\na: Tests pass now. pytest needs PYTHONPATH=. because app is not installed as a package.",
            &[(Runbook, &["PYTHONPATH=. pytest", "not installed as a package"])],
        ),
        (
            "u: build\n$ cargo build 2>&1 | tail -5\n+ error: could not compile `x`\ne Cargo.toml: a => b\n$ cargo build 2>&1 | tail -5\n+ Finished\na: The openssl feature was missing in Cargo.toml because the defaults changed.",
            &[(Runbook, &["openssl feature"])],
        ),
        (
            "u: try it\n$ airflow dags test sales\n- role \"airflow\" does not exist\n$ docker compose restart postgres\n+ ok\n$ airflow dags test sales\n- role \"airflow\" does not exist\n$ docker volume rm sales_pg && docker compose up -d postgres\n+ ok\n$ airflow dags test sales\n+ success\na: The old volume lacked the airflow role; removing `sales_pg` recreates it.",
            &[(Runbook, &["docker volume rm sales_pg"])],
        ),
        (
            "u: plan\n$ terraform plan\n- Error: Backend initialization required\n$ terraform init -upgrade\n+ ok\n$ terraform plan\n+ no changes\na: Plan is clean. The provider lock was stale, so it needed `terraform init -upgrade` first.",
            &[(Runbook, &["lock was stale"])],
        ),
    ]);
}

#[test]
fn changes_are_named_by_commands_skills_and_paths() {
    let mut talk = talk(
        "u: /opsx:apply add-search\n\
         r openspec/changes/fix-login/design.md: x\n\
         $ ls openspec/changes/archive/ openspec/changes/*/tasks.md openspec/changes/new-menu/\n+ ok",
    );
    let command = "<command-name>/opsx:explore</command-name>\n<command-args>dark-mode now</command-args>";
    talk.entries[0].text.push('\n');
    talk.entries.push(Entry { text: command.to_owned(), ..talk.entries[0].clone() });

    assert_eq!(changes(&talk), ["add-search", "fix-login", "new-menu", "dark-mode"]);
}

#[test]
fn a_choice_that_the_talk_changed_counts_as_it_is_now() {
    let path = "openspec/changes/add-search/design.md";
    let talk = talk(&format!("u: go\ne {path}: **Choice**: one index => **Choice**: two indexes"));
    let design =
        |text: &str| Design { change: "add-search".to_owned(), path: path.to_owned(), text: text.to_owned() };
    let mined = |text: &str| {
        let designs = [design(text)];
        let around = Around { root: Some("/home/dev/app"), designs: &designs, ..Around::default() };
        mine(&talk, &around).once.remove(0).1
    };

    let written = mined("# Design\n**Choice**: one index");
    let both = mined("# Design\n**Choice**: two indexes\n**Choice**: no stemming");

    assert_eq!(written.text, "Choices of the change add-search: two indexes");
    assert_eq!((written.origin, both.origin), (Origin::Assistant, Origin::ToolOutput));
    assert!(both.text.contains("two indexes / no stemming"));
}

#[test]
fn a_subagents_prompt_states_no_rule() {
    let mined = mined(
        "u: never use float for money in this repo\n$ make db\n- no route\n$ docker compose up -d db\n+ ok\n$ make db\n+ ok\na: The database was not running.",
    );

    let left = mined.clone().of_subagent();

    assert_eq!((mined.finds.len(), left.finds.len()), (2, 1));
    assert!(
        left.finds[0].category == Runbook && left.finds[0].tags == ["error-fix"] && left.summary.is_none()
    );
}

#[test]
fn a_compound_command_is_mended_where_its_last_part_succeeds_alone() {
    for talk in [
        "u: go\n$ npm ci && npm test\n- Error: node-gyp needs python3\n$ apt-get install -y python3\n+ ok\n$ npm ci\n+ ok\n$ npm test\n+ ok\na: `npm ci` needs python3 for node-gyp; installing it fixed it.",
        "u: go\n$ cd app && npm run lint && npm test\n- Error: DATABASE_URL is not set\n$ cp .env.example .env\n+ ok\n$ npm test\n+ ok\na: The tests need DATABASE_URL, which .env.example has.",
    ] {
        let mined = mined(talk);

        assert_eq!(mined.finds.len(), 1, "{:?}", mined.finds);
        assert!(mined.finds[0].text.contains("`npm test` failed"), "{:?}", mined.finds);
        let summary = mined.summary.map_or(String::new(), |summary| summary.text);
        assert!(!summary.contains("still fails"), "{summary}");
    }
}

#[test]
fn what_the_person_refuses_is_neither_a_remedy_nor_still_failing() {
    for talk in [
        "u: run the tests\n$ npm test\n- Error: EACCES: permission denied, open 'dist/x'\n$ chmod -R 777 .\n+ ok\n$ npm test\n+ ok\na: The tests pass; the folder was not writable.\nu: no, never chmod 777. put that back and chown it",
        "u: get the build green\n$ npm run build\n- error TS2345: wrong type in src/a.ts\nw src/a.ts: const a = b as any\n$ npm run build\n+ ok\na: The build passes now, I cast it to any.\nu: that's a hack, do it properly",
        "u: push it\nw src/a.ts: x\n$ git push --force\n- ! [remote rejected] main (protected branch)\na: The push was rejected.\nu: never force push. open a PR instead\n$ gh pr create\n+ ok\na: Opened.",
    ] {
        let mined = mined(talk);

        assert!(mined.finds.iter().all(|find| find.category != Runbook), "{:?}", mined.finds);
        let summary = mined.summary.map_or(String::new(), |summary| summary.text);
        assert!(!summary.contains("still fails"), "{summary}");
    }
}
