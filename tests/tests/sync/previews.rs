//! Previews of an exchange: they know what the place knows, and fail as the exchange would.

use std::collections::BTreeSet;

use super::clones::{Clone, Origin};
use super::team::Team;
use interleaf_tests::postgres_server::ADMIN;
use serde_json::Value;

const PAYMENTS: &str = "Payments are idempotent by order id, because webhooks come twice.";

/// Returns an exchange as JSON.
fn json(clone: &Clone, arguments: &[&str]) -> Value {
    let out = clone.interleaf(&[&["sync", "--json"], arguments].concat()).success();
    serde_json::from_str(out.trim()).unwrap_or_else(|error| panic!("{error}: {out}"))
}

#[test]
fn a_preview_knows_the_role_of_the_account() {
    let Some(team) = Team::new() else { return };
    let ben = team.member("ben", "read");
    ben.clone.remember(PAYMENTS);

    let shown = ben.clone.interleaf(&["sync", "--to", "postgres", "--dry-run"]).success();

    assert!(shown.contains("1 change would stay here: your role there does not allow it"), "{shown}");
    assert!(!shown.contains("would go") && !shown.contains("Nothing new"), "{shown}");
    assert_eq!(team.server.sql(ADMIN, "SELECT count(*) FROM interleaf.entry"), "0");
}

#[test]
fn a_preview_after_a_new_role_shows_what_was_withheld() {
    let Some(team) = Team::new() else { return };
    let ben = team.member("ben", "read");
    ben.clone.remember(PAYMENTS);
    ben.sync();
    team.admin(&["invite", "ben", "--role", "write"]).success();

    for _ in 0..2 {
        let shown = ben.clone.interleaf(&["sync", "--dry-run"]).success();
        assert!(shown.contains("1 memory would go:\n  Payments are idempotent"), "{shown}");
        assert!(!shown.contains("would stay"), "{shown}");
    }
    assert!(ben.sync().contains("1 memory went out"));
}

#[test]
fn a_preview_does_not_list_what_the_server_has() {
    let Some(team) = Team::new() else { return };
    let (ada, ben) = (team.member("ada", "write"), team.member("ben", "curate"));
    ada.clone.remember(PAYMENTS);
    ada.sync();
    ben.sync();

    let shown = ben.clone.interleaf(&["sync", "--dry-run"]).success();

    assert!(shown.contains("Nothing new would go there."), "{shown}");
}

#[test]
fn a_preview_fails_at_the_login_as_the_exchange_does() {
    let Some(team) = Team::new() else { return };
    let mut ada = team.member("ada", "write");
    ada.clone.remember(PAYMENTS);
    ada.password = "a-guess".to_owned();
    ada.use_server(&team.server.url("ada"), "");

    let previewed = ada.clone.interleaf(&["sync", "--to", "postgres", "--dry-run", "--json"]);
    let asked = ada.clone.interleaf(&["sync", "--to", "postgres"]);
    let exchanged = ada.try_sync();

    assert_eq!((previewed.code, asked.code, exchanged.code), (Some(1), Some(1), Some(1)));
    assert_eq!((previewed.err(), asked.err()), (exchanged.err(), exchanged.err()));
    assert!(exchanged.err().contains("the password of the account `ada` is wrong"), "{}", exchanged.err());
    assert_eq!(previewed.out(), "", "an error is no JSON");
}

#[test]
fn a_preview_of_notes_fails_without_the_remote_as_the_exchange_does() {
    let origin = Origin::new();
    let ada = origin.clone_for("Ada");
    ada.remember(PAYMENTS);
    std::fs::remove_dir_all(&origin.folder).expect("it is ours");

    let previewed = ada.interleaf(&["sync", "--to", "git-notes", "--dry-run"]);
    let exchanged = ada.interleaf(&["sync", "--to", "git-notes", "--yes"]);

    assert_eq!((previewed.code, exchanged.code), (Some(1), Some(1)));
    assert_eq!(previewed.err(), exchanged.err());
}

#[test]
fn a_preview_of_files_writes_none_and_names_what_cannot_be_read() {
    let origin = Origin::new();
    let ada = origin.clone_for("Ada");
    ada.remember(PAYMENTS);
    ada.scratch.write(".claude/memory/constraints/broken.json", "{");

    let shown = ada.interleaf(&["sync", "--to", "files", "--dry-run"]).success();

    assert!(shown.contains("1 memory would go") && shown.contains("not read: "), "{shown}");
    assert!(!ada.scratch.project.join(".claude/memory/decisions").exists());
}

#[test]
fn a_preview_as_json_has_the_keys_and_values_of_the_exchange() {
    let origin = Origin::new();
    let (ada, ben) = (origin.clone_for("Ada"), origin.clone_for("Ben"));
    ben.remember("Glass orders ship in two boxes.");
    ben.sync();
    ada.remember(PAYMENTS);
    ada.interleaf(&["remember", "--private", "My own token lives in the vault of team nine."]).success();

    let previewed = json(&ada, &["--to", "git-notes", "--dry-run"]);
    let exchanged = json(&ada, &["--to", "git-notes", "--yes"]);

    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(keys(&previewed), keys(&exchanged));
    for key in
        ["place", "sent", "added", "kept", "withheld", "refused", "changed", "retired", "purged", "untrusted"]
    {
        assert_eq!(previewed[key], exchanged[key], "{key}");
    }
    assert_eq!((&previewed["dry_run"], &exchanged["dry_run"]), (&true.into(), &false.into()));
    assert_eq!(previewed["untrusted"][0]["name"], "Ben");
    assert_eq!((previewed["kept"].as_u64(), previewed["added"].as_array().map(Vec::len)), (Some(1), Some(1)));
}

#[test]
fn nobody_is_asked_in_json() {
    let origin = Origin::new();
    let ada = origin.clone_for("Ada");
    ada.remember(PAYMENTS);

    let unasked = ada.interleaf(&["sync", "--to", "git-notes", "--json"]);

    assert_eq!((unasked.code, unasked.out()), (Some(2), String::new()));
    assert!(unasked.err().contains("interleaf sync --to git-notes --yes --json"), "{}", unasked.err());
}
