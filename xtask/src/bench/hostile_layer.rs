//! `cargo xtask bench --hostile`: what a hook costs beside a layer that misbehaves, and what becomes of that
//! layer. The memory that recall finds must be in every reply.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::fixture::Fixture;
use super::options::{Options, Program};
use super::process::{self, Sample};
use crate::checkout::{self, cargo, said, target};

/// What the layer of `tests/layers/hostile` does for a prompt that begins so.
const MISDEEDS: [&str; 13] = [
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

/// Measures every misdeed with every program.
pub fn measure(options: &Options, folder: &Path, empty: &Path) -> Result<()> {
    let wasm = build()?;
    println!(
        "| program | the layer's misdeed | median ms | × empty program | recorded |\n|---|---|---:|---:|---|"
    );
    for program in &options.programs {
        let fixture = hostile_fixture(folder, program, &wasm)?;
        for misdeed in MISDEEDS {
            row(&fixture, misdeed, options.runs, empty)?;
        }
    }
    Ok(())
}

fn row(fixture: &Fixture, misdeed: &str, runs: usize, empty: &Path) -> Result<()> {
    let (mut sample, mut nothing) = (Sample::default(), Sample::default());
    for round in 0..runs {
        nothing.add(process::run(&mut std::process::Command::new(empty), "")?);
        let ran = process::run(&mut fixture.interleaf(&["hook"]), &event(fixture, misdeed, round))?;
        if !ran.stdout.contains(MEMORY) {
            bail!("{}, {misdeed}: the other layer was not heard: {}", fixture.program, ran.stdout);
        }
        sample.add(ran);
    }
    let (median, ratio) = (sample.median(), sample.median() / nothing.median());
    let recorded = recorded(fixture)?;
    println!("| {} | {misdeed} | {median:.1} | {ratio:.1} | {recorded} |", fixture.program);
    Ok(())
}

/// A session of its own for each: one in which a layer fails again and again goes on without it.
fn event(fixture: &Fixture, misdeed: &str, round: usize) -> String {
    let event = json!({
        "session_id": format!("{misdeed} {round}"), "cwd": fixture.project,
        "hook_event_name": "UserPromptSubmit", "prompt": format!("{misdeed}: {QUESTION}"),
    });
    event.to_string()
}

/// What the log says of the misdeed that was last; nothing for a layer that behaved.
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
    said(&mut fixture.interleaf(&["compile"]))?;
    said(&mut fixture.interleaf(&["remember", MEMORY]))?;
    let listed = said(&mut fixture.interleaf(&["layer", "list", "--json"]))?;
    let mut layers = listed.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let layer = layers.find(|layer| layer["name"] == "hostile").context("the layer is not listed")?;
    let digest = format!("sha256:{}", layer["digest"].as_str().context("the layer has no digest")?);
    said(&mut fixture.interleaf(&["layer", "accept", "hostile", "--digest", &digest]))?;
    Ok(fixture)
}

/// The layer, built where the tests build it.
fn build() -> Result<PathBuf> {
    let folder = target()?.join("guests");
    let mut build = cargo();
    build.args(["build", "--quiet", "--locked", "--profile", "layer", "--target", "wasm32-wasip2"]);
    checkout::run(build.args(["--package", "hostile", "--target-dir"]).arg(&folder))?;
    Ok(folder.join("wasm32-wasip2/layer/hostile.wasm"))
}
