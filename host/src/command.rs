//! What a person types: one file for each verb. Here is the command line, and what an error looks like.

mod background_commands;
mod completions;
mod config_command;
mod confirm;
mod detect;
mod doctor;
pub mod hook;
mod init;
mod jobs_command;
mod layer_command;
mod llm_choose;
mod llm_command;
mod log_command;
mod log_format;
mod memory_command;
mod output;
mod queue_command;
mod redact_command;
mod remember;
mod schema_command;
mod topics_command;
mod triage;
mod uninstall;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::claude::settings::{HOOKED_EVENTS, user_folder};
use crate::error::{Error, ErrorKind, Result};
use crate::project_context::ProjectContext;
use output::Output;

/// A memory for Claude Code: hook events run through sandboxed layers.
#[derive(Parser)]
#[command(name = "interleaf", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Answer one event of Claude Code, read from standard input (what `init` registers)
    Hook,
    /// Register the hooks of this project with Claude Code
    Init(init::Args),
    /// Take out of this project what `init` put in
    Uninstall(uninstall::Args),
    /// Write down something that later sessions must know
    Remember(remember::Args),
    /// Forget a memory: it is neither found nor shown any more
    Forget(memory_command::memory_status::Forget),
    /// Look into the memories of this project, change them, move them
    #[command(subcommand)]
    Memory(memory_command::Verb),
    /// List the layers that run here, and those that wait to be accepted
    Layers(layer_command::layer_list::Args),
    /// Look at layers, try them, accept them, take them back
    #[command(subcommand)]
    Layer(layer_command::Verb),
    /// Say whether there is something to learn from one event, read from standard input, and why
    Detect(detect::Args),
    /// Say what would be saved of a session, and why
    Triage(triage::Args),
    /// Look at what layers noticed and nobody has dealt with yet
    #[command(subcommand)]
    Queue(queue_command::Verb),
    /// Show the work that hooks put off: what waits, what runs, what failed; or do it now
    Jobs(jobs_command::Args),
    /// Show which commands are worth a look at the memory here, and where each came from
    Topics(topics_command::Args),
    /// Show what the memories of a category hold, as JSON Schema
    Schema(schema_command::Args),
    /// Choose a language model, and see what it is asked and what it costs
    Llm(llm_command::Args),
    /// Show what is set here, by whom, and what was not heeded
    Config(config_command::Args),
    /// Check that everything is in order, and say what went wrong lately
    Doctor(doctor::Args),
    /// Show what the hooks did lately: layers, times, what was shown, what failed
    Log(log_command::Args),
    /// Take secrets and home folders out of standard input; what was taken is counted on standard error
    Redact(redact_command::Args),
    /// Say where the replay of recorded sessions went
    #[command(hide = true, disable_help_flag = true)]
    Replay {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        _arguments: Vec<std::ffi::OsString>,
    },
    /// Compile the layers beforehand
    #[command(hide = true)]
    Compile,
    /// Do what hooks put off (what a hook starts behind its back)
    #[command(hide = true)]
    Work,
    /// Print the completions for a shell
    Completions(completions::Args),
}

/// Does what the command line says.
pub fn run() -> ExitCode {
    let verb = Cli::parse().verb;
    let mut out = Output::standard();
    match verb.run(&mut out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => complain(&error),
    }
}

impl Verb {
    fn run(self, out: &mut Output) -> anyhow::Result<()> {
        match self {
            Self::Hook => hook::run(),
            Self::Init(args) => {
                on_site(out, |site| init::run(&args, site))?;
                if args.dry_run {
                    return Ok(());
                }
                let context = context()?;
                background_commands::compile_layers(&context)?;
                llm_choose::offer(&context, out)
            }
            Self::Compile => Ok(background_commands::compile_layers(&context()?)?),
            Self::Work => Ok(background_commands::run_worker()?),
            Self::Uninstall(args) => on_site(out, |site| uninstall::run(&args, site)),
            Self::Remember(args) => remember::run(args, &context()?, out),
            Self::Forget(args) => {
                memory_command::memory_status::forget(&args, "interleaf forget", &context()?, out)
            }
            Self::Memory(verb) => verb.run(&context()?, out),
            Self::Layers(args) => layer_command::layer_list::run(&args, &context()?, out),
            Self::Layer(verb) => verb.run(&context()?, out),
            Self::Detect(args) => detect::run(&args, &context()?, out),
            Self::Triage(args) => triage::run(&args, &context()?, out),
            Self::Queue(verb) => verb.run(&context()?, out),
            Self::Jobs(args) => jobs_command::run(args, &context()?, out),
            Self::Topics(args) => topics_command::run(&args, &context()?, out),
            Self::Schema(args) => schema_command::run(&args, out),
            Self::Llm(args) => llm_command::run(args, &context()?, out),
            Self::Config(args) => config_command::run(&args, &context()?, out),
            Self::Doctor(args) => doctor::run(&args, &context()?, out),
            Self::Log(args) => log_command::run(&args, &context()?, out),
            Self::Redact(args) => redact_command::run(&args, &context()?),
            Self::Replay { .. } => Err(replay_has_moved().into()),
            Self::Completions(args) => completions::run(&args, out),
        }
    }
}

/// The project that the current folder belongs to; inside a session of Claude Code, the session's.
fn context() -> Result<ProjectContext> {
    ProjectContext::find(&hook::folder(folder()?))
}

fn folder() -> Result<PathBuf> {
    std::env::current_dir()
        .map_err(|error| Error::unavailable(format!("the current folder cannot be read: {error}")))
}

/// The replay evaluates this program and is not part of it.
fn replay_has_moved() -> Error {
    Error::invalid("`interleaf replay` is now a tool of Interleaf's own repository")
        .hint("in a checkout of the repository, run `cargo xtask replay DIR`")
}

/// Runs a command that changes Claude Code's files in the current folder.
fn on_site(
    out: &mut Output,
    run: impl FnOnce(&mut init::Site<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let context = context()?;
    let program = std::env::current_exe()?;
    let user_folder = user_folder(&|name| std::env::var_os(name));
    run(&mut init::Site {
        root: &context.project.root,
        user_folder: user_folder.as_deref(),
        state: &context.folders.state,
        program: &program,
        events: &HOOKED_EVENTS,
        out,
    })
}

/// Says on standard error what went wrong and what to do. A reader that went away is no error.
fn complain(error: &anyhow::Error) -> ExitCode {
    if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "error: {error:#}");
    let ours = error.downcast_ref::<Error>();
    if let Some(next) = ours.and_then(|error| error.hint.as_deref()) {
        let _ = writeln!(err, "\nhint: {next}");
    }
    ExitCode::from(if ours.is_some_and(|error| error.kind == ErrorKind::Invalid) { 2 } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
