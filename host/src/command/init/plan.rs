//! The plan of `interleaf init`: every edit, and the record that undoes the edits, before anything is
//! written.

use std::fs;
use std::path::Path;

use super::InstallContext;
use super::git_exclude::{self, CommitStatus};
use super::install_record::{InstallRecord, read_settings};
use crate::claude::instructions::LOCAL_INSTRUCTIONS;
use crate::claude::settings::{HookCommand, LOCAL_SETTINGS, PLUGIN_ID, SHARED_SETTINGS, Settings};
use crate::claude::{instructions, legacy_blocks};
use crate::command::file_edit::{FileEdit, FileEdits};
use crate::command::output::count;
use crate::error::{Error, Result};

/// Maximum depth of folders of skills and commands that are searched.
const MAX_FOLDER_DEPTH: usize = 8;

pub(super) struct Plan {
    pub(super) edits: FileEdits,
    pub(super) record: InstallRecord,
}

impl Plan {
    pub(super) fn new(install: &InstallContext<'_>) -> Result<Self> {
        let record = InstallRecord::load(install.state, install.root)?;
        let record = record.unwrap_or_else(|| InstallRecord::new(install.root));
        Ok(Self { edits: FileEdits::new(install.root), record })
    }

    /// Refuses if another settings file registers the hooks, because every memory would be shown twice.
    pub(super) fn reject_second_registration(
        &mut self,
        settings_file: &str,
        install: &InstallContext<'_>,
    ) -> Result<()> {
        for name in [SHARED_SETTINGS, LOCAL_SETTINGS].into_iter().filter(|name| *name != settings_file) {
            if !read_settings(self.edits.file(name)?)?.registered_events().is_empty() {
                return Err(Error::conflict(format!("{name} already registers Interleaf in this project"))
                    .hint("keep that, or run `interleaf uninstall` and then this command again"));
            }
        }
        match install.user_folder.as_ref().map(|folder| folder.join("settings.json")) {
            Some(file) if !is_same_file(&file, &install.root.join(settings_file)) => {
                self.check_user_settings(&file)
            }
            _ => Ok(()),
        }
    }

    /// Checks the user's settings for all projects. They are only read.
    fn check_user_settings(&mut self, file: &Path) -> Result<()> {
        let name = file.to_string_lossy();
        let settings = read_settings(&FileEdit::open(file, &name)?)?;
        if !settings.registered_events().is_empty() {
            return Err(Error::conflict(format!("{name} already registers Interleaf in all projects"))
                .hint("keep that, or remove the `interleaf hook` entries from that file"));
        }
        self.note_plugin(&name, &settings);
        if settings.has_wt_memory_hooks() {
            self.edits.note(format!("{name} also registers wt-memory; remove its hooks from that file"));
        }
        Ok(())
    }

    /// Notes that the plugin is also enabled, which does no harm.
    fn note_plugin(&mut self, name: &str, settings: &Settings) {
        if settings.has_plugin() {
            self.edits.note(format!(
                "{name} enables the plugin {PLUGIN_ID} too; each event is answered once, \
                 by the hooks registered here"
            ));
        }
    }

    /// Registers the hooks in `settings_file`, and removes those of wt-memory from both files.
    pub(super) fn register(
        &mut self,
        settings_file: &str,
        command: HookCommand<'_>,
        install: &InstallContext<'_>,
    ) -> Result<()> {
        for name in [SHARED_SETTINGS, LOCAL_SETTINGS] {
            let file = self.edits.file(name)?;
            let mut settings = read_settings(file)?;
            let before = settings.clone();
            let empty_lists = settings.empty_lists();
            let removed = settings.remove_wt_memory_hooks();
            if !removed.is_empty() {
                file.set(settings.text().to_owned(), count(removed.len(), "wt-memory hook") + " removed");
                self.record.add_hooks(name, removed);
            }
            if name == settings_file {
                if settings.registered_events().is_empty() && !empty_lists.is_empty() {
                    self.record.empty_lists.insert(name.to_owned(), empty_lists);
                }
                settings.register(command, install.events).map_err(|error| error.context(name))?;
                let effect = format!("registers Interleaf for {}", count(install.events.len(), "event"));
                file.set(settings.text().to_owned(), effect);
            }
            self.note_plugin(name, &before);
        }
        Ok(())
    }

    /// Removes the blocks of wt-memory from the instructions, skills and commands.
    pub(super) fn remove_wt_memory_blocks(&mut self, root: &Path) -> Result<()> {
        let skills = instructions::SKILL_FOLDERS.iter().flat_map(|folder| markdown_files(root, folder, 0));
        for name in instructions::INSTRUCTION_FILES.map(str::to_owned).into_iter().chain(skills) {
            let Ok(file) = self.edits.file(&name) else {
                self.edits.note(format!("{name} is not readable as text; it may have wt-memory blocks"));
                continue;
            };
            let (text, blocks) = legacy_blocks::remove_blocks(file.text());
            for line in legacy_blocks::unclosed_lines(&text) {
                self.edits.note(format!("{name}:{line}: a wt-memory block has no end and was not removed"));
            }
            if !blocks.is_empty() {
                let effect = count(blocks.len(), "wt-memory block") + " removed";
                self.edits.file(&name)?.set(text, effect);
                self.record.add_blocks(&name, blocks);
            }
        }
        Ok(())
    }

