//! Places that are in use and take no part in an exchange: they are named, with the command that stops them.

use super::clones::Origin;
use super::team::Team;
use serde_json::Value;

#[test]
fn a_new_place_is_offered_together_with_those_in_use() {
    let origin = Origin::new();
    let ada = origin.clone_for("Ada");
    ada.sync();
    let name = format!("git notes of {}", origin.folder.display());

    let shown = ada.interleaf(&["sync", "--to", "files", "--dry-run"]).success();
    assert!(shown.contains(&format!("Also in use: {name}\n")), "{shown}");
    assert!(shown.contains(&format!("interleaf sync --stop '{name}'")), "{shown}");

    ada.interleaf(&["sync", "--to", "files", "--yes"]).success();
    let stopped = ada.interleaf(&["sync", "--stop", &name]).success();
    assert_eq!(stopped, format!("No longer exchanged: {name}\n"));
    let synced = ada.interleaf(&["sync"]).success();
    assert!(synced.contains("files in .claude/memory") && !synced.contains("git notes"), "{synced}");
}

#[test]
fn a_former_project_of_a_server_is_named_until_it_is_stopped() {
    let Some(team) = Team::new() else { return };
    let ada = team.member("ada", "write");
    ada.sync();
    team.admin(&["init", "--project", "other"]).success();
    team.admin(&["invite", "ada", "--project", "other"]).success();
    ada.use_server(&team.server.url("ada"), "project = \"other\"");

    let offered = ada.clone.interleaf(&["sync", "--to", "postgres", "--dry-run"]).success();
    let former = "Still in use, but no longer the place of this project: ";
    assert!(offered.contains(former) && offered.contains("interleaf sync --stop '"), "{offered}");
    ada.sync();
    let synced = ada.clone.interleaf(&["sync", "--json"]).success();
    let synced: Value = serde_json::from_str(synced.trim()).expect("an object");
    let name = synced["also_in_use"][0].as_str().expect("a place").to_owned();
    assert!(name.contains("project example.com/team/shop"), "{name}");
    let doctor = ada.clone.interleaf(&["doctor"]).out();
    assert!(doctor.contains("no longer the place of this project"), "{doctor}");

    ada.clone.interleaf(&["sync", "--stop", &name]).success();
    let synced = ada.clone.interleaf(&["sync"]).success();
    assert!(!synced.contains(former) && synced.contains("project other"), "{synced}");
}
