//! The members of a project on the server: accounts of Postgres with a role. Their rights are granted to the
//! accounts, so that whoever has no role cannot even name a table.

use postgres::Transaction;
use postgres::types::Type;

use super::accounts::{create_account, drop_account, has_account, quoted, require_administrator};
use super::schema;
use super::server_connection::TeamServer;
use super::server_error::ServerError;
use crate::error::{Error, Result};

/// The rights of every member; row-level security narrows them.
const RIGHTS: [&str; 3] = [
    "USAGE ON SCHEMA interleaf",
    "SELECT ON interleaf.step, interleaf.project, interleaf.member, interleaf.entry",
    "INSERT (project, id, body), UPDATE (body) ON interleaf.entry",
];

/// The next step of an account that may not administer the server.
const ADMINISTRATOR: &str = "use the account that ran `interleaf team init`, with --url";

/// What a member may do with the memories of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Role {
    /// Read all
    Read,
    /// Also add memories, and change and retire their own
    Write,
    /// Also change and retire those of others
    Curate,
}

/// A member of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The account.
    pub account: String,
    /// What it may do.
    pub role: Role,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Curate];

    /// Returns the name of the role.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Curate => "curate",
        }
    }

    /// Returns the role of this name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == word)
    }
}

impl TeamServer {
    /// Sets the server up, or updates it, adds a project, and makes this account a curator of it. Returns the
    /// name of the account.
    ///
    /// # Errors
    /// `Denied` if the account may not create a schema; `Unavailable` if the server cannot be reached.
    pub fn create_project(&self, project: &str) -> Result<String> {
        let mut connection = self.connect()?;
        let (database, account) = (&self.address().database, self.address().account_argument());
        let rights = format!(
            "use the account that ran `interleaf team init` here, with --url; if none has, the owner of the \
             database grants the right: GRANT CREATE ON DATABASE {} TO {}",
            quoted(database),
            quoted(account)
        );
        schema::create(&mut connection, &rights)?;
        connection.administer(&rights, |transaction| {
            transaction.query_typed(
                "INSERT INTO interleaf.project (name) VALUES ($1) ON CONFLICT (name) DO NOTHING",
                &[(&project, Type::TEXT)],
            )?;
            let account: String = transaction.query_typed_one("SELECT session_user::text", &[])?.get(0);
            set_role(transaction, project, &account, Role::Curate)?;
            Ok(account)
        })
    }

    /// Tells whether the server has an account of this name, which this account may then invite to a project.
    ///
    /// # Errors
    /// As for [`TeamServer::invite`].
    pub fn has_account(&self, project: &str, account: &str) -> Result<bool> {
        self.connect()?.administer(ADMINISTRATOR, |transaction| {
            schema::require(transaction)?;
            require_administrator(transaction, self.address())?;
            project_id(transaction, project)?;
            has_account(transaction, account)
        })
    }

    /// Gives an account a role in a project. Creates the account if the server has none of this name, and
    /// returns its new password.
    ///
    /// # Errors
    /// `Denied` if this account may not do that, or the project would have no curator; `Invalid` if there is
    /// no such project; `Unavailable` if the server cannot be reached.
    pub fn invite(&self, project: &str, account: &str, role: Role) -> Result<Option<String>> {
        self.connect()?.administer(ADMINISTRATOR, |transaction| {
            schema::require(transaction)?;
            require_administrator(transaction, self.address())?;
            if role != Role::Curate {
                keep_a_curator(transaction, project, account)?;
            }
            let is_new = !has_account(transaction, account)?;
            let password =
                is_new.then(|| create_account(transaction, account, self.address())).transpose()?;
            for rights in RIGHTS {
                transaction.batch_execute(&format!("GRANT {rights} TO {}", quoted(account)))?;
            }
            set_role(transaction, project, account, role)?;
            Ok(password)
        })
    }

    /// Takes an account out of a project, and drops it if asked. Its memories stay. Tells whether it was a
    /// member; the account of somebody who was not is left alone.
    ///
    /// # Errors
    /// As for [`TeamServer::invite`]; `Denied` if the account is to be dropped and is used elsewhere.
    pub fn revoke(&self, project: &str, account: &str, drops_account: bool) -> Result<bool> {
        self.connect()?.administer(ADMINISTRATOR, |transaction| {
            schema::require(transaction)?;
            require_administrator(transaction, self.address())?;
            keep_a_curator(transaction, project, account)?;
            let was_member = delete_member(transaction, project, account)?;
            let elsewhere = projects_of(transaction, account)?;
            if was_member && elsewhere.is_empty() {
                for rights in RIGHTS {
                    transaction.batch_execute(&format!("REVOKE {rights} FROM {}", quoted(account)))?;
                }
            }
            if was_member && drops_account {
                drop_account(transaction, account, &elsewhere)?;
            }
            Ok(was_member)
        })
    }

