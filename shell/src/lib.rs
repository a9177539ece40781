//! Command lines: how a shell reads them, how a run of one ended, and what made a failing one pass.
//!
//! Host and layers share this crate; it calls neither. [`CommandLine`] holds the commands that a line would
//! run, [`Run`] compares what was run and says how it ended, and [`episodes`] finds what made a command pass
//! that had failed.

mod ansi_quotes;
mod call;
mod command;
mod command_line;
mod embedded_scripts;
mod episode;
#[cfg(test)]
mod episode_tests;
mod error_line;
mod failure;
mod normalized_command;
mod normalized_line;
mod path_difference;
mod read_only;
mod run;
mod run_outcome;
mod shell_reader;
mod shell_variables;
mod side_effect;
#[cfg(test)]
mod tests;
mod wrappers;

pub use call::{Call, Reported};
pub use command::Command;
pub use command_line::{CommandLine, commands, output_files};
pub use episode::{Difference, Episode, Step, episodes};
pub use failure::{Failure, signature};
pub use normalized_command::NormalizedCommand;
pub use normalized_line::NormalizedLine;
pub use path_difference::PathDifference;
pub use read_only::{answers_by_exit_code, is_read_only_program, prints_content};
pub use run::Run;
pub use run_outcome::Outcome;
pub use shell_variables::{ShellVariables, expand_braces};
pub use side_effect::SideEffect;
