//! `interleaf sync`: exchanges the memories of a project with a replica.

use std::io::{IsTerminal, Write};

use clap::ValueEnum as _;
use indicatif::ProgressBar;
use interleaf_text::for_terminal;

use super::confirm;
use super::output::Output;
use super::sync_report::{counted, print_outgoing, print_preview, print_report};
use crate::config::PLACES;
use crate::error::{Error, Result};
use crate::memory::Memories;
use crate::project_context::ProjectContext;
use crate::replica::{Exchange, ExchangeReport, Outgoing, Progress, Replica, ReplicaKind};

/// Exchange memories with your other machines and your team
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The first time, name the place with --to. You see what would go there and are asked. \
    After that, `interleaf sync` is enough.\n\n\
    What others wrote is shown as a quotation until you trust them: interleaf memory trust.\n\n\
    Exit code: 0 everything was exchanged, 1 the exchange failed or something that came in was refused, \
    2 no place was chosen."
)]
pub struct Args {
    /// The place, which is used from now on
    #[arg(long, value_name = "PLACE")]
    to: Option<ReplicaKind>,
    /// Stop using the place, or all places. What is there stays there
    #[arg(long, conflicts_with = "dry_run")]
    stop: bool,
    /// Only show what would go, and what would come from a place in use
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Returns the arguments of the first exchange with a place.
    pub fn first(kind: ReplicaKind, yes: bool, dry_run: bool) -> Self {
        Self { to: Some(kind), stop: false, dry_run, yes, json: false }
    }
}