    /// Returns the members of a project, sorted by account.
    ///
    /// # Errors
    /// As for [`TeamServer::invite`].
    pub fn members(&self, project: &str) -> Result<Vec<Member>> {
        let mut connection = self.connect()?;
        connection.transaction(|transaction| {
            schema::require(transaction)?;
            let project = project_id(transaction, project)?;
            let rows = transaction.query_typed(
                "SELECT account::text, role FROM interleaf.member WHERE project = $1 ORDER BY account",
                &[(&project, Type::INT8)],
            )?;
            let member =
                |row: &postgres::Row| Some(Member { account: row.get(0), role: Role::parse(row.get(1))? });
            Ok(rows.iter().filter_map(member).collect())
        })
    }
}

/// Deletes a member. Tells whether it was one.
fn delete_member(
    transaction: &mut Transaction,
    project: &str,
    account: &str,
) -> std::result::Result<bool, ServerError> {
    let project = project_id(transaction, project)?;
    let deleted = transaction.query_typed(
        "DELETE FROM interleaf.member WHERE project = $1 AND account = $2::text::name RETURNING 1",
        &[(&project, Type::INT8), (&account, Type::TEXT)],
    )?;
    Ok(!deleted.is_empty())
}

/// Refuses what would take the role of the only curator: nobody could change or retire the memories of others
/// any more.
fn keep_a_curator(
    transaction: &mut Transaction,
    project: &str,
    account: &str,
) -> std::result::Result<(), ServerError> {
    let id = project_id(transaction, project)?;
    // Two curators that revoke each other at once would both find the other one.
    let lock = "SELECT FROM interleaf.project WHERE id = $1 FOR UPDATE";
    transaction.query_typed(lock, &[(&id, Type::INT8)])?;
    let curators = transaction.query_typed(
        "SELECT account::text FROM interleaf.member WHERE project = $1 AND role = 'curate'",
        &[(&id, Type::INT8)],
    )?;
    match curators.as_slice() {
        [only] if only.get::<_, &str>(0) == account => {
            Err(Error::denied(format!("`{account}` is the only curator of the project `{project}`"))
                .hint("invite another one first: interleaf team invite ACCOUNT --role curate")
                .into())
        }
        _ => Ok(()),
    }
}

/// Returns the names of the projects in which an account has a role.
fn projects_of(
    transaction: &mut Transaction,
    account: &str,
) -> std::result::Result<Vec<String>, ServerError> {
    let rows = transaction.query_typed(
        "SELECT name FROM interleaf.project JOIN interleaf.member ON project = id
         WHERE account = $1::text::name ORDER BY name",
        &[(&account, Type::TEXT)],
    )?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

fn set_role(
    transaction: &mut Transaction,
    project: &str,
    account: &str,
    role: Role,
) -> std::result::Result<(), ServerError> {
    let project = project_id(transaction, project)?;
    transaction.query_typed(
        "INSERT INTO interleaf.member (project, account, role) VALUES ($1, $2::text::name, $3)
         ON CONFLICT (project, account) DO UPDATE SET role = excluded.role",
        &[(&project, Type::INT8), (&account, Type::TEXT), (&role.as_str(), Type::TEXT)],
    )?;
    Ok(())
}

pub(super) fn project_id(
    transaction: &mut Transaction,
    project: &str,
) -> std::result::Result<i64, ServerError> {
    let sql = "SELECT id FROM interleaf.project WHERE name = $1";
    match transaction.query_typed_opt(sql, &[(&project, Type::TEXT)])? {
        Some(row) => Ok(row.get(0)),
        None => Err(Error::denied(format!(
            "your account has no role in the project `{project}`, or the server has no such project"
        ))
        .hint(
            "ask its administrator for: interleaf team invite ACCOUNT; if the project has another \
             name there, set `sync.project`; a new one is added with: interleaf team init",
        )
        .into()),
    }
}
