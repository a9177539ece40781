//! Jobs that hooks submit: one worker at a time runs them in the background, each once, whichever process is
//! killed.
//!
//! The layer `tests/layers/worker` submits and runs the jobs that a turn's last message names.

mod background;
mod concurrent_workers;
mod foreground;
mod killed;
mod project;
mod stuck;
