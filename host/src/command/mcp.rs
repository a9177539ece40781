//! `interleaf mcp`: serves the memories and the recorded sessions of a project as tools, over the Model
//! Context Protocol.
//!
//! Claude Code starts the process, talks to it through standard input and output, and ends it by closing
//! standard input. The process starts no other. Each call of a tool does what the command of the same name
//! does, from finding the project to closing its database, so that the settings and the database of that
//! moment count and nothing stays open between two calls.
//!
//! `tool_server`, `message_lines` and `opening_requests` know the protocol, the other files what a tool is
//! called, what it takes and what it does.

mod answer_text;
mod message_lines;
mod opening_requests;
mod reading_tools;
mod session_tools;
mod tool_arguments;
mod tool_server;
mod tool_table;
mod writing_tools;

/// Serve the memories to Claude Code as tools (Model Context Protocol)
///
/// Claude Code starts it and talks to it over standard input and output; `interleaf init --mcp` registers it.
/// It ends with its standard input.
#[derive(Debug, clap::Args)]
pub struct Args {}

pub use tool_server::run;
