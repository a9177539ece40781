//! `interleaf config check`: reports the errors of configuration files by line, for people and for CI.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use interleaf_text::for_terminal;

use super::load;
use crate::command::output::{Output, count};
use crate::config::{Diagnostic, LoadedConfig, LoadedSetting, unknown_setting};
use crate::error::{Error, Result};
use crate::layer::{FileScope, Layer};
use crate::project_context::ProjectContext;
use crate::redact::Redactor;
use crate::secret_source::SecretSource;

/// Check the configuration files and report errors by line
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit code: 0 no errors, 2 errors.")]
pub struct Args {
    /// The file to check as your config.toml; your file and the project's if absent
    file: Option<PathBuf>,
    /// Check the file as a project's .claude/interleaf.toml
    #[arg(long, requires = "file")]
    project: bool,
}

/// Prints the errors.
///
/// # Errors
/// `Invalid` if there are errors.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let scope = if args.project { FileScope::Project } else { FileScope::User };
    let loaded = match &args.file {
        Some(file) => load_file(file, scope)?,
        None => load(context),
    };
    let mut errors = loaded.diagnostics.clone();
    errors.extend(check_patterns(&loaded));
    errors.extend(check_secret_files(&loaded));
    for error in &errors {
        writeln!(out, "{}", for_terminal(&error.to_string()))?;
    }
    for note in unknown_names(&loaded, context) {
        writeln!(out, "note: {}", for_terminal(&note.to_string()))?;
    }
    match errors.len() {
        0 => Ok(writeln!(out, "No errors.")?),
        number => Err(Error::invalid(format!("{} in the configuration", count(number, "error"))).into()),
    }
}

fn load_file(file: &Path, scope: FileScope) -> Result<LoadedConfig> {
    match file.exists() {
        true => Ok(LoadedConfig::load_file(file, scope)),
        false => Err(Error::invalid(format!("{} does not exist", file.display())).hint("name a TOML file")),
    }
}

/// Returns a note for each setting that no layer reads: of a layer that does not exist here, or unknown to an
/// embedded layer. These are no errors, because another project may have such a layer.
fn unknown_names(loaded: &LoadedConfig, context: &ProjectContext) -> Vec<Diagnostic> {
    let known = layer_names(loaded, context);
    let mut named = BTreeSet::new();
    let mut note = |setting: &LoadedSetting| {
        let layer = setting.path.get(1).filter(|_| setting.path[0] == "layers")?;
        let message = match known.contains(layer) {
            true => unknown_setting(&setting.path)?,
            false if named.insert(layer.clone()) => {
                let names: Vec<&str> = known.iter().map(String::as_str).collect();
                format!("there is no layer `{layer}` here; known: {}", names.join(", "))
            }
            false => return None,
        };
        Some(diagnostic(setting, message))
    };
    loaded.settings.iter().filter_map(&mut note).collect()
}

/// Returns the names of the embedded layers and of those that have a file.
fn layer_names(loaded: &LoadedConfig, context: &ProjectContext) -> BTreeSet<String> {
    let embedded = Layer::embedded().into_iter().map(|layer| layer.name.into_owned());
    let files = context.file_layers().candidates.into_iter().map(|(candidate, _)| candidate.name);
    let with_file = loaded.config.layers.iter().filter(|(_, layer)| layer.file.is_some());
    embedded.chain(files).chain(with_file.map(|(name, _)| name.clone())).collect()
}

/// Compiles the redaction patterns, because an invalid pattern makes every write fail.
fn check_patterns(loaded: &LoadedConfig) -> Option<Diagnostic> {
    let error = Redactor::new(&loaded.config.redact).err()?;
    let setting = loaded.settings.iter().find(|setting| setting.key() == "redact.patterns")?;
    Some(diagnostic(setting, error.message))
}

/// Reads each file with a secret as the use of it does, which refuses a file that others can read.
fn check_secret_files(loaded: &LoadedConfig) -> Vec<Diagnostic> {
    let config = &loaded.config;
    let files = [
        ("sync.password_file", "password", &config.sync.password_file),
        ("llm.key_file", "API key", &config.llm.key_file),
    ];
    let check = |(key, what, file): (&str, &str, &Option<PathBuf>)| {
        let error = SecretSource::File(file.clone()?).read(what).err()?;
        let setting = loaded.settings.iter().find(|setting| setting.key() == key)?;
        Some(diagnostic(setting, format!("`{key}`: {}", error.full())))
    };
    files.into_iter().filter_map(check).collect()
}

fn diagnostic(setting: &LoadedSetting, message: String) -> Diagnostic {
    let (file, path) = (setting.file.clone(), setting.path.clone());
    Diagnostic { file, line: Some(setting.line), setting: path, message }
}
