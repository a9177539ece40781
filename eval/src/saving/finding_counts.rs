//! The table of what was found.

use std::collections::BTreeMap;
use std::fmt;

use interleaf_classifier::CATEGORIES;

use super::Judged;
use super::example::Example;

/// The counts of a category or a language.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    /// What is to be saved.
    kept: usize,
    /// How much of it was found, as an explicit act or as a candidate.
    found: usize,
    /// How much of it was found as an explicit act.
    explicit: usize,
    /// What was found as an explicit act and is not to be saved.
    wrong: usize,
    /// What was found as a candidate and is not to be saved.
    wrong_candidates: usize,
}

/// Examples that hold nothing.
#[derive(Debug, Clone, Copy, Default)]
struct Empty {
    all: usize,
    /// An explicit act was found in them.
    explicit: usize,
    /// Anything was found in them.
    found: usize,
}

/// The counts of all examples.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    all: Row,
    categories: BTreeMap<String, Row>,
    languages: BTreeMap<String, Row>,
    empty: Empty,
    /// Of these, the everyday prompts.
    everyday: Empty,
}

impl Counts {
    /// Counts an example.
    pub fn add(&mut self, example: &Example, judged: &Judged<'_>) {
        for (kept, stated) in &judged.kept {
            self.each(&kept.category, &example.language, |row| {
                row.kept += 1;
                row.found += usize::from(stated.is_some());
                row.explicit += usize::from(stated.is_some_and(|stated| stated.is_explicit));
            });
        }
        for stated in &judged.wrong {
            self.each(stated.finding.category.as_str(), &example.language, |row| match stated.is_explicit {
                true => row.wrong += 1,
                false => row.wrong_candidates += 1,
            });
        }
        if example.keep.is_empty() {
            self.empty.add(judged);
        }
        if example.kind == "everyday" {
            self.everyday.add(judged);
        }
    }

    fn each(&mut self, category: &str, language: &str, count: impl Fn(&mut Row)) {
        count(&mut self.all);
        count(self.categories.entry(category.to_owned()).or_default());
        count(self.languages.entry(language.to_owned()).or_default());
    }
}

impl Empty {
    fn add(&mut self, judged: &Judged<'_>) {
        self.all += 1;
        self.explicit += usize::from(judged.wrong.iter().any(|stated| stated.is_explicit));
        self.found += usize::from(!judged.wrong.is_empty());
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| | to save | explicit acts | precision | with candidates | precision |")?;
        writeln!(f, "|---|---:|---:|---:|---:|---:|")?;
        let categories = CATEGORIES.iter().filter_map(|each| self.categories.get_key_value(*each));
        for (name, row) in categories.chain(&self.languages) {
            writeln!(f, "| {name} {row}")?;
        }
        writeln!(f, "| all {}", self.all)?;
        writeln!(f, "\nExamples that hold nothing: {}", self.empty)?;
        writeln!(f, "Everyday prompts: {}", self.everyday)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let recall = share(self.explicit, self.kept);
        let precision = share(self.explicit, self.explicit + self.wrong);
        let all_recall = share(self.found, self.kept);
        let all_precision = share(self.found, self.found + self.wrong + self.wrong_candidates);
        write!(f, "| {} | {recall} | {precision} | {all_recall} | {all_precision} |", self.kept)
    }
}

impl fmt::Display for Empty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (explicit, found) = (share(self.explicit, self.all), share(self.found, self.all));
        write!(f, "of {}, an explicit act was found in {explicit}, a candidate or one in {found}", self.all)
    }
}

/// Returns a share in percent.
pub fn share(part: usize, whole: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}
