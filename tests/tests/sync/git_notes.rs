//! What travels, who is trusted, and what is done to the repository.

use super::clones::{Clone, Origin, commit, empty_repository};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn two() -> (Origin, Clone, Clone) {
    let origin = Origin::new();
    let (ada, ben) = (origin.clone_for("Ada"), origin.clone_for("Ben"));
    (origin, ada, ben)
}

/// What no output and no file may hold.
const PASSWORD: &str = "correct-horse-battery";

#[test]
fn a_memory_goes_to_a_clone_and_its_changes_come_back() {
    let (_origin, ada, ben) = two();
    let id = ada.remember("We keep payments idempotent by order id, because webhooks come twice.");

    let sent = ada.sync();
    let came = ben.sync();

    assert!(sent.contains("1 memory went out") && came.contains("1 memory came in"), "{sent}{came}");
    assert!(came.contains("until you trust Ada"), "{came}");
    assert_eq!(ben.memory(&id)["origin"], "shared");
    let by_ben = ["memory", "update", &id, "--version", "1", "--reason", "measured", "--importance", "0.9"];
    ben.interleaf(&by_ben).success();
    ben.sync();
    assert!(ada.sync().contains("1 memory changed"));
    assert_eq!(ada.active(), ben.active());
}

#[test]
fn the_first_time_asks_and_shows_what_would_go() {
    let (origin, ada, _) = two();
    ada.remember("We keep payments idempotent by order id.");
    ada.interleaf(&["remember", "--private", "My own token lives in the vault of team nine."]).success();

    let unchosen = ada.interleaf(&["sync"]);
    let shown = ada.interleaf(&["sync", "--to", "git-notes", "--dry-run"]).success();
    let unasked = ada.interleaf(&["sync", "--to", "git-notes"]);

    assert_eq!(unchosen.code, Some(2), "{}", unchosen.err());
    assert!(shown.contains("1 memory would go") && shown.contains("1 memory stays here"), "{shown}");
    assert!(unasked.code == Some(2) && unasked.err().contains("--yes"), "{}", unasked.err());
    assert_eq!(origin.git(&["for-each-ref", "refs/notes"]), "");
    ada.sync();
    assert!(ada.interleaf(&["sync"]).success().contains("Nothing new"));
    let notes = origin.git(&["log", "-p", "--all"]);
    assert!(notes.contains("idempotent") && !notes.contains("team nine"), "{notes}");
}

#[test]
fn a_dry_run_shows_what_would_go_and_come_and_changes_nothing() {
    let (_origin, ada, ben) = two();
    let old = ben.remember("We keep payments idempotent by order id.");
    ben.sync();
    ada.sync();
    ada.remember("The parcel service calls back within an hour.");
    ben.remember("Glass orders ship in two boxes.");
    ben.interleaf(&["forget", &old, "--yes"]).success();
    ben.sync();
    let before = ada.active();

    for _ in 0..2 {
        let shown = ada.interleaf(&["sync", "--dry-run"]).success();
        assert!(shown.contains("1 memory would go:\n  The parcel service"), "{shown}");
        assert!(shown.contains("1 memory would come in:\n  Glass orders"), "{shown}");
        assert!(shown.contains("1 memory would be retired:\n  We keep payments"), "{shown}");
    }

    assert_eq!(ada.active(), before);
    ada.sync();
    assert_eq!(ada.active().len(), 2);
}

#[test]
fn lists_and_doctor_say_what_is_shared_private_and_exchanged() {
    let (origin, ada, ben) = two();
    ada.interleaf(&["remember", "--private", "My own token lives in the vault of team nine."]).success();
    ben.remember("We keep payments idempotent by order id.");
    assert!(!ada.interleaf(&["doctor"]).out().contains("exchange"));
    ben.sync();
    let told = ada.sync();
    assert!(told.contains("1 memory stays here: tentative or private"), "{told}");

    let list = ada.interleaf(&["memory", "list"]).success();
    assert!(list.contains(", private") && list.contains("decision, shared"), "{list}");
    let doctor = ada.interleaf(&["doctor"]).out();
    let place = format!("git notes of {} (last 20", origin.folder.display());
    assert!(doctor.contains(&place), "{doctor}");
}

