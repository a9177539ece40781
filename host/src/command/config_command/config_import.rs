//! `interleaf config import`: writes the settings of claude-memory's memory-config.json into the user's
//! config.toml.
//!
//! The user's existing settings are not changed, and every option without a counterpart is reported.

use std::io::Write;
use std::path::{Path, PathBuf};

use interleaf_text::for_terminal;
use serde_json::Value;

use super::import_options::{self, ImportedOptions};
use super::toml_insert::{self, Insertion};
use crate::command::confirm::require_person;
use crate::command::file_edit::FileEdit;
use crate::command::output::Output;
use crate::config::{Config, user_file};
use crate::dirs::read_file;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;

/// Maximum size of a memory-config.json, in bytes. A complete one has about 5 kB.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Maximum number of options listed under each heading.
const MAX_LISTED_OPTIONS: usize = 50;

/// Import the settings of claude-memory from its memory-config.json
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The memory-config.json
    file: PathBuf,
    /// Show what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// Reads the options, and writes the settings or shows them.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    if !args.dry_run {
        require_person("interleaf config import")?;
    }
    let imported = import_options::import(&read(&args.file)?);
    let file = user_file(&context.folders);
    let mut edit = FileEdit::open(&context.folders.config, &file.display().to_string())?;
    let insertion = insert(edit.text(), &imported, &file)?;
    edit.set(insertion.text.clone(), "imports settings");
    if !args.dry_run {
        edit.apply_in_private_folder(&context.folders.config)?;
    }
    match edit.is_changed() {
        false => writeln!(out, "{} does not change.", file.display())?,
        true if args.dry_run => write!(out, "{}", edit.diff())?,
        true => print_written(&insertion, &file, out)?,
    }
    print_remarks(&imported, &insertion, out)
}

fn read(file: &Path) -> Result<Value> {
    let name = file.display();
    let content = read_file(file, MAX_FILE_BYTES)
        .map_err(|error| Error::invalid(format!("cannot read {name}: {error}")))?;
    let content = content.ok_or_else(|| {
        Error::invalid(format!("{name} does not exist"))
            .hint("claude-memory keeps it at .claude/memory/memory-config.json")
    })?;
    let value: Value = serde_json::from_slice(&content)
        .map_err(|error| Error::invalid(format!("{name} is not valid JSON: {error}")))?;
    match value.is_object() {
        true => Ok(value),
        false => Err(Error::invalid(format!("{name} is not a memory-config.json: it is not a JSON object"))),
    }
}

/// Returns the text of the user's file with the settings inserted.
fn insert(before: &str, imported: &ImportedOptions, file: &Path) -> Result<Insertion> {
    let insertion = toml_insert::insert(before, &imported.settings).map_err(|cause| {
        Error::invalid(format!("{} is not valid TOML: {cause}", file.display()))
            .hint("correct it, then try again")
    })?;
    // A setting that the loader would reject must not be written.
    let (known, warnings) =
        (Config::from_user_toml(before).warnings, Config::from_user_toml(&insertion.text).warnings);
    match warnings.iter().find(|warning| warnings.len() > known.len() && !known.contains(warning)) {
        Some(warning) => {
            Err(Error::invalid(format!("with the imported settings, {warning}")).hint("nothing was written"))
        }
        None => Ok(insertion),
    }
}

fn print_written(insertion: &Insertion, file: &Path, out: &mut Output) -> anyhow::Result<()> {
    writeln!(out, "Written to {}, for all your projects:", file.display())?;
    for (path, value) in &insertion.added {
        writeln!(out, "  {} = {value}", path.join("."))?;
    }
    Ok(writeln!(out, "For the effective settings: interleaf config")?)
}

fn print_remarks(imported: &ImportedOptions, insertion: &Insertion, out: &mut Output) -> anyhow::Result<()> {
    let unchanged: Vec<String> = insertion.already_set.iter().map(|path| path.join(".")).collect();
    let refused = insertion.refused.iter().map(|(path, value)| format!("{} = {value}", path.join(".")));
    print_list("Already set, and not changed:", &unchanged, out)?;
    print_list(
        "To be written by hand, because the table is written on one line:",
        &refused.collect::<Vec<_>>(),
        out,
    )?;
    print_list("Not imported:", &imported.remarks, out)?;
    match imported.defaults {
        0 => Ok(()),
        1 => Ok(writeln!(out, "\n1 option is the default here.")?),
        number => Ok(writeln!(out, "\n{number} options are the default here.")?),
    }
}

fn print_list(title: &str, lines: &[String], out: &mut Output) -> anyhow::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    for line in lines.iter().take(MAX_LISTED_OPTIONS) {
        writeln!(out, "  {}", for_terminal(line))?;
    }
    if lines.len() > MAX_LISTED_OPTIONS {
        writeln!(out, "  and {} more", lines.len() - MAX_LISTED_OPTIONS)?;
    }
    Ok(())
}
