//! `interleaf doctor`: checks the installation and lists the failures of the last week.

mod database_check;
mod exchange_check;
mod folder_check;
mod recent_failures;
mod record_check;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use interleaf_text::for_terminal;
use serde::Serialize;

use super::confirm::unrecorded_notice;
use super::jobs_command::stuck_worker;
use super::llm_command;
use super::model_command;
use super::output::Output;
use super::project_command::candidate_notices;
use crate::claude::settings::{SettingsFiles, user_folder};
use crate::error::Error;
use crate::layer::{Code, Layer};
use crate::project_context::{ProjectContext, session_folder};
use crate::roster::{GateRegistry, Roster};
use crate::sandbox::Sandbox;
use crate::worker::{RunningWorker, WorkerLock};
use recent_failures::{Failure, recent_failures};

/// Check the installation and list recent failures
///
/// The exit code is 0 if nothing needs attention, and 1 otherwise.
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
    sessions: String,
    /// When Claude Code deletes the transcripts of this project.
    transcripts: String,
    registered_in: Vec<String>,
    /// The settings files that enable the plugin. A plugin that is loaded with `--plugin-dir` is in none of
    /// them.
    plugin_in: Vec<String>,
    layers_compiled: BTreeMap<String, bool>,
    model: String,
    sentence_model: String,
    exchanged_with: Vec<String>,
    /// Number of changes that each place does not take from this account.
    withheld: BTreeMap<String, usize>,
    #[serde(rename = "troubles")]
    warnings: Vec<String>,
    failures: Vec<Failure>,
}

/// Runs the checks and prints the report.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let report = check(context);
    if args.json {
        out.json(&report)?;
        return report.result();
    }
    print(&report, out)?;
    report.result()
}

impl Report {
    /// Returns an error if something needs attention, so that a script sees it by the exit code.
    fn result(&self) -> anyhow::Result<()> {
        match self.warnings.len() + self.failures.len() {
            0 => Ok(()),
            1 => Err(Error::unavailable("1 point needs attention").into()),
            points => Err(Error::unavailable(format!("{points} points need attention")).into()),
        }
    }
}

fn check(context: &ProjectContext) -> Report {
    let ignored = context.folders.ignored.iter().map(ToString::to_string);
    let mut warnings: Vec<String> = ignored.chain(context.config.warnings.iter().cloned()).collect();
    let memories = database_check::check(context, &mut warnings);
    if memories.is_some() {
        warnings.extend(exchange_check::problems(context).unwrap_or_default());
    }
    // A database that cannot be read is named already, and cannot be written for the same reason.
    warnings.extend(memories.and_then(|_| folder_check::check(context)));
    let (registered_in, plugin_in) = check_registration(context, &mut warnings);
    if context.config.disabled {
        warnings.push("INTERLEAF_DISABLE is set: only guards of tool calls answer".into());
    }
    warnings.extend(unrecorded_notice(&context.folders));
    warnings.extend(context.project.git_warning.clone());
    warnings.extend(candidate_notices(context));
    warnings.extend(WorkerLock::holder(context).filter(RunningWorker::is_stuck).map(stuck_worker));
    let layers = context.file_layers_for_hook(&GateRegistry::read());
    warnings.extend(layers.warnings.iter().cloned());
    warnings.extend(layers.pending_notices());
    let roster = Roster::with_files(Layer::embedded(), layers, &context.config);
    let (model, model_error) = llm_command::summary(context);
    warnings.extend(model_error.map(|error| format!("the language model is not usable: {}", error.full())));
    let (sentence_model, problem) = model_command::summary(context);
    warnings.extend(problem.map(|error| format!("the sentence model is not usable: {}", error.full())));
    warnings.extend(record_check::unknown_fields(context));
    let layers_compiled = check_layers(context, &roster, &mut warnings);
    let failures = recent_failures(context, &mut warnings);
    Report {
        version: env!("CARGO_PKG_VERSION"),
        project: context.project.root.display().to_string(),
        project_id: context.project.id.clone(),
        store: context.database_file().display().to_string(),
        memories,
        sessions: record_check::sessions(context, &mut warnings),
        transcripts: record_check::transcripts(context),
        registered_in,
        plugin_in,
        layers_compiled,
        model,
        sentence_model,
        exchanged_with: exchange_check::places(context),
        withheld: exchange_check::withheld(context),
        warnings,
        failures,
    }
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
    warnings.extend(files.missing_programs().iter().map(|(file, program)| {
        format!(
            "{} calls {}, which is not there or cannot be run, so no hook works; run interleaf init again",
            file.display(),
            program.display()
        )
    }));
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
fn check_layers(
    context: &ProjectContext,
    roster: &Roster,
    warnings: &mut Vec<String>,
) -> BTreeMap<String, bool> {
    let sandbox = match Sandbox::new(Some(&context.folders.cache)) {
        Ok(sandbox) => sandbox,
        Err(error) => {
            warnings.push(error.full());
            return BTreeMap::new();
        }
    };
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
        ("sessions", report.sessions.clone()),
        ("transcripts", report.transcripts.clone()),
        ("hooks", or_none(&report.registered_in)),
        ("plugin", report.plugin_in.join(", ")),
        ("layers", layers.join(", ")),
        ("model", report.model.clone()),
        ("vectors", report.sentence_model.clone()),
        ("exchange", report.exchanged_with.join("; ")),
    ];
    for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
        writeln!(out, "{} {}", out.faint(&format!("{name:<11}")), for_terminal(value))?;
    }
    for warning in &report.warnings {
        writeln!(out, "\n{} {}", out.bold("warning:"), for_terminal(warning))?;
    }
    for failure in &report.failures {
        let (headline, times) = (for_terminal(&failure.headline()), failure.times);
        writeln!(out, "\n{} {headline} ({times} in the last week)", out.bold("failed:"))?;
        if !failure.others.is_empty() {
            writeln!(out, "        also: {}", for_terminal(&failure.others.join(", ")))?;
        }
    }
    if report.warnings.is_empty() && report.failures.is_empty() {
        writeln!(out, "\nEverything is in order.")?;
    }
    Ok(())
}
