//! The tables `device`, `change_log` and `authors`: when each field of each memory was last written.

use super::row_mapping::{self, json, parse_json, parse_word};
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::memory::record::{Author, Memory, Origin};
use crate::memory::replica_entry::{Entry, EntryKind, Live, LoggedEntry, STATUS, Stamp, Stamps};

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, Transaction};

/// What the change log of a store says about a memory.
#[derive(Debug, Clone, PartialEq)]
enum Log {
    /// It is there, with these times; `None` if this device is the author.
    Live { stamps: Stamps, author: Option<Author> },
    /// It was retired at this time, and deleted.
    Retired(Stamp),
    /// It was deleted for good.
    Purged(Stamp),
}

const SELECT: &str = "SELECT written, fields, author, origin, ended, purged FROM change_log WHERE memory = ?";

/// Returns the id of this store as a device.
pub(super) fn device(connection: &Connection) -> Result<String> {
    Ok(connection.query_row("SELECT id FROM device", [], |row| row.get(0))?)
}

/// Returns the stamp of a write by this device at the time `now`, which is later than all it has read.
pub(super) fn next_stamp(transaction: &Transaction, now: Millis) -> Result<Stamp> {
    let stamp = last_stamp(transaction)?.next(now);
    observe(transaction, &stamp)?;
    Ok(stamp)
}

/// Makes the stamps of later writes greater than this one.
pub(super) fn observe(transaction: &Transaction, stamp: &Stamp) -> Result<()> {
    let update = "UPDATE device SET millis = ?1, counter = ?2 WHERE (millis, counter) < (?1, ?2)";
    transaction.prepare_cached(update)?.execute((stamp.millis, stamp.counter))?;
    Ok(())
}

fn last_stamp(connection: &Connection) -> Result<Stamp> {
    let read = |row: &Row| Ok(Stamp { millis: row.get(0)?, counter: row.get(1)?, device: row.get(2)? });
    Ok(connection.query_row("SELECT millis, counter, id FROM device", [], read)?)
}

/// Records that this device wrote a new memory.
///
/// # Errors
/// `denied` if a memory with this id was purged.
pub(super) fn inserted(transaction: &Transaction, memory: &Memory) -> Result<()> {
    if let Some(Log::Purged(_)) = log(transaction, &memory.id)? {
        let purged = format!("memory `{}` was purged and cannot be written again", memory.id);
        return Err(Error::denied(purged).hint("write it with another text or key"));
    }
    let stamps = Stamps { written: next_stamp(transaction, memory.updated_at)?, fields: Default::default() };
    write_live(transaction, &memory.id, &stamps, None, None)
}

/// Records that this device changed these fields of a memory.
pub(super) fn replaced(transaction: &Transaction, memory: &Memory, fields: &[&str]) -> Result<()> {
    let Some(Log::Live { mut stamps, author }) = log(transaction, &memory.id)? else {
        return inserted(transaction, memory);
    };
    // A change may be one of the history alone, which has no stamp of its own.
    if !fields.is_empty() {
        let stamp = next_stamp(transaction, memory.updated_at)?;
        stamps.fields.extend(fields.iter().map(|field| ((*field).to_owned(), stamp.clone())));
    }
    // What the author stated of the origin no longer counts where this user stated another one.
    let origin = stated_origin(transaction, &memory.id)?.filter(|_| !fields.contains(&"origin"));
    write_live(transaction, &memory.id, &stamps, author.as_ref(), origin)
}

/// Records that a memory was deleted at the end of its grace period.
pub(super) fn deleted(transaction: &Transaction, id: &str) -> Result<()> {
    match log(transaction, id)? {
        Some(Log::Live { stamps, .. }) => write_end(transaction, id, stamps.of(STATUS), false),
        _ => Ok(()),
    }
}

