//! Invariants of the stored memories and the acknowledged changes at the end of the test.

use super::acknowledged::{Acknowledged, Journal};
use super::history::History;
use super::operations::STATEMENTS;
use super::project::CAPS;
use serde_json::Value;
use std::collections::HashMap;

/// Checks all invariants.
pub fn check(exported: &[Value], journal: &Journal) {
    let all: Vec<History> = exported.iter().map(History).collect();
    check_acknowledged(&all, journal);
    check_refused(&all, journal);
    for memory in &all {
        assert!(memory.is_complete(), "a part of its history is lost: {}", memory.0);
        if memory.has_all_entries() {
            assert_eq!(memory.status_at(memory.version()), memory.0["status"], "{}", memory.0);
        }
    }
    check_caps(&all);
    check_links(&all);
    check_forgotten(&all);
}

/// Every acknowledged change is there, once, at the version that the answer named.
fn check_acknowledged(all: &[History], journal: &Journal) {
    let by_id: HashMap<&str, &History> = all.iter().map(|memory| (memory.id(), memory)).collect();
    let of = |id: &str| *by_id.get(id).unwrap_or_else(|| panic!("{id} was acknowledged and is gone"));
    let mut counted: HashMap<(String, &str), usize> = HashMap::new();
    for change in journal.all_changes() {
        match &change {
            Acknowledged::Created { id } => drop(of(id)),
            Acknowledged::Changed { id, reason } => {
                let found = of(id).count(reason);
                assert!(found == 1 || !of(id).has_all_entries(), "{change:?}, {found} times: {}", of(id).0);
            }
            Acknowledged::ChangedTo { id, version, reason } => {
                let what = of(id).what(*version);
                let there = what.map_or(!of(id).has_all_entries(), |what| what.ends_with(reason.as_str()));
                assert!(there, "{change:?}: {}", of(id).0);
            }
            Acknowledged::HadStatus { id, version, status } => {
                let actual = of(id).status_at(*version);
                assert!(
                    actual == status || !of(id).has_all_entries(),
                    "{change:?}, but {actual}: {}",
                    of(id).0
                );
            }
            Acknowledged::Counted { id, what } => *counted.entry((id.clone(), what)).or_default() += 1,
        }
    }
    for ((id, what), times) in counted {
        assert!(
            of(&id).count(what) == times || !of(&id).has_all_entries(),
            "{what} {times} times: {}",
            of(&id).0
        );
    }
}

/// Checks that no refused operation was done.
fn check_refused(all: &[History], journal: &Journal) {
    for reason in journal.all_refused().iter().filter(|reason| reason.starts_with("op ")) {
        let done = all.iter().find(|memory| memory.count(reason) > 0);
        assert!(done.is_none(), "{reason} was refused: {}", done.expect("there").0);
    }
}

fn check_caps(all: &[History]) {
    for (category, most) in CAPS {
        let count = active(all).filter(|memory| memory.0["category"] == category).count() as u64;
        assert!(count <= most, "there are {count} of {category}, and {most} may be");
    }
}

/// Checks that a superseded memory and its successor are not both active.
fn check_links(all: &[History]) {
    for new in active(all) {
        let old = new.0["supersedes"].as_array().into_iter().flatten();
        let old: Vec<&Value> = old.collect();
        let both = active(all).find(|memory| old.contains(&&memory.0["id"]));
        assert!(both.is_none(), "{} and {}", new.0, both.expect("there").0);
    }
}

/// Checks that no later write made a retired statement active again, because all of it happened within a day.
fn check_forgotten(all: &[History]) {
    for gone in all.iter().filter(|memory| memory.0["status"] == "retired") {
        let since = gone.0["status_since"].as_i64().expect("a moment");
        let again = active(all).find(|memory| {
            current_statement(memory).0 > since
                && current_statement(memory).1 == current_statement(gone).1
                && gone.0["superseded_by"] != memory.0["id"]
        });
        assert!(again.is_none(), "{} is active again: {}", gone.0, again.expect("there").0);
    }
}

fn active<'a>(all: &'a [History<'a>]) -> impl Iterator<Item = &'a History<'a>> {
    all.iter().filter(|memory| memory.0["status"] == "active")
}

/// Returns what a memory says, in the first wording of it, and since when it says so in any wording.
fn current_statement<'a>(memory: &History<'a>) -> (i64, &'a str) {
    let known =
        |text: &'a str| STATEMENTS.iter().find(|saying| saying.contains(&text)).map_or(text, |[one, _]| one);
    let mut texts_over_time = memory.texts_over_time().into_iter().rev();
    let (mut since, now) =
        texts_over_time.next().map(|(since, text)| (since, known(text))).expect("it says something");
    for (before, _) in texts_over_time.take_while(|(_, text)| known(text) == now) {
        since = before;
    }
    (since, now)
}
