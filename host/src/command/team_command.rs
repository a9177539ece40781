//! `interleaf team`: sets a Postgres server up for the memories of a team, and says who may read and write
//! them there.

use std::io::Write;

use interleaf_text::for_terminal;
use serde_json::json;

use super::confirm;
use super::output::Output;
use crate::config::user_file;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;
use crate::replica::project_name;
use crate::team_server::{Role, TeamServer};

/// Share memories through a Postgres server
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit code: 0 done, 1 the server refused or was not reached, 2 the command cannot be \
    carried out as it is."
)]
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
/// If the server has no account of this name, asks whether to create it, and shows its password once. For an
/// account that has a role already, changes the role. The only curator of a project keeps that role.
#[derive(Debug, clap::Args)]
struct InviteArgs {
    /// The account of Postgres
    account: String,
    /// What it may do
    #[arg(long, default_value = "write")]
    role: Role,
    /// Create the account without asking if there is none
    #[arg(short, long)]
    yes: bool,
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
/// What it wrote stays, and so does what its machines have received. The account itself stays as well, unless
/// you have it dropped. The only curator of a project cannot be taken out.
#[derive(Debug, clap::Args)]
struct RevokeArgs {
    /// The account of Postgres
    account: String,
    /// Also drop the account, which must own nothing and have no other rights on the server
    #[arg(long)]
    drop_account: bool,
    /// Drop the account without asking
    #[arg(short, long, requires = "drop_account")]
    yes: bool,
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

    /// Says which of these options a repeated command needs. A URL may contain a password and is not shown.
    fn as_given(&self) -> &'static str {
        match (&self.url, &self.project) {
            (None, None) => "",
            (Some(_), None) => ", with the same --url",
            (None, Some(_)) => ", with the same --project",
            (Some(_), Some(_)) => ", with the same --url and --project",
        }
    }

    fn project(&self, context: &ProjectContext) -> String {
        self.project.clone().unwrap_or_else(|| project_name(&context.project, &context.config.sync))
    }
}

fn init(args: &InitArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    confirm::require_person("interleaf team init")?;
    let (server, project) = (args.server.server(context)?, args.server.project(context));
    let account = server.create_project(&project)?;
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
    let (account, role) = (for_terminal(&args.account), args.role.as_str());
    if !server.has_account(&project, &args.account)? {
        // A typo would create an account that can log in.
        writeln!(out, "There is no account `{account}` on this server.")?;
        let noninteractive =
            format!("interleaf team invite {account} --role {role} --yes{}", args.server.as_given());
        if !confirm::ask("Create it?", args.yes, &noninteractive, out)? {
            return Ok(writeln!(out, "Nothing was changed.")?);
        }
    }
    let password = server.invite(&project, &args.account, args.role)?;
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
    let account = for_terminal(&args.account);
    if args.drop_account {
        let question = format!("Drop the account `{account}` of {}?", for_terminal(server.name()));
        let noninteractive =
            format!("interleaf team revoke {account} --drop-account --yes{}", args.server.as_given());
        if !confirm::ask(&question, args.yes, &noninteractive, out)? {
            return Ok(writeln!(out, "Nothing was changed.")?);
        }
    }
    let was_member = server.revoke(&project, &args.account, args.drop_account)?;
    let project = for_terminal(&project);
    if !was_member {
        let what = format!("`{account}` has no role in the project `{project}`");
        return Err(Error::invalid(what).hint("interleaf team list shows who has one").into());
    }
    writeln!(out, "`{account}` has no role in the project `{project}` any more.")?;
    match args.drop_account {
        true => Ok(writeln!(out, "The account `{account}` was dropped.")?),
        false => Ok(()),
    }
}
