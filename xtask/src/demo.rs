//! `cargo xtask demo` plays two recorded sessions of a small project through the hooks of the real program.
//! The lessons of the first session are saved and shown in the second. The result can be explored with the
//! program's own commands.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::checkout::{self, fixtures, root, target};
use crate::setup;

/// The recorded sessions.
const SESSIONS: [&str; 2] = ["sessions/ledger-api/s1", "sessions/ledger-api/s2"];

/// Prepares, builds and plays the demo, and prints commands to try next.
pub fn run() -> Result<()> {
    setup::prepare()?;
    // The development profile optimizes everything but our own code: it answers a hook nearly as fast as a
    // release, and `cargo xtask test` reuses its builds.
    println!("building interleaf; the first time takes a few minutes");
    let [program, eval] = checkout::build_with_eval()?;
    let stage = target()?.join("demo");
    if stage.exists() {
        std::fs::remove_dir_all(&stage)?;
    }
    println!("\nTwo recorded sessions: the context that Claude Code would get, and the saved memories:\n");
    let mut replay = Command::new(&eval);
    replay.arg("replay").args(SESSIONS.map(|session| fixtures().join(session)));
    checkout::run(replay.arg("--keep").arg(&stage).arg("--program").arg(&program))?;
    next(&program, &stage);
    Ok(())
}

/// Prints commands that work on the result of the demo.
fn next(program: &Path, stage: &Path) {
    let [program, home, project, fixtures] =
        [program, &stage.join("interleaf"), &stage.join("home/dev/ledger-api"), &fixtures()]
            .map(|path| path.display().to_string());
    println!(
        "
The memories are in {home}, the project is {project}. To explore them:

    cd {project}
    export INTERLEAF_HOME={home}
    alias interleaf={program}

    interleaf memory list
    interleaf memory search vendor requests
    interleaf memory search --preview prompt 'how many vendor requests can we send in parallel?'
    interleaf remember 'the staging vendor key expires every Monday'
    interleaf triage --transcript {fixtures}/sessions/handbook/s1/transcript.jsonl
    interleaf log
    interleaf layer list
    interleaf doctor

To play other recorded sessions and compare them with their expectations, in this checkout:

    cargo xtask replay {fixtures}/sessions/atlas-mono --check

To use it in a project of your own:

    cargo install --path {host}
    cd YOUR-PROJECT && interleaf init",
        host = root().join("host").display(),
    );
}
