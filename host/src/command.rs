//! The command line: its verbs, their groups in `--help`, and the format of an error.
//!
//! Each verb is a file of [`command`](self): its arguments, whose doc comments are the help text, and a `run`
//! function.

mod background_commands;
mod bench_serve;
mod branch_argument;
mod completions;
mod config_command;
mod confirm;
mod detect;
mod doctor;
mod file_edit;
mod hidden_memories;
pub mod hook;
mod import;
mod init;
mod jobs_command;
mod layer_command;
mod learn;
mod llm_choose;
mod llm_command;
mod log_command;
mod log_format;
mod mcp;
mod memory_command;
mod model_command;
mod output;
mod project_command;
mod queue_command;
mod redact_command;
mod related_files;
mod remember;
mod review;
mod schema_command;
mod search_report;
mod sessions_command;
mod sync;
mod sync_places;
mod sync_report;
mod team_command;
mod topics_command;
mod triage;
mod uninstall;
mod why;

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use interleaf_text::{for_terminal, is_invisible};

use crate::error::{Error, ErrorKind, Result};
use crate::project_context::{ProjectContext, session_folder};
use init::InstallContext;
use output::Output;

/// The verbs in `--help`, under their headings. clap cannot group subcommands.
const VERB_GROUPS: [(&str, &[&str]); 6] = [
    ("Setup", &["init", "uninstall", "config", "llm", "model", "doctor", "completions"]),
    (
        "Memories",
        &["remember", "forget", "review", "learn", "import", "sync", "team", "memory", "project", "schema"],
    ),
    ("Sessions", &["sessions"]),
    ("Layers", &["layer"]),
    ("Inspection", &["log", "why", "jobs", "queue", "topics", "detect", "triage", "redact"]),
    ("Called by Claude Code", &["hook", "mcp"]),
];

/// Renamed flags: their verbs, the old name, and the new name. The old name is a hidden alias.
const RENAMED_FLAGS: [(&[&str], &str, &str); 5] = [
    (&["memory", "search"], "--floor", "--min-relevance"),
    (&["memory", "search"], "--occasion", "--preview"),
    (&["memory", "update"], "--without-tag", "--remove-tag"),
    (&["memory", "update"], "--without-file", "--remove-file"),
    (&["memory", "import"], "--mine", "--keep-origins"),
];

/// A memory for Claude Code: hook events run through sandboxed layers
#[derive(Parser)]
#[command(name = "interleaf", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Init(init::Args),
    Uninstall(uninstall::Args),
    Config(config_command::Args),
    Llm(llm_command::Args),
    Model(model_command::Args),
    Doctor(doctor::Args),
    Completions(completions::Args),

    Remember(remember::Args),
    Forget(memory_command::ForgetArgs),
    Review(review::Args),
    Learn(learn::Args),
    Import(import::Args),
    Sync(sync::Args),
    Team(team_command::Args),
    Memory(memory_command::Args),
    Project(project_command::Args),
    Schema(schema_command::Args),

    Sessions(sessions_command::Args),

    Layer(layer_command::Args),
    #[command(hide = true)]
    Layers(layer_command::ListArgs),

    Log(log_command::Args),
    Why(why::Args),
    Jobs(jobs_command::Args),
    Queue(queue_command::Args),
    Topics(topics_command::Args),
    Detect(detect::Args),
    Triage(triage::Args),
    Redact(redact_command::Args),

    /// Answer one event, read from standard input
    Hook,
    Mcp(mcp::Args),
    /// Moved to the repository of Interleaf
    #[command(hide = true, disable_help_flag = true)]
    Replay {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        _arguments: Vec<std::ffi::OsString>,
    },
    /// Answer a benchmark's searches over standard input and output
    #[command(hide = true)]
    BenchServe,
    /// Compile the layers that are not in the cache
    #[command(hide = true)]
    Compile,
    /// Run deferred jobs (started by hooks)
    #[command(hide = true)]
    Work {
        /// Also look in this folder for sessions whose end was not noted down
        #[arg(long)]
        transcripts: Option<PathBuf>,
    },
}

/// Parses the command line and runs its verb.
pub fn run() -> ExitCode {
    let parsed = cli().try_get_matches().and_then(|matches| {
        print_rename_hints(
            &matches,
            std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()),
        );
        Cli::from_arg_matches(&matches)
    });
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return report_usage(error),
    };
    match cli.verb.run(&mut Output::standard()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report(&error),
    }
}

