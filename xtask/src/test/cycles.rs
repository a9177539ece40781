//! Finds import cycles among modules.
//!
//! Modules in one folder are compared; the imports of all files below a module count as its own. Imports
//! between a module and its submodules are allowed, because together they are one unit. Imports are followed
//! through re-exports to the module that defines a name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::sources::SourceFile;
use super::tokens::{Token, TokenKind};

/// Path of a module from the crate's root; empty for the root itself.
type ModulePath = Vec<String>;

/// The modules of one crate with their imports.
struct Modules {
    /// For each module, the names that it imports and the paths that they stand for.
    aliases: BTreeMap<ModulePath, BTreeMap<String, Vec<String>>>,
    references: Vec<Reference>,
}

/// A path in a source file that begins at the crate's root.
struct Reference {
    from: ModulePath,
    to: Vec<String>,
    file: PathBuf,
    line: usize,
}

/// Describes every cycle in every crate, with an import for each of its steps.
pub fn find(files: &[SourceFile]) -> Vec<String> {
    let mut crates: BTreeMap<&Path, Vec<&SourceFile>> = BTreeMap::new();
    let is_judged = |file: &&SourceFile| !file.is_test && file.path_in_crate().starts_with("src");
    for file in files.iter().filter(is_judged) {
        crates.entry(&file.crate_folder).or_default().push(file);
    }
    crates.into_values().flat_map(|files| cycles(&Modules::read(&files))).collect()
}

impl Modules {
    fn read(files: &[&SourceFile]) -> Self {
        let mut modules = Self { aliases: BTreeMap::new(), references: Vec::new() };
        for file in files {
            modules.aliases.insert(module_path(file.path_in_crate()), BTreeMap::new());
        }
        for file in files {
            modules.read_file(file);
        }
        modules
    }

    fn read_file(&mut self, file: &SourceFile) {
        let module = module_path(file.path_in_crate());
        let tokens = file.production_tokens();
        let mut at = 0;
        while at < tokens.len() {
            let start = at;
            let mut paths = Vec::new();
            if tokens[at].is("use") {
                at = read_use_tree(&tokens, at + 1, &[], &mut paths);
            } else if begins_path(&tokens, at) {
                let (path, end) = read_path(&tokens, at);
                (paths, at) = (vec![(path, None)], end);
            } else {
                at += 1;
            }
            for (path, alias) in paths {
                self.add(&module, path, alias, file, tokens[start].line);
            }
        }
    }

    fn add(
        &mut self,
        module: &ModulePath,
        path: Vec<String>,
        alias: Option<String>,
        file: &SourceFile,
        line: usize,
    ) {
        let Some(to) = self.absolute(module, &path) else { return };
        if let Some(name) = alias.or_else(|| path.last().cloned()) {
            self.aliases.entry(module.clone()).or_default().insert(name, to.clone());
        }
        self.references.push(Reference { from: module.clone(), to, file: file.path.clone(), line });
    }

    /// Returns a path from the crate's root; `None` for a path into another crate.
    fn absolute(&self, module: &ModulePath, path: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        let mut base = match first.as_str() {
            "crate" => Vec::new(),
            "self" => module.clone(),
            "super" => module[..module.len().saturating_sub(1)].to_vec(),
            child => {
                let child = [module.as_slice(), &[child.to_owned()]].concat();
                return self.aliases.contains_key(&child).then(|| [child, rest.to_vec()].concat());
            }
        };
        for part in rest {
            match part.as_str() {
                "super" => drop(base.pop()),
                _ => base.push(part.clone()),
            }
        }
        Some(base)
    }

    /// Returns the module that defines the item of a path. Re-exports are followed a few times.
    fn defining_module(&self, path: &[String]) -> ModulePath {
        let named = self.deepest_module(path);
        let mut path = path.to_vec();
        for _ in 0..8 {
            let module = self.deepest_module(&path);
            let Some(name) = path.get(module.len()) else { return module };
            let Some(target) = self.aliases.get(&module).and_then(|aliases| aliases.get(name)) else {
                return module;
            };
            if target.starts_with(&path) {
                return module;
            }
            path = [target.as_slice(), &path[module.len() + 1..]].concat();
        }
        named
    }

    fn deepest_module(&self, path: &[String]) -> ModulePath {
        let length = (0..=path.len()).rev().find(|length| self.aliases.contains_key(&path[..*length]));
        path[..length.unwrap_or(0)].to_vec()
    }
}

/// Returns the module of a file below the folder of its crate.
fn module_path(path: &Path) -> ModulePath {
    let path = path.strip_prefix("src").unwrap_or(path).with_extension("");
    let mut parts: ModulePath =
        path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    let is_root = parts.len() == 1 && ["lib", "main"].contains(&parts[0].as_str());
    if is_root || parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// Tells whether a path inside the crate begins here: `crate::…` or `super::…`, but not `$crate::…`.
fn begins_path(tokens: &[Token], at: usize) -> bool {
    let is_macro = at > 0 && tokens[at - 1].is("$");
    (tokens[at].is("crate") || tokens[at].is("super")) && !is_macro && is_path_separator(tokens, at + 1)
}

fn is_path_separator(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.is(":")) && tokens.get(at + 1).is_some_and(|token| token.is(":"))
}

/// Reads a path outside of an import. Returns it with the position after it.
fn read_path(tokens: &[Token], at: usize) -> (Vec<String>, usize) {
    let (mut path, mut at) = (vec![tokens[at].text.to_owned()], at + 1);
    while is_path_separator(tokens, at)
        && tokens.get(at + 2).is_some_and(|token| token.kind == TokenKind::Word)
    {
        path.push(tokens[at + 2].text.to_owned());
        at += 3;
    }
    (path, at)
}

