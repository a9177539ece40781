//! A team's own layer in a scene: the example in one of its languages, as a project offers it and a person
//! accepts it.

use std::fs;

use anyhow::{Context, Result};
use serde_json::Value;

use super::scene::Scene;
use crate::checkout::said;
use crate::example::Language;

/// The layer's name.
const LAYER: &str = "protect-branch";

/// What it asks for. Pretool has something to say of a force push as well; what is measured is this layer
/// alone.
const ASKS: &str = "\
[layers.pretool]
enabled = false
[layers.protect-branch.grants]
decide = [\"ask\"]
memory = { read = [\"constraint\"] }
project = true
";

/// What the layer shows with its question.
const RULE: &str = "Never force push to main: the deploy robot follows it, and the auditors read its history";

/// What it asks about: a branch that is named, so that git is not asked as well.
pub const PUSH: &str = "git push --force origin main";

/// What it lets pass.
pub const OTHER: &str = "cargo test --workspace 2>&1 | tail -20";

/// Puts the layer into the scene's project and accepts it, which compiles it.
pub fn accept(scene: &Scene, language: &Language) -> Result<()> {
    let folder = scene.project.join(".claude/layers");
    fs::create_dir_all(&folder)?;
    fs::copy(language.component()?, folder.join(LAYER).with_extension("wasm"))?;
    fs::write(scene.project.join(".claude/interleaf.toml"), ASKS)?;
    said(&mut scene.interleaf(&["remember", "--category", "constraint", RULE]))?;
    let digest = format!("sha256:{}", digest(scene)?);
    said(&mut scene.interleaf(&["layer", "accept", LAYER, "--digest", &digest])).map(drop)
}

fn digest(scene: &Scene) -> Result<String> {
    let list = said(&mut scene.interleaf(&["layer", "list", "--json"]))?;
    let mut layers = list.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let layer = layers.find(|layer| layer["name"] == LAYER).context("the layer is not listed")?;
    Ok(layer["digest"].as_str().context("the layer has no digest")?.to_owned())
}
