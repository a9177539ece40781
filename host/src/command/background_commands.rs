//! The hidden verbs `compile` and `work`. A hook starts them in separate processes.
//!
//! Claude Code waits until no process holds the hook's streams, so these processes have none of them. If one
//! cannot be started, the next event tries again.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::claude::settings::CALLER_VARIABLE;
use crate::dirs::try_lock_file;
use crate::error::Result;
use crate::log::Level;
use crate::project_context::{ProjectContext, session_folder};
use crate::sandbox::Sandbox;
use crate::worker;

/// Starts `interleaf ARGUMENTS` for the project of `folder`.
///
/// The process has its own process group, so an interrupt at the terminal does not reach it. It inherits the
/// environment, which contains the keys of language models.
pub(super) fn spawn<'a>(arguments: impl IntoIterator<Item = &'a OsStr>, folder: &Path) {
    let Ok(program) = std::env::current_exe() else { return };
    let mut command = Command::new(program);
    // The variable names the caller of this hook, so it must not reach the children of the new process.
    command.args(arguments).env("CLAUDE_PROJECT_DIR", folder).env_remove(CALLER_VARIABLE).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    drop(command.spawn());
}

/// Starts a process that compiles the layers that are not in the cache yet, unless one runs already or the
/// cache cannot be written. While a large layer compiles, every event of a session would start one.
pub(super) fn spawn_compilation(context: &ProjectContext, folder: &Path) {
    if let Ok(Some(lock)) = compilation_lock(context) {
        drop(lock);
        spawn([OsStr::new("compile")], folder);
    }
}

/// Compiles the layers that are not in the cache yet, unless another process does so now.
pub(super) fn compile_layers(context: &ProjectContext) -> Result<()> {
    match compilation_lock(context) {
        Ok(Some(_lock)) => compile_missing(context),
        // What cannot be locked cannot be written either.
        Ok(None) | Err(_) => Ok(()),
    }
}

fn compilation_lock(context: &ProjectContext) -> std::io::Result<Option<File>> {
    try_lock_file(&context.folders.cache.join("compiling"))
}

fn compile_missing(context: &ProjectContext) -> Result<()> {
    let sandbox = Sandbox::new(Some(&context.folders.cache))?;
    let roster = context.roster();
    let members = roster.members().iter().filter(|member| member.unavailable.is_none());
    let errors: Vec<_> = members.filter_map(|member| sandbox.load(&member.layer).err()).collect();
    errors.into_iter().next().map_or(Ok(()), Err)
}

/// Runs the jobs that are due in this project, unless Interleaf is switched off or another worker runs.
pub(super) fn run_worker(transcripts: Option<&Path>) -> Result<()> {
    let context = ProjectContext::find(&session_folder(PathBuf::new()))?;
    if context.config.disabled {
        return Ok(());
    }
    // The worker may run for minutes, and a process in a folder keeps some systems from unmounting it.
    let _ = std::env::set_current_dir("/");
    let result = worker::run_in_background(&context, transcripts);
    if let Err(error) = &result {
        let log = context.log.for_event(&context.project.id, "job");
        log.write(Level::Error, None, format!("the worker stopped: {}", error.full()));
    }
    // `exit` also ends the thread of a layer that is stuck in a host call.
    std::process::exit(i32::from(result.is_err()))
}
