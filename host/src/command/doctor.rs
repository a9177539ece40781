//! `interleaf doctor`: checks the installation and lists the failures of the last week.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use interleaf_text::for_terminal;
use serde::Serialize;

use super::confirm::unrecorded_notice;
use super::llm_command;
use super::output::{Output, count};
use super::project_command::candidate_notices;
use crate::claude::settings::{SettingsFiles, user_folder};
use crate::clock::Millis;
use crate::layer::{Code, Layer};
use crate::log::{Level, LogLine};
use crate::project_context::{ProjectContext, session_folder};
use crate::roster::GateRegistry;
use crate::sandbox::Sandbox;
use crate::state::Progress;

/// Age of the oldest failure that is listed, in milliseconds: a week.
const MAX_FAILURE_AGE: Millis = 7 * 24 * 3_600_000;

/// Check the installation and list recent failures
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    project: String,
    project_id: String,
    store: String,
    memories: Option<u64>,
    registered_in: Vec<String>,
    /// The settings files that enable the plugin. A plugin that is loaded with `--plugin-dir` is in none of
    /// them.
    plugin_in: Vec<String>,
    layers_compiled: BTreeMap<String, bool>,
    model: String,
    #[serde(rename = "troubles")]
    warnings: Vec<String>,
    failures: Vec<Failure>,
}

/// A failure and the number of times that it occurred.
#[derive(Serialize)]
struct Failure {
    layer: Option<String>,
    event: String,
    message: String,
    times: usize,
    last: Millis,
}

/// Runs the checks and prints the report.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let report = check(context);
    if args.json {
        return out.json(&report);
    }
    print(&report, out)
}

fn check(context: &ProjectContext) -> Report {
    let mut warnings: Vec<String> =
        context.folders.ignored.iter().chain(&context.config.warnings).cloned().collect();
    let memories = context.memories().and_then(|memories| memories.count());
    let (registered_in, plugin_in) = check_registration(context, &mut warnings);
    if context.config.disabled {
        warnings.push("INTERLEAF_DISABLE is set: only guards of tool calls answer".into());
    }
    warnings.extend(unrecorded_notice(&context.folders));
    warnings.extend(context.project.git_warning.clone());
    warnings.extend(candidate_notices(context));
    let layers = context.file_layers_for_hook(&GateRegistry::read());
    warnings.extend(layers.warnings.iter().cloned());
    warnings.extend(layers.pending_notices());
    warnings.extend(dropped_captures(context));
    warnings.extend(failed_jobs(context));
    let (model, model_error) = llm_command::summary(context);
    warnings.extend(model_error.map(|error| format!("the language model is not usable: {}", error.full())));
    let memories = memories.map_err(|error| warnings.push(error.full())).ok();
    Report {
        version: env!("CARGO_PKG_VERSION"),
        project: context.project.root.display().to_string(),
        project_id: context.project.id.clone(),
        store: context.database_file().display().to_string(),
        memories,
        registered_in,
        plugin_in,
        layers_compiled: check_layers(context, &mut warnings),
        model,
        warnings,
        failures: recent_failures(context),
    }
}

fn dropped_captures(context: &ProjectContext) -> Option<String> {
    let dropped = context.state().and_then(|state| state.dropped_captures()).ok()?;
    (dropped > 0).then(|| format!("{dropped} captures were dropped because the queue was full"))
}

fn failed_jobs(context: &ProjectContext) -> Option<String> {
    let jobs = context.state().and_then(|state| state.jobs()).ok()?;
    let failed = jobs.iter().filter(|job| job.progress == Progress::Failed).count();
    (failed > 0).then(|| format!("{} failed for good; interleaf jobs shows why", count(failed, "job")))
}

/// Finds the settings files that register the hook, and those that enable the plugin, which also registers
/// it.
fn check_registration(context: &ProjectContext, warnings: &mut Vec<String>) -> (Vec<String>, Vec<String>) {
    let files = settings_files(context);
    let names = |files: Vec<PathBuf>| files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>();
    let (registered_in, plugin_in) = (names(files.registering_files()), names(files.plugin_files()));
    if registered_in.is_empty() && plugin_in.is_empty() {
        warnings.push(
            "no settings file registers Interleaf in this project; run interleaf init \
             (a plugin loaded with --plugin-dir is not visible here)"
                .to_owned(),
        );
    }
    let competing = names(files.competing_files());
    if !competing.is_empty() {
        warnings
            .push(format!("{} each answer every event; remove Interleaf from one", competing.join(" and ")));
    }
    let disabling = names(files.disabling_files());
    if !disabling.is_empty() {
        warnings.push(format!(
            "{} keeps Claude Code from running any hook, so nothing is guarded or remembered; remove \
             disableAllHooks from it",
            disabling.join(" and ")
        ));
    }
    (registered_in, plugin_in)
}

