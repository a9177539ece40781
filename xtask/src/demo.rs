//! `cargo xtask demo` plays two recorded sessions of a small project through the hooks of the real program.
//! The lessons of the first session are saved and shown in the second. The result can be explored with the
//! program's own commands.
//!
//! It is played outside the checkout: the program takes no folder of its own inside a repository around the
//! project, and would use the folders of the person who looks at the demo instead.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::checkout::{self, fixtures, root};
use crate::home_listing::HomeListing;
use crate::private_stage::new_stage;
use crate::setup;

/// The recorded sessions.
const SESSIONS: [&str; 2] = ["sessions/ledger-api/s1", "sessions/ledger-api/s2"];

/// The project, of whose sessions a model's answers are recorded.
const PROJECT: &str = "ledger-api";

/// The name of the folder in which the demo is played.
const STAGE: &str = "interleaf-demo";

/// Prepares, builds and plays the demo, and prints commands to try next.
pub fn run() -> Result<()> {
    setup::prepare()?;
    // The development profile optimizes everything but our own code: it answers a hook nearly as fast as a
    // release, and `cargo xtask test` reuses its builds.
    println!("building interleaf; the first time takes a few minutes");
    let [program, eval] = checkout::build_with_eval()?;
    println!(
        "\nTwo recorded sessions: the context that Claude Code would get, and the saved memories. A\n\
         language model reads the sessions; its answers are recorded, so no model is called:\n"
    );
    let before = HomeListing::take();
    let stage = new_stage(&std::env::temp_dir(), STAGE)?;
    play(&program, &eval, &stage)?;
    before.require_same(&HomeListing::take()).context("the demo wrote into your home folder")?;
    let commands = indented(&commands(&program, &stage));
    println!(
        "
The memories are in {home}, the project is {project}. To explore them:

{commands}
To play other recorded sessions and compare them with their expectations, in this checkout:

    cargo xtask replay {fixtures}/sessions/atlas-mono --check

To use it in a project of your own:

    cargo install --path {host}
    cd YOUR-PROJECT && interleaf init",
        home = stage.join("interleaf").display(),
        project = project_in(&stage).display(),
        fixtures = fixtures().display(),
        host = root().join("host").display(),
    );
    Ok(())
}

/// Plays the sessions in `stage`, and keeps what they leave.
fn play(program: &Path, eval: &Path, stage: &Path) -> Result<()> {
    let mut replay = Command::new(eval);
    replay.arg("replay").args(SESSIONS.map(|session| fixtures().join(session)));
    replay.args(["--recorded-answers", PROJECT]);
    checkout::run(replay.arg("--keep").arg(stage).arg("--program").arg(program))?;
    if !stage.join("interleaf/data/projects").is_dir() {
        bail!("the demo saved nothing in {}", stage.display());
    }
    Ok(())
}

fn project_in(stage: &Path) -> PathBuf {
    stage.join("home/dev/ledger-api")
}

/// Returns commands that work on the result of the demo.
fn commands(program: &Path, stage: &Path) -> String {
    let word = |path: &Path| shell_word(&path.display().to_string());
    format!(
        "\
cd {project}
export INTERLEAF_HOME={home}
alias interleaf={program}

interleaf memory list
interleaf memory search vendor requests
interleaf sessions search vendor requests
interleaf memory search --preview prompt 'how many vendor requests can we send in parallel?'
interleaf remember 'the staging vendor key expires every Monday'
interleaf triage --transcript {transcript}
interleaf log
interleaf layer list
interleaf doctor
",
        project = word(&project_in(stage)),
        home = word(&stage.join("interleaf")),
        // The shell reads the words of an alias a second time.
        program = shell_word(&word(program)),
        transcript = word(&fixtures().join("sessions/handbook/s1/transcript.jsonl")),
    )
}

/// Returns a text as one word of a shell's command line.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

fn indented(lines: &str) -> String {
    let indent = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
    lines.lines().map(indent).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use interleaf_tests::run::run;
    use interleaf_tests::scratch::Scratch;

    use super::*;

    /// After this time the demo or its commands count as hanging.
    const TIMEOUT: Duration = Duration::from_secs(300);

    #[test]
    fn the_printed_commands_show_what_the_demo_saved_and_write_nowhere_else() {
        let [program, eval] = checkout::build_with_eval().unwrap();
        let scratch = Scratch::new();
        let home = scratch.root.join("empty home");
        fs::create_dir(&home).unwrap();
        let stage = new_stage(&scratch.root, STAGE).unwrap();
        play(&program, &eval, &stage).unwrap();

        let mut shell = scratch.command("sh");
        shell.env("HOME", &home).env_remove("INTERLEAF_HOME");
        shell.env(interleaf_tests::scratch::ACCOUNT_HOME_VARIABLE, &home);
        // `doctor` fails because no hooks are registered, as it should.
        let ran = run(shell.args(["-e", "-c"]).arg(commands(&program, &stage)), b"", TIMEOUT);

        assert!(ran.out().contains("pnpm"), "{}\n{}", ran.out(), ran.err());
        assert!(!ran.err().contains("is ignored"), "{}", ran.err());
        assert!(ran.out().contains("store"), "the last command was reached: {}\n{}", ran.out(), ran.err());
        assert_eq!(fs::read_dir(&home).unwrap().count(), 0, "something was written into the home folder");
    }

    #[test]
    fn a_path_with_a_space_is_one_word_of_the_printed_commands() {
        assert_eq!(shell_word("/a/b-1.x"), "/a/b-1.x");
        assert_eq!(shell_word("/a b/it's"), r"'/a b/it'\''s'");
    }
}
