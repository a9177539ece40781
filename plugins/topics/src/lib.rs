//! **topics**: parses command lines for the layers, and decides which commands justify a search for memories.
//!
//! [`commands`] splits a shell line into the commands that it would run. [`builtin_topic`] and the project's
//! own list, [`Topics`], decide which of them justify a search; [`is_irreversible`] and the lists of
//! read-only programs classify their effects. All of this compares parsed words and never searches text, so
//! an unusual token cannot break a pattern or match by accident. The crate does not call the host.

mod ansi_quotes;
mod command;
mod command_line;
mod embedded_scripts;
mod irreversible;
mod read_only;
mod shell_reader;
mod shell_variables;
mod topic_list;
mod topic_name;
mod wrappers;

pub use command::Command;
pub use command_line::{CommandLine, commands, output_files};
pub use irreversible::is_irreversible;
pub use read_only::{answers_by_exit_code, is_read_only_program, prints_content};
pub use shell_variables::{ShellVariables, expand_braces};
pub use topic_list::{Match, STATE_KEY, Topic, Topics, builtin_topic};
pub use topic_name::{is_ordinary, is_program_name, topic_name};

#[cfg(test)]
mod tests;