#[test]
fn a_person_trusts_an_author_and_takes_it_back() {
    let (_origin, ada, ben) = two();
    let id = ada.remember("We keep payments idempotent by order id.");
    ada.sync();
    ben.sync();

    let unasked = ben.interleaf(&["memory", "trust", "Ada"]);
    assert!(unasked.err().contains("interleaf memory trust Ada --yes"), "{}", unasked.err());
    ben.interleaf(&["memory", "trust", "Ada", "--yes"]).success();
    assert_eq!(ben.memory(&id)["origin"], "assistant");
    assert!(ben.interleaf(&["memory", "trust"]).success().contains("trusted since"));
    ben.interleaf(&["memory", "distrust", "Ada"]).success();

    assert_eq!(ben.memory(&id)["origin"], "shared");
    let unknown = ben.interleaf(&["memory", "trust", "Eve", "--yes"]);
    assert!(unknown.code == Some(1) && unknown.err().contains("Eve"), "{}", unknown.err());
}

#[test]
fn notes_stand_at_their_commit_beside_the_text_of_others() {
    let (origin, ada, ben) = two();
    let reference = ["notes", "--ref", "interleaf/decision"];
    ben.scratch.git(&[&reference[..], &["add", "-m", "Reviewed by Ben"]].concat());
    ben.sync();
    ada.remember("We keep payments idempotent by order id.");
    ada.sync();
    ben.remember("We chose Postgres, because two services write at once.");
    ben.sync();
    ada.sync();

    for clone in [&ada, &ben] {
        let note = clone.scratch.git(&[&reference[..], &["show"]].concat());
        for part in ["Reviewed by Ben", "idempotent by order id", "We chose Postgres"] {
            assert_eq!(note.lines().filter(|line| line.contains(part)).count().min(1), 1, "{part}: {note}");
        }
        clone.scratch.git(&["fsck", "--strict", "--no-dangling"]);
    }
    origin.git(&["fsck", "--strict", "--no-dangling"]);
    let configuration = ada.scratch.git(&["config", "--local", "--list"]);
    assert!(!configuration.contains("notes"), "{configuration}");
    assert_eq!(ada.scratch.git(&["for-each-ref", "--format=%(refname)", "refs/interleaf"]), "");
}

#[test]
fn what_is_retired_or_made_private_is_retired_elsewhere_and_stays_so() {
    let (_origin, ada, ben) = two();
    let retired = ada.remember("We keep payments idempotent by order id.");
    let private = ada.remember("Otters sleep holding hands in the zoo of Basel.");
    ada.sync();
    ben.sync();

    ada.interleaf(&["forget", &retired, "--yes"]).success();
    ada.interleaf(&["memory", "private", &private]).success();
    ada.sync();
    let came = ben.sync();
    ben.sync();
    ada.sync();

    assert!(came.contains("2 memories retired"), "{came}");
    assert_eq!((ben.active().len(), ada.active().len()), (0, 1));
    assert_eq!(ada.memory(&private)["status"], "active");
    ada.interleaf(&["memory", "private", &private, "--off"]).success();
    ada.sync();
    ben.sync();
    ada.sync();
    assert_eq!((ada.memory(&private)["status"].as_str(), ben.active().len()), (Some("active"), 1));
    let by_ben = ben.interleaf(&["memory", "private", &private]);
    assert!(by_ben.code == Some(1) && by_ben.err().contains("Ada wrote it"), "{}", by_ben.err());
}

