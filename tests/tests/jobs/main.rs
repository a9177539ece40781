//! Work that hooks put off: done behind their back by one worker at a time, once, whoever is killed on the
//! way.
//!
//! The layer `tests/layers/worker` puts off what a turn's last message says, and does it.

mod background;
mod concurrent_workers;
mod foreground;
mod killed;
mod project;
