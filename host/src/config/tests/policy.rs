//! What is set for categories of memories, and how long they are kept.

use super::*;
use crate::memory::Category;

#[test]
fn a_person_sets_what_holds_for_a_category_and_others_stay() {
    let person = "[memory]\ngrace_days = 7\narchive_retired = true\n[categories.decision]\nenabled = false\n\
                  auto_capture = false\nretention_days = 10\nmax_kept = 4\ndescription = \" what we\\n chose \"\n";
    let policy = load(person, "").policy;

    let decision = policy.of(Category::Decision);
    assert_eq!((decision.enabled, decision.auto_capture), (false, false));
    assert_eq!((decision.retention_days, decision.max_kept), (10, 4));
    assert_eq!(decision.description, "what we chose");
    assert_eq!((policy.grace_days, policy.archive_retired), (7, true));
    assert_eq!(policy.of(Category::Runbook), Config::default().policy.of(Category::Runbook));
}

#[test]
fn a_project_switches_categories_off_and_never_on() {
    let off = "[categories.decision]\nenabled = false\nauto_capture = false\n";
    let on = "[categories.decision]\nenabled = true\nauto_capture = true\n";
    let switches = |person, project| {
        let config = load(person, project);
        let decision = config.policy.of(Category::Decision);
        (decision.enabled, decision.auto_capture, config.warnings.len())
    };

    assert_eq!(switches("", off), (false, false, 0));
    assert_eq!(switches("", on), (true, true, 0));
    assert_eq!(switches(off, on), (false, false, 0));
    assert_eq!(switches(on, off), (true, true, 0), "the person's word wins");
}

#[test]
fn a_clone_cannot_have_memories_expire() {
    let project = "[memory]\ngrace_days = 1\narchive_retired = true\n[categories.decision]\nretention_days = 1\nmax_kept = 1\n";
    let config = load("", project);

    assert_eq!(config.warnings.len(), 4, "{:?}", config.warnings);
    assert!(
        config.warnings.iter().all(|note| note.contains("is not for a project to set")),
        "{:?}",
        config.warnings
    );
    assert_eq!(config.policy, Config::default().policy);
}

#[test]
fn a_category_that_does_not_exist_is_told_with_the_one_that_was_meant() {
    let config =
        load("[categories.decisons]\nenabled = false\n[categories.tech-debt]\nenabled = false\n", "");

    let notes = [
        "config/config.toml:1: `categories.decisons` is not known; did you mean `categories.decision`?",
        "config/config.toml:3: `categories.tech-debt` is not known; did you mean `categories.tech_debt`?",
    ];
    assert_eq!(config.warnings, notes);
}

#[test]
fn numbers_out_of_range_and_words_for_numbers_are_told() {
    let person = "[memory]\ngrace_days = 0\n[categories.decision]\nretention_days = -1\nmax_kept = \"all\"\n";
    let notes = [
        "config/config.toml:2: `memory.grace_days` must be a whole number from 1 to 36500, not 0",
        "config/config.toml:4: `categories.decision.retention_days` must be a whole number from 0 to 36500, not -1",
        "config/config.toml:5: `categories.decision.max_kept` must be a whole number from 0 to 1000000, not \"all\"",
    ];
    assert_eq!(load(person, "").warnings, notes);
}
