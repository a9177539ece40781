//! `interleaf doctor`: whether everything is in order, and what went wrong lately.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::clock::Millis;
use crate::log::{Level, LogLine};
use crate::project_context::ProjectContext;
use crate::sandbox::Sandbox;
use crate::state::Progress;

use super::hook::{self, settings_of};
use super::llm_command;
use super::output::Output;

/// How far back failures are told, in milliseconds: a week.
const LATELY: Millis = 7 * 24 * 3_600_000;

/// Checks everything.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was found.
#[derive(Serialize)]
struct Report {
    version: &'static str,
    project: String,
    project_id: String,
    store: String,
    memories: Option<u64>,
    registered_in: Vec<String>,
    /// The settings files that switch the plugin on. One that a session was given by hand cannot be seen.
    plugin_in: Vec<String>,
    layers_compiled: BTreeMap<String, bool>,
    model: String,
    /// What a person should look at.
    troubles: Vec<String>,
    failures: Vec<Failure>,
}

/// A failure that came up lately, once however often it did.
#[derive(Serialize)]
struct Failure {
    layer: Option<String>,
    event: String,
    message: String,
    times: usize,
    last: Millis,
}

/// Checks, and prints what it found.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let report = report(context);
    if args.json {
        return out.json(&report);
    }
    print(&report, out)
}

fn report(context: &ProjectContext) -> Report {
    let mut troubles: Vec<String> =
        context.folders.ignored.iter().chain(&context.config.warnings).cloned().collect();
    let memories = context.memories().and_then(|memories| memories.count());
    let (registered_in, plugin_in) = registered(context, &mut troubles);
    if context.config.disabled {
        troubles.push("INTERLEAF_DISABLE is set: hooks answer nothing".into());
    }
    troubles.extend(context.project.git_warning.clone());
    let team = context.team();
    troubles.extend(team.warnings.iter().cloned());
    troubles.extend(team.pending_notices());
    troubles.extend(lost_captures(context));
    troubles.extend(jobs_given_up(context));
    let (model, trouble) = llm_command::summary(context);
    troubles.extend(trouble.map(|error| format!("the language model cannot be asked: {}", error.full())));
    let memories = memories.map_err(|error| troubles.push(error.full())).ok();
    Report {
        version: env!("CARGO_PKG_VERSION"),
        project: context.project.root.display().to_string(),
        project_id: context.project.id.clone(),
        store: context.store().display().to_string(),
        memories,
        registered_in,
        plugin_in,
        layers_compiled: compiled(context, &mut troubles),
        model,
        troubles,
        failures: failures(context),
    }
}

/// Captures that the queue had no room for.
fn lost_captures(context: &ProjectContext) -> Option<String> {
    let lost = context.state().and_then(|state| state.dropped_captures()).ok().filter(|lost| *lost > 0)?;
    Some(format!("{lost} captures were dropped because the queue was full"))
}

/// Work that was put off and never done.
fn jobs_given_up(context: &ProjectContext) -> Option<String> {
    let jobs = context.state().and_then(|state| state.jobs()).ok()?;
    let given_up = jobs.iter().filter(|job| job.progress == Progress::Failed).count();
    match given_up {
        0 => None,
        1 => Some("1 job was given up; interleaf jobs tells why".to_owned()),
        count => Some(format!("{count} jobs were given up; interleaf jobs tells why")),
    }
}

/// The settings files that register the hook, and those that switch the plugin on, which registers it too.
fn registered(context: &ProjectContext, troubles: &mut Vec<String>) -> (Vec<String>, Vec<String>) {
    let files = settings_of(&hook::folder(context.project.root.clone()), context);
    let names = |files: Vec<PathBuf>| files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>();
    let (registered_in, plugin_in) = (names(files.registering_files()), names(files.plugin_files()));
    if registered_in.is_empty() && plugin_in.is_empty() {
        let what = "no settings have Claude Code call Interleaf in this project";
        troubles.push(format!(
            "{what}; interleaf init registers it (a plugin that is only given by --plugin-dir cannot be seen from here)"
        ));
    }
    let all = names(files.competing_files());
    if !all.is_empty() {
        troubles.push(format!("{} each have every event answered; take it out of one", all.join(" and ")));
    }
    (registered_in, plugin_in)
}

/// Which layers are compiled already. What is embedded the first event compiles; what was accepted is compiled after it.
fn compiled(context: &ProjectContext, troubles: &mut Vec<String>) -> BTreeMap<String, bool> {
    let sandbox = match Sandbox::new(Some(&context.folders.cache)) {
        Ok(sandbox) => sandbox,
        Err(error) => {
            troubles.push(error.full());
            return BTreeMap::new();
        }
    };
    let roster = context.roster();
    let running =
        roster.members().iter().filter(|member| member.unavailable.is_none()).map(|member| &member.layer);
    running.map(|layer| (layer.name.to_string(), sandbox.is_compiled(&layer.digest))).collect()
}

/// Warnings and errors of this project's hooks in the last week, the newest first.
fn failures(context: &ProjectContext) -> Vec<Failure> {
    let since = context.clock.now() - LATELY;
    let concerns =
        |line: &LogLine| line.project == context.project.id && line.level >= Level::Warn && line.at >= since;
    let mut found: BTreeMap<(Option<String>, String, String), Failure> = BTreeMap::new();
    for line in context.log.lines().into_iter().filter(concerns) {
        let key = (line.layer.clone(), line.event.clone(), line.message.clone());
        let (layer, event, message) = key.clone();
        let failure = found.entry(key).or_insert(Failure { layer, event, message, times: 0, last: 0 });
        failure.times += 1;
        failure.last = failure.last.max(line.at);
    }
    let mut failures: Vec<Failure> = found.into_values().collect();
    failures.sort_by_key(|failure| std::cmp::Reverse(failure.last));
    failures
}

fn print(report: &Report, out: &mut Output) -> anyhow::Result<()> {
    let memories = report.memories.map_or("cannot be read".to_owned(), |count| count.to_string());
    let compiled = report.layers_compiled.iter();
    let layers: Vec<String> = compiled
        .map(|(name, yes)| format!("{name}{}", if *yes { "" } else { " (not compiled yet)" }))
        .collect();
    let facts = [
        ("version", report.version.to_owned()),
        ("project", format!("{} (id {})", report.project, report.project_id)),
        ("store", report.store.clone()),
        ("memories", memories),
        ("hooks", report.registered_in.join(", ")),
        ("plugin", report.plugin_in.join(", ")),
        ("layers", layers.join(", ")),
        ("model", report.model.clone()),
    ];
    for (name, value) in facts.iter().filter(|(name, value)| *name != "plugin" || !value.is_empty()) {
        writeln!(out, "{} {value}", out.faint(&format!("{name:<9}")))?;
    }
    for trouble in &report.troubles {
        writeln!(out, "\n{} {trouble}", out.strong("look:"))?;
    }
    for failure in &report.failures {
        let who = failure.layer.as_ref().map_or("the host".to_owned(), |layer| format!("layer {layer}"));
        let (event, message, times) = (&failure.event, &failure.message, failure.times);
        writeln!(out, "\n{} {who} on {event}: {message} ({times} in the last week)", out.strong("failed:"))?;
    }
    if report.troubles.is_empty() && report.failures.is_empty() {
        writeln!(out, "\nEverything is in order.")?;
    }
    Ok(())
}
