//! Ordinary text: this repository without the tests that contain pieces of secrets, and generated texts.

use super::{ALNUM, BASE64, HEX, random_text};
use std::fs;
use std::path::{Path, PathBuf};

/// Paths of the read files, from the root of the repository.
const PATHS: &[&str] = &[
    "host",
    "plugins",
    "tests",
    "xtask",
    "docs",
    "wit",
    "Cargo.lock",
    "Cargo.toml",
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "SECURITY.md",
    "deny.toml",
];

/// Names of excluded files and folders: the tests of redaction, and build output.
const EXCLUDED: &[&str] = &["redact", "redact_command", "redaction", "target"];

/// Returns texts with their sources.
pub fn all() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    PATHS.iter().for_each(|path| gather(&root.join(path), &mut files));
    let named = |file: &PathBuf| file.strip_prefix(&root).unwrap_or(file).display().to_string();
    let read = |file: PathBuf| Some((named(&file), fs::read_to_string(&file).ok()?));
    files.into_iter().filter_map(read).chain(machine_made()).collect()
}

fn gather(path: &Path, files: &mut Vec<PathBuf>) {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    if EXCLUDED.contains(&name) {
        return;
    }
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| gather(&entry.path(), files)),
        Err(_) => files.push(path.to_owned()),
    }
}

/// Returns histories, lock files, listings and images: long random texts that are not secret.
fn machine_made() -> Vec<(String, String)> {
    let lines = |line: &dyn Fn(u64) -> String| (0..300).map(|seed| line(seed) + "\n").collect::<String>();
    let hex = |length: usize, seed: u64| random_text(HEX, length, seed);
    let uuid = |seed: u64| {
        [8, 4, 4, 4, 12].map(|length| random_text(HEX, length, seed * 31 + length as u64)).join("-")
    };
    [
        ("git log", lines(&|seed| format!("commit {}\n    Make it hold ({})", hex(40, seed), hex(7, seed)))),
        (
            "lock file",
            lines(&|seed| format!("    \"integrity\": \"sha512-{}==\",", random_text(BASE64, 86, seed))),
        ),
        (
            "go.sum",
            lines(&|seed| {
                format!("example.org/mod v1.{seed}.0/go.mod h1:{}=", random_text(BASE64, 43, seed))
            }),
        ),
        ("requirements", lines(&|seed| format!("pkg==1.{seed} --hash=sha256:{}", hex(64, seed)))),
        (
            "images",
            lines(&|seed| format!("app@sha256:{} docker.io/library/app:{}", hex(64, seed), hex(7, seed))),
        ),
        (
            "ids",
            lines(&|seed| format!("{{\"id\":\"{}\",\"parent_uuid\":\"{}\"}}", uuid(seed), uuid(seed + 999))),
        ),
        (
            "page",
            lines(&|seed| format!("<img src=\"data:image/png;base64,{}\">", random_text(BASE64, 400, seed))),
        ),
        (
            "built",
            lines(&|seed| format!("dist/app.{}.js 12.4 kB gzip: 4.{seed} kB", random_text(ALNUM, 8, seed))),
        ),
        ("memory", lines(&|seed| format!("0x{} in thread_{seed} at lib.c:{seed}", hex(12, seed)))),
    ]
    .map(|(name, text)| (name.to_owned(), text))
    .into()
}
