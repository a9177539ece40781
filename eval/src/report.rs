//! Prints a replay: the text shown at each event, the time that it took, and the score.
//!
//! The report for people has the events with output and counts the silent ones; the report for programs has
//! every event as JSON.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::time::Duration;

use interleaf_expectations::SavedCounts;
use serde::Serialize;
use serde_json::json;

use crate::played_event::PlayedEvent;
use crate::recording::Session;
use crate::saved::SavedMemory;
use crate::score::{Figures, InjectionCounts, SessionScore, Verdict};

/// The output of the report, and the counts for its end.
pub struct Report<'a> {
    out: &'a mut dyn Write,
    json: bool,
    /// Number of silent events since the last printed one.
    silent: usize,
    /// The times of the events with each name, and the number of those with output.
    events: BTreeMap<String, (Vec<Duration>, usize)>,
}

impl<'a> Report<'a> {
    /// Creates a report for people or for programs.
    pub fn new(out: &'a mut dyn Write, json: bool) -> Self {
        Self { out, json, silent: 0, events: BTreeMap::new() }
    }

    /// Prints the head of a session.
    pub fn begin_session(&mut self, session: &Session) -> io::Result<()> {
        self.print_silent_count()?;
        match self.json {
            true => Ok(()),
            false => writeln!(self.out, "{}\n    {}\n", session.name(), session.meta.session_story),
        }
    }

    /// Prints an event, with its verdict if there are expectations.
    pub fn add_event(
        &mut self,
        session: &Session,
        played: &PlayedEvent,
        verdict: Option<&Verdict>,
    ) -> io::Result<()> {
        let (lines, faults) = (played.lines(), played.faults());
        let (times, shown) = self.events.entry(played.name.clone()).or_default();
        times.push(played.ran.took);
        *shown += usize::from(!lines.is_empty());
        if self.json {
            return writeln!(
                self.out,
                "{}",
                serde_json::to_string(&EventLine::new(session, played, verdict))?
            );
        }
        if lines.is_empty() && faults.is_empty() {
            self.silent += 1;
            return Ok(());
        }
        self.print_silent_count()?;
        writeln!(self.out, "{}  ({:.1} ms)", played.title(), millis(played.ran.took))?;
        lines.iter().chain(&faults).try_for_each(|line| writeln!(self.out, "    {line}"))?;
        writeln!(self.out)
    }

    /// Prints the memories that the session saved.
    pub fn add_saved(
        &mut self,
        session: &Session,
        before: &HashSet<String>,
        after: &[SavedMemory],
    ) -> io::Result<()> {
        let new: Vec<_> = after.iter().filter(|memory| memory.is_new_and_active(before)).collect();
        if new.is_empty() {
            return self.print_silent_count();
        }
        if self.json {
            return writeln!(self.out, "{}", json!({ "session": session.name(), "saved": new }));
        }
        self.print_silent_count()?;
        writeln!(self.out, "saved from this session:")?;
        let (tentative, certain): (Vec<_>, Vec<_>) =
            new.into_iter().partition(|memory| memory.is_tentative());
        certain.iter().try_for_each(|memory| writeln!(self.out, "    {}", memory.line()))?;
        if !tentative.is_empty() {
            let count = tentative.len();
            writeln!(
                self.out,
                "    and {count} tentative, shown to no session (interleaf review lists them)"
            )?;
        }
        writeln!(self.out)
    }

    fn print_silent_count(&mut self) -> io::Result<()> {
        match std::mem::take(&mut self.silent) {
            0 => Ok(()),
            1 => writeln!(self.out, "… one silent event\n"),
            count => writeln!(self.out, "… {count} silent events\n"),
        }
    }

    /// Ends the report: for people with the times by event, then with the score if there is one.
    pub fn close(mut self, scores: &[SessionScore]) -> io::Result<()> {
        self.print_silent_count()?;
        if !self.json {
            self.print_times()?;
        }
        if scores.is_empty() {
            return Ok(());
        }
        let mut figures = Figures::default();
        scores.iter().for_each(|score| figures += score.figures);
        if self.json {
            let differences: Vec<_> = scores.iter().flat_map(|score| &score.differences).collect();
            return writeln!(self.out, "{}", json!({ "figures": figures, "differences": differences }));
        }
        self.print_score(figures)?;
        let mut differences = scores.iter().flat_map(|score| &score.differences);
        differences.try_for_each(|line| writeln!(self.out, "    {line}"))
    }

    fn print_times(&mut self) -> io::Result<()> {
        writeln!(self.out, "{:<22}{:>6}{:>12}{:>12}{:>9}", "event", "count", "median ms", "max ms", "shown")?;
        let mut all = (Vec::new(), 0);
        for (name, (times, shown)) in std::mem::take(&mut self.events) {
            self.print_times_of(&name, times.clone(), shown)?;
            all.0.extend(times);
            all.1 += shown;
        }
        self.print_times_of("all", all.0, all.1)
    }

    fn print_times_of(&mut self, name: &str, mut times: Vec<Duration>, shown: usize) -> io::Result<()> {
        times.sort();
        let (Some(median), Some(max)) = (times.get(times.len() / 2), times.last()) else { return Ok(()) };
        let (count, median, max) = (times.len(), millis(*median), millis(*max));
        writeln!(self.out, "{name:<22}{count:>6}{median:>12.1}{max:>12.1}{shown:>9}")
    }

    fn print_score(&mut self, figures: Figures) -> io::Result<()> {
        let InjectionCounts { wanted, shown, in_view, silent_wanted, noisy, unexpected } = figures.injected;
        let SavedCounts { required, required_saved, optional_saved, written, expected, forbidden } =
            figures.saved;
        writeln!(
            self.out,
            "\nrecall: {} of {wanted} wanted facts ({shown} shown in time, {in_view} still in view)\nfalse \
             injections: {noisy} of {silent_wanted} events that should be silent, {unexpected} unexpected \
             facts\nsaved: {required_saved} of {required} facts that must be, {optional_saved} that may be; \
             {expected} of {written} memories state an expected fact; {forbidden} state what must not be \
             saved",
            shown + in_view
        )
    }
}

/// An event in the report for programs.
#[derive(Serialize)]
struct EventLine<'a> {
    session: String,
    event: usize,
    name: &'a str,
    subject: &'a str,
    ms: f64,
    code: Option<i32>,
    stdout: String,
    stderr: String,
    injected: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'a Verdict>,
}

impl<'a> EventLine<'a> {
    fn new(session: &Session, played: &'a PlayedEvent, verdict: Option<&'a Verdict>) -> Self {
        let PlayedEvent { number, name, subject, ran, .. } = played;
        Self {
            session: session.name(),
            event: *number,
            name,
            subject,
            ms: (millis(ran.took) * 100.0).round() / 100.0,
            code: ran.code,
            stdout: ran.out(),
            stderr: ran.err(),
            injected: played.injected(),
            verdict,
        }
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
