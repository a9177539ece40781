//! Reads databases of other programs. Nothing is written to them, and nothing that they define is trusted.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{OpenFlags, params_from_iter};
use serde_json::{Map, Value};

use super::connection::{cannot_create_wal, open_immutable};
use crate::error::{Error, Result};

/// The longest wait for the program that the database belongs to.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// A database of another program, opened for reading.
pub struct ForeignDatabase {
    path: PathBuf,
    sqlite: rusqlite::Connection,
    /// Number of bytes that may still be read.
    left: u64,
}

impl ForeignDatabase {
    /// Opens the file, of which at most `max_bytes` in all are read.
    ///
    /// # Errors
    /// `Unavailable` if the file is missing, cannot be read or is no database.
    pub fn open(path: &Path, max_bytes: u64) -> Result<Self> {
        let sqlite = match open_read_only(path) {
            Err(error) if cannot_create_wal(&error) => {
                let sqlite = open_immutable(path).map_err(|error| unreadable(path, error))?;
                prepare(&sqlite).map(|()| sqlite)
            }
            opened => opened,
        };
        let sqlite = sqlite.map_err(|error| unreadable(path, error))?;
        Ok(Self { path: path.to_owned(), sqlite, left: max_bytes })
    }

    /// Returns the rows of a table in which one of the columns has one of the values, in the order in which
    /// they were written; `None` if there is no such table. Columns that the table lacks are ignored, because
    /// versions of a program differ. A value that is no text and no number becomes null.
    ///
    /// # Errors
    /// `Unavailable` if the table cannot be read; `OverBudget` if the rows are too large.
    pub fn rows(
        &mut self,
        table: &str,
        columns: &[&str],
        values: &[&str],
    ) -> Result<Option<Vec<Map<String, Value>>>> {
        let columns = self.columns(table).map(|found| keep_known(columns, &found));
        let columns = columns.map_err(|error| unreadable(&self.path, error))?;
        if columns.is_empty() {
            return Ok(None);
        }
        let marks = vec!["?"; values.len()].join(", ");
        let conditions = columns.iter().map(|column| format!("{} IN ({marks})", quoted(column)));
        let condition = conditions.collect::<Vec<_>>().join(" OR ");
        let sql = format!("SELECT * FROM {} WHERE {condition} ORDER BY rowid", quoted(table));
        let values = columns.iter().flat_map(|_| values);
        let (rows, left) = read_rows(&self.sqlite, &sql, params_from_iter(values), self.left)
            .map_err(|error| unreadable(&self.path, error))?;
        self.left =
            left.ok_or_else(|| Error::over_budget(format!("{}: too much to read", self.path.display())))?;
        Ok(Some(rows))
    }

    /// Returns the names of the columns of a table; none if it is missing or is no table.
    fn columns(&self, table: &str) -> rusqlite::Result<Vec<String>> {
        let sql = "SELECT name FROM pragma_table_info(?1) WHERE EXISTS \
             (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)";
        let mut statement = self.sqlite.prepare(sql)?;
        statement.query_map([table], |row| row.get(0))?.collect()
    }
}

fn open_read_only(path: &Path) -> rusqlite::Result<rusqlite::Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let sqlite = rusqlite::Connection::open_with_flags(path, flags)?;
    prepare(&sqlite)?;
    Ok(sqlite)
}

/// Lets the schema run no functions of its own, and reads it once, because opening a file reads nothing.
fn prepare(sqlite: &rusqlite::Connection) -> rusqlite::Result<()> {
    sqlite.busy_timeout(LOCK_TIMEOUT)?;
    sqlite.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    sqlite.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    sqlite.query_row("PRAGMA schema_version", [], |_| Ok(()))
}

fn keep_known<'a>(columns: &[&'a str], known: &[String]) -> Vec<&'a str> {
    columns.iter().copied().filter(|column| known.iter().any(|name| name == column)).collect()
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

type Rows = Vec<Map<String, Value>>;

