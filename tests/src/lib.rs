//! The kit of the tests that look at `interleaf` from outside, as a process, and never link it: what they prove holds
//! for the file that people install.
//!
//! Reading order: [`workspace`] (where the build puts things), [`cargo`] (building them), [`run`] (one process, its output, a hang guard),
//! [`program`] (the built binary), [`scratch`] (a world of its own for one test), [`unprivileged`] (a process of
//! somebody else's). For hostile input: [`event`] (what Claude Code really sends), [`hostile`] (what could become of
//! it), [`verdict`] (what a hook may never do), [`sweep`] (thousands of cases). For layers: [`guests`] (those made for
//! the tests), [`examples`] (those made to be copied), [`team`] (putting them into a project), [`conversation`] (what was
//! said before). For models: [`stub_llm`] (Interleaf's own questions, with every way to fail). For the real client:
//! [`stub_api`] (the model's side of the wire), [`client`] (Claude Code itself), [`hooks`] (shell hooks that need no
//! `interleaf`), [`skip`] (saying aloud that something was not tested). For
//! documents: [`documented`] (the tests that a page names).

pub mod cargo;
pub mod client;
pub mod conversation;
pub mod documented;
pub mod event;
pub mod examples;
pub mod guests;
pub mod hooks;
pub mod hostile;
pub mod program;
pub mod run;
pub mod scratch;
pub mod scripted;
pub mod skip;
pub mod stub_api;
pub mod stub_llm;
pub mod sweep;
pub mod team;
pub mod unprivileged;
pub mod verdict;
pub mod workspace;