/// Exchanges the memories.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    if args.stop {
        return stop(args, context, out);
    }
    context.project.require_work_tree()?;
    let memories = context.memories()?.with_actor("interleaf sync");
    let mut replicas = match args.to {
        Some(kind) => vec![context.replica(kind)?],
        None => context.accepted_replicas()?,
    };
    if replicas.is_empty()
        && let Some(kind) = suggested(context)
    {
        replicas.push(context.replica(kind)?);
    }
    if replicas.is_empty() {
        return Err(no_place(context)?.into());
    }
    if !args.dry_run {
        memories.set_own_name(&own_name(context))?;
    }
    let (mut refused, mut first_error) = (0, None);
    for replica in &mut replicas {
        match exchange(&mut **replica, args, context, &memories, out) {
            Ok(count) => refused += count,
            // A place that fails does not hold up another one.
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    match (first_error, refused) {
        (Some(error), _) => Err(error),
        (None, 0) => Ok(()),
        (None, refused) => Err(not_taken(refused).into()),
    }
}

/// Returns the name that git has for the user; without one, that of their account.
fn own_name(context: &ProjectContext) -> String {
    let account = || std::env::var("USER").or_else(|_| std::env::var("LOGNAME")).unwrap_or_default();
    let name = context.project.user_name().unwrap_or_default();
    if name.is_empty() { account() } else { name }
}

/// Exchanges the memories with one replica. Returns the number of entries that were refused.
fn exchange(
    replica: &mut dyn Replica,
    args: &Args,
    context: &ProjectContext,
    memories: &Memories,
    out: &mut Output,
) -> anyhow::Result<usize> {
    let (records, place) = (context.replica_records(), replica.place().to_owned());
    let bar = progress_bar(args.json);
    let on_progress = |progress: Progress| {
        bar.set_message(format!("{} received, {} offered", progress.received, progress.offered));
    };
    let mut exchange = Exchange { memories, records: &records, replica, on_progress: &on_progress };
    let outgoing = exchange.outgoing()?;
    let is_new = records.get(&place)?.accepted_at.is_none();
    if args.dry_run {
        // Nothing is fetched from a place that was not accepted.
        let incoming = if is_new { ExchangeReport::default() } else { exchange.incoming()? };
        return print_preview(&outgoing, &incoming, &place, args.json, out).map(|()| 0);
    }
    if is_new && !accept(&outgoing, &place, args, out)? {
        return Ok(0);
    }
    if !is_new && !args.json {
        writeln!(out, "Place: {}", for_terminal(&place))?;
    }
    let report = exchange.run()?;
    bar.finish_and_clear();
    if is_new {
        records.set_accepted(&place, true)?;
    }
    if report.applied.purged > 0 {
        context.database.erase_deleted()?;
    }
    print_report(&report, memories, &place, args.json, out)?;
    Ok(report.applied.refused.len() + report.unreadable.len())
}

/// Returns what shows how far an exchange is, on a terminal.
fn progress_bar(is_json: bool) -> ProgressBar {
    match std::io::stderr().is_terminal() && !is_json {
        true => ProgressBar::new_spinner(),
        false => ProgressBar::hidden(),
    }
}

/// Shows what would go to a place, and asks whether it may.
fn accept(outgoing: &Outgoing, place: &str, args: &Args, out: &mut Output) -> anyhow::Result<bool> {
    confirm::require_person("interleaf sync --to")?;
    match (args.json, args.yes) {
        (true, _) => {}
        (false, true) => writeln!(out, "Place: {}", for_terminal(place))?,
        (false, false) => print_outgoing(outgoing, place, out)?,
    }
    let kind = args.to.and_then(|kind| kind.to_possible_value());
    let to = kind.map_or_else(String::new, |kind| format!(" --to {}", kind.get_name()));
    let noninteractive = format!("interleaf sync{to} --yes");
    let is_accepted = confirm::ask("Exchange memories there from now on?", args.yes, &noninteractive, out)?;
    if !is_accepted {
        writeln!(out, "Nothing was sent.")?;
    }
    Ok(is_accepted)
}

/// No longer uses a place, or all places, also those that are no longer there.
fn stop(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let records = context.replica_records();
    let accepted: Vec<String> = records.accepted()?.into_iter().map(|record| record.place).collect();
    let place = |kind| context.replica(kind).map(|replica| replica.place().to_owned());
    let wanted = args.to.map(place).transpose()?;
    let is_wanted = |place: &&String| wanted.as_ref().is_none_or(|wanted| *place == wanted);
    let stopped: Vec<&String> = accepted.iter().filter(is_wanted).collect();
    if stopped.is_empty() {
        return Ok(writeln!(out, "{}", for_terminal(&not_in_use(wanted.as_deref(), &accepted)))?);
    }
    for place in stopped {
        records.set_accepted(place, false)?;
        writeln!(out, "No longer exchanged: {}", for_terminal(place))?;
    }
    Ok(())
}

/// Says that a place is not in use, and which ones are.
fn not_in_use(wanted: Option<&str>, used: &[String]) -> String {
    match (wanted, used) {
        (Some(wanted), []) => format!("{wanted} is not in use, and no other place is."),
        (Some(wanted), used) => format!("{wanted} is not in use. In use: {}.", used.join("; ")),
        (None, _) => "No place is in use.".to_owned(),
    }
}

/// Returns the place that the configuration names.
fn suggested(context: &ProjectContext) -> Option<ReplicaKind> {
    let place = context.config.sync.place.as_deref()?;
    ReplicaKind::from_str(place, false).ok()
}

/// Returns the error of a project for which no place was accepted, or only one that is not its place any
/// more.
fn no_place(context: &ProjectContext) -> Result<Error> {
    let accepted = context.replica_records().accepted()?;
    let what = match accepted.first() {
        Some(other) => format!("you accepted {}, which is no longer the place of this project", other.place),
        None => "no place was chosen to exchange memories with".to_owned(),
    };
    let places = PLACES.join(", ");
    Ok(Error::invalid(what)
        .hint(format!("to see what would go: interleaf sync --to PLACE --dry-run; the places are {places}")))
}

fn not_taken(count: usize) -> Error {
    Error::denied(format!(
        "{} not taken; the reasons stand above",
        counted(count, "entry was", "entries were")
    ))
    .hint("the rest was exchanged; what was not taken is tried again with every sync")
}