impl Verb {
    fn run(self, out: &mut Output) -> anyhow::Result<()> {
        match self {
            Self::Init(args) => init::set_up(&args, &context()?, out),
            Self::Uninstall(args) => uninstall::run(&args, &mut InstallContext::of(&context()?, out)?),
            Self::Config(args) => config_command::run(&args, &context()?, out),
            Self::Llm(args) => llm_command::run(args, &context()?, out),
            Self::Model(args) => model_command::run(args, &context()?, out),
            Self::Doctor(args) => doctor::run(&args, &context_of_session()?, out),
            Self::Completions(args) => completions::run(&args, out),
            Self::Remember(args) => remember::run(args, &context()?, out),
            Self::Learn(args) => learn::run(&args, context()?, out),
            Self::Import(args) => import::run(&args, &context()?, out),
            Self::Sync(args) => sync::run(&args, &context()?, out),
            Self::Team(args) => team_command::run(args, &context()?, out),
            Self::Review(args) => review::run(&args, &context()?, out),
            Self::Forget(args) => memory_command::forget(&args, &context()?, out),
            Self::Memory(args) => memory_command::run(args, &context()?, out),
            Self::Project(args) => project_command::run(&args, context()?, out),
            Self::Schema(args) => schema_command::run(&args, out),
            Self::Sessions(args) => sessions_command::run(&args, &context()?, out),
            Self::Layer(args) => layer_command::run(args, &context()?, out),
            Self::Layers(args) => layer_command::list(&args, &context()?, out),
            Self::Log(args) => log_command::run(&args, &context()?, out),
            Self::Why(args) => why::run(&args, &context()?, out),
            Self::Jobs(args) => jobs_command::run(args, &context()?, out),
            Self::Queue(args) => queue_command::run(args, &context()?, out),
            Self::Topics(args) => topics_command::run(&args, &context()?, out),
            Self::Detect(args) => detect::run(&args, &context()?, out),
            Self::Triage(args) => triage::run(&args, &context()?, out),
            Self::Redact(args) => redact_command::run(&args, &context()?),
            Self::Hook => hook::run(),
            Self::Mcp(mcp::Args {}) => Ok(mcp::run()?),
            Self::Replay { .. } => Err(replay_has_moved().into()),
            Self::BenchServe => bench_serve::run(&context()?, out),
            Self::Compile => Ok(background_commands::compile_layers(&context_of_session()?)?),
            Self::Work { transcripts } => Ok(background_commands::run_worker(transcripts.as_deref())?),
        }
    }
}

/// Finds the project of the current folder for a command that a person or an agent runs.
///
/// # Errors
/// `Unavailable` if a variable that names this user's folders is ignored: the command would read and write
/// the memories in other folders than it was given.
fn context() -> Result<ProjectContext> {
    let context = context_of_session()?;
    context.folders.require_variables(&context.project.source_folders())?;
    Ok(context)
}

/// Finds the project of the current folder; inside a session of Claude Code, the session's project.
///
/// Variables may be ignored, which serves `doctor`, which names them, and what Claude Code or a hook starts
/// (`mcp`, `compile`; `hook` and `work` find their project themselves). A project's settings can set these
/// variables for a session. If they stopped hooks and tools, a project could switch the memories and the
/// guards off; so all of these use the folders that the hooks of the session use, whatever a project says.
fn context_of_session() -> Result<ProjectContext> {
    let current = std::env::current_dir()
        .map_err(|error| Error::unavailable(format!("cannot read the current folder: {error}")))?;
    let context = ProjectContext::find(&session_folder(current))?;
    // What a command has confirmed stays, also through a power failure. Its caller can wait for the disk.
    context.database.set_durable(true);
    Ok(context)
}

/// Returns the error of the former verb `replay`, which is now a tool of the repository.
fn replay_has_moved() -> Error {
    Error::invalid("`interleaf replay` is now a tool of Interleaf's own repository")
        .hint("in a checkout of the repository, run `cargo xtask replay DIR`")
}

/// Returns the definition of the command line, with the verbs of `--help` in their groups.
pub fn cli() -> clap::Command {
    let command = Cli::command();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{}\nOptions:\n{{options}}",
        grouped_verbs(&command)
    );
    command.help_template(template)
}

