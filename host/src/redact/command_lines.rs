//! Finds passwords on the command lines of programs that take them with a short flag.
//!
//! `-p` is a port for one program and a password for another, so the program must be known; the table of
//! programs is in `rules.toml`. Long flags are descriptive, so [`super::assignments`] finds them like any
//! other name. A command line may be part of a shell script, a string of JSON, or a list of arguments.

use super::ascii;
use super::placeholders;
use super::rule_tables::{COMMANDS, FlagValue, Kind};
use super::spans::Span;
use super::value_span;
use std::ops::Range;

/// Maximum number of words read of a command line.
const MAX_WORDS: usize = 60;

/// Bytes that follow a closing quote, but never an opening one.
const AFTER_CLOSING_QUOTE: &[u8] = b" \t\n\\,:;)]}\"";

const PASSWORD: Kind = Kind::of("password");

/// Finds the passwords on the command line of the program whose name is at `at`.
pub fn find(bytes: &[u8], at: usize, program: &str, found: &mut Vec<Span>) -> usize {
    let start = at + program.len();
    let Some(command) = COMMANDS.iter().find(|command| command.name == program) else { return start };
    if !ascii::is_word_start(bytes, at) || !matches!(bytes.get(start), Some(b' ' | b'\t' | b'"' | b'\'')) {
        return start;
    }
    // In a list of arguments, the quote after the program's name is a closing one.
    let start = start + usize::from(ascii::is_quote(bytes[start]));
    let (mut read, mut words_left, mut operands) = (start, MAX_WORDS, 0);
    let mut word = next_word(bytes, start);
    while let Some(flag) = word.filter(|_| words_left > 0) {
        let next = next_word(bytes, flag.end);
        let password = |&(name, value)| flag_password(bytes, &flag, next.as_ref(), name, value);
        operands += usize::from(bytes[flag.start] != b'-');
        let flags = &bytes[start..flag.start];
        let operand = || operand_password(bytes, &flag, flags, operands, command.flags);
        if let Some(password) = command.flags.iter().find_map(password).or_else(operand) {
            found.push(Span::new(password.start, password.end, PASSWORD));
        }
        let is_same_program = &bytes[flag.clone()] == program.as_bytes();
        (read, words_left) = (flag.end, if is_same_program { MAX_WORDS } else { words_left - 1 });
        word = next;
    }
    read
}

/// Returns this word, if the program takes a password as the operand with this number.
fn operand_password(
    bytes: &[u8],
    word: &Range<usize>,
    before: &[u8],
    operands: usize,
    flags: &[(&str, FlagValue)],
) -> Option<Range<usize>> {
    // Flags of one letter may be written together.
    let has_flag = |flag: &str| {
        let letter = flag.trim_start_matches('-').as_bytes();
        let mut words = before.split(|&byte| byte == b' ').filter(|word| word.starts_with(b"-"));
        letter.is_empty() || words.any(|word| word.contains(&letter[0]))
    };
    let is_position = |value: FlagValue| match value {
        FlagValue::FirstOperand => operands == 1,
        FlagValue::SecondOperand => operands == 2,
        FlagValue::ThirdOperand => operands == 3,
        _ => false,
    };
    // Only one of the first three operands can be a password, so the words before it are searched three times
    // at most.
    let is_password = |&(flag, value): &(&str, FlagValue)| is_position(value) && has_flag(flag);
    let password = unquoted(bytes, word.clone());
    let is_flag = bytes[word.start] == b'-';
    (!is_flag && flags.iter().any(is_password) && is_plausible_password(&bytes[password.clone()]))
        .then_some(password)
}

/// Returns the password in this word or the next, if this word is the flag `name`.
fn flag_password(
    bytes: &[u8],
    word: &Range<usize>,
    next: Option<&Range<usize>>,
    name: &str,
    value: FlagValue,
) -> Option<Range<usize>> {
    let flag = &bytes[unquoted(bytes, word.clone())];
    let is_attached = value == FlagValue::Attached
        && bytes[word.clone()].starts_with(name.as_bytes())
        && flag.len() > name.len();
    // In a list of quoted arguments a bare word is a variable.
    let is_variable = flag.len() < word.len() && next.is_some_and(|next| !ascii::is_quote(bytes[next.start]));
    let is_followed = value != FlagValue::Attached && flag == name.as_bytes() && !is_variable;
    let argument = match () {
        () if is_attached => word.start + name.len()..word.end,
        () if is_followed => next?.clone(),
        () => return None,
    };
    let password = match value {
        FlagValue::AfterColon => after_sign(bytes, argument, b':')?,
        FlagValue::AfterPercent => after_sign(bytes, argument, b'%')?,
        FlagValue::AfterEquals => after_sign(bytes, argument, b'=')?,
        FlagValue::Attached | FlagValue::Separate => unquoted(bytes, argument),
        FlagValue::FirstOperand | FlagValue::SecondOperand | FlagValue::ThirdOperand => return None,
    };
    is_plausible_password(&bytes[password.clone()]).then_some(password)
}