/// Reads rows until `left` bytes are used up; then the number of bytes that are left is `None`.
fn read_rows(
    sqlite: &rusqlite::Connection,
    sql: &str,
    values: impl rusqlite::Params,
    mut left: u64,
) -> rusqlite::Result<(Rows, Option<u64>)> {
    let mut statement = sqlite.prepare(sql)?;
    let names: Vec<String> = statement.column_names().iter().map(ToString::to_string).collect();
    let (mut read, mut rows) = (Vec::new(), statement.query(values)?);
    while let Some(row) = rows.next()? {
        let mut fields = Map::new();
        for (at, name) in names.iter().enumerate() {
            let (value, bytes) = to_json(row.get_ref(at)?);
            match left.checked_sub(bytes) {
                Some(rest) => left = rest,
                None => return Ok((read, None)),
            }
            fields.insert(name.clone(), value);
        }
        read.push(fields);
    }
    Ok((read, Some(left)))
}

/// Returns a value with its size.
fn to_json(value: ValueRef<'_>) -> (Value, u64) {
    match value {
        ValueRef::Integer(number) => (number.into(), 8),
        ValueRef::Real(number) => (number.into(), 8),
        ValueRef::Text(text) => (String::from_utf8_lossy(text).into(), text.len() as u64),
        ValueRef::Null | ValueRef::Blob(_) => (Value::Null, 0),
    }
}

/// Returns the error of a database that this program does not look after: its usual next step is not theirs.
fn unreadable(path: &Path, error: impl Display) -> Error {
    Error::unavailable(format!("cannot read {} as a database: {error}", path.display()))
        .hint("close the program that it belongs to and try again, or name another file")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(sql: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("other.db");
        rusqlite::Connection::open(&path).and_then(|sqlite| sqlite.execute_batch(sql)).expect("written");
        (folder, path)
    }

    const NOTES: &str = "PRAGMA journal_mode = WAL;
        CREATE TABLE notes (id INTEGER PRIMARY KEY, project TEXT, text TEXT, data BLOB);
        INSERT INTO notes VALUES (1, 'shop', 'one', x'00'), (2, 'bar', 'two', NULL);
        INSERT INTO notes VALUES (3, 'shop', 'three', NULL);
        CREATE VIEW seen AS SELECT * FROM notes;";

    #[test]
    fn rows_with_a_value_are_read_and_missing_tables_and_columns_are_told() {
        let (_folder, path) = database(NOTES);
        let mut database = ForeignDatabase::open(&path, 1_000).expect("opened");

        let rows =
            database.rows("notes", &["project", "merged"], &["shop", "x"]).expect("read").expect("a table");
        let texts: Vec<&Value> = rows.iter().map(|row| &row["text"]).collect();
        assert_eq!(texts, ["one", "three"]);
        assert!(rows[0]["data"].is_null());
        for (table, column) in [("other", "project"), ("notes", "other"), ("seen", "project")] {
            assert_eq!(database.rows(table, &[column], &["shop"]).expect("read"), None, "{table} {column}");
        }
    }

    #[test]
    fn a_name_cannot_become_sql() {
        let (_folder, path) = database(NOTES);
        let mut database = ForeignDatabase::open(&path, 1_000).expect("opened");

        let value = "x' OR 1=1 --";
        assert_eq!(database.rows("notes", &["project"], &[value]).expect("read"), Some(Vec::new()));
        assert_eq!(database.rows("notes\" --", &["project"], &["shop"]).expect("read"), None);
    }

    #[test]
    fn more_than_the_limit_is_an_error() {
        let (_folder, path) = database(NOTES);
        let mut database = ForeignDatabase::open(&path, 20).expect("opened");

        let error = database.rows("notes", &["project"], &["shop"]).expect_err("too much");
        assert!(error.to_string().contains("too much"), "{error}");
    }

    #[test]
    fn a_file_that_is_no_database_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "not a database, but long enough to be looked at as one".repeat(20))
            .expect("written");

        let error = ForeignDatabase::open(&path, 1_000).err().expect("no database");
        assert!(error.to_string().contains("notes.txt"), "{error}");
        assert!(error.hint.is_some_and(|hint| !hint.contains("repair")));
    }
}
