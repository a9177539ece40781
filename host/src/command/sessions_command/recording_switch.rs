//! `interleaf sessions on` and `off`, and the question that `interleaf init` asks.

use std::io::{IsTerminal, Write};
use std::path::Path;

use crate::command::config_command::set_in_user_file;
use crate::command::confirm::{ask, ask_yes_or_no, require_person};
use crate::command::output::{Output, count};
use crate::config::RecordChoice;
use crate::error::{Error, Result};
use crate::project::KnownProjects;
use crate::project_context::ProjectContext;
use crate::sessions::{Consent, RECORD_FILE, Record, choose_for_project, note_announced};

/// What a person agrees to.
const EXPLANATION: &str = "\
Interleaf can record your sessions in this project: your prompts, the assistant's closing messages, the
commands that ran and how they ended, changed files and commits. You can search them, also when Claude
Code has deleted its transcripts, and a failure that an earlier session mended is recognized. The record
stays on this machine, without secrets, readable by you alone; it is not encrypted. interleaf sessions
off deletes it.";

/// Record the sessions of this project, from now on
#[derive(Debug, clap::Args)]
pub(super) struct OnArgs {
    /// In all projects
    #[arg(long)]
    everywhere: bool,
    /// Do not ask for confirmation
    #[arg(short, long)]
    yes: bool,
}

/// Stop recording the sessions of this project, and delete what is recorded
#[derive(Debug, clap::Args)]
pub(super) struct OffArgs {
    /// In all projects
    #[arg(long)]
    everywhere: bool,
    /// Do not ask for confirmation
    #[arg(short, long)]
    yes: bool,
}

/// Runs `interleaf sessions on`.
pub(super) fn on(args: &OnArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    require_person("interleaf sessions on")?;
    let option = if args.everywhere { " --everywhere" } else { "" };
    let where_ = if args.everywhere { "in all projects" } else { "in this project" };
    if !args.yes {
        writeln!(out, "{EXPLANATION}\n")?;
    }
    let question = format!("Record your sessions {where_}?");
    if !ask(&question, args.yes, &format!("interleaf sessions on{option} --yes"), out)? {
        return Ok(writeln!(out, "Not recorded.")?);
    }
    switch_on(args.everywhere, context, out)
}

/// Switches recording on.
fn switch_on(everywhere: bool, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    if context.config.record.is_off_by_project {
        let file = context.project.config_file();
        return Err(Error::conflict(format!("{} switches recording off in this project", file.display()))
            .hint("remove `record` from that file, then try again")
            .into());
    }
    if everywhere {
        set_in_user_file("record", "on", context)?;
        choose_for_project(project_folder(context)?.as_path(), RecordChoice::Ask)?;
    } else {
        context.project.record(&context.folders.data)?;
        choose_for_project(project_folder(context)?.as_path(), RecordChoice::On)?;
    }
    let place = if everywhere { "Sessions of all projects" } else { "Sessions of this project" };
    Ok(writeln!(
        out,
        "{place} are recorded from now on. To record earlier ones: interleaf learn. \
         To stop: interleaf sessions off"
    )?)
}

/// Runs `interleaf sessions off`.
pub(super) fn off(args: &OffArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    require_person("interleaf sessions off")?;
    let records = records(args.everywhere, context)?;
    let mut sessions = 0;
    for record in &records {
        // What cannot be read can be deleted all the same.
        sessions += record.counts().map_or(0, |(sessions, _)| sessions) as usize;
    }
    let (option, place) = match args.everywhere {
        true => (" --everywhere", "all projects"),
        false => ("", "this project"),
    };
    let question =
        format!("Stop recording in {place}, and delete {} for good?", count(sessions, "recorded session"));
    if !ask(&question, args.yes, &format!("interleaf sessions off{option} --yes"), out)? {
        return Ok(writeln!(out, "Nothing was changed.")?);
    }
    if args.everywhere {
        set_in_user_file("record", "off", context)?;
        for project in KnownProjects::read(&context.folders.data).iter() {
            let database = project.database_file();
            choose_for_project(database.parent().unwrap_or(&database), RecordChoice::Ask)?;
        }
    } else {
        choose_for_project(project_folder(context)?.as_path(), RecordChoice::Off)?;
    }
    // From here on, no process records any more; one that is just doing it deletes the file when it is done.
    records.iter().try_for_each(Record::delete_all)?;
    Ok(writeln!(out, "Recording is off in {place}. Deleted: {}.", count(sessions, "recorded session"))?)
}

/// Returns the records that `off` deletes.
fn records(everywhere: bool, context: &ProjectContext) -> Result<Vec<Record>> {
    if !everywhere {
        return Ok(vec![context.record()?]);
    }
    let redactor = context.config.redactor()?;
    let at =
        |database: &Path| Record::at(database.with_file_name(RECORD_FILE), redactor.clone(), context.clock);
    let known = KnownProjects::read(&context.folders.data);
    Ok(known.iter().map(|project| at(&project.database_file())).collect())
}

fn project_folder(context: &ProjectContext) -> Result<std::path::PathBuf> {
    let database = context.database_file();
    let folder = database.parent().map(Path::to_owned);
    folder.ok_or_else(|| Error::unavailable("the project has no folder for its data"))
}

/// Asks once, after `init`, whether sessions are recorded. `answer` was given on the command line.
pub fn offer(
    answer: Option<bool>,
    is_silent: bool,
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    match (answer, context.record_consent()) {
        (Some(true), _) => {
            require_person("interleaf init --record")?;
            return switch_on(false, context, out);
        }
        (Some(false), _) => {
            choose_for_project(project_folder(context)?.as_path(), RecordChoice::Off)?;
            return Ok(writeln!(out, "\nSessions of this project are not recorded.")?);
        }
        (None, Consent::NotAsked) => {}
        (None, _) => return Ok(()),
    }
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if is_silent || !is_terminal || crate::claude::is_inside_session() {
        note_announced(&project_folder(context)?);
        return Ok(writeln!(
            out,
            "\nSessions are not recorded. To record what is said and run in them: interleaf sessions on"
        )?);
    }
    writeln!(out, "\n{EXPLANATION}\n")?;
    match ask_yes_or_no("Record your sessions in this project?", out)? {
        true => switch_on(false, context, out),
        false => {
            choose_for_project(project_folder(context)?.as_path(), RecordChoice::Off)?;
            Ok(writeln!(out, "Not recorded. To change that: interleaf sessions on")?)
        }
    }
}