/// Returns the settings files of a session that was started in this project.
fn settings_files(context: &ProjectContext) -> SettingsFiles {
    let folder = session_folder(context.project.root.clone());
    let user = user_folder(&|name| std::env::var_os(name));
    SettingsFiles::of(&folder, context.project.main_root().as_deref(), user.as_deref())
}

/// Returns for each layer whether it is compiled; embedded ones always are. An event has the others compiled.
fn check_layers(context: &ProjectContext, warnings: &mut Vec<String>) -> BTreeMap<String, bool> {
    let sandbox = match Sandbox::new(Some(&context.folders.cache)) {
        Ok(sandbox) => sandbox,
        Err(error) => {
            warnings.push(error.full());
            return BTreeMap::new();
        }
    };
    let roster = context.roster();
    let running: Vec<&Layer> = roster
        .members()
        .iter()
        .filter(|member| member.unavailable.is_none())
        .map(|member| &member.layer)
        .collect();
    let needs_cache = running.iter().any(|layer| matches!(layer.code, Code::Stored(_)));
    if let Some(obstacle) = needs_cache.then(|| sandbox.cache_obstacle()).flatten() {
        warnings.push(format!("accepted layers are compiled for each event, if at all: {obstacle}"));
    }
    running.into_iter().map(|layer| (layer.name.to_string(), sandbox.is_compiled(layer))).collect()
}

/// Collects the warnings and errors of this project's hooks, newest first.
fn recent_failures(context: &ProjectContext) -> Vec<Failure> {
    let since = context.clock.now() - MAX_FAILURE_AGE;
    let is_relevant =
        |line: &LogLine| line.project == context.project.id && line.level >= Level::Warn && line.at >= since;
    let mut failures_by_text: BTreeMap<(Option<String>, String, String), Failure> = BTreeMap::new();
    for line in context.log.lines().into_iter().filter(is_relevant) {
        let key = (line.layer.clone(), line.event.clone(), line.message.clone());
        let (layer, event, message) = key.clone();
        let failure =
            failures_by_text.entry(key).or_insert(Failure { layer, event, message, times: 0, last: 0 });
        failure.times += 1;
        failure.last = failure.last.max(line.at);
    }
    let mut failures: Vec<Failure> = failures_by_text.into_values().collect();
    failures.sort_by_key(|failure| std::cmp::Reverse(failure.last));
    failures
}

fn or_none(files: &[String]) -> String {
    if files.is_empty() { "none".to_owned() } else { files.join(", ") }
}

fn print(report: &Report, out: &mut Output) -> anyhow::Result<()> {
    let memories = report.memories.map_or("cannot be read".to_owned(), |count| count.to_string());
    let compiled = report.layers_compiled.iter();
    let layers: Vec<String> = compiled
        .map(|(name, is_compiled)| format!("{name}{}", if *is_compiled { "" } else { " (not compiled yet)" }))
        .collect();
    let facts = [
        ("version", report.version.to_owned()),
        ("project", format!("{} (id {})", report.project, report.project_id)),
        ("store", report.store.clone()),
        ("memories", memories),
        ("hooks", or_none(&report.registered_in)),
        ("plugin", report.plugin_in.join(", ")),
        ("layers", layers.join(", ")),
        ("model", report.model.clone()),
    ];
    for (name, value) in facts.iter().filter(|(name, value)| *name != "plugin" || !value.is_empty()) {
        writeln!(out, "{} {}", out.faint(&format!("{name:<9}")), for_terminal(value))?;
    }
    for warning in &report.warnings {
        writeln!(out, "\n{} {}", out.bold("warning:"), for_terminal(warning))?;
    }
    for Failure { layer, event, message, times, .. } in &report.failures {
        let who = layer.as_ref().map_or("the host".to_owned(), |layer| format!("layer {layer}"));
        let place = if event.is_empty() { who } else { format!("{who} on {event}") };
        let failure = for_terminal(&format!("{place}: {message}"));
        writeln!(out, "\n{} {failure} ({times} in the last week)", out.bold("failed:"))?;
    }
    if report.warnings.is_empty() && report.failures.is_empty() {
        writeln!(out, "\nEverything is in order.")?;
    }
    Ok(())
}
