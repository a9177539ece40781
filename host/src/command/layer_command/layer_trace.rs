//! Formats the trace of a layer for one event, for a person and as JSON.

use std::io::Write;
use std::time::Duration;

use interleaf_text::for_terminal;
use serde_json::{Value, json};

use crate::claude::Event;
use crate::command::output::Output;
use crate::grant::{HostCall, LayerTrace};
use crate::harness::Outcome;
use crate::log::{Level, LogLine};
use crate::pipeline::event_name;
use crate::sandbox::LayerFailure;

/// Maximum number of characters of a value in the text for a person. `--json` prints all of them.
const MAX_VALUE_CHARS: usize = 400;

/// One event and its outcome.
pub struct EventTrace<'a> {
    pub layer: &'a str,
    pub event: &'a Event,
    pub outcome: &'a Outcome,
    /// The log lines of this event.
    pub log: &'a [LogLine],
}

impl EventTrace<'_> {
    fn trace(&self) -> Option<&LayerTrace> {
        self.outcome.traces.first()
    }

    /// Returns the reason why the layer did not answer; `None` if it did.
    pub fn failure(&self) -> Option<String> {
        let logged = || {
            let error = self.log.iter().rev().find(|line| line.level == Level::Error);
            error.map_or("it did not answer before the deadline".to_owned(), |line| line.message.clone())
        };
        match self.trace().map(|trace| &trace.reply) {
            Some(Ok(_)) => None,
            // The message in the log has the time limit of the layer.
            Some(Err(LayerFailure::Deadline)) | None => Some(logged()),
            Some(Err(failure)) => Some(failure.describe(Duration::ZERO)),
        }
    }

    /// Returns the reply as Claude Code would receive it; null for none.
    fn reply(&self) -> Value {
        let reply = self.outcome.reply.to_json(&self.event.name);
        reply.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default()
    }

    /// Returns the reply as the layer returned it, before the host checked it.
    fn raw_reply(&self) -> Value {
        self.trace().and_then(|trace| trace.reply.clone().ok()).unwrap_or_default()
    }

    /// Tells whether the layer answered, but after the deadline of a hook.
    fn is_late(&self) -> bool {
        let duration = |trace: &LayerTrace| trace.phases.load + trace.phases.link + trace.phases.run;
        self.failure().is_none() && self.trace().is_some_and(|trace| duration(trace) > self.outcome.deadline)
    }

    /// Returns the trace as JSON.
    pub fn object(&self) -> Value {
        let trace = self.trace();
        let phase = |time: fn(&LayerTrace) -> Duration| trace.map(|trace| time(trace).as_micros() as u64);
        json!({
            "layer": self.layer, "event": event_name(self.event), "failure": self.failure(),
            "reply": self.reply(), "said": self.raw_reply(),
            "calls": trace
                .map(|trace| trace.calls.iter().map(call_object).collect::<Vec<_>>())
                .unwrap_or_default(),
            "micros": {
                "compile": self.outcome.compile_time.as_micros() as u64,
                "load": phase(|trace| trace.phases.load),
                "link": phase(|trace| trace.phases.link), "run": phase(|trace| trace.phases.run),
            },
            "late": self.is_late(), "peak_memory": trace.map(|trace| trace.peak_memory),
            "log": self.log,
        })
    }

    /// Prints the trace for a person.
    pub fn print(&self, out: &mut Output) -> anyhow::Result<()> {
        let (name, event) = (out.bold(&for_terminal(self.layer)), event_name(self.event));
        match self.failure() {
            None => writeln!(out, "{name} answered {event}")?,
            Some(failure) => writeln!(out, "{name} did not answer {event}: {}", for_terminal(&failure))?,
        }
        let or_none = |value: Value| if value.is_null() { "none".to_owned() } else { format_value(&value) };
        fact(out, "reply", &or_none(self.reply()))?;
        fact(out, "raw", &or_none(self.raw_reply()))?;
        if let Some(trace) = self.trace() {
            self.print_trace(trace, out)?;
        }
        fact(out, "log", &self.log.len().to_string())?;
        for line in self.log {
            writeln!(out, "    {} {}", out.faint(level_name(line.level)), for_terminal(&line.message))?;
        }
        Ok(())
    }

    fn print_trace(&self, trace: &LayerTrace, out: &mut Output) -> anyhow::Result<()> {
        let compile = format_time(self.outcome.compile_time);
        let [load, link, run] = [trace.phases.load, trace.phases.link, trace.phases.run].map(format_time);
        fact(out, "time", &format!("compile {compile}, load {load}, link {link}, run {run}"))?;
        if self.is_late() {
            let deadline = self.outcome.deadline.as_millis();
            fact(out, "late", &format!("a hook drops the reply of a layer after {deadline} ms"))?;
        }
        fact(out, "memory", &format!("{} KiB at its peak", trace.peak_memory >> 10))?;
        fact(out, "calls", &trace.calls.len().to_string())?;
        for call in &trace.calls {
            let time = out.faint(&format_time(call.duration));
            writeln!(out, "    {} {time}", for_terminal(&format_call(call)))?;
        }
        Ok(())
    }
}

fn call_object(call: &HostCall) -> Value {
    let arguments: serde_json::Map<String, Value> = call.arguments.iter().cloned().collect();
    json!({
        "interface": call.interface, "function": call.function, "arguments": arguments,
        "result": call.result, "micros": call.duration.as_micros() as u64,
    })
}

fn fact(out: &mut Output, name: &str, value: &str) -> anyhow::Result<()> {
    Ok(writeln!(out, "  {} {}", out.faint(&format!("{name:<7}")), for_terminal(value))?)
}

/// Formats a call such as `state.get(scope: "session", key: "count") -> {"ok":null}`.
fn format_call(call: &HostCall) -> String {
    let arguments = call.arguments.iter().map(|(name, value)| format!("{name}: {}", format_value(value)));
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let result =
        if call.result.is_null() { String::new() } else { format!(" -> {}", format_value(&call.result)) };
    format!("{}.{}({arguments}){result}", call.interface, call.function)
}

fn format_value(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(MAX_VALUE_CHARS) {
        None => text,
        Some((end, _)) => format!("{}… ({} bytes, all with --json)", &text[..end], text.len()),
    }
}

fn format_time(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::Debug => "debug",
        Level::Info => "info",
        Level::Warn => "warn",
        Level::Error => "error",
    }
}
