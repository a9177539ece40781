//! Which commands this project has: what its files declare and what its memories name, for the layers that stand
//! before and after a tool.
//!
//! It knows nothing of the host: files are texts that somebody reads, memories are their words.

mod declared;
mod remembered;
#[cfg(test)]
mod tests;

use topics::Topic;

pub use remembered::Known;

/// At most so many are discovered (seed 000).
const MOST: usize = 20;

/// At most so many of one file (seed 000).
const OF_A_FILE: usize = 5;

/// At most so many of `bin` and of the memories that a person tagged (seed 000).
const OF_MANY: usize = 10;

/// A project's files, as far as they can be read.
pub trait Files {
    /// The beginning of a file.
    fn text(&self, path: &str) -> Option<String>;
    /// Whether there is such a file.
    fn is_file(&self, path: &str) -> bool;
    /// The names in a folder, in order.
    fn names(&self, folder: &str) -> Vec<String>;
}

/// What is discovered, each command once: what a person tagged first, then what files declare, what errors name, and
/// what many memories are about.
pub fn topics(files: &impl Files, memories: &[Known], now: i64) -> Vec<Topic> {
    let tagged = remembered::tagged(memories).into_iter().take(OF_MANY);
    let found = tagged
        .chain(declared::all(files))
        .chain(remembered::named_by_errors(memories).into_iter().take(OF_MANY))
        .chain(remembered::shared_tags(memories).into_iter().take(OF_A_FILE));
    let mut topics: Vec<Topic> = Vec::new();
    for (command, source) in found {
        let known = topics.iter().any(|topic| topic.command == command);
        if !known && is_telling(&command) {
            topics.push(Topic { command, source: source.to_owned(), count: 0, at: now });
        }
    }
    topics.truncate(MOST);
    topics
}

/// Not one of the programs that everybody runs all the time.
fn is_telling(command: &str) -> bool {
    let mut words = command.split(' ');
    let program = words.next().unwrap_or_default();
    !program.is_empty()
        && command.chars().count() <= 80
        && (words.next().is_some() || !topics::is_ordinary(program))
}
