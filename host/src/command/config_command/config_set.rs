//! Sets one text in the user's config.toml, for commands that record a person's choice there. Everything else
//! in the file stays as it is.

use crate::command::file_edit::FileEdit;
use crate::config::user_file;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;

/// Sets a key without a table.
///
/// # Errors
/// `Invalid` if the file is not valid TOML, `Unavailable` if it cannot be written.
pub fn set_in_user_file(key: &str, value: &str, context: &ProjectContext) -> Result<()> {
    let folder = &context.folders.config;
    let file = user_file(&context.folders);
    let mut edit = FileEdit::open(folder, &file.display().to_string())?;
    let text = with_value(edit.text(), key, value).map_err(|cause| {
        Error::invalid(format!("{} is not valid TOML: {cause}", file.display()))
            .hint("correct it, then try again")
    })?;
    edit.set(text, "sets a choice");
    edit.apply_in_private_folder(folder)
}

/// Returns the text with this value: in the line that has the key, otherwise in a new first line, before any
/// table.
fn with_value(text: &str, key: &str, value: &str) -> Result<String, String> {
    let parse = |text: &str| -> Result<toml::Table, String> {
        text.parse().map_err(|error: toml::de::Error| error.message().to_owned())
    };
    let line = format!("{key} = {}\n", serde_json::Value::from(value));
    let mut expected = parse(text)?;
    expected.insert(key.to_owned(), toml::Value::String(value.to_owned()));
    let is_key = |line: &str| line.split_once('=').is_some_and(|(name, _)| name.trim() == key);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let replaced = (0..lines.len())
        .filter(|at| is_key(lines[*at]))
        .map(|at| [lines[..at].concat(), line.clone(), lines[at + 1..].concat()].concat());
    // A line of a table or of a text with several lines may look the same.
    let mut candidates = replaced.chain([format!("{line}{text}")]);
    let is_right = |candidate: &String| parse(candidate).is_ok_and(|table| table == expected);
    candidates.find(is_right).ok_or_else(|| format!("{key} is written in a form that cannot be replaced"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_replaced_where_it_stands_and_else_added_before_the_tables() {
        for (text, expected) in [
            ("", "record = \"on\"\n"),
            (
                "# mine\nrecord = \"off\"\n[llm]\nclient = \"none\"\n",
                "# mine\nrecord = \"on\"\n[llm]\nclient = \"none\"\n",
            ),
            ("[x]\nrecord = \"off\"\n", "record = \"on\"\n[x]\nrecord = \"off\"\n"),
            ("a = '''\nrecord = 1\n'''", "record = \"on\"\na = '''\nrecord = 1\n'''"),
        ] {
            assert_eq!(with_value(text, "record", "on").as_deref(), Ok(expected), "{text}");
        }
        assert!(with_value("record = [\n1]\n", "record", "on").is_err());
        assert!(with_value("record = = 1", "record", "on").is_err());
    }
}
