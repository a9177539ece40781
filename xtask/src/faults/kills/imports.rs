//! Kills `interleaf memory import`, again and again for the same file, until it is run to its end.

use std::fs;
use std::time::Duration;

use anyhow::Result;
use interleaf_tests::random::Random;
use serde_json::json;

use super::killer::Moments;
use super::ledger::Ledger;
use super::round::{Round, path_text};

/// Number of lines of the file: ten transactions.
const LINES: usize = 1_000;
const WORDS: usize = 8;

/// First guess of the run time.
const RUN_TIME: Duration = Duration::from_millis(400);

/// Kills as many imports of one file. Between them, other memories are written.
pub fn kill(round: &mut Round, kills: usize) -> Result<()> {
    let mut random = Random::new(round.seed);
    let texts: Vec<String> = (0..LINES).map(|_| random.words(WORDS)).collect();
    let file = round.scratch.root.join("import.jsonl");
    let line = |(number, text): (usize, &String)| {
        format!("{}\n", json!({ "id": format!("line-{number}"), "text": text }))
    };
    fs::write(&file, texts.iter().enumerate().map(line).collect::<String>())?;
    let import = ["memory", "import", path_text(&file)?];

    let mut moments = Moments::new(round.seed, RUN_TIME);
    let mut ledger = Ledger::of(Vec::new());
    while round.tally.killed() < kills {
        round.kill("memory import", &import, &mut moments)?;
        let text = random.words(WORDS);
        let _ = round.succeed(&["remember", &text]);
        ledger.acknowledged.insert(text);
    }
    check_part(round, &ledger, &texts);
    let ended = round.succeed(&import);
    if !ended.contains("written") {
        round.note(format!("the last import printed {ended}"));
    }
    ledger.acknowledged.extend(texts);
    round.check(&ledger)?;
    round.check_idle()
}

/// Checks that what the killed imports left is a part of the file.
fn check_part(round: &mut Round, ledger: &Ledger, texts: &[String]) {
    let stored = round.texts();
    let differences = ledger.clone().with_possible(texts.iter().cloned()).compare(stored);
    differences
        .sentences()
        .into_iter()
        .for_each(|sentence| round.note(format!("before the last import: {sentence}")));
}
