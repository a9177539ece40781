//! Decides whether the value of a name is a secret, by the class of the name and the shape of the value.
//!
//! In a notation for literal values (quotes, `NAME=` in a shell), the value has to look only a little like a
//! secret; in prose and in programs it has to look very much like one.

use super::ascii::{self, DIGIT, LOWER};
use super::base64;
use super::placeholders;
use super::secret_names::NameClass;
use super::value_shape::{self, MAX_JUDGED_BYTES};

/// The notation of a value, from the most to the least certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Notation {
    /// After `NAME=` of a shell or a flag, in a URL, or between tags.
    Literal,
    /// In quotes.
    Quoted,
    /// In quotes, but separated from its name only by a space, a comma or a bracket.
    QuotedNearby,
    /// Alone with its name on a line.
    OwnLine,
    /// Anywhere else: in a sentence, in an expression.
    Embedded,
}

/// Returns whether the value of a name of this class is a secret.
pub fn is_secret(class: NameClass, notation: Notation, value: &[u8]) -> bool {
    let value = &value[..value.len().min(MAX_JUDGED_BYTES)];
    // Cheap checks come first, because most values fail them.
    value.len() >= 4
        && is_likely(class, notation, value)
        && !placeholders::is_ordinary_word(value)
        && !placeholders::is_placeholder(value)
        && !value_shape::is_dotted_number(value)
}

fn is_likely(class: NameClass, notation: Notation, value: &[u8]) -> bool {
    match class {
        NameClass::Password => is_password(notation, value),
        NameClass::ShortPassword => {
            let is_joined = notation < Notation::Embedded
                && (value_shape::is_joined_words(value) || value_shape::is_composed(value));
            (value_shape::is_mixed(value) || is_joined) && is_password(notation, value)
        }
        NameClass::Token => is_token(notation, value),
        NameClass::CredentialPair => {
            base64::is_credential_pair(value)
                || (notation < Notation::Embedded
                    && value_shape::is_random(value)
                    && !value_shape::is_digest(value))
        }
        NameClass::Session => is_token(notation, value) && !value_shape::is_uuid(value),
        NameClass::Pin => (4..=8).contains(&value.len()) && ascii::is_all(value, DIGIT),
        NameClass::RawKey => {
            value_shape::is_raw_key(value) || value.len() >= 32 && value_shape::is_random(value)
        }
        NameClass::Ambiguous => {
            notation < Notation::Embedded && value_shape::is_random(value) && !value_shape::is_digest(value)
        }
    }
}

fn is_password(notation: Notation, value: &[u8]) -> bool {
    let fits = match notation {
        Notation::Literal => !is_call(value) && !placeholders::is_prose_word(value),
        Notation::Quoted => is_complete(value),
        Notation::QuotedNearby => value_shape::is_mixed(value) && is_complete(value),
        Notation::OwnLine => {
            let is_made_up = value_shape::is_mixed(value)
                || value_shape::is_number(value)
                || value_shape::has_random_case(value);
            (is_made_up || is_lowercase_word(value) || base64::is_encoded_text(value))
                && !value_shape::is_code(value)
                || value_shape::is_composed(value)
                || value_shape::is_joined_words(value) && !value_shape::is_code(value)
        }
        Notation::Embedded => {
            value.len() >= 6
                && value_shape::is_mixed(value)
                && !value_shape::is_code(value)
                && is_complete(value)
        }
    };
    let has_digits = ascii::has_any(value, DIGIT) && notation != Notation::Embedded;
    fits && !value_shape::is_path(value)
        && !is_markup(value)
        && (has_digits || !placeholders::names_itself(value))
}

fn is_token(notation: Notation, value: &[u8]) -> bool {
    let is_random = value_shape::is_random(value);
    if value.len() < 8
        || value.contains(&b' ')
        || placeholders::names_itself(value)
        || (!is_random && is_markup(value))
    {
        return false;
    }
    let is_likely =
        has_significant_digits(value) || (value.len() >= 20 && value_shape::mixing_ratio(value) >= 0.15);
    match notation {
        Notation::Literal => is_likely && !value_shape::is_path(value) && !is_call(value),
        Notation::Quoted => is_likely && !is_location(value) && !is_between_strings(value),
        Notation::QuotedNearby => {
            is_likely
                && value_shape::mixing_ratio(value) >= 0.15
                && !is_location(value)
                && !is_between_strings(value)
        }
        Notation::OwnLine => {
            is_likely && !is_location(value) && !value_shape::is_code(value)
                || value_shape::is_composed(value) && value_shape::has_two_capitals(value)
        }
        Notation::Embedded => (is_random || value_shape::is_digest(value)) && !value_shape::is_code(value),
    }
}

/// Returns whether the value has letters and digits, or many digits.
fn has_significant_digits(value: &[u8]) -> bool {
    ascii::has_any(value, DIGIT) && (!value_shape::is_number(value) || value.len() >= 20)
}

/// Returns whether the value is a word of lower-case letters, which may be a password if it is alone on its
/// line.
fn is_lowercase_word(value: &[u8]) -> bool {
    value.len() >= 6 && ascii::is_all(value, LOWER)
}

/// Returns whether the value is a path in a file system or a registry, and not random characters with
/// slashes.
fn is_location(value: &[u8]) -> bool {
    value.contains(&b'/') && value_shape::mixing_ratio(value) < 0.25
}

/// Returns whether the value is a call: a name and its arguments in brackets.
fn is_call(value: &[u8]) -> bool {
    let name = ascii::run_end(value, 0, ascii::NAME);
    name > 0
        && matches!(value.get(name), Some(b'(' | b'['))
        && (value.len() == name + 1 || value[name..].iter().any(|byte| matches!(byte, b')' | b']')))
}

/// Returns whether the value is neither a sentence nor the text between two strings.
fn is_complete(value: &[u8]) -> bool {
    !placeholders::is_prose(value) && !is_between_strings(value)
}

/// Returns whether the value is the text between two strings: the quote before it closes a string.
fn is_between_strings(value: &[u8]) -> bool {
    let has_joint =
        matches!(value, [b')' | b',' | b';' | b']' | b'}' | b'+' | b' ' | b':' | b'=' | b'>' | b'|', ..]);
    has_joint && value.iter().any(|byte| matches!(byte, b' ' | b'(' | b'\t'))
}

/// Returns whether the value is the beginning of a tag, or a URL: neither is itself a secret.
fn is_markup(value: &[u8]) -> bool {
    value.starts_with(b"</") || ascii::contains(value, b"://")
}
