//! What `init` is going to do, worked out completely before any of it is done.

use std::fs;
use std::path::Path;

use crate::claude::settings::{HookCommand, LOCAL_SETTINGS, PLUGIN_ID, SHARED_SETTINGS, Settings};
use crate::claude::{instructions, wt_memory_blocks};
use crate::error::{Error, Result};

use super::Site;
use super::file_edit::{Changes, Edit, count};
use super::git_exclude::{self, Local};
use super::install_record::Record;

/// Folders of skills and commands are not deep; a deeper one is a mistake or a trap.
const DEEPEST: usize = 8;

/// The changes, and the record that lets them be undone.
pub(super) struct Plan {
    pub(super) changes: Changes,
    pub(super) record: Record,
}

impl Plan {
    pub(super) fn new(site: &Site<'_>) -> Result<Self> {
        let record = Record::load(site.state, site.root)?.unwrap_or_else(|| Record::new(site.root));
        Ok(Self { changes: Changes::new(site.root), record })
    }

    /// Refuses where another settings file already has interleaf called: every memory would be shown twice.
    pub(super) fn refuse_second(&mut self, target: &str, site: &Site<'_>) -> Result<()> {
        for name in [SHARED_SETTINGS, LOCAL_SETTINGS].into_iter().filter(|name| *name != target) {
            if !settings(self.changes.file(name)?)?.registered_events().is_empty() {
                let what = format!("{name} already has Claude Code call interleaf in this project");
                let next = "leave it so, or run `interleaf uninstall` and then this command again";
                return Err(Error::conflict(what).hint(next));
            }
        }
        match site.user_folder.map(|folder| folder.join("settings.json")) {
            Some(users) if !same_file(&users, &site.root.join(target)) => self.check_users(&users),
            _ => Ok(()),
        }
    }

    /// The same for the settings that hold for all of the person's projects. They are only read.
    fn check_users(&mut self, path: &Path) -> Result<()> {
        let name = path.to_string_lossy();
        let users = settings(&Edit::open(path, &name)?)?;
        if !users.registered_events().is_empty() {
            let what = format!("{name} already has Claude Code call interleaf in all projects");
            return Err(Error::conflict(what)
                .hint("leave it so, or take the `interleaf hook` entries out of that file"));
        }
        self.note_plugin(&name, &users);
        if users.has_wt_memory_hooks() {
            self.changes
                .note(format!("{name} has Claude Code call wt-memory too; take its hooks out of that file"));
        }
        Ok(())
    }

    /// That the plugin is switched on as well does no harm.
    fn note_plugin(&mut self, name: &str, settings: &Settings) {
        if settings.has_plugin() {
            self.changes.note(format!(
                "{name} switches the plugin {PLUGIN_ID} on; each event is answered once, by what is registered here"
            ));
        }
    }

    /// Has interleaf called from `target`, and wt-memory from nowhere.
    pub(super) fn register(&mut self, target: &str, call: HookCommand<'_>, site: &Site<'_>) -> Result<()> {
        for name in [SHARED_SETTINGS, LOCAL_SETTINGS] {
            let file = self.changes.file(name)?;
            let mut settings = settings(file)?;
            let had = settings.clone();
            let empty = settings.empty_lists();
            let taken = settings.remove_wt_memory_hooks();
            if !taken.is_empty() {
                file.set(settings.text().to_owned(), count(taken.len(), "wt-memory hook") + " removed");
                self.record.add_hooks(name, taken);
            }
            if name == target {
                if settings.registered_events().is_empty() && !empty.is_empty() {
                    self.record.empty_lists.insert(name.to_owned(), empty);
                }
                settings.register(call, site.events).map_err(|error| error.context(name))?;
                let does = format!("calls interleaf for {}", count(site.events.len(), "event"));
                file.set(settings.text().to_owned(), does);
            }
            self.note_plugin(name, &had);
        }
        Ok(())
    }

