//! What a layer did with an event, for a person and as JSON.

use std::io::Write;
use std::time::Duration;

use serde_json::{Value, json};

use crate::claude::Event;
use crate::command::output::Output;
use crate::grant::{HostCall, LayerTrace};
use crate::harness::Outcome;
use crate::log::{Level, LogLine};
use crate::pipeline::event_name;
use crate::sandbox::LayerFailure;

/// Letters of a value that a person is shown; `--json` has all of it.
const SHOWN: usize = 400;

/// What there is to tell of one event.
pub struct Told<'a> {
    pub layer: &'a str,
    pub event: &'a Event,
    pub outcome: &'a Outcome,
    /// The lines of this event.
    pub log: &'a [LogLine],
}

impl Told<'_> {
    fn turn(&self) -> Option<&LayerTrace> {
        self.outcome.traces.first()
    }

    /// Why the layer did not answer.
    pub fn failure(&self) -> Option<String> {
        let logged = || {
            let errors = self.log.iter().rev().find(|line| line.level == Level::Error);
            errors.map_or("it was not heard of again".to_owned(), |line| line.message.clone())
        };
        match self.turn().map(|turn| &turn.reply) {
            Some(Ok(_)) => None,
            // The log knows how long it had.
            Some(Err(LayerFailure::Deadline)) | None => Some(logged()),
            Some(Err(failure)) => Some(failure.describe(Duration::ZERO)),
        }
    }

    /// The reply as Claude Code would get it; `null` for nothing.
    fn reply(&self) -> Value {
        let reply = self.outcome.reply.to_json(&self.event.name);
        reply.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default()
    }

    fn said(&self) -> Value {
        self.turn().and_then(|turn| turn.reply.clone().ok()).unwrap_or_default()
    }

    /// Whether it answered, but later than a hook would have waited.
    fn is_late(&self) -> bool {
        let took = |turn: &LayerTrace| turn.phases.load + turn.phases.link + turn.phases.run;
        self.failure().is_none() && self.turn().is_some_and(|turn| took(turn) > self.outcome.deadline)
    }

    /// All of it.
    pub fn object(&self) -> Value {
        let turn = self.turn();
        let phase = |time: fn(&LayerTrace) -> Duration| turn.map(|turn| time(turn).as_micros() as u64);
        json!({
            "layer": self.layer, "event": event_name(self.event), "failure": self.failure(),
            "reply": self.reply(), "said": self.said(),
            "calls": turn.map(|turn| turn.calls.iter().map(call).collect::<Vec<_>>()).unwrap_or_default(),
            "micros": {
                "compile": self.outcome.compile_time.as_micros() as u64, "load": phase(|turn| turn.phases.load),
                "link": phase(|turn| turn.phases.link), "run": phase(|turn| turn.phases.run),
            },
            "late": self.is_late(), "peak_memory": turn.map(|turn| turn.peak_memory),
            "log": self.log,
        })
    }
}

fn call(call: &HostCall) -> Value {
    let arguments: serde_json::Map<String, Value> = call.arguments.iter().cloned().collect();
    json!({
        "interface": call.interface, "function": call.function, "arguments": arguments,
        "result": call.result, "micros": call.took.as_micros() as u64,
    })
}

/// Tells it to a person.
pub fn print(told: &Told<'_>, out: &mut Output) -> anyhow::Result<()> {
    let (name, event) = (out.strong(told.layer), event_name(told.event));
    match told.failure() {
        None => writeln!(out, "{name} answered {event}")?,
        Some(failure) => writeln!(out, "{name} did not answer {event}: {failure}")?,
    }
    let nothing = |value: Value| if value.is_null() { "nothing".to_owned() } else { shown(&value) };
    line(out, "reply", &nothing(told.reply()))?;
    line(out, "said", &nothing(told.said()))?;
    if let Some(turn) = told.turn() {
        let LayerTrace { phases, .. } = turn;
        let compile = millis(told.outcome.compile_time);
        let [load, link, run] = [phases.load, phases.link, phases.run].map(millis);
        line(out, "time", &format!("compile {compile}, load {load}, link {link}, run {run}"))?;
        if told.is_late() {
            line(
                out,
                "late",
                &format!("a hook waits {} ms and would have gone without", told.outcome.deadline.as_millis()),
            )?;
        }
        line(out, "memory", &format!("{} KiB at its peak", turn.peak_memory >> 10))?;
        line(out, "calls", &turn.calls.len().to_string())?;
        for call in &turn.calls {
            writeln!(out, "    {} {}", written(call), out.faint(&millis(call.took)))?;
        }
    }
    line(out, "log", &told.log.len().to_string())?;
    for logged in told.log {
        writeln!(out, "    {} {}", out.faint(level(logged.level)), logged.message)?;
    }
    Ok(())
}

fn line(out: &mut Output, name: &str, value: &str) -> anyhow::Result<()> {
    Ok(writeln!(out, "  {} {value}", out.faint(&format!("{name:<7}")))?)
}

/// Such as `state.get(scope: "session", key: "count") -> {"ok":null}`.
fn written(call: &HostCall) -> String {
    let arguments = call.arguments.iter().map(|(name, value)| format!("{name}: {}", shown(value)));
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let result = if call.result.is_null() { String::new() } else { format!(" -> {}", shown(&call.result)) };
    format!("{}.{}({arguments}){result}", call.interface, call.function)
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        None => text,
        Some((end, _)) => format!("{}… ({} bytes, --json has all)", &text[..end], text.len()),
    }
}

fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Debug => "debug",
        Level::Info => "info",
        Level::Warn => "warn",
        Level::Error => "error",
    }
}
