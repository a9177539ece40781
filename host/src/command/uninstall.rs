//! `interleaf uninstall`: removes from a project what `init` added, and nothing else.
//!
//! Everything that `init` added is recognized by its content, so this works without the record of `init`, or
//! on another machine. Only the record knows which files `init` created, and which parts it removed and can
//! put back.

use std::path::PathBuf;

use super::file_edit::{FileEdit, FileEdits};
use super::init::install_record::{InstallRecord, read_settings};
use super::init::{InstallContext, git_exclude, mcp_registration, slash_commands};
use super::output::count;
use crate::claude::settings::{LOCAL_SETTINGS, SHARED_SETTINGS};
use crate::claude::{instructions, legacy_blocks};
use crate::error::Result;

/// Remove from this project what `interleaf init` added
///
/// Removes the hooks, the section in CLAUDE.md or CLAUDE.local.md, and the server in .mcp.json. Memories are
/// kept. The parts of wt-memory that `init` removed are put back with --restore, now or later.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Args {
    /// Put back the hooks and instruction blocks of wt-memory that `init` removed
    #[arg(long)]
    pub restore: bool,
    /// Show what would change, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Plans the edits, and writes or shows them.
pub fn run(args: &Args, install: &mut InstallContext<'_>) -> anyhow::Result<()> {
    const UNCHANGED: &str = "Interleaf is not set up in this project.";

    let loaded = InstallRecord::load(install.state, install.root)?;
    let mut record = loaded.clone().unwrap_or_else(|| InstallRecord::new(install.root));
    let mut edits = FileEdits::new(install.root);
    unregister(&mut edits, &record)?;
    remove_instructions(&mut edits)?;
    remove_exclude_pattern(&mut edits, &record)?;
    if args.restore {
        restore_hooks(&mut edits, &mut record)?;
        restore_blocks(&mut edits, &mut record)?;
    }
    delete_created_files(&mut edits, loaded.as_ref())?;
    slash_commands::remove(&mut edits, &record.created)?;
    mcp_registration::remove(&mut edits, &record);
    add_notes(&mut edits, &record, install, args.restore);
    if args.dry_run {
        return Ok(edits.print_diffs(install.out, UNCHANGED)?);
    }
    edits.apply()?;
    clear_record(record, install)?;
    edits.print_effects(install.out, UNCHANGED)?;
    if edits.changed().next().is_some() {
        writeln!(install.out, "\nTakes effect in the next Claude Code session.")?;
        if install.store.exists() {
            writeln!(install.out, "\nYour memories stay in {}.", install.store.display())?;
        }
    }
    Ok(())
}

fn unregister(edits: &mut FileEdits, record: &InstallRecord) -> Result<()> {
    for name in [SHARED_SETTINGS, LOCAL_SETTINGS] {
        let file = edits.file(name)?;
        let mut settings = read_settings(file)?;
        let events = settings.registered_events().len();
        if events > 0 {
            settings.unregister(record.empty_lists.get(name).map_or(&[], Vec::as_slice));
            let effect = format!("no longer registers Interleaf for {}", count(events, "event"));
            file.set(settings.text().to_owned(), effect);
        }
    }
    Ok(())
}

/// Removes Interleaf's section from the instructions.
fn remove_instructions(edits: &mut FileEdits) -> Result<()> {
    for name in instructions::INSTRUCTION_FILES {
        let file = edits.file(name)?;
        while let Some(text) =
            instructions::without_section(file.text()).map_err(|error| error.context(name))?
        {
            file.set(text, "no longer tells the model about Interleaf");
        }
    }
    Ok(())
}

fn remove_exclude_pattern(edits: &mut FileEdits, record: &InstallRecord) -> Result<()> {
    let Some(name) = &record.exclude else { return Ok(()) };
    let list = edits.file(name)?;
    let files = record.excluded_files();
    let text =
        files.iter().fold(list.text().to_owned(), |text, file| git_exclude::remove_pattern(&text, file));
    list.set(text, format!("no longer has git ignore {}", files.join(" and ")));
    Ok(())
}

/// Puts the hooks of wt-memory back. Those that cannot be put back stay in the record.
fn restore_hooks(edits: &mut FileEdits, record: &mut InstallRecord) -> Result<()> {
    for name in [SHARED_SETTINGS, LOCAL_SETTINGS] {
        let file = edits.file(name)?;
        let mut settings = read_settings(file)?;
        let before = record.hooks.len();
        record.hooks.retain(|hook| hook.file != name || settings.restore_hook(&hook.what).is_err());
        if record.hooks.len() < before {
            let effect = count(before - record.hooks.len(), "wt-memory hook") + " put back";
            file.set(settings.text().to_owned(), effect);
        }
    }
    Ok(())
}

