//! Writes a finding through the host's resolution table: as a new memory, or as a change of the memory it is
//! about. A model may have named that memory; otherwise text similarity decides.

use interleaf_layer::memory::{
    self, Draft, Intent, MemoryVersion, Origin, Proposal, Resolution, ResolutionAction, Similarity, Status,
};
use interleaf_layer::{Error, Result};

use super::outcome::{MAX_ATTEMPTS, WriteOutcome, log_refusal, lost_race, nothing, refusal, refused};
use super::update::{draft, quotes};
use crate::finding::{Finding, Retirement};
use crate::known_memory::KnownMemory;

/// Maximum length of a title, in characters.
const MAX_TITLE_CHARS: usize = 120;

// Reasons stored in the history of a memory.
const NEW: &str = "learned in a session";
const REPEATED: &str = "repeated in a session";
const CORRECTED: &str = "corrected in a session";

/// The way to find the memory that a finding is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchBy {
    /// By the memory that the model named, else by text similarity.
    Content,
    /// By the key alone: a separate memory, unless one says the same.
    Key,
}

/// Writes a finding. Returns `None` if it would be a new memory and `room` is false. A finding that the
/// host's rules refuse is not written, and a log line says so.
///
/// # Errors
/// Fails if the host is unavailable.
pub(super) fn resolve(
    finding: &Finding,
    key: &str,
    match_by: MatchBy,
    room: bool,
) -> Result<Option<WriteOutcome>> {
    let (mut finding, mut match_by) = (finding.clone(), match_by);
    let draft = draft(&finding, key);
    for _ in 0..MAX_ATTEMPTS {
        let error = match try_resolve(&finding, &draft, match_by, room) {
            Ok(resolved) => {
                return Ok(resolved.map(|resolved| WriteOutcome::of_finding(&finding, resolved)));
            }
            Err(error) => error,
        };
        match error {
            Error::Unavailable(_) => return Err(error),
            Error::Conflict(_) => {}
            Error::NotFound(_) if finding.about.take().is_some() => {}
            // The finding may not change what exists, so it becomes a memory of its own.
            Error::Denied(_) if match_by == MatchBy::Content => match_by = MatchBy::Key,
            error => return Ok(Some(WriteOutcome::of_finding(&finding, refused(&finding, &error)))),
        }
    }
    Ok(Some(WriteOutcome::of_finding(&finding, lost_race(None))))
}

fn try_resolve(
    finding: &Finding,
    draft: &Draft,
    match_by: MatchBy,
    room: bool,
) -> Result<Option<Resolution>> {
    let (intent, seen) = intent(finding, draft, match_by)?;
    if intent == Intent::Create && !room {
        return Ok(None);
    }
    let reason = match intent {
        Intent::Create => NEW,
        Intent::Update => REPEATED,
        Intent::Supersede | Intent::Retire => CORRECTED,
    };
    let proposal =
        Proposal { draft: draft.clone(), intent, event: None, target: seen, reason: reason.to_owned() };
    let resolved = memory::resolve(&proposal)?;
    let reason = match resolved.action {
        ResolutionAction::Skipped => resolved.reason,
        _ => format!("{reason}: {}", resolved.reason),
    };
    Ok(Some(Resolution { reason, ..resolved }))
}

/// The intent and its target memory. Without a target, the host looks for one.
type Intention = (Intent, Option<MemoryVersion>);

fn intent(finding: &Finding, draft: &Draft, match_by: MatchBy) -> Result<Intention> {
    if match_by == MatchBy::Key {
        return Ok((Intent::Create, None));
    }
    let Some(about) = &finding.about else { return intent_by_similarity(finding, draft) };
    if about.intent == Intent::Create {
        return Ok((Intent::Create, None));
    }
    match current_version(&about.memory)? {
        Some(seen) => Ok((about.intent, Some(seen))),
        None => intent_by_similarity(finding, draft),
    }
}

fn intent_by_similarity(finding: &Finding, draft: &Draft) -> Result<Intention> {
    let Some(candidate) = memory::assess(draft, None)?.candidate else { return Ok((Intent::Create, None)) };
    let seen = MemoryVersion { id: candidate.memory.id, version: candidate.memory.version };
    Ok(match candidate.similarity {
        // What is not certain changes nothing that exists.
        _ if finding.is_tentative() => (Intent::Create, None),
        Similarity::Duplicate => (Intent::Update, Some(seen)),
        // Another number in a tool's output is another failure; only the person or the assistant corrects a
        // memory.
        Similarity::Correction if finding.origin == Origin::Assistant => (Intent::Supersede, Some(seen)),
        _ => (Intent::Create, None),
    })
}

/// Returns the memory's current version, or `None` if its text or status changed since it was read.
pub(super) fn current_version(memory: &KnownMemory) -> Result<Option<MemoryVersion>> {
    match memory::get(&memory.id) {
        Ok(now) => {
            let same = now.status == Status::Active && now.text == memory.text;
            Ok(same.then_some(MemoryVersion { id: now.id, version: now.version }))
        }
        Err(Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Retires a memory whose subject ended: a resolved debt, a limit that no longer exists.
///
/// # Errors
/// Fails if the host is unavailable.
pub(super) fn retire(retirement: &Retirement, seen: MemoryVersion) -> Result<Resolution> {
    let memory = &retirement.memory;
    let proposal = Proposal {
        draft: retirement_draft(retirement),
        intent: Intent::Retire,
        event: Some(retirement.event),
        target: Some(seen),
        reason: format!("{}: {}", retirement.event.as_str(), retirement.why),
    };
    match memory::resolve(&proposal) {
        Err(error @ Error::Unavailable(_)) => Err(error),
        Err(error) => {
            log_refusal(&format!("a {} was not retired", memory.category.as_str()), &error);
            Ok(nothing(Some(&memory.id), &refusal(&error)))
        }
        resolved => resolved,
    }
}

/// Returns the memory's new text, for categories whose memories are updated instead of retired without a
/// successor.
fn retirement_draft(retirement: &Retirement) -> Draft {
    let memory = &retirement.memory;
    let title: String = format!("No longer so: {}", memory.title).chars().take(MAX_TITLE_CHARS).collect();
    let text = format!("No longer so: {}\nIt was: {}", retirement.why, memory.text);
    Draft {
        title: Some(title),
        tags: vec![retirement.event.as_str().to_owned()],
        // An update keeps the higher importance, so the memory keeps its own.
        importance: 0.0,
        key: Some(format!("ended/{}/{}", memory.id, memory.version)),
        quotes: quotes(&retirement.evidence),
        ..Draft::new(memory.category, text)
    }
}
