//! The kit of the tests that look at `interleaf` from outside, as a process, and never link it: what they
//! prove holds for the file that people install.
//!
//! - Building: [`workspace`] (where the build puts things), [`cargo`], [`program`] (the built binary),
//!   [`guests`] (layers made for the tests), [`examples`].
//! - Running: [`run`] (one process, its output, a time limit), [`scratch`] (a home and a project for one
//!   test), [`unprivileged`] (another user's process), [`random`].
//! - Hostile input: [`recorded_events`] (what Claude Code really sends), [`hostile_input`] (how it could
//!   arrive broken), [`harmless`] (what a hook may never do).
//! - Layers: [`team_layers`] (putting them into a project), [`transcript_builder`].
//! - Models: [`stub_llm`] (a server for Interleaf's own requests), [`scripted_model`] (which knows the
//!   recordings).
//! - The real client: [`client`] (Claude Code itself), [`stub_api`] (its model), [`shell_hooks`] (hooks
//!   without `interleaf`), [`skip`] (saying that something was not tested).
//! - Documents: [`doc_references`] (the tests that a page names).

pub mod cargo;
pub mod client;
pub mod doc_references;
pub mod examples;
pub mod guests;
pub mod harmless;
pub mod hostile_input;
pub mod program;
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
pub mod team_layers;
pub mod transcript_builder;
pub mod unprivileged;
pub mod workspace;
