//! Citations: the files that a memory names, and the symbols, commands and versions in them that it names
//! too. They are looked up in the working tree when the memory is written. When it is shown, those that are
//! no longer there tell that it may be out of date.
//!
//! Only what was found at first is looked for later, so a name that was never in a file is never missed.
//! Nothing of a file's content is kept but words that the memory has itself.

use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::record::{Citation, Memory};
use rustix::fs::OFlags;

/// Files at the root of a project that name its commands, programs and versions.
const MANIFESTS: [&str; 11] = [
    "package.json",
    "Cargo.toml",
    "pyproject.toml",
    "requirements.txt",
    "go.mod",
    "Gemfile",
    "Makefile",
    "justfile",
    "docker-compose.yml",
    ".nvmrc",
    ".tool-versions",
];

/// Maximum number of files that a memory cites by their names.
const MAX_FILES: usize = 4;

/// Maximum number of names that are looked for in files.
const MAX_TERMS: usize = 12;

/// Maximum number of citations of one memory.
const MAX_CITATIONS: usize = 8;

/// Maximum size of a file that is searched, in bytes: 0.1 ms. A larger one is cited as a whole.
const MAX_FILE_BYTES: u64 = 256 * 1024;

/// Lengths of a name that is looked for, in characters. Shorter ones are in any file.
const TERM_CHARS: std::ops::RangeInclusive<usize> = 3..=60;

/// What is known of a file.
enum FileState {
    Text(String),
    /// It is there, but too large, or not to be read.
    Unreadable,
    Gone,
}

/// Returns what the memory names that is in the working tree below `root`.
pub(super) fn find(root: &Path, memory: &Memory) -> Vec<Citation> {
    let named = named_files(root, memory);
    let terms = terms(&memory.text);
    let mut citations: Vec<Citation> =
        named.iter().map(|file| Citation { file: file.clone(), term: None }).collect();
    if terms.is_empty() {
        return citations;
    }
    let manifests = MANIFESTS.iter().map(ToString::to_string).filter(|file| !named.contains(file));
    let files = named.clone().into_iter().chain(manifests).filter_map(|file| match read(root, &file) {
        FileState::Text(text) => Some((file, text)),
        FileState::Unreadable | FileState::Gone => None,
    });
    let files: Vec<(String, String)> = files.collect();
    for term in terms {
        if let Some((file, _)) = files.iter().find(|(_, text)| has_term(text, &term)) {
            citations.push(Citation { file: file.clone(), term: Some(term) });
        }
    }
    citations.truncate(MAX_CITATIONS);
    citations
}

/// Returns the citations that are no longer true. Of a file that is gone, only the file is named.
pub(super) fn outdated(root: &Path, citations: &[Citation]) -> Vec<Citation> {
    let mut outdated: Vec<Citation> = Vec::new();
    let mut files: Vec<(&str, FileState)> = Vec::new();
    for Citation { file, term } in citations {
        if !files.iter().any(|(known, _)| known == file) {
            files.push((file, read(root, file)));
        }
        let state = files.iter().find(|(known, _)| known == file).map(|(_, state)| state);
        let missing = match (state, term) {
            (Some(FileState::Gone), _) => Citation { file: file.clone(), term: None },
            (Some(FileState::Text(text)), Some(term)) if !has_term(text, term) => {
                Citation { file: file.clone(), term: Some(term.clone()) }
            }
            _ => continue,
        };
        if !outdated.contains(&missing) {
            outdated.push(missing);
        }
    }
    outdated
}

/// Reads a file of the project. One outside of it, behind a link for instance, counts as unreadable.
fn read(root: &Path, file: &str) -> FileState {
    let path = root.join(file);
    let is_inside = |path: &Path| Some(path.canonicalize().ok()?.starts_with(root.canonicalize().ok()?));
    match path.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return FileState::Gone,
        Ok(metadata) if metadata.is_file() && metadata.len() <= MAX_FILE_BYTES => {}
        _ => return FileState::Unreadable,
    }
    if is_inside(&path) != Some(true) {
        return FileState::Unreadable;
    }
    let mut text = String::new();
    // A pipe that has taken the file's place must not stop the process.
    let opened = OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path);
    match opened.and_then(|file| file.take(MAX_FILE_BYTES).read_to_string(&mut text)) {
        Ok(_) => FileState::Text(text),
        Err(_) => FileState::Unreadable,
    }
}

/// Returns the paths that the memory names and that exist.
fn named_files(root: &Path, memory: &Memory) -> Vec<String> {
    let words = memory.text.split(|c: char| c.is_whitespace() || "`'\"()[]<>,;".contains(c));
    let words = words.map(|word| word.trim_start_matches("./").trim_end_matches(['.', ':', '!', '?']));
    let in_text = words.filter(|word| word.contains(['.', '/']));
    let mut files: Vec<String> = Vec::new();
    for file in memory.related_files.iter().map(String::as_str).chain(in_text) {
        if files.len() < MAX_FILES && is_relative(file) && !files.iter().any(|known| known == file) {
            let is_there = matches!(read(root, file), FileState::Text(_)) || root.join(file).is_file();
            files.extend(is_there.then(|| file.to_owned()));
        }
    }
    files
}

/// Tells whether a path leads down from the root.
fn is_relative(path: &str) -> bool {
    let is_name = |part: std::path::Component| matches!(part, std::path::Component::Normal(_));
    !path.is_empty() && Path::new(path).components().all(is_name)
}

/// Returns the names in a text that a file would have in the same spelling: words of code, identifiers and
/// versions.
fn terms(text: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    for (index, part) in text.split('`').enumerate() {
        let is_code = index % 2 == 1;
        // The first of several words of code is a program, which no file of the project needs to name.
        let skipped = usize::from(is_code && part.split_whitespace().count() > 1);
        for word in part.split_whitespace().skip(skipped) {
            let term = word.trim_matches(|c: char| !is_identifier_char(c)).trim_end_matches("()");
            let is_wanted = (is_code || is_identifier(term) || is_version(term))
                && TERM_CHARS.contains(&term.chars().count())
                && !term.contains('/');
            if is_wanted && terms.len() < MAX_TERMS && !terms.iter().any(|known| known == term) {
                terms.push(term.to_owned());
            }
        }
    }
    terms
}

/// Tells whether a word is an identifier of code rather than a word of a language: `snake_case`, `camelCase`,
/// `path::name`.
fn is_identifier(word: &str) -> bool {
    let is_code_char = |c: char| is_identifier_char(c) || c == ':';
    let has_hump = word.chars().zip(word.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    word.chars().all(is_code_char) && (word.contains('_') || word.contains("::") || has_hump)
}

/// Tells whether a word is a version: `18.2` or `v1.4.0`.
fn is_version(word: &str) -> bool {
    let parts: Vec<&str> = word.trim_start_matches('v').split('.').collect();
    let is_number = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    (2..=4).contains(&parts.len()) && parts.iter().all(is_number)
}

fn is_identifier_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Tells whether a text has a name as a whole, not as a part of another one.
fn has_term(text: &str, term: &str) -> bool {
    text.match_indices(term).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + term.len()..].chars().next();
        !before.is_some_and(is_identifier_char) && !after.is_some_and(is_identifier_char)
    })
}
