//! The accounts of a server: whether there is one, who administers the others, and how one is created and
//! dropped, so that nobody gets the rights of a former account of the same name.

use postgres::Transaction;
use postgres::error::SqlState;
use postgres::types::Type;

use super::server_address::ServerAddress;
use super::server_error::{ServerError, lacks_rights};
use crate::error::Error;

/// The number of bytes of a new password, before they become text.
const PASSWORD_BYTES: usize = 18;

/// Tells whether the server has an account of this name.
pub(super) fn has_account(
    transaction: &mut Transaction,
    account: &str,
) -> std::result::Result<bool, ServerError> {
    let sql = "SELECT FROM pg_roles WHERE rolname = $1";
    Ok(transaction.query_typed_opt(sql, &[(&account, Type::TEXT)])?.is_some())
}

/// Refuses an account that did not set the server up, before it is asked anything. A superuser may do all.
pub(super) fn require_administrator(
    transaction: &mut Transaction,
    address: &ServerAddress,
) -> std::result::Result<(), ServerError> {
    let row = transaction.query_typed_one(
        "SELECT pg_has_role(session_user, nspowner, 'USAGE'), pg_get_userbyid(nspowner)::text
         FROM pg_namespace WHERE nspname = 'interleaf'",
        &[],
    )?;
    let (is_administrator, owner): (bool, String) = (row.get(0), row.get(1));
    if is_administrator {
        return Ok(());
    }
    let (server, account) = (&address.name, address.account());
    Err(Error::denied(format!("{server}: {account} may not change who is in a project"))
        .hint(format!("use the account `{owner}`, which set the server up, with --url"))
        .into())
}

/// Creates an account and returns its password. The server receives a verifier and not the password, because
/// it may log the statement.
pub(super) fn create_account(
    transaction: &mut Transaction,
    account: &str,
    address: &ServerAddress,
) -> std::result::Result<String, ServerError> {
    let mut bytes = [0; PASSWORD_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::unavailable(format!("no random numbers for a password: {error}")))?;
    let password: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let verifier = postgres_protocol::password::scram_sha_256(password.as_bytes());
    let create = format!("CREATE ROLE {} LOGIN PASSWORD '{verifier}'", quoted(account));
    transaction.batch_execute(&create).map_err(|error| match lacks_rights(&error) {
        true => may_create_no_accounts(address).into(),
        false => ServerError::from(error),
    })?;
    forget_former(transaction, account)?;
    Ok(password)
}

/// Takes the roles of a dropped account from its name, and what it wrote, which then belongs to nobody: no
/// account has an empty name. So a new account of that name gets no rights of the former one.
fn forget_former(transaction: &mut Transaction, account: &str) -> std::result::Result<(), ServerError> {
    for statement in [
        "DELETE FROM interleaf.member WHERE account = $1::text::name",
        "UPDATE interleaf.entry SET account = '' WHERE account = $1::text::name",
    ] {
        transaction.query_typed(statement, &[(&account, Type::TEXT)])?;
    }
    Ok(())
}

fn may_create_no_accounts(address: &ServerAddress) -> Error {
    let (server, account) = (&address.name, address.account());
    Error::denied(format!("{server}: {account} may not create accounts")).hint(format!(
        "a superuser of the server grants that: ALTER ROLE {} CREATEROLE; or invite an account that exists",
        quoted(address.account_argument())
    ))
}

/// Drops an account that is not used elsewhere. Postgres itself knows what an account owns and may do.
pub(super) fn drop_account(
    transaction: &mut Transaction,
    account: &str,
    projects: &[String],
) -> std::result::Result<(), ServerError> {
    if let Some(project) = projects.first() {
        let what = format!("`{account}` also has a role in the project `{project}`, so nothing was changed");
        let first = format!("take it out there first: interleaf team revoke {account} --project {project}");
        return Err(Error::denied(what).hint(first).into());
    }
    forget_former(transaction, account)?;
    transaction.batch_execute(&format!("DROP ROLE {}", quoted(account))).map_err(|error| {
        match error.as_db_error().filter(|error| is_dependency(error.code())) {
            Some(refused) => is_used(account, refused.detail().unwrap_or_default()).into(),
            None => ServerError::from(error),
        }
    })
}

fn is_dependency(code: &SqlState) -> bool {
    *code == SqlState::DEPENDENT_OBJECTS_STILL_EXIST
}

fn is_used(account: &str, what: &str) -> Error {
    let what = what.lines().collect::<Vec<_>>().join(", ");
    Error::denied(format!(
        "`{account}` owns something or has rights elsewhere on the server, so nothing was changed: {what}"
    ))
    .hint(format!("to take it out of the project only: interleaf team revoke {account}"))
}

/// Quotes a name of SQL.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
