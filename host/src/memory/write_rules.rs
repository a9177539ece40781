//! The rules that every record must satisfy, independent of its writer and its store: no secrets, no
//! invisible characters, sizes within their limits, and no privileges that its origin does not have. Every
//! write passes through [`validate`].

mod field_limits;
mod merge_protection;
mod normalization;

use super::content;
use super::policy::Policy;
use super::record::{Memory, Origin, Status};
use crate::error::{Error, Result};
use crate::redact::Redactor;
pub(super) use field_limits::MAX_NAME_CHARS;
pub(super) use merge_protection::{check_merge, fit_content, join_cues, join_files, join_tags};
pub use normalization::normalize_tag;
pub(super) use normalization::{sanitize_import, title_from_text};
use std::borrow::Cow;

/// The tag of a tentative memory (`tentative.rs`).
pub const TENTATIVE_TAG: &str = "tentative";

/// The tag of a memory that stays in the store of its user.
pub const PRIVATE_TAG: &str = "private";

/// Tags that show a memory without a search. Only trusted origins may carry them.
pub const PRIVILEGED_TAGS: [&str; 2] = ["cheat-sheet", "hot-topic"];

/// Normalizes, redacts and checks a new memory.
///
/// # Errors
/// `invalid` if it exceeds a limit or its content does not match the schema, `denied` if its origin may
/// not carry one of its tags.
pub(super) fn validate(memory: Memory, redactor: &Redactor) -> Result<Memory> {
    field_limits::check_id(&memory.id)?;
    let memory = validate_fields(memory, redactor)?;
    content::check(memory.category, &memory.content)?;
    Ok(memory)
}

/// Normalizes, redacts and checks a changed memory. The id and unchanged content are not checked, because an
/// earlier version of this program may have been less strict.
///
/// # Errors
/// As [`validate`].
pub(super) fn validate_change(old: &Memory, new: Memory, redactor: &Redactor) -> Result<Memory> {
    let new = validate_fields(new, redactor)?;
    if new.content != old.content {
        content::check(new.category, &new.content)?;
    }
    Ok(new)
}

fn validate_fields(mut memory: Memory, redactor: &Redactor) -> Result<Memory> {
    // Invisible characters are removed first, because they may hide a secret; secrets are removed before any
    // text is truncated.
    normalization::strip_invisible_text(&mut memory);
    redact(&mut memory, redactor);
    field_limits::check_numbers(&memory)?;
    normalization::normalize(&mut memory);
    field_limits::check(&memory)?;
    check_tags(&memory)?;
    Ok(memory)
}

/// Checks that the policy allows a memory to be written.
///
/// # Errors
/// `denied`, which names the setting.
pub(super) fn check_write_enabled(memory: &Memory, policy: &Policy) -> Result<()> {
    check_category_enabled(memory, policy)?;
    if memory.source.layer.is_some() && !policy.of(memory.category).auto_capture {
        return Err(switched_off(memory, "auto_capture")
            .hint("a person or the assistant can still write one with `interleaf remember`"));
    }
    Ok(())
}

/// Checks that the policy allows a memory of this category to be active.
///
/// # Errors
/// `denied`, which names the setting.
pub(super) fn check_category_enabled(memory: &Memory, policy: &Policy) -> Result<()> {
    match policy.of(memory.category).enabled {
        true => Ok(()),
        false => Err(switched_off(memory, "enabled").hint("`interleaf config` shows where it is set")),
    }
}

fn switched_off(memory: &Memory, setting: &str) -> Error {
    Error::denied(format!("categories.{}.{setting} is false", memory.category))
}

fn redact(memory: &mut Memory, redactor: &Redactor) {
    for text in normalization::texts(memory) {
        if let Cow::Owned(redacted) = redactor.redact(text) {
            *text = redacted;
        }
    }
    redactor.redact_json(&mut memory.content);
}

/// Validates a reason for the history and returns it on one line, without secrets.
///
/// # Errors
/// `invalid` if it is empty or too long.
pub(super) fn validate_reason(reason: &str, redactor: &Redactor) -> Result<String> {
    let line = redactor.redact(&normalization::one_line(reason)).into_owned();
    match line.chars().count() {
        0 => Err(Error::invalid("the reason is empty").hint("give one line for the history that says why")),
        length => {
            field_limits::check_max(field_limits::MAX_REASON_CHARS, length, "the reason", "characters")?;
            Ok(line)
        }
    }
}

/// Refuses privileged tags on untrusted words, so that a tool's output or an imported file cannot appear as a
/// rule of the project.
fn check_tags(memory: &Memory) -> Result<()> {
    match memory.tags.iter().find(|tag| !may_carry(memory.origin, tag)) {
        Some(tag) => Err(Error::denied(format!(
            "a memory whose words come from {} cannot carry the tag `{tag}`",
            origin_phrase(memory.origin)
        ))
        .hint("leave the tag out, or write the memory in your own words")),
        None => Ok(()),
    }
}

/// Tells whether a memory of this origin may carry a tag, regardless of the tag's spelling.
pub(super) fn may_carry(origin: Origin, tag: &str) -> bool {
    !matches!(origin, Origin::ToolOutput | Origin::Imported) || !is_privileged_tag(tag)
}

/// Tells whether a tag, in any spelling, is one of [`PRIVILEGED_TAGS`].
pub fn is_privileged_tag(tag: &str) -> bool {
    PRIVILEGED_TAGS.contains(&normalize_tag(tag).as_str())
}

/// Tells whether a memory may be shown as a rule of the project: it is active, durable and of a trusted
/// origin. Other memories are quoted with their origin.
pub fn is_project_rule(memory: &Memory) -> bool {
    memory.status == Status::Active && memory.category.is_durable() && !memory.origin.is_untrusted()
}

/// Returns the origin of a memory of origin `old` that is changed with words of origin `new`: the less
/// trusted of the two.
///
/// # Errors
/// `denied` if untrusted words would change trusted ones: a tool's output must not rewrite a rule.
pub(super) fn merge_origins(old: Origin, new: Origin) -> Result<Origin> {
    if new.is_untrusted() && !old.is_untrusted() {
        let (new, old) = (origin_phrase(new), origin_phrase(old));
        let error = Error::denied(format!("{new} cannot change what {old} said"));
        return Err(error.hint("write a separate memory"));
    }
    Ok(old.max(new))
}

fn origin_phrase(origin: Origin) -> &'static str {
    match origin {
        Origin::Person => "a person",
        Origin::Assistant => "the assistant",
        Origin::ToolOutput => "a tool's output",
        Origin::Imported => "an import",
        Origin::Shared => "a clone",
    }
}
