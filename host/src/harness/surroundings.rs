//! Surroundings that are less made up: the time of the day, a project as it is, memories of a file. Whatever a layer
//! does in them, nothing of the person's changes.

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
use crate::memory::{ImportTrust, SqliteStore, Store};
use crate::project_context::ProjectContext;
use crate::redact::Redactor;
use crate::sandbox::Sandbox;

impl Harness {
    /// Listens to the layers: [`Outcome::traces`](super::Outcome::traces) tells what they did.
    #[must_use]
    pub fn trace(mut self) -> Self {
        self.trace = Some(Trace::default());
        self
    }

    /// Keeps compiled layers in a folder, so that they are mapped from there as in a hook.
    ///
    /// # Errors
    /// As for [`Sandbox::new`].
    pub fn cache_folder(mut self, folder: &Path) -> Result<Self> {
        self.sandbox = Arc::new(Sandbox::new(Some(folder))?);
        Ok(self)
    }

    /// With the time of the day instead of a fixed one.
    #[must_use]
    pub fn system_clock(mut self) -> Self {
        self.clock = Clock::System;
        self.log = Log::in_memory(self.clock);
        self
    }

    /// What was said and done so far: a transcript of Claude Code in this file.
    #[must_use]
    pub fn transcript_file(mut self, file: &Path) -> Self {
        self.transcript = Some(Transcript::file(file.to_string_lossy(), self.redactor.clone()));
        self
    }

    /// Asks this language model.
    #[must_use]
    pub fn with_model(mut self, model: Arc<dyn Model>) -> Self {
        self.model = Some(model);
        self
    }

    /// Gives every layer so far these settings, a JSON object.
    ///
    /// # Errors
    /// `Invalid` where it is none.
    pub fn settings(mut self, settings: &Value) -> Result<Self> {
        if !settings.is_object() {
            return Err(Error::invalid(format!("settings are a JSON object, not {settings}")));
        }
        for layer in &self.layers {
            let mut own = self.config.layer(&layer.name);
            own.settings = settings.clone();
            self.config.layers.insert(layer.name.to_string(), own);
        }
        Ok(self)
    }

    /// Puts exported memories into the store, with the origins they state.
    ///
    /// # Errors
    /// `Invalid` naming the first that was refused; `Unavailable` where the input cannot be read.
    pub fn import(self, input: impl Read) -> Result<Self> {
        let refused = self.memories().import(input, ImportTrust::Own)?.refused;
        match refused.into_iter().next() {
            None => Ok(self),
            Some((place, error)) => Err(error.context(format!("memory {place}"))),
        }
    }

    /// In this project: its git repository, its configuration, and a copy of its memories. What sessions kept in the
    /// state is not copied, and nothing that a layer writes comes back.
    ///
    /// # Errors
    /// `Unavailable` where the store cannot be read; `Invalid` where the user's redaction patterns are.
    pub fn in_project(mut self, context: &ProjectContext) -> Result<Self> {
        self = self.with_config_of(context)?;
        self.project = Some(context.project.clone());
        let copy = SqliteStore::new(self.database.clone());
        let original = SqliteStore::new(context.database.clone());
        original.each(&mut |memory| copy.write(&mut |step| step.insert(&memory)))?;
        Ok(self)
    }
    /// With the configuration of this project, and nothing else of it.
    ///
    /// # Errors
    /// `Invalid` where the user's redaction patterns are.
    pub fn with_config_of(mut self, context: &ProjectContext) -> Result<Self> {
        self.config = context.config.clone();
        self.config.disabled = false;
        for layer in &self.layers {
            // Whoever asks for it by name wants to see it run.
            let mut own = self.config.layer(&layer.name);
            own.enabled = Activation::Enabled;
            self.config.layers.insert(layer.name.to_string(), own);
        }
        self.redactor = Redactor::new(&context.config.redact)?;
        Ok(self)
    }
}
