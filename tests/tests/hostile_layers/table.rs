//! That the table of `SECURITY.md` can be believed: each of its rows names a test that exists.

use std::path::Path;

use interleaf_tests::workspace;

/// The last column of every row that names tests, as `file::test` in backquotes.
fn named() -> Vec<String> {
    let text = std::fs::read_to_string(workspace::root().join("SECURITY.md")).expect("it can be read");
    let rows = text.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let tests = rows.filter_map(|row| row.trim_end_matches([' ', '|']).rsplit('|').next());
    tests.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Whether a source below `folder` has a test of this name.
fn exists(folder: &Path, file: &str, test: &str) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let found = |path: &Path| {
        let named = path.with_extension("").ends_with(file);
        let text = if named { std::fs::read_to_string(path).unwrap_or_default() } else { String::new() };
        text.contains(&format!("#[test]\nfn {test}("))
    };
    entries.map(|entry| entry.path()).any(|path| found(&path) || path.is_dir() && exists(&path, file, test))
}

#[test]
fn every_test_that_the_table_names_exists() {
    let named = named();

    assert!(named.len() > 20, "the table is there: {named:?}");
    for name in named {
        let (file, test) = name.rsplit_once("::").unwrap_or_else(|| panic!("`{name}` is not file::test"));
        let file = file.replace("::", "/");
        let places = ["tests/tests", "host/src"].map(|folder| workspace::root().join(folder));
        assert!(places.iter().any(|folder| exists(folder, &file, test)), "there is no test `{name}`");
    }
}
