//! Talks of our own, of other domains and in many languages: what they teach, and nothing else.

mod fixes;
mod found_statements;
mod nothing;
mod summaries;
mod work;

use super::check;
use super::script::talk;
use crate::rules::{Around, Mined, mine};
use interleaf_layer::memory::Category;

/// What a script must teach: a kind, and words that its text has.
pub type Expected = (Category, &'static [&'static str]);

/// Mines a script.
pub fn mined(script: &str) -> Mined {
    let talk = talk(script);
    let mined = mine(&talk, &Around { session: "s", root: Some("/home/dev/app"), ..Around::default() });
    mined
        .finds
        .iter()
        .chain(mined.once.iter().map(|(_, find)| find))
        .chain(&mined.summary)
        .for_each(|find| check(&talk, find));
    mined
}

/// What is wrong with what a script teaches, if anything: each expected find is there, and no other.
pub fn wrong(script: &str, expected: &[Expected]) -> Option<String> {
    let mined = mined(script);
    let has = |(category, words): &Expected| {
        let text = |text: &str| words.iter().all(|word| text.to_lowercase().contains(&word.to_lowercase()));
        mined.finds.iter().any(|find| find.category == *category && text(&find.text))
    };
    let right = mined.finds.len() == expected.len() && expected.iter().all(has);
    let found = || {
        mined
            .finds
            .iter()
            .map(|find| format!("\n    {:.2} {:?} {:?}", find.score, find.category, find.text))
            .collect::<String>()
    };
    (!right).then(|| format!("{script}\n  wanted {expected:?}, found{}", found()))
}

/// All of a table.
pub fn table(rows: &[(&str, &[Expected])]) {
    let wrong: Vec<String> = rows.iter().filter_map(|(script, expected)| wrong(script, expected)).collect();
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
