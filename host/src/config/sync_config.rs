//! `[sync]`: where a project's memories are exchanged. A project may name a kind of place and its name there;
//! only the user's file names a server, because it receives memories.

use std::path::PathBuf;

use super::model_config::{absolute_path, variable_name};

/// The settings under `[sync]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SyncConfig {
    /// The kind of place that a person is offered, one of [`PLACES`].
    pub place: Option<String>,
    /// The name of the project on the server.
    pub project: Option<String>,
    /// The URL of the Postgres server, without a password.
    pub postgres: Option<String>,
    /// The environment variable that contains the password.
    pub password_env: Option<String>,
    /// The file that contains the password.
    pub password_file: Option<PathBuf>,
}

/// The kinds of places in the configuration and on the command line.
pub const PLACES: &[&str] = &["git-notes", "cs-notes", "files", "postgres"];

/// The maximum length of the name of a project, in characters.
const MAX_PROJECT_CHARS: usize = 200;

/// Sets one string of `[sync]`, or returns an error text to be placed after the name of the key.
pub(super) type SetSyncText = fn(&mut SyncConfig, &str) -> Result<(), String>;

pub(super) fn place(config: &mut SyncConfig, word: &str) -> Result<(), String> {
    config.place = Some(word.to_owned());
    Ok(())
}

pub(super) fn project(config: &mut SyncConfig, name: &str) -> Result<(), String> {
    let is_valid = !name.trim().is_empty()
        && name.chars().count() <= MAX_PROJECT_CHARS
        && interleaf_text::for_terminal(name) == name;
    config.project = Some(
        is_valid.then(|| name.to_owned()).ok_or("must be a name of at most 200 characters on one line")?,
    );
    Ok(())
}

pub(super) fn postgres(config: &mut SyncConfig, text: &str) -> Result<(), String> {
    let url = url::Url::parse(text).ok().filter(|url| matches!(url.scheme(), "postgres" | "postgresql"));
    let url = url.ok_or("must be a URL such as postgres://ada@db.example.com/memories")?;
    if url.password().is_some() || url.query_pairs().any(|(name, _)| name == "password") {
        return Err("must not contain a password, which belongs in password_file or password_env".to_owned());
    }
    config.postgres = Some(text.to_owned());
    Ok(())
}

pub(super) fn password_env(config: &mut SyncConfig, name: &str) -> Result<(), String> {
    config.password_env = Some(variable_name(name, "password")?);
    Ok(())
}

pub(super) fn password_file(config: &mut SyncConfig, path: &str) -> Result<(), String> {
    config.password_file = Some(absolute_path(path)?);
    Ok(())
}

/// Returns one of the strings by the name of its key; `None` if it is not set.
pub(super) fn sync_text(config: &SyncConfig, name: &str) -> Option<String> {
    match name {
        "place" => config.place.clone(),
        "project" => config.project.clone(),
        "postgres" => config.postgres.clone(),
        "password_env" => config.password_env.clone(),
        "password_file" => config.password_file.as_ref().map(|path| path.display().to_string()),
        _ => None,
    }
}
