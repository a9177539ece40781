//! The boundaries that the compiler cannot see: which folder of the host may know what.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::checkout::root;

/// A secret, the words that betray knowing it, and the places below `host/src` that may know it.
struct Boundary {
    secret: &'static str,
    words: &'static [&'static str],
    keepers: &'static [&'static str],
}

const BOUNDARIES: [Boundary; 5] = [
    Boundary { secret: "wasmtime", words: &["wasmtime::", "wasmtime_wasi::"], keepers: &["sandbox"] },
    Boundary {
        secret: "how components are written",
        words: &["wasmparser::", "wit_parser::"],
        keepers: &["contract"],
    },
    // The configuration tells a URL from what is none.
    Boundary { secret: "HTTP", words: &["reqwest::"], keepers: &["llm", "config/model"] },
    Boundary { secret: "Claude Code's replies", words: &["hookSpecificOutput"], keepers: &["claude"] },
    Boundary {
        secret: "SQL",
        words: &["rusqlite::", "SELECT ", "INSERT INTO", "DELETE FROM", "CREATE TABLE", "PRAGMA "],
        keepers: &["database", "memory/sqlite", "state"],
    },
];

/// Names every line of the host that knows what it should not.
pub fn check() -> Result<()> {
    let source = root().join("host/src");
    let mut found = Vec::new();
    for file in files(&source)? {
        let path = file.strip_prefix(&source)?;
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        found.extend(trespasses(path, &text));
    }
    if !found.is_empty() {
        bail!("{}", found.join("\n"));
    }
    println!("{} boundaries hold", BOUNDARIES.len());
    Ok(())
}

fn trespasses(path: &Path, text: &str) -> Vec<String> {
    let strange =
        BOUNDARIES.iter().filter(|boundary| !boundary.keepers.iter().any(|keeper| belongs(path, keeper)));
    strange
        .flat_map(|boundary| {
            let lines = text.lines().enumerate();
            let knows = |line: &str| boundary.words.iter().any(|word| line.contains(word));
            let lines = lines.filter(move |(_, line)| !line.trim_start().starts_with("//") && knows(line));
            lines.map(move |(number, _)| {
                let place = format!("host/src/{}:{}", path.display(), number + 1);
                format!(
                    "{place} knows {}, which is for {} alone",
                    boundary.secret,
                    boundary.keepers.join(", ")
                )
            })
        })
        .collect()
}

/// Whether a file is a module or lies below it.
fn belongs(path: &Path, module: &str) -> bool {
    path.starts_with(module) || path == Path::new(module).with_extension("rs")
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        match path.is_dir() {
            true => files.extend(self::files(&path)?),
            false => files.extend(path.extension().is_some_and(|kind| kind == "rs").then_some(path)),
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_may_know_its_own_secret_and_nobody_else_may() {
        let line = "\nuse wasmtime::Engine;";

        assert_eq!(trespasses(Path::new("sandbox/cache.rs"), line), [""; 0]);
        assert_eq!(trespasses(Path::new("sandbox.rs"), line), [""; 0]);
        assert_eq!(
            trespasses(Path::new("pipeline/mod.rs"), line),
            ["host/src/pipeline/mod.rs:2 knows wasmtime, which is for sandbox alone"]
        );
    }

    #[test]
    fn a_comment_may_speak_of_anything() {
        assert_eq!(
            trespasses(Path::new("lib.rs"), "//! `wasmtime::Engine` is only seen in sandbox/"),
            [""; 0]
        );
    }
}
