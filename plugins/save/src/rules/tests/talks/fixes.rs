//! Which fixes are kept: what the person says after one, what counts as one, and how it is told.

use super::{Expected, mined, table, wrong};
use crate::find::Category::Runbook;

const FIXED: &str = "u: run the checks\n$ make check\n- cannot connect to postgres on 5432\n$ docker compose up -d db\n+ Started\n$ make check\n+ ok\na: The checks need the database: `docker compose up -d db` first.";

const KEPT: &[Expected] = &[(Runbook, &["docker compose up -d db"])];

/// Whether the fix is still there after the person said this.
fn stays(said: &str) -> bool {
    let mined = mined(&format!("{FIXED}\nu: {said}"));
    mined.finds.iter().any(|find| find.category == Runbook)
}

#[test]
fn a_fix_stays_where_the_person_goes_on_to_something_else() {
    assert_eq!(wrong(FIXED, KEPT), None);
    for said in [
        "NO. never apply from here, only the pipeline may",
        "k. never run the load tests from here, they cost money",
        "ok dont do that in staging though",
        "good. please stop using print, we have a logger",
        "nice. dont forget to push",
        "no idea why that ever worked. anyway, next: the csv export",
        "stop here for today",
        "no worries. next the importer",
        "super, aber bitte noch nicht pushen",
        "ok pero no subas nada todavía",
        "merci. ne touche pas au reste",
        "never use float for money, by the way",
        "no emojis in commit messages please",
        "stop, that's enough for today",
    ] {
        assert!(stays(said), "{said}");
    }
}

#[test]
fn a_fix_goes_where_the_person_refuses_it() {
    for said in [
        "no thats wrong, the db must not run in docker",
        "no",
        "nope, undo that",
        "nein, das ist falsch",
        "no, never use docker here, take the local postgres",
        "don't do that, there is a script for it",
        "not like that please",
        "ok, but undo it again",
        "stop! not with compose",
        "non, pas comme ça",
    ] {
        assert!(!stays(said), "{said}");
    }
}

#[test]
fn a_no_to_a_question_is_none_to_the_fix() {
    table(&[(
        "u: see why plan fails\n$ terraform plan\n- Error: Backend initialization required\n$ terraform init -reconfigure\n+ ok\n$ terraform plan\n+ 2 to add\na: The backend moved, so `terraform init -reconfigure` was needed. Shall I apply it now?\nu: no\na: Fine.",
        &[(Runbook, &["init -reconfigure"])],
    )]);
}
