//! `interleaf config`: what holds here, as TOML, with who said it beside each value. What nobody set is left out, unless
//! all is asked for.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::survey;
use crate::command::output::{Output, tame};
use crate::config::{Config, LoadedConfig, LoadedSetting, SettingStatus, user_file};
use crate::layer::FileScope;
use crate::project_context::ProjectContext;

/// Shows the configuration.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Also what holds by default
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A value that holds, and the settings that made it so.
struct Line<'a> {
    path: Vec<String>,
    value: Value,
    default: Option<Value>,
    from: Vec<&'a LoadedSetting>,
}

/// Shows what holds.
pub fn run(options: &Options, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let survey = survey(context);
    let files = [user_file(&context.folders), context.project.config_file()];
    let lines = lines(&survey, options.all);
    match options.json {
        true => out.json(&object(&survey, &files, &lines)),
        false => print(&survey, &files, &lines, out),
    }
}

fn lines(survey: &LoadedConfig, all: bool) -> Vec<Line<'_>> {
    let default = Config::default();
    let line = |path: Vec<String>| {
        let from = survey
            .settings
            .iter()
            .filter(|said| said.status == SettingStatus::Effective && said.path == path);
        let (value, default) = (survey.config.value(&path)?, default.value(&path));
        Some(Line { default, value, from: made(from.collect(), &path), path })
    };
    let lines = survey.config.paths().into_iter().filter_map(line);
    let mut lines: Vec<_> = lines.filter(|line| all || !line.from.is_empty()).collect();
    // Tables one after the other; within each the order of the documentation.
    lines.sort_by_key(|line| line.table());
    lines
}

/// Settings of a layer are put together from both files; anything else is as the last one has it.
fn made<'a>(mut from: Vec<&'a LoadedSetting>, path: &[String]) -> Vec<&'a LoadedSetting> {
    let together = path.first().is_some_and(|name| name == "layers")
        && path.last().is_some_and(|name| name == "settings");
    let last = from.len().saturating_sub(1);
    if together { from } else { from.split_off(last) }
}

impl Line<'_> {
    fn table(&self) -> String {
        self.path[..self.path.len() - 1].join(".")
    }

    fn origin(&self) -> String {
        let origin = |said: &&LoadedSetting| format!("{}, line {}", whose(said.scope), said.line);
        let origins: Vec<String> = self.from.iter().map(origin).collect();
        if origins.is_empty() { "default".to_owned() } else { origins.join(" and ") }
    }
}

fn whose(whose: FileScope) -> &'static str {
    match whose {
        FileScope::User => "yours",
        FileScope::Project => "project",
    }
}

fn print(
    survey: &LoadedConfig,
    files: &[std::path::PathBuf; 2],
    lines: &[Line],
    out: &mut Output,
) -> anyhow::Result<()> {
    for (name, file) in ["yours:  ", "project:"].iter().zip(files) {
        writeln!(out, "{}", out.faint(&format!("# {name} {}", named(file))))?;
    }
    if lines.is_empty() {
        writeln!(out, "\n# Nothing is set; interleaf config --all shows what holds by default.")?;
    }
    let mut table = None;
    for line in lines {
        if table.replace(line.table()) != Some(line.table()) {
            writeln!(out, "\n{}", out.strong(&format!("[{}]", line.table())))?;
        }
        let name = line.path.last().map(String::as_str).unwrap_or_default();
        writeln!(out, "{name} = {}  {}", written(&line.value), out.faint(&format!("# {}", line.origin())))?;
    }
    print_unheeded(survey, out)
}

fn print_unheeded(survey: &LoadedConfig, out: &mut Output) -> anyhow::Result<()> {
    let overruled: Vec<&LoadedSetting> =
        survey.settings.iter().filter(|said| said.status == SettingStatus::Overridden).collect();
    if survey.diagnostics.is_empty() && survey.pending.is_empty() && overruled.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n# Not heeded:")?;
    for said in overruled {
        writeln!(out, "#   {}:{}: `{}`: yours holds", named(&said.file), said.line, said.key())?;
    }
    for note in survey.diagnostics.iter().chain(&survey.pending) {
        writeln!(out, "#   {}", tame(&note.to_string()))?;
    }
    Ok(())
}

fn named(file: &Path) -> String {
    let there = if file.exists() { "" } else { " (not there)" };
    format!("{}{there}", tame(&file.display().to_string()))
}

/// A value as TOML, without what nobody sees.
fn written(value: &Value) -> String {
    let toml = toml::Value::try_from(value).map_or_else(|_| value.to_string(), |value| value.to_string());
    toml.chars()
        .map(|letter| {
            if interleaf_text::strip_invisible(&letter.to_string()).is_empty() { '\u{fffd}' } else { letter }
        })
        .collect()
}

fn object(survey: &LoadedConfig, files: &[std::path::PathBuf; 2], lines: &[Line]) -> Value {
    let from =
        |said: &&LoadedSetting| json!({"whose": word(said.scope), "file": said.file, "line": said.line});
    let line = |line: &Line| {
        json!({
            "key": line.path.join("."), "value": line.value, "default": line.default,
            "from": line.from.iter().map(from).collect::<Vec<_>>(),
        })
    };
    let state = |said: &LoadedSetting| {
        let why = match &said.status {
            SettingStatus::Effective => return None,
            SettingStatus::Overridden => "the person's own holds",
            SettingStatus::Pending => "it waits to be accepted",
            SettingStatus::Rejected(why) => why,
        };
        Some(json!({
            "key": said.key(), "whose": word(said.scope), "file": said.file, "line": said.line,
            "value": said.value, "why": why,
        }))
    };
    json!({
        "files": {"person": files[0], "project": files[1]},
        "settings": lines.iter().map(line).collect::<Vec<_>>(),
        "not_heeded": survey.settings.iter().filter_map(state).collect::<Vec<_>>(),
        "notes": survey.diagnostics.iter().chain(&survey.pending).map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn word(whose: FileScope) -> &'static str {
    match whose {
        FileScope::User => "person",
        FileScope::Project => "project",
    }
}
