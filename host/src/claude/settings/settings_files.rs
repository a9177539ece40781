//! The settings files that Claude Code reads in a session, for the commands that report on them. A hook reads
//! none of them: a project could contain one that keeps it busy or silences it.

use std::path::{Path, PathBuf};

use super::hook_registration::Caller;
use super::{LOCAL_SETTINGS, SHARED_SETTINGS, Settings};
use crate::dirs::{read_file, real_path};

/// Maximum size of a settings file in bytes; larger files are ignored.
const MAX_SETTINGS_BYTES: u64 = 4 << 20;

/// The settings files of a session.
#[derive(Debug, Clone)]
pub struct SettingsFiles(Vec<PathBuf>);

impl SettingsFiles {
    /// Returns the files of a session that was started in `folder`. `main` is the root of the main work tree,
    /// `user` the person's own Claude Code folder. Seen with the real client: the shared file is read in
    /// `folder` alone, the local one in both.
    pub fn of(folder: &Path, main: Option<&Path>, user: Option<&Path>) -> Self {
        let main = main.filter(|main| *main != real_path(folder)).map(|main| main.join(LOCAL_SETTINGS));
        let (local, shared) = (folder.join(LOCAL_SETTINGS), folder.join(SHARED_SETTINGS));
        let user = user.map(|user| user.join("settings.json"));
        Self([Some(local), main, Some(shared), user].into_iter().flatten().collect())
    }

    /// Returns the files that register `interleaf hook`.
    pub fn registering_files(&self) -> Vec<PathBuf> {
        self.files_where(|settings| !settings.registered_events().is_empty())
    }

    /// Returns the files whose registrations all answer the same events, if there is more than one.
    pub fn competing_files(&self) -> Vec<PathBuf> {
        let files = self.files_where(|settings| {
            let mut hooks = settings.hooks().into_iter();
            hooks.any(|hook| hook.entry.runs_interleaf() && hook.entry.caller() == Caller::Machine)
        });
        if files.len() > 1 { files } else { Vec::new() }
    }

    /// Returns the programs that hooks call and that can no longer be run, each with the file that names it.
    pub fn missing_programs(&self) -> Vec<(PathBuf, PathBuf)> {
        let missing = self.read().filter_map(|(file, settings)| {
            let hooks = settings.hooks();
            let program = hooks.iter().find_map(|hook| hook.entry.missing_program())?;
            Some((file.clone(), program.to_owned()))
        });
        missing.collect()
    }

    /// Returns the files that enable the plugin.
    pub fn plugin_files(&self) -> Vec<PathBuf> {
        self.files_where(Settings::has_plugin)
    }

    /// Returns the files that switch every hook off.
    pub fn disabling_files(&self) -> Vec<PathBuf> {
        self.files_where(Settings::disables_hooks)
    }

    /// Returns the days after which transcripts are deleted. The first file that says that counts.
    pub fn cleanup_days(&self) -> Option<u64> {
        self.read().find_map(|(_, settings)| settings.cleanup_days())
    }

    fn files_where(&self, holds: impl Fn(&Settings) -> bool) -> Vec<PathBuf> {
        self.read().filter(|(_, settings)| holds(settings)).map(|(file, _)| file.clone()).collect()
    }

