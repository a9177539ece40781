//! `interleaf uninstall`: takes out of a project what `init` put in, and nothing else.
//!
//! Everything of ours is found by what it is, so it also works where the record of `init` is lost or another
//! machine made the change. The record adds what cannot be seen: which files `init` made, and what it
//! removed, to be put back on wish.

use crate::claude::settings::{LOCAL_SETTINGS, SHARED_SETTINGS};
use crate::claude::{instructions, wt_memory_blocks};
use crate::command::init::Site;
use crate::command::init::file_edit::{Changes, Edit, count};
use crate::command::init::git_exclude;
use crate::command::init::install_record::Record;
use crate::command::init::plan::settings;
use crate::command::init::slash_commands;
use crate::error::Result;

/// Take out of this project what `interleaf init` put in
///
/// Removes the hooks that call interleaf and the section in CLAUDE.md. Memories are kept. What `init` removed
/// of wt-memory is put back with --restore, now or later.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Args {
    /// Put back the hooks and instruction blocks of wt-memory that `init` removed
    #[arg(long)]
    pub restore: bool,
    /// Show what would change and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Does it, and says on `site.out` what was done. The error is a [`crate::error::Error`] wherever a person
/// can help it.
pub fn run(args: &Args, site: &mut Site<'_>) -> anyhow::Result<()> {
    const NOT_HERE: &str = "Nothing of interleaf is set up in this project.";

    let known = Record::load(site.state, site.root)?;
    let mut record = known.clone().unwrap_or_else(|| Record::new(site.root));
    let mut changes = Changes::new(site.root);
    unregister(&mut changes, &record)?;
    untell(&mut changes)?;
    unlist(&mut changes, &record)?;
    if args.restore {
        restore_hooks(&mut changes, &mut record)?;
        restore_blocks(&mut changes, &mut record)?;
    }
    delete_made(&mut changes, known.as_ref())?;
    slash_commands::remove(&mut changes, &record.created)?;
    add_notes(&mut changes, &record, site, args.restore);
    if args.dry_run {
        return Ok(changes.show(site.out, NOT_HERE)?);
    }
    changes.make()?;
    forget(record, site)?;
    changes.tell(site.out, NOT_HERE)?;
    if changes.changed().next().is_some() {
        writeln!(site.out, "\nMemories are kept. It ends with the next Claude Code session here.")?;
    }
    Ok(())
}

fn unregister(changes: &mut Changes, record: &Record) -> Result<()> {
    for name in [SHARED_SETTINGS, LOCAL_SETTINGS] {
        let file = changes.file(name)?;
        let mut settings = settings(file)?;
        let events = settings.registered_events().len();
        if events > 0 {
            settings.unregister(record.empty_lists.get(name).map_or(&[], Vec::as_slice));
            file.set(
                settings.text().to_owned(),
                format!("no longer calls interleaf for {}", count(events, "event")),
            );
        }
    }
    Ok(())
}

/// Takes our section out of the instructions.
fn untell(changes: &mut Changes) -> Result<()> {
    for name in instructions::INSTRUCTION_FILES {
        let file = changes.file(name)?;
        while let Some(rest) =
            instructions::without_section(file.text()).map_err(|error| error.context(name))?
        {
            file.set(rest, "no longer tells the model about interleaf");
        }
    }
    Ok(())
}

/// Lets git see the local settings again.
fn unlist(changes: &mut Changes, record: &Record) -> Result<()> {
    let Some(name) = &record.exclude else { return Ok(()) };
    let list = changes.file(name)?;
    let rest = git_exclude::without_line(list.text());
    list.set(rest, format!("no longer has git ignore {LOCAL_SETTINGS}"));
    Ok(())
}

/// Puts the hooks of wt-memory back; what cannot be put back stays in the record.
fn restore_hooks(changes: &mut Changes, record: &mut Record) -> Result<()> {
    for name in [SHARED_SETTINGS, LOCAL_SETTINGS] {
        let file = changes.file(name)?;
        let mut settings = settings(file)?;
        let before = record.hooks.len();
        record.hooks.retain(|hook| hook.file != name || settings.restore_hook(&hook.what).is_err());
        if record.hooks.len() < before {
            let does = count(before - record.hooks.len(), "wt-memory hook") + " put back";
            file.set(settings.text().to_owned(), does);
        }
    }
    Ok(())
}

