//! Installs the client with npm, in exactly one version, once for each target folder.
//!
//! Several test processes may need it at the same time, and a run may be interrupted. So the installation
//! happens under a file lock, in a temporary folder that is renamed when it is complete.

use crate::workspace;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The version from which the recorded events were taken.
pub const VERSION: &str = "2.1.329";

/// The variable with another version to test.
const OTHER_VERSION: &str = "INTERLEAF_TESTED_CLIENT";

/// Returns the version that is tested.
fn version() -> String {
    std::env::var(OTHER_VERSION).unwrap_or_else(|_| VERSION.to_owned())
}

/// Returns the client's program, or the reason why it cannot be installed.
pub fn installed() -> Result<PathBuf, String> {
    static INSTALLED: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    INSTALLED.get_or_init(find_or_install).clone()
}

fn find_or_install() -> Result<PathBuf, String> {
    let cache = workspace::target().join("claude-code");
    let version = version();
    let program = cache.join(&version).join(program());
    if program.exists() {
        return Ok(program);
    }
    std::fs::create_dir_all(&cache).map_err(|error| format!("cannot create {}: {error}", cache.display()))?;
    let lock = File::create(cache.join("lock"))
        .map_err(|error| format!("cannot lock {}: {error}", cache.display()))?;
    lock.lock().map_err(|error| format!("cannot lock {}: {error}", cache.display()))?;
    if !program.exists() {
        install(&cache, &version)?;
    }
    Ok(program)
}

/// Returns the path of the program below the folder that npm installed into. The package `claude-code` is a
/// launcher; the program itself comes in a package for each platform.
fn program() -> PathBuf {
    let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let processor = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    PathBuf::from(format!("node_modules/@anthropic-ai/claude-code-{system}-{processor}/claude"))
}

fn install(cache: &Path, version: &str) -> Result<(), String> {
    let partial = cache.join(format!("{version}.partial"));
    let _ = std::fs::remove_dir_all(&partial);
    std::fs::create_dir(&partial).map_err(|error| format!("cannot create {}: {error}", partial.display()))?;
    // Without a package.json of its own npm would install into the nearest folder above that has one.
    std::fs::write(partial.join("package.json"), "{\"private\":true}\n")
        .map_err(|error| error.to_string())?;
    npm(&partial, version)?;
    if !partial.join(program()).exists() {
        return Err(format!("npm has no Claude Code {version} for this platform ({})", program().display()));
    }
    std::fs::rename(&partial, cache.join(version)).map_err(|error| format!("cannot keep the client: {error}"))
}

fn npm(folder: &Path, version: &str) -> Result<(), String> {
    let output = Command::new("npm")
        .args(["install", "--save-exact", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"])
        .arg(format!("@anthropic-ai/claude-code@{version}"))
        .current_dir(folder)
        .output()
        .map_err(|error| {
            format!("cannot run npm ({error}); with npm the real Claude Code would be tested")
        })?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let errors: Vec<&str> =
        words.lines().filter_map(|line| line.strip_prefix("npm error ")).take(4).collect();
    Err(format!("npm could not install Claude Code {version}: {}", errors.join("; ")))
}
