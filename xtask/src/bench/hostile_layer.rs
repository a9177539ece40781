//! `cargo xtask bench --hostile` measures a hook with a layer that misbehaves, and prints what is logged
//! about that layer. The memory that recall finds must be in every reply.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::fixture::Fixture;
use super::options::{Options, Program};
use super::process::{self, Sample};
use crate::checkout::{self, cargo, output_of, target};

/// Behaviors of the layer `tests/layers/hostile`, selected by the beginning of the prompt.
const BEHAVIORS: [&str; 13] = [
    "behave",
    "spin",
    "spin around a host call",
    "allocate",
    "recurse",
    "trap",
    "exit with 0",
    "refuse",
    "flood the output",
    "flood the log",
    "flood the host",
    "flood the state",
    "hand over a huge string",
];

const MEMORY: &str = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
const QUESTION: &str = "which package manager do we use here, npm or pnpm?";
const GRANTS: &str = "[layers.hostile.grants]\nmemory = \"read\"\nstate = true\n";

/// Measures every behavior with every program.
pub fn measure(options: &Options, folder: &Path, empty: &Path) -> Result<()> {
    let wasm = build()?;
    println!(
        "| program | the layer's behavior | median ms | × empty program | recorded |\n|---|---|---:|---:|---|"
    );
    for program in &options.programs {
        let fixture = hostile_fixture(folder, program, &wasm)?;
        for behavior in BEHAVIORS {
            row(&fixture, behavior, options.runs, empty)?;
        }
    }
    Ok(())
}

fn row(fixture: &Fixture, behavior: &str, runs: usize, empty: &Path) -> Result<()> {
    let (mut sample, mut nothing) = (Sample::default(), Sample::default());
    for round in 0..runs {
        nothing.add(process::run(&mut std::process::Command::new(empty), "")?);
        let ran = process::run(&mut fixture.interleaf(&["hook"]), &event(fixture, behavior, round))?;
        if !ran.stdout.contains(MEMORY) {
            bail!("{}, {behavior}: the memory of recall is missing: {}", fixture.program, ran.stdout);
        }
        sample.add(ran);
    }
    let (median, ratio) = (sample.median(), sample.median() / nothing.median());
    let recorded = recorded(fixture)?;
    println!("| {} | {behavior} | {median:.1} | {ratio:.1} | {recorded} |", fixture.program);
    Ok(())
}

/// Returns an event of a new session, because a layer that fails repeatedly in a session is suspended.
fn event(fixture: &Fixture, behavior: &str, round: usize) -> String {
    let event = json!({
        "session_id": format!("{behavior} {round}"), "cwd": fixture.project,
        "hook_event_name": "UserPromptSubmit", "prompt": format!("{behavior}: {QUESTION}"),
    });
    event.to_string()
}

/// Returns the log message about the last behavior; `nothing` if there is none.
fn recorded(fixture: &Fixture) -> Result<String> {
    let log = fixture.log();
    let text = fs::read_to_string(&log).unwrap_or_default();
    let mut lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let failure = lines.rfind(|line| line["layer"] == "hostile" && line["level"] != "info");
    let _ = fs::remove_file(&log);
    Ok(failure
        .and_then(|line| Some(line["message"].as_str()?.to_owned()))
        .unwrap_or_else(|| "nothing".to_owned()))
}

fn hostile_fixture(folder: &Path, program: &Program, wasm: &Path) -> Result<Fixture> {
    let fixture = Fixture::new(&folder.join("hostile"), program, 0, None)?;
    let layers = fixture.project.join(".claude/layers");
    fs::create_dir_all(&layers)?;
    fs::copy(wasm, layers.join("hostile.wasm"))?;
    fs::write(fixture.project.join(".claude/interleaf.toml"), GRANTS)?;
    output_of(&mut fixture.interleaf(&["compile"]))?;
    output_of(&mut fixture.interleaf(&["remember", MEMORY]))?;
    let listed = output_of(&mut fixture.interleaf(&["layer", "list", "--json"]))?;
    let mut layers = listed.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let layer = layers.find(|layer| layer["name"] == "hostile").context("the layer is not listed")?;
    let digest = format!("sha256:{}", layer["digest"].as_str().context("the layer has no digest")?);
    output_of(&mut fixture.interleaf(&["layer", "accept", "hostile", "--digest", &digest]))?;
    Ok(fixture)
}

/// Builds the layer in the folder in which the tests build it.
fn build() -> Result<PathBuf> {
    let folder = target()?.join("guests");
    let mut build = cargo();
    build.args(["build", "--quiet", "--locked", "--profile", "layer", "--target", "wasm32-wasip2"]);
    checkout::run(build.args(["--package", "hostile", "--target-dir"]).arg(&folder))?;
    Ok(folder.join("wasm32-wasip2/layer/hostile.wasm"))
}
