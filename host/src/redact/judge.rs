//! Whether the value of a telling name is a secret: what the name announces against what the value looks like.
//!
//! The more a place in the text is one where values stand as they are (in quotes, after `NAME=` in a shell), the
//! less the value itself has to look like a secret; in prose and in programs it has to look very much like one.

use super::encoded;
use super::letters::{self, DIGIT, LOWER};
use super::names::Class;
use super::placeholders;
use super::values::{self, LOOK};

/// How a value is written, from the surest place to the least sure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// After `NAME=` of a shell, a flag, in an address, between tags.
    Literal,
    /// In quotes.
    Quoted,
    /// In quotes, but joined by no more than a space, a comma or a bracket.
    Near,
    /// Alone with its name on a line.
    Line,
    /// Anywhere else: in a sentence, in an expression.
    Loose,
}

/// Whether it is a secret.
pub fn is_secret(class: Class, form: Form, value: &[u8]) -> bool {
    let value = &value[..value.len().min(LOOK)];
    // What costs most is asked last: of most values the first question is enough.
    value.len() >= 4
        && is_likely(class, form, value)
        && !placeholders::is_ordinary(value)
        && !placeholders::is_placeholder(value)
        && !values::is_parts(value)
}

fn is_likely(class: Class, form: Form, value: &[u8]) -> bool {
    match class {
        Class::Password => is_password(form, value),
        Class::Pass => values::is_mixed(value) && is_password(form, value),
        Class::Token => is_token(form, value),
        Class::Pair => encoded::is_pair(value) || (form < Form::Line && values::is_random(value)),
        Class::Session => is_token(form, value) && !values::is_uuid(value),
        Class::Vague => form < Form::Loose && values::is_random(value) && !values::is_digest(value),
    }
}

fn is_password(form: Form, value: &[u8]) -> bool {
    let fits = match form {
        Form::Literal => !is_call(value) && !placeholders::is_stop_word(value),
        Form::Quoted => is_whole(value),
        Form::Near => values::is_mixed(value) && is_whole(value),
        Form::Line => {
            let made = values::is_mixed(value) || values::is_number(value) || values::is_jumbled_case(value);
            (made || is_word(value) || encoded::is_text(value)) && !values::is_code(value)
        }
        Form::Loose => {
            value.len() >= 6 && values::is_mixed(value) && !values::is_code(value) && is_whole(value)
        }
    };
    let digits = value.iter().any(|&byte| letters::is(byte, DIGIT)) && form != Form::Loose;
    fits && !values::is_path(value) && !is_markup(value) && (digits || !placeholders::names_itself(value))
}

fn is_token(form: Form, value: &[u8]) -> bool {
    let random = values::is_random(value);
    if value.len() < 8
        || value.contains(&b' ')
        || placeholders::names_itself(value)
        || (!random && is_markup(value))
    {
        return false;
    }
    let likely = has_digits(value) || (value.len() >= 20 && values::jumble(value) >= 0.15);
    match form {
        Form::Literal => likely && !values::is_path(value) && !is_call(value),
        Form::Quoted => likely && !is_place(value) && !closes_something(value),
        Form::Near => likely && values::jumble(value) >= 0.15 && !is_place(value) && !closes_something(value),
        Form::Line => likely && !is_place(value) && !values::is_code(value),
        Form::Loose => (random || values::is_digest(value)) && !values::is_code(value),
    }
}

/// Whether it has letters and digits, or many digits.
fn has_digits(value: &[u8]) -> bool {
    value.iter().any(|&byte| letters::is(byte, DIGIT)) && (!values::is_number(value) || value.len() >= 20)
}

/// A word of lower-case letters, alone on its line: a password that somebody can remember.
fn is_word(value: &[u8]) -> bool {
    value.len() >= 6 && letters::run(value, 0, LOWER) == value.len()
}

/// A place in a file system or a registry, not a jumble with slashes in it.
fn is_place(value: &[u8]) -> bool {
    value.contains(&b'/') && values::jumble(value) < 0.25
}

/// A call: a name and what is in its brackets.
fn is_call(value: &[u8]) -> bool {
    let name = letters::run(value, 0, letters::NAME);
    name > 0
        && matches!(value.get(name), Some(b'(' | b'['))
        && (value.len() == name + 1 || value[name..].iter().any(|byte| matches!(byte, b')' | b']')))
}

/// Neither a sentence nor what stands between two strings.
fn is_whole(value: &[u8]) -> bool {
    !placeholders::is_prose(value) && !closes_something(value)
}

/// What looks like a quoted value but stands between two: the quote before it ended something.
fn closes_something(value: &[u8]) -> bool {
    let sign =
        matches!(value, [b')' | b',' | b';' | b']' | b'}' | b'+' | b' ' | b':' | b'=' | b'>' | b'|', ..]);
    sign && value.iter().any(|byte| matches!(byte, b' ' | b'(' | b'\t'))
}

/// The beginning of a tag, or of an address: whatever it is, no secret of its own.
fn is_markup(value: &[u8]) -> bool {
    value.starts_with(b"</") || values::holds(value, b"://")
}
