//! `interleaf schema`: prints the JSON Schemas of memories and of the content that each category requires.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::output::Output;
use crate::error::Error;
use crate::memory::content::{required_fields, schema};
use crate::memory::{Category, record_schema};

/// Print the JSON Schema of a memory category
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The category, or `memory` for a complete memory as exported; lists the categories if absent
    #[arg(value_parser = parse_subject)]
    category: Option<Subject>,
    /// Write all schemas into this folder, one file each
    #[arg(long, value_name = "DIR", conflicts_with = "category")]
    all: Option<PathBuf>,
    /// Print the list as JSON, one object per line
    #[arg(long, conflicts_with_all = ["category", "all"])]
    json: bool,
}

/// The subject of a schema.
#[derive(Debug, Clone, Copy)]
enum Subject {
    Content(Category),
    Memory,
}

fn parse_subject(name: &str) -> Result<Subject, String> {
    if name == "memory" {
        return Ok(Subject::Memory);
    }
    let explain = |error: Error| format!("{error}; {}, memory", error.hint.as_deref().unwrap_or_default());
    name.parse().map(Subject::Content).map_err(explain)
}

/// Prints one schema, writes all, or lists the categories.
pub fn run(args: &Args, out: &mut Output) -> anyhow::Result<()> {
    match (args.category, &args.all) {
        (Some(Subject::Content(category)), _) => Ok(write!(out, "{}", pretty(&schema(category))?)?),
        (Some(Subject::Memory), _) => Ok(write!(out, "{}", pretty(&record_schema())?)?),
        (None, Some(folder)) => write_all(folder, out),
        (None, None) => list(args.json, out),
    }
}

fn list(as_json: bool, out: &mut Output) -> anyhow::Result<()> {
    for category in Category::ALL {
        let (schema, required) = (schema(*category), required_fields(*category));
        let about = schema["description"].as_str().unwrap_or_default();
        if as_json {
            out.json(&json!({ "category": category, "description": about, "required": required }))?;
            continue;
        }
        writeln!(out, "{}  {about}", out.bold(&format!("{:<15}", category.as_str())))?;
        if !required.is_empty() {
            writeln!(out, "{:17}{}", "", out.faint(&format!("requires {}", required.join(", "))))?;
        }
    }
    Ok(())
}

fn write_all(folder: &Path, out: &mut Output) -> anyhow::Result<()> {
    let failed = |error| {
        Error::unavailable(format!("cannot write the schemas into {}: {error}", folder.display()))
            .hint("name a writable folder")
    };
    fs::create_dir_all(folder).map_err(failed)?;
    let files = files();
    for (name, schema) in &files {
        fs::write(folder.join(name), pretty(schema)?).map_err(failed)?;
    }
    Ok(writeln!(out, "Wrote {} schemas into {}", files.len(), folder.display())?)
}

/// Returns every schema with its file name.
fn files() -> Vec<(String, Value)> {
    let contents = Category::ALL.iter().map(|category| (format!("{category}.json"), schema(*category)));
    contents.chain([("memory.json".to_owned(), record_schema())]).collect()
}

fn pretty(schema: &Value) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(schema)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemas_in_docs_are_the_printed_schemas() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schemas");
        let update = "update with: cargo run -p interleaf -- schema --all docs/schemas";
        for (name, schema) in files() {
            let documented = fs::read_to_string(folder.join(&name)).unwrap_or_default();
            assert!(documented == pretty(&schema).unwrap(), "docs/schemas/{name} is out of date; {update}");
        }
        assert_eq!(fs::read_dir(folder).unwrap().count(), files().len(), "{update}");
    }
}
