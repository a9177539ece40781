//! `interleaf sync`: exchanges the memories of a project with a replica.

use std::io::Write;

use clap::ValueEnum as _;
use interleaf_text::for_terminal;
use serde_json::json;

use super::confirm;
use super::output::Output;
use crate::error::{Error, Result};
use crate::memory::{Author, Memories};
use crate::project_context::ProjectContext;
use crate::replica::{Exchange, ExchangeReport, Outgoing, Replica, ReplicaKind};

/// Number of titles of each kind that are printed.
const MAX_TITLES: usize = 20;

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
    /// Only show what would go
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
    pub fn first(kind: ReplicaKind) -> Self {
        Self { to: Some(kind), stop: false, dry_run: false, yes: false, json: false }
    }
}

/// Exchanges the memories.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    if args.stop {
        return stop(args, context, out);
    }
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
    // Without git, the name is unknown.
    memories.set_own_name(&context.project.user_name().unwrap_or_default())?;
    let mut refused = 0;
    for replica in &mut replicas {
        refused += exchange(&mut **replica, args, context, &memories, out)?;
    }
    match refused {
        0 => Ok(()),
        _ => Err(not_taken(refused).into()),
    }
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
    let mut exchange = Exchange { memories, records: &records, replica };
    let outgoing = exchange.outgoing()?;
    if args.dry_run {
        return print_outgoing(&outgoing, &place, args.json, out).map(|()| 0);
    }
    let is_new = records.get(&place)?.accepted_at.is_none();
    if is_new && !accept(&outgoing, &place, args, out)? {
        return Ok(0);
    }
    if !is_new && !args.json {
        writeln!(out, "Place: {}", for_terminal(&place))?;
    }
    let report = exchange.run()?;
    if is_new {
        records.set_accepted(&place, true)?;
    }
    if report.applied.purged > 0 {
        context.database.erase_deleted()?;
    }
    print_report(&report, memories, &place, args.json, out)?;
    Ok(report.applied.refused.len() + report.unreadable.len())
}

/// Shows what would go to a place, and asks whether it may.
fn accept(outgoing: &Outgoing, place: &str, args: &Args, out: &mut Output) -> anyhow::Result<bool> {
    confirm::require_person("interleaf sync --to")?;
    if !args.json {
        print_outgoing(outgoing, place, false, out)?;
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
    let mut accepted: Vec<String> = records.accepted()?.into_iter().map(|record| record.place).collect();
    if let Some(kind) = args.to {
        let place = context.replica(kind)?.place().to_owned();
        accepted.retain(|accepted| *accepted == place);
    }
    if accepted.is_empty() {
        return Ok(writeln!(out, "No such place is in use.")?);
    }
    for place in accepted {
        records.set_accepted(&place, false)?;
        writeln!(out, "No longer exchanged: {}", for_terminal(&place))?;
    }
    Ok(())
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
    Ok(Error::invalid(what).hint("to see what would go: interleaf sync --to PLACE --dry-run; the places are git-notes, files and postgres"))
}

fn not_taken(count: usize) -> Error {
    Error::denied(format!(
        "{} not taken; the reasons stand above",
        counted(count, "entry was", "entries were")
    ))
    .hint("the rest was exchanged; what was not taken is tried again with every sync")
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn print_outgoing(outgoing: &Outgoing, place: &str, as_json: bool, out: &mut Output) -> anyhow::Result<()> {
    if as_json {
        return out.json(&json!({ "place": place, "would_send": outgoing.titles, "kept": outgoing.kept }));
    }
    writeln!(out, "Place: {}", for_terminal(place))?;
    if outgoing.titles.is_empty() {
        writeln!(out, "Nothing new would go there.")?;
    }
    print_titles("would go", &outgoing.titles, out)?;
    if outgoing.kept > 0 {
        let stay = counted(outgoing.kept, "memory stays", "memories stay");
        writeln!(out, "{stay} here: tentative or private")?;
    }
    Ok(())
}

fn print_titles(what: &str, titles: &[String], out: &mut Output) -> anyhow::Result<()> {
    if titles.is_empty() {
        return Ok(());
    }
    writeln!(out, "{} {what}:", counted(titles.len(), "memory", "memories"))?;
    for title in titles.iter().take(MAX_TITLES) {
        writeln!(out, "  {}", for_terminal(title))?;
    }
    match titles.len().saturating_sub(MAX_TITLES) {
        0 => Ok(()),
        more => Ok(writeln!(out, "  … and {more} more")?),
    }
}

fn print_report(
    report: &ExchangeReport,
    memories: &Memories,
    place: &str,
    as_json: bool,
    out: &mut Output,
) -> anyhow::Result<()> {
    let (applied, untrusted) = (&report.applied, memories.untrusted_counts()?);
    if as_json {
        let refused: Vec<_> = applied
            .refused
            .iter()
            .map(|(entry, why)| json!({ "id": entry.id, "reason": why.to_string() }))
            .collect();
        let unreadable: Vec<_> =
            report.unreadable.iter().map(|(at, why)| json!({ "place": at, "reason": why })).collect();
        let untrusted: Vec<_> = untrusted
            .iter()
            .map(|(author, count)| json!({ "device": author.device, "name": author.name, "memories": count }))
            .collect();
        return out.json(&json!({
            "place": place, "sent": report.sent, "withheld": report.withheld, "added": applied.added, "changed": applied.changed,
            "retired": applied.retired, "purged": applied.purged, "refused": refused,
            "unreadable": unreadable, "untrusted": untrusted,
        }));
    }
    if applied.is_empty() && report.sent.is_empty() && report.unreadable.is_empty() && report.withheld == 0 {
        writeln!(out, "Nothing new here or there.")?;
    }
    print_titles("went out", &report.sent, out)?;
    print_titles("came in", &applied.added, out)?;
    print_titles("changed", &applied.changed, out)?;
    print_titles("retired", &applied.retired, out)?;
    if report.withheld > 0 {
        let changes = counted(report.withheld, "change stays", "changes stay");
        writeln!(out, "{changes} here: your role there does not allow it (interleaf team list)")?;
    }
    if applied.purged > 0 {
        writeln!(out, "{} deleted for good", counted(applied.purged, "memory", "memories"))?;
    }
    for (entry, why) in &applied.refused {
        writeln!(out, "not taken: {}: {}", for_terminal(&entry.id), for_terminal(&why.full()))?;
    }
    for (at, why) in &report.unreadable {
        writeln!(out, "not read: {}: {}", for_terminal(at), for_terminal(why))?;
    }
    for (author, count) in &untrusted {
        let memories = counted(usize::try_from(*count).unwrap_or(usize::MAX), "memory is", "memories are");
        writeln!(out, "{memories} quoted until you trust {}", for_terminal(&shown(author)))?;
    }
    match untrusted.is_empty() {
        true => Ok(()),
        false => Ok(writeln!(out, "To see and trust authors: interleaf memory trust")?),
    }
}

/// Returns an author as a person knows them.
pub(super) fn shown(author: &Author) -> String {
    match author.name.is_empty() {
        true => format!("device {}", author.device),
        false => format!("{} (device {})", author.name, author.device),
    }
}