    /// Takes the blocks of wt-memory out of all instructions.
    pub(super) fn clear_instructions(&mut self, root: &Path) -> Result<()> {
        let folders = instructions::SKILL_FOLDERS.iter().flat_map(|folder| markdown(root, folder, 0));
        for name in instructions::INSTRUCTION_FILES.map(str::to_owned).into_iter().chain(folders) {
            let Ok(file) = self.changes.file(&name) else {
                self.changes.note(format!(
                    "{name} cannot be read as text, so it was not searched for wt-memory blocks"
                ));
                continue;
            };
            let (left, blocks) = wt_memory_blocks::remove_blocks(file.text());
            for line in wt_memory_blocks::unclosed_lines(&left) {
                self.changes
                    .note(format!("{name}:{line}: a wt-memory block begins and never ends; it was left"));
            }
            if !blocks.is_empty() {
                let does = count(blocks.len(), "wt-memory block") + " removed";
                self.changes.file(&name)?.set(left, does);
                self.record.add_blocks(&name, blocks);
            }
        }
        Ok(())
    }

    /// Tells the model about us.
    pub(super) fn instruct(&mut self) -> Result<()> {
        let name = self.instructions()?;
        let file = self.changes.file(name)?;
        let text = instructions::with_section(file.text()).map_err(|error| error.context(name))?;
        let leftover = text.lines().position(|line| line.contains("wt-memory"));
        file.set(text, "tells the model about interleaf");
        if let Some(line) = leftover {
            self.changes.note(format!(
                "{name}:{} still speaks of wt-memory; take out what is no longer true",
                line + 1
            ));
        }
        Ok(())
    }

    /// The file for our section: the one that has it already, else the first that is there, else the usual
    /// one.
    fn instructions(&mut self) -> Result<&'static str> {
        let mut there = None;
        for name in instructions::INSTRUCTION_FILES {
            let file = self.changes.file(name)?;
            if instructions::without_section(file.text()).map_err(|error| error.context(name))?.is_some() {
                return Ok(name);
            }
            there = there.or(file.existed().then_some(name));
        }
        Ok(there.unwrap_or(instructions::INSTRUCTION_FILES[0]))
    }

    /// Keeps local settings that were not there before out of the person's commits.
    pub(super) fn keep_out_of_git(&mut self, root: &Path) -> Result<()> {
        let local = self.changes.file(LOCAL_SETTINGS)?;
        if !local.is_change() {
            return Ok(());
        }
        let existed = local.existed();
        match git_exclude::ask(root) {
            Local::Unlisted(list) if !existed => {
                let name = list.strip_prefix(root).unwrap_or(&list).to_string_lossy().into_owned();
                let list = self.changes.file(&name)?;
                let does = format!("has git ignore {LOCAL_SETTINGS}, which is for this machine");
                list.set(git_exclude::with_line(list.text()), does);
                self.record.exclude = Some(name);
            }
            Local::Tracked => self.changes.note(format!(
                "{LOCAL_SETTINGS} is tracked by git but holds a path of this machine; `git rm --cached {LOCAL_SETTINGS}` ends that"
            )),
            _ => (),
        }
        Ok(())
    }

    /// Writes the record and then makes the changes: what is removed is safe before it is gone.
    pub(super) fn carry_out(&mut self, site: &Site<'_>) -> Result<()> {
        let created: Vec<_> =
            self.changes.changed().filter(|edit| !edit.existed()).map(|edit| edit.name.clone()).collect();
        if !site.root.join(".claude").exists() && created.iter().any(|name| name.starts_with(".claude/")) {
            self.record.add_created(".claude");
        }
        created.iter().for_each(|name| self.record.add_created(name));
        if self.changes.changed().next().is_some() {
            self.record.save(site.state, site.root)?;
        }
        self.changes.make()
    }
}

/// The settings in a file, for which any error is the file's.
pub(crate) fn settings(file: &Edit) -> Result<Settings> {
    Settings::parse(file.text()).map_err(|error| error.context(&file.name))
}

fn same_file(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one).is_ok_and(|one| fs::canonicalize(other).is_ok_and(|other| one == other))
}

/// The Markdown files in a folder and its folders, from the root. Links are not followed: they lead to other
/// projects.
fn markdown(root: &Path, folder: &str, depth: usize) -> Vec<String> {
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
        let name = format!("{folder}/{name}");
        if kind.is_dir() && depth < DEEPEST {
            found.extend(markdown(root, &name, depth + 1));
        } else if kind.is_file() && name.ends_with(".md") {
            found.push(name);
        }
    }
    found.sort();
    found
}
