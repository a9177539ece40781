//! Checks that the tests and files named by a page exist. Tables name tests in backquotes, as `file::test`;
//! files are links, or stand in backquotes with their path from the root.

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

/// Folders of the checkout with whose names a path in a page begins.
const FOLDERS: [&str; 9] = ["docs", "eval", "examples", "host", "plugins", "sdk", "tests", "wit", "xtask"];

/// Returns the paths that a page names and that do not exist. A name in capitals stands for any other, as in
/// `docs/schemas/NAME.json`.
///
/// # Panics
/// If the page cannot be read.
pub fn missing_paths(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", page.display()));
    missing_in(&text, page.parent().unwrap_or(Path::new("")))
}

/// Returns the missing paths of a text; its links start at `folder`.
fn missing_in(text: &str, folder: &Path) -> Vec<String> {
    let is_path = |text: &&str| FOLDERS.iter().any(|folder| text.starts_with(&format!("{folder}/")));
    let is_example = |path: &str| path.contains(['*', '<', ' ']) || has_placeholder(path);
    let quoted = text.split('`').skip(1).step_by(2).filter(is_path);
    let quoted = quoted.filter(|path| !is_example(path)).map(|path| (workspace::root(), path));
    let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let links = links.filter(|link| !link.is_empty() && !link.contains("://")).map(|link| (folder, link));
    let missing = quoted.chain(links).filter(|(base, path)| !base.join(path).exists());
    missing.map(|(_, path)| path.to_owned()).collect()
}

fn has_placeholder(path: &str) -> bool {
    let stems = path.split(['/', '.', '_']);
    stems.into_iter().any(|stem| stem.len() > 1 && stem.bytes().all(|byte| byte.is_ascii_uppercase()))
        && !path.ends_with(".md")
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

    #[test]
    fn a_path_or_link_that_does_not_exist_is_missing_and_a_placeholder_is_not() {
        let text = "`host/src/lib.rs` and `host/src/none.rs`, `host/src/NAME.rs`, `none.rs`; \
                    [here](README.md#install), [there](none.md), [elsewhere](https://localhost/none.md)";

        assert_eq!(missing_in(text, workspace::root()), ["host/src/none.rs", "none.md"]);
    }
}
