//! What `interleaf sync` prints of an exchange, or of the preview of one.

use std::io::Write;

use interleaf_text::for_terminal;
use serde_json::{Value, json};

use super::output::Output;
use crate::memory::Author;
use crate::replica::{ChangeKind, ExchangeReport};

/// Number of titles of each kind that are printed.
const MAX_TITLES: usize = 20;

/// Whether an exchange was made or only previewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// It was made.
    Done,
    /// It was not.
    Preview,
}

impl Mode {
    fn word(self, done: &'static str, preview: &'static str) -> &'static str {
        if self == Self::Done { done } else { preview }
    }
}

/// Returns a number with its noun, which may come with a verb.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Returns an exchange as JSON, with the same keys for a preview. docs/sharing.md describes them.
pub(super) fn as_json(report: &ExchangeReport, mode: Mode, untrusted: &[(Author, u64)]) -> Value {
    let applied = &report.applied;
    let withheld = report.withheld.values();
    let refused = applied.refused.iter();
    let authors = untrusted.iter();
    json!({
        "dry_run": mode == Mode::Preview,
        "sent": titles(report, ChangeKind::Written),
        "sent_retirements": titles(report, ChangeKind::Retired),
        "sent_purges": titles(report, ChangeKind::Purged),
        "withheld": withheld
            .map(|change| json!({ "id": change.id, "title": change.title, "change": change.kind.as_str() }))
            .collect::<Vec<_>>(),
        "kept": report.kept,
        "added": applied.added,
        "changed": applied.changed,
        "retired": applied.retired,
        "purged": applied.purged,
        "refused": refused
            .map(|(entry, why)| json!({ "id": entry.id, "reason": why.to_string() }))
            .collect::<Vec<_>>(),
        "unreadable": report.unreadable
            .iter()
            .map(|(at, why)| json!({ "place": at, "reason": why }))
            .collect::<Vec<_>>(),
        "untrusted": authors
            .map(|(author, count)| json!({ "device": author.device, "name": author.name, "memories": count }))
            .collect::<Vec<_>>(),
    })
}

/// Shows what an exchange did, or would do.
pub(super) fn print_report(report: &ExchangeReport, mode: Mode, out: &mut Output) -> anyhow::Result<()> {
    let is_quiet = report.sent.is_empty() && report.withheld.is_empty();
    if mode == Mode::Done && is_quiet && report.applied.is_empty() && report.unreadable.is_empty() {
        writeln!(out, "Nothing new here or there.")?;
    }
    print_outgoing(report, mode, out)?;
    print_incoming(report, mode, out)?;
    print_not_taken(report, out)
}

/// Shows what went out, or would go.
pub(super) fn print_outgoing(report: &ExchangeReport, mode: Mode, out: &mut Output) -> anyhow::Result<()> {
    if mode == Mode::Preview && report.sent.is_empty() && report.withheld.is_empty() {
        writeln!(out, "Nothing new would go there.")?;
    }
    let went = mode.word("went out", "would go");
    for (kind, one, many) in [
        (ChangeKind::Written, "memory", "memories"),
        (ChangeKind::Retired, "retirement", "retirements"),
        (ChangeKind::Purged, "purge", "purges"),
    ] {
        let titles = titles(report, kind);
        print_titles(&format!("{} {went}", counted(titles.len(), one, many)), &titles, out)?;
    }
    if !report.withheld.is_empty() {
        writeln!(out, "{}", withheld(report.withheld.len(), mode))?;
    }
    if report.kept > 0 {
        let stay = counted(report.kept, "memory stays", "memories stay");
        writeln!(out, "{stay} here: tentative or private")?;
    }
    Ok(())
}

/// Returns the line about changes that a place does not take from this account, with the next step.
pub(super) fn withheld(count: usize, mode: Mode) -> String {
    let changes = match mode {
        Mode::Done => counted(count, "change stays", "changes stay"),
        Mode::Preview => counted(count, "change would stay", "changes would stay"),
    };
    format!(
        "{changes} here: your role there does not allow it; \
         the administrator can raise it with: interleaf team invite"
    )
}

fn print_incoming(report: &ExchangeReport, mode: Mode, out: &mut Output) -> anyhow::Result<()> {
    let applied = &report.applied;
    for (titles, what) in [
        (&applied.added, mode.word("came in", "would come in")),
        (&applied.changed, mode.word("changed", "would change")),
        (&applied.retired, mode.word("retired", "would be retired")),
    ] {
        print_titles(&format!("{} {what}", counted(titles.len(), "memory", "memories")), titles, out)?;
    }
    if applied.purged > 0 {
        let what = mode.word("deleted for good", "would be deleted for good");
        writeln!(out, "{} {what}", counted(applied.purged, "memory", "memories"))?;
    }
    Ok(())
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

/// Names the authors whose memories are quoted.
pub(super) fn print_untrusted(
    untrusted: &[(Author, u64)],
    mode: Mode,
    out: &mut Output,
) -> anyhow::Result<()> {
    let (one, many) = match mode {
        Mode::Done => ("memory is", "memories are"),
        Mode::Preview => ("memory would be", "memories would be"),
    };
    for (author, count) in untrusted {
        let memories = counted(usize::try_from(*count).unwrap_or(usize::MAX), one, many);
        writeln!(out, "{memories} quoted until you trust {}", for_terminal(&shown(author)))?;
    }
    match untrusted.is_empty() {
        true => Ok(()),
        false => Ok(writeln!(out, "To see and trust authors: interleaf memory trust")?),
    }
}

fn titles(report: &ExchangeReport, kind: ChangeKind) -> Vec<String> {
    let sent = report.sent.iter().filter(|change| change.kind == kind);
    sent.map(|change| change.title.clone()).collect()
}

fn print_titles(what: &str, titles: &[String], out: &mut Output) -> anyhow::Result<()> {
    if titles.is_empty() {
        return Ok(());
    }
    writeln!(out, "{what}:")?;
    for title in titles.iter().take(MAX_TITLES) {
        writeln!(out, "  {}", for_terminal(title))?;
    }
    match titles.len().saturating_sub(MAX_TITLES) {
        0 => Ok(()),
        more => Ok(writeln!(out, "  … and {more} more")?),
    }
}

/// Returns an author as a person knows them.
pub(super) fn shown(author: &Author) -> String {
    match author.name.is_empty() {
        true => format!("device {}", author.device),
        false => format!("{} (device {})", author.name, author.device),
    }
}
