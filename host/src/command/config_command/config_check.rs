//! `interleaf config check`: what is wrong in the files, each with its line. For people, and for CI: exit code 2 where
//! something is.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::survey;
use crate::command::output::{Output, tame};
use crate::config::{Diagnostic, LoadedConfig};
use crate::error::{Error, Result};
use crate::layer::FileScope;
use crate::project_context::ProjectContext;
use crate::redact::Redactor;

/// Checks configuration files.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit code: 0 all is in order, 2 something is not heeded.")]
pub struct Args {
    /// A file to check as if it were your config.toml; without one, your file and the project's
    file: Option<PathBuf>,
    /// Check the file as a project's .claude/interleaf.toml
    #[arg(long, requires = "file")]
    project: bool,
}

/// Checks, and prints what is wrong.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let whose = if args.project { FileScope::Project } else { FileScope::User };
    let survey = match &args.file {
        Some(file) => of_file(file, whose)?,
        None => survey(context),
    };
    let mut wrong = survey.diagnostics.clone();
    wrong.extend(patterns(&survey));
    for note in &wrong {
        writeln!(out, "{}", tame(&note.to_string()))?;
    }
    match wrong.len() {
        0 => Ok(writeln!(out, "All is in order.")?),
        1 => Err(Error::invalid("1 thing is not heeded").into()),
        count => Err(Error::invalid(format!("{count} things are not heeded")).into()),
    }
}

fn of_file(file: &Path, whose: FileScope) -> Result<LoadedConfig> {
    match file.exists() {
        true => Ok(LoadedConfig::load_file(file, whose)),
        false => Err(Error::invalid(format!("{} is not there", file.display())).hint("name a TOML file")),
    }
}

/// Patterns that do not compile stop every write, so they are worth the milliseconds here.
fn patterns(survey: &LoadedConfig) -> Option<Diagnostic> {
    let error = Redactor::new(&survey.config.redact).err()?;
    let said = survey.settings.iter().find(|said| said.key() == "redact.patterns")?;
    Some(Diagnostic { file: said.file.clone(), line: Some(said.line), message: error.message })
}
