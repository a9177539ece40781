//! Checks the tests that a page names: its tables have them in backquotes, as `file::test`, and each must
//! exist.

use crate::workspace;
use std::path::Path;

/// Returns the tests that the rows of a page's tables name in their last column, beginning with a path of
/// files.
///
/// # Panics
/// When the page cannot be read.
pub fn tests_named_in(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(workspace::root().join(page))
        .unwrap_or_else(|error| panic!("{page} cannot be read: {error}"));
    let rows = text.lines().filter(|line| line.starts_with("| "));
    let cells = rows.filter_map(|row| row.trim_end_matches([' ', '|']).rsplit('|').next());
    let quoted = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    quoted.filter(|name| name.contains("::")).map(str::to_owned).collect()
}

/// Returns those of these tests that are nowhere in the sources.
pub fn missing_tests(named: &[String]) -> Vec<&String> {
    let folders = ["tests/tests", "eval/tests", "host/src"].map(|folder| workspace::root().join(folder));
    let is_there = |name: &str| {
        let (file, test) = name.rsplit_once("::").unwrap_or(("", name));
        folders.iter().any(|folder| exists(folder, &file.replace("::", "/"), test))
    };
    named.iter().filter(|name| !is_there(name)).collect()
}

/// Whether a source below `folder` has a test of this name.
fn exists(folder: &Path, file: &str, test: &str) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let found = |path: &Path| {
        let named = path.with_extension("").ends_with(file);
        let text = if named { std::fs::read_to_string(path).unwrap_or_default() } else { String::new() };
        has_test(&text, test)
    };
    entries.map(|entry| entry.path()).any(|path| found(&path) || path.is_dir() && exists(&path, file, test))
}

fn has_test(source: &str, test: &str) -> bool {
    let lines = source.lines().map(str::trim_start);
    let function = format!("fn {test}(");
    lines.clone().zip(lines.skip(1)).any(|(mark, line)| mark == "#[test]" && line.starts_with(&function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_known_by_its_attribute_and_its_whole_name() {
        assert!(has_test("mod tests {\n    #[test]\n    fn it_holds() {}\n}", "it_holds"));
        assert!(!has_test("#[test]\nfn it_holds_still() {}\nfn it_holds() {}", "it_holds"));
    }

    #[test]
    fn a_test_that_is_nowhere_is_missing() {
        let named = ["kit::nobody_wrote_this", "doc_references::a_test_that_is_nowhere_is_missing"]
            .map(str::to_owned);

        assert_eq!(missing_tests(&named).len(), 2, "the kit itself is no place for what a page promises");
    }
}
