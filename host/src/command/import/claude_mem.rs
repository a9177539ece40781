//! The database of claude-mem (schema as of claude-mem 13.25.3): what it observed, and its summaries of
//! sessions. It holds the rows of all projects, which it names by their folders.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::source_folder::{MAX_SOURCE_BYTES, real_path};
use super::{Found, home};
use crate::database::ForeignDatabase;
use crate::error::{Error, Result};
use crate::memory::fitting_tags;
use crate::project::Project;

/// The file, in the folder that the variable names, otherwise below the home folder.
const FILE: &str = "claude-mem.db";
const FOLDER_VARIABLE: &str = "CLAUDE_MEM_DATA_DIR";
const FOLDER: &str = ".claude-mem";

const HINT: &str = "name the database of claude-mem: interleaf import claude-mem PATH";

/// The columns with the project. A worktree's rows are merged into its project when its branch is.
const PROJECT_COLUMNS: [&str; 2] = ["project", "merged_into_project"];

/// Maximum number of related files of an entry: an observation of a long turn lists all that was read.
const MAX_FILES: usize = 20;

/// Reads the rows of the project.
///
/// # Errors
/// `NotFound` if the file does not exist; `Unavailable` if it cannot be read; `Invalid` if it is not a
/// database of claude-mem.
pub fn read(path: Option<&Path>, project: &Project) -> Result<Found> {
    let path = path.map(Path::to_owned).or_else(default_path);
    let path = path.ok_or_else(|| Error::unavailable("HOME is not set").hint(HINT))?;
    let mut database = ForeignDatabase::open(&real_path(&path, HINT)?, MAX_SOURCE_BYTES)?;
    let names = project_names(project);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut rows = |table| database.rows(table, &PROJECT_COLUMNS, &names);
    let (observations, summaries) = (rows("observations")?, rows("session_summaries")?);
    if observations.is_none() && summaries.is_none() {
        let error = Error::invalid(format!("{} is not a database of claude-mem", path.display()));
        return Err(error.hint(HINT));
    }
    let mut found = Found::in_place(format!("the rows of project {} in {}", names[0], path.display()));
    observations.iter().flatten().for_each(|row| add_observation(row, &project.root, &mut found));
    summaries.iter().flatten().for_each(|row| add_summary(row, &project.root, &mut found));
    Ok(found)
}

fn default_path() -> Option<PathBuf> {
    let named = std::env::var_os(FOLDER_VARIABLE).map(PathBuf::from).filter(|folder| folder.is_absolute());
    Some(named.or_else(|| Some(home()?.join(FOLDER)))?.join(FILE))
}

/// Returns the names that claude-mem gives the project and this work tree of it.
fn project_names(project: &Project) -> Vec<String> {
    let mut names = vec![project.name.clone()];
    let folder = project.root.file_name().unwrap_or_default().to_string_lossy();
    if folder != project.name {
        names.push(format!("{}/{folder}", project.name));
        names.push(folder.into_owned());
    }
    names
}

/// Adds what claude-mem observed in one turn.
fn add_observation(row: &Map<String, Value>, root: &Path, found: &mut Found) {
    let facts = list(row, "facts").into_iter().map(|fact| format!("- {fact}")).collect::<Vec<_>>().join("\n");
    let body = [text(row, "narrative"), text(row, "text")].into_iter().find(|text| !text.is_empty());
    let parts = [body.unwrap_or_default().to_owned(), facts];
    let short = [text(row, "subtitle"), text(row, "title")].into_iter().find(|text| !text.is_empty());
    let text_of = match joined(&parts, "\n\n") {
        text if text.is_empty() => short.unwrap_or_default().to_owned(),
        text => text,
    };
    let kind = text(row, "type");
    let mut tags = vec![kind.to_owned()];
    tags.extend(list(row, "concepts"));
    let fields = json!({
        "category": category(kind), "title": title(row, "title"), "text": text_of, "tags": fitting_tags(tags),
        "related_files": files(row, ["files_modified", "files_read"], root),
    });
    add("observation", "", row, fields, found);
}

/// Adds the summary of a session, and what was learned in it as an entry of its own, because that outlives
/// the work. The summary is of the category context: of the category session_summary few are kept, and older
/// ones of claude-mem would take the place of this program's own.
fn add_summary(row: &Map<String, Value>, root: &Path, found: &mut Found) {
    let labelled = [("request", "Goal"), ("completed", "Done"), ("next_steps", "Next"), ("notes", "Notes")];
    let parts = labelled.map(|(column, label)| match text(row, column) {
        "" => String::new(),
        text => format!("{label}: {text}"),
    });
    let related_files = files(row, ["files_edited", "files_read"], root);
    let summary = json!({
        "category": "context", "title": title(row, "request"), "text": joined(&parts, "\n"),
        "tags": ["session-summary"], "related_files": related_files,
    });
    let learned = json!({
        "text": text(row, "learned"), "tags": ["session-summary"], "related_files": related_files,
    });
    for (end, fields) in [("", summary), ("-learned", learned)] {
        if fields["text"] != "" {
            add("summary", end, row, fields, found);
        }
    }
}