/// Reads the paths of an import, with groups expanded. Returns the position after it.
fn read_use_tree(
    tokens: &[Token],
    mut at: usize,
    prefix: &[String],
    paths: &mut Vec<(Vec<String>, Option<String>)>,
) -> usize {
    let (mut path, mut alias, mut is_group) = (prefix.to_vec(), None, false);
    while let Some(token) = tokens.get(at) {
        at += 1;
        if token.is("as") {
            alias = tokens.get(at).map(|name| name.text.to_owned());
            at += 1;
        } else if token.kind == TokenKind::Word {
            path.push(token.text.to_owned());
        } else if token.is("{") {
            is_group = true;
            while tokens.get(at).is_some_and(|token| !token.is("}")) {
                at = read_use_tree(tokens, at, &path, paths);
            }
            at += 1;
        } else if token.is("}") {
            at -= 1;
            break;
        } else if token.is(",") || token.is(";") {
            break;
        }
    }
    // `use a::{self}` names `a`.
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    if !is_group && path.len() > prefix.len().min(path.len().saturating_sub(1)) {
        paths.push((path, alias));
    }
    at
}

/// The dependencies between modules of a folder, each with an import that causes it.
type Steps = BTreeMap<ModulePath, BTreeMap<ModulePath, String>>;

fn cycles(modules: &Modules) -> Vec<String> {
    let mut steps = Steps::new();
    for reference in &modules.references {
        let to = modules.defining_module(&reference.to);
        let shared = reference.from.iter().zip(&to).take_while(|(from, to)| from == to).count();
        if shared == reference.from.len() || shared == to.len() {
            continue;
        }
        let (from, to) = (reference.from[..=shared].to_vec(), to[..=shared].to_vec());
        let import =
            format!("{}:{} uses {}", reference.file.display(), reference.line, reference.to.join("::"));
        steps.entry(from).or_default().entry(to).or_insert(import);
    }
    let mut seen = BTreeSet::new();
    let cycles = steps.keys().filter_map(|start| shortest_cycle(&steps, start));
    let cycles = cycles.filter(|cycle| seen.insert(cycle.iter().cloned().collect::<BTreeSet<_>>()));
    cycles.map(|cycle| describe(&steps, &cycle)).collect()
}

/// Returns the shortest path from a module back to itself.
fn shortest_cycle(steps: &Steps, start: &ModulePath) -> Option<Vec<ModulePath>> {
    let mut came_from: BTreeMap<&ModulePath, &ModulePath> = BTreeMap::new();
    let mut front = vec![start];
    while !front.is_empty() {
        let mut next = Vec::new();
        for from in front {
            for to in steps.get(from).into_iter().flat_map(BTreeMap::keys) {
                if to == start {
                    let mut cycle = vec![from.clone()];
                    while let Some(before) = came_from.get(&cycle[cycle.len() - 1]) {
                        cycle.push((*before).clone());
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if !came_from.contains_key(to) {
                    came_from.insert(to, from);
                    next.push(to);
                }
            }
        }
        front = next;
    }
    None
}

fn describe(steps: &Steps, cycle: &[ModulePath]) -> String {
    let names = cycle.iter().chain(cycle.first()).map(|module| module.join("::")).collect::<Vec<_>>();
    let pairs = cycle.iter().zip(cycle.iter().cycle().skip(1));
    let imports =
        pairs.filter_map(|(from, to)| steps.get(from)?.get(to)).map(|import| format!("\n    {import}"));
    format!("{} is a cycle:{}", names.join(" → "), imports.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.into(), crate_folder: "".into(), text: text.to_owned(), is_test: false }
    }

    #[test]
    fn siblings_that_use_each_other_are_a_cycle() {
        let files = [
            file("src/lib.rs", "mod a; mod b;"),
            file("src/a.rs", "use crate::b::{self, B};"),
            file("src/b/c.rs", "fn f() { super::super::a::g() }"),
            file("src/b.rs", "mod c;"),
        ];

        let cycles = find(&files);

        assert_eq!(cycles, ["a → b → a is a cycle:\n    src/a.rs:1 uses b\n    src/b/c.rs:1 uses a::g"],);
    }

    #[test]
    fn a_module_and_its_submodules_are_one_unit() {
        let files = [
            file("src/lib.rs", "mod a;"),
            file("src/a.rs", "mod b; use b::B; pub struct A;"),
            file("src/a/b.rs", "use super::A; use crate::a;"),
        ];

        assert_eq!(find(&files), [""; 0]);
    }

    #[test]
    fn re_exports_and_private_imports_are_followed() {
        let files = [
            file("src/lib.rs", "mod a; mod b; pub use a::A; use b::B;"),
            file("src/a.rs", "use crate::B as Bee;"),
            file("src/b.rs", "use super::A;"),
        ];

        assert_eq!(find(&files).len(), 1, "{:?}", find(&files));
    }

    #[test]
    fn one_direction_is_not_a_cycle_and_other_crates_do_not_count() {
        let files = [
            file("src/main.rs", "mod a; mod b;"),
            file("src/a.rs", "use crate::b::x; use b::y;"),
            file("src/b.rs", "use std::fs; use a::z; macro_rules! m { () => { $crate::a::f() } }"),
        ];

        assert_eq!(find(&files), [""; 0]);
    }

    #[test]
    fn longer_cycles_are_found_once() {
        let files = [
            file("src/a.rs", "use crate::b::x;"),
            file("src/b.rs", "use crate::c::x;"),
            file("src/c.rs", "use crate::a::x;"),
        ];

        let cycles = find(&files);

        assert_eq!(cycles.len(), 1, "{cycles:?}");
        assert!(cycles[0].starts_with("a → b → c → a"), "{cycles:?}");
    }
}
