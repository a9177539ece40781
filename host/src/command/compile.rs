//! `interleaf compile`: compiles the layers beforehand, so that no event has to. `init` does it; a hook that runs out
//! of time over it has it done behind its back.

use std::process::{Command, Stdio};

use crate::error::Result;
use crate::here::Here;
use crate::layer::Layer;
use crate::sandbox::Sandbox;

/// Compiles what is not in the cache yet.
pub fn run(here: &Here) -> Result<()> {
    let sandbox = Sandbox::new(Some(&here.folders.cache))?;
    Layer::embedded().iter().try_for_each(|layer| sandbox.load(layer).map(drop))
}

/// Does it in a process that outlives this one and holds none of its streams: Claude Code waits for those. Where it
/// cannot be started, the next event tries again.
pub(super) fn detached() {
    let Ok(program) = std::env::current_exe() else { return };
    let mut command = Command::new(program);
    command.arg("compile").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    drop(command.spawn());
}
