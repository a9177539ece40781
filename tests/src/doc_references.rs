//! Checks that the tests named by a page exist. Its tables name them in backquotes, as `file::test`.

use crate::workspace;
use std::path::Path;

/// Returns the tests in the last column of a page's tables, each as a path that begins with its file.
///
/// # Panics
/// If the page cannot be read.
pub fn tests_named_in(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(workspace::root().join(page))
        .unwrap_or_else(|error| panic!("{page} cannot be read: {error}"));
    let rows = text.lines().filter(|line| line.starts_with("| "));
    let cells = rows.filter_map(|row| row.trim_end_matches([' ', '|']).rsplit('|').next());
    let quoted = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    quoted.filter(|name| name.contains("::")).map(str::to_owned).collect()
}

/// Returns the tests that are not in the sources.
pub fn missing_tests(named: &[String]) -> Vec<&String> {
    let folders = ["tests/tests", "eval/tests", "host/src"].map(|folder| workspace::root().join(folder));
    let is_there = |name: &str| {
        let (file, test) = name.rsplit_once("::").unwrap_or(("", name));
        folders.iter().any(|folder| exists(folder, &file.replace("::", "/"), test))
    };
    named.iter().filter(|name| !is_there(name)).collect()
}

/// Tells whether a source file below `folder` has a test with this name.
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
    let mut pairs = lines.clone().zip(lines.skip(1));
    pairs.any(|(attribute, line)| attribute == "#[test]" && line.starts_with(&function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_recognized_by_its_attribute_and_its_full_name() {
        assert!(has_test("mod tests {\n    #[test]\n    fn it_holds() {}\n}", "it_holds"));
        assert!(!has_test("#[test]\nfn it_holds_still() {}\nfn it_holds() {}", "it_holds"));
    }

    #[test]
    fn a_test_that_does_not_exist_is_missing() {
        let named = ["kit::nobody_wrote_this", "doc_references::a_test_that_does_not_exist_is_missing"]
            .map(str::to_owned);

        assert_eq!(missing_tests(&named).len(), 2, "tests of the kit itself do not count");
    }
}
