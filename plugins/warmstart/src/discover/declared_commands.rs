//! Finds commands that a project's files declare: scripts, targets, tasks, aliases. It reads the formats line
//! by line and only for names, so that a half-written file still yields the rest.

use super::{MAX_TOPICS_PER_COLLECTION, MAX_TOPICS_PER_FILE, ProjectFiles};

/// Returns the declared commands, each with its source.
pub fn commands(files: &impl ProjectFiles) -> Vec<(String, &'static str)> {
    let mut found: Vec<(String, &'static str)> = Vec::new();
    let mut add = |source: &'static str, prefix: &str, names: Vec<String>, max: usize| {
        let command = |name: String| (format!("{prefix}{name}"), source);
        found.extend(names.into_iter().take(max).map(command));
    };
    let mut bin = files.names("bin");
    bin.retain(|name| !name.starts_with('.') && is_name(name) && files.is_file(&format!("bin/{name}")));
    add("bin", "bin/", bin, MAX_TOPICS_PER_COLLECTION);
    if let Some(text) = files.text("package.json") {
        add("package.json", &format!("{} run ", script_runner(files)), scripts(&text), MAX_TOPICS_PER_FILE);
    }
    for (source, program, targets) in TARGETS {
        let text = source.1.iter().find_map(|path| files.text(path));
        add(source.0, program, text.map(|text| targets(&text)).unwrap_or_default(), MAX_TOPICS_PER_FILE);
    }
    if let Some(text) = files.text(".cargo/config.toml").or_else(|| files.text(".cargo/config")) {
        add("cargo alias", "cargo ", keys(&text, &["alias"]), MAX_TOPICS_PER_FILE);
    }
    if files.is_file("xtask/Cargo.toml") {
        add("xtask", "cargo ", vec!["xtask".to_owned()], 1);
    }
    found
}

/// A source with its possible file names, the prefix of its commands, and the function that finds their
/// names.
type Target = ((&'static str, &'static [&'static str]), &'static str, fn(&str) -> Vec<String>);

const TARGETS: [Target; 4] = [
    (("Makefile", &["GNUmakefile", "Makefile", "makefile"]), "make ", targets),
    (("justfile", &["justfile", "Justfile", ".justfile"]), "just ", recipes),
    (("Taskfile", &["Taskfile.yml", "Taskfile.yaml", "Taskfile.dist.yml"]), "task ", tasks),
    (("pyproject.toml", &["pyproject.toml"]), "", |text| {
        keys(text, &["project.scripts", "tool.poetry.scripts"])
    }),
];

/// Returns the program that runs the scripts of `package.json`; the lock file names it.
fn script_runner(files: &impl ProjectFiles) -> &'static str {
    let locks =
        [("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun"), ("bun.lockb", "bun")];
    locks.iter().find(|(lock, _)| files.is_file(lock)).map_or("npm", |(_, runner)| runner)
}

/// Returns the names under `scripts`, in the order of the file.
fn scripts(text: &str) -> Vec<String> {
    let Ok(package) = serde_json::from_str::<serde_json::Value>(text) else { return Vec::new() };
    let names = package["scripts"].as_object().into_iter().flatten().map(|(name, _)| name);
    // serde_json sorts an object by name; the text has the author's order.
    let position = |name: &str| text.find(&format!("\"{name}\"")).unwrap_or(0);
    let mut names: Vec<_> =
        names.filter(|name| is_name(name)).map(|name| (position(name), name.clone())).collect();
    names.sort();
    names.into_iter().map(|(_, name)| name).collect()
}

/// Returns the targets of a Makefile, without variables, patterns and names that begin with a dot.
fn targets(text: &str) -> Vec<String> {
    let rules = text.lines().filter(|line| !line.starts_with(['\t', ' ', '#', '.']));
    let named = rules.filter_map(|line| {
        let (names, rest) = line.split_once(':')?;
        (!rest.starts_with('=') && !rest.starts_with(":=") && !names.contains('=')).then_some(names)
    });
    named.flat_map(str::split_whitespace).filter(|name| is_name(name)).map(str::to_owned).collect()
}

/// Returns the recipes of a justfile, which may have parameters.
fn recipes(text: &str) -> Vec<String> {
    let rules = text.lines().filter(|line| !line.starts_with(['\t', ' ', '#', '[']));
    let named = rules.filter_map(|line| {
        let (before, rest) = line.split_once(':')?;
        let name = before.split_whitespace().next()?.trim_start_matches('@');
        let is_setting = matches!(name, "set" | "alias" | "export" | "import" | "mod");
        (!rest.starts_with('=') && !is_setting && is_name(name) && !name.starts_with('_'))
            .then(|| name.to_owned())
    });
    named.collect()
}

/// Returns the tasks of a Taskfile: the keys one level inside `tasks:`.
fn tasks(text: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| line.trim_end() != "tasks:").skip(1);
    let lines = lines.filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let inside: Vec<&str> = lines.take_while(|line| line.starts_with(' ')).collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let step = inside.first().map_or(0, |line| indent(line));
    let keys = inside.iter().filter(|line| indent(line) == step);
    // A task's name may contain colons: `db:reset:`.
    let names = keys.filter_map(|line| line.trim().split(": ").next());
    let names = names.map(|name| name.trim_end_matches(':').trim_matches(['"', '\'']));
    names.filter(|name| is_name(name)).map(str::to_owned).collect()
}

/// Returns the keys in these sections of a TOML file.
fn keys(text: &str, sections: &[&str]) -> Vec<String> {
    let (mut inside, mut found) = (false, Vec::new());
    for line in text.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.split(']').next().unwrap_or_default().trim();
            inside = sections.contains(&section);
        } else if let Some((key, _)) = line.split_once('=').filter(|_| inside) {
            let key = key.trim().trim_matches(['"', '\'']);
            found.extend(is_name(key).then(|| key.to_owned()));
        }
    }
    found
}

/// Tells whether the name is one word of a command line.
fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '+');
    name.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && name.chars().count() <= 60
        && name.chars().all(fits)
}
