//! How a replay reads: what was injected and when, what it cost, and what it should have been.
//!
//! A person gets the events that brought something, with the silent ones counted; a program gets every event as JSON.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use crate::claude::{Event, Permission, Reply};

use super::process::Ran;
use super::recording::Session;
use super::saved::{Lessons, Saved};
use super::score::{Score, Tally, Verdict};

/// Characters of a prompt or a command that stand in the line of an event.
const BRIEF: usize = 84;

/// One event that was played.
pub(super) struct Played {
    /// Its place in the recording, from 0.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// What it is about.
    pub what: String,
    /// What the hook wants of the client.
    pub reply: Option<Reply>,
    /// The hook's process.
    pub ran: Ran,
    /// How that compares with what was expected.
    pub verdict: Option<Verdict>,
}

impl Played {
    /// What a process said, as the client would take it: of a hook that failed, nothing counts.
    pub(super) fn new(number: usize, event: &Event, what: String, ran: Ran) -> Self {
        let reply =
            Some(&ran).filter(|ran| ran.code == Some(0)).and_then(|ran| Reply::from_json(&ran.stdout));
        Self { number, name: event.name.clone(), what, reply, ran, verdict: None }
    }

    /// The text that the model gets.
    pub(super) fn injected(&self) -> String {
        let Some(Reply { context, block, .. }) = &self.reply else { return String::new() };
        context.iter().chain(block).map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// The event's line: number, name, and what it is about, in short.
    pub(super) fn title(&self) -> String {
        let what = self.what.split_whitespace().collect::<Vec<_>>().join(" ");
        let brief: String = what.chars().take(BRIEF).collect();
        let more = if brief.len() < what.len() { "…" } else { "" };
        format!("#{} {} {brief}{more}", self.number, self.name).trim_end().to_owned()
    }

    /// Everything the hook wants, a line each: the model's text first.
    fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.injected().lines().map(str::to_owned).collect();
        if let Some(reply) = &self.reply {
            lines.extend(
                reply.permission.as_ref().map(|(verdict, reason)| format!("({}: {reason})", word(*verdict))),
            );
            lines.extend(
                reply.updated_input.as_ref().map(|input| format!("(the tool's input becomes {input})")),
            );
            lines.extend(
                reply.updated_output.as_ref().map(|output| format!("(the tool's output becomes {output})")),
            );
            lines.extend(reply.stop.as_ref().map(|reason| format!("(ends the turn: {reason})")));
            lines.extend(reply.notice.as_ref().map(|notice| format!("(tells the person: {notice})")));
        }
        lines
    }

    /// What a hook may never do, a line each.
    fn faults(&self) -> Vec<String> {
        let code = match self.ran.code {
            Some(0) => None,
            Some(code) => Some(format!("! exit code {code}")),
            None => Some("! ended by a signal, or killed because it hung".to_owned()),
        };
        let garbled = self.reply.is_none() && self.ran.code == Some(0) && !self.ran.stdout.is_empty();
        let garbled = garbled.then(|| format!("! not a reply: {}", self.ran.stdout.trim()));
        let stderr = self.ran.stderr.lines().map(|line| format!("! stderr: {line}"));
        code.into_iter().chain(garbled).chain(stderr).collect()
    }
}

fn word(permission: Permission) -> &'static str {
    match permission {
        Permission::Allow => "allows it",
        Permission::Ask => "asks the person",
        Permission::Deny => "denies it",
    }
}

/// Where the report goes, and what it has gathered for its end.
pub(super) struct Report<'a> {
    out: &'a mut dyn Write,
    json: bool,
    /// Silent events since the last that was shown.
    silent: usize,
    /// By event: how long each took, and how many brought something.
    events: BTreeMap<String, (Vec<Duration>, usize)>,
}

impl<'a> Report<'a> {
    pub(super) fn new(out: &'a mut dyn Write, json: bool) -> Self {
        Self { out, json, silent: 0, events: BTreeMap::new() }
    }

    /// A session begins.
    pub(super) fn session(&mut self, session: &Session) -> io::Result<()> {
        self.hush()?;
        match self.json {
            true => Ok(()),
            false => writeln!(self.out, "{}\n    {}\n", session.name(), session.meta.session_story),
        }
    }

