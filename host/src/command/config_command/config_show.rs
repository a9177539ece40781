//! `interleaf config`: what holds here, as TOML, with who said it beside each value. What nobody set is left out, unless
//! all is asked for.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::survey;
use crate::command::output::{Output, tame};
use crate::config::{Config, Outcome, Said, Survey, persons_file};
use crate::layer::Whose;
use crate::memory::visible;
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
    from: Vec<&'a Said>,
}

/// Shows what holds.
pub fn run(options: &Options, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let survey = survey(context);
    let files = [persons_file(&context.folders), context.project.config_file()];
    let lines = lines(&survey, options.all);
    match options.json {
        true => out.json(&object(&survey, &files, &lines)),
        false => print(&survey, &files, &lines, out),
    }
}

fn lines(survey: &Survey, all: bool) -> Vec<Line<'_>> {
    let default = Config::default();
    let line = |path: Vec<String>| {
        let from = survey.said.iter().filter(|said| said.outcome == Outcome::Holds && said.path == path);
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
fn made<'a>(mut from: Vec<&'a Said>, path: &[String]) -> Vec<&'a Said> {
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
        let origin = |said: &&Said| format!("{}, line {}", whose(said.whose), said.line);
        let origins: Vec<String> = self.from.iter().map(origin).collect();
        if origins.is_empty() { "default".to_owned() } else { origins.join(" and ") }
    }
}

fn whose(whose: Whose) -> &'static str {
    match whose {
        Whose::Person => "yours",
        Whose::Project => "project",
    }
}

fn print(
    survey: &Survey,
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

fn print_unheeded(survey: &Survey, out: &mut Output) -> anyhow::Result<()> {
    let overruled: Vec<&Said> =
        survey.said.iter().filter(|said| said.outcome == Outcome::Overruled).collect();
    if survey.notes.is_empty() && survey.waits.is_empty() && overruled.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n# Not heeded:")?;
    for said in overruled {
        writeln!(out, "#   {}:{}: `{}`: yours holds", named(&said.file), said.line, said.key())?;
    }
    for note in survey.notes.iter().chain(&survey.waits) {
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
        .map(|letter| if visible(&letter.to_string()).is_empty() { '\u{fffd}' } else { letter })
        .collect()
}

fn object(survey: &Survey, files: &[std::path::PathBuf; 2], lines: &[Line]) -> Value {
    let from = |said: &&Said| json!({"whose": word(said.whose), "file": said.file, "line": said.line});
    let line = |line: &Line| {
        json!({
            "key": line.path.join("."), "value": line.value, "default": line.default,
            "from": line.from.iter().map(from).collect::<Vec<_>>(),
        })
    };
    let state = |said: &Said| {
        let why = match &said.outcome {
            Outcome::Holds => return None,
            Outcome::Overruled => "the person's own holds",
            Outcome::Waits => "it waits to be accepted",
            Outcome::Refused(why) => why,
        };
        Some(json!({
            "key": said.key(), "whose": word(said.whose), "file": said.file, "line": said.line,
            "value": said.value, "why": why,
        }))
    };
    json!({
        "files": {"person": files[0], "project": files[1]},
        "settings": lines.iter().map(line).collect::<Vec<_>>(),
        "not_heeded": survey.said.iter().filter_map(state).collect::<Vec<_>>(),
        "notes": survey.notes.iter().chain(&survey.waits).map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn word(whose: Whose) -> &'static str {
    match whose {
        Whose::Person => "person",
        Whose::Project => "project",
    }
}
