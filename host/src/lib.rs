//! Interleaf gives Claude Code a memory: hook events run through sandboxed layers, which show and save
//! memories.
//!
//! How an event is answered: Claude Code runs `interleaf hook` and writes one JSON object to its standard
//! input ([`command::hook`]). [`claude`] parses it into an event. [`project_context`] finds the project and
//! its configuration ([`config`]). The [`roster`] lists the [layers](layer) that answer such an event, and
//! the [`pipeline`] runs them concurrently. Each layer is a WASI component in the [`sandbox`], with no access
//! to anything but host functions. [`grant`] decides which host functions a layer may call; [`memory`],
//! [`project`] and [`state`] implement them, on one [`database`] per project. [`redact`] removes secrets from
//! everything that is written. The pipeline merges the replies, limits them to the budget and passes them to
//! [`claude`], which writes one JSON object, or nothing, to standard output. The [`worker`] does longer work
//! in its own process.

pub mod clock;
pub mod error;
pub mod watchdog;

pub mod command;
pub mod project_context;

pub mod approvals_file;
pub mod claude;
pub mod config;
pub mod dirs;
mod program_search;
pub mod secret_source;
mod short_digest;
pub mod switched_off;
mod url_credentials;

pub mod contract;
pub mod layer;
pub mod pipeline;
pub mod roster;
pub mod sandbox;
pub mod worker;

pub mod grant;

pub mod database;
pub mod llm;
pub mod memory;
pub mod project;
pub mod replica;
pub mod sentence_model;
pub mod sessions;
pub mod state;
pub mod team_server;

pub mod log;
pub mod redact;

pub mod harness;