    fn read(&self) -> impl Iterator<Item = (&PathBuf, Settings)> {
        self.0.iter().filter_map(|file| {
            let bytes = read_file(file, MAX_SETTINGS_BYTES).ok().flatten()?;
            Some((file, Settings::parse(std::str::from_utf8(&bytes).ok()?).ok()?))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claude::settings::{HOOKED_EVENTS, HookCommand, HookedEvent};
    use crate::dirs::scratch::Scratch;

    /// Creates a program and returns its path.
    fn program(scratch: &Scratch) -> String {
        scratch.file("bin/interleaf", "").to_str().unwrap().to_owned()
    }

    fn settings(call: HookCommand<'_>, events: &[HookedEvent<'_>]) -> String {
        let mut settings = Settings::parse("").unwrap();
        settings.register(call, events).unwrap();
        settings.text().to_owned()
    }

    /// The files of a session in the folder `shop`, with the person's own folder beside it.
    fn files(scratch: &Scratch) -> SettingsFiles {
        SettingsFiles::of(
            &scratch.folder("shop"),
            Some(&scratch.folder("shop")),
            Some(&scratch.folder("person")),
        )
    }

    const LOCAL_FILE: &str = "shop/.claude/settings.local.json";
    const SHARED_FILE: &str = "shop/.claude/settings.json";
    const PERSONS_FILE: &str = "person/settings.json";

    #[test]
    fn competing_files_are_listed() {
        let scratch = Scratch::new();
        scratch.file(LOCAL_FILE, &settings(HookCommand::Program(&program(&scratch)), &HOOKED_EVENTS));
        scratch.file(SHARED_FILE, &settings(HookCommand::Shared, &HOOKED_EVENTS));
        assert_eq!(files(&scratch).competing_files(), Vec::<PathBuf>::new());
        assert_eq!(files(&scratch).registering_files().len(), 2);

        scratch.file(PERSONS_FILE, r#"{"hooks": {"Stop": [{"hooks": [{"command": "interleaf hook"}]}]}}"#);
        let all = files(&scratch).competing_files();
        assert_eq!(all, [scratch.path().join(LOCAL_FILE), scratch.path().join(PERSONS_FILE)]);
    }

    #[test]
    fn files_that_switch_every_hook_off_are_listed() {
        let scratch = Scratch::new();
        scratch.file(LOCAL_FILE, r#"{"disableAllHooks": false}"#);
        assert_eq!(files(&scratch).disabling_files(), Vec::<PathBuf>::new());

        scratch.file(SHARED_FILE, r#"{"disableAllHooks": true}"#);
        assert_eq!(files(&scratch).disabling_files(), [scratch.path().join(SHARED_FILE)]);
    }

    #[test]
    fn the_nearest_file_says_when_transcripts_are_deleted() {
        let scratch = Scratch::new();
        assert_eq!(files(&scratch).cleanup_days(), None);

        scratch.file(PERSONS_FILE, r#"{"cleanupPeriodDays": 7}"#);
        assert_eq!(files(&scratch).cleanup_days(), Some(7));
        scratch.file(LOCAL_FILE, r#"{"cleanupPeriodDays": 90}"#);
        assert_eq!(files(&scratch).cleanup_days(), Some(90));
        scratch.file(LOCAL_FILE, r#"{"cleanupPeriodDays": "soon"}"#);
        assert_eq!(files(&scratch).cleanup_days(), Some(7));
    }

    #[test]
    fn local_settings_of_the_main_work_tree_count_in_every_other_and_shared_ones_in_their_own() {
        let scratch = Scratch::new();
        let (shop, linked) = (scratch.folder("shop"), scratch.folder("linked"));
        let registering = |folder: &Path| SettingsFiles::of(folder, Some(&shop), None).registering_files();

        scratch.file(SHARED_FILE, &settings(HookCommand::Shared, &HOOKED_EVENTS));
        assert_eq!([registering(&shop).len(), registering(&linked).len()], [1, 0]);

        scratch.file(LOCAL_FILE, &settings(HookCommand::Program(&program(&scratch)), &HOOKED_EVENTS));
        assert_eq!([registering(&shop).len(), registering(&linked).len()], [2, 1]);
    }

    #[test]
    fn unreadable_settings_register_nothing() {
        for text in ["{", "[]", r#"{"hooks": 7}"#, "\u{0}", r#"{"hooks": {"Stop": [null, {"hooks": 3}]}}"#] {
            let scratch = Scratch::new();
            scratch.file(LOCAL_FILE, text);
            assert!(files(&scratch).registering_files().is_empty(), "{text:?}");
        }
    }

    #[test]
    fn thousands_of_hooks_are_read_once() {
        let scratch = Scratch::new();
        let hooks = vec![r#"{"type": "command", "command": "x"}"#; 20_000].join(",");
        scratch.file(LOCAL_FILE, &format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{hooks}]}}]}}}}"#));

        assert!(files(&scratch).registering_files().is_empty());
    }
}
