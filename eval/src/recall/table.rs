//! The figures as a table in Markdown.

use super::measure::Figures;

/// The kinds of events that need a memory, in the order of the columns.
const KINDS: [&str; 5] = ["direct", "same-failure", "paraphrase", "other-language", "action"];

/// Returns the head of the table.
pub fn head() -> String {
    let names = ["way to answer", "whole", "in view"].into_iter().chain(KINDS);
    let names = names.chain(["needless", "tokens wasted", "precision"]);
    let names: Vec<&str> = names.collect();
    format!("| {} |\n|---|{}", names.join(" | "), "---:|".repeat(names.len() - 1))
}

/// Returns the row of one way to answer.
pub fn row(name: &str, figures: &Figures) -> String {
    let of_kind = |kind| {
        let (found, all) = figures.kinds.get(kind).copied().unwrap_or_default();
        percent(found, all)
    };
    let mut cells = vec![
        name.to_owned(),
        percent(figures.whole, figures.needing),
        percent(figures.in_view, figures.needing),
    ];
    cells.extend(KINDS.map(of_kind));
    cells.push(percent(figures.needless, figures.silent));
    cells.push(format!("{:.1}", figures.wasted_tokens as f64 / figures.silent.max(1) as f64));
    cells.push(percent(figures.needed_shown, figures.shown));
    format!("| {} |", cells.join(" | "))
}

fn percent(part: usize, all: usize) -> String {
    match all {
        0 => String::new(),
        all => format!("{:.1} %", 100.0 * part as f64 / all as f64),
    }
}
