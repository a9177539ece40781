//! The recorded sessions of the fixtures: what is found of what should be, and what else.
//!
//! The rules know nothing of them; the figures are for the eye (`cargo test -p save recorded -- --nocapture`), and the
//! marks that the issue sets are held.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::pattern::matches;
use crate::finding::{Category, Finding, Origin};
use crate::rules::{Around, Design, Mined, changes, mine};
use crate::sample::{root, transcript};
use crate::transcript::Transcript;

/// Memories of a session, besides the summary.
const CAP: usize = 3;

#[derive(Debug, Default, Clone, Copy)]
struct Figures {
    must: usize,
    found: usize,
    kept: usize,
    expected: usize,
    forbidden: usize,
}

/// All sessions, in order.
fn sessions() -> Vec<PathBuf> {
    let list = |path: &Path| {
        let entries = std::fs::read_dir(path).expect("the fixtures are there").flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    let mut sessions: Vec<PathBuf> = list(&root()).iter().flat_map(|scenario| list(scenario)).collect();
    sessions.sort();
    sessions
}

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
        found.extend(text.map(|text| Design { change, path, text, origin: Origin::ToolOutput }));
    }
    found
}

fn mined(session: &Path) -> Mined {
    let lines = std::fs::read_to_string(session.join("transcript.jsonl")).expect("a transcript");
    let talk = transcript(&lines);
    let scenario =
        session.parent().and_then(Path::file_name).expect("a scenario").to_string_lossy().into_owned();
    let designs = designs(&talk);
    let root = format!("/home/dev/{scenario}");
    let mined = mine(&talk, &Around { session: "s", root: Some(&root), captures: &[], designs: &designs });
    for find in mined.finds.iter().chain(mined.once.iter().map(|(_, find)| find)).chain(&mined.summary) {
        super::check(&talk, find);
    }
    mined
}

/// What would be kept: three, what comes once for a change, and the summary.
fn kept(mined: &Mined) -> Vec<&Finding> {
    mined
        .finds
        .iter()
        .take(CAP)
        .chain(mined.once.iter().map(|(_, find)| find))
        .chain(&mined.summary)
        .collect()
}

fn says(find: &Finding, expected: &Value) -> bool {
    let patterns = expected["must_match"].as_array().into_iter().flatten().filter_map(Value::as_str);
    patterns.into_iter().all(|pattern| matches(pattern, &find.text))
}

fn judge(session: &Path, report: &mut String) -> Figures {
    let text = std::fs::read_to_string(session.join("expectations.json")).expect("expectations");
    let expectations: Value = serde_json::from_str(&text).expect("they are JSON");
    let list = |name: &str| expectations[name].as_array().cloned().unwrap_or_default();
    let (save, forbidden) = (list("save"), list("must_not_save"));
    let mined = mined(session);
    let kept = kept(&mined);
    let mut figures = Figures::default();
    let _ = writeln!(report, "== {}", session.display());
    save.iter().for_each(|expected| figures.look_for(expected, &kept, report));
    kept.iter().for_each(|find| figures.weigh(find, &save, &forbidden, report));
    for find in mined.finds.iter().skip(CAP) {
        let _ = writeln!(report, "    over the cap: {:.2} {:?} {:?}", find.score, find.category, find.text);
    }
    figures
}

impl Figures {
    /// Whether what should be saved is.
    fn look_for(&mut self, expected: &Value, kept: &[&Finding], report: &mut String) {
        let found = kept.iter().any(|find| says(find, expected));
        let must = expected["priority"] == "must";
        self.must += usize::from(must);
        self.found += usize::from(must && found);
        let mark = if found { "found " } else { "MISSED" };
        let _ = writeln!(report, "  {mark} {} {}", expected["priority"], expected["id"]);
    }

    /// Whether what is saved should be.
    fn weigh(&mut self, find: &Finding, save: &[Value], forbidden: &[Value], report: &mut String) {
        let patterns = forbidden.iter().filter_map(|item| item["pattern"].as_str());
        for pattern in patterns.filter(|pattern| matches(pattern, &find.text)) {
            self.forbidden += 1;
            let _ = writeln!(report, "  FORBIDDEN {pattern} in {}", find.text);
        }
        let beside = matches!(find.category, Category::SessionSummary | Category::Context);
        let expected = save.iter().any(|expected| says(find, expected));
        self.kept += usize::from(!beside);
        self.expected += usize::from(!beside && expected);
        let mark = if beside || expected { "" } else { "UNEXPECTED " };
        let _ = writeln!(
            report,
            "    {mark}{:.2} {:?} {:?} {:?}",
            find.score, find.category, find.text, find.tags
        );
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "figures for the eye")]
fn recorded_sessions_teach_what_they_should_and_nothing_they_must_not() {
    let (mut report, mut all) = (String::new(), Figures::default());
    for session in sessions() {
        let figures = judge(&session, &mut report);
        all.must += figures.must;
        all.found += figures.found;
        all.kept += figures.kept;
        all.expected += figures.expected;
        all.forbidden += figures.forbidden;
    }
    println!(
        "{report}\nmust {}/{}, precision {}/{}, forbidden {}",
        all.found, all.must, all.expected, all.kept, all.forbidden
    );

    assert_eq!(all.forbidden, 0, "{report}");
    assert!(all.found * 10 >= all.must * 8, "{report}");
    assert!(all.expected * 10 >= all.kept * 8, "{report}");
}

#[test]
fn what_was_injected_is_not_found_again() {
    let session = root().join("ledger-api/s2-injected");

    let mined = mined(&session);

    for find in kept(&mined) {
        let again = ["pnpm, never npm", "without .env.test", "10 requests a second"];
        assert!(!again.iter().any(|text| find.text.contains(text)), "{}", find.text);
    }
    assert_eq!(mined.finds, []);
}