fn grouped_verbs(command: &clap::Command) -> String {
    let width = VERB_GROUPS.iter().flat_map(|(_, verbs)| *verbs).map(|verb| verb.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (heading, verbs) in VERB_GROUPS {
        let _ = writeln!(text, "\n{heading}:");
        for verb in verbs.iter().filter_map(|verb| command.find_subcommand(verb)) {
            let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {:<width$}  {about}", verb.get_name());
        }
    }
    text
}

/// Prints a hint on standard error for each renamed flag of the command line.
fn print_rename_hints(matches: &ArgMatches, arguments: impl Iterator<Item = String>) {
    for (old, new) in renamed_flags(matches, arguments) {
        output::print_message(&format!("hint: {old} is now called {new}"));
    }
}

fn renamed_flags(
    matches: &ArgMatches,
    arguments: impl Iterator<Item = String>,
) -> Vec<(&'static str, &'static str)> {
    let verbs = verb_path(matches);
    let flags: Vec<String> = arguments.take_while(|argument| argument != "--").collect();
    let is_used = |flag: &str| flags.iter().any(|argument| argument.split('=').next() == Some(flag));
    let renamed = RENAMED_FLAGS.iter().filter(|(flag_verbs, old, _)| verbs == *flag_verbs && is_used(old));
    renamed.map(|(_, old, new)| (*old, *new)).collect()
}

/// Returns the verbs of the command line: `["memory", "search"]`.
fn verb_path(mut matches: &ArgMatches) -> Vec<&str> {
    let mut verbs = Vec::new();
    while let Some((verb, inner)) = matches.subcommand() {
        verbs.push(verb);
        matches = inner;
    }
    verbs
}

/// Prints an error of the arguments, which it quotes, or the help that they request.
fn report_usage(error: clap::Error) -> ExitCode {
    if !error.use_stderr() {
        error.exit();
    }
    let code = match error.kind() {
        // The client of a hook reads 2 as a refusal. See `hook::is_event_on_stdin`.
        clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => 1,
        _ => error.exit_code(),
    };
    let text = output::clean(&with_clean_arguments(error).render().to_string());
    let _ = write!(io::stderr(), "{text}");
    ExitCode::from(u8::try_from(code).unwrap_or(2))
}

/// Replaces characters in the quoted arguments that could steer a terminal or imitate other lines.
/// Suggestions that repeat such an argument are left out.
fn with_clean_arguments(mut error: clap::Error) -> clap::Error {
    let is_unclean = |text: &String| text.chars().any(is_invisible);
    let unclean = |(kind, value): (ContextKind, &ContextValue)| {
        let cleaned = match value {
            ContextValue::String(text) if is_unclean(text) => ContextValue::String(for_terminal(text)),
            ContextValue::Strings(texts) if texts.iter().any(is_unclean) => {
                ContextValue::Strings(texts.iter().map(|text| for_terminal(text)).collect())
            }
            ContextValue::StyledStrs(texts)
                if texts.iter().any(|text| is_unclean(&text.ansi().to_string())) =>
            {
                ContextValue::None
            }
            _ => return None,
        };
        Some((kind, cleaned))
    };
    let unclean: Vec<_> = error.context().filter_map(unclean).collect();
    for (kind, value) in unclean {
        error.insert(kind, value);
    }
    error
}

/// Prints an error and its hint on standard error. A closed pipe is not an error, because the reader closed
/// it.
fn report(error: &anyhow::Error) -> ExitCode {
    if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    let own_error = error.downcast_ref::<Error>();
    // A message may quote untrusted text from a file or a layer.
    output::print_message(&format!("error: {error:#}"));
    if let Some(hint) = own_error.and_then(|error| error.hint.as_deref()) {
        output::print_message("");
        output::print_message(&format!("hint: {hint}"));
    }
    ExitCode::from(if own_error.is_some_and(|error| error.kind == ErrorKind::Invalid) { 2 } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_valid() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_visible_verb_is_in_one_group_of_the_help() {
        let mut grouped: Vec<&str> = VERB_GROUPS.iter().flat_map(|(_, verbs)| verbs.to_vec()).collect();
        let command = Cli::command();
        let mut visible: Vec<&str> = command
            .get_subcommands()
            .filter(|verb| !verb.is_hide_set())
            .map(|verb| verb.get_name())
            .collect();
        grouped.sort_unstable();
        visible.sort_unstable();

        assert_eq!(grouped, visible);
    }

    #[test]
    fn a_renamed_flag_is_accepted_under_its_old_name_with_a_hint() {
        for (verbs, old, new) in RENAMED_FLAGS {
            let command = Cli::command();
            let verb = verbs.iter().fold(&command, |command, verb| {
                command.find_subcommand(verb).unwrap_or_else(|| panic!("no verb {verb}"))
            });
            let flag = verb.get_arguments().find(|argument| argument.get_long() == Some(&new[2..]));
            let aliases = flag.and_then(|flag| flag.get_all_aliases()).unwrap_or_default();

            assert!(aliases.contains(&&old[2..]), "{verbs:?} {old}");
        }
        let line = ["interleaf", "memory", "search", "--floor=0", "--", "--occasion"];
        let matches = cli().try_get_matches_from(line).expect("the old name is an alias");
        let renamed = renamed_flags(&matches, line.iter().map(ToString::to_string));

        assert_eq!(renamed, [("--floor", "--min-relevance")]);
    }
}
