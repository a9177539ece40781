//! **pretool**: shows memories about a command before it runs, and about a file before it is changed.
//!
//! [`tool_call`], [`rule_match`], [`memory_folder`], [`own_files`], [`rights_commands`], [`file_modes`],
//! [`queries`] and the crate `topics` make the decisions. They do not call the host, so ordinary tests can
//! run them. This file calls the host and builds the reply. Most tool calls end before the first call to the
//! host.

pub mod file_modes;
pub mod file_writes;
pub mod mcp_call;
pub mod memory_folder;
pub mod own_files;
pub mod programs;
pub mod queries;
pub mod rights_commands;
pub mod rule_match;
pub mod tool_call;
pub mod wildcards;

use interleaf_layer::prelude::*;
use interleaf_layer::settings::Table;
use interleaf_shell::{Command, CommandLine};
use mcp_call::McpCall;
use own_files::OwnFiles;
use tool_call::ToolCall;
use topics::Topics;

/// Maximum number of memories shown before a command or a change.
const MAX_MEMORIES: u32 = 2;

/// Maximum number of memories of which only the title is shown before a command, unless the setting `titles`
/// overrides it.
const DEFAULT_TITLES: u64 = 2;

/// Largest value of the setting `titles`.
const MAX_TITLES: u64 = 20;

/// Maximum number of rules shown before an irreversible command.
const MAX_SHOWN_RULES: u32 = 5;

/// Maximum number of rules compared with an irreversible command, the most important first.
const MAX_RULES: u32 = 100;

/// Maximum number of commands of one line that are compared with the rules.
const MAX_IRREVERSIBLE_COMMANDS: usize = 16;

/// Relevance assigned to a memory that names the file, and to a rule that concerns the command.
const NAMED_RELEVANCE: f32 = 0.7;

/// Heading of the block before a command.
const COMMAND_HEADING: &str = "Memories about this command";

/// The pretool layer.
pub struct Pretool;
export_layer!(Pretool: pre_tool);

impl pre_tool::Handler for Pretool {
    fn handle(event: pre_tool::Event) -> Result<Reply> {
        let Some(call) = ToolCall::read(&event.tool_name, &event.tool_input) else {
            return Ok(before_unreadable_call(&event.tool_name, &event.tool_input));
        };
        let names = file_names(&call, &event.common.cwd);
        let settings = settings::table();
        let own_files = OwnFiles::read(&settings, &event.common.cwd);
        let folder = memory_folder::guarded_folder(&settings);
        let refusal = folder.and_then(|folder| memory_folder::refusal(&call, &names, &folder));
        match (refusal, &call) {
            (Some(reason), _) => Ok(Reply::deny(reason)),
            (None, ToolCall::Command(line)) => before_command(line, own_files, &settings),
            (None, ToolCall::Change(path)) => before_change(path, &names, &own_files),
            (None, ToolCall::Mcp(call)) => Ok(before_mcp_call(call, &own_files)),
        }
    }
}

/// Asks about the input of a handled tool that cannot be read, such as one that is nested too deeply.
fn before_unreadable_call(tool: &str, input: &str) -> Reply {
    let reason = rights_commands::reason_to_ask_unparsed(input).filter(|_| tool_call::is_handled(tool));
    reason.map_or_else(Reply::silent, Reply::ask)
}

fn before_command(text: &str, own_files: OwnFiles, settings: &Table) -> Result<Reply> {
    if text.len() > rights_commands::MAX_PARSED_BYTES {
        return Ok(rights_commands::reason_to_ask_unparsed(text).map_or_else(Reply::silent, Reply::ask));
    }
    let line = CommandLine::read(text);
    let commands = &line.commands;
    let is_irreversible = |command: &&Command| topics::is_irreversible(command);
    let irreversible: Vec<&Command> =
        commands.iter().filter(is_irreversible).take(MAX_IRREVERSIBLE_COMMANDS).collect();
    let mut reply = match irreversible.is_empty() {
        true => Reply::silent(),
        false => before_irreversible(&irreversible)?,
    };
    if reply.context.is_none() {
        reply = before_topic(commands)?;
    }
    if reply.context.is_none() {
        reply = before_ordinary(commands, settings)?;
    }
    let reason = rights_commands::reason_to_ask(&line, text);
    let reason = reason.or_else(|| own_files.reason_to_ask_before_command(&line));
    reply.decisions.extend(reason.map(|reason| Decision::Ask(reason.to_owned())));
    Ok(reply)
}

/// Asks before a tool of another server changes a file of Interleaf, or runs a command that widens rights.
fn before_mcp_call(call: &McpCall, own_files: &OwnFiles) -> Reply {
    let of_command = |text: &String| {
        if text.len() > rights_commands::MAX_PARSED_BYTES {
            return rights_commands::reason_to_ask_unparsed(text);
        }
        let line = CommandLine::read(text);
        let reason = rights_commands::reason_to_ask(&line, text);
        reason.or_else(|| own_files.clone().reason_to_ask_before_command(&line))
    };
    let mut paths = call.paths.iter().filter(|_| !call.is_reading);
    let reason = call.commands.iter().find_map(of_command);
    let reason = reason.or_else(|| paths.find_map(|path| own_files.reason_to_ask_before_change(path)));
    reason.map_or_else(Reply::silent, Reply::ask)
}

