//! The review that a person reads before accepting a layer: its file, its events and its grants, as a
//! difference from the previously accepted version.

use std::io::Write;
use std::path::Path;

use interleaf_text::for_terminal;

use crate::command::output::{Output, quoted_path};
use crate::config::Diagnostic;
use crate::contract::Inspection;
use crate::layer::{EventName, FailurePolicy, FileScope, Grants, Layer, MissingGrant, Need};
use crate::roster::{AcceptedLayer, LayerCandidate};

/// A layer as it would be accepted.
pub struct Review<'a> {
    /// The project's root. Files inside it are named relative to it.
    pub root: &'a Path,
    /// The layer's file.
    pub candidate: &'a LayerCandidate,
    /// The SHA-256 digest of the file.
    pub digest: &'a str,
    /// The exports and imports of the component.
    pub inspection: &'a Inspection,
    /// The grants to accept.
    pub grants: &'a Grants,
    /// The requested answer to tool calls while the layer is missing, changed or failing.
    pub requested_policy: Option<FailurePolicy>,
    /// What is ignored of the layer's settings.
    pub problems: &'a [Diagnostic],
    /// The version that was accepted under this name before.
    pub previous: Option<&'a AcceptedLayer>,
}

impl Review<'_> {
    /// Returns the answer to tool calls while the layer is missing, changed or failing.
    fn on_failure(&self) -> FailurePolicy {
        FailurePolicy::for_layer(self.grants, &self.inspection.answers, self.requested_policy)
    }

    /// Prints the review.
    pub fn print(&self, out: &mut Output) -> anyhow::Result<()> {
        self.print_file(out)?;
        self.print_replaced_layer(out)?;
        self.print_events(out)?;
        self.print_rights(out)?;
        self.print_unused_policy(out)?;
        self.print_problems(out)?;
        self.print_missing_grants(out)
    }

    fn print_file(&self, out: &mut Output) -> anyhow::Result<()> {
        let change = if self.previous.is_some() { "changed since you accepted it" } else { "new" };
        let owner = match self.candidate.scope {
            FileScope::User => "your own, for all projects",
            FileScope::Project => "of this project",
        };
        let title = format!("Layer {}", for_terminal(&self.candidate.name));
        writeln!(out, "{} ({change})", out.bold(&title))?;
        let file = self.candidate.file.strip_prefix(self.root).unwrap_or(&self.candidate.file);
        let file = quoted_path(&file.to_string_lossy());
        let size = format_bytes(self.inspection.size);
        let mut facts = vec![
            ("file", format!("{file} ({owner}, {size})")),
            ("digest", format!("sha256:{}", self.digest)),
        ];
        facts.extend(self.previous.map(|previous| ("before", format!("sha256:{}", previous.digest))));
        for (name, value) in facts {
            writeln!(out, "  {} {}", out.faint(&format!("{name:<7}")), for_terminal(&value))?;
        }
        Ok(())
    }

    /// Says which embedded layer no longer runs, and what is lost with it.
    fn print_replaced_layer(&self, out: &mut Output) -> anyhow::Result<()> {
        let Some(layer) = Layer::embedded().into_iter().find(|layer| layer.name == self.candidate.name)
        else {
            return Ok(());
        };
        writeln!(out, "\n{} It takes the place of the embedded {}, which", out.bold("warning:"), layer.name)?;
        writeln!(out, "  - {}", for_terminal(&layer.about))?;
        for description in layer.grants.descriptions() {
            writeln!(out, "  - {}", for_terminal(&description))?;
        }
        Ok(())
    }

    fn print_events(&self, out: &mut Output) -> anyhow::Result<()> {
        let lines = |events: &[EventName]| {
            let line = |event: &EventName| format!("{event}: {}", event.visible_data());
            events.iter().map(line).collect::<Vec<_>>()
        };
        let old = self.previous.map_or_else(Vec::new, |previous| lines(&previous.answers));
        writeln!(out, "\nIt sees all data of the events that it answers:")?;
        self.print_difference(&lines(&self.inspection.answers), &old, out)
    }

    fn print_rights(&self, out: &mut Output) -> anyhow::Result<()> {
        let lines = |grants: &Grants, on_failure: FailurePolicy| {
            let mut lines = grants.descriptions();
            lines.extend(describe_failure_policy(on_failure).map(str::to_owned));
            lines
        };
        let new = lines(self.grants, self.on_failure());
        let old =
            self.previous.map_or_else(Vec::new, |previous| lines(&previous.grants, previous.on_failure));
        if new.is_empty() && old.is_empty() {
            return Ok(writeln!(out, "\nIt requests no grants: it can only add context.")?);
        }
        writeln!(out, "\nBesides adding context, it")?;
        self.print_difference(&new, &old, out)
    }

    /// Prints lines with `+` and `-` as in a patch, or without signs if no version was accepted before.
    fn print_difference(&self, new: &[String], old: &[String], out: &mut Output) -> anyhow::Result<()> {
        for line in new {
            let sign = if self.previous.is_some() && !old.contains(line) { "+" } else { " " };
            writeln!(out, "{sign} - {}", for_terminal(line))?;
        }
        for line in old.iter().filter(|line| !new.contains(line)) {
            writeln!(out, "- - {} (removed)", for_terminal(line))?;
        }
        Ok(())
    }

    /// Says why a requested answer to tool calls is not given.
    fn print_unused_policy(&self, out: &mut Output) -> anyhow::Result<()> {
        let unused = self.requested_policy.filter(|policy| *policy != self.on_failure());
        let Some(policy) = unused else { return Ok(()) };
        let reason = match self.grants.is_gate() {
            true => "it does not answer pre-tool",
            false => "it has neither the power to deny nor to ask",
        };
        let policy = policy.as_str();
        Ok(writeln!(
            out,
            "\nThe answer to its failure (on_failure = \"{policy}\") is never given: {reason}."
        )?)
    }

    fn print_problems(&self, out: &mut Output) -> anyhow::Result<()> {
        for problem in self.problems {
            writeln!(out, "\n{} {}", out.bold("warning:"), for_terminal(&problem.to_string()))?;
        }
        Ok(())
    }

    /// Prints the imports without a grant. Their calls will be denied. Nothing is known of them while the
    /// grants cannot be read.
    fn print_missing_grants(&self, out: &mut Output) -> anyhow::Result<()> {
        let missing = Need::missing(&self.inspection.needs, self.grants);
        if missing.is_empty() || self.problems.iter().any(Diagnostic::hides_grants) {
            return Ok(());
        }
        let names: Vec<&str> = missing.iter().map(|missing| missing.need.as_str()).collect();
        writeln!(out, "\nIt also imports {} without a grant. Those calls are denied.", names.join(", "))?;
        writeln!(out, "To request the grants, write into .claude/interleaf.toml or your own config.toml:")?;
        writeln!(out, "  [layers.{}.grants]", for_terminal(&self.candidate.name))?;
        for MissingGrant { line, .. } in missing {
            writeln!(out, "  {line}")?;
        }
        Ok(())
    }
}

fn describe_failure_policy(policy: FailurePolicy) -> Option<&'static str> {
    match policy {
        FailurePolicy::Pass => None,
        FailurePolicy::Ask => {
            Some("requires your confirmation before every tool call while it is missing, changed or failing")
        }
        FailurePolicy::Deny => Some("denies every tool call while it is missing, changed or failing"),
    }
}

fn format_bytes(bytes: usize) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
