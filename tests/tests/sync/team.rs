//! The members of a team, each with a machine of their own, and the server that they share.

use std::path::Path;

use interleaf_tests::postgres_server::{ADMIN, PostgresServer};
use interleaf_tests::run::ProcessOutput;
use interleaf_tests::scratch::Scratch;

use super::clones::Clone;

/// The name of the project on the server.
pub const PROJECT: &str = "example.com/team/shop";

/// A server with a project.
pub struct Team {
    pub server: PostgresServer,
    admin: Clone,
}

/// A member, with an account on the server.
pub struct Member {
    pub clone: Clone,
    pub account: String,
    pub password: String,
}

impl Team {
    /// Starts a server with the project; `None` if Postgres is not installed.
    #[track_caller]
    pub fn new() -> Option<Self> {
        PostgresServer::start().map(Self::on)
    }

    /// Adds the project to a server.
    pub fn on(server: PostgresServer) -> Self {
        let admin = machine("Admin");
        set_server(&admin.scratch, &server.url(ADMIN.0), ADMIN.1, "");
        admin.interleaf(&["team", "init"]).success();
        Self { server, admin }
    }

    /// Runs `interleaf team` as the administrator.
    pub fn admin(&self, arguments: &[&str]) -> ProcessOutput {
        self.admin.interleaf(&[&["team"], arguments].concat())
    }

    /// Runs `interleaf team` as the administrator at a terminal, and types the answer.
    pub fn admin_at_a_terminal(&self, arguments: &str, answer: &str) -> ProcessOutput {
        self.admin.scratch.at_a_terminal(&format!("team {arguments}"), answer)
    }

    /// Invites a new account, and sets up its machine.
    pub fn member(&self, account: &str, role: &str) -> Member {
        self.join(machine(account), account, role, "")
    }

    /// Invites a new account for somebody with this clone, and writes more settings of `[sync]`.
    pub fn join(&self, clone: Clone, account: &str, role: &str, more: &str) -> Member {
        let invited = self.admin(&["invite", account, "--role", role, "--yes"]).success();
        let password = invited.split_once("not shown again: ").expect("a new account").1;
        let password = password.lines().next().expect("a line").to_owned();
        let member = Member { clone, account: account.to_owned(), password };
        member.use_server(&self.server.url(account), more);
        member
    }
}

impl Member {
    /// Uses the server at this URL, with more settings of `[sync]`.
    pub fn use_server(&self, url: &str, more: &str) {
        set_server(&self.clone.scratch, url, &self.password, more);
    }

    /// Exchanges everything.
    pub fn try_sync(&self) -> ProcessOutput {
        self.clone.interleaf(&["sync", "--to", "postgres", "--yes"])
    }

    /// Exchanges everything, which has to succeed.
    pub fn sync(&self) -> String {
        self.try_sync().success()
    }

    /// Runs SQL on the server with the account of the member.
    pub fn sql(&self, server: &PostgresServer, sql: &str) -> String {
        server.sql((&self.account, &self.password), sql)
    }
}

/// Returns a machine with a clone of the project.
pub fn machine(name: &str) -> Clone {
    let scratch = Scratch::new();
    scratch.git(&["config", "user.name", name]);
    scratch.git(&["remote", "add", "origin", "git@example.com:team/shop.git"]);
    Clone { scratch }
}

/// Writes the server and a file with the password into the user's configuration.
fn set_server(scratch: &Scratch, url: &str, password: &str, more: &str) {
    let file = scratch.root.join("db-password");
    write_private(&file, password);
    scratch.configure(&format!(
        "[sync]\npostgres = \"{url}\"\npassword_file = \"{}\"\n{more}\n",
        file.display()
    ));
}

fn write_private(file: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(file, text).expect("a fresh folder is writable");
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600)).expect("it is ours");
}
