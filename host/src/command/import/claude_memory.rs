//! The files of claude-memory, `<category>/<slug>.json`. The replica in files reads the same format, so an
//! import and a later `interleaf sync --to files` give a file the same id.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use super::Found;
use super::source_folder::SourceFolder;
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::memory::EntryKind;
use crate::project::Project;
use crate::replica::{FileSource, read_memory_file};

/// The folder, relative to the root of the project.
const FOLDER: &str = ".claude/memory";

const HINT: &str = "name the folder with the files of claude-memory: interleaf import claude-memory PATH";

/// Reads all files.
///
/// # Errors
/// `NotFound` if there is no folder; `Denied` if the project's own folder leads out of the project.
pub fn read(path: Option<&Path>, project: &Project) -> Result<Found> {
    let mut folder = SourceFolder::open(path.unwrap_or(&project.root.join(FOLDER)), HINT)?;
    if path.is_none() && !folder.root.starts_with(&project.root) {
        let error = Error::denied(format!("{FOLDER} is a link that leads out of the project"));
        return Err(error.hint(HINT));
    }
    let mut found = Found::in_place(folder.root.display().to_string());
    for category in folder.paths_in(Path::new("")) {
        // A folder behind a link is looked into, but its files are refused one by one if they are outside.
        for file in folder.files_in(&category, "json") {
            add_file(&file, &mut folder, &mut found);
        }
    }
    Ok(found)
}

fn add_file(file: &Path, folder: &mut SourceFolder, found: &mut Found) {
    let name = |path: Option<&Path>| {
        path.and_then(Path::file_stem).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let (category, slug) = (name(file.parent()), name(Some(file)));
    let place = folder.place(file);
    let source = FileSource { folder: &category, slug: &slug, changed: changed_at(file), known: &|_| None };
    let entry = folder.read(file).and_then(|text| read_memory_file(&text, &source)).and_then(|entry| {
        match entry.kind {
            EntryKind::Live(live) => Ok(serde_json::to_value(live.memory).unwrap_or_default()),
            _ => Err(Error::invalid("it has no text any more")),
        }
    });
    match entry {
        Ok(fields) => found.add(place, fields),
        Err(error) => found.add_unreadable(place, error),
    }
}

/// Returns when a file was changed last, for files without a date.
fn changed_at(file: &Path) -> Millis {
    let modified = fs::metadata(file).and_then(|metadata| metadata.modified()).ok();
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| Millis::try_from(since.as_millis()).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project_with(files: &[(&str, &str)]) -> (tempfile::TempDir, Project) {
        let root = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("created");
            fs::write(path, text).expect("written");
        }
        let project = Project::locate(root.path());
        (root, project)
    }

    const RULE: &str = r#"{
        "schema_version": "1.0", "category": "constraint", "id": "api-quota", "title": "API quota",
        "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-03T00:00:00Z", "tags": ["api"],
        "content": { "kind": "limitation", "rule": "500 calls a day", "impact": ["slow"], "severity": "high",
            "active": true }
    }"#;

    #[test]
    fn a_file_becomes_an_entry_with_a_text_from_its_content() {
        let (_root, project) = project_with(&[
            (".claude/memory/constraints/api-quota.json", RULE),
            (".claude/memory/constraints/broken.json", "{"),
            (".claude/memory/memory-config.json", "{}"),
        ]);

        let found = read(None, &project).expect("read");

        let [entry] = &found.entries[..] else { panic!("{found:?}") };
        assert_eq!(
            (&entry.fields["text"], &entry.fields["category"]),
            (&"500 calls a day.".into(), &"constraint".into())
        );
        assert_eq!(entry.fields["created_at"], 1_767_323_045_000_i64);
        assert_eq!(found.unreadable.len(), 1);
        assert_eq!(found.unreadable[0].0, "constraints/broken.json");
    }

    #[test]
    fn the_id_is_the_same_each_time() {
        let (_root, project) = project_with(&[(".claude/memory/constraints/api-quota.json", RULE)]);

        let ids = [(); 2].map(|()| read(None, &project).expect("read").entries[0].fields["id"].clone());

        assert_eq!(ids[0], ids[1]);
        assert!(ids[0].is_string());
    }

    #[test]
    fn a_default_folder_that_leads_out_of_the_project_is_refused() {
        let (_root, project) = project_with(&[(".claude/settings.json", "{}")]);
        let elsewhere = tempfile::tempdir().expect("a folder");
        std::os::unix::fs::symlink(elsewhere.path(), project.root.join(FOLDER)).expect("linked");

        let error = read(None, &project).expect_err("refused");

        assert!(error.to_string().contains("leads out of the project"), "{error}");
    }

    #[test]
    fn a_missing_folder_is_named() {
        let (_root, project) = project_with(&[]);

        let error = read(None, &project).expect_err("nothing is there");

        assert!(error.to_string().contains(FOLDER) && error.hint.is_some(), "{error:?}");
    }
}
