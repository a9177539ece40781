//! What becomes of statements: their quotes, what they point to, what takes them back. Which sentences are
//! statements is measured on the examples in `plugins/save/data`.

use super::{mined, table};
use interleaf_layer::memory::Category::{Constraint, Decision, Preference};

#[test]
fn statements_of_each_category_are_found() {
    table(&[
        ("u: from now on always run the linter before you commit", &[(Preference, &["linter"])]),
        (
            "u: we decided to go with Postgres because one database is less to operate",
            &[(Decision, &["Postgres", "less to operate"])],
        ),
        (
            "u: the vendor's API allows at most 10 requests a second, we can't change that",
            &[(Constraint, &["10"])],
        ),
    ]);
}

#[test]
fn the_task_beside_a_rule_stays_out_of_it() {
    table(&[(
        "u: the login test is red, please fix it. From now on always run the linter before you commit.\n$ npm test\n+ ok\na: Fixed.",
        &[(Preference, &["linter"])],
    )]);
    let mined = mined(
        "u: the login test is red, please fix it. From now on always run the linter before you commit.",
    );
    assert!(!mined.finds[0].text.contains("login"), "{}", mined.finds[0].text);
}

#[test]
fn a_proposal_is_decided_by_a_yes_to_the_question_whether_it_is_fine() {
    let proposal = "u: how should we store it?\na: We would use SQLite instead of Postgres, because there is only one writer.";
    table(&[
        (&format!("{proposal} Does that work for you?\nu: yes"), &[(Decision, &["Decided", "SQLite"])]),
        (&format!("{proposal}\nu: ok thanks"), &[]),
        (&format!("{proposal} Does that work for you?\nu: hm, let me think about it"), &[]),
    ]);
}

#[test]
fn what_the_classifier_finds_joins_no_cheat_sheet_and_is_certain_only_if_it_is_said_to_last() {
    let script = "u: from now on always run the linter before you commit\na: ok\nu: we decided to go with postgres, because one database is less to operate";
    let finds = mined(script).finds;

    assert_eq!(finds.len(), 2);
    for find in &finds {
        assert!(find.tags.iter().all(|tag| tag != "cheat-sheet"), "{find:?}");
        assert_eq!(find.is_tentative(), !find.text.contains("linter"), "{find:?}");
    }
}

#[test]
fn rules_with_different_numbers_for_different_things_are_two() {
    let script = "u: from now on always use 2 spaces in yaml files\na: ok\nu: from now on always use 4 spaces in python files";
    assert_eq!(mined(script).finds.len(), 2);
}
