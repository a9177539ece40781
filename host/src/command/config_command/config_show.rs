//! `interleaf config`: prints the effective settings as TOML, each with its source, and the ignored entries.

use std::io::Write;
use std::path::{Path, PathBuf};

use interleaf_text::{for_terminal, is_invisible};
use serde_json::{Value, json};

use super::load;
use crate::command::output::Output;
use crate::config::{Config, LoadedConfig, LoadedSetting, SettingStatus, user_file};
use crate::layer::FileScope;
use crate::project_context::ProjectContext;

/// Arguments of `interleaf config`.
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// Include the defaults
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// An effective value, and the settings that determine it.
struct EffectiveValue<'a> {
    path: Vec<String>,
    value: Value,
    default: Option<Value>,
    sources: Vec<&'a LoadedSetting>,
}

/// Prints the settings.
pub fn run(args: &ShowArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let loaded = load(context);
    let files = [user_file(&context.folders), context.project.config_file()];
    let values = effective_values(&loaded, args.all);
    match args.json {
        true => out.json(&object(&loaded, &files, &values)),
        false => print(&loaded, &files, &values, out),
    }
}

fn effective_values(loaded: &LoadedConfig, with_defaults: bool) -> Vec<EffectiveValue<'_>> {
    let defaults = Config::default();
    let effective = |path: Vec<String>| {
        let sources = loaded.settings.iter().filter(|setting| setting.status == SettingStatus::Effective);
        let sources = sources.filter(|setting| setting.path.starts_with(&path)).collect();
        let (value, default) = (loaded.config.value(&path)?, defaults.value(&path));
        Some(EffectiveValue { default, value, sources: winning(sources, &path), path })
    };
    let values = loaded.config.paths().into_iter().filter_map(effective);
    let mut values: Vec<_> = values.filter(|value| with_defaults || !value.sources.is_empty()).collect();
    // The sort is stable: tables are in alphabetical order, and each has the order of the documentation.
    values.sort_by_key(|value| value.table());
    values
}

/// Returns the sources that determine the value: both for a layer's merged settings, otherwise the last one.
fn winning<'a>(mut sources: Vec<&'a LoadedSetting>, path: &[String]) -> Vec<&'a LoadedSetting> {
    let is_merged = path.first().is_some_and(|name| name == "layers")
        && path.last().is_some_and(|name| name == "settings");
    let last = sources.len().saturating_sub(1);
    if is_merged { sources } else { sources.split_off(last) }
}

impl EffectiveValue<'_> {
    fn table(&self) -> String {
        self.path[..self.path.len() - 1].join(".")
    }

    fn source(&self) -> String {
        let source = |setting: &&LoadedSetting| {
            let owner = if setting.scope == FileScope::User { "yours" } else { "project" };
            format!("{owner}, line {}", setting.line)
        };
        let sources: Vec<String> = self.sources.iter().map(source).collect();
        if sources.is_empty() { "default".to_owned() } else { sources.join(" and ") }
    }
}

fn print(
    loaded: &LoadedConfig,
    files: &[PathBuf; 2],
    values: &[EffectiveValue],
    out: &mut Output,
) -> anyhow::Result<()> {
    for (owner, file) in ["yours:  ", "project:"].iter().zip(files) {
        let missing = if file.exists() { "" } else { " (does not exist)" };
        writeln!(out, "{}", out.faint(&format!("# {owner} {}{missing}", file_name(file))))?;
    }
    if values.is_empty() {
        writeln!(out, "\n# Nothing is set. For the defaults: interleaf config --all")?;
    }
    let mut table = None;
    for value in values {
        if table.replace(value.table()) != Some(value.table()) {
            writeln!(out, "{}", header(&value.table(), out))?;
        }
        let name = value.path.last().map(String::as_str).unwrap_or_default();
        let source = out.faint(&format!("# {}", value.source()));
        writeln!(out, "{} = {}  {source}", for_terminal(name), to_toml(&value.value))?;
    }
    print_ignored(loaded, out)
}

/// Returns the header of a table. Keys outside of any table come first and have none.
fn header(table: &str, out: &Output) -> String {
    match table {
        "" => String::new(),
        table => format!("\n{}", out.bold(&format!("[{}]", for_terminal(table)))),
    }
}

fn print_ignored(loaded: &LoadedConfig, out: &mut Output) -> anyhow::Result<()> {
    let is_overridden = |setting: &&LoadedSetting| setting.status == SettingStatus::Overridden;
    let overridden: Vec<_> = loaded.settings.iter().filter(is_overridden).collect();
    if loaded.diagnostics.is_empty() && loaded.pending.is_empty() && overridden.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n# Ignored:")?;
    for setting in overridden {
        let (file, key) = (file_name(&setting.file), for_terminal(&setting.key()));
        writeln!(out, "#   {file}:{}: `{key}` is overridden by yours", setting.line)?;
    }
    for diagnostic in loaded.diagnostics.iter().chain(&loaded.pending) {
        writeln!(out, "#   {}", for_terminal(&diagnostic.to_string()))?;
    }
    Ok(())
}

fn file_name(file: &Path) -> String {
    for_terminal(&file.display().to_string())
}

/// Formats a value as TOML on one line, so that no text of a file looks like a line of ours.
fn to_toml(value: &Value) -> String {
    let list = |items: Vec<String>| items.join(", ");
    match value {
        Value::Array(items) => format!("[{}]", list(items.iter().map(to_toml).collect())),
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| format!("{} = {}", toml_key(name), to_toml(value));
            format!("{{ {} }}", list(fields.iter().map(field).collect()))
        }
        // The escapes of JSON are those of TOML.
        value => value.to_string().replace(is_invisible, "\u{fffd}"),
    }
}

fn toml_key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !name.is_empty() && name.chars().all(is_bare) {
        true => name.to_owned(),
        false => to_toml(&Value::from(name)),
    }
}

fn object(loaded: &LoadedConfig, files: &[PathBuf; 2], values: &[EffectiveValue]) -> Value {
    let source = |setting: &&LoadedSetting| {
        let whose = scope_name(setting.scope);
        json!({"whose": whose, "file": setting.file, "line": setting.line})
    };
    let value = |value: &EffectiveValue| {
        json!({
            "key": value.path.join("."), "value": value.value, "default": value.default,
            "from": value.sources.iter().map(source).collect::<Vec<_>>(),
        })
    };
    let ignored = |setting: &LoadedSetting| {
        let reason = match &setting.status {
            SettingStatus::Effective => return None,
            SettingStatus::Overridden => "it is overridden by yours",
            SettingStatus::Pending => "it waits to be accepted",
            SettingStatus::Rejected(reason) => reason,
        };
        Some(json!({
            "key": setting.key(), "whose": scope_name(setting.scope), "file": setting.file,
            "line": setting.line, "value": setting.value, "why": reason,
        }))
    };
    let diagnostics = loaded.diagnostics.iter().chain(&loaded.pending);
    json!({
        "files": {"person": files[0], "project": files[1]},
        "settings": values.iter().map(value).collect::<Vec<_>>(),
        "not_heeded": loaded.settings.iter().filter_map(ignored).collect::<Vec<_>>(),
        "notes": diagnostics.map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn scope_name(scope: FileScope) -> &'static str {
    match scope {
        FileScope::User => "person",
        FileScope::Project => "project",
    }
}
