//! What becomes of a find: the host says which memory it is about and does what its table says. A model may have said what
//! it is about; else its likeness decides.

use super::done::{Done, nothing};
use super::draft::draft;
use crate::bindings::interleaf::layer::memory::{
    self, Action, Draft, Intent, Likeness, Proposal, Resolved, Seen, Status,
};
use crate::bindings::interleaf::layer::types::Error;
use crate::find::{Find, Origin};
use crate::host;
use crate::standing::{self, Standing};

/// How often it is tried again when somebody else was faster.
const ATTEMPTS: usize = 4;

/// The reasons, for the history of the memory.
const TOLD: &str = "a session told it";
const AGAIN: &str = "a session told it again";
const OTHERWISE: &str = "a session told it otherwise";

/// By what it is decided what a find is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// By what the model said, else by how it stands to what is known.
    Likeness,
    /// It is a memory of its own unless one says the same.
    Itself,
}

/// Writes a find; none where that would be one more memory and there is no room for one.
///
/// # Errors
/// Where the host cannot do it now. What its rules refuse is not written, and said in the log.
pub(super) fn resolve(find: &Find, key: &str, by: By, room: bool) -> Result<Option<Done>, Error> {
    let mut find = find.clone();
    let draft = draft(&find, key);
    for _ in 0..ATTEMPTS {
        let error = match attempt(&find, &draft, by, room) {
            Ok(resolved) => return Ok(resolved.map(|resolved| Done::about(&find, resolved))),
            Err(error) => error,
        };
        match error {
            Error::Unavailable(_) => return Err(error),
            Error::Conflict(_) => {}
            // What it is about is not its to change: then it is a memory like every other.
            Error::Denied(_) | Error::NotFound(_) if find.about.take().is_some() => {}
            error => return Ok(Some(Done::about(&find, refused(&find, &error)))),
        }
    }
    Ok(Some(Done::about(&find, nothing(None, "somebody else was faster each time"))))
}

fn attempt(find: &Find, draft: &Draft, by: By, room: bool) -> Result<Option<Resolved>, Error> {
    let (intent, seen) = wish(find, draft, by)?;
    if intent == Intent::Create && !room {
        return Ok(None);
    }
    let reason = match intent {
        Intent::Create => TOLD,
        Intent::Update => AGAIN,
        Intent::Supersede | Intent::Retire => OTHERWISE,
    };
    let proposal = Proposal { draft: draft.clone(), intent, event: None, seen, reason: reason.to_owned() };
    let resolved = memory::resolve(&proposal)?;
    let because = match resolved.action {
        Action::Nothing => resolved.because,
        _ => format!("{reason}: {}", resolved.because),
    };
    Ok(Some(Resolved { because, ..resolved }))
}

/// What is wanted, and about which memory; without one the memories say.
type Wish = (Intent, Option<Seen>);

fn wish(find: &Find, draft: &Draft, by: By) -> Result<Wish, Error> {
    if by == By::Itself {
        return Ok((Intent::Create, None));
    }
    let Some(about) = &find.about else { return by_likeness(find, draft) };
    let intent = match about.intent {
        standing::Intent::Create => return Ok((Intent::Create, None)),
        standing::Intent::Update => Intent::Update,
        standing::Intent::Supersede => Intent::Supersede,
    };
    match present(&about.memory)? {
        Some(seen) => Ok((intent, Some(seen))),
        None => by_likeness(find, draft),
    }
}

fn by_likeness(find: &Find, draft: &Draft) -> Result<Wish, Error> {
    let Some(candidate) = memory::assess(draft, None)?.candidate else { return Ok((Intent::Create, None)) };
    let seen = Seen { id: candidate.memory.id, version: candidate.memory.version };
    Ok(match candidate.likeness {
        Likeness::Same => (Intent::Update, Some(seen)),
        // Another number in what a tool printed is another failure; only who speaks corrects.
        Likeness::Corrects if find.origin == Origin::Assistant => (Intent::Supersede, Some(seen)),
        _ => (Intent::Create, None),
    })
}

/// The memory as it is now; none where it does not say any more what was shown.
pub(super) fn present(memory: &Standing) -> Result<Option<Seen>, Error> {
    match memory::get(&memory.id) {
        Ok(now) => {
            let same = now.status == Status::Active && now.text == memory.text;
            Ok(same.then_some(Seen { id: now.id, version: now.version }))
        }
        Err(Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What the host's rules refuse is not written.
pub(super) fn refused(find: &Find, error: &Error) -> Resolved {
    host::complain(&format!("a {} was not written", find.category.as_str()), error);
    nothing(None, &format!("the host refused it ({})", host::kind(error)))
}
