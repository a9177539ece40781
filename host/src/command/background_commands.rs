//! A process behind a hook's back: it outlives the hook and holds none of its streams, because Claude Code waits for
//! those. Where it cannot be started, the next event tries again.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::hook;
use crate::claude::settings::CALLER_VARIABLE;
use crate::error::Result;
use crate::log::Level;
use crate::project_context::ProjectContext;
use crate::sandbox::Sandbox;
use crate::worker;

/// Starts `interleaf` with this verb for the project that `folder` belongs to. It has a process group of its own, so that
/// an interrupt at the terminal does not reach it, and the environment of this process: keys of models are in it.
pub(super) fn spawn(verb: &str, folder: &Path) {
    let Ok(program) = std::env::current_exe() else { return };
    let mut command = Command::new(program);
    // What it starts in turn was not called by whoever called this hook.
    command.arg(verb).env("CLAUDE_PROJECT_DIR", folder).env_remove(CALLER_VARIABLE).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    drop(command.spawn());
}

/// Compiles what is not in the cache yet, unless another process is at it.
pub(super) fn compile_layers(context: &ProjectContext) -> Result<()> {
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
    let members = roster.members().iter().filter(|member| member.unavailable.is_none());
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

/// Does what is due in this project, unless everything is switched off or another worker is at it.
pub(super) fn run_worker() -> Result<()> {
    let context = ProjectContext::find(&hook::folder(PathBuf::new()))?;
    if context.config.disabled {
        return Ok(());
    }
    // It may live for minutes, and must not keep anybody from removing the folder that the hook was called in.
    let _ = std::env::set_current_dir("/");
    let worked = worker::run_in_background(&context);
    if let Err(error) = &worked {
        context.log.for_event(&context.project.id, "job").write(
            Level::Error,
            None,
            format!("the worker: {error}"),
        );
    }
    // A layer that is stuck in a call of the host does not keep the process alive.
    std::process::exit(i32::from(worked.is_err()))
}
