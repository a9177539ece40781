//! Interleaf gives Claude Code a memory it can trust.
//!
//! The story of an event: Claude Code runs `interleaf hook` and writes one JSON object to its standard input
//! ([`command::hook`]). [`claude`] reads it into an event. [`project_context`] finds the project and what this user has set for it
//! ([`config`]). The [`layer`] roster says which layers answer such an event, and the [`pipeline`] runs them side by
//! side. Each runs in the [`sandbox`], a WASI component that reaches the outside only through host functions; [`grant`]
//! decides whether it may, and asks [`memory`], [`project`] and [`state`] for it, which keep what they know in one
//! [`database`]. Everything that is written passes [`redact`]. What the layers answer is folded, held to the budget and
//! handed back to [`claude`], which writes one JSON object, or nothing, to standard output.
//! What a layer put off the [`worker`] does, in a process of its own.

pub mod clock;
pub mod error;
pub mod watchdog;

pub mod command;
pub mod project_context;

pub mod approvals;
pub mod claude;
pub mod config;
pub mod dirs;

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
pub mod state;

pub mod log;
pub mod redact;

pub mod harness;
