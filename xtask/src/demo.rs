//! `cargo xtask demo`: a recorded session of a small project, played through the hooks by the real program, with a
//! few memories of an earlier session in place. What is left behind can be looked at with the program's own commands.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::checkout::{self, cargo, fixtures, root, target};
use crate::setup;

/// The recorded session.
const SESSION: &str = "sessions/ledger-api/s2";

/// What the session before it would have left.
const MEMORIES: &str = "memories/ledger-api.jsonl";

/// Sets up, builds, plays, and says what to try next.
pub fn run() -> Result<()> {
    setup::prepare()?;
    // The development profile optimises everything but our own code: it answers a hook nearly as fast as a release,
    // and what it compiles serves `cargo xtask test` as well.
    println!("building interleaf; the first time takes a few minutes");
    let program = checkout::build(&mut cargo(), &[])?;
    let stage = target()?.join("demo");
    if stage.exists() {
        std::fs::remove_dir_all(&stage)?;
    }
    println!(
        "\nWhat Claude Code would be told during a recorded session, with the memories in tests/fixtures/{MEMORIES}:\n"
    );
    let mut replay = Command::new(&program);
    replay.arg("replay").arg(fixtures().join(SESSION)).arg("--memories").arg(fixtures().join(MEMORIES));
    checkout::run(replay.arg("--keep").arg(&stage))?;
    next(&program, &stage);
    Ok(())
}

/// Commands that work on what the demo left behind.
fn next(program: &Path, stage: &Path) {
    let [program, home, project, fixtures] =
        [program, &stage.join("interleaf"), &stage.join("home/dev/ledger-api"), &fixtures()]
            .map(|path| path.display().to_string());
    println!(
        "
The memories are in {home}, the project is {project}. To look around:

    cd {project}
    export INTERLEAF_HOME={home}
    alias interleaf={program}

    interleaf memory list
    interleaf memory search vendor requests
    interleaf memory search --occasion prompt 'how many vendor requests can we send in parallel?'
    interleaf remember 'the staging vendor key expires every Monday'
    interleaf layers
    interleaf doctor
    interleaf replay {fixtures}/sessions/atlas-mono/s2 --memories {fixtures}/memories/atlas-mono.jsonl --check

To use it in a project of your own:

    cargo install --path {host}
    cd YOUR-PROJECT && interleaf init",
        host = root().join("host").display(),
    );
}
