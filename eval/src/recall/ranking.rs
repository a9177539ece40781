//! How high searches rank the memories that an event needs, whether a hook would show them or not: what an
//! agent gets that asks by itself.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use interleaf_embedding::Model;
use interleaf_tests::scratch::Scratch;
use serde::Serialize;
use serde_json::json;

use super::baseline::Scorer;
use super::bm25;
use super::family::Family;
use super::search_process::SearchProcess;
use super::store::install_model;
use super::vector_mix::VectorMix;

/// Number of memories that a search returns.
const LIMIT: usize = 10;

/// What is measured.
pub struct Ranking<'a> {
    /// The program `interleaf`.
    pub program: &'a Path,
    /// The sentence model to measure with, too.
    pub model: Option<&'a Path>,
    /// The shell command of another program that speaks the protocol of [`SearchProcess`].
    pub compared: Option<&'a str>,
}

/// How high one search ranks the memories that are needed.
#[derive(Debug, Clone, Default, Serialize)]
struct Figures {
    /// Number of searches.
    searches: usize,
    /// The shares of the needed memories among the first one, three and five, added up.
    found: [f64; 3],
    /// The reciprocal ranks of the first needed memory, added up.
    reciprocal_ranks: f64,
    /// The times of the searches, in milliseconds.
    #[serde(skip)]
    times: Vec<f64>,
    /// The most memory that a process has used, in megabytes.
    peak_megabytes: f64,
}

/// The ranks that count for [`Figures::found`].
const RANKS: [usize; 3] = [1, 3, 5];

/// The figures of each way to search, by the set.
type Rows = Vec<(String, BTreeMap<String, Figures>)>;

impl Ranking<'_> {
    /// Measures all ways to search, and prints them: those of all sets together, and with several sets, the
    /// recall among five of each.
    ///
    /// # Errors
    /// If a program cannot be used.
    pub fn print(&self, families: &[Family], by_set: bool, json: bool, out: &mut dyn Write) -> Result<()> {
        let rows = self.rows(families)?;
        if json {
            return rows.iter().try_for_each(|(name, sets)| {
                Ok(writeln!(out, "{}", json!({ "method": name, "sets": sets, "all": Figures::sum(sets) }))?)
            });
        }
        writeln!(out, "| search | R@1 | R@3 | R@5 | MRR | ms | MB |\n|---|---:|---:|---:|---:|---:|---:|")?;
        for (name, sets) in &rows {
            writeln!(out, "| {name} | {} |", Figures::sum(sets).cells().join(" | "))?;
        }
        if by_set {
            print_sets(&rows, out)?;
        }
        Ok(())
    }

    fn rows(&self, families: &[Family]) -> Result<Rows> {
        let without_cues: Vec<Family> = families.iter().map(Family::without_cues).collect();
        let has_cues =
            families.iter().flat_map(|family| &family.memories).any(|each| !each.asked_as.is_empty());
        let mut rows = Vec::new();
        for (model, name) in [(None, "Interleaf"), (self.model, "Interleaf with a model")] {
            if model.is_none() && name != "Interleaf" {
                continue;
            }
            rows.push((name.to_owned(), self.of_program(&without_cues, model)?));
            if has_cues {
                let with = if model.is_some() { " and cues" } else { " with cues" };
                rows.push((format!("{name}{with}"), self.of_program(families, model)?));
            }
        }
        rows.push((
            "stemmed BM25".to_owned(),
            of_scorers(families, |family| {
                let index = bm25::Index::new(family);
                Box::new(move |query| index.scores(query))
            }),
        ));
        if let Some(model) = self.model {
            let model = Model::open(model)?;
            rows.push((
                "the model and BM25, mixed".to_owned(),
                of_scorers(families, |family| {
                    let mix = VectorMix::new(&model, family);
                    Box::new(move |query| mix.scores(query))
                }),
            ));
        }
        if let Some(command) = self.compared {
            let start = |_: &Scratch| {
                let mut shell = Command::new("sh");
                shell.args(["-c", command]);
                shell
            };
            rows.push((format!("`{command}`"), of_processes(&without_cues, None, start)?));
        }
        Ok(rows)
    }

    fn of_program(&self, families: &[Family], model: Option<&Path>) -> Result<BTreeMap<String, Figures>> {
        of_processes(families, model, |scratch| {
            let mut command = scratch.command(self.program);
            command.arg("bench-serve").env("CLAUDE_PROJECT_DIR", &scratch.project);
            command
        })
    }
}

