//! Parts of a real environment for the harness: the system's time, a project and its configuration, the
//! memories of a file. Layers work on copies, so the user's own data never changes.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::Harness;
use crate::claude::Transcript;
use crate::clock::Clock;
use crate::config::Activation;
use crate::error::{Error, Result};
use crate::grant::Trace;
use crate::llm::Model;
use crate::log::Log;
use crate::memory::{ImportTrust, NearDuplicates, SqliteStore, Store};
use crate::project_context::ProjectContext;
use crate::sandbox::Sandbox;

impl Harness {
    /// Records traces of the layers in [`Outcome::traces`](super::Outcome::traces).
    #[must_use]
    pub fn trace(mut self) -> Self {
        self.trace = Some(Trace::default());
        self
    }

    /// Caches compiled layers in a folder and maps them from it, as in a hook.
    ///
    /// # Errors
    /// As for [`Sandbox::new`].
    pub fn cache_folder(mut self, folder: &Path) -> Result<Self> {
        self.sandbox = Arc::new(Sandbox::new(Some(folder))?);
        Ok(self)
    }

    /// Uses the system's time instead of a fixed one.
    #[must_use]
    pub fn system_clock(mut self) -> Self {
        self.clock = Clock::System;
        self.log = Log::in_memory(self.clock);
        self
    }

    /// Sets the transcript of the session to a file that Claude Code wrote.
    #[must_use]
    pub fn transcript_file(mut self, file: &Path) -> Self {
        self.transcript = Some(Transcript::file(file.to_string_lossy(), self.redactor.clone()));
        self
    }

    /// Sets the language model.
    #[must_use]
    pub fn with_model(mut self, model: Arc<dyn Model>) -> Self {
        self.model = Some(model);
        self
    }

    /// Sets the settings of every layer so far, a JSON object.
    ///
    /// # Errors
    /// `Invalid` if `settings` is not an object.
    pub fn settings(mut self, settings: &Value) -> Result<Self> {
        if !settings.is_object() {
            return Err(Error::invalid(format!("settings must be a JSON object, not {settings}")));
        }
        for layer in &self.layers {
            let mut config = self.config.layer(&layer.name);
            config.settings = settings.clone();
            self.config.layers.insert(layer.name.to_string(), config);
        }
        Ok(self)
    }

    /// Stores exported memories with their stated origins.
    ///
    /// # Errors
    /// `Invalid` naming the first memory that was refused; `Unavailable` if the input cannot be read.
    pub fn import(self, input: impl Read) -> Result<Self> {
        let report = self.memories().import(input, ImportTrust::Own, NearDuplicates::Written);
        match (report.refused.into_iter().next(), report.stopped_by) {
            (Some((position, error)), _) => Err(error.context(format!("memory {position}"))),
            (None, Some(error)) => Err(error),
            (None, None) => Ok(self),
        }
    }

    /// Runs the layers in this project: with its git repository, its configuration and a copy of its
    /// memories. The project's state is not copied, and a layer's writes do not change the project.
    ///
    /// # Errors
    /// `Unavailable` if the store cannot be read; `Invalid` if one of the user's redaction patterns is not
    /// valid.
    pub fn in_project(mut self, context: &ProjectContext) -> Result<Self> {
        self = self.with_config_of(context)?;
        self.project = Some(context.project.clone());
        let copy = SqliteStore::new(self.database.clone());
        let original = SqliteStore::new(context.database.clone());
        original.for_each(&mut |memory| copy.write(&mut |transaction| transaction.insert(&memory)))?;
        Ok(self)
    }

    /// Uses only the configuration of this project. The layers are enabled even if it disables them, because
    /// the caller named them explicitly.
    ///
    /// # Errors
    /// `Invalid` if one of the user's redaction patterns is not valid.
    pub fn with_config_of(mut self, context: &ProjectContext) -> Result<Self> {
        self.config = context.config.clone();
        self.config.disabled = false;
        for layer in &self.layers {
            let mut config = self.config.layer(&layer.name);
            config.enabled = Activation::Enabled;
            self.config.layers.insert(layer.name.to_string(), config);
        }
        self.redactor = context.config.redactor()?;
        Ok(self)
    }
}
