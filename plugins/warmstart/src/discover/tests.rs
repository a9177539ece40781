//! Tests of discovery as tables of files and memories.

use std::collections::BTreeMap;

use super::*;

#[derive(Default)]
struct FakeFiles(BTreeMap<&'static str, &'static str>);

impl ProjectFiles for FakeFiles {
    fn text(&self, path: &str) -> Option<String> {
        self.0.get(path).map(|text| (*text).to_owned())
    }

    fn is_file(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let inside = self.0.keys().filter_map(|path| path.strip_prefix(folder)?.strip_prefix('/'));
        inside.map(str::to_owned).collect()
    }
}

fn declared_commands(files: &[(&'static str, &'static str)]) -> Vec<String> {
    let files = FakeFiles(files.iter().copied().collect());
    topics(&files, &[], 7).into_iter().map(|topic| topic.command).collect()
}

fn known(text: &str, tags: &[&str]) -> KnownMemory {
    KnownMemory {
        text: text.to_owned(),
        tags: tags.iter().map(ToString::to_string).collect(),
        is_runbook: false,
    }
}

fn commands_in_memories(memories: &[KnownMemory]) -> Vec<(String, String)> {
    topics(&FakeFiles::default(), memories, 7)
        .into_iter()
        .map(|topic| (topic.command, topic.source))
        .collect()
}

#[test]
fn the_lock_file_decides_which_program_runs_scripts() {
    let package = ("package.json", r#"{"scripts": {"test": "x", "build": "y", "a b": "z"}, "name": "s"}"#);
    for (lock, runner) in [
        ("package-lock.json", "npm"),
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
    ] {
        assert_eq!(
            declared_commands(&[package, (lock, "")]),
            [format!("{runner} run test"), format!("{runner} run build")]
        );
    }
}

#[test]
fn targets_recipes_tasks_and_aliases_are_discovered() {
    let makefile = "CC := gcc\nX = a:b\n.PHONY: all\nall: build-2.x test\n\tgo: x\n%.o: %.c\nbuild-2.x \
                    test: ;\nY ::= 1\n";
    let justfile = "set shell := ['sh']\nv := '1'\n# c\n[private]\n@deploy env='x': build\n  run: \
                    x\n_hidden:\nbuild *args:\n";
    let taskfile = "version: '3'\nvars:\n  A: b\ntasks:\n  # c\n  build:\n    cmds:\n      - go build\n  \
                    'db:reset':\n    x: y\nother:\n  z:\n";
    let pyproject = "[project]\nname = 'x'\n[project.scripts]\nserve-it = 'x:y'\n[tool.x]\nno = 1\n";
    for (path, text, expected) in [
        ("Makefile", makefile, &["make all", "make build-2.x", "make test"][..]),
        ("justfile", justfile, &["just deploy", "just build"]),
        ("Taskfile.yml", taskfile, &["task build", "task db:reset"]),
        ("pyproject.toml", pyproject, &["serve-it"]),
        (
            ".cargo/config.toml",
            "[build]\nx=1\n[alias]\nxtask = 'run -p xtask --'\nci='test'",
            &["cargo xtask", "cargo ci"],
        ),
        ("xtask/Cargo.toml", "", &["cargo xtask"]),
        ("bin/deploy.sh", "", &["bin/deploy.sh"]),
        ("package.json", "{ half", &[]),
    ] {
        assert_eq!(declared_commands(&[(path, text)]), expected, "{path}");
    }
}

#[test]
fn commands_in_tagged_memories_and_in_memories_of_errors_are_discovered() {
    let memories = [
        known("Deploys\n`make deploy TARGET=x` needs the VPN", &["hot-topic"]),
        known("terraform apply", &["hot-topic"]),
        known(
            "Tests fail: running pytest says no such module `conftest.py`, then `uv sync` helps",
            &["error"],
        ),
        known("The words `cargo bench` are quoted, but this is no error", &[]),
    ];
    let source = |command: &str, source: &str| (command.to_owned(), source.to_owned());

    assert_eq!(
        commands_in_memories(&memories),
        [
            source("make deploy", "hot-topic"),
            source("terraform apply", "hot-topic"),
            source("uv sync", "memory"),
            source("pytest", "memory"),
        ]
    );
}

#[test]
fn a_tag_that_three_memories_share_is_a_topic() {
    let tags = ["docker", "change:x", "error-prone", "cheat-sheet"];
    let memories: Vec<KnownMemory> =
        (0..3).map(|at| known("x", &tags[..if at == 0 { 4 } else { 2 }])).collect();

    assert_eq!(commands_in_memories(&memories), [("docker".to_owned(), "tag".to_owned())]);
    assert_eq!(commands_in_memories(&memories[1..]), []);
}

#[test]
fn discovery_stops_at_twenty_topics_and_skips_ordinary_programs() {
    let many: String = (0..50).map(|n| format!("t{n}:\n")).collect();
    let memories: Vec<KnownMemory> =
        (0..30).map(|n| known(&format!("`tool{n} x`"), &["hot-topic", "error"])).collect();
    let files = FakeFiles(
        [("Makefile", &*many.leak()), ("bin/test", ""), ("justfile", "a:\nb:\nc:\nd:\ne:\nf:\n")].into(),
    );

    let found = topics(&files, &memories, 7);

    assert_eq!(found.len(), 20);
    assert!(commands_in_memories(&[known("grep", &["hot-topic"])]).is_empty());
}

#[test]
fn hostile_files_and_memories_do_not_panic() {
    for text in ["\0\u{1}", "[[[[", ":::::", "g++ [ (:\n", "`````", "é`é é`", "tasks:", "{\"scripts\":[1]}"]
    {
        let _ = commands_in_memories(&[known(text, &["hot-topic", "error"])]);
        let leaked: &'static str = text.to_owned().leak();
        for path in
            ["Makefile", "justfile", "Taskfile.yml", "pyproject.toml", ".cargo/config.toml", "package.json"]
        {
            let _ = declared_commands(&[(path, leaked)]);
        }
    }
}