    /// Adds Interleaf's section to the instructions: those of the team, or where a commit would take them to
    /// others, those of one person.
    pub(super) fn add_instructions(&mut self, is_shared: bool, root: &Path) -> Result<()> {
        let name = self.instruction_file(is_shared, root)?;
        let file = self.edits.file(name)?;
        let text = instructions::with_section(file.text()).map_err(|error| error.context(name))?;
        let leftover = text.lines().position(|line| line.contains("wt-memory"));
        file.set(text, "tells the model about Interleaf");
        if let Some(index) = leftover {
            let line = index + 1;
            self.edits.note(format!("{name}:{line} still mentions wt-memory; remove what no longer applies"));
        }
        Ok(())
    }

    /// Returns the file with Interleaf's section, otherwise the first existing one, otherwise the usual one.
    /// One person's own section goes into a file of their own if git would commit that file.
    fn instruction_file(&mut self, is_shared: bool, root: &Path) -> Result<&'static str> {
        let mut existing = None;
        for name in instructions::INSTRUCTION_FILES {
            let file = self.edits.file(name)?;
            if instructions::without_section(file.text()).map_err(|error| error.context(name))?.is_some() {
                return Ok(name);
            }
            let is_of_team = name != LOCAL_INSTRUCTIONS;
            existing = existing.or((file.existed() && is_of_team).then_some(name));
        }
        let name = existing.unwrap_or(instructions::INSTRUCTION_FILES[0]);
        let stays_here = is_shared || git_exclude::commit_status(root, name) == CommitStatus::Ignored;
        Ok(if stays_here { name } else { LOCAL_INSTRUCTIONS })
    }

    /// Makes git ignore the files of one person that `init` creates.
    pub(super) fn exclude_own_files(&mut self, root: &Path) -> Result<()> {
        self.exclude(LOCAL_SETTINGS, "which is for this machine", root)?;
        self.exclude(LOCAL_INSTRUCTIONS, "which is for you alone", root)
    }

    /// Makes git ignore a file that is changed, if `init` creates it.
    pub(super) fn exclude(&mut self, name: &str, reason: &str, root: &Path) -> Result<()> {
        let file = self.edits.file(name)?;
        if !file.is_changed() {
            return Ok(());
        }
        let existed = file.existed();
        match git_exclude::commit_status(root, name) {
            CommitStatus::Untracked(list) if !existed => {
                let list_name = list.strip_prefix(root).unwrap_or(&list).to_string_lossy().into_owned();
                let list = self.edits.file(&list_name)?;
                let text = git_exclude::add_pattern(list.text(), name);
                list.set(text, format!("has git ignore {name}, {reason}"));
                self.record.exclude = Some(list_name);
                self.record.add_excluded(name);
            }
            CommitStatus::Tracked if name == LOCAL_SETTINGS => self.edits.note(format!(
                "{name} has a path of this machine but is tracked by git; \
                 to stop that: git rm --cached {name}"
            )),
            _ => (),
        }
        Ok(())
    }

    /// Saves the record and then writes the edits, so that nothing is removed before it is recorded.
    pub(super) fn carry_out(&mut self, install: &InstallContext<'_>) -> Result<()> {
        let created: Vec<_> =
            self.edits.changed().filter(|edit| !edit.existed()).map(|edit| edit.name.clone()).collect();
        let creates_folder = created.iter().any(|name| name.starts_with(".claude/"));
        if creates_folder && !install.root.join(".claude").exists() {
            self.record.add_created(".claude");
        }
        created.iter().for_each(|name| self.record.add_created(name));
        if self.edits.changed().next().is_some() {
            self.record.save(install.state, install.root)?;
        }
        self.edits.apply()
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one).is_ok_and(|one| fs::canonicalize(other).is_ok_and(|other| one == other))
}

/// Lists the Markdown files below a folder, relative to the root. Links are not followed, because they may
/// lead to other projects.
fn markdown_files(root: &Path, folder: &str, depth: usize) -> Vec<String> {
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return Vec::new() };
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
        let name = format!("{folder}/{name}");
        if kind.is_dir() && depth < MAX_FOLDER_DEPTH {
            files.extend(markdown_files(root, &name, depth + 1));
        } else if kind.is_file() && name.ends_with(".md") {
            files.push(name);
        }
    }
    files.sort();
    files
}
