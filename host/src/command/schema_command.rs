//! `interleaf schema`: what a memory of a category holds, as JSON Schema.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::output::Output;
use crate::error::Error;
use crate::memory::content::{required, schema};
use crate::memory::{Category, record_schema};

/// Prints schemas.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The category, or `memory` for a whole memory as it is exported; all are listed where none is named
    #[arg(value_parser = named)]
    category: Option<Named>,
    /// Write every schema into this folder, one file each
    #[arg(long, value_name = "DIR", conflicts_with = "category")]
    all: Option<PathBuf>,
    /// Print the list as JSON, one object a line
    #[arg(long, conflicts_with_all = ["category", "all"])]
    json: bool,
}

/// Whose schema.
#[derive(Debug, Clone, Copy)]
enum Named {
    /// A content's.
    Content(Category),
    /// A whole memory's.
    Memory,
}

fn named(word: &str) -> Result<Named, String> {
    if word == "memory" {
        return Ok(Named::Memory);
    }
    let told = |error: Error| format!("{error}; {}, memory", error.hint.as_deref().unwrap_or_default());
    word.parse().map(Named::Content).map_err(told)
}

/// Prints one, writes all, or lists them.
pub fn run(args: &Args, out: &mut Output) -> anyhow::Result<()> {
    match (args.category, &args.all) {
        (Some(Named::Content(category)), _) => Ok(write!(out, "{}", pretty(&schema(category))?)?),
        (Some(Named::Memory), _) => Ok(write!(out, "{}", pretty(&record_schema())?)?),
        (None, Some(folder)) => write_all(folder, out),
        (None, None) => list(args.json, out),
    }
}

fn list(as_json: bool, out: &mut Output) -> anyhow::Result<()> {
    for category in Category::ALL {
        let (schema, required) = (schema(*category), required(*category));
        let about = schema["description"].as_str().unwrap_or_default();
        if as_json {
            out.json(&json!({ "category": category, "description": about, "required": required }))?;
            continue;
        }
        writeln!(out, "{}  {about}", out.strong(&format!("{:<15}", category.as_str())))?;
        if !required.is_empty() {
            writeln!(out, "{:17}{}", "", out.faint(&format!("needs {}", required.join(", "))))?;
        }
    }
    Ok(())
}

fn write_all(folder: &Path, out: &mut Output) -> anyhow::Result<()> {
    let failed = |error| {
        Error::unavailable(format!("the schemas cannot be written into {} ({error})", folder.display()))
            .hint("name a folder that can be written")
    };
    fs::create_dir_all(folder).map_err(failed)?;
    let files = files();
    for (name, schema) in &files {
        fs::write(folder.join(name), pretty(schema)?).map_err(failed)?;
    }
    Ok(writeln!(out, "{} schemas are in {}", files.len(), folder.display())?)
}

/// Every schema under the name of its file.
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
    fn the_schemas_in_the_documentation_are_those_that_are_printed() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schemas");
        let again = "write them anew: cargo run -p interleaf -- schema --all docs/schemas";
        for (name, schema) in files() {
            let kept = fs::read_to_string(folder.join(&name)).unwrap_or_default();
            assert!(kept == pretty(&schema).unwrap(), "docs/schemas/{name} is not what is printed; {again}");
        }
        assert_eq!(fs::read_dir(folder).unwrap().count(), files().len(), "{again}");
    }
}
