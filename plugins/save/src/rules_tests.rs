//! The rules as a whole: on the recorded sessions, on odd input, and what is left of a subagent's session.

use std::fmt::Write as _;

use interleaf_expectations::{Expectations, Memory, SavedCounts};

use super::{Found, find};
use crate::finding::Finding;
use crate::openspec::changes;
use crate::sample::{check, read, root, sessions};
use crate::sample_script::{all, found, transcript};
use crate::session::{Design, Surroundings, calls};
use crate::transcript::Transcript;

/// What Read returned of a design.md in this stretch.
fn designs(talk: &Transcript) -> Vec<Design> {
    let calls = calls::calls(talk);
    let mut found: Vec<Design> = Vec::new();
    for change in changes(talk) {
        let path = format!("openspec/changes/{change}/design.md");
        let read = calls.iter().rfind(|call| call.tool == "Read" && call.text("file_path").ends_with(&path));
        let text = read.map(|call| {
            call.output()
                .lines()
                .map(|line| line.split_once('\t').map_or(line, |(_, text)| text))
                .collect::<Vec<_>>()
                .join("\n")
        });
        found.extend(text.map(|text| Design { change, path, text }));
    }
    found
}

fn found_in(session: &str) -> Found {
    let talk = read(session);
    let (scenario, _) = session.split_once('/').expect("a session is named with its scenario");
    let designs = designs(&talk);
    let root = format!("/home/dev/{scenario}");
    let found = find(&talk, &Surroundings { session_id: "s", root: Some(&root), designs: &designs });
    all(&found).for_each(|finding| check(&talk, finding));
    found
}

/// Returns what is written: explicit acts, what comes once for a change, and the summary.
fn written(found: &Found) -> Vec<&Finding> {
    found.explicit.iter().chain(found.once.iter().map(|(_, finding)| finding)).chain(&found.summary).collect()
}

/// Returns all words of a memory, as a replay reads them from an export.
fn words(finding: &Finding) -> String {
    format!("{} {} {}", finding.title.as_deref().unwrap_or_default(), finding.text, finding.content)
}

fn judge(session: &str, report: &mut String) -> SavedCounts {
    let expectations =
        Expectations::read(&root().join(session), session.rsplit('/').next().unwrap_or(session));
    let expectations = expectations.expect("they can be read").expect("every session has them");
    let found = found_in(session);
    let written = written(&found);
    let words: Vec<String> = written.iter().map(|finding| words(finding)).collect();
    let memories: Vec<Memory<'_>> = written
        .iter()
        .zip(&words)
        .map(|(finding, words)| Memory {
            category: finding.category.as_str(),
            title: &finding.text,
            words,
            is_tentative: false,
        })
        .collect();
    let (counts, differences) = expectations.judge_saved(&memories, &memories);
    let _ = writeln!(report, "== {session}");
    for line in &differences {
        let _ = writeln!(report, "  {line}");
    }
    for finding in &written {
        let _ = writeln!(report, "    {:?} {:?} {:?}", finding.category, finding.text, finding.tags);
    }
    counts
}

#[test]
fn the_rules_write_nothing_wrong_about_the_recorded_sessions() {
    let (mut report, mut counts) = (String::new(), SavedCounts::default());
    for session in sessions() {
        counts += judge(&session, &mut report);
    }

    assert_eq!((counts.forbidden, counts.written), (0, counts.expected), "{report}\n{counts:?}");
    assert!(counts.required_saved >= 1, "{report}\n{counts:?}");
}

#[test]
fn what_was_injected_is_not_found_again() {
    let found = found_in("ledger-api/s2-injected");

    for finding in written(&found) {
        let again = ["pnpm, never npm", "without .env.test", "10 requests a second"];
        assert!(!again.iter().any(|text| finding.text.contains(text)), "{}", finding.text);
    }
    assert_eq!(found.explicit, []);
}

#[test]
fn any_input_is_survived_in_time() {
    let long = "a".repeat(1 << 20);
    let odd = "„".repeat(200_000)
        + &"\"".repeat(200_000)
        + "\0\0 never\u{0}use "
        + &"a. ".repeat(100_000)
        + &"1:".repeat(100_000);
    for text in [
        long.as_str(),
        odd.as_str(),
        &"日本".repeat(200_000),
        &"no, never. ".repeat(90_000),
        &"\n".repeat(1 << 20),
    ] {
        let mut talk = transcript("u: x\n$ make\n- y\n$ make\n+ z\na: w");
        talk.entries.iter_mut().for_each(|entry| entry.text.push_str(text));
        let found = find(&talk, &Surroundings::default());
        assert!(all(&found).count() < 500);
    }
}

#[test]
fn a_subagents_prompt_states_no_rule() {
    let found = found(
        "u: from now on never use float for money in this repo\n$ python a.py\n- SyntaxError: x\n\
          $ python3 a.py\n+ ok\na: It needs Python 3.",
    );

    let left = found.clone().of_subagent();

    assert_eq!((found.explicit.len(), left.explicit.len()), (1, 0));
    assert_eq!((left.facts.len(), left.summary), (1, None));
}
#[test]
fn what_the_agent_saved_itself_is_not_found_again() {
    let found = found(
        "u: from now on never use float for money here\n\
          $ interleaf remember --category preference \"Never use float for money here\"\n+ saved\na: Saved.",
    );

    assert_eq!(found.explicit, []);
}
