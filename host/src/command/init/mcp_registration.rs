//! The server of `interleaf mcp` in a project's `.mcp.json`.
//!
//! Claude Code reads a project's servers from this file alone, and asks the person before it starts one. A
//! team commits the file. For one person it is kept out of commits, because it has a path of this machine.

use std::path::Path;

use super::git_exclude::{self, CommitStatus};
use super::install_record::InstallRecord;
use super::plan::Plan;
use crate::claude::settings::{MCP_FILE, McpServers, ServerCommand};
use crate::command::file_edit::{FileEdit, FileEdits};
use crate::error::{Error, Result};

/// The name of the list of servers in the [record](InstallRecord::empty_lists).
const EMPTY_LIST: &str = "mcpServers";

/// Registers the server.
pub(super) fn add(plan: &mut Plan, command: ServerCommand<'_>, root: &Path) -> Result<()> {
    let file = plan.edits.file(MCP_FILE)?;
    let mut servers = McpServers::parse(file.text()).map_err(|error| error.context(MCP_FILE))?;
    if let ServerCommand::Program(program) = command
        && !servers.registers_interleaf()
    {
        check_stays_here(file, program, root)?;
    }
    if servers.has_empty_list() {
        plan.record.empty_lists.insert(MCP_FILE.to_owned(), vec![EMPTY_LIST.to_owned()]);
    }
    servers.register(command).map_err(|error| error.context(MCP_FILE))?;
    let effect = "offers the memories as tools; Claude Code asks you before it starts the server";
    file.set(servers.text().to_owned(), effect);
    match command {
        ServerCommand::Program(_) => plan.exclude(MCP_FILE, "which is for this machine", root),
        ServerCommand::Shared => Ok(()),
    }
}

/// Refuses to write a path of this machine into a file that a commit would take to others.
fn check_stays_here(file: &FileEdit, program: &str, root: &Path) -> Result<()> {
    match git_exclude::commit_status(root, MCP_FILE) {
        CommitStatus::Ignored => Ok(()),
        CommitStatus::Untracked(_) if !file.existed() => Ok(()),
        _ => Err(Error::conflict(format!("{MCP_FILE} is the team's, and the path of this program is yours"))
            .hint(format!(
                "register it for the team with `interleaf init --shared --mcp`, or for you alone with \
                 `claude mcp add interleaf -- \"{program}\" mcp`"
            ))),
    }
}

/// Removes the server, and the file if `init` created it and nothing else is in it. A file that cannot be
/// read is not ours.
pub(crate) fn remove(edits: &mut FileEdits, record: &InstallRecord) {
    let Ok(file) = edits.file(MCP_FILE) else { return };
    let Some(mut servers) = McpServers::parse(file.text()).ok().filter(McpServers::registers_interleaf)
    else {
        return;
    };
    servers.unregister(record.empty_lists.contains_key(MCP_FILE));
    file.set(servers.text().to_owned(), "no longer offers the memories as tools");
    if servers.is_empty() && record.created.iter().any(|created| created == MCP_FILE) {
        file.delete();
    }
}