/// Adds an entry with the id and the time of its row.
fn add(what: &str, end: &str, row: &Map<String, Value>, mut fields: Value, found: &mut Found) {
    let number = row.get("id").and_then(Value::as_i64).unwrap_or_default();
    let place = format!("{what} {number}");
    if fields["text"] == "" {
        return found.add_unreadable(place, "it has no text");
    }
    fields["id"] = format!("claude-mem-{what}-{number}{end}").into();
    if let Some(at) = row.get("created_at_epoch").and_then(Value::as_i64) {
        fields["created_at"] = at.into();
    }
    found.add(place, fields);
}

/// Returns the category of a type; `None` if any category fits it.
fn category(kind: &str) -> Option<&'static str> {
    match kind {
        "decision" => Some("decision"),
        "bugfix" | "discovery" => Some("learning"),
        "feature" | "refactor" | "change" => Some("context"),
        _ => None,
    }
}

fn title(row: &Map<String, Value>, column: &str) -> Option<String> {
    let title = interleaf_text::truncate_at_word(text(row, column), 100).into_owned();
    (!title.is_empty()).then_some(title)
}

fn text<'a>(row: &'a Map<String, Value>, column: &str) -> &'a str {
    row.get(column).and_then(Value::as_str).unwrap_or_default().trim()
}

/// Returns a column that holds a JSON list of texts. Older versions wrote one text for each line.
fn list(row: &Map<String, Value>, column: &str) -> Vec<String> {
    let text = text(row, column);
    let lines = || text.lines().map(|line| line.trim_start_matches("- ").to_owned()).collect();
    let mut list: Vec<String> = serde_json::from_str(text).unwrap_or_else(|_| lines());
    list.retain(|entry| !entry.trim().is_empty());
    list
}

/// Returns the related files, without the project's root.
fn files(row: &Map<String, Value>, columns: [&str; 2], root: &Path) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    for file in columns.iter().flat_map(|column| list(row, column)) {
        let file =
            Path::new(&file).strip_prefix(root).map_or(file.clone(), |file| file.display().to_string());
        if !files.contains(&file) && files.len() < MAX_FILES {
            files.push(file);
        }
    }
    files
}

fn joined(parts: &[String], separator: &str) -> String {
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    parts.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(value: Value) -> Map<String, Value> {
        let Value::Object(row) = value else { panic!("{value}") };
        row
    }

    #[test]
    fn an_observation_becomes_one_entry() {
        let mut found = Found::default();
        let observation = json!({
            "id": 17, "type": "decision", "title": "Postgres", "subtitle": "The store", "text": null,
            "narrative": "Two services write at once.", "facts": "[\"SQLite has one writer\"]",
            "concepts": "[\"trade-off\"]", "files_read": "[\"/p/src/a.rs\"]",
            "files_modified": "[\"src/b.rs\"]", "created_at_epoch": 1_767_323_045_000_i64,
        });

        add_observation(&row(observation), Path::new("/p"), &mut found);

        assert_eq!(
            found.entries[0].fields,
            json!({
                "id": "claude-mem-observation-17", "category": "decision", "title": "Postgres",
                "text": "Two services write at once.\n\n- SQLite has one writer",
                "tags": ["decision", "trade-off"], "related_files": ["src/b.rs", "src/a.rs"],
                "created_at": 1_767_323_045_000_i64,
            })
        );
    }

    #[test]
    fn what_a_session_taught_is_an_entry_beside_its_summary() {
        let mut found = Found::default();
        let summary = json!({
            "id": 3, "request": "Mend the cart", "completed": "Rounding", "next_steps": "", "notes": null,
            "learned": "The cart rounds down.", "files_edited": "[]",
        });

        add_summary(&row(summary), Path::new("/p"), &mut found);

        let texts: Vec<&Value> = found.entries.iter().map(|entry| &entry.fields["text"]).collect();
        assert_eq!(texts, ["Goal: Mend the cart\nDone: Rounding", "The cart rounds down."]);
        assert_eq!(found.entries[1].fields["id"], "claude-mem-summary-3-learned");
    }

    #[test]
    fn a_row_without_a_text_is_named() {
        let mut found = Found::default();

        add_observation(&row(json!({ "id": 4, "type": "change" })), Path::new("/p"), &mut found);

        assert_eq!(found.unreadable, [("observation 4".to_owned(), "it has no text".to_owned())]);
    }
}
