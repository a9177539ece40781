//! The failures of a server, described for a person: who or what is meant, the cause, and the next step.

use std::io;

use postgres::error::{DbError, SqlState};
use rustls::CertificateError;

use super::server_address::ServerAddress;
use crate::error::Error;

/// The next step of an account that the server does not know by its password.
pub(super) const PASSWORD_HINT: &str =
    "put the account in the URL, and its password in PGPASSWORD or in the file `sync.password_file`";

/// The next step if nothing is known but that the server does not answer.
const CHECK_SERVER: &str = "check host and port in the URL, and that the server is running";

/// What can go wrong in a transaction.
pub(super) enum ServerError {
    Postgres(postgres::Error),
    Other(Error),
}

impl From<postgres::Error> for ServerError {
    fn from(error: postgres::Error) -> Self {
        Self::Postgres(error)
    }
}

impl From<Error> for ServerError {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

/// Tells whether the server refused something because the account lacks a right.
pub(super) fn lacks_rights(error: &postgres::Error) -> bool {
    error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE)
}

/// Describes an error. `rights` is the next step of an account that lacks rights.
pub(super) fn described(error: &postgres::Error, address: &ServerAddress, rights: &str) -> Error {
    if lacks_rights(error) {
        let (server, account) = (&address.name, address.account());
        return Error::denied(format!("{server}: {account} has no rights for this")).hint(rights);
    }
    match error.as_db_error() {
        Some(answer) => refused(answer, address),
        None => not_reached(error, address),
    }
}

/// Describes what the server answered. Of an error without a case here, its own text says most.
fn refused(answer: &DbError, address: &ServerAddress) -> Error {
    let (server, account) = (&address.name, address.account());
    match *answer.code() {
        SqlState::INVALID_PASSWORD => Error::denied(format!(
            "{server}: the password of {account} is wrong, or the server has no such account"
        ))
        .hint(PASSWORD_HINT),
        SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            Error::denied(format!("{server} does not let {account} in: {}", answer.message()))
                .hint("its administrator lets it in: with LOGIN for the account, and a line in pg_hba.conf")
        }
        SqlState::INVALID_CATALOG_NAME => no_database(address),
        SqlState::TOO_MANY_CONNECTIONS => Error::unavailable(format!(
            "{server} takes no more connections of {account} now"
        ))
        .hint("try again later; its administrator can raise max_connections, or the limit of the account"),
        SqlState::CANNOT_CONNECT_NOW | SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN => {
            Error::unavailable(format!("{server} is starting or stopping")).hint("try again in a moment")
        }
        SqlState::INVALID_SCHEMA_NAME | SqlState::UNDEFINED_TABLE => {
            Error::unavailable(format!("{server} is not set up for interleaf"))
                .hint("its administrator sets it up with: interleaf team init")
        }
        _ => Error::unavailable(format!("{server}: {}", answer.message())),
    }
}

fn no_database(address: &ServerAddress) -> Error {
    let (host, database) = (&address.host, &address.database);
    Error::unavailable(format!("the server {host} has no database `{database}`")).hint(format!(
        "correct the end of the URL; or its administrator creates it: createdb {database}, and then: \
         interleaf team init"
    ))
}

/// Describes why no connection came about, or why it broke off.
fn not_reached(error: &postgres::Error, address: &ServerAddress) -> Error {
    let causes: Vec<_> =
        std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source()).collect();
    let text = causes.last().map(ToString::to_string).unwrap_or_default();
    let broken = causes.iter().find_map(|cause| cause.downcast_ref::<io::Error>());
    if let Some(error) = broken.and_then(|error| error.get_ref()?.downcast_ref::<rustls::Error>()) {
        return without_trust(error, address);
    }
    without_need(&text, address).unwrap_or_else(|| {
        let (why, next) = broken.map_or_else(|| (text, CHECK_SERVER), io_cause);
        Error::unavailable(format!("{} cannot be reached: {why}", address.name)).hint(next)
    })
}

/// Describes what the server asks for and this side did not bring, or the other way round. The client tells
/// these by their texts alone.
fn without_need(text: &str, address: &ServerAddress) -> Option<Error> {
    let (server, account) = (&address.name, address.account());
    if text.contains("password missing") {
        let what = format!("{server} asks for the password of {account}, and none was given");
        return Some(Error::denied(what).hint(PASSWORD_HINT));
    }
    text.contains("server does not support TLS").then(|| {
        Error::unavailable(format!("{server} has no TLS, which a connection to it has to use"))
            .hint("its administrator sets ssl = on; ?sslmode=disable sends everything unencrypted")
    })
}

/// Returns the cause of a failed connection in words, and the next step.
fn io_cause(error: &io::Error) -> (String, &'static str) {
    let text = error.to_string();
    if text.contains("failed to lookup address") {
        return ("no host of this name was found".to_owned(), "check its spelling, and your network");
    }
    match error.kind() {
        io::ErrorKind::ConnectionRefused => ("nothing listens there".to_owned(), CHECK_SERVER),
        io::ErrorKind::TimedOut => ("it does not answer".to_owned(), "check your network and its firewall"),
        io::ErrorKind::NotFound => ("its socket is not there".to_owned(), CHECK_SERVER),
        // The number of an error says nothing to a person.
        _ => (text.split(" (os error").next().unwrap_or_default().to_owned(), CHECK_SERVER),
    }
}

/// Describes why the certificate of a server was not accepted.
fn without_trust(error: &rustls::Error, address: &ServerAddress) -> Error {
    let (server, host) = (&address.name, &address.host);
    let rustls::Error::InvalidCertificate(reason) = error else {
        return Error::unavailable(format!("{server}: no connection with TLS: {error}"))
            .hint("its administrator finds more in the log of the server");
    };
    let (why, next) = match reason {
        CertificateError::UnknownIssuer => (
            "is from an authority that this machine does not know".to_owned(),
            "add the certificate of that authority to the URL: ?sslrootcert=FILE",
        ),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            (format!("is for another host than {host}"), "name the host in the URL as the certificate does")
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            ("has expired".to_owned(), "its administrator renews it")
        }
        _ => (format!("is not valid ({error})"), "its administrator replaces it"),
    };
    Error::unavailable(format!("{server} cannot be reached: its certificate {why}")).hint(next)
}
