//! Makes a store another device: after a restored backup or a salvage, it may no longer know what it has
//! written, and the store from which the backup is may still be in use elsewhere.

use super::change_log::{delete_unreadable, device, observe, write_author};
use crate::clock::Millis;
use crate::database::Database;
use crate::error::Result;
use crate::memory::record::Author;
use crate::memory::replica_entry::Stamp;
use rusqlite::Transaction;
use std::collections::BTreeMap;

/// Gives the store a new id as a device. Its memories stay those of the device that wrote them, which its
/// user trusts. Memories that the change log lacks, or of which it is damaged, are added to it.
///
/// # Errors
/// `Unavailable` if the database cannot be read or written.
pub fn become_new_device(database: &Database, now: Millis) -> Result<()> {
    database.write(|transaction| {
        delete_unreadable(transaction)?;
        let names: BTreeMap<String, String> = names(transaction)?;
        for (id, written) in own_entries(transaction)? {
            let name = names.get(&written.device).cloned().unwrap_or_default();
            let author = Author { device: written.device.clone(), name };
            write_author(transaction, &author)?;
            super::change_log::set_trust(transaction, &author.device, Some(now))?;
            let sql = "UPDATE change_log SET author = ? WHERE memory = ?";
            transaction.prepare_cached(sql)?.execute((super::row_mapping::json(&author)?, id))?;
        }
        transaction.execute("UPDATE device SET id = lower(hex(randomblob(8)))", [])?;
        add_missing_entries(transaction)?;
        for stamp in all_stamps(transaction)? {
            observe(transaction, &stamp)?;
        }
        Ok(())
    })
}

fn names(transaction: &Transaction) -> Result<BTreeMap<String, String>> {
    let mut statement = transaction.prepare("SELECT device, name FROM authors")?;
    Ok(statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?)
}

/// Returns the memories that this device wrote, with the time of the first write.
fn own_entries(transaction: &Transaction) -> Result<Vec<(String, Stamp)>> {
    let sql = "SELECT memory, written FROM change_log WHERE author IS NULL AND ended IS NULL";
    let mut statement = transaction.prepare(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let rows: Vec<(String, String)> = rows.collect::<rusqlite::Result<_>>()?;
    rows.into_iter().map(|(id, written)| Ok((id, written.parse()?))).collect()
}

fn add_missing_entries(transaction: &Transaction) -> Result<()> {
    let newest = "(SELECT coalesce(max(number), 0) FROM change_log)";
    let insert = format!(
        "INSERT INTO change_log (memory, number, written)
         SELECT id, {newest} + number, printf('%d-0-%s', max(created_at, 0), ?) FROM memories
         WHERE id NOT IN (SELECT memory FROM change_log)"
    );
    transaction.execute(&insert, [device(transaction)?])?;
    transaction.execute(&format!("UPDATE device SET number = max(number, {newest})"), [])?;
    Ok(())
}

/// Returns the times of all writes that the log knows.
fn all_stamps(transaction: &Transaction) -> Result<Vec<Stamp>> {
    let sql = "SELECT written FROM change_log UNION
        SELECT value FROM change_log, json_each(change_log.fields)";
    let mut statement = transaction.prepare(sql)?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    let texts: Vec<String> = rows.collect::<rusqlite::Result<_>>()?;
    texts.iter().map(|text| text.parse()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::memory::test_support::{NOW, draft, remember};
    use crate::memory::{Memories, SqliteStore};
    use crate::redact::Redactor;
    use std::sync::Arc;

    /// A page of a damaged file may hold anything, such as zeros in the middle of a text.
    #[test]
    fn damaged_rows_of_the_log_are_made_anew() {
        for damage in ["written = written || char(0)", "written = x'00ff'", "fields = '{'", "author = '{'"] {
            let database = Database::in_memory().expect("a database");
            let store = Arc::new(SqliteStore::new(database.clone()));
            let redactor = Redactor::new(&[]).expect("patterns");
            let memories = Memories::new(store, redactor, Clock::Fixed(NOW));
            let memory = remember(&memories, draft("Payments are idempotent by order id."));
            let sql = format!("UPDATE change_log SET {damage}");
            database.write(|transaction| Ok(transaction.execute(&sql, [])?)).expect("damaged");

            become_new_device(&database, NOW).expect(damage);

            let count = "SELECT count(*) FROM change_log WHERE memory = ?";
            let rows = database.read(|tx| Ok(tx.query_row(count, [&memory.id], |row| row.get::<_, i64>(0))?));
            assert_eq!(rows.expect("readable"), Some(1), "{damage}");
        }
    }
}
