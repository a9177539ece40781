//! Kit for black-box tests, which run `interleaf` as a process and never link it. Their results hold for the
//! file that people install.
//!
//! - Building: [`workspace`] (folders of the build), [`cargo`], [`program`] (the built binary), [`guests`]
//!   (layers made for the tests), [`examples`].
//! - Running: [`run`] (one process, its output, a time limit), [`scratch`] (a home and a project for one
//!   test), [`unprivileged`] (another user's process), [`random`].
//! - Hostile input: [`recorded_events`] (payloads of the real Claude Code), [`hostile_input`] (broken
//!   variants), [`harmless`] (the rule that every hook must keep).
//! - Tool calls: [`tool_decision`] (what the hook decides before one).
//! - Layers: [`team_layers`] (adding them to a project), [`transcript_builder`].
//! - Models: [`stub_llm`] (a server for Interleaf's own requests), [`scripted_model`] (answers for the
//!   recorded sessions).
//! - Sentence models: [`published_model`] (a small one), [`stub_site`] (where it can be downloaded).
//! - The real client: [`client`] (Claude Code itself), [`stub_api`] (its model), [`shell_hooks`] (hooks
//!   without `interleaf`), [`skip`] (reports of skipped tests).
//! - The Model Context Protocol: [`mcp_session`] (a client of `interleaf mcp`).
//! - Memories of teams: [`postgres_server`] (a real server).
//! - Documents: [`doc_references`] (tests that a page names).

pub mod cargo;
pub mod client;
pub mod doc_references;
pub mod examples;
pub mod guests;
pub mod harmless;
pub mod hostile_input;
pub mod mcp_session;
pub mod postgres_server;
pub mod program;
pub mod published_model;
pub mod random;
pub mod recorded_events;
pub mod run;
pub mod scratch;
pub mod scripted_model;
pub mod shell_hooks;
pub mod skip;
pub mod stub_api;
pub(crate) mod stub_http;
pub mod stub_llm;
pub mod stub_site;
pub mod team_layers;
pub mod tool_decision;
pub mod transcript_builder;
pub mod unprivileged;
pub mod workspace;
