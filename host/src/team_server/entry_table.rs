//! The entries of a project on the server, in the order in which they were written.

use postgres::Transaction;
use postgres::types::Type;
use serde_json::Value;

use super::members::{Role, project_id};
use super::schema;
use super::server_connection::{Connection, TeamServer, invited};
use super::server_error::ServerError;
use crate::error::{Error, Result};

/// The entries of a project.
pub struct EntryTable {
    server: TeamServer,
    project: String,
    connection: Option<Connection>,
}

/// An entry on the server.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEntry {
    /// The id of its memory.
    pub id: String,
    /// The entry as JSON.
    pub body: Value,
    /// Whether this account may change it.
    pub is_mine_to_change: bool,
}

/// A part of the entries.
#[derive(Debug)]
pub struct EntryPage {
    /// The entries, in the order in which they were written.
    pub entries: Vec<StoredEntry>,
    /// The number of the last one; what was asked for if there is none.
    pub last: i64,
    /// The number of the newest entry of the project.
    pub newest: i64,
    /// What this account may do.
    pub role: Role,
}

/// The project and the rights in it.
struct Access {
    project: i64,
    role: Role,
    newest: i64,
}

impl EntryTable {
    /// Returns the entries of a project. Connects when they are first needed.
    pub fn new(server: TeamServer, project: String) -> Self {
        Self { server, project, connection: None }
    }

    /// Returns up to `limit` entries that were written after the one with this number.
    ///
    /// # Errors
    /// `Unavailable` if the server cannot be reached, `Denied` if the account has no role in the project.
    pub fn page(&mut self, after: i64, limit: usize) -> Result<EntryPage> {
        self.transaction(|transaction, access| {
            let rows = transaction.query_typed(
                "SELECT id, body::text, account = session_user, number FROM interleaf.entry
                 WHERE project = $1 AND number > $2 ORDER BY number LIMIT $3",
                &[
                    (&access.project, Type::INT8),
                    (&after, Type::INT8),
                    (&i64::try_from(limit).unwrap_or(i64::MAX), Type::INT8),
                ],
            )?;
            let last = rows.last().map_or(after, |row| row.get(3));
            let entries = rows.iter().map(|row| stored(row, access.role)).collect::<Result<_>>()?;
            Ok(EntryPage { entries, last, newest: access.newest, role: access.role })
        })
    }

    /// Returns what stands there of these ids.
    ///
    /// # Errors
    /// As for [`EntryTable::page`].
    pub fn known(&mut self, ids: &[String]) -> Result<Vec<StoredEntry>> {
        self.transaction(|transaction, access| known(transaction, access, ids))
    }

    /// Changes entries in one transaction: `merge` gets what stands there of these ids, and returns the ids
    /// and bodies to write. Returns the numbers of the newest entry before and after it.
    ///
    /// # Errors
    /// As for [`EntryTable::page`], and those of `merge`.
    pub fn change(
        &mut self,
        ids: &[String],
        merge: impl FnOnce(Vec<StoredEntry>) -> Result<Vec<(String, Value)>>,
    ) -> Result<(i64, i64)> {
        self.transaction(|transaction, access| {
            // The trigger takes the same lock; taken here, nobody changes what is being merged.
            transaction.query_typed(
                "SELECT pg_advisory_xact_lock(hashtextextended('interleaf.entry', $1))",
                &[(&access.project, Type::INT8)],
            )?;
            let before = newest(transaction, access.project)?;
            let known = known(transaction, access, ids)?;
            let (ids, bodies): (Vec<String>, Vec<String>) =
                merge(known)?.into_iter().map(|(id, body)| (id, body.to_string())).unzip();
            if ids.is_empty() {
                return Ok((before, before));
            }
            transaction.query_typed(
                "INSERT INTO interleaf.entry (project, id, body)
                 SELECT $1, id, body::jsonb FROM unnest($2, $3) AS new (id, body)
                 ON CONFLICT (project, id) DO UPDATE SET body = excluded.body",
                &[(&access.project, Type::INT8), (&ids, Type::TEXT_ARRAY), (&bodies, Type::TEXT_ARRAY)],
            )?;
            Ok((before, newest(transaction, access.project)?))
        })
    }

    /// Runs a transaction with the rights that the account has in the project.
    fn transaction<T>(
        &mut self,
        run: impl FnOnce(&mut Transaction, &Access) -> std::result::Result<T, ServerError>,
    ) -> Result<T> {
        if self.connection.as_ref().is_none_or(Connection::is_closed) {
            self.connection = Some(self.server.connect()?);
        }
        let (Some(connection), project) = (&mut self.connection, &self.project) else {
            return Err(Error::unavailable("not connected"));
        };
        let rights = invited(self.server.address());
        connection.transaction(|transaction| {
            schema::require(transaction)?;
            let access = access(transaction, project, &rights)?;
            run(transaction, &access)
        })
    }
}

fn access(
    transaction: &mut Transaction,
    name: &str,
    rights: &str,
) -> std::result::Result<Access, ServerError> {
    let project = project_id(transaction, name)?;
    let row = transaction.query_typed_one("SELECT interleaf.role_in($1)", &[(&project, Type::INT8)])?;
    let role = row.get::<_, Option<&str>>(0).and_then(Role::parse).ok_or_else(|| {
        Error::denied(format!("your account has no role in the project `{name}`")).hint(rights)
    })?;
    Ok(Access { project, role, newest: newest(transaction, project)? })
}

fn known(
    transaction: &mut Transaction,
    access: &Access,
    ids: &[String],
) -> std::result::Result<Vec<StoredEntry>, ServerError> {
    let rows = transaction.query_typed(
        "SELECT id, body::text, account = session_user FROM interleaf.entry
         WHERE project = $1 AND id = ANY($2)",
        &[(&access.project, Type::INT8), (&ids, Type::TEXT_ARRAY)],
    )?;
    Ok(rows.iter().map(|row| stored(row, access.role)).collect::<Result<_>>()?)
}

fn newest(transaction: &mut Transaction, project: i64) -> std::result::Result<i64, ServerError> {
    let sql = "SELECT coalesce(max(number), 0) FROM interleaf.entry WHERE project = $1";
    Ok(transaction.query_typed_one(sql, &[(&project, Type::INT8)])?.get(0))
}

fn stored(row: &postgres::Row, role: Role) -> Result<StoredEntry> {
    let (id, is_own): (String, bool) = (row.get(0), row.get(2));
    let body = serde_json::from_str(row.get(1))
        .map_err(|error| Error::invalid(format!("the entry {id} of the server: {error}")))?;
    let is_mine_to_change = match role {
        Role::Read => false,
        Role::Write => is_own,
        Role::Curate => true,
    };
    Ok(StoredEntry { id, body, is_mine_to_change })
}