/// Puts the blocks of wt-memory back, the last first. Blocks whose place is gone stay in the record.
fn restore_blocks(edits: &mut FileEdits, record: &mut InstallRecord) -> Result<()> {
    let mut failed = Vec::new();
    let mut restored: Vec<(String, usize)> = Vec::new();
    while let Some(block) = record.blocks.pop() {
        let file = edits.file(&block.file)?;
        match legacy_blocks::restore_block(file.text(), &block.what).filter(|_| file.existed()) {
            Some(text) => {
                file.replace(text);
                match restored.iter_mut().find(|(name, _)| *name == block.file) {
                    Some((_, number)) => *number += 1,
                    None => restored.push((block.file, 1)),
                }
            }
            None => failed.insert(0, block),
        }
    }
    for (name, number) in restored {
        edits.file(&name)?.effects.push(count(number, "wt-memory block") + " put back");
    }
    record.blocks = failed;
    Ok(())
}

/// Deletes the files that `init` created and that are empty now. Without a record, empty instructions count
/// as created by `init`.
fn delete_created_files(edits: &mut FileEdits, record: Option<&InstallRecord>) -> Result<()> {
    for name in [SHARED_SETTINGS, LOCAL_SETTINGS].into_iter().chain(instructions::INSTRUCTION_FILES) {
        let file = edits.file(name)?;
        let was_created = match record {
            Some(record) => record.created.iter().any(|created| created == name),
            None => instructions::INSTRUCTION_FILES.contains(&name),
        };
        let is_empty = file.text().is_empty() || name.ends_with(".json") && read_settings(file)?.is_empty();
        if was_created && is_empty && file.is_changed() {
            file.delete();
        }
    }
    Ok(())
}

/// Adds notes about remaining steps, and about parts that can be put back.
fn add_notes(edits: &mut FileEdits, record: &InstallRecord, install: &InstallContext<'_>, restored: bool) {
    if let Some(file) = registering_user_settings(install) {
        let name = file.display();
        edits.note(format!(
            "{name} still registers Interleaf in all projects; edit it by hand to change that"
        ));
    }
    let record_file = InstallRecord::path(install.state, install.root);
    let record_file = record_file.display();
    if record.hooks.len() + record.blocks.len() > 0 && !restored {
        let (hooks, blocks) =
            (count(record.hooks.len(), "hook"), count(record.blocks.len(), "instruction block"));
        edits.note(format!(
            "init removed {hooks} and {blocks} of wt-memory; to put them back: interleaf uninstall --restore"
        ));
    }
    for block in record.blocks.iter().filter(|_| restored) {
        let file = &block.file;
        edits.note(format!("a block could not be put back into {file}; its text is in {record_file}"));
    }
    for hook in record.hooks.iter().filter(|_| restored) {
        let file = &hook.file;
        edits.note(format!("a hook could not be put back into {file}; it is in {record_file}"));
    }
}

/// Returns the user's settings file if it registers Interleaf for all projects.
fn registering_user_settings(install: &InstallContext<'_>) -> Option<PathBuf> {
    let file = install.user_folder.as_ref()?.join("settings.json");
    let settings =
        FileEdit::open(install.root, &file.to_string_lossy()).and_then(|file| read_settings(&file));
    settings.is_ok_and(|settings| !settings.registered_events().is_empty()).then_some(file)
}

/// Removes the undone changes from the record, and deletes the empty folders that `init` created.
fn clear_record(mut record: InstallRecord, install: &InstallContext<'_>) -> Result<()> {
    // `remove_dir` removes only empty folders.
    let commands = slash_commands::COMMAND_FOLDERS;
    if record.created.iter().any(|name| name.starts_with(commands[1])) {
        for folder in commands {
            let _ = std::fs::remove_dir(install.root.join(folder));
        }
    }
    if record.created.iter().any(|name| name == ".claude") {
        let _ = std::fs::remove_dir(install.root.join(".claude"));
    }
    record.created.clear();
    record.empty_lists.clear();
    record.exclude = None;
    record.excluded.clear();
    record.save(install.state, install.root)
}
