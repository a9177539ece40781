//! The schema on the server, in numbered steps. A step that was released never changes.

use postgres::types::Type;

use super::server_connection::Connection;
use super::server_error::ServerError;
use crate::error::{Error, Result};

/// The steps; the first one has the number 1.
const STEPS: &[&str] = &[include_str!("schema/0001_projects_and_entries.sql")];

/// The schema and the table of the steps that were applied.
const FIRST: &str = "
    CREATE SCHEMA IF NOT EXISTS interleaf;
    CREATE TABLE IF NOT EXISTS interleaf.step (
        number int PRIMARY KEY,
        applied_at timestamptz NOT NULL DEFAULT now()
    )";

/// Applies the steps that are missing. Tells whether there were any. `rights` is the next step of an account
/// that may not do that.
pub(super) fn create(connection: &mut Connection, rights: &str) -> Result<bool> {
    connection.administer(rights, |transaction| {
        // Two administrators at once would both find a step missing.
        transaction.batch_execute("SELECT pg_advisory_xact_lock(hashtext('interleaf.step'))")?;
        transaction.batch_execute(FIRST)?;
        let applied = newest(transaction)?;
        check(applied)?;
        for (number, step) in (1..).zip(STEPS).filter(|(number, _)| *number > applied) {
            transaction.batch_execute(step)?;
            transaction
                .query_typed("INSERT INTO interleaf.step (number) VALUES ($1)", &[(&number, Type::INT4)])?;
        }
        Ok(applied < known())
    })
}

/// Refuses a schema that this program does not know.
pub(super) fn require(transaction: &mut postgres::Transaction) -> std::result::Result<(), ServerError> {
    let applied = newest(transaction)?;
    check(applied)?;
    if applied < known() {
        return Err(Error::invalid("the server has the schema of an older interleaf")
            .hint("its administrator updates it with: interleaf team init")
            .into());
    }
    Ok(())
}

fn newest(transaction: &mut postgres::Transaction) -> std::result::Result<i32, ServerError> {
    let rows = transaction.query_typed("SELECT coalesce(max(number), 0) FROM interleaf.step", &[])?;
    Ok(rows.first().map_or(0, |row| row.get(0)))
}

fn known() -> i32 {
    i32::try_from(STEPS.len()).unwrap_or(i32::MAX)
}

fn check(applied: i32) -> Result<()> {
    match applied > known() {
        true => Err(Error::invalid("the server has the schema of a newer interleaf")
            .hint("update interleaf on this machine")),
        false => Ok(()),
    }
}