/// Shows a matching rule even if it was shown before: the model may have forgotten it, and the command cannot
/// be undone. Such rules consist of everyday words (push, drop, delete) that a search ignores, so every rule
/// is compared.
fn before_irreversible(commands: &[&Command]) -> Result<Reply> {
    let filter = Filter::new().categories([Category::Constraint, Category::Decision, Category::Preference]);
    let concerns = |memory: &Memory| {
        let rule = format!("{}\n{}", memory.title, memory.text);
        commands.iter().any(|command| rule_match::concerns(command, &rule))
    };
    let rules = memory::list(&filter, Order::Importance, MAX_RULES)?.into_iter().filter(concerns);
    let mut hits: Vec<Hit> = rules.map(|memory| memory.into_hit(NAMED_RELEVANCE)).collect();
    hits.extend(search(&[queries::command_query(commands[0])], &filter)?);
    hits.retain(|hit| hit.memory.is_project_rule);
    let hits = memory::best(hits, MAX_SHOWN_RULES);
    let heading = "Settled earlier; this command cannot be undone";
    Ok(show("irreversible", &commands[0].program, heading, hits, true))
}

/// Matches the built-in topics before it reads the project's list of topics from the host.
fn before_topic(commands: &[Command]) -> Result<Reply> {
    if let Some(found) = topics::builtin_topic(commands) {
        let command = &commands[found.index];
        let reply = recall(command, found.source, &queries::for_builtin_topic(command))?;
        if reply.context.is_some() {
            return Ok(reply);
        }
    }
    if commands.is_empty() {
        return Ok(Reply::silent());
    }
    let stored = state::get(Scope::Shared, topics::STATE_KEY).ok().flatten().unwrap_or_default();
    let topics = Topics::read(&stored);
    let Some((found, topic)) = topics.find(commands).and_then(|found| Some((found, found.topic?))) else {
        return Ok(Reply::silent());
    };
    let command = &commands[found.index];
    recall(command, found.source, &queries::for_project_topic(command, &topic.command))
}

/// Searches for the commands of a line together, except those that only read or edit files, which are the
/// most frequent.
fn before_ordinary(commands: &[Command], settings: &Table) -> Result<Reply> {
    let searched: Vec<&Command> = commands.iter().filter(|command| !programs::is_everyday(command)).collect();
    match searched.first() {
        Some(command) => {
            let query = queries::line_query(&searched);
            let mut hits = memory::search(&query, &Filter::unseen(), MAX_MEMORIES)?;
            let titles = settings.integer("titles", ..=MAX_TITLES).unwrap_or(DEFAULT_TITLES);
            hits.extend(memory::suggest(&query, &Filter::unseen(), titles as u32)?);
            Ok(show("line", &command.program, COMMAND_HEADING, hits, false))
        }
        None => Ok(Reply::silent()),
    }
}

fn recall(command: &Command, source: &str, queries: &[String]) -> Result<Reply> {
    let hits = search(queries, &Filter::unseen())?;
    Ok(show(source, &command.program, COMMAND_HEADING, hits, false))
}

/// Returns the best hits of all queries.
fn search(queries: &[String], filter: &Filter) -> Result<Vec<Hit>> {
    let mut hits: Vec<Hit> = Vec::new();
    for query in queries {
        hits.extend(memory::search(query, filter, MAX_MEMORIES)?);
    }
    Ok(memory::best(hits, MAX_MEMORIES))
}

/// Returns the names of the file that the call changes; none for a command.
fn file_names(call: &ToolCall, cwd: &str) -> Vec<String> {
    match call {
        ToolCall::Change(path) => {
            tool_call::file_names(path, cwd, project::relative_path(path).ok().flatten())
        }
        ToolCall::Command(_) | ToolCall::Mcp(_) => Vec::new(),
    }
}

fn before_change(path: &str, names: &[String], own_files: &OwnFiles) -> Result<Reply> {
    if let Some(reason) = own_files.reason_to_ask_before_change(path) {
        return Ok(Reply::ask(reason));
    }
    let memories = memory::about_files(names, &Filter::unseen(), MAX_MEMORIES)?;
    let hits = memories.into_iter().map(|memory| memory.into_hit(NAMED_RELEVANCE)).collect();
    Ok(show("file", "", "Memories about this file", hits, false))
}

/// Shows the hits and logs the decision.
fn show(source: &str, program: &str, heading: &str, hits: Vec<Hit>, is_urgent: bool) -> Reply {
    if hits.is_empty() {
        return Reply::silent();
    }
    let relevance = hits.iter().map(|hit| hit.relevance).fold(0.0, f32::max);
    log::decision(&serde_json::json!({ "pretool": {
        "matched": source, "program": program, "hits": hits.len(), "relevance": relevance,
        "urgent": is_urgent,
    } }));
    let reply = Reply::memories(heading, hits);
    if is_urgent { reply.urgent() } else { reply }
}
