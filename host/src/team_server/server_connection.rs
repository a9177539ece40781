//! The connection to the server: its URL, the password, and TLS. Unlike with libpq, certificates are always
//! verified, and text goes unencrypted to another machine only if the URL says `sslmode=disable`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use postgres::config::{Host, SslMode};
use postgres::{Client, Config, Transaction};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;
use url::Url;

use super::server_address::ServerAddress;
use super::server_error::{PASSWORD_HINT, ServerError, described};
use crate::config::SyncConfig;
use crate::error::{Error, Result};
use crate::secret_source::SecretSource;

/// The variable with the password, as for every client of Postgres.
const PASSWORD_VARIABLE: &str = "PGPASSWORD";

/// The longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// What each transaction may take on the server. Functions are looked up in the catalog alone: an account
/// that may create some in `public` could define one that fits a call better, and whoever administers the
/// server would run it.
const LIMITS: &str = "SET LOCAL search_path = pg_catalog; SET LOCAL statement_timeout = '60s'; \
                      SET LOCAL lock_timeout = '30s'";

/// A server and the account to use there.
#[derive(Debug, Clone)]
pub struct TeamServer {
    url: Url,
    config: Config,
    root_file: Option<PathBuf>,
    password: SecretSource,
    address: ServerAddress,
}

/// An open connection.
pub(super) struct Connection {
    client: Client,
    address: ServerAddress,
}

impl TeamServer {
    /// Returns the configured server; `None` if there is none.
    ///
    /// # Errors
    /// `Invalid` if the URL cannot be read.
    pub fn configured(config: &SyncConfig) -> Result<Option<Self>> {
        let Some(url) = &config.postgres else { return Ok(None) };
        let source = match (&config.password_file, &config.password_env) {
            (Some(file), _) => SecretSource::File(file.clone()),
            (None, Some(name)) => SecretSource::Variable(name.clone()),
            (None, None) => Self::usual_source(),
        };
        Self::new(url, source).map(Some)
    }

    /// Returns the server with this URL, with the password that `PGPASSWORD` contains.
    ///
    /// # Errors
    /// `Invalid` if the URL cannot be read.
    pub fn at(url: &str) -> Result<Self> {
        Self::new(url, Self::usual_source())
    }

    fn usual_source() -> SecretSource {
        match std::env::var_os(PASSWORD_VARIABLE) {
            Some(_) => SecretSource::Variable(PASSWORD_VARIABLE.to_owned()),
            // The server may know the account in another way.
            None => SecretSource::NotNeeded,
        }
    }

    fn new(url: &str, password: SecretSource) -> Result<Self> {
        let (mut config, root_file) = read_url(url)?;
        let url = Url::parse(url).map_err(|error| invalid_url(&error))?;
        config.connect_timeout(CONNECT_TIMEOUT).application_name("interleaf");
        let address = ServerAddress::of(&config);
        Ok(Self { url, config, root_file, password, address })
    }

    /// Returns host, port and database, without account and password.
    pub fn name(&self) -> &str {
        &self.address.name
    }

    /// Returns where the server is, and the account that is used there.
    pub(super) fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// Returns the URL with which another account reaches the same database.
    pub fn url_of(&self, account: &str) -> String {
        let mut url = self.url.clone();
        // Both fail only for a URL without a host.
        let _ = url.set_password(None);
        let _ = url.set_username(account);
        let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        if pairs.iter().any(|(name, _)| name == "password") {
            set_query(&mut url, pairs.into_iter().filter(|(name, _)| name != "password").collect());
        }
        url.into()
    }

    pub(super) fn connect(&self) -> Result<Connection> {
        let mut config = self.config.clone();
        let password = self.password.read("password").map_err(|error| match error.hint.is_some() {
            true => error,
            false => error.hint(PASSWORD_HINT),
        });
        if let Some(password) = password? {
            config.password(password);
        }
        let tls = MakeRustlsConnect::new(tls_config(self.root_file.as_deref())?);
        let client =
            config.connect(tls).map_err(|error| described(&error, &self.address, &invited(&self.address)))?;
        Ok(Connection { client, address: self.address.clone() })
    }
}

impl Connection {
    /// Runs a transaction of a member. The closure gets errors of the server by `?`.
    pub(super) fn transaction<T>(
        &mut self,
        run: impl FnOnce(&mut Transaction) -> std::result::Result<T, ServerError>,
    ) -> Result<T> {
        let rights = invited(&self.address);
        self.administer(&rights, run)
    }

