//! What a record must be like to be kept, whoever wrote it and wherever it is kept: no secrets, nothing
//! invisible, within the limits, and no right that its origin does not have. Every write passes through
//! [`lawful`].

mod limits;
mod tidy;

use super::kinds::{Origin, Status};
use super::record::Memory;
use crate::error::{Error, Result};
use crate::redact::Redactor;
use std::borrow::Cow;
pub(super) use tidy::title_of;
pub(crate) use tidy::visible;

/// Tags that put a memory in front of the model unasked.
pub const LEADING_TAGS: [&str; 2] = ["cheat-sheet", "hot-topic"];

/// The memory as it may be kept. What is invisible goes first, because a secret may hide behind it; then
/// secrets, before anything could be cut out of their middle; then the rest is tidied and checked.
///
/// # Errors
/// `invalid` where it breaks a limit, `denied` where its origin does not allow what it carries.
pub(super) fn lawful(mut memory: Memory, redactor: &Redactor) -> Result<Memory> {
    tidy::make_visible(&mut memory);
    redact(&mut memory, redactor);
    tidy::tidy(&mut memory);
    limits::check(&memory)?;
    check_origin(&memory)?;
    Ok(memory)
}

fn redact(memory: &mut Memory, redactor: &Redactor) {
    for text in tidy::texts(memory) {
        if let Cow::Owned(redacted) = redactor.text(text) {
            *text = redacted;
        }
    }
    redactor.json(&mut memory.content);
}

/// A reason as it goes into a history: one line, without secrets, and not longer than somebody reads.
pub(super) fn reason(reason: &str, redactor: &Redactor) -> String {
    let line = tidy::one_line(reason);
    redactor.text(&line).chars().take(limits::REASON).collect()
}

/// What anybody may have printed, or written into a file, must not come back as the project's own voice.
fn check_origin(memory: &Memory) -> Result<()> {
    match memory.tags.iter().find(|tag| !may_carry(memory.origin, tag)) {
        Some(tag) => Err(Error::denied(format!(
            "a memory whose words come from {} cannot carry the tag `{tag}`",
            in_words(memory.origin)
        ))
        .hint("write it anew in your own words, or leave the tag out")),
        None => Ok(()),
    }
}

/// Whether a memory of this origin may carry this tag, however it is written.
pub(super) fn may_carry(origin: Origin, tag: &str) -> bool {
    let leads = || LEADING_TAGS.contains(&tidy::tag_form(tag).as_str());
    !matches!(origin, Origin::ToolOutput | Origin::Imported) || !leads()
}

/// Whether a memory may be shown as a durable rule of the project. Foreign words never are, whatever they
/// say of themselves: they are quoted with their origin.
pub fn may_rule(memory: &Memory) -> bool {
    memory.status == Status::Active && memory.category.is_durable() && !memory.origin.is_foreign()
}

/// The origin of a memory of origin `old` once words of origin `new` are in it: the less trusted of both.
///
/// # Errors
/// `denied` where foreign words would go into this user's own: a rule must not be rewritten by what a tool
/// printed.
pub(super) fn mixed(old: Origin, new: Origin) -> Result<Origin> {
    if new.is_foreign() && !old.is_foreign() {
        let error = Error::denied(format!("{} cannot change what {} said", in_words(new), in_words(old)));
        return Err(error.hint("write it as a memory of its own"));
    }
    Ok(old.max(new))
}

fn in_words(origin: Origin) -> &'static str {
    match origin {
        Origin::Person => "a person",
        Origin::Assistant => "the assistant",
        Origin::ToolOutput => "a tool's output",
        Origin::Imported => "an import",
        Origin::Shared => "a clone",
    }
}
