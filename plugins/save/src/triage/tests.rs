use super::*;
use crate::sample::{assistant, edited, failed, ran, read, sessions, talk, user};
use crate::talk::Entry;

fn triggered(parts: impl IntoIterator<Item = Vec<Entry>>) -> Vec<Category> {
    let found = triage(&talk(parts), &Settings::default());
    found.into_iter().filter(|it| it.triggered).map(|it| it.category).collect()
}

#[test]
fn show_recorded() {
    for session in sessions() {
        eprintln!("## {session}");
        for it in triage(&read(&session), &Settings::default()) {
            eprintln!("{} {:?} {:.2}", if it.triggered { "*" } else { " " }, it.category, it.score);
            for e in it.evidence {
                eprintln!("      {} {}", e.cursor, e.quote.chars().take(150).collect::<String>());
            }
        }
    }
    let _ = (triggered([user("")]), assistant(""), edited(""), failed("", ""), ran("", ""));
}
