//! Checks the layout of the source tree, so that a reader finds a file by its name and finds only one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::sources::SourceFile;

/// File names that may occur several times in a crate.
const COMMON_NAMES: [&str; 5] = ["lib.rs", "main.rs", "build.rs", "tests.rs", "mod.rs"];

/// Maximum number of parts of a path below `src`: `area/sub/file.rs`. A folder `tests` does not count.
const MAX_DEPTH: usize = 3;

/// Describes every violation of a rule of the tree. `max_width` is rustfmt's.
pub fn find(files: &[SourceFile], max_width: usize) -> Vec<String> {
    let files: Vec<_> = files.iter().collect();
    let rules = [repeated_names(&files), single_files(&files), mod_files(&files), deep_files(&files)];
    rules.into_iter().flatten().chain(wide_lines(&files, max_width)).collect()
}

/// Reads rustfmt's `max_width`.
pub fn max_width(rustfmt_toml: &str) -> Option<usize> {
    let line = rustfmt_toml.lines().find_map(|line| line.trim().strip_prefix("max_width"))?;
    line.trim().strip_prefix('=')?.trim().parse().ok()
}

/// Finds file names that are not unique in their crate.
fn repeated_names(files: &[&SourceFile]) -> Vec<String> {
    let mut by_name: BTreeMap<(PathBuf, &str), Vec<String>> = BTreeMap::new();
    for file in files {
        let name = file.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !COMMON_NAMES.contains(&name) {
            by_name.entry((compiled_crate(file), name)).or_default().push(file.path.display().to_string());
        }
    }
    let repeated = by_name.into_values().filter(|paths| paths.len() > 1);
    repeated.map(|paths| format!("one file name, several files: {}", paths.join(", "))).collect()
}

/// Returns the unit of compilation of a file: the sources of a package, or one of its integration tests.
fn compiled_crate(file: &SourceFile) -> PathBuf {
    let path = file.path_in_crate();
    let parts = if path.starts_with("src") { 1 } else { 2 };
    file.crate_folder.join(path.components().take(parts).collect::<PathBuf>())
}

/// Finds folders below `src` that hold a single file.
fn single_files(files: &[&SourceFile]) -> Vec<String> {
    let mut by_folder: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path_in_crate().starts_with("src")) {
        let source_folder = file.crate_folder.join("src");
        let folders = file.path.ancestors().skip(1).take_while(|folder| **folder != source_folder);
        folders.for_each(|folder| *by_folder.entry(folder.to_owned()).or_default() += 1);
    }
    let single = by_folder.into_iter().filter(|(_, count)| *count == 1);
    single.map(|(folder, _)| format!("{} holds a single file", folder.display())).collect()
}

/// Finds modules named `mod.rs` instead of `foo.rs` beside the folder `foo/`.
fn mod_files(files: &[&SourceFile]) -> Vec<String> {
    let in_source = files.iter().filter(|file| file.path_in_crate().starts_with("src"));
    let named_mod = in_source.filter(|file| file.path.ends_with("mod.rs"));
    named_mod
        .map(|file| {
            let folder = file.path.parent().unwrap_or(Path::new("")).display();
            format!("{} should be {folder}.rs", file.path.display())
        })
        .collect()
}

fn deep_files(files: &[&SourceFile]) -> Vec<String> {
    let depth = |file: &SourceFile| {
        let path = file.path_in_crate().strip_prefix("src").unwrap_or(Path::new(""));
        path.components().filter(|part| part.as_os_str() != "tests").count()
    };
    let deep = files.iter().filter(|file| depth(file) > MAX_DEPTH);
    deep.map(|file| format!("{} lies deeper than src/area/sub/file.rs", file.path.display())).collect()
}

/// Finds lines that are too wide and that rustfmt cannot break: comments and strings.
fn wide_lines(files: &[&SourceFile], max_width: usize) -> Vec<String> {
    let wide = files.iter().flat_map(|file| {
        let lines = file.text.lines().enumerate();
        let lines = lines.map(|(number, line)| (number + 1, line.chars().count()));
        let wide = lines.filter(move |(_, width)| *width > max_width);
        wide.map(|(number, width)| format!("{}:{number} has {width} characters", file.path.display()))
    });
    wide.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(paths: &[&str]) -> Vec<SourceFile> {
        let file = |path: &&str| SourceFile {
            path: path.into(),
            crate_folder: "a".into(),
            text: String::new(),
            is_test: false,
        };
        paths.iter().map(file).collect()
    }

    fn apply(rule: impl Fn(&[&SourceFile]) -> Vec<String>, paths: &[&str]) -> Vec<String> {
        rule(&files(paths).iter().collect::<Vec<_>>())
    }

    #[test]
    fn a_file_name_is_unique_in_its_unit_of_compilation() {
        let repeated = apply(repeated_names, &["a/src/b/c.rs", "a/src/c.rs"]);

        assert_eq!(repeated, ["one file name, several files: a/src/b/c.rs, a/src/c.rs"]);
        let test_programs =
            ["a/src/c.rs", "a/tests/c.rs", "a/tests/b/c.rs", "a/tests/b/mod.rs", "a/tests/d/mod.rs"];
        assert_eq!(apply(repeated_names, &test_programs), [""; 0]);
        assert_eq!(apply(repeated_names, &["a/src/b/tests.rs", "a/src/d/tests.rs"]), [""; 0]);
    }

    #[test]
    fn a_folder_holds_more_than_one_file() {
        assert_eq!(apply(single_files, &["a/src/b.rs", "a/src/b/c.rs"]), ["a/src/b holds a single file"]);
        assert_eq!(apply(single_files, &["a/src/b.rs", "a/src/b/c.rs", "a/src/b/d.rs"]), [""; 0]);
    }

    #[test]
    fn only_test_programs_have_mod_files_and_none_lies_deep() {
        assert_eq!(
            apply(mod_files, &["a/src/b/mod.rs", "a/tests/kit/mod.rs"]),
            ["a/src/b/mod.rs should be a/src/b.rs"]
        );
        assert_eq!(apply(deep_files, &["a/src/b/c/d.rs", "a/src/b/c/d/e.rs"]).len(), 1);
    }

    #[test]
    fn a_line_is_as_wide_as_its_characters() {
        let mut files = files(&["a/src/b.rs"]);
        files[0].text = "üüü\nfour\n".to_owned();

        assert_eq!(wide_lines(&[&files[0]], 3), ["a/src/b.rs:2 has 4 characters"]);
        assert_eq!(max_width("edition = 2024\nmax_width = 110\n"), Some(110));
    }
}
