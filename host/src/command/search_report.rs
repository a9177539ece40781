//! The searches of an event, for a person: which memories were compared, which minimum each reached, and what
//! its relevance consists of.

use std::io::{Result, Write};

use interleaf_text::for_terminal;
use serde::Serialize;

use super::log_format::Titles;
use super::output::Output;
use crate::log::{EventRecord, HitRecord, SearchRecord, ShownMemory};
use crate::memory::{Contribution, Occasion, contributions};

/// Minimum part of a relevance that is worth a line, in log odds. Smaller ones show as 0.00.
const MIN_SHOWN_LOG_ODDS: f64 = 0.005;

/// What became of a memory that a search compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    /// Its text was shown.
    ShownWhole,
    /// Its title was shown.
    TitleShown,
    /// It fits, but was not shown.
    LeftOut,
    /// It may fit, but its title was not shown.
    TitleLeftOut,
    /// Its relevance is too low.
    BelowMinimum,
}

/// A search of a layer, and what became of its hits.
#[derive(Debug, Serialize)]
pub(super) struct SearchReport<'a> {
    layer: &'a str,
    occasion: Occasion,
    /// Number of memories that were not compared, because the conversation was shown them before.
    shown_before: usize,
    hits: Vec<HitReport<'a>>,
}

#[derive(Debug, Serialize)]
struct HitReport<'a> {
    #[serde(flatten)]
    hit: &'a HitRecord,
    verdict: Verdict,
    contributions: Vec<Contribution>,
}

/// Returns the searches of an event; with `only`, those that compared this memory, and no other hit.
pub(super) fn searches<'a>(record: &'a EventRecord, only: Option<&str>) -> Vec<SearchReport<'a>> {
    let of_layers = record.layers.iter();
    let all = of_layers.flat_map(|layer| layer.searches.iter().map(|search| (layer.layer.as_str(), search)));
    let reports = all.map(|(layer, search)| SearchReport::new(layer, search, &record.shown, only));
    reports.filter(|report| only.is_none() || !report.hits.is_empty()).collect()
}

impl<'a> SearchReport<'a> {
    fn new(layer: &'a str, search: &'a SearchRecord, shown: &[ShownMemory], only: Option<&str>) -> Self {
        let hits = search.hits.iter().filter(|hit| only.is_none_or(|id| hit.memory == id));
        let report = |hit: &'a HitRecord| {
            let verdict = Verdict::of(hit, shown.iter().find(|shown| shown.memory == hit.memory));
            HitReport { hit, verdict, contributions: contributions(&hit.features) }
        };
        let hits = hits.map(report).collect();
        Self { layer, occasion: search.occasion, shown_before: search.shown_before, hits }
    }

    /// Tells whether the search compared this memory.
    pub(super) fn has(&self, memory: &str) -> bool {
        self.hits.iter().any(|hit| hit.hit.memory == memory)
    }

    /// Prints the search and each of its hits with the parts of the relevance.
    pub(super) fn print(&self, titles: &Titles, out: &mut Output) -> Result<()> {
        let (layer, text) = (for_terminal(self.layer), searched_text(self.occasion));
        let before = match self.shown_before {
            0 => String::new(),
            number => format!("; {} that this conversation was shown before left out", memories(number)),
        };
        if self.hits.is_empty() {
            let nothing = "no memory that hooks show shares enough words with it, even for its title";
            return writeln!(out, "\n{layer} searched for {text}{before}: {nothing}");
        }
        writeln!(out, "\n{layer} searched for {text}{before}")?;
        self.hits.iter().try_for_each(|hit| hit.print(titles, out))
    }
}

impl HitReport<'_> {
    fn print(&self, titles: &Titles, out: &mut Output) -> Result<()> {
        let HitRecord { memory, relevance, .. } = self.hit;
        let id = out.bold(&for_terminal(memory));
        writeln!(out, "\n  {id}  {}", titles.title(memory))?;
        writeln!(out, "  relevance {relevance:.2}: {}", self.verdict.sentence(self.hit))?;
        let is_worth_a_line = |part: &&Contribution| part.log_odds.abs() >= MIN_SHOWN_LOG_ODDS;
        for Contribution { feature, value, log_odds } in self.contributions.iter().filter(is_worth_a_line) {
            let line = format!("{feature:<34} {value:>8.2}  {log_odds:>+7.2}");
            writeln!(out, "    {}", out.faint(&line))?;
        }
        let sum: f64 = self.contributions.iter().map(|part| part.log_odds).sum();
        writeln!(out, "    {}", out.faint(&format!("{:<34} {:>8}  {sum:>+7.2}", "log odds", "")))
    }
}

impl Verdict {
    fn of(hit: &HitRecord, shown: Option<&ShownMemory>) -> Self {
        match shown {
            Some(shown) if shown.as_line => Self::TitleShown,
            Some(_) => Self::ShownWhole,
            None if hit.relevance >= hit.min_relevance => Self::LeftOut,
            None if hit.relevance >= hit.min_line_relevance => Self::TitleLeftOut,
            None => Self::BelowMinimum,
        }
    }

    fn sentence(self, hit: &HitRecord) -> String {
        let (whole, title) = (hit.min_relevance, hit.min_line_relevance);
        match self {
            Self::ShownWhole => format!("shown (minimum {whole:.2})"),
            Self::TitleShown => format!("its title was shown (minimum {title:.2}; {whole:.2} for its text)"),
            Self::LeftOut => format!(
                "not shown, although it fits (minimum {whole:.2}): the number of memories or the budget was \
                 used up"
            ),
            Self::TitleLeftOut => format!(
                "not shown: its text needs {whole:.2}, its title {title:.2}, but other titles came first"
            ),
            Self::BelowMinimum => format!("not shown: its title needs {title:.2}, its text {whole:.2}"),
        }
    }
}

fn memories(number: usize) -> String {
    if number == 1 { "1 memory".to_owned() } else { format!("{number} memories") }
}

fn searched_text(occasion: Occasion) -> &'static str {
    match occasion {
        Occasion::Prompt => "the prompt",
        Occasion::Command => "the tool call",
        Occasion::Failure => "the failure",
        Occasion::Start => "the newest commits and the branch",
    }
}
