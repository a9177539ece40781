//! Tests of the settings of categories, and of the retention of memories.

use super::*;
use crate::memory::Category;

#[test]
fn settings_of_one_category_do_not_change_the_others() {
    let user = "[memory]\ngrace_days = 7\narchive_retired = true\n[categories.decision]\nenabled = \
                false\nauto_capture = false\nretention_days = 10\nmax_kept = 4\ndescription = \" what we\\n \
                chose \"\n";
    let policy = load(user, "").policy;

    let decision = policy.of(Category::Decision);
    assert_eq!((decision.enabled, decision.auto_capture), (false, false));
    assert_eq!((decision.retention_days, decision.max_kept), (10, 4));
    assert_eq!(decision.description, "what we chose");
    assert_eq!((policy.grace_days, policy.archive_retired), (7, true));
    assert_eq!(policy.of(Category::Runbook), Config::default().policy.of(Category::Runbook));
}

#[test]
fn a_project_can_disable_categories_but_never_enable_them() {
    let off = "[categories.decision]\nenabled = false\nauto_capture = false\n";
    let on = "[categories.decision]\nenabled = true\nauto_capture = true\n";
    let switches = |user, project| {
        let config = load(user, project);
        let decision = config.policy.of(Category::Decision);
        (decision.enabled, decision.auto_capture, config.warnings.len())
    };

    assert_eq!(switches("", off), (false, false, 0));
    assert_eq!(switches("", on), (true, true, 0));
    assert_eq!(switches(off, on), (false, false, 0));
    assert_eq!(switches(on, off), (true, true, 0), "the user's value applies");
}

#[test]
fn a_cloned_project_cannot_make_memories_expire() {
    let project = "[memory]\ngrace_days = 1\narchive_retired = true\n[categories.decision]\nretention_days \
                   = 1\nmax_kept = 1\n";
    let config = load("", project);

    assert_eq!(config.warnings.len(), 4, "{:?}", config.warnings);
    assert!(
        config.warnings.iter().all(|warning| warning.contains("cannot be set by a project")),
        "{:?}",
        config.warnings
    );
    assert_eq!(config.policy, Config::default().policy);
}

#[test]
fn an_unknown_category_suggests_the_most_similar_one() {
    let config =
        load("[categories.decisons]\nenabled = false\n[categories.tech-debt]\nenabled = false\n", "");

    let notes = [
        "config/config.toml:1: `categories.decisons` is not a known key; did you mean `categories.decision`?",
        "config/config.toml:3: `categories.tech-debt` is not a known key; did you mean \
         `categories.tech_debt`?",
    ];
    assert_eq!(config.warnings, notes);
}

#[test]
fn numbers_out_of_range_and_strings_for_numbers_are_reported() {
    let user = "[memory]\ngrace_days = 0\n[categories.decision]\nretention_days = -1\nmax_kept = \"all\"\n";
    let notes = [
        "config/config.toml:2: `memory.grace_days` must be a whole number from 1 to 36500, not 0",
        "config/config.toml:4: `categories.decision.retention_days` must be a whole number from 0 to 36500, \
         not -1",
        "config/config.toml:5: `categories.decision.max_kept` must be a whole number from 0 to 1000000, not \
         \"all\"",
    ];
    assert_eq!(load(user, "").warnings, notes);
}