/// Writes the state of a memory that is there.
pub(super) fn write_live(
    transaction: &Transaction,
    id: &str,
    stamps: &Stamps,
    author: Option<&Author>,
    origin: Option<Origin>,
) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO change_log (memory, number, written, fields, author, origin)
        VALUES (?, ?, ?, ?, ?, ?)";
    let fields = json(&stamps.fields)?;
    let author = author.map(json).transpose()?;
    let (number, origin) = (next_number(transaction)?, origin.map(Origin::as_str));
    let written = stamps.written.to_string();
    transaction.prepare_cached(sql)?.execute((id, number, written, fields, author, origin))?;
    Ok(())
}

/// Writes the end of a memory.
pub(super) fn write_end(transaction: &Transaction, id: &str, stamp: &Stamp, is_purged: bool) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO change_log (memory, number, written, ended, purged)
        VALUES (?1, ?2, ?3, ?3, ?4)";
    let number = next_number(transaction)?;
    transaction.prepare_cached(sql)?.execute((id, number, stamp.to_string(), is_purged))?;
    Ok(())
}

fn next_number(transaction: &Transaction) -> Result<i64> {
    let sql = "UPDATE device SET number = number + 1 RETURNING number";
    Ok(transaction.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// Returns what the log says about a memory.
fn log(connection: &Connection, id: &str) -> Result<Option<Log>> {
    let mut statement = connection.prepare_cached(SELECT)?;
    let mut rows = statement.query([id])?;
    rows.next()?.map(read_log).transpose()
}

/// Returns what the author of a memory states of its origin, if it has another one here.
pub(super) fn stated_origin(connection: &Connection, id: &str) -> Result<Option<Origin>> {
    let sql = "SELECT origin FROM change_log WHERE memory = ? AND origin IS NOT NULL";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([id])?;
    rows.next()?.map(|row| parse_word(row, 0)).transpose()
}

fn read_log(row: &Row) -> Result<Log> {
    if let Some(ended) = row.get::<_, Option<String>>(4)? {
        let stamp = ended.parse()?;
        return Ok(if row.get(5)? { Log::Purged(stamp) } else { Log::Retired(stamp) });
    }
    let author = row.get::<_, Option<String>>(2)?.map(|_| parse_json(row, 2)).transpose()?;
    let written = row.get::<_, String>(0)?.parse()?;
    Ok(Log::Live { stamps: Stamps { written, fields: parse_json(row, 1)? }, author })
}

/// Deletes the rows that cannot be read, as they may be in a salvaged database.
pub(super) fn delete_unreadable(transaction: &Transaction) -> Result<()> {
    let mut statement = transaction.prepare("SELECT memory FROM change_log")?;
    let rows = statement.query_map([], |row| row.get::<_, Value>(0))?;
    for memory in rows.collect::<rusqlite::Result<Vec<Value>>>()? {
        let is_readable = matches!(&memory, Value::Text(id) if log(transaction, id).is_ok());
        if !is_readable {
            transaction.execute("DELETE FROM change_log WHERE memory IS ?", [memory])?;
        }
    }
    Ok(())
}

/// Returns the entries of the log after this number, in order.
pub(super) fn entries_since(connection: &Connection, number: i64, limit: usize) -> Result<Vec<LoggedEntry>> {
    let sql = "SELECT memory, number FROM change_log WHERE number > ? ORDER BY number LIMIT ?";
    let mut statement = connection.prepare_cached(sql)?;
    let rows =
        statement.query_map((number, super::sql_limit(limit)), |row| Ok((row.get(0)?, row.get(1)?)))?;
    let found: Vec<(String, i64)> = rows.collect::<rusqlite::Result<_>>()?;
    let entries = found.into_iter().map(|(id, number)| {
        let entry = entry(connection, &id)?;
        Ok(entry.map(|entry| LoggedEntry { number, entry }))
    });
    entries.filter_map(Result::transpose).collect()
}

/// Returns the entry of a memory, with the origin that its author states.
pub(super) fn entry(connection: &Connection, id: &str) -> Result<Option<Entry>> {
    let kind = match log(connection, id)? {
        None => return Ok(None),
        Some(Log::Retired(stamp)) => EntryKind::Retired(stamp),
        Some(Log::Purged(stamp)) => EntryKind::Purged(stamp),
        Some(Log::Live { stamps, author }) => {
            let Some(number) = super::row_number(connection, id)? else { return Ok(None) };
            let memory = row_mapping::read(connection, number)?;
            let origin = stated_origin(connection, id)?.unwrap_or(memory.origin);
            let author = author.map_or_else(|| own_author(connection), Ok)?;
            EntryKind::Live(Box::new(Live { memory: Memory { origin, ..memory }, stamps, author }))
        }
    };
    Ok(Some(Entry { id: id.to_owned(), kind }))
}

/// Returns this device as an author.
pub(super) fn own_author(connection: &Connection) -> Result<Author> {
    let device = device(connection)?;
    let mut statement = connection.prepare_cached("SELECT name FROM authors WHERE device = ?")?;
    let name = statement.query_row([&device], |row| row.get(0)).optional()?;
    Ok(Author { device, name: name.unwrap_or_default() })
}

/// Returns the known authors, and since when they are trusted.
pub(super) fn authors(connection: &Connection) -> Result<Vec<(Author, Option<Millis>)>> {
    let mut statement =
        connection.prepare_cached("SELECT device, name, trusted_at FROM authors ORDER BY device")?;
    let read = |row: &Row| Ok((Author { device: row.get(0)?, name: row.get(1)? }, row.get(2)?));
    Ok(statement.query_map([], read)?.collect::<rusqlite::Result<_>>()?)
}

/// Returns the number of active memories that are quoted because an author of another device wrote them or
/// changed them, by author.
pub(super) fn foreign_counts(connection: &Connection) -> Result<Vec<(Author, u64)>> {
    // The device of a stamp stands behind its second hyphen.
    let sql = "WITH rest AS (
            SELECT memory, substr(value, instr(value, '-') + 1) AS stamp FROM change_log, json_each(fields)
        ), writers AS (
            SELECT memory, substr(stamp, instr(stamp, '-') + 1) AS device FROM rest
            UNION SELECT memory, author ->> '$.device' FROM change_log WHERE author IS NOT NULL
        )
        SELECT authors.device, name, count(*) FROM writers JOIN memories ON memories.id = writers.memory
        JOIN authors ON authors.device = writers.device
        WHERE status = 'active' AND memories.origin = 'shared'
            AND authors.device NOT IN (SELECT id FROM device)
        GROUP BY authors.device ORDER BY authors.device";
    let mut statement = connection.prepare(sql)?;
    let count = |row: &Row| {
        let author = Author { device: row.get(0)?, name: row.get(1)? };
        Ok((author, row.get::<_, i64>(2)?.unsigned_abs()))
    };
    Ok(statement.query_map([], count)?.collect::<rusqlite::Result<_>>()?)
}

/// Makes a device known, whose name may come later.
pub(super) fn know_author(transaction: &Transaction, author: &Author) -> Result<()> {
    let sql = "INSERT INTO authors (device, name) VALUES (?1, ?2)
        ON CONFLICT (device) DO UPDATE SET name = ?2 WHERE name = '' AND ?2 != ''";
    transaction.prepare_cached(sql)?.execute((&author.device, &author.name))?;
    Ok(())
}

/// Writes the name of an author.
pub(super) fn write_author(transaction: &Transaction, author: &Author) -> Result<()> {
    let sql =
        "INSERT INTO authors (device, name) VALUES (?1, ?2) ON CONFLICT (device) DO UPDATE SET name = ?2";
    transaction.prepare_cached(sql)?.execute((&author.device, &author.name))?;
    Ok(())
}

/// Sets since when this user trusts a device.
pub(super) fn set_trust(transaction: &Transaction, device: &str, since: Option<Millis>) -> Result<()> {
    let sql = "INSERT INTO authors (device, name, trusted_at) VALUES (?1, '', ?2)
        ON CONFLICT (device) DO UPDATE SET trusted_at = ?2";
    transaction.prepare_cached(sql)?.execute((device, since))?;
    Ok(())
}
