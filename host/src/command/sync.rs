//! `interleaf sync`: exchanges the memories of a project with a replica.

use std::io::Write;

use interleaf_text::for_terminal;
use serde_json::json;

use super::confirm;
use super::output::Output;
use crate::error::{Error, Result};
use crate::memory::{Author, Memories};
use crate::project_context::ProjectContext;
use crate::replica::{Exchange, ExchangeReport, Outgoing, Replica, ReplicaKind};
use crate::state::ReplicaRecords;

/// Number of titles of each kind that are printed.
const MAX_TITLES: usize = 20;

/// Exchange memories with your other machines and your team
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The first time, name the place with --to. You see what would go there and are asked. After \
    that, `interleaf sync` is enough.\n\nWhat others wrote is shown as a quotation until you trust them: \
    interleaf memory trust.\n\nExit code: 0 everything was exchanged, 1 the exchange failed or something that came in \
    was refused, 2 no place was chosen."
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

/// Exchanges the memories.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memories = context.memories()?.with_actor("interleaf sync");
    let mut replicas = match args.to {
        Some(kind) => vec![context.replica(kind)?],
        None => context.accepted_replicas()?,
    };
    if replicas.is_empty() {
        return Err(no_place(context)?.into());
    }
    if args.stop {
        return stop(&replicas, context, out);
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
    if records.get(&place)?.accepted_at.is_none() && !accept(&outgoing, &place, args, &records, out)? {
        return Ok(0);
    }
    let report = exchange.run()?;
    print_report(&report, memories, &place, args.json, out)?;
    Ok(report.applied.refused.len() + report.unreadable.len())
}

/// Shows what would go to a place, and asks whether it may.
fn accept(
    outgoing: &Outgoing,
    place: &str,
    args: &Args,
    records: &ReplicaRecords,
    out: &mut Output,
) -> anyhow::Result<bool> {
    confirm::require_person("interleaf sync --to")?;
    if !args.json {
        print_outgoing(outgoing, place, false, out)?;
    }
    let question = "Exchange memories there from now on?";
    let is_accepted = confirm::ask(question, args.yes, "interleaf sync --to PLACE --yes", out)?;
    match is_accepted {
        true => records.set_accepted(place, true)?,
        false => writeln!(out, "Nothing was sent.")?,
    }
    Ok(is_accepted)
}

/// No longer uses some replicas.
fn stop(
    replicas: &[Box<dyn Replica + '_>],
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    for replica in replicas {
        context.replica_records().set_accepted(replica.place(), false)?;
        writeln!(out, "No longer exchanged: {}", for_terminal(replica.place()))?;
    }
    Ok(())
}

/// Returns the error of a project for which no place was accepted, or only one that is not its place any more.
fn no_place(context: &ProjectContext) -> Result<Error> {
    let accepted = context.replica_records().accepted()?;
    let what = match accepted.first() {
        Some(other) => format!("you accepted {}, which is no longer the place of this project", other.place),
        None => "no place was chosen to exchange memories with".to_owned(),
    };
    Ok(Error::invalid(what).hint("interleaf sync --to git-notes --dry-run shows what would go where"))
}

fn not_taken(count: usize) -> Error {
    Error::denied(format!(
        "{} not taken; the reasons stand above",
        counted(count, "entry was", "entries were")
    ))
    .hint("the others were exchanged; they are tried again with every sync")
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn print_outgoing(outgoing: &Outgoing, place: &str, as_json: bool, out: &mut Output) -> anyhow::Result<()> {
    if as_json {
        return out.json(&json!({ "place": place, "would_send": outgoing.titles, "kept": outgoing.kept }));
    }
    writeln!(out, "Place: {}", for_terminal(place))?;
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
            "place": place, "sent": report.sent, "added": applied.added, "changed": applied.changed,
            "retired": applied.retired, "purged": applied.purged, "refused": refused, "unreadable": unreadable,
            "untrusted": untrusted,
        }));
    }
    if applied.is_empty() && report.sent.is_empty() && report.unreadable.is_empty() {
        writeln!(out, "Nothing new here or there.")?;
    }
    print_titles("went out", &report.sent, out)?;
    print_titles("came in", &applied.added, out)?;
    print_titles("changed", &applied.changed, out)?;
    print_titles("retired", &applied.retired, out)?;
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
        let memories = counted(*count, "memory is", "memories are");
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
