//! Passwords on the command lines of programs that take them with a short flag.
//!
//! `-p` is a port for one program and a password for another, so the program must be known; long flags tell by
//! their name and are found as any other name is.

use super::arguments;
use super::kinds::Kind;
use super::letters;
use super::placeholders;
use super::spans::Span;
use std::ops::Range;

const PASSWORD: Kind = Kind::of("password");

/// How many words of a command line are read.
const WORDS: usize = 60;

/// What stands with a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// `-pPASSWORD`
    Glued,
    /// `-p PASSWORD`
    Apart,
    /// `-u USER:PASSWORD`
    Pair,
    /// `-U USER%PASSWORD`
    Percent,
    /// `-b NAME=VALUE`
    Cookie,
}

/// A program and the flags with which it takes a password. The word `login` stands for docker, helm, az, oc.
const PROGRAMS: &[(&str, &[(&str, Takes)])] = &[
    ("sshpass", &[("-p", Takes::Apart), ("-p", Takes::Glued)]),
    ("mysql", &[("-p", Takes::Glued)]),
    ("mysqldump", &[("-p", Takes::Glued)]),
    ("mysqladmin", &[("-p", Takes::Glued)]),
    ("mariadb", &[("-p", Takes::Glued)]),
    ("mongosh", &[("-p", Takes::Apart)]),
    ("mongodump", &[("-p", Takes::Apart)]),
    ("login", &[("-p", Takes::Apart)]),
    ("redis-cli", &[("-a", Takes::Apart)]),
    ("ldapsearch", &[("-w", Takes::Apart)]),
    (
        "curl",
        &[
            ("-u", Takes::Pair),
            ("--user", Takes::Pair),
            ("-U", Takes::Pair),
            ("--proxy-user", Takes::Pair),
            ("-b", Takes::Cookie),
        ],
    ),
    ("http", &[("-a", Takes::Pair), ("--auth", Takes::Pair)]),
    ("smbclient", &[("-U", Takes::Percent), ("--user", Takes::Percent)]),
    (
        "openssl",
        &[("-k", Takes::Apart), ("-passin", Takes::Pair), ("-passout", Takes::Pair), ("-pass", Takes::Pair)],
    ),
    ("unzip", &[("-P", Takes::Apart)]),
    ("zip", &[("-P", Takes::Apart)]),
];

/// The names of the programs.
pub const fn names() -> [&'static str; PROGRAMS.len()] {
    let mut names = [""; PROGRAMS.len()];
    let mut place = 0;
    while place < PROGRAMS.len() {
        names[place] = PROGRAMS[place].0;
        place += 1;
    }
    names
}

/// The password on the command line of the program named at `at`.
pub fn find(bytes: &[u8], at: usize, program: &str, found: &mut Vec<Span>) -> usize {
    let start = at + program.len();
    let Some((_, flags)) = PROGRAMS.iter().find(|(name, _)| *name == program) else { return start };
    if !letters::starts_word(bytes, at) || !matches!(bytes.get(start), Some(b' ' | b'\t' | b'"' | b'\'')) {
        return start;
    }
    // In a list of arguments the quote that closes the program's name opens nothing.
    let start = start + usize::from(letters::is_quote(bytes[start]));
    let (mut read, mut left) = (start, WORDS);
    let mut word = arguments::next(bytes, start);
    while let Some(flag) = word.filter(|_| left > 0) {
        let next = arguments::next(bytes, flag.end);
        if let Some(secret) =
            flags.iter().find_map(|&(name, takes)| secret(bytes, &flag, next.as_ref(), name, takes))
        {
            found.push(Span::new(secret.start, secret.end, PASSWORD));
        }
        let again = &bytes[flag.clone()] == program.as_bytes();
        (read, left) = (flag.end, if again { WORDS } else { left - 1 });
        word = next;
    }
    read
}

/// The secret that this word or the next one is, if this word is the flag.
fn secret(
    bytes: &[u8],
    flag: &Range<usize>,
    next: Option<&Range<usize>>,
    name: &str,
    takes: Takes,
) -> Option<Range<usize>> {
    let here = &bytes[arguments::unquoted(bytes, flag.clone())];
    let variable = here.len() < flag.len() && next.is_some_and(|next| !letters::is_quote(bytes[next.start]));
    let value = match takes {
        Takes::Glued if bytes[flag.clone()].starts_with(name.as_bytes()) && here.len() > name.len() => {
            flag.start + name.len()..flag.end
        }
        Takes::Apart | Takes::Pair | Takes::Percent | Takes::Cookie
            if here == name.as_bytes() && !variable =>
        {
            next?.clone()
        }
        _ => return None,
    };
    let value = match takes {
        Takes::Pair => past(bytes, value, b':')?,
        Takes::Percent => past(bytes, value, b'%')?,
        Takes::Cookie => past(bytes, value, b'=')?,
        _ => arguments::unquoted(bytes, value),
    };
    is_real(&bytes[value.clone()]).then_some(value)
}

/// Whether the word that stands where a password belongs is one.
pub fn is_real(word: &[u8]) -> bool {
    let real = word.len() >= 3
        && word[0] != b'-'
        && !placeholders::is_placeholder(word)
        && !placeholders::is_ordinary(word);
    real && !placeholders::names_itself(word)
}

/// What stands behind the first such sign, unless the word names where the password is (`env:`, `file:`).
pub fn past(bytes: &[u8], word: Range<usize>, sign: u8) -> Option<Range<usize>> {
    let word = arguments::unquoted(bytes, word);
    let place = bytes[word.clone()].iter().position(|&byte| byte == sign)?;
    let start = word.start + place + 1;
    (!placeholders::is_placeholder(&bytes[word.clone()])).then_some(start..word.end)
}
