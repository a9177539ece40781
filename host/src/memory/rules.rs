//! What a record must be like to be kept, whoever wrote it and wherever it is kept: no secrets, nothing
//! invisible, within the limits, and no right that its origin does not have. Every write passes through
//! [`lawful`].

mod life;
mod limits;
mod merge;
mod tidy;

use super::content;
use super::kinds::{Origin, Status};
use super::policy::Policy;
use super::record::Memory;
use crate::error::{Error, Result};
use crate::redact::Redactor;
pub(super) use life::tame_life;
pub(super) use merge::{check_merge, fitting, joined_files, joined_tags};
use std::borrow::Cow;
pub(super) use tidy::title_of;

/// Tags that put a memory in front of the model unasked.
pub const PRIVILEGED_TAGS: [&str; 2] = ["cheat-sheet", "hot-topic"];

/// The memory as it may be kept. What is invisible goes first, because a secret may hide behind it; then
/// secrets, before anything could be cut out of their middle; then the rest is tidied and checked.
///
/// # Errors
/// `invalid` where it breaks a limit, `denied` where its origin does not allow what it carries.
pub(super) fn lawful(memory: Memory, redactor: &Redactor) -> Result<Memory> {
    let memory = formed(memory, redactor)?;
    content::check(memory.category, &memory.content)?;
    Ok(memory)
}

/// A changed memory as it may be kept. Content that was there before stays as it was, also where an earlier version of
/// this program was less strict.
///
/// # Errors
/// As [`lawful`].
pub(super) fn lawful_change(old: &Memory, new: Memory, redactor: &Redactor) -> Result<Memory> {
    let new = formed(new, redactor)?;
    if new.content != old.content {
        content::check(new.category, &new.content)?;
    }
    Ok(new)
}

fn formed(mut memory: Memory, redactor: &Redactor) -> Result<Memory> {
    tidy::make_visible(&mut memory);
    redact(&mut memory, redactor);
    limits::check_shares(&memory)?;
    tidy::tidy(&mut memory);
    limits::check(&memory)?;
    check_origin(&memory)?;
    Ok(memory)
}

/// Refuses what the person does not want to have written.
///
/// # Errors
/// `denied`, naming the setting.
pub(super) fn wanted(memory: &Memory, policy: &Policy) -> Result<()> {
    wanted_back(memory, policy)?;
    if memory.source.layer.is_some() && !policy.of(memory.category).auto_capture {
        return Err(switched_off(memory, "auto_capture")
            .hint("a person or the assistant may still write one by hand"));
    }
    Ok(())
}

/// Refuses what is of a category that there is not to be.
///
/// # Errors
/// `denied`, naming the setting.
pub(super) fn wanted_back(memory: &Memory, policy: &Policy) -> Result<()> {
    match policy.of(memory.category).enabled {
        true => Ok(()),
        false => Err(switched_off(memory, "enabled").hint("interleaf config")),
    }
}

fn switched_off(memory: &Memory, setting: &str) -> Error {
    Error::denied(format!("categories.{}.{setting} is false", memory.category))
}

fn redact(memory: &mut Memory, redactor: &Redactor) {
    for text in tidy::texts(memory) {
        if let Cow::Owned(redacted) = redactor.redact(text) {
            *text = redacted;
        }
    }
    redactor.redact_json(&mut memory.content);
}

/// A reason as it goes into a history: one line, without secrets.
///
/// # Errors
/// `invalid` where there is none, or it is longer than somebody reads.
pub(super) fn reason(reason: &str, redactor: &Redactor) -> Result<String> {
    let line = redactor.redact(&tidy::one_line(reason)).into_owned();
    match line.chars().count() {
        0 => Err(Error::invalid("the reason is empty").hint("say in a line why; it stays in the history")),
        length => limits::at_most(limits::REASON, length, "the reason", "characters").map(|()| line),
    }
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
    let leads = || PRIVILEGED_TAGS.contains(&tidy::tag_form(tag).as_str());
    !matches!(origin, Origin::ToolOutput | Origin::Imported) || !leads()
}

/// Whether a memory may be shown as a durable rule of the project. Foreign words never are, whatever they
/// say of themselves: they are quoted with their origin.
pub fn is_project_rule(memory: &Memory) -> bool {
    memory.status == Status::Active && memory.category.is_durable() && !memory.origin.is_untrusted()
}

/// The origin of a memory of origin `old` once words of origin `new` are in it: the less trusted of both.
///
/// # Errors
/// `denied` where foreign words would go into this user's own: a rule must not be rewritten by what a tool
/// printed.
pub(super) fn mixed(old: Origin, new: Origin) -> Result<Origin> {
    if new.is_untrusted() && !old.is_untrusted() {
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
