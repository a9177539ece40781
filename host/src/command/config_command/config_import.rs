//! `interleaf config import`: the settings of claude-memory, read from its memory-config.json and written into the
//! person's config.toml beside what stands there. Nothing that is set already is touched, and whatever has no place here
//! is named.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::import_options::{self, Imported};
use super::only_a_person;
use super::toml_insert::{self, Insertion};
use crate::command::init::file_edit::Edit;
use crate::command::output::{Output, tame};
use crate::config::{Config, user_file};
use crate::dirs::read_file;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;

/// Bytes of a memory-config.json. A whole one has some five kB.
const MOST: u64 = 1 << 20;
/// Lines of a list of remarks. Who reads fifty has understood that this is another file.
const MOST_REMARKS: usize = 50;

/// Takes over settings.
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
        only_a_person("import")?;
    }
    let imported = import_options::import(&read(&args.file)?);
    let file = user_file(&context.folders);
    let mut edit = Edit::open(&context.folders.config, &file.display().to_string())?;
    let insertion = insertion(edit.text(), &imported, &file)?;
    edit.set(insertion.text.clone(), "took over settings");
    if !args.dry_run && edit.is_change() {
        crate::dirs::create_private_folder(&context.folders.config).map_err(|error| {
            Error::unavailable(format!("{} cannot be made: {error}", context.folders.config.display()))
        })?;
        edit.apply()?;
    }
    match edit.is_change() {
        false => writeln!(out, "There is nothing to write into {}.", file.display())?,
        true if args.dry_run => write!(out, "{}", edit.diff(&context.folders.config))?,
        true => written(&insertion, &file, out)?,
    }
    remarks(&imported, &insertion, out)
}

fn read(file: &Path) -> Result<Value> {
    let name = file.display();
    let content =
        read_file(file, MOST).map_err(|error| Error::invalid(format!("{name} cannot be read: {error}")))?;
    let content = content.ok_or_else(|| {
        Error::invalid(format!("{name} is not there"))
            .hint("claude-memory keeps it at .claude/memory/memory-config.json")
    })?;
    let value: Value = serde_json::from_slice(&content)
        .map_err(|error| Error::invalid(format!("{name} is not JSON: {error}")))?;
    match value.is_object() {
        true => Ok(value),
        false => Err(Error::invalid(format!("{name} is no memory-config.json: it holds no object"))),
    }
}

/// The text of the person's file with the settings in it.
fn insertion(before: &str, imported: &Imported, file: &Path) -> Result<Insertion> {
    let unreadable = |cause: &str| {
        Error::invalid(format!("{} is not understood: {cause}", file.display()))
            .hint("mend it, then try again")
    };
    let insertion = toml_insert::insert(before, &imported.settings).map_err(|cause| unreadable(&cause))?;
    // Whatever the loader would complain of is not written in the first place.
    let (known, notes) =
        (Config::from_user_toml(before).warnings, Config::from_user_toml(&insertion.text).warnings);
    match notes.iter().find(|note| notes.len() > known.len() && !known.contains(note)) {
        Some(note) => Err(Error::invalid(format!("with these settings, {note}")).hint("nothing was written")),
        None => Ok(insertion),
    }
}

fn written(insertion: &Insertion, file: &Path, out: &mut Output) -> anyhow::Result<()> {
    writeln!(out, "Written into {}, for all your projects:", file.display())?;
    for (path, value) in &insertion.added {
        writeln!(out, "  {} = {value}", path.join("."))?;
    }
    Ok(writeln!(out, "interleaf config shows what holds now.")?)
}

fn remarks(imported: &Imported, insertion: &Insertion, out: &mut Output) -> anyhow::Result<()> {
    let paths = |paths: &[Vec<String>]| paths.iter().map(|path| path.join(".")).collect::<Vec<_>>();
    list("Set there already, and left as it is:", &paths(&insertion.set_already), out)?;
    list(
        "To be written by hand, because of how the tables around it are written:",
        &by_hand(insertion),
        out,
    )?;
    list("Not taken over:", &imported.remarks, out)?;
    match imported.usual {
        0 => Ok(()),
        1 => Ok(writeln!(out, "\n1 option says what holds here anyway.")?),
        count => Ok(writeln!(out, "\n{count} options say what holds here anyway.")?),
    }
}

fn by_hand(insertion: &Insertion) -> Vec<String> {
    insertion.refused.iter().map(|(path, value)| format!("{} = {value}", path.join("."))).collect()
}

fn list(title: &str, lines: &[String], out: &mut Output) -> anyhow::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    for line in lines.iter().take(MOST_REMARKS) {
        writeln!(out, "  {}", tame(line))?;
    }
    if lines.len() > MOST_REMARKS {
        writeln!(out, "  and {} more of the kind", lines.len() - MOST_REMARKS)?;
    }
    Ok(())
}
