//! The backups that the worker makes by itself: one a day, of which a few are kept.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Database, new_file};
use crate::clock::{Millis, format_date};
use crate::error::Result;

/// Number of newest backups that are kept.
const MAX_DAILY: usize = 3;
/// Number of older backups that are kept, one for each week.
const MAX_WEEKLY: usize = 3;
/// Length of a week in days.
const WEEK_DAYS: i64 = 7;
/// Maximum size of all backups of a project, in bytes. The newest one is kept, whatever its size.
const MAX_BYTES: u64 = 100 << 20;
/// The folder of the backups, beside the database.
const FOLDER: &str = "backups";
const EXTENSION: &str = "db";

/// The backups beside a database.
pub struct RollingBackups {
    folder: PathBuf,
}

impl RollingBackups {
    /// Returns the backups beside the database in this file.
    pub fn beside(database: &Path) -> Self {
        Self { folder: database.with_file_name(FOLDER) }
    }

    /// Makes today's backup, unless there is one, and deletes those that are no longer kept.
    ///
    /// # Errors
    /// As for [`Database::back_up_to`].
    pub fn make(&self, database: &Database, now: Millis) -> Result<()> {
        let today = self.folder.join(format!("{}.{EXTENSION}", format_date(now)));
        if today.exists() {
            return Ok(());
        }
        crate::dirs::create_private_folder(&self.folder)
            .map_err(|error| crate::dirs::cannot_write(&self.folder, &error))?;
        // What a killed process left is deleted, if it can be.
        let _ = new_file::remove_abandoned(&self.folder);
        database.back_up_to(&today)?;
        for file in superseded(&self.newest_first()) {
            // What cannot be deleted now can be tomorrow.
            let _ = fs::remove_file(file);
        }
        Ok(())
    }

    /// Deletes all backups.
    ///
    /// # Errors
    /// `Unavailable` if one cannot be deleted.
    pub fn delete_all(&self) -> Result<()> {
        let delete = |backup: Backup| {
            fs::remove_file(&backup.file).map_err(|error| crate::dirs::cannot_write(&backup.file, &error))
        };
        self.newest_first().into_iter().try_for_each(delete)
    }

    /// Returns the newest backup and its day.
    pub fn newest(&self) -> Option<(PathBuf, String)> {
        let Backup { file, .. } = self.newest_first().into_iter().next()?;
        let day = file.file_stem()?.to_string_lossy().into_owned();
        Some((file, day))
    }

    fn newest_first(&self) -> Vec<Backup> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut backups: Vec<Backup> = entries.filter_map(|entry| Backup::of(entry.path())).collect();
        backups.sort_by_key(|backup| std::cmp::Reverse(backup.day));
        backups
    }
}

/// A backup with its day, counted from the Unix epoch.
struct Backup {
    file: PathBuf,
    day: i64,
    bytes: u64,
}

impl Backup {
    fn of(file: PathBuf) -> Option<Self> {
        let is_backup = file.extension().is_some_and(|extension| extension == EXTENSION);
        let date: jiff::civil::Date = file.file_stem()?.to_str()?.parse().ok()?;
        let day = date.duration_since(jiff::civil::date(1970, 1, 1)).as_hours() / 24;
        let bytes = fs::metadata(&file).ok()?.len();
        is_backup.then_some(Self { file, day, bytes })
    }
}

/// Returns the backups that are no longer kept.
fn superseded(newest_first: &[Backup]) -> Vec<&Path> {
    let (mut superseded, mut weeks, mut bytes) = (Vec::new(), Vec::new(), 0);
    for (index, backup) in newest_first.iter().enumerate() {
        let week = backup.day.div_euclid(WEEK_DAYS);
        let is_weekly = weeks.len() < MAX_WEEKLY && !weeks.contains(&week);
        let is_kept = index < MAX_DAILY || is_weekly;
        let fits = index == 0 || bytes + backup.bytes <= MAX_BYTES;
        if !(is_kept && fits) {
            superseded.push(backup.file.as_path());
            continue;
        }
        bytes += backup.bytes;
        if index >= MAX_DAILY {
            weeks.push(week);
        }
    }
    superseded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    const DAY: Millis = 24 * 3_600_000;

    fn days(backups: &RollingBackups) -> Vec<i64> {
        backups.newest_first().iter().map(|backup| backup.day).collect()
    }

    #[test]
    fn a_few_days_and_weeks_are_kept() {
        let scratch = Scratch::new();
        let path = scratch.path().join("interleaf.db");
        let (database, backups) = (Database::at(&path), RollingBackups::beside(&path));
        database.write(|_| Ok(())).expect("a database");

        for day in 100..150 {
            backups.make(&database, day * DAY).expect("a backup");
            backups.make(&database, day * DAY + 1).expect("one a day");
        }

        let kept = days(&backups);
        assert_eq!(kept[..3], [149, 148, 147]);
        assert_eq!(kept.len(), 6, "{kept:?}");
        assert!(kept[2..].windows(2).all(|pair| pair[0] / 7 > pair[1] / 7), "{kept:?}");
        assert_eq!(backups.newest().map(|(_, day)| day).as_deref(), Some("1970-05-30"));
    }

    #[test]
    fn large_backups_are_fewer() {
        let backup = |day, bytes| Backup { file: format!("{day}").into(), day, bytes };

        let large = [backup(9, MAX_BYTES + 1), backup(8, 1), backup(7, 1)];
        assert_eq!(superseded(&large), [Path::new("8"), Path::new("7")]);
        let small = [backup(9, MAX_BYTES / 2), backup(8, MAX_BYTES / 2), backup(7, 1)];
        assert_eq!(superseded(&small), [Path::new("7")]);
    }
}
