//! Checks that the documentation names files that exist.

use std::fs;
use std::path::PathBuf;

use interleaf_tests::doc_references::missing_paths;
use interleaf_tests::workspace;

/// Paths in the repository of somebody who writes a layer.
const PATHS_ELSEWHERE: [&str; 3] = ["wit/deps/interleaf-layer", "wit/world.wit", "docs/x.md"];

/// Returns all pages of the checkout that people read, except the recordings'.
fn pages() -> Vec<PathBuf> {
    let folders = ["", "docs", "docs/decisions", "wit", "sdk/rust", "examples"];
    let entries = folders.map(|folder| fs::read_dir(workspace::root().join(folder)).expect("a folder"));
    let paths = entries.into_iter().flatten().map(|entry| entry.expect("readable").path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

#[test]
fn every_path_and_link_in_a_page_exists() {
    let pages = pages();
    assert!(pages.len() > 40, "{}", pages.len());

    let missing = pages.iter().flat_map(|page| missing_paths(page).into_iter().map(move |path| (page, path)));
    let missing: Vec<_> = missing.filter(|(_, path)| !PATHS_ELSEWHERE.contains(&path.as_str())).collect();

    assert!(missing.is_empty(), "{missing:#?}");
}