/// Measures a program, with a process for each set.
fn of_processes(
    families: &[Family],
    model: Option<&Path>,
    start: impl Fn(&Scratch) -> Command,
) -> Result<BTreeMap<String, Figures>> {
    let mut sets = BTreeMap::new();
    for family in families {
        let scratch = Scratch::new();
        if let Some(model) = model {
            install_model(&scratch, model)?;
        }
        let mut process = SearchProcess::start(start(&scratch))?;
        let searched = search_all(&mut process, family).with_context(|| family.name.clone())?;
        sets.insert(family.name.clone(), searched);
    }
    Ok(sets)
}

fn search_all(process: &mut SearchProcess, family: &Family) -> Result<Figures> {
    family.memories.iter().try_for_each(|memory| process.add(memory))?;
    // The first search may have to index the memories.
    process.search("warm up", 1)?;
    let mut figures = Figures::default();
    for event in family.events.iter().filter(|event| !event.needs.is_empty()) {
        let (ids, took) = process.search(&event.occasion.query(), LIMIT)?;
        figures.add(&event.needs, &ids, took);
    }
    figures.peak_megabytes = process.peak_megabytes();
    Ok(figures)
}

/// Measures a search of this program.
fn of_scorers<'a>(
    families: &'a [Family],
    scorer: impl Fn(&'a Family) -> Scorer<'a>,
) -> BTreeMap<String, Figures> {
    let of_family = |family: &'a Family| {
        let (scores, mut figures) = (scorer(family), Figures::default());
        for event in family.events.iter().filter(|event| !event.needs.is_empty()) {
            let best = scores(&event.occasion.query()).into_iter().take(LIMIT);
            let ids: Vec<String> = best.map(|(number, _)| family.memories[number].id.clone()).collect();
            figures.add(&event.needs, &ids, Duration::ZERO);
        }
        (family.name.clone(), figures)
    };
    families.iter().map(of_family).collect()
}

impl Figures {
    fn add(&mut self, needs: &[String], ids: &[String], took: Duration) {
        self.searches += 1;
        for (found, rank) in self.found.iter_mut().zip(RANKS) {
            let first = &ids[..rank.min(ids.len())];
            *found += needs.iter().filter(|need| first.contains(need)).count() as f64 / needs.len() as f64;
        }
        let rank = ids.iter().position(|id| needs.contains(id));
        self.reciprocal_ranks += rank.map_or(0.0, |rank| 1.0 / (rank + 1) as f64);
        self.times.push(took.as_secs_f64() * 1000.0);
    }

    fn sum(sets: &BTreeMap<String, Self>) -> Self {
        let mut sum = Self::default();
        for set in sets.values() {
            sum.searches += set.searches;
            sum.found.iter_mut().zip(set.found).for_each(|(sum, found)| *sum += found);
            sum.reciprocal_ranks += set.reciprocal_ranks;
            sum.times.extend(&set.times);
            sum.peak_megabytes = sum.peak_megabytes.max(set.peak_megabytes);
        }
        sum
    }

    /// Returns the cells of the table. Only a process of its own has a time and a size.
    fn cells(&self) -> Vec<String> {
        let share = |part: f64| part / self.searches.max(1) as f64;
        let mut cells: Vec<String> =
            self.found.iter().map(|found| format!("{:.1} %", 100.0 * share(*found))).collect();
        cells.push(format!("{:.3}", share(self.reciprocal_ranks)));
        match self.peak_megabytes {
            0.0 => cells.extend(["", ""].map(str::to_owned)),
            megabytes => cells.extend([format!("{:.1}", self.median_time()), format!("{megabytes:.0}")]),
        }
        cells
    }

    fn median_time(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or_default()
    }
}

/// Prints the recall among five of each set, and the mean of the sets.
fn print_sets(rows: &Rows, out: &mut dyn Write) -> Result<()> {
    let names: Vec<&str> =
        rows.first().map(|(_, sets)| sets.keys().map(String::as_str).collect()).unwrap_or_default();
    writeln!(out, "\n| R@5 | {} | mean |\n|---|{}---:|", names.join(" | "), "---:|".repeat(names.len()))?;
    for (name, sets) in rows {
        let of_set = |set: &Figures| 100.0 * set.found[2] / set.searches.max(1) as f64;
        let shares: Vec<f64> = sets.values().map(of_set).collect();
        let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        let cells: Vec<String> = shares.iter().chain([&mean]).map(|share| format!("{share:.1} %")).collect();
        writeln!(out, "| {name} | {} |", cells.join(" | "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_needed_memory_counts_from_its_rank_on() {
        let ids = ["a", "b", "c", "d"].map(str::to_owned);
        let mut figures = Figures::default();

        figures.add(&["b".to_owned(), "d".to_owned()], &ids, Duration::ZERO);

        assert_eq!((figures.found, figures.reciprocal_ranks), ([0.0, 0.5, 1.0], 0.5));
    }
}