#[test]
fn a_purge_removes_a_secret_with_its_history_everywhere() {
    let (origin, ada, ben) = two();
    let id = ada.remember("The door code of the lab is seven two nine one.");
    ada.sync();
    ben.sync();

    let purged = ada.interleaf(&["forget", &id, "--purge", "--yes"]).success();
    ada.sync();
    let refused = ben.interleaf(&["sync"]);
    assert_eq!((refused.code, refused.out().matches(&id).count()), (Some(1), 1), "{}", refused.out());
    ben.interleaf(&["memory", "trust", "Ada", "--yes"]).success();
    ben.sync();

    assert!(purged.contains("Deleted for good"), "{purged}");
    assert!(ben.interleaf(&["memory", "show", &id]).code != Some(0));
    let history = origin.git(&["log", "-p", "--all", "--", "."]);
    assert!(!history.contains("door code"), "{history}");
    let files = [&ada, &ben].map(|clone| files_below(&clone.scratch.interleaf_home)).concat();
    for file in files {
        let bytes = std::fs::read(&file).expect("readable");
        assert!(!bytes.windows(9).any(|part| part == b"door code"), "{}", file.display());
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn a_secret_that_somebody_pushed_is_not_taken_over() {
    let (_origin, ada, ben) = two();
    let id = ada.remember("We keep payments idempotent by order id.");
    ada.sync();
    let reference = ["notes", "--ref", "interleaf/decision"];
    let note = ada.scratch.git(&[&reference[..], &["show"]].concat());
    let secret = format!("AKIA{}", "QWERTYUIOPASDFGH");
    let forged =
        note.replace("We keep payments idempotent by order id.\n", &format!("The key is {secret}\n"));
    assert_ne!(forged, note);
    ada.scratch.git(&[&reference[..], &["add", "-f", "-m", &forged]].concat());
    ada.scratch.git(&["push", "--quiet", "origin", "refs/notes/interleaf/decision"]);

    ben.sync();

    let text = ben.memory(&id)["text"].as_str().expect("a text").to_owned();
    assert!(text.contains("The key is") && !text.contains(&secret), "{text}");
}

#[test]
fn broken_entries_are_named_and_left_alone_and_the_others_come_in() {
    let (_origin, ada, ben) = two();
    ada.remember("We keep payments idempotent by order id.");
    ada.sync();
    let reference = ["notes", "--ref", "interleaf/decision"];
    let broken = "---\nid: \"broken1234\"\ncategory: \"decision\"\nlines: 1\n---\nno times";
    ada.scratch.git(&[&reference[..], &["append", "-m", broken]].concat());
    ada.scratch.git(&["push", "--quiet", "origin", "refs/notes/interleaf/decision"]);

    let synced = ben.interleaf(&["sync", "--to", "git-notes", "--yes"]);

    assert_eq!(synced.code, Some(1), "{}", synced.err());
    assert!(synced.out().contains("1 memory came in") && synced.out().contains("stamps"), "{}", synced.out());
    let note = ben.scratch.git(&[&reference[..], &["show"]].concat());
    assert!(note.contains("broken1234"), "{note}");
}

#[test]
fn a_remote_that_cannot_be_reached_loses_nothing() {
    let (origin, ada, ben) = two();
    ada.remember("We keep payments idempotent by order id.");
    let away = origin.folder.with_extension("away");
    std::fs::rename(&origin.folder, &away).expect("renamed");

    let failed = ada.interleaf(&["sync", "--to", "git-notes", "--yes"]);
    std::fs::rename(&away, &origin.folder).expect("renamed");
    ada.sync();
    ben.sync();

    assert_eq!(failed.code, Some(1), "{}", failed.out());
    assert_eq!(ben.active().len(), 1);
}

#[test]
fn a_password_in_the_remote_s_address_is_neither_shown_nor_kept() {
    let ada = Origin::new().clone_for("Ada");
    ada.remember("We keep payments idempotent by order id.");
    let address = ["http://ada:", PASSWORD, "@127.0.0.1:1/shop.git"].concat();
    ada.scratch.git(&["remote", "set-url", "origin", &address]);

    let calls: [&[&str]; 6] = [
        &["sync", "--to", "git-notes", "--dry-run"],
        &["sync", "--to", "git-notes", "--yes"],
        &["sync", "--json"],
        &["doctor"],
        &["doctor", "--json"],
        &["sync", "--stop"],
    ];
    for arguments in calls {
        let printed = ada.interleaf(arguments);
        let text = printed.out() + &printed.err();
        assert!(!text.contains(PASSWORD), "{arguments:?}: {text}");
        assert!(!arguments.contains(&"--yes") || text.contains("127.0.0.1:1/shop.git"), "{text}");
    }
    for file in files_below(&ada.scratch.interleaf_home) {
        let bytes = std::fs::read(&file).expect("it can be read");
        let holds = bytes.windows(PASSWORD.len()).any(|window| window == PASSWORD.as_bytes());
        assert!(!holds, "{}", file.display());
    }
}

/// The names of the files of a pushed tree may hold line feeds, and a stream of commands for git has the
/// paths on lines of their own.
#[test]
fn a_file_name_in_pushed_notes_is_no_command_and_does_no_harm() {
    let (origin, ada, ben) = two();
    let id = ada.remember("We keep payments idempotent by order id.");
    ada.sync();
    ben.sync();
    let (head, notes) = (ben.scratch.git(&["rev-parse", "main"]), "refs/notes/interleaf/decision");
    let git_as = |arguments: &[&str]| {
        origin.git(&[&["-c", "user.name=m", "-c", "user.email=m@example.org"], arguments].concat())
    };
    let evil = git_as(&["commit-tree", "-m", "evil", "HEAD^{tree}"]).trim().to_owned();

    let name = format!(
        "x\ndata 0\n\nreset refs/heads/main\nfrom {evil}\n\ncommit refs/interleaf/junk\n\
         committer a <a@a> 0 +0000"
    );
    for text in ["one\ntwo\n", "one\n"] {
        let (mut kind, mut object) =
            ("100644 blob", origin.pipe(&["hash-object", "-w", "--stdin"], text.as_bytes()));
        let mut parts: Vec<&str> = name.split('/').collect();
        while parts.len() > 1 {
            let inner = format!("{kind} {}\t{}\0", object.trim(), parts.remove(parts.len() - 1));
            (kind, object) = ("040000 tree", origin.pipe(&["mktree", "-z"], inner.as_bytes()));
        }
        let odd = format!("{kind} {}\t{}\0", object.trim(), parts[0]);
        let list = origin.git(&["ls-tree", "-z", notes]) + &odd;
        let tree = origin.pipe(&["mktree", "-z"], list.as_bytes());
        let commit = ["commit-tree", "-p", notes, "-p", &evil, "-m", "x", tree.trim()];
        let commit = git_as(&commit);
        origin.git(&["update-ref", notes, commit.trim()]);
        ada.remember("The vendor closes its sandbox at night.");
        ben.remember("Invoices go out on the first day of the month.");
        ben.sync();
        ada.sync();
    }

    assert_eq!(ben.scratch.git(&["rev-parse", "main"]), head);
    assert_eq!(ben.memory(&id)["status"], "active");
    assert!(!ben.scratch.git(&["for-each-ref"]).contains("junk"));
}

#[test]
fn a_repository_with_sha_256_names_keeps_its_notes() {
    let scratch = Scratch::new();
    std::fs::remove_dir_all(scratch.project.join(".git")).expect("it is ours");
    scratch.git(&["init", "--quiet", "--object-format=sha256", "--initial-branch", "main"]);
    scratch.git(&["config", "user.name", "Test"]);
    scratch.git(&["config", "user.email", "test@localhost"]);
    commit(&scratch, "first");
    let clone = Clone { scratch };
    clone.remember("We keep payments idempotent by order id.");

    assert!(clone.sync().contains("1 memory went out"));
    let notes = clone.scratch.git(&["notes", "--ref", "interleaf/decision", "list"]);
    assert_eq!(notes.lines().count(), 1, "{notes}");
}

#[test]
fn what_a_server_refuses_is_told_in_its_words_and_a_left_lock_is_named() {
    let (origin, ada, _) = two();
    ada.remember("We keep payments idempotent by order id.");
    let hook = origin.folder.join("hooks/pre-receive");
    std::fs::write(&hook, "#!/bin/sh\necho 'no notes on this server' >&2\nexit 1\n").expect("written");
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).expect("ours");
    let refused = ada.interleaf(&["sync", "--to", "git-notes", "--yes"]);
    assert_eq!(refused.code, Some(1), "{}", refused.out());
    assert!(refused.err().contains("no notes on this server"), "{}", refused.err());
    assert!(!refused.err().contains("changed by others"), "{}", refused.err());

    std::fs::remove_file(&hook).expect("ours");
    let lock = ada.scratch.project.join(".git/refs/notes/interleaf/decision.lock");
    std::fs::create_dir_all(lock.parent().expect("a folder")).expect("ours");
    std::fs::write(&lock, "").expect("ours");
    ada.remember("Invoices go out on the first day of the month.");
    let locked = ada.interleaf(&["sync", "--to", "git-notes", "--yes"]);
    assert!(locked.err().contains("decision.lock") && locked.err().contains("delete"), "{}", locked.err());

    std::fs::remove_file(&lock).expect("ours");
    assert!(ada.sync().contains("memor"));
}

#[test]
fn worktrees_detached_heads_shallow_clones_and_rewritten_commits_keep_their_memories() {
    let (origin, ada, ben) = two();
    commit(&ada.scratch, "second");
    let before = ada.remember("We keep payments idempotent by order id.");
    ada.scratch.git(&["commit", "--quiet", "--amend", "-m", "rewritten"]);
    ada.scratch.git(&["checkout", "--quiet", "--detach"]);
    let detached = ada.remember("Otters sleep holding hands in the zoo of Basel.");
    ada.sync();
    let shallow = origin.clone_for("Cleo");
    shallow.scratch.git(&["fetch", "--quiet", "--depth", "1", "origin"]);

    ben.sync();
    shallow.sync();

    for clone in [&ben, &shallow] {
        assert_eq!((clone.memory(&before)["status"].as_str(), clone.active().len()), (Some("active"), 2));
        assert_eq!(clone.memory(&detached)["status"], "active");
    }
}

#[test]
fn without_a_commit_it_says_what_to_do_and_without_a_remote_notes_are_local() {
    let alone = empty_repository();
    alone.interleaf(&["remember", "We keep payments idempotent by order id."]).success();

    let empty = alone.interleaf(&["sync", "--to", "git-notes", "--yes"]);
    commit(&alone, "first");
    alone.interleaf(&["sync", "--to", "git-notes", "--yes"]).success();

    assert!(empty.err().contains("commit something"), "{}", empty.err());
    assert!(alone.git(&["for-each-ref", "refs/notes"]).contains("refs/notes/interleaf/"));
}

#[test]
fn the_worker_exchanges_by_itself_where_the_place_was_accepted() {
    let (origin, ada, ben) = two();
    ada.interleaf(&["work"]).success();
    ada.remember("We keep payments idempotent by order id.");
    ada.interleaf(&["work"]).success();
    assert_eq!(origin.git(&["for-each-ref", "refs/notes"]), "", "nobody accepted it");
    ada.sync();
    let id = ada.remember("Otters sleep holding hands in the zoo of Basel.");

    ada.interleaf(&["work"]).success();
    ben.sync();

    assert_eq!(ben.memory(&id)["status"], "active");
    let log = ada.interleaf(&["log", "--json", "-n", "50"]).success();
    assert!(log.contains("memories that went out: 1"), "{log}");
}

#[test]
fn a_session_that_begins_fetches_what_others_wrote() {
    let (_origin, ada, ben) = two();
    ben.sync();
    let id = ada.remember("We keep payments idempotent by order id.");
    ada.sync();
    // The last exchange was just now.
    ben.interleaf(&["sync"]).success();
    let later = ada.remember("Otters sleep holding hands in the zoo of Basel.");
    ben.remember("We chose Postgres, because two services write at once.");
    ada.sync();

    let start = ben.scratch.event("SessionStart", serde_json::json!({ "source": "startup" }));
    ben.scratch.hook(start).success();

    let begun = Instant::now();
    while ben.interleaf(&["memory", "show", &later]).code != Some(0) {
        assert!(begun.elapsed() < HANG_TIMEOUT, "the worker did not fetch it");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(ben.memory(&id)["status"], "active");
}

#[test]
fn doctor_names_an_exchange_that_keeps_failing() {
    let (origin, ada, _) = two();
    ada.sync();
    std::fs::remove_dir_all(&origin.folder).expect("it is ours");
    for _ in 0..3 {
        assert_eq!(ada.interleaf(&["sync"]).code, Some(1));
    }

    let report = ada.interleaf(&["doctor", "--json"]).out();

    assert!(report.contains("the exchange failed 3 times in a row"), "{report}");
}

#[test]
fn a_repository_s_configuration_starts_no_program() {
    let (_origin, ada, _) = two();
    ada.remember("We keep payments idempotent by order id.");
    let started = ada.scratch.root.join("started");
    let program = ada.scratch.root.join("program");
    std::fs::write(&program, format!("#!/bin/sh\ntouch {}\nexit 1\n", started.display())).expect("writable");
    ada.scratch.git(&["update-index", "--refresh"]);
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("ours");
    let program = program.display().to_string();
    for key in [
        "core.sshCommand",
        "core.fsmonitor",
        "credential.helper",
        "remote.origin.uploadpack",
        "remote.origin.receivepack",
        "core.gitProxy",
        "core.askPass",
        "gpg.program",
    ] {
        ada.scratch.git(&["config", key, &program]);
    }
    for hook in ["reference-transaction", "pre-push", "post-checkout"] {
        std::fs::copy(&program, ada.scratch.project.join(".git/hooks").join(hook)).expect("writable");
    }

    ada.sync();

    assert!(!started.exists(), "a program of the repository was started");
}

#[test]
fn a_backup_on_a_second_machine_is_another_device() {
    let (_origin, ada, second) = two();
    let id = ada.remember("We keep payments idempotent by order id.");
    ada.sync();
    let file = ada.scratch.root.join("copy.db").display().to_string();
    ada.interleaf(&["memory", "backup", &file]).success();
    second.interleaf(&["memory", "backup", "--restore", "--yes", &file]).success();
    assert_eq!(second.memory(&id)["origin"], "assistant");

    ada.interleaf(&["memory", "rate", &id, "up"]).success();
    let text = "We keep payments idempotent by order id and day.";
    let version = second.memory(&id)["version"].to_string();
    let update = ["memory", "update", &id, "--version", &version, "--reason", "measured", "--text", text];
    second.interleaf(&update).success();
    second.sync();
    ada.sync();
    second.sync();

    assert_eq!(ada.active(), second.active());
    assert_eq!(ada.memory(&id)["text"], text);
}

#[test]
fn whoever_changed_a_memory_is_known_and_can_be_trusted() {
    let (_origin, ada, ben) = two();
    let id = ada.remember("We keep payments idempotent by order id.");
    ada.sync();
    ben.sync();
    let text = "We keep payments idempotent by order id and day.";
    let version = ben.memory(&id)["version"].to_string();
    let update = ["memory", "update", &id, "--version", &version, "--reason", "measured", "--text", text];
    ben.interleaf(&update).success();
    ben.sync();
    ada.sync();
    assert_eq!(ada.memory(&id)["origin"], "shared");

    let known = ada.interleaf(&["memory", "trust", "--json"]).success();
    let known: Value = serde_json::from_str(known.trim()).expect("one author");
    ada.interleaf(&["memory", "trust", known["device"].as_str().expect("a device"), "--yes"]).success();

    assert_eq!(ada.memory(&id)["origin"], "assistant");
}

#[test]
fn every_place_can_be_stopped_also_one_that_is_gone() {
    let (_origin, ada, _) = two();
    ada.sync();
    ada.scratch.git(&["remote", "set-url", "origin", "/nowhere/else.git"]);
    assert!(ada.interleaf(&["sync"]).err().contains("no longer the place"));
    let failed = ada.interleaf(&["sync", "--to", "git-notes", "--yes"]);

    let stopped = ada.interleaf(&["sync", "--stop"]).success();

    assert_eq!(
        (failed.code, stopped.lines().count()),
        (Some(1), 1),
        "a place that failed is not chosen: {stopped}"
    );
    assert!(ada.interleaf(&["sync", "--stop"]).success().contains("No place is in use."));
}

#[test]
fn as_json_it_says_the_same() {
    let (_origin, ada, _) = two();
    ada.remember("We keep payments idempotent by order id.");

    let report = ada.interleaf(&["sync", "--to", "git-notes", "--yes", "--json"]).success();

    let last = report.lines().last().expect("an object");
    let report: Value = serde_json::from_str(last).expect("an object");
    assert_eq!(report["sent"].as_array().map(Vec::len), Some(1), "{report}");
}

#[test]
fn notes_that_git_copied_to_a_rewritten_commit_are_the_same_memories() {
    let (origin, ada, ben) = two();
    commit(&ada.scratch, "about payments");
    let id = ada.remember("We keep payments idempotent by order id.");
    ada.sync();
    ada.scratch.git(&["config", "--add", "notes.rewriteRef", "refs/notes/interleaf/*"]);
    ada.scratch.git(&["commit", "--quiet", "--amend", "-m", "about payments, amended"]);
    let note = ada.scratch.git(&["notes", "--ref", "interleaf/decision", "show"]);
    assert!(note.contains("idempotent"), "{note}");

    ada.sync();
    ben.sync();
    assert_eq!((ben.active().len(), ben.active()), (1, ada.active()));

    ada.interleaf(&["forget", &id, "--yes"]).success();
    ada.sync();
    ben.sync();
    assert!(ben.active().is_empty() && ada.active().is_empty());
    let all = origin.git(&["for-each-ref", "--format=%(refname)", "refs/notes"]);
    assert!(all.contains("refs/notes/interleaf/decision"), "{all}");
}
