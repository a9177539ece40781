//! `interleaf team`: sets a Postgres server up for the memories of a team, and says who may read and write
//! them there.

use std::io::Write;

use interleaf_text::for_terminal;
use serde_json::json;

use super::confirm;
use super::output::Output;
use crate::config::user_file;
use crate::error::{Error, ErrorKind, Result};
use crate::project_context::ProjectContext;
use crate::replica::project_name;
use crate::team_server::{Role, TeamServer};

/// Share memories through a Postgres server
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Init(InitArgs),
    Invite(InviteArgs),
    List(ListArgs),
    Revoke(RevokeArgs),
}

/// The server and the project.
#[derive(Debug, clap::Args)]
struct ServerArgs {
    /// The server, with the account that administers it; its password is in PGPASSWORD. Otherwise
    /// `sync.postgres`
    #[arg(long)]
    url: Option<String>,
    /// The project on the server. Otherwise `sync.project`, or host and path of the git remote
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
}

/// Set the server up, or update it, and add this project
///
/// The account needs the right to create a schema in the database. It becomes a curator of the project.
#[derive(Debug, clap::Args)]
struct InitArgs {
    #[command(flatten)]
    server: ServerArgs,
}

/// Let an account read or write the memories of this project
///
/// Creates the account if the server has none of this name, and shows its password once. For an account that
/// has a role already, the role is changed.
#[derive(Debug, clap::Args)]
struct InviteArgs {
    /// The account of Postgres
    account: String,
    /// What it may do
    #[arg(long, default_value = "write")]
    role: Role,
    #[command(flatten)]
    server: ServerArgs,
}

/// List who may do what in this project
#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    server: ServerArgs,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Take an account out of this project
///
/// What it wrote stays, and so does what its machines have received. The account itself stays as well.
#[derive(Debug, clap::Args)]
struct RevokeArgs {
    /// The account of Postgres
    account: String,
    #[command(flatten)]
    server: ServerArgs,
}

/// Runs the verb.
pub fn run(args: Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    match args.verb {
        Verb::Init(args) => init(&args, context, out),
        Verb::Invite(args) => invite(&args, context, out),
        Verb::List(args) => list(&args, context, out),
        Verb::Revoke(args) => revoke(&args, context, out),
    }
}

impl ServerArgs {
    fn server(&self, context: &ProjectContext) -> Result<TeamServer> {
        match &self.url {
            Some(url) => TeamServer::at(url),
            None => TeamServer::configured(&context.config.sync)?.ok_or_else(|| {
                Error::invalid("no Postgres server is named")
                    .hint("name it with --url postgres://ACCOUNT@HOST/DATABASE")
            }),
        }
    }

    fn project(&self, context: &ProjectContext) -> String {
        self.project.clone().unwrap_or_else(|| project_name(&context.project, &context.config.sync))
    }
}

fn init(args: &InitArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    confirm::require_person("interleaf team init")?;
    let (server, project) = (args.server.server(context)?, args.server.project(context));
    let account = server.create_project(&project).map_err(|error| {
        needs(error, "use an account that may create schemas in this database, with --url")
    })?;
    let (name, project) = (for_terminal(server.name()), for_terminal(&project));
    writeln!(out, "{name} has the project `{project}`, and `{}` curates it.", for_terminal(&account))?;
    writeln!(out, "To let others in: interleaf team invite ACCOUNT")?;
    writeln!(out, "To exchange your memories: interleaf sync --to postgres")?;
    if context.config.sync.postgres.is_none() {
        write_setting(&server.url_of(&account), context, out)?;
    }
    Ok(())
}

fn invite(args: &InviteArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    confirm::require_person("interleaf team invite")?;
    let (server, project) = (args.server.server(context)?, args.server.project(context));
    let password = server.invite(&project, &args.account, args.role).map_err(|error| {
        needs(error, "use the account that ran `interleaf team init`; it also needs the right CREATEROLE")
    })?;
    let account = for_terminal(&args.account);
    let role = args.role.as_str();
    writeln!(out, "`{account}` has the role `{role}` in the project `{}`.", for_terminal(&project))?;
    if let Some(password) = password {
        writeln!(out, "The account is new. Its password, which is not shown again: {password}")?;
    }
    writeln!(out, "In the project, they run: interleaf sync --to postgres")?;
    write_setting(&server.url_of(&args.account), context, out)
}

/// Writes what a person adds to their configuration to use the server.
fn write_setting(url: &str, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let file = user_file(&context.folders);
    let file = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    writeln!(out, "This needs the following in their own {file}, and the password in PGPASSWORD or in the")?;
    writeln!(out, "file that `password_file` names there:")?;
    writeln!(out, "  [sync]")?;
    Ok(writeln!(out, "  postgres = \"{}\"", for_terminal(url))?)
}

fn list(args: &ListArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let members = args.server.server(context)?.members(&args.server.project(context))?;
    for member in members {
        match args.json {
            true => out.json(&json!({ "account": member.account, "role": member.role.as_str() }))?,
            false => writeln!(out, "{}: {}", for_terminal(&member.account), member.role.as_str())?,
        }
    }
    Ok(())
}

fn revoke(args: &RevokeArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    confirm::require_person("interleaf team revoke")?;
    let (server, project) = (args.server.server(context)?, args.server.project(context));
    let was_member = server
        .revoke(&project, &args.account)
        .map_err(|error| needs(error, "use the account that ran `interleaf team init`, with --url"))?;
    let (account, project) = (for_terminal(&args.account), for_terminal(&project));
    match was_member {
        true => Ok(writeln!(out, "`{account}` has no role in the project `{project}` any more.")?),
        false => Err(Error::invalid(format!("`{account}` has no role in the project `{project}`"))
            .hint("interleaf team list")
            .into()),
    }
}

/// Says which rights an administrator needs.
fn needs(error: Error, rights: &str) -> Error {
    match error.kind {
        // A hint about the password is already there.
        ErrorKind::Denied if error.message.contains("permission denied") => error.hint(rights),
        _ => error,
    }
}
