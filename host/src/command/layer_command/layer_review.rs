//! What a person reads before they accept a layer: whose it is, what it sees, and what it asks to do, as a difference
//! from what they accepted before.

use std::io::Write;
use std::path::Path;

use crate::contract::Inspection;
use crate::layer::{EventName, FailurePolicy, FileScope, Grants, Need};
use crate::roster::{AcceptedLayer, LayerCandidate};

use crate::command::output::{Output, tame};

/// A layer as it would be accepted.
pub struct Review<'a> {
    /// The project's root, from which its files are named.
    pub root: &'a Path,
    /// The file.
    pub offer: &'a LayerCandidate,
    /// Its digest.
    pub digest: &'a str,
    /// What is in it.
    pub inspection: &'a Inspection,
    /// What it would be granted.
    pub grants: &'a Grants,
    /// The answer that would be pinned.
    pub on_failure: FailurePolicy,
    /// What was accepted under its name before.
    pub before: Option<&'a AcceptedLayer>,
}

impl Review<'_> {
    /// Prints it.
    pub fn print(&self, out: &mut Output) -> anyhow::Result<()> {
        self.head(out)?;
        self.sight(out)?;
        self.rights(out)?;
        self.lacks(out)?;
        Ok(())
    }

    fn head(&self, out: &mut Output) -> anyhow::Result<()> {
        let (name, inspection) = (&self.offer.name, self.inspection);
        let news = if self.before.is_some() { "changed since you accepted it" } else { "new" };
        let whose = match self.offer.scope {
            FileScope::User => "your own, for all projects",
            FileScope::Project => "of this project",
        };
        writeln!(out, "{} ({news})", out.strong(&format!("Layer {name}")))?;
        let (file, size) = (
            tame(&self.offer.file.strip_prefix(self.root).unwrap_or(&self.offer.file).display().to_string()),
            kilobytes(inspection.size),
        );
        let facts =
            [("file", format!("{file} ({whose}, {size})")), ("digest", format!("sha256:{}", self.digest))];
        for (name, value) in facts {
            writeln!(out, "  {} {value}", out.faint(&format!("{name:<7}")))?;
        }
        if let Some(before) = self.before {
            writeln!(out, "  {} sha256:{}", out.faint("before "), before.digest)?;
        }
        Ok(())
    }

    fn sight(&self, out: &mut Output) -> anyhow::Result<()> {
        let none = Vec::new();
        let before = self.before.map_or(&none, |before| &before.answers);
        writeln!(out, "\nIt sees everything in the events that it answers:")?;
        let line = |event: &EventName| format!("{event}: {}", event.visible_data());
        let (now, then) = (self.inspection.answers.iter().map(line), before.iter().map(line));
        self.difference(&now.collect::<Vec<_>>(), &then.collect::<Vec<_>>(), out)
    }

    fn rights(&self, out: &mut Output) -> anyhow::Result<()> {
        let sentences = |grants: &Grants, on_failure: FailurePolicy| {
            let mut sentences = grants.descriptions();
            sentences.extend(pinned(on_failure).map(str::to_owned));
            sentences
        };
        let now = sentences(self.grants, self.on_failure);
        let then = self.before.map_or_else(Vec::new, |before| sentences(&before.grants, before.on_failure));
        if now.is_empty() && then.is_empty() {
            return Ok(writeln!(out, "\nIt asks for nothing else: it can only add context.")?);
        }
        writeln!(out, "\nBeside adding context, it")?;
        self.difference(&now, &then, out)
    }

    /// What was there before and is there now, marked as in a patch; without marks where nothing was before.
    fn difference(&self, now: &[String], then: &[String], out: &mut Output) -> anyhow::Result<()> {
        for line in now {
            let mark = if self.before.is_some() && !then.contains(line) { "+" } else { " " };
            writeln!(out, "{mark} - {}", tame(line))?;
        }
        for line in then.iter().filter(|line| !now.contains(line)) {
            writeln!(out, "- - {} (no longer)", tame(line))?;
        }
        Ok(())
    }

    /// What it imports and was not granted: those calls will be denied.
    fn lacks(&self, out: &mut Output) -> anyhow::Result<()> {
        let lacks: Vec<&Need> =
            self.inspection.needs.iter().filter(|need| !need.is_met_by(self.grants)).collect();
        if lacks.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = lacks.iter().map(|need| need.as_str()).collect();
        writeln!(
            out,
            "\nIt also imports {}, which it would not be granted: those calls are denied.",
            names.join(", ")
        )?;
        writeln!(out, "To have it ask for them, write into .claude/interleaf.toml or your own config.toml:")?;
        writeln!(out, "  [layers.{}.grants]", self.offer.name)?;
        for need in lacks {
            writeln!(out, "  {}", need.grant_setting())?;
        }
        Ok(())
    }
}

fn pinned(on_failure: FailurePolicy) -> Option<&'static str> {
    match on_failure {
        FailurePolicy::Pass => None,
        FailurePolicy::Ask => {
            Some("has you asked before every tool call when it is missing, changed or failing")
        }
        FailurePolicy::Deny => Some("refuses every tool call when it is missing, changed or failing"),
    }
}

fn kilobytes(bytes: usize) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
