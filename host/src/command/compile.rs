//! `interleaf compile`: compiles the layers beforehand, so that no event has to. `init` does it; a hook that runs out
//! of time over it has it done behind its back.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::error::Result;
use crate::project_context::ProjectContext;
use crate::sandbox::Sandbox;

/// Compiles what is not in the cache yet, unless another process is at it.
pub fn run(context: &ProjectContext) -> Result<()> {
    match alone(&context.folders.cache) {
        Ok(Some(_until_done)) => compile(context),
        Ok(None) => Ok(()),
        // Where no lock can be had, twice is better than never.
        Err(_) => compile(context),
    }
}

fn compile(context: &ProjectContext) -> Result<()> {
    let sandbox = Sandbox::new(Some(&context.folders.cache))?;
    let roster = context.roster();
    let members = roster.members().iter().filter(|member| member.gone.is_none());
    let failed: Vec<_> = members.filter_map(|member| sandbox.load(&member.layer).err()).collect();
    failed.into_iter().next().map_or(Ok(()), Err)
}

/// A lock that lasts as long as the file is open; none if another process holds it. Every event of a session may start
/// such a process while a large layer compiles.
fn alone(cache: &Path) -> std::io::Result<Option<File>> {
    std::fs::create_dir_all(cache)?;
    let file = OpenOptions::new().create(true).append(true).open(cache.join("compiling.lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