/// Puts the blocks of wt-memory back, the last first; what has lost its place stays in the record.
fn restore_blocks(changes: &mut Changes, record: &mut Record) -> Result<()> {
    let mut lost = Vec::new();
    let mut placed: Vec<(String, usize)> = Vec::new();
    while let Some(block) = record.blocks.pop() {
        let file = changes.file(&block.file)?;
        match wt_memory_blocks::restore_block(file.text(), &block.what).filter(|_| file.existed()) {
            Some(text) => {
                file.replace(text);
                match placed.iter_mut().find(|(name, _)| *name == block.file) {
                    Some((_, number)) => *number += 1,
                    None => placed.push((block.file, 1)),
                }
            }
            None => lost.insert(0, block),
        }
    }
    for (name, number) in placed {
        changes.file(&name)?.does.push(count(number, "wt-memory block") + " put back");
    }
    record.blocks = lost;
    Ok(())
}

/// Deletes the files that `init` made and nobody else has put anything into. Without a record, instructions
/// that held nothing but our section were ours.
fn delete_made(changes: &mut Changes, record: Option<&Record>) -> Result<()> {
    for name in [SHARED_SETTINGS, LOCAL_SETTINGS].into_iter().chain(instructions::INSTRUCTION_FILES) {
        let file = changes.file(name)?;
        let made = match record {
            Some(record) => record.created.iter().any(|it| it == name),
            None => instructions::INSTRUCTION_FILES.contains(&name),
        };
        let empty = file.text().is_empty() || name.ends_with(".json") && settings(file)?.is_empty();
        if made && empty && file.is_change() {
            file.delete();
        }
    }
    Ok(())
}

/// Says what is left to do, and what could be put back.
fn add_notes(changes: &mut Changes, record: &Record, site: &Site<'_>, restored: bool) {
    let users = site.user_folder.map(|folder| folder.join("settings.json").to_string_lossy().into_owned());
    let everywhere = |name: &str| Edit::open(site.root, name).and_then(|file| settings(&file));
    if let Some(name) =
        users.filter(|name| everywhere(name).is_ok_and(|it| !it.registered_events().is_empty()))
    {
        changes.note(format!(
            "{name} still has Claude Code call interleaf in all projects; that file is yours to change"
        ));
    }
    let kept = Record::path(site.state, site.root);
    let removed = record.hooks.len() + record.blocks.len();
    if removed > 0 && !restored {
        let (hooks, blocks) =
            (count(record.hooks.len(), "hook"), count(record.blocks.len(), "instruction block"));
        changes.note(format!(
            "init removed {hooks} and {blocks} of wt-memory; interleaf uninstall --restore puts them back"
        ));
    }
    for lost in record.blocks.iter().filter(|_| restored) {
        changes.note(format!(
            "the place of a block in {} is gone; its text is in {}",
            lost.file,
            kept.display()
        ));
    }
    for lost in record.hooks.iter().filter(|_| restored) {
        changes.note(format!("a hook could not be put back into {}; it is in {}", lost.file, kept.display()));
    }
}

/// Forgets what has been undone; what was removed and not put back stays on offer.
fn forget(mut record: Record, site: &Site<'_>) -> Result<()> {
    // Each only where it is empty, which is what this asks for.
    if record.created.iter().any(|name| name.starts_with(slash_commands::FOLDERS[1])) {
        for folder in slash_commands::FOLDERS {
            let _ = std::fs::remove_dir(site.root.join(folder));
        }
    }
    if record.created.iter().any(|name| name == ".claude") {
        let _ = std::fs::remove_dir(site.root.join(".claude"));
    }
    record.created.clear();
    record.empty_lists.clear();
    record.exclude = None;
    record.save(site.state, site.root)
}
