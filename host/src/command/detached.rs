//! A process behind a hook's back: it outlives the hook and holds none of its streams, because Claude Code waits for
//! those. Where it cannot be started, the next event tries again.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::claude::settings::CALLER_VARIABLE;

/// Starts `interleaf` with this verb for the project that `folder` belongs to. It has a process group of its own, so that
/// an interrupt at the terminal does not reach it, and the environment of this process: keys of models are in it.
pub(super) fn start(verb: &str, folder: &Path) {
    let Ok(program) = std::env::current_exe() else { return };
    let mut command = Command::new(program);
    // What it starts in turn was not called by whoever called this hook.
    command.arg(verb).env("CLAUDE_PROJECT_DIR", folder).env_remove(CALLER_VARIABLE).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    drop(command.spawn());
}
