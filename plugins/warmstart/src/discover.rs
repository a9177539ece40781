//! Discovers a project's commands: those that its files declare and those that its memories name. pretool and
//! posttool search the memories when one of them runs.

mod commands_in_memories;
mod declared_commands;
#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io::Read;

pub use commands_in_memories::{KnownMemory, is_subject};
use topics::Topic;

/// Maximum number of discovered topics.
const MAX_TOPICS: usize = 20;

/// Maximum number of topics of one file, and of tags that many memories share.
const MAX_TOPICS_PER_FILE: usize = 5;

/// Maximum number of topics of the folder `bin`, of tagged memories, and of memories of errors.
const MAX_TOPICS_PER_COLLECTION: usize = 10;

/// Maximum length of a command that becomes a topic, in characters.
const MAX_COMMAND_CHARS: usize = 80;

/// Maximum number of bytes read from a file; files written by hand are smaller.
const MAX_FILE_BYTES: u64 = 64 << 10;
/// Maximum number of names read from a folder.
const MAX_NAMES_PER_FOLDER: usize = 200;

/// Read access to a project's files.
pub trait ProjectFiles {
    /// Returns the beginning of a file as text.
    fn text(&self, path: &str) -> Option<String>;
    /// Tells whether the path is a regular file.
    fn is_file(&self, path: &str) -> bool;
    /// Returns the names in a folder, sorted.
    fn names(&self, folder: &str) -> Vec<String>;
}

/// Discovers topics, each command once: first those that a person tagged, then those that files declare, that
/// errors name, and that many memories share as a tag.
pub fn topics(files: &impl ProjectFiles, memories: &[KnownMemory], now: i64) -> Vec<Topic> {
    let tagged = commands_in_memories::tagged(memories).into_iter().take(MAX_TOPICS_PER_COLLECTION);
    let found = tagged
        .chain(declared_commands::commands(files))
        .chain(commands_in_memories::named_by_errors(memories).into_iter().take(MAX_TOPICS_PER_COLLECTION))
        .chain(commands_in_memories::shared_tags(memories).into_iter().take(MAX_TOPICS_PER_FILE));
    let mut topics: Vec<Topic> = Vec::new();
    for (command, source) in found {
        let is_known = topics.iter().any(|topic| topic.command == command);
        if !is_known && is_specific(&command) {
            topics.push(Topic { command, source: source.to_owned(), count: 0, at: now });
        }
    }
    topics.truncate(MAX_TOPICS);
    topics
}

/// Tells whether a command is more than the name of an ordinary program.
fn is_specific(command: &str) -> bool {
    let mut words = command.split(' ');
    let program = words.next().unwrap_or_default();
    !program.is_empty()
        && command.chars().count() <= MAX_COMMAND_CHARS
        && (words.next().is_some() || !topics::is_ordinary(program))
}

/// The project's folder, visible with the grant `files = ["."]`; without the grant it is empty.
pub struct ProjectFolder;

impl ProjectFiles for ProjectFolder {
    fn text(&self, path: &str) -> Option<String> {
        // Reading from a pipe would block.
        let file = self.is_file(path).then(|| File::open(path).ok())??;
        let mut bytes = Vec::new();
        file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn is_file(&self, path: &str) -> bool {
        fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_NAMES_PER_FOLDER);
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }
}
