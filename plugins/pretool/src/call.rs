//! What a tool is about to do, as far as this layer cares.

use serde_json::Value;

/// A call worth a look.
#[derive(Debug, PartialEq, Eq)]
pub enum Call {
    /// A shell command.
    Command(String),
    /// A change of the file at this path.
    Change(String),
}

impl Call {
    /// The call, from the tool's name and its input as JSON. None for every other tool, without reading the input.
    pub fn of(tool: &str, input: &str) -> Option<Self> {
        let (field, make): (&str, fn(String) -> Self) = match tool {
            "Bash" => ("command", Self::Command),
            "Edit" | "Write" | "MultiEdit" => ("file_path", Self::Change),
            "NotebookEdit" => ("notebook_path", Self::Change),
            _ => return None,
        };
        let input: Value = serde_json::from_str(input).ok()?;
        Some(make(input[field].as_str().filter(|text| !text.is_empty())?.to_owned()))
    }
}

/// The names by which a memory may know the file: as the project has it, below the current folder, and as it was given.
pub fn names(path: &str, cwd: &str, relative: Option<String>) -> Vec<String> {
    let below = path.strip_prefix(cwd.trim_end_matches('/')).and_then(|rest| rest.strip_prefix('/'));
    let mut names: Vec<String> = relative.into_iter().filter(|name| !name.is_empty()).collect();
    for name in below.into_iter().chain([path]) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_changes_are_worth_a_look_and_nothing_else() {
        let change = |path: &str| Some(Call::Change(path.to_owned()));
        for (tool, input, expected) in [
            ("Bash", r#"{"command": "make"}"#, Some(Call::Command("make".to_owned()))),
            ("Edit", r#"{"file_path": "/a/b"}"#, change("/a/b")),
            ("Write", r#"{"file_path": "/a/b", "content": "x"}"#, change("/a/b")),
            ("MultiEdit", r#"{"file_path": "/a/b"}"#, change("/a/b")),
            ("NotebookEdit", r#"{"notebook_path": "/a/b"}"#, change("/a/b")),
            ("Read", r#"{"file_path": "/a/b"}"#, None),
            ("Bash", r#"{"command": 7}"#, None),
            ("Bash", r#"{"command": ""}"#, None),
            ("Edit", "[", None),
            ("mcp__x__Bash", r#"{"command": "make"}"#, None),
        ] {
            assert_eq!(Call::of(tool, input), expected, "{tool} {input}");
        }
    }

    #[test]
    fn a_file_is_known_by_its_place_in_the_project_and_in_the_folder() {
        assert_eq!(names("/w/a/b.rs", "/w/a", Some("a/b.rs".into())), ["a/b.rs", "b.rs", "/w/a/b.rs"]);
        assert_eq!(names("/w/b.rs", "/w/", None), ["b.rs", "/w/b.rs"]);
        assert_eq!(names("/elsewhere", "/w", None), ["/elsewhere"]);
        assert_eq!(names("/window/b", "/w", None), ["/window/b"]);
    }
}
