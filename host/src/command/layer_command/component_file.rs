//! The arguments of `interleaf layer check` and `run` that name a component: its file, its name and its
//! grants.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::command::config_command;
use crate::config::{Diagnostic, LoadedConfig};
use crate::dirs::read_file;
use crate::error::{Error, Result};
use crate::layer::{EventName, Grants, Layer};
use crate::project_context::ProjectContext;
use crate::roster::MAX_COMPONENT_BYTES;

/// A component in a file.
#[derive(Debug, clap::Args)]
pub struct ComponentFile {
    /// The component, a .wasm file
    file: PathBuf,
    /// The layer's name; the name of the file if absent
    #[arg(long)]
    name: Option<String>,
    /// The grants, as JSON or as lines of TOML; repeatable. If absent, those that the file's project
    /// requests in [layers.NAME.grants]
    #[arg(long, value_name = "JSON|TOML")]
    grants: Vec<String>,
}

impl ComponentFile {
    /// Reads the component.
    ///
    /// # Errors
    /// As [`read_component`].
    pub fn read(&self) -> Result<Vec<u8>> {
        read_component(&self.file)
    }

    /// Returns the path of the file, for messages.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// Returns the layer's name. Cargo writes `my_layer.wasm` for the package `my-layer`.
    fn name(&self) -> String {
        let stem = || self.file.file_stem().unwrap_or_default().to_string_lossy().replace('_', "-");
        self.name.clone().unwrap_or_else(stem)
    }

    fn grants(&self) -> Result<Grants> {
        if self.grants.is_empty() {
            let config = self.project_config();
            return Ok(config
                .and_then(|loaded| loaded.config.layer(&self.name()).requested_grants)
                .unwrap_or_default());
        }
        let mut all = Map::new();
        for text in &self.grants {
            all.extend(parse_grants(text)?);
        }
        Grants::from_json(Value::Object(all))
    }

    /// Returns the configuration of the file's project, which requests the grants unless they are given.
    fn project_config(&self) -> Option<LoadedConfig> {
        let file = self.file.canonicalize().ok()?;
        Some(config_command::load(&ProjectContext::find(file.parent()?).ok()?))
    }

    /// Returns the problems of that configuration that concern the layer; none if the grants are given.
    pub fn config_problems(&self) -> Vec<Diagnostic> {
        let config = self.grants.is_empty().then(|| self.project_config()).flatten();
        config.map(|loaded| loaded.problems_of_layer(&self.name())).unwrap_or_default()
    }

    /// Returns the layer of this component.
    ///
    /// # Errors
    /// `Invalid` if the grants are not valid.
    pub fn layer(&self, wasm: Vec<u8>, answers: Vec<EventName>) -> Result<Layer> {
        let layer = Layer::new(&self.name(), wasm, [], self.grants()?);
        Ok(Layer { answers, source: self.file.display().to_string().into(), ..layer })
    }
}

/// Reads the file of a component.
///
/// # Errors
/// `Invalid` if it does not exist, is not a regular file, is larger than [`MAX_COMPONENT_BYTES`] or cannot be
/// read.
pub fn read_component(file: &Path) -> Result<Vec<u8>> {
    let invalid = |cause: &dyn std::fmt::Display| {
        Error::invalid(format!("cannot read {}: {cause}", file.display()))
            .hint(format!("name a component, a regular file of at most {MAX_COMPONENT_BYTES} bytes"))
    };
    let content = read_file(file, MAX_COMPONENT_BYTES).map_err(|cause| invalid(&cause))?;
    content.ok_or_else(|| invalid(&"it does not exist"))
}

/// Parses `{"memory": "read"}` or `memory = "read"`.
fn parse_grants(text: &str) -> Result<Map<String, Value>> {
    let invalid = |error: &dyn std::fmt::Display| {
        Error::invalid(format!("--grants {text}: {error}"))
            .hint("write them as in the configuration: --grants 'memory = \"read\"'")
    };
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|error| invalid(&error));
    }
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| invalid(&error.message()))?;
    let json = serde_json::to_value(table).map_err(|error| invalid(&error))?;
    Ok(json.as_object().cloned().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grants_are_read_as_json_and_as_toml() {
        for text in [r#"{"memory": "read", "decide": ["ask"]}"#, "memory = \"read\"\ndecide = [\"ask\"]"] {
            let grants = parse_grants(text).and_then(|map| Grants::from_json(Value::Object(map)));
            assert_eq!(grants.expect("valid").summary(), "decide (ask), memory (read)");
        }
        assert!(parse_grants("memory: read").is_err());
    }
}
