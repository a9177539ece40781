//! **topics**: which command lines deserve a look at the memory, for the layers that stand before and after a tool.
//!
//! [`commands`] takes a shell line apart into the commands it would run, [`base`] knows the ones that are always worth
//! a look, and [`Topics`] is the project's own list. All of it compares parsed words and never searches text, so no
//! token, however odd, can break a pattern or match by accident. It knows nothing of the host.

mod base;
mod command;
mod list;
mod name;
mod options;
mod reader;
mod resolve;
mod sql;
mod wrappers;

pub use base::{base, is_irreversible};
pub use command::Command;
pub use list::{Match, Topic, Topics};
pub use name::{is_ordinary, pattern};
pub use resolve::commands;

#[cfg(test)]
mod tests;
