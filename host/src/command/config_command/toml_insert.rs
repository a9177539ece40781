//! Settings put into the text of a TOML file that a person wrote: comments, order and spelling of theirs stay as they
//! are. Every step is read again and taken only if it added exactly what it should.

use toml::Table;

use super::import_options::Settings;

/// The new text, and what came of each setting.
#[derive(Debug, Default)]
pub(super) struct Insertion {
    pub text: String,
    /// Path and value, as written.
    pub added: Vec<(Vec<String>, toml::Value)>,
    /// What the file says something of.
    pub set_already: Vec<Vec<String>>,
    /// What cannot be put in, because a table around it is written on one line.
    pub refused: Vec<(Vec<String>, toml::Value)>,
}

/// Puts the settings in, table by table.
///
/// # Errors
/// What is wrong with the text, if it is not TOML.
pub(super) fn insert(text: &str, settings: &Settings) -> Result<Insertion, String> {
    let known: Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
    let mut insertion = Insertion { text: text.to_owned(), ..Insertion::default() };
    let mut wanted: Vec<(Vec<String>, toml::Value)> = Vec::new();
    for (path, value) in settings {
        match (is_set(&known, path), toml::Value::try_from(value)) {
            (false, Ok(value)) => wanted.push((path.clone(), value)),
            _ => insertion.set_already.push(path.clone()),
        }
    }
    for entries in wanted.chunk_by(|one, other| table_of(&one.0) == table_of(&other.0)) {
        let candidates = [after_header, as_new_table, at_the_top].map(|way| way(&insertion.text, entries));
        match candidates.into_iter().flatten().find(|new| adds(&insertion.text, new, entries)) {
            Some(new) => {
                insertion.text = new;
                insertion.added.extend_from_slice(entries);
            }
            None => insertion.refused.extend_from_slice(entries),
        }
    }
    Ok(insertion)
}

type Entry = (Vec<String>, toml::Value);

fn table_of(path: &[String]) -> &[String] {
    path.split_last().map_or(&[], |(_, table)| table)
}

/// Whether the file says something at this path.
fn is_set(table: &Table, path: &[String]) -> bool {
    match path {
        [] => false,
        [last] => table.contains_key(last),
        [name, rest @ ..] => {
            table.get(name).and_then(toml::Value::as_table).is_some_and(|inner| is_set(inner, rest))
        }
    }
}

/// The entries behind the `[table]` that is there.
fn after_header(text: &str, entries: &[Entry]) -> Option<String> {
    let table = table_of(&entries.first()?.0);
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let start = end;
        end += line.len();
        // What looks like a header may stand in a text of several lines, which would be open here.
        if header(line).as_deref() == Some(table) && text[..start].parse::<Table>().is_ok() {
            let gap = if line.ends_with('\n') { "" } else { "\n" };
            return Some(format!("{}{gap}{}{}", &text[..end], lines(entries, &[]), &text[end..]));
        }
    }
    None
}

/// The path of the table that a line begins.
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

/// A table of their own at the end.
fn as_new_table(text: &str, entries: &[Entry]) -> Option<String> {
    let table = table_of(&entries.first()?.0).join(".");
    let gap = match text {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    Some(format!("{text}{gap}[{table}]\n{}", lines(entries, &[])))
}

/// With their whole paths before everything else: the file may write the table around them so.
fn at_the_top(text: &str, entries: &[Entry]) -> Option<String> {
    let table = table_of(&entries.first()?.0);
    Some(format!("{}{text}", lines(entries, table)))
}

fn lines(entries: &[Entry], before: &[String]) -> String {
    let before: String = before.iter().map(|name| format!("{name}.")).collect();
    let name = |path: &[String]| path.last().cloned().unwrap_or_default();
    entries.iter().map(|(path, value)| format!("{before}{} = {value}\n", name(path))).collect()
}

/// Whether the new text says what the old one did and the entries, and nothing else.
fn adds(old: &str, new: &str, entries: &[Entry]) -> bool {
    let (Ok(mut expected), Ok(is)) = (old.parse::<Table>(), new.parse::<Table>()) else { return false };
    let all = entries.iter().all(|(path, value)| put(&mut expected, path, value));
    all && expected == is
}

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

    fn put_in(text: &str, settings: &[(&str, Value)]) -> Insertion {
        let path = |path: &str| path.split('.').map(str::to_owned).collect();
        let settings = settings.iter().map(|(name, value)| (path(name), value.clone())).collect();
        insert(text, &settings).expect("the text is TOML")
    }

    #[test]
    fn an_empty_file_gets_a_table_for_each() {
        let new =
            put_in("", &[("memory.grace_days", json!(7)), ("layers.save.settings.parallel", json!(false))]);

        assert_eq!(new.text, "[layers.save.settings]\nparallel = false\n\n[memory]\ngrace_days = 7\n");
        assert_eq!(new.added.len(), 2);
    }

    #[test]
    fn a_table_that_is_there_is_added_to_and_nothing_of_it_changes() {
        let text = "# mine\n[memory]   # kept\ngrace_days = 3 # few\n\n[limits]\njobs = 4";
        let new = put_in(text, &[("memory.grace_days", json!(7)), ("memory.archive_retired", json!(true))]);

        let is =
            "# mine\n[memory]   # kept\narchive_retired = true\ngrace_days = 3 # few\n\n[limits]\njobs = 4";
        assert_eq!(new.text, is);
        assert_eq!(new.set_already, [["memory", "grace_days"]]);
    }

    #[test]
    fn dotted_keys_are_added_to_with_dots() {
        let new = put_in("memory.grace_days = 3\n", &[("memory.archive_retired", json!(true))]);

        assert_eq!(new.text, "memory.archive_retired = true\nmemory.grace_days = 3\n");
    }

    #[test]
    fn a_table_on_one_line_is_left_and_named() {
        let text = "memory = { grace_days = 3 }\n";
        let new = put_in(text, &[("memory.archive_retired", json!(true)), ("memory.grace_days", json!(7))]);

        assert_eq!((new.text.as_str(), new.added.len()), (text, 0));
        assert_eq!(new.refused[0].0, ["memory", "archive_retired"]);
    }

    #[test]
    fn what_looks_like_a_header_in_a_text_is_none() {
        let text = "[layers.x.settings]\na = '''\n[memory]\n'''\n";
        let new = put_in(text, &[("memory.grace_days", json!(7))]);

        assert_eq!(new.text, format!("{text}\n[memory]\ngrace_days = 7\n"));
    }

    #[test]
    fn what_is_no_toml_is_not_written_into() {
        assert!(insert("[memory\n", &Settings::new()).is_err());
    }
}
