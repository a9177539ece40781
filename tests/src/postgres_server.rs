//! A Postgres server on loopback that runs without privileges, because Postgres refuses to run as root. It
//! stops when the value is dropped.

use crate::run::run;
use crate::scratch::{HANG_TIMEOUT, fresh_folder};
use crate::skip::{not_skipped, skipped};
use crate::unprivileged::{NOBODY, is_root};
use std::ffi::OsStr;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The account that administers the server, and its password.
pub const ADMIN: (&str, &str) = ("admin", "a-password-of-the-administrator");

/// The database.
const DATABASE: &str = "memories";

/// A server.
pub struct PostgresServer {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    options: String,
}

impl PostgresServer {
    /// Starts a server; `None` if Postgres is not installed, which is reported as a skipped test.
    #[track_caller]
    pub fn start() -> Option<Self> {
        Self::start_with("")
    }

    /// Starts a server that accepts TLS, with a certificate that only `ca.crt` in its folder vouches for.
    #[track_caller]
    pub fn start_with_tls() -> Option<Self> {
        Self::start_with("-c ssl=on -c ssl_cert_file=server.crt -c ssl_key_file=server.key")
    }

    #[track_caller]
    fn start_with(options: &str) -> Option<Self> {
        let Some(programs) = programs() else {
            skipped("Postgres is not installed (Debian: apt-get install postgresql)");
            return None;
        };
        not_skipped();
        let folder = fresh_folder();
        let server = Self { programs, folder, port: free_port(), options: options.to_owned() };
        server.create();
        server.pg_ctl("start");
        server.sql_in("postgres", ADMIN, &format!("CREATE DATABASE {DATABASE}"));
        Some(server)
    }

    /// Returns the URL for an account.
    pub fn url(&self, account: &str) -> String {
        format!("postgres://{account}@127.0.0.1:{}/{DATABASE}", self.port)
    }

    /// Returns a file of the server's data folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.data().join(name)
    }

    /// Returns the server's log.
    pub fn log_file(&self) -> PathBuf {
        self.folder.join("log")
    }

    /// Stops the server at once, as a crash would, if it runs, and starts it again.
    pub fn restart(&self) {
        if self.file("postmaster.pid").exists() {
            self.stop();
        }
        self.pg_ctl("start");
    }

    /// Stops the server at once, as a crash would.
    pub fn stop(&self) {
        self.pg_ctl("stop");
    }

    /// Runs SQL with an account and its password, and returns what psql prints: rows on success, the error
    /// otherwise.
    pub fn sql(&self, account: (&str, &str), sql: &str) -> String {
        self.sql_in(DATABASE, account, sql)
    }

    fn sql_in(&self, database: &str, (account, password): (&str, &str), sql: &str) -> String {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-X", "-q", "-A", "-t", "-h", "127.0.0.1", "-U", account, "-d", database, "-c", sql]);
        psql.args(["-p", &self.port.to_string()]).env("PGPASSWORD", password);
        let output = run(&mut psql, b"", HANG_TIMEOUT);
        format!("{}{}", output.out(), output.err()).trim().to_owned()
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn create(&self) {
        own(&self.folder);
        let password = self.folder.join("password");
        std::fs::write(&password, ADMIN.1).expect("a fresh folder is writable");
        own(&password);
        let pwfile = format!("--pwfile={}", password.display());
        let arguments = ["--no-sync", "--auth=scram-sha-256", "--username=admin", "--encoding=UTF8", &pwfile];
        let mut initdb = self.command("initdb");
        run(initdb.args(arguments).arg("-D").arg(self.data()), b"", HANG_TIMEOUT).success();
        if !self.options.is_empty() {
            self.create_certificates();
        }
    }

    fn create_certificates(&self) {
        let openssl = |arguments: &str| {
            let mut command = unprivileged("openssl");
            command.args(arguments.split_whitespace()).current_dir(self.data());
            run(&mut command, b"", HANG_TIMEOUT).success();
        };
        openssl("req -x509 -newkey rsa:2048 -nodes -subj /CN=authority -keyout ca.key -out ca.crt -days 2");
        openssl("req -newkey rsa:2048 -nodes -subj /CN=server -keyout server.key -out server.csr");
        std::fs::write(self.file("names"), "subjectAltName=IP:127.0.0.1").expect("root, or its owner");
        openssl(
            "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -extfile names -days 2 \
             -out server.crt",
        );
    }

    fn pg_ctl(&self, verb: &str) {
        let options = format!(
            "-c listen_addresses=127.0.0.1 -p {} -k {} -c fsync=off {}",
            self.port,
            self.folder.display(),
            self.options
        );
        let mut command = self.command("pg_ctl");
        command.args([verb, "-w", "-D"]).arg(self.data());
        match verb {
            "start" => command.args(["-o", &options, "-l"]).arg(self.log_file()),
            _ => command.args(["-m", "immediate"]),
        };
        // Without pipes, which the server would keep open.
        let null = std::process::Stdio::null;
        let status = command.stdin(null()).stdout(null()).stderr(null()).status();
        assert!(status.is_ok_and(|status| status.success()), "pg_ctl {verb}: see {}", self.folder.display());
    }

    fn command(&self, program: &str) -> Command {
        let mut command = unprivileged(self.programs.join(program));
        command.current_dir(&self.folder);
        command
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        if self.file("postmaster.pid").exists() {
            self.stop();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Returns the folder of the programs of the newest installed release.
fn programs() -> Option<PathBuf> {
    let installed = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = installed.map(|entry| entry.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = debian.chain(std::env::split_paths(&path)).collect();
    folders.retain(|folder| ["initdb", "pg_ctl", "psql"].iter().all(|name| folder.join(name).exists()));
    folders.into_iter().next()
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    listener.local_addr().expect("it is bound").port()
}

fn own(path: &Path) {
    if is_root() {
        std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).expect("root gives files away");
    }
}

/// Returns a command that runs as `nobody` if the tests run as root.
fn unprivileged(program: impl AsRef<OsStr>) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args([format!("--reuid={NOBODY}"), format!("--regid={NOBODY}")]).arg("--clear-groups");
    command.arg("--").arg(program);
    command
}