    /// Runs a transaction. `rights` is the next step if the account lacks rights for it.
    pub(super) fn administer<T>(
        &mut self,
        rights: &str,
        run: impl FnOnce(&mut Transaction) -> std::result::Result<T, ServerError>,
    ) -> Result<T> {
        let run = || {
            let mut transaction = self.client.transaction()?;
            transaction.batch_execute(LIMITS)?;
            let result = run(&mut transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        run().map_err(|error: ServerError| match error {
            ServerError::Postgres(error) => described(&error, &self.address, rights),
            ServerError::Other(error) => error,
        })
    }

    /// Tells whether the connection was lost.
    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }
}

/// Returns the next step of an account without a role in a project.
pub(super) fn invited(address: &ServerAddress) -> String {
    let account = address.account_argument();
    format!("the administrator of the server gives it rights with: interleaf team invite {account}")
}

/// Reads a URL, and the file with the certificates to trust that it names. `verify-full` is what is done
/// anyway.
fn read_url(text: &str) -> Result<(Config, Option<PathBuf>)> {
    let mut url = Url::parse(text).map_err(|error| invalid_url(&error))?;
    let (mut root_file, mut has_mode, mut kept) = (None, false, Vec::new());
    for (name, value) in url.query_pairs().into_owned() {
        match name.as_str() {
            "sslrootcert" => root_file = Some(PathBuf::from(value)),
            // With these, a server that says it has no TLS would get everything in clear text.
            "sslmode" if matches!(&*value, "prefer" | "allow") => {}
            "sslmode" => {
                has_mode = true;
                let mode = if value.starts_with("verify-") { "require".to_owned() } else { value };
                kept.push((name, mode));
            }
            _ => kept.push((name, value)),
        }
    }
    set_query(&mut url, kept);
    let mut config: Config = url.as_str().parse().map_err(|error| invalid_url(&error))?;
    if !has_mode {
        // Within this machine, the certificate that Debian makes for each server would be refused.
        let is_local = config.get_hosts().iter().all(is_this_machine)
            && config.get_hostaddrs().iter().all(std::net::IpAddr::is_loopback);
        config.ssl_mode(if is_local { SslMode::Disable } else { SslMode::Require });
    }
    Ok((config, root_file))
}

fn set_query(url: &mut Url, pairs: Vec<(String, String)>) {
    url.set_query(None);
    if !pairs.is_empty() {
        url.query_pairs_mut().extend_pairs(pairs);
    }
}

fn invalid_url(why: &dyn std::fmt::Display) -> Error {
    Error::invalid(format!("this is not the URL of a Postgres server: {why}"))
        .hint("for example postgres://ada@db.example.com/memories")
}

fn is_this_machine(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
    }
}

/// Trusts the certificates of the file, or those of the system.
fn tls_config(root_file: Option<&Path>) -> Result<ClientConfig> {
    let mut roots = RootCertStore::empty();
    match root_file {
        Some(file) => {
            let cannot = |error: &dyn std::fmt::Display| {
                Error::invalid(format!("`sslrootcert` of the URL: {}: {error}", file.display()))
                    .hint("name a file with the certificate of the authority, in the format PEM")
            };
            for certificate in CertificateDer::pem_file_iter(file).map_err(|error| cannot(&error))? {
                let certificate = certificate.map_err(|error| cannot(&error))?;
                roots.add(certificate).map_err(|error| cannot(&error))?;
            }
        }
        // Without any, a server with TLS is refused, and the error names its certificate.
        None => drop(roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs)),
    }
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::unavailable(format!("TLS cannot be used: {error}")))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ssl_mode(url: &str) -> SslMode {
        read_url(url).expect("a URL").0.get_ssl_mode()
    }

    #[test]
    fn text_goes_unencrypted_to_another_machine_only_if_the_url_says_so() {
        for url in ["postgres://ada@db.example.com/memories", "postgres://ada@10.0.0.7/memories"] {
            assert_eq!(ssl_mode(url), SslMode::Require, "{url}");
        }
        assert_eq!(ssl_mode("postgres://ada@localhost/memories"), SslMode::Disable);
        assert_eq!(ssl_mode("postgres://ada@%2Frun%2Fpostgresql/memories"), SslMode::Disable);
        assert_eq!(ssl_mode("postgres://ada@db/memories?sslmode=disable"), SslMode::Disable);
        for mode in ["prefer", "allow", "require"] {
            let url = format!("postgres://ada@db/memories?sslmode={mode}");
            assert_eq!(ssl_mode(&url), SslMode::Require, "{mode}");
        }
        let elsewhere = "postgres://ada@localhost/memories?hostaddr=10.0.0.7";
        assert_eq!(ssl_mode(elsewhere), SslMode::Require);
        assert_eq!(ssl_mode("postgres://ada@db/memories?sslmode=verify-full"), SslMode::Require);
    }

    #[test]
    fn the_name_of_a_server_says_where_it_is_and_not_who_asks() {
        let name = |url: &str| TeamServer::at(url).expect("a URL").name().to_owned();

        assert_eq!(name("postgres://ada@db.example.com/memories"), "postgres://db.example.com/memories");
        assert_eq!(name("postgresql://db:6432/memories?sslmode=require"), "postgres://db:6432/memories");
        assert_eq!(name("postgres://ada@%2Ftmp/memories"), "postgres://%2Ftmp/memories");
        let at_home = TeamServer::at("postgres://ada@db/memories").expect("a URL");
        assert_eq!(at_home.url_of("b@b"), "postgres://b%40b@db/memories");
        let secret = TeamServer::at("postgres://ada:hunter2@db/m?password=hunter2&sslmode=require");
        assert_eq!(secret.expect("a URL").url_of("ada"), "postgres://ada@db/m?sslmode=require");
    }

    #[test]
    fn a_url_that_is_none_is_named_with_an_example() {
        for url in ["nothing", "postgres://ada@db/memories?no_such_option=1"] {
            let error = TeamServer::at(url).expect_err("not a URL");
            assert!(error.to_string().contains("not the URL"), "{error}");
        }
    }
}
