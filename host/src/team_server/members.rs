//! The members of a project on the server: accounts of Postgres with a role. Their rights are granted to the
//! accounts, so that whoever has no role cannot even name a table.

use postgres::Transaction;
use postgres::types::Type;

use super::schema;
use super::server_connection::{ServerError, TeamServer};
use crate::error::{Error, Result};

/// The rights of every member; row-level security narrows them.
const RIGHTS: [&str; 3] = [
    "USAGE ON SCHEMA interleaf",
    "SELECT ON interleaf.step, interleaf.project, interleaf.member, interleaf.entry",
    "INSERT (project, id, body), UPDATE (body) ON interleaf.entry",
];

/// The number of bytes of a new password, before they become text.
const PASSWORD_BYTES: usize = 18;

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
        schema::create(&mut connection)?;
        connection.transaction(|transaction| {
            transaction.query_typed(
                "INSERT INTO interleaf.project (name) VALUES ($1) ON CONFLICT (name) DO NOTHING",
                &[(&project, Type::TEXT)],
            )?;
            let account: String = transaction.query_typed_one("SELECT session_user::text", &[])?.get(0);
            set_role(transaction, project, &account, Role::Curate)?;
            Ok(account)
        })
    }

    /// Gives an account a role in a project. Creates the account if the server has none of this name, and
    /// returns its new password.
    ///
    /// # Errors
    /// `Denied` if this account may not do that; `Invalid` if there is no such project; `Unavailable` if the
    /// server cannot be reached.
    pub fn invite(&self, project: &str, account: &str, role: Role) -> Result<Option<String>> {
        let mut connection = self.connect()?;
        connection.transaction(|transaction| {
            schema::require(transaction)?;
            let exists = "SELECT FROM pg_roles WHERE rolname = $1";
            let is_new = transaction.query_typed_opt(exists, &[(&account, Type::TEXT)])?.is_none();
            let password = is_new.then(|| create_account(transaction, account)).transpose()?;
            for rights in RIGHTS {
                transaction.batch_execute(&format!("GRANT {rights} TO {}", quoted(account)))?;
            }
            set_role(transaction, project, account, role)?;
            Ok(password)
        })
    }

    /// Takes an account out of a project. Its memories stay. Tells whether it was a member.
    ///
    /// # Errors
    /// As for [`TeamServer::invite`].
    pub fn revoke(&self, project: &str, account: &str) -> Result<bool> {
        let mut connection = self.connect()?;
        connection.transaction(|transaction| {
            schema::require(transaction)?;
            let project = project_id(transaction, project)?;
            let deleted = transaction.query_typed(
                "DELETE FROM interleaf.member WHERE project = $1 AND account = $2::text::name RETURNING 1",
                &[(&project, Type::INT8), (&account, Type::TEXT)],
            )?;
            let elsewhere = transaction.query_typed(
                "SELECT FROM interleaf.member WHERE account = $1::text::name LIMIT 1",
                &[(&account, Type::TEXT)],
            )?;
            if !deleted.is_empty() && elsewhere.is_empty() {
                for rights in RIGHTS {
                    transaction.batch_execute(&format!("REVOKE {rights} FROM {}", quoted(account)))?;
                }
            }
            Ok(!deleted.is_empty())
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

/// Creates an account and returns its password. The server receives a verifier and not the password, because
/// it may log the statement.
fn create_account(transaction: &mut Transaction, account: &str) -> std::result::Result<String, ServerError> {
    let mut bytes = [0; PASSWORD_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::unavailable(format!("no random numbers for a password: {error}")))?;
    let password: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let verifier = postgres_protocol::password::scram_sha_256(password.as_bytes());
    transaction.batch_execute(&format!("CREATE ROLE {} LOGIN PASSWORD '{verifier}'", quoted(account)))?;
    Ok(password)
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

/// Quotes a name of SQL.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