/// Returns whether a word at the position of a password is one.
pub fn is_plausible_password(word: &[u8]) -> bool {
    word.len() >= 3
        && word[0] != b'-'
        && !placeholders::is_placeholder(word)
        && !placeholders::is_ordinary_word(word)
        && !placeholders::names_itself(word)
}

/// Returns the text after the first `sign`, unless the word names the location of the password (`env:`,
/// `file:`).
pub fn after_sign(bytes: &[u8], word: Range<usize>, sign: u8) -> Option<Range<usize>> {
    let word = unquoted(bytes, word);
    let offset = bytes[word.clone()].iter().position(|&byte| byte == sign)?;
    (!placeholders::is_placeholder(&bytes[word.clone()])).then_some(word.start + offset + 1..word.end)
}

/// Returns the next word with its quotes, before the end of the line, a pipe or a semicolon.
pub fn next_word(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let start = skip_spaces(bytes, from);
    // A quote directly after a word closes the string that contains the command line.
    let is_over = start == from || ascii::is_line_end(bytes, start);
    if is_over || matches!(bytes[start], b'|' | b';' | b'&' | b')' | b']') {
        return None;
    }
    let quote = start + usize::from(bytes[start] == b'\\');
    if let Some(end) = quoted_end(bytes, quote) {
        return Some(start..end);
    }
    let mut end = start;
    while end < bytes.len() && !ends_word(bytes, end) {
        end = quoted_end(bytes, end).unwrap_or(end + 1);
    }
    (end > start).then_some(start..end)
}

/// Returns the word without its quotes and the backslashes before them.
pub fn unquoted(bytes: &[u8], word: Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (word.start, word.end);
    let opening = skip_backslashes(bytes, start);
    if opening < end && ascii::is_quote(bytes[opening]) {
        start = opening + 1;
    }
    if start < end && ascii::is_quote(bytes[end - 1]) {
        end -= 1;
        while start < end && bytes[end - 1] == b'\\' {
            end -= 1;
        }
    }
    start..end
}

/// Skips backslashes.
pub fn skip_backslashes(bytes: &[u8], from: usize) -> usize {
    ascii::run_end_where(bytes, from, |byte| byte == b'\\')
}

/// Skips spaces and the comma of a list of arguments.
fn skip_spaces(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        match bytes.get(at..).unwrap_or_default() {
            [b' ' | b'\t' | b',', ..] => at += 1,
            [b'\\', b'\n', ..] => at += 2,
            [b'\\', b'\\', b'n', ..] => at += 3,
            _ => return at,
        }
    }
}

fn ends_word(bytes: &[u8], at: usize) -> bool {
    let is_separator = matches!(bytes[at], b' ' | b'\t' | b'|' | b';' | b',');
    // Within a run of backslashes, the answer is that at its first one.
    let is_closing = || {
        let quote = skip_backslashes(bytes, at);
        bytes.get(quote).is_some_and(|&byte| ascii::is_quote(byte)) && quoted_end(bytes, quote).is_none()
    };
    let is_in_run = at > 0 && bytes[at - 1] == b'\\';
    is_separator || ascii::is_line_end(bytes, at) || !is_in_run && is_closing()
}

/// Returns the end of the quoted text at `at`, unless the string around it ends first.
fn quoted_end(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = bytes.get(at).copied().filter(|&byte| ascii::is_quote(byte))?;
    let slashes = bytes[..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
    let is_opening = bytes.get(at + 1).is_some_and(|next| !AFTER_CLOSING_QUOTE.contains(next));
    // Two backslashes before a quote are a backslash of the text and the end of the string around it.
    if !is_opening || !(slashes + 1).is_power_of_two() {
        return None;
    }
    let value = value_span::quoted_value(bytes, at, slashes, quote);
    value.is_closed.then_some(value.range.end + slashes + 1)
}
