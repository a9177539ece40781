//! Copies what can be read of a damaged database into a new one, row by row. The search index is not copied:
//! it is made anew from the memories.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use rusqlite::{Connection, OpenFlags, params_from_iter, types::Value};
use tempfile::NamedTempFile;

use super::migrations::MEMORIES;
use super::new_file::{self, remove_beside};
use crate::dirs::with_suffix;
use crate::error::Result;

/// The tables of the search index, which `memory/sqlite_store` makes anew.
const INDEX_TABLES: [&str; 3] = ["tags", "frequencies", "words"];
/// The first bytes of the header, and its length in bytes
/// (<https://sqlite.org/fileformat2.html#the_database_header>).
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const HEADER_BYTES: usize = 100;
/// Number of rows beyond the last readable one that are looked for when not even the last number can be read.
const MAX_GAP: i64 = 100_000;

/// What could be read of a damaged database.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct SalvageReport {
    /// The number of rows of memories that were copied.
    pub memories: u64,
    /// The number of rows that could not be read, of all tables; a lower bound.
    pub unreadable: u64,
}

/// Copies what can be read of the database into a new file beside it.
///
/// # Errors
/// `Unavailable` if the new file cannot be written.
pub(super) fn salvage(path: &Path) -> Result<(NamedTempFile, SalvageReport)> {
    let file = new_file::in_folder_of(path, &MEMORIES)?;
    let mut report = SalvageReport::default();
    let copy = if has_header(path) { None } else { copy_with_header_of(path, file.path()).ok() };
    // A file without a readable beginning has no tables.
    if let Ok(old) = open_damaged(copy.as_ref().map_or(path, |copy| copy.path())) {
        let mut new = Connection::open(file.path())?;
        let transaction = new.transaction()?;
        for table in tables(&transaction)? {
            copy_table(&old, &transaction, &table, &mut report)?;
        }
        transaction.commit()?;
    }
    if let Some(copy) = copy {
        remove_beside(copy.path());
    }
    Ok((file, report))
}

fn has_header(path: &Path) -> bool {
    let mut magic = [0; MAGIC.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == *MAGIC
}

/// Copies a database with an overwritten header, with its log, and gives the copy the header of another one.
/// All files of Interleaf have the same page size, and SQLite works out the rest.
fn copy_with_header_of(damaged: &Path, sound: &Path) -> io::Result<NamedTempFile> {
    let copy = new_file::temporary_in(damaged.parent().unwrap_or(damaged))?;
    fs::copy(damaged, copy.path())?;
    let _ = fs::copy(with_suffix(damaged, "-wal"), with_suffix(copy.path(), "-wal"));
    let mut header = [0; HEADER_BYTES];
    File::open(sound)?.read_exact(&mut header)?;
    OpenOptions::new().write(true).open(copy.path())?.write_all(&header)?;
    Ok(copy)
}

fn open_damaged(path: &Path) -> rusqlite::Result<Connection> {
    let old = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // Lets SQLite use the tables of a schema of which a part is damaged.
    old.pragma_update(None, "writable_schema", true)?;
    old.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(old)
}

fn tables(new: &Connection) -> Result<Vec<String>> {
    let query = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
                 AND name NOT LIKE 'sqlite_%'";
    let mut statement = new.prepare(query)?;
    let names = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    Ok(names.into_iter().filter(|name| !INDEX_TABLES.contains(&name.as_str())).collect())
}

/// A table that is copied: its name, and the columns that both files have.
struct Copy<'a> {
    old: &'a Connection,
    new: &'a Connection,
    table: &'a str,
    columns: Vec<String>,
    copied: u64,
    unreadable: u64,
}

fn copy_table(old: &Connection, new: &Connection, table: &str, report: &mut SalvageReport) -> Result<()> {
    let known = columns(old, table).unwrap_or_default();
    let columns: Vec<String> = columns(new, table)?.into_iter().filter(|name| known.contains(name)).collect();
    if columns.is_empty() {
        return Ok(());
    }
    let has_rowid = old.prepare(&format!("SELECT rowid FROM {table}")).is_ok();
    let mut copy = Copy { old, new, table, columns, copied: 0, unreadable: 0 };
    match has_rowid {
        true => copy.copy_by_number()?,
        false => copy.copy_from_both_ends()?,
    }
    if table == "memories" {
        report.memories = copy.copied;
    }
    report.unreadable += copy.unreadable;
    Ok(())
}

fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
    statement.query_map([table], |row| row.get(0))?.collect()
}

impl Copy<'_> {
    /// Copies the rows one by one, so that each row that cannot be read costs only itself.
    fn copy_by_number(&mut self) -> Result<()> {
        let (table, columns) = (self.table, self.columns.join(", "));
        let mut select = self.old.prepare(&format!("SELECT {columns} FROM {table} WHERE rowid = ?1"))?;
        let last = self.last_number();
        for number in 1..=last.unwrap_or(MAX_GAP) {
            let mut rows = select.query([number])?;
            match rows.next() {
                Ok(Some(row)) => self.insert_row(row)?,
                Ok(None) => {}
                Err(_) => self.unreadable += u64::from(last.is_some()),
            }
        }
        Ok(())
    }

    fn last_number(&self) -> Option<i64> {
        let of =
            |query: &str| self.old.query_row(query, [], |row| row.get::<_, Option<i64>>(0)).ok().flatten();
        let by_table = of(&format!("SELECT max(rowid) FROM {}", self.table));
        // An index of the memories holds the numbers, too.
        by_table.or_else(|| of("SELECT max(number) FROM memories INDEXED BY memories_by_age"))
    }

    /// Copies the rows from the first on until one cannot be read, and then from the last one back.
    fn copy_from_both_ends(&mut self) -> Result<()> {
        for order in ["ASC", "DESC"] {
            let (table, columns) = (self.table, self.columns.join(", "));
            let key = &self.columns[0];
            let query = format!("SELECT {columns} FROM {table} ORDER BY {key} {order}");
            let Ok(mut select) = self.old.prepare(&query) else { return Ok(()) };
            let mut rows = select.query([])?;
            loop {
                match rows.next() {
                    Ok(Some(row)) => self.insert_row(row)?,
                    Ok(None) => return Ok(()),
                    Err(_) => break,
                }
            }
            self.unreadable += 1;
        }
        Ok(())
    }

    fn insert_row(&mut self, row: &rusqlite::Row) -> Result<()> {
        let values = (0..self.columns.len()).map(|index| row.get::<_, Value>(index));
        let Ok(values) = values.collect::<rusqlite::Result<Vec<Value>>>() else {
            self.unreadable += 1;
            return Ok(());
        };
        let (table, columns) = (self.table, self.columns.join(", "));
        let places = vec!["?"; self.columns.len()].join(", ");
        let sql = format!("INSERT OR IGNORE INTO {table} ({columns}) VALUES ({places})");
        // A row that breaks a rule of the table, such as a missing id, is no row of ours.
        match self.new.prepare_cached(&sql)?.execute(params_from_iter(values)) {
            Ok(_) => self.copied += 1,
            Err(_) => self.unreadable += 1,
        }
        Ok(())
    }
}