    /// An event was played.
    pub(super) fn event(&mut self, session: &Session, played: &Played) -> io::Result<()> {
        let (lines, faults) = (played.lines(), played.faults());
        let (times, brought) = self.events.entry(played.name.clone()).or_default();
        times.push(played.ran.took);
        *brought += usize::from(!lines.is_empty());
        if self.json {
            return writeln!(self.out, "{}", serde_json::to_string(&Line::of(session, played))?);
        }
        if lines.is_empty() && faults.is_empty() {
            self.silent += 1;
            return Ok(());
        }
        self.hush()?;
        writeln!(self.out, "{}  ({:.1} ms)", played.title(), ms(played.ran.took))?;
        lines.iter().chain(&faults).try_for_each(|line| writeln!(self.out, "    {line}"))?;
        writeln!(self.out)
    }

    /// What the session left behind.
    pub(super) fn saved(
        &mut self,
        session: &Session,
        before: &HashSet<String>,
        after: &[Saved],
    ) -> io::Result<()> {
        let new: Vec<&Saved> = after.iter().filter(|memory| memory.is_new(before)).collect();
        if new.is_empty() {
            return self.hush();
        }
        if self.json {
            let line = serde_json::json!({ "session": session.name(), "saved": new });
            return writeln!(self.out, "{line}");
        }
        self.hush()?;
        writeln!(self.out, "saved of this session:")?;
        new.iter().try_for_each(|memory| writeln!(self.out, "    {}", memory.line()))?;
        writeln!(self.out)
    }

    /// The silent events so far, in one line.
    fn hush(&mut self) -> io::Result<()> {
        match std::mem::take(&mut self.silent) {
            0 => Ok(()),
            1 => writeln!(self.out, "… one silent event\n"),
            count => writeln!(self.out, "… {count} silent events\n"),
        }
    }

    /// Times by event, and the score where there is one.
    pub(super) fn close(mut self, scores: &[Score]) -> io::Result<()> {
        self.hush()?;
        if self.json {
            return Ok(());
        }
        writeln!(
            self.out,
            "{:<22}{:>6}{:>12}{:>12}{:>9}",
            "event", "count", "median ms", "max ms", "brought"
        )?;
        let mut all = (Vec::new(), 0);
        for (name, (times, brought)) in std::mem::take(&mut self.events) {
            self.times(&name, times.clone(), brought)?;
            all.0.extend(times);
            all.1 += brought;
        }
        self.times("all", all.0, all.1)?;
        self.score(scores)
    }

    fn times(&mut self, name: &str, mut times: Vec<Duration>, brought: usize) -> io::Result<()> {
        times.sort();
        let (Some(median), Some(max)) = (times.get(times.len() / 2), times.last()) else { return Ok(()) };
        let (count, median, max) = (times.len(), ms(*median), ms(*max));
        writeln!(self.out, "{name:<22}{count:>6}{median:>12.1}{max:>12.1}{brought:>9}")
    }

    fn lessons(&mut self, scores: &[Score]) -> io::Result<()> {
        let mut all = Lessons::default();
        scores.iter().for_each(|score| all += score.lessons);
        let Lessons { musts, musts_saved, nice_saved, written, fitting, forbidden } = all;
        writeln!(
            self.out,
            "saved: {musts_saved} of {musts} facts that must be, {nice_saved} that may be; {fitting} of {written} \
             memories say an expected fact; {forbidden} say what must not be saved",
        )
    }

    fn score(&mut self, scores: &[Score]) -> io::Result<()> {
        if scores.is_empty() {
            return Ok(());
        }
        let mut all = Tally::default();
        scores.iter().for_each(|score| all += score.tally);
        let Tally { wanted, brought, still, silences, noises, unexpected } = all;
        writeln!(
            self.out,
            "\nrecall: {} of {wanted} wanted facts ({brought} brought in time, {still} still in view)\n\
             false injections: {noises} of {silences} events that should be silent, {unexpected} facts out of place",
            brought + still
        )?;
        self.lessons(scores)?;
        let differences = scores.iter().flat_map(|score| &score.differences);
        differences.into_iter().try_for_each(|line| writeln!(self.out, "    {line}"))
    }
}

/// An event for a program.
#[derive(Serialize)]
struct Line<'a> {
    session: String,
    event: usize,
    name: &'a str,
    what: &'a str,
    ms: f64,
    code: Option<i32>,
    stdout: &'a str,
    stderr: &'a str,
    injected: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'a Verdict>,
}

impl<'a> Line<'a> {
    fn of(session: &Session, played: &'a Played) -> Self {
        let Played { number, name, what, ran, verdict, .. } = played;
        Self {
            session: session.name(),
            event: *number,
            name,
            what,
            ms: (ms(ran.took) * 100.0).round() / 100.0,
            code: ran.code,
            stdout: &ran.stdout,
            stderr: &ran.stderr,
            injected: played.injected(),
            verdict: verdict.as_ref(),
        }
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
