//! **topics**: decides which commands justify a search for memories.
//!
//! [`builtin_topic`] and the project's own list, [`Topics`], decide which of the commands of a line justify a
//! search; [`is_irreversible`] says which of them cannot be undone. All of this compares parsed words and
//! never searches text, so an unusual token cannot break a pattern or match by accident. The crate does not
//! call the host.

mod irreversible;
mod topic_list;
mod topic_name;

pub use irreversible::is_irreversible;
pub use topic_list::{Match, STATE_KEY, Topic, Topics, builtin_topic};
pub use topic_name::{is_known_program, is_ordinary, is_program_name, topic_name};

#[cfg(test)]
mod tests;
