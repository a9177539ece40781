//! The Rust sources of the checkout, with their test code told apart.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::tokens::{Token, TokenKind, tokens};

/// Folders without sources of this project.
const SKIPPED_FOLDERS: [&str; 3] = ["target", "node_modules", "fixtures"];

/// A source file.
#[derive(Debug)]
pub struct SourceFile {
    /// Its path below the root of the checkout.
    pub path: PathBuf,
    /// The folder of its crate, below the root of the checkout.
    pub crate_folder: PathBuf,
    /// Its text.
    pub text: String,
    /// Whether all of it is test code.
    pub is_test: bool,
}

impl SourceFile {
    /// Returns its path below the folder of its crate.
    pub fn path_in_crate(&self) -> &Path {
        self.path.strip_prefix(&self.crate_folder).unwrap_or(&self.path)
    }

    /// Returns its tokens without those of tests; none if all of it is test code.
    pub fn production_tokens(&self) -> Vec<Token<'_>> {
        if self.is_test { Vec::new() } else { split_tests(tokens(&self.text)).0 }
    }
}

/// Reads all Rust sources below `root`, sorted by path.
pub fn read_all(root: &Path) -> Result<Vec<SourceFile>> {
    let mut files = Vec::new();
    collect(root, root, Path::new(""), &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    mark_test_modules(&mut files);
    Ok(files)
}

fn collect(root: &Path, folder: &Path, crate_folder: &Path, files: &mut Vec<SourceFile>) -> Result<()> {
    let crate_folder = match folder.join("Cargo.toml").exists() {
        true => folder.strip_prefix(root)?,
        false => crate_folder,
    };
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !name.starts_with('.') && !SKIPPED_FOLDERS.contains(&&*name) {
                collect(root, &path, crate_folder, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let path = path.strip_prefix(root)?.to_owned();
            let is_test = is_test_path(path.strip_prefix(crate_folder)?);
            files.push(SourceFile { path, crate_folder: crate_folder.to_owned(), text, is_test });
        }
    }
    Ok(())
}

/// Tells whether a path within a crate belongs to a test: `foo/tests.rs`, `foo_tests.rs`, or anything in a
/// folder `tests`.
fn is_test_path(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let in_tests =
        path.parent().is_some_and(|folder| folder.components().any(|part| part.as_os_str() == "tests"));
    in_tests || stem == "tests" || stem.ends_with("_tests")
}

/// Marks the files of modules that are only declared for tests.
fn mark_test_modules(files: &mut [SourceFile]) {
    let mut test_modules = BTreeSet::new();
    for file in files.iter() {
        let (_, modules) = split_tests(tokens(&file.text));
        test_modules.extend(modules.iter().map(|module| module_folder(&file.path).join(module)));
    }
    for file in files {
        let own = file.path.with_extension("");
        file.is_test |= own.ancestors().any(|module| test_modules.contains(module));
    }
}

/// Returns the folder of a file's submodules.
pub fn module_folder(file: &Path) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new(""));
    match file.file_stem().and_then(|stem| stem.to_str()) {
        Some("lib" | "main" | "mod") | None => folder.to_owned(),
        Some(stem) => folder.join(stem),
    }
}

/// Separates the items under `#[cfg(test)]` from the others. Returns the others, and the names of test
/// modules that are in files of their own.
pub fn split_tests(tokens: Vec<Token<'_>>) -> (Vec<Token<'_>>, Vec<&str>) {
    let (mut production, mut modules, mut at) = (Vec::new(), Vec::new(), 0);
    while at < tokens.len() {
        if !is_test_attribute(&tokens[at..]) {
            production.push(tokens[at]);
            at += 1;
            continue;
        }
        while tokens.get(at).is_some_and(|token| token.is("#")) {
            at = end_of_group(&tokens, at + 1);
        }
        let end = end_of_item(&tokens, at);
        let item: Vec<&Token> = tokens[at..end].iter().skip_while(|token| !token.is("mod")).take(3).collect();
        if let [_, name, end] = item[..]
            && name.kind == TokenKind::Word
            && end.is(";")
        {
            modules.push(name.text);
        }
        at = end;
    }
    (production, modules)
}

fn is_test_attribute(tokens: &[Token]) -> bool {
    let starts_with = |attribute: &[&str]| {
        tokens.len() >= attribute.len() && tokens.iter().zip(attribute).all(|(token, text)| token.is(text))
    };
    starts_with(&["#", "[", "cfg", "(", "test", ")", "]"]) || starts_with(&["#", "[", "test", "]"])
}

/// Returns the position after the group that the token at `open` opens.
fn end_of_group(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.kind == TokenKind::Punctuation {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// Returns the position after the item that begins at `start`: after its semicolon or its block.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    while at < tokens.len() {
        match &tokens[at] {
            token if token.is(";") => return at + 1,
            token if token.is("{") => {
                let end = end_of_group(tokens, at);
                let is_value = tokens.get(end).is_some_and(|token| token.is(";"));
                return end + usize::from(is_value);
            }
            token if token.is("(") || token.is("[") => at = end_of_group(tokens, at),
            _ => at += 1,
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn production(source: &str) -> String {
        split_tests(tokens(source)).0.iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn items_for_tests_are_left_out() {
        assert_eq!(
            production("fn a() {} #[cfg(test)] mod tests { fn b() {} } fn c();"),
            "fn a ( ) { } fn c ( ) ;"
        );
        assert_eq!(production("#[cfg(test)] use x::{y, z}; #[test] #[ignore] fn b([u8; 3]) {} a"), "a");
        assert_eq!(production("#[cfg(test)] const A: B = B { c: 1 }; d"), "d");
    }

    #[test]
    fn files_of_modules_for_tests_are_test_files() {
        let file = |path: &str, text: &str| SourceFile {
            path: path.into(),
            crate_folder: "a".into(),
            text: text.to_owned(),
            is_test: false,
        };
        let mut files = [
            file("a/src/lib.rs", "#[cfg(test)] mod sample; mod other;"),
            file("a/src/sample.rs", ""),
            file("a/src/sample/part.rs", ""),
            file("a/src/other.rs", "#[cfg(test)] mod scratch;"),
            file("a/src/other/scratch.rs", ""),
            file("a/src/scratch.rs", ""),
        ];

        mark_test_modules(&mut files);

        assert_eq!(files.map(|file| file.is_test), [false, true, true, false, true, false]);
    }

    #[test]
    fn a_test_is_recognized_by_its_path() {
        for (path, is_test) in [
            ("src/a/tests.rs", true),
            ("src/a_tests.rs", true),
            ("src/a/tests/b.rs", true),
            ("tests/a.rs", true),
            ("src/test/a.rs", false),
        ] {
            assert_eq!(is_test_path(Path::new(path)), is_test, "{path}");
        }
    }
}
