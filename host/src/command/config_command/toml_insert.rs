//! Inserts settings into the text of a TOML file that a person wrote, without changing comments, order or
//! formatting.
//!
//! The text is parsed again after each step, and the step is kept only if it adds exactly its entries.

use toml::Table;

use super::import_options::Settings;

/// A setting: its path and its value.
type Entry = (Vec<String>, toml::Value);

/// The new text, and the outcome of each setting.
#[derive(Debug, Default)]
pub(super) struct Insertion {
    pub text: String,
    /// The settings that were inserted, with their paths.
    pub added: Vec<Entry>,
    /// Paths that the file already sets.
    pub already_set: Vec<Vec<String>>,
    /// Settings that cannot be inserted, because their table is written on one line.
    pub refused: Vec<Entry>,
}

/// Inserts the settings, table by table.
///
/// # Errors
/// The parser's message if the text is not valid TOML.
pub(super) fn insert(text: &str, settings: &Settings) -> Result<Insertion, String> {
    let known: Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
    let mut insertion = Insertion { text: text.to_owned(), ..Insertion::default() };
    let mut missing: Vec<Entry> = Vec::new();
    for (path, value) in settings {
        match (is_set(&known, path), toml::Value::try_from(value)) {
            (false, Ok(value)) => missing.push((path.clone(), value)),
            _ => insertion.already_set.push(path.clone()),
        }
    }
    for entries in missing.chunk_by(|one, other| table_of(&one.0) == table_of(&other.0)) {
        let candidates =
            [below_header, as_new_table, as_dotted_keys].map(|insert| insert(&insertion.text, entries));
        match candidates.into_iter().flatten().find(|new| adds_exactly(&insertion.text, new, entries)) {
            Some(new) => {
                insertion.text = new;
                insertion.added.extend_from_slice(entries);
            }
            None => insertion.refused.extend_from_slice(entries),
        }
    }
    Ok(insertion)
}

fn table_of(path: &[String]) -> &[String] {
    path.split_last().map_or(&[], |(_, table)| table)
}

/// Tells whether the file has a value at this path.
fn is_set(table: &Table, path: &[String]) -> bool {
    match path {
        [] => false,
        [last] => table.contains_key(last),
        [name, rest @ ..] => {
            table.get(name).and_then(toml::Value::as_table).is_some_and(|inner| is_set(inner, rest))
        }
    }
}

/// Inserts the entries below the header of their table.
fn below_header(text: &str, entries: &[Entry]) -> Option<String> {
    let table = table_of(&entries.first()?.0);
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let start = end;
        end += line.len();
        // A line of a multi-line string may look like a header. In that case, the text before it does not
        // parse.
        if header(line).as_deref() == Some(table) && text[..start].parse::<Table>().is_ok() {
            let gap = if line.ends_with('\n') { "" } else { "\n" };
            return Some(format!("{}{gap}{}{}", &text[..end], lines(entries, &[]), &text[end..]));
        }
    }
    None
}

/// Parses a table header, such as `[a.b]`, into its path.
fn header(line: &str) -> Option<Vec<String>> {
    let line = line.trim_start();
    if !line.starts_with('[') || line.starts_with("[[") {
        return None;
    }
    let mut table: Table = line.parse().ok()?;
    let mut path = Vec::new();
    while let Some((name, value)) = std::mem::take(&mut table).into_iter().next() {
        path.push(name);
        table = value.as_table()?.clone();
    }
    Some(path)
}

/// Appends the entries as a new table.
fn as_new_table(text: &str, entries: &[Entry]) -> Option<String> {
    let table = table_of(&entries.first()?.0).join(".");
    let gap = match text {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    Some(format!("{text}{gap}[{table}]\n{}", lines(entries, &[])))
}

/// Inserts the entries as dotted keys at the beginning, for a file that writes their table in this way.
fn as_dotted_keys(text: &str, entries: &[Entry]) -> Option<String> {
    let table = table_of(&entries.first()?.0);
    Some(format!("{}{text}", lines(entries, table)))
}

fn lines(entries: &[Entry], prefix: &[String]) -> String {
    let prefix: String = prefix.iter().map(|name| format!("{name}.")).collect();
    let name = |path: &[String]| path.last().cloned().unwrap_or_default();
    entries.iter().map(|(path, value)| format!("{prefix}{} = {value}\n", name(path))).collect()
}

/// Tells whether the new text has exactly the values of the old text and the entries.
fn adds_exactly(old: &str, new: &str, entries: &[Entry]) -> bool {
    let (Ok(mut expected), Ok(actual)) = (old.parse::<Table>(), new.parse::<Table>()) else { return false };
    let are_new = entries.iter().all(|(path, value)| put(&mut expected, path, value));
    are_new && expected == actual
}

/// Sets a value. Returns `false` if there was one.
fn put(table: &mut Table, path: &[String], value: &toml::Value) -> bool {
    match path {
        [] => false,
        [last] => table.insert(last.clone(), value.clone()).is_none(),
        [name, rest @ ..] => {
            let inner = table.entry(name.clone()).or_insert_with(|| Table::new().into());
            inner.as_table_mut().is_some_and(|inner| put(inner, rest, value))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn insert_all(text: &str, settings: &[(&str, Value)]) -> Insertion {
        let path = |path: &str| path.split('.').map(str::to_owned).collect();
        let settings = settings.iter().map(|(name, value)| (path(name), value.clone())).collect();
        insert(text, &settings).expect("the text is TOML")
    }

    #[test]
    fn an_empty_file_gets_the_tables() {
        let new = insert_all(
            "",
            &[("memory.grace_days", json!(7)), ("layers.save.settings.parallel", json!(false))],
        );

        assert_eq!(new.text, "[layers.save.settings]\nparallel = false\n\n[memory]\ngrace_days = 7\n");
        assert_eq!(new.added.len(), 2);
    }

    #[test]
    fn an_existing_table_is_extended_and_otherwise_unchanged() {
        let text = "# mine\n[memory]   # kept\ngrace_days = 3 # few\n\n[limits]\njobs = 4";
        let new =
            insert_all(text, &[("memory.grace_days", json!(7)), ("memory.archive_retired", json!(true))]);

        let expected =
            "# mine\n[memory]   # kept\narchive_retired = true\ngrace_days = 3 # few\n\n[limits]\njobs = 4";
        assert_eq!(new.text, expected);
        assert_eq!(new.already_set, [["memory", "grace_days"]]);
    }

    #[test]
    fn a_table_of_dotted_keys_gets_dotted_keys() {
        let new = insert_all("memory.grace_days = 3\n", &[("memory.archive_retired", json!(true))]);

        assert_eq!(new.text, "memory.archive_retired = true\nmemory.grace_days = 3\n");
    }

    #[test]
    fn a_table_on_one_line_is_refused() {
        let text = "memory = { grace_days = 3 }\n";
        let new =
            insert_all(text, &[("memory.archive_retired", json!(true)), ("memory.grace_days", json!(7))]);

        assert_eq!((new.text.as_str(), new.added.len()), (text, 0));
        assert_eq!(new.refused[0].0, ["memory", "archive_retired"]);
    }

    #[test]
    fn a_line_in_a_string_that_looks_like_a_header_is_not_a_header() {
        let text = "[layers.x.settings]\na = '''\n[memory]\n'''\n";
        let new = insert_all(text, &[("memory.grace_days", json!(7))]);

        assert_eq!(new.text, format!("{text}\n[memory]\ngrace_days = 7\n"));
    }

    #[test]
    fn a_file_that_is_not_toml_is_an_error() {
        assert!(insert("[memory\n", &Settings::new()).is_err());
    }
}
