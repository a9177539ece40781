//! A component in a file, as its author hands it over: its name, its bytes, and the grants to try it with.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::layer::{EventName, Grants, Layer};
use crate::project_context::ProjectContext;

/// The file, and what it is to be taken for.
#[derive(Debug, clap::Args)]
pub struct File {
    /// The component, a .wasm file
    file: PathBuf,
    /// Its name; by default that of the file
    #[arg(long)]
    name: Option<String>,
    /// What it is granted, as JSON or as lines of TOML, may be given several times; by default what the project of
    /// the file asks for in [layers.NAME.grants]
    #[arg(long, value_name = "JSON|TOML")]
    grants: Vec<String>,
}

impl File {
    /// The component's bytes.
    ///
    /// # Errors
    /// `Invalid` where the file cannot be read.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        std::fs::read(&self.file)
            .map_err(|error| Error::invalid(format!("{} cannot be read: {error}", self.file.display())))
    }

    /// The file, for messages.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// The layer's name: Rust's tools write `my_layer.wasm` where the package is called `my-layer`.
    pub fn name(&self) -> String {
        let stem = || self.file.file_stem().unwrap_or_default().to_string_lossy().replace('_', "-");
        self.name.clone().unwrap_or_else(stem)
    }

    /// What it is granted.
    ///
    /// # Errors
    /// `Invalid` for what is no grant.
    pub fn grants(&self) -> Result<Grants> {
        if self.grants.is_empty() {
            return Ok(self.asks());
        }
        let mut all = Map::new();
        for text in &self.grants {
            all.extend(read(text)?);
        }
        Grants::from_json(Value::Object(all))
    }

    /// What the project that the file lies in asks for a layer of this name.
    fn asks(&self) -> Grants {
        let file = self.file.canonicalize().ok();
        let context = file.and_then(|file| ProjectContext::find(file.parent()?).ok());
        context.and_then(|context| context.config.layer(&self.name()).requested_grants).unwrap_or_default()
    }

    /// The layer that it makes.
    ///
    /// # Errors
    /// As for [`File::grants`].
    pub fn layer(&self, wasm: Vec<u8>, answers: Vec<EventName>) -> Result<Layer> {
        let layer = Layer::new(&self.name(), wasm, [], self.grants()?);
        Ok(Layer { answers, source: self.file.display().to_string().into(), ..layer })
    }
}

/// Grants as somebody types them: `{"memory": "read"}` or `memory = "read"`.
fn read(text: &str) -> Result<Map<String, Value>> {
    let unclear = |error: &dyn std::fmt::Display| {
        Error::invalid(format!("--grants {text}: {error}"))
            .hint("write them as in the configuration: --grants 'memory = \"read\"'")
    };
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|error| unclear(&error));
    }
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| unclear(&error.message()))?;
    let json = serde_json::to_value(table).map_err(|error| unclear(&error))?;
    Ok(json.as_object().cloned().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grants_are_read_as_json_and_as_toml() {
        for text in [r#"{"memory": "read", "decide": ["ask"]}"#, "memory = \"read\"\ndecide = [\"ask\"]"] {
            let grants = read(text).and_then(|map| Grants::from_json(Value::Object(map))).expect("valid");
            assert_eq!(grants.summary(), "decide (ask), memory (read)");
        }
        assert!(read("memory: read").is_err());
    }
}
