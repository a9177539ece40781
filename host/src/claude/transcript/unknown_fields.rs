//! Fields that a newer client writes on the lines that people type, and that this version does not know.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::line_author::{self, Author};
use crate::claude::payload::{self, Payload};

/// Bytes of the end of a transcript that are read.
const MAX_READ_BYTES: u64 = 2 << 20;

/// The unknown fields of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFields {
    /// The version of the client that wrote them.
    pub client: String,
    /// Their names; empty if only a value is unknown.
    pub names: Vec<String>,
}

/// Returns the fields of typed lines at the end of a transcript that this version does not know, or `None` if
/// it knows all or the file cannot be read.
pub fn unknown_fields(path: &Path) -> Option<UnknownFields> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MAX_READ_BYTES))).ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_READ_BYTES).read_to_end(&mut bytes).ok()?;
    let (mut client, mut names) = (None, BTreeSet::new());
    for line in bytes.split(|byte| *byte == b'\n') {
        let text = payload::decode(line);
        let Ok(line) = Payload::parse(&text) else { continue };
        if line.string("type").as_deref() != Some("user") || line_author::is_script(&line) {
            continue;
        }
        if line_author::of_prompt(&line, &line.tree("message")) == Author::Unsure {
            client = Some(line.string("version").unwrap_or_default());
            names.extend(line_author::unknown_fields(&line));
        }
    }
    Some(UnknownFields { client: client?, names: names.into_iter().collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_only_a_newer_client_writes_are_named() {
        let folder = std::env::temp_dir().join(format!("interleaf-unknown-fields-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("writable");
        let file = folder.join("a.jsonl");
        let typed = r#"{"type":"user","version":"9.1.0","promptSource":"typed","message":{"content":"hi"}"#;
        std::fs::write(&file, format!("{typed}}}\n")).expect("writable");
        assert_eq!(unknown_fields(&file), None);

        std::fs::write(&file, format!("{typed},\"mood\":\"fine\"}}\n{typed}}}\n")).expect("writable");
        let found = unknown_fields(&file).expect("a field");
        assert_eq!((found.client.as_str(), found.names), ("9.1.0", vec!["mood".to_owned()]));
        assert_eq!(unknown_fields(&folder.join("none.jsonl")), None);
        std::fs::remove_dir_all(&folder).expect("ours");
    }
}
