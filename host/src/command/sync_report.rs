//! What `interleaf sync` prints of an exchange.

use std::io::Write;

use interleaf_text::for_terminal;
use serde_json::json;

use super::output::Output;
use crate::memory::{Author, Memories};
use crate::replica::{ExchangeReport, Outgoing};

/// Number of titles of each kind that are printed.
const MAX_TITLES: usize = 20;

/// Returns a number with its noun, which may come with a verb.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Shows what an exchange would do.
pub(super) fn print_preview(
    outgoing: &Outgoing,
    incoming: &ExchangeReport,
    place: &str,
    as_json: bool,
    out: &mut Output,
) -> anyhow::Result<()> {
    let applied = &incoming.applied;
    if as_json {
        return out.json(&json!({
            "place": place, "would_send": outgoing.titles, "kept": outgoing.kept,
            "would_add": applied.added, "would_change": applied.changed, "would_retire": applied.retired,
            "would_purge": applied.purged, "would_refuse": applied.refused.len(),
        }));
    }
    print_outgoing(outgoing, place, out)?;
    print_titles("would come in", &applied.added, out)?;
    print_titles("would change", &applied.changed, out)?;
    print_titles("would be retired", &applied.retired, out)?;
    if applied.purged > 0 {
        writeln!(out, "{} would be deleted for good", counted(applied.purged, "memory", "memories"))?;
    }
    print_not_taken(incoming, out)
}

/// Names what cannot be taken, with the reason.
fn print_not_taken(report: &ExchangeReport, out: &mut Output) -> anyhow::Result<()> {
    for (entry, why) in &report.applied.refused {
        writeln!(out, "not taken: {}: {}", for_terminal(&entry.id), for_terminal(&why.full()))?;
    }
    for (at, why) in &report.unreadable {
        writeln!(out, "not read: {}: {}", for_terminal(at), for_terminal(why))?;
    }
    Ok(())
}

/// Shows what would go.
pub(super) fn print_outgoing(outgoing: &Outgoing, place: &str, out: &mut Output) -> anyhow::Result<()> {
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

/// Shows what an exchange did.
pub(super) fn print_report(
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
            "place": place, "sent": report.sent, "withheld": report.withheld, "added": applied.added,
            "changed": applied.changed,
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
        writeln!(
            out,
            "{changes} here: your role there does not allow it; \
             the administrator can raise it with: interleaf team invite"
        )?;
    }
    if applied.purged > 0 {
        writeln!(out, "{} deleted for good", counted(applied.purged, "memory", "memories"))?;
    }
    print_not_taken(report, out)?;
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
