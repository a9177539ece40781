//! The rows of the table, and the table as Markdown for the README.

use std::fmt::Write;

use anyhow::{Result, bail};
use serde_json::Value;

use super::events::Event;
use super::fixture::{self, Fixture};
use super::process::{self, Sample};

/// One row of the table: an event on a fixture, measured many times.
pub struct Row<'a> {
    /// The program and the project.
    pub fixture: &'a Fixture,
    /// The event.
    pub event: Event,
    /// The cost of the runs so far.
    pub sample: Sample,
    /// Memories that a hook injected, the same in every run.
    pub injected: Option<usize>,
}

impl<'a> Row<'a> {
    /// Returns a row for every event on a fixture.
    pub fn all(fixture: &'a Fixture) -> Vec<Self> {
        let row = |event| Row { fixture, event, sample: Sample::default(), injected: None };
        match fixture.layer {
            None => Event::EMBEDDED_LAYERS.map(row).into(),
            Some(_) => Event::TEAM_LAYER.map(row).into(),
        }
    }

    /// Returns its name in the table.
    pub fn name(&self) -> String {
        let layer = self.fixture.layer.map(|layer| format!(" (layer in {layer})"));
        format!("{}{}", self.event.name(), layer.unwrap_or_default())
    }

    /// Discards the runs so far.
    pub fn forget(&mut self) {
        self.sample = Sample::default();
    }

    /// Runs it once, in a session of its own.
    pub fn run(&mut self, round: usize) -> Result<()> {
        match self.event {
            Event::Stop => {
                fixture::run_with_worker(self.fixture, &session_id(self.event, round), || self.hook(round))
            }
            _ => self.hook(round),
        }
    }

    fn hook(&mut self, round: usize) -> Result<()> {
        let ran = process::run(&mut self.fixture.hook(), &self.event_json(round))?;
        let reply = serde_json::from_str(&ran.stdout).unwrap_or_default();
        self.sample.add(ran);
        if asks(&reply) != (self.event == Event::Asked) {
            bail!("{}, {}: answered {reply}", self.fixture.program, self.name());
        }
        self.check(items(&reply))
    }

    /// Checks that the reply is the one that the row measures.
    fn check(&mut self, injected: usize) -> Result<()> {
        let fixture = self.fixture;
        let name = self.name();
        let place = || format!("{}, {} memories, {name}", fixture.program, fixture.memories);
        let fits = match self.event {
            Event::NoLayer
            | Event::SilentPrompt
            | Event::ToolWithoutMatch
            | Event::CleanOutput
            | Event::Stop
            | Event::Passed => injected == 0,
            // The layer's own constraint.
            Event::Asked => injected > 0,
            // Posttool decides whether a failure shows a memory; the check below requires the same each time.
            Event::OutputWithSecret => true,
            Event::MatchingPrompt | Event::SessionStart | Event::ToolWithMatch => {
                injected > 0 || fixture.memories == 0
            }
        };
        if !fits {
            bail!("{}: {injected} memories were injected", place());
        }
        // A start shows fewer of the memories that sessions were shown and did not use.
        let may_change = matches!(self.event, Event::SessionStart);
        if !may_change && self.injected.is_some_and(|before| before != injected) {
            bail!("{}: {injected} memories were injected, and {:?} before", place(), self.injected);
        }
        self.injected = Some(injected);
        Ok(())
    }

    fn event_json(&self, round: usize) -> String {
        let Fixture { corpus, memories, .. } = self.fixture;
        let prompt = self.event.prompt(corpus, *memories);
        let fields = self.event.fields(corpus, prompt.as_deref());
        self.fixture.payload(&session_id(self.event, round), fields)
    }
}

/// Returns the id of a new session.
fn session_id(event: Event, round: usize) -> String {
    format!("{:08x}-0000-4000-8000-{round:012x}", event as usize)
}

/// Returns the number of memories in a hook's reply.
fn items(reply: &Value) -> usize {
    let context = reply["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
    context.lines().filter(|line| line.starts_with("- [")).count()
}

/// Tells whether a hook's reply asks the person.
fn asks(reply: &Value) -> bool {
    reply["hookSpecificOutput"]["permissionDecision"] == "ask"
}

/// Returns the table, the empty program first.
pub fn markdown(empty_program: &Sample, rows: &[Row]) -> String {
    let mut table = String::from(
        "| program | memories | event | median ms | × empty program | injected | peak MiB |\n\
         |---|---:|---|---:|---:|---:|---:|\n",
    );
    let empty = empty_program.median();
    let _ =
        writeln!(table, "| empty static C program | | | {empty:.2} | 1.0 | | {:.1} |", empty_program.peak());
    for row @ Row { fixture, sample, injected, .. } in rows {
        let (program, memories, name) = (&fixture.program, fixture.memories, row.name());
        let (median, peak) = (sample.median(), sample.peak());
        let injected = injected.map_or(String::new(), |count| count.to_string());
        let _ = writeln!(
            table,
            "| {program} | {memories} | {name} | {median:.2} | {:.1} | {injected} | {peak:.1} |",
            median / empty
        );
    }
    table
}
