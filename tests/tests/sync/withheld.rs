//! Changes that a server does not take from an account: they are told until they are taken.

use super::team::{Member, Team};
use serde_json::Value;

const PAYMENTS: &str = "Payments are idempotent by order id, because webhooks come twice.";

/// Returns a team in which Ben, who may change what he added, has retired a memory of Ada.
fn ben_retires_a_memory_of_ada() -> Option<(Team, Member, Member, String)> {
    let team = Team::new()?;
    let (ada, ben) = (team.member("ada", "write"), team.member("ben", "write"));
    let id = ada.clone.remember(PAYMENTS);
    ada.sync();
    ben.sync();
    ben.clone.interleaf(&["forget", &id, "--yes"]).success();
    Some((team, ada, ben, id))
}

fn json(member: &Member, arguments: &[&str]) -> Value {
    let out = member.clone.interleaf(arguments).out();
    serde_json::from_str(out.trim()).unwrap_or_else(|error| panic!("{error}: {out}"))
}

/// Returns the numbers of withheld changes: of `sync`, of its preview, and of `doctor`.
fn counts(member: &Member) -> (usize, usize, u64) {
    let of_sync = |value: Value| value["withheld"].as_array().expect("a list").len();
    let preview = of_sync(json(member, &["sync", "--dry-run", "--json"]));
    let done = of_sync(json(member, &["sync", "--json"]));
    let doctor = json(member, &["doctor", "--json"]);
    let places = doctor["withheld"].as_object().expect("places by name");
    (preview, done, places.values().filter_map(Value::as_u64).sum())
}

#[test]
fn a_withheld_change_is_told_until_the_role_allows_it() {
    let Some((team, ada, ben, id)) = ben_retires_a_memory_of_ada() else { return };

    for _ in 0..2 {
        let synced = ben.sync();
        assert!(synced.contains("1 change stays here: your role there does not allow it"), "{synced}");
        assert!(synced.contains("interleaf team invite"), "{synced}");
    }
    assert_eq!(counts(&ben), (1, 1, 1));
    let doctor = ben.clone.interleaf(&["doctor"]).out();
    assert!(doctor.contains("1 change stays here: your role there does not allow it"), "{doctor}");
    let change = &json(&ben, &["sync", "--json"])["withheld"][0];
    assert_eq!((change["id"].as_str(), change["change"].as_str()), (Some(id.as_str()), Some("retired")));

    team.admin(&["invite", "ben", "--role", "curate"]).success();
    let synced = ben.sync();
    assert!(synced.contains("1 retirement went out") && !synced.contains("stays here"), "{synced}");
    assert_eq!(counts(&ben), (0, 0, 0));
    ada.sync();
    assert!(ada.clone.active().is_empty());
}

#[test]
fn a_change_that_somebody_else_makes_is_no_longer_withheld() {
    let Some((_team, ada, ben, id)) = ben_retires_a_memory_of_ada() else { return };
    ben.sync();

    ada.clone.interleaf(&["forget", &id, "--yes"]).success();
    ada.sync();
    let synced = ben.sync();

    assert!(!synced.contains("stays here"), "{synced}");
    assert_eq!(counts(&ben), (0, 0, 0));
}

#[test]
fn a_place_out_of_use_withholds_nothing_until_it_is_used_again() {
    let Some((_team, _ada, ben, _)) = ben_retires_a_memory_of_ada() else { return };
    ben.sync();

    ben.clone.interleaf(&["sync", "--stop"]).success();
    let doctor = ben.clone.interleaf(&["doctor"]).out();
    assert!(!doctor.contains("stays here"), "{doctor}");

    let synced = ben.sync();
    assert!(synced.contains("1 change stays here"), "{synced}");
    assert_eq!(counts(&ben), (1, 1, 1));
}

#[test]
fn a_purge_leaves_no_title_in_what_is_recorded_of_withheld_changes() {
    let Some(team) = Team::new() else { return };
    let ben = team.member("ben", "read");
    let id = ben.clone.remember("The launch is called Bluebird until May.");
    ben.sync();

    ben.clone.interleaf(&["forget", &id, "--purge", "--yes"]).success();
    let withheld = json(&ben, &["sync", "--json"])["withheld"].to_string();

    assert!(withheld.contains(&id) && !withheld.contains("Bluebird"), "{withheld}");
}
