//! `interleaf work`: the worker behind a hook's back (see [`crate::worker`]).

use std::path::PathBuf;

use super::hook;
use crate::error::Result;
use crate::log::Level;
use crate::project_context::ProjectContext;
use crate::worker;

/// Does what is due in this project, unless everything is switched off or another worker is at it.
pub fn run() -> Result<()> {
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
