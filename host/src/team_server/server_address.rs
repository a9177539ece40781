//! Where a server is and who asks there, as messages name them.

use postgres::Config;
use postgres::config::Host;

/// The port of Postgres, which a URL leaves out.
const USUAL_PORT: u16 = 5432;

/// The host, the database and the account of a connection. It holds no password.
#[derive(Debug, Clone)]
pub(super) struct ServerAddress {
    /// Host, port and database, without the account.
    pub name: String,
    /// The host, with the port if it is not the usual one.
    pub host: String,
    /// The database.
    pub database: String,
    account: Option<String>,
}

impl ServerAddress {
    /// Returns the address of a connection.
    pub fn of(config: &Config) -> Self {
        let host = match config.get_hosts().first() {
            Some(Host::Tcp(name)) => name.clone(),
            Some(Host::Unix(path)) => path.display().to_string().replace('/', "%2F"),
            None => "localhost".to_owned(),
        };
        let port = config.get_ports().first().filter(|port| **port != USUAL_PORT);
        let host = port.map_or(host.clone(), |port| format!("{host}:{port}"));
        let database = config.get_dbname().or(config.get_user()).unwrap_or_default().to_owned();
        let name = format!("postgres://{host}/{database}");
        Self { name, host, database, account: config.get_user().map(str::to_owned) }
    }

    /// Names the account in a sentence.
    pub fn account(&self) -> String {
        match &self.account {
            Some(account) => format!("the account `{account}`"),
            None => "your account".to_owned(),
        }
    }

    /// Returns the account as an argument of a command.
    pub fn account_argument(&self) -> &str {
        self.account.as_deref().unwrap_or("ACCOUNT")
    }
}
