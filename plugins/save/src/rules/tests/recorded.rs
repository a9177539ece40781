//! The recorded sessions of the fixtures: which expected facts the rules find, and what else. The recordings' own judge
//! decides; `cargo test -p save recorded -- --nocapture` prints the finds.

use std::fmt::Write as _;

use interleaf_expectations::{Expectations, Memory, SavedCounts};

use crate::finding::Finding;
use crate::rules::{Around, Design, Mined, changes, mine};
use crate::sample::{read, root, sessions};
use crate::transcript::Transcript;

/// Certain and tentative memories of a session, besides the summary.
const MAX_MEMORIES: usize = 5;
const MAX_TENTATIVE: usize = 5;

/// What Read returned of a design.md in this stretch.
fn designs(talk: &Transcript) -> Vec<Design> {
    let deeds = crate::rules::deeds::deeds(talk);
    let mut found: Vec<Design> = Vec::new();
    for change in changes(talk) {
        let path = format!("openspec/changes/{change}/design.md");
        let read = deeds.iter().rfind(|deed| deed.tool == "Read" && deed.text("file_path").ends_with(&path));
        let text = read.map(|deed| {
            deed.output()
                .lines()
                .map(|line| line.split_once('\t').map_or(line, |(_, text)| text))
                .collect::<Vec<_>>()
                .join("\n")
        });
        found.extend(text.map(|text| Design { change, path, text }));
    }
    found
}

fn mined(session: &str) -> Mined {
    let talk = read(session);
    let (scenario, _) = session.split_once('/').expect("a session is named with its scenario");
    let designs = designs(&talk);
    let root = format!("/home/dev/{scenario}");
    let mined = mine(&talk, &Around { session: "s", root: Some(&root), designs: &designs });
    for find in mined.finds.iter().chain(mined.once.iter().map(|(_, find)| find)).chain(&mined.summary) {
        super::check(&talk, find);
    }
    mined
}

/// What would be kept: the best, what comes once for a change, and the summary.
fn kept(mined: &Mined) -> Vec<&Finding> {
    let (tentative, certain): (Vec<&Finding>, Vec<&Finding>) =
        mined.finds.iter().partition(|find| find.is_tentative());
    let best = certain.into_iter().take(MAX_MEMORIES).chain(tentative.into_iter().take(MAX_TENTATIVE));
    best.chain(mined.once.iter().map(|(_, find)| find)).chain(&mined.summary).collect()
}

/// All words of a memory, as a replay reads them from an export.
fn words(find: &Finding) -> String {
    format!("{} {} {}", find.title.as_deref().unwrap_or_default(), find.text, find.content)
}

fn judge(session: &str, report: &mut String) -> SavedCounts {
    let expectations =
        Expectations::read(&root().join(session), session.rsplit('/').next().unwrap_or(session));
    let expectations = expectations.expect("they can be read").expect("every session has them");
    let mined = mined(session);
    let kept = kept(&mined);
    let words: Vec<String> = kept.iter().map(|find| words(find)).collect();
    let memories: Vec<Memory<'_>> = kept
        .iter()
        .zip(&words)
        .map(|(find, words)| Memory {
            category: find.category.as_str(),
            title: &find.text,
            words,
            is_tentative: find.is_tentative(),
        })
        .collect();
    let (counts, differences) = expectations.judge_saved(&memories, &memories);
    let _ = writeln!(report, "== {session}");
    for line in &differences {
        let _ = writeln!(report, "  {line}");
    }
    for find in &kept {
        let _ = writeln!(report, "    {:.2} {:?} {:?} {:?}", find.score, find.category, find.text, find.tags);
    }
    for find in mined.finds.iter().filter(|find| !kept.contains(find)) {
        let _ = writeln!(report, "    over the cap: {:.2} {:?} {:?}", find.score, find.category, find.text);
    }
    counts
}

#[test]
#[expect(clippy::print_stdout, reason = "the finds are for the eye")]
fn recorded_sessions_teach_what_they_should_and_nothing_they_must_not() {
    let (mut report, mut counts) = (String::new(), SavedCounts::default());
    for session in sessions() {
        counts += judge(&session, &mut report);
    }
    println!("{report}\n{counts:?}");

    let measured = SavedCounts {
        required: 18,
        required_saved: 16,
        optional_saved: 2,
        written: 6,
        expected: 6,
        forbidden: 0,
    };
    assert_eq!(counts, measured, "the rules find other facts than before:\n{report}");
}

/// Words that point to something that a reader of the memory alone does not see.
const POINTING_WORDS: [&str; 12] =
    ["it", "its", "that", "this", "these", "those", "they", "them", "he", "she", "es", "dies"];

#[test]
fn a_memory_of_a_recorded_session_is_short_and_points_to_nothing_outside_it() {
    use interleaf_layer::memory::Category::{Constraint, Decision, Preference, Runbook, TechDebt};
    let mut read = 0;
    for session in sessions() {
        let mined = mined(&session);
        let stated = [Constraint, Decision, Preference, Runbook, TechDebt];
        for find in mined.finds.iter().filter(|find| stated.contains(&find.category)) {
            let sentences = interleaf_classifier::sentences(&find.text);
            let first = find.text.split_whitespace().next().unwrap_or_default().to_lowercase();
            assert!(sentences.len() <= 2, "{session}: more than two sentences: {}", find.text);
            let points = POINTING_WORDS.contains(&first.trim_end_matches([',', '\'']));
            assert!(!points, "{session}: it points elsewhere: {}", find.text);
            read += 1;
        }
    }
    assert!(read > 15, "only {read} memories were read");
}

#[test]
fn what_was_injected_is_not_found_again() {
    let mined = mined("ledger-api/s2-injected");

    for find in kept(&mined) {
        let again = ["pnpm, never npm", "without .env.test", "10 requests a second"];
        assert!(!again.iter().any(|text| find.text.contains(text)), "{}", find.text);
    }
    assert_eq!(mined.finds, []);
}
