//! `interleaf init --share`: what sharing needs is checked before anything is written.

use interleaf_tests::run::ProcessOutput;
use interleaf_tests::scratch::Scratch;

use super::clones::{Origin, empty_repository};
use super::team::Team;

#[test]
fn init_writes_nothing_if_the_place_cannot_be_used() {
    let unconfigured = Scratch::new();
    let without_commit = empty_repository();
    let unreachable = Scratch::new();
    unreachable.configure("[sync]\npostgres = \"postgres://ada@127.0.0.1:1/memories\"\n");
    for (scratch, place, why) in [
        (unconfigured, "postgres", "no Postgres server is configured"),
        (without_commit, "git-notes", "no commit"),
        (unreachable, "postgres", "127.0.0.1:1"),
    ] {
        for more in [&["--yes"][..], &["--dry-run"]] {
            let refused = init(&scratch, place, more);
            assert!(matches!(refused.code, Some(1 | 2)), "{place}: {}", refused.out());
            assert!(refused.err().contains(why), "{place}: {}", refused.err());
            assert!(refused.err().contains("hint: "), "{place}: {}", refused.err());
            assert_eq!(refused.out(), "", "{place}");
            assert!(!scratch.project.join(".claude").exists(), "{place}");
        }
    }
}

#[test]
fn init_writes_nothing_if_the_remote_cannot_be_read() {
    let origin = Origin::new();
    let ada = origin.clone_for("Ada");
    std::fs::remove_dir_all(&origin.folder).expect("it is ours");

    for more in [&["--yes"][..], &["--dry-run"]] {
        let refused = init(&ada.scratch, "git-notes", more);
        assert_eq!(refused.code, Some(1), "{}", refused.out());
        assert!(refused.err().contains("git fetch"), "{}", refused.err());
        assert!(!ada.scratch.project.join(".claude").exists());
    }
}

#[test]
fn init_without_a_terminal_shares_only_with_yes() {
    let origin = Origin::new();
    let ada = origin.clone_for("Ada");
    ada.remember("We keep payments idempotent by order id.");

    let refused = init(&ada.scratch, "git-notes", &[]);
    assert_eq!(refused.code, Some(2), "{}", refused.out());
    assert!(refused.err().contains("interleaf init --share git-notes --yes"), "{}", refused.err());
    assert!(!ada.scratch.project.join(".claude").exists());

    let done = init(&ada.scratch, "git-notes", &["--yes"]).success();
    assert!(done.contains("1 memory went out"), "{done}");
    // A place in use is not asked about again.
    let again = init(&ada.scratch, "git-notes", &[]).success();
    assert!(again.contains("already set up here"), "{again}");
}

#[test]
fn a_dry_run_of_init_says_what_would_be_shared_and_where() {
    let origin = Origin::new();
    let ada = origin.clone_for("Ada");
    ada.remember("We keep payments idempotent by order id.");

    let shown = init(&ada.scratch, "git-notes", &["--dry-run"]).success();

    let place = format!("Place: git notes of {}", origin.folder.display());
    assert!(shown.contains(&place), "{shown}");
    assert!(shown.contains("1 memory would go:\n  We keep payments idempotent by order id"), "{shown}");
    assert_eq!(origin.git(&["for-each-ref", "refs/notes"]), "");
    assert!(!ada.scratch.project.join(".claude").exists());
}

#[test]
fn a_dry_run_of_init_creates_no_store() {
    let scratch = Scratch::new();

    let shown = init(&scratch, "files", &["--dry-run"]).success();

    assert!(shown.contains("Place: files in .claude/memory\nNothing new would go there."), "{shown}");
    assert!(!scratch.interleaf_home.join("data").exists());
}

#[test]
fn init_registers_then_shares_then_asks_about_models() {
    let Some(team) = Team::new() else { return };
    let ada = team.member("ada", "write");

    let shown = ada.clone.scratch.at_a_terminal("init --share postgres", "y\nnone\nn\n").success();

    let at = |text: &str| shown.find(text).unwrap_or_else(|| panic!("{text} in {shown}"));
    let order = [
        "settings.local.json",
        "Exchange memories there from now on? [y/N]",
        "Which model?",
        "Install a sentence model",
    ];
    assert!(order.map(at).is_sorted(), "{shown}");
}

#[test]
fn init_with_yes_asks_nothing() {
    let scratch = Scratch::new();

    let shown = scratch.at_a_terminal("init --yes", "").success();

    assert!(!shown.contains("Which model?") && !shown.contains("[y/N]"), "{shown}");
    assert!(shown.contains("interleaf llm choose") && shown.contains("interleaf model install"), "{shown}");
}

#[test]
fn in_a_bare_repository_sync_says_where_to_run_it() {
    let origin = Origin::new();
    for arguments in [&["sync"][..], &["sync", "--to", "git-notes"], &["sync", "--to", "files", "--yes"]] {
        let mut command = origin.scratch.command(interleaf_tests::program::program());
        command.args(arguments).current_dir(&origin.folder);
        let refused = interleaf_tests::run::run(&mut command, b"", interleaf_tests::scratch::HANG_TIMEOUT);
        assert_eq!(refused.code, Some(2), "{}", refused.err());
        assert!(refused.err().contains("origin.git is a bare repository"), "{}", refused.err());
        assert!(refused.err().contains("in a clone or a work tree"), "{}", refused.err());
    }
}

fn init(scratch: &Scratch, place: &str, more: &[&str]) -> ProcessOutput {
    scratch.interleaf(&[&["init", "--share", place], more].concat())
}
