//! The designs of OpenSpec changes, in the folder `openspec` that the layer was granted.

use std::fs::File;
use std::io::Read;

/// Bytes read of one.
const MOST: u64 = 256 << 10;

/// The design of this change, and its path. An archived change keeps its folder under a name that ends with its own.
pub fn read(change: &str) -> Option<(String, String)> {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if change.is_empty() || !change.chars().all(plain) || change.contains("..") {
        return None;
    }
    let current = format!("openspec/changes/{change}/design.md");
    text(&current).map(|text| (current, text)).or_else(|| archived(change))
}

fn archived(change: &str) -> Option<(String, String)> {
    let folders = std::fs::read_dir("openspec/changes/archive").ok()?.flatten();
    let names = folders.filter_map(|folder| folder.file_name().into_string().ok());
    let name = names.filter(|name| name == change || name.ends_with(&format!("-{change}"))).max()?;
    let path = format!("openspec/changes/archive/{name}/design.md");
    text(&path).map(|text| (path, text))
}

fn text(path: &str) -> Option<String> {
    // A pipe of that name would keep its reader waiting.
    if !std::fs::metadata(path).is_ok_and(|about| about.is_file()) {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MOST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
