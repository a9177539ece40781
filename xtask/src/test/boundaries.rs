//! Boundaries that the compiler cannot check: each kind of knowledge has one owner, and code elsewhere must
//! not duplicate it.

use std::collections::BTreeSet;
use std::path::Path;

use super::sources::SourceFile;

/// A kind of knowledge that only its owners may have.
struct Boundary {
    /// The knowledge, for people.
    subject: &'static str,
    /// The folders that are searched, below the root of the checkout.
    scopes: &'static [&'static str],
    /// Text that shows the knowledge.
    words: &'static [&'static str],
    /// The modules that may have it, below the root of the checkout.
    owners: &'static [&'static str],
}

/// The host, in which each folder owns some knowledge.
const HOST: &[&str] = &["host/src"];

/// All code that runs on a user's machine.
const PROGRAM: &[&str] = &["host/src", "plugins", "text"];

/// The code of the layers that are built for `wasm32-unknown-unknown`, and what they depend on.
const WITHOUT_WASI: &[&str] =
    &["plugins/recall", "plugins/pretool", "plugins/posttool", "plugins/topics", "text", "sdk/rust/src"];

const BOUNDARIES: [Boundary; 15] = [
    Boundary {
        // It compiles for that target, and fails when it runs.
        subject: "the clock, the files or the processes of an operating system",
        scopes: WITHOUT_WASI,
        words: &[
            "Instant::now",
            "SystemTime",
            "std::env",
            "std::fs",
            "std::net",
            "std::process",
            "std::thread",
        ],
        owners: &["sdk/rust/src/clock", "sdk/rust/src/testing"],
    },
    Boundary {
        subject: "wasmtime",
        scopes: HOST,
        words: &["wasmtime::", "wasmtime_wasi::"],
        owners: &["host/src/sandbox"],
    },
    Boundary {
        subject: "the binary format of components",
        scopes: HOST,
        words: &["wasmparser::", "wit_parser::"],
        owners: &["host/src/contract"],
    },
    Boundary {
        subject: "HTTP",
        scopes: HOST,
        words: &["reqwest::"],
        owners: &["host/src/llm", "host/src/sentence_model/download"],
    },
    Boundary {
        subject: "the Model Context Protocol",
        scopes: HOST,
        words: &["rmcp::", "tokio::"],
        owners: &["host/src/command/mcp"],
    },
    Boundary {
        subject: "Claude Code's replies",
        scopes: HOST,
        words: &["hookSpecificOutput"],
        owners: &["host/src/claude"],
    },
    Boundary {
        subject: "SQL",
        scopes: HOST,
        words: &["rusqlite::", "SELECT ", "INSERT INTO", "DELETE FROM", "CREATE TABLE", "PRAGMA "],
        owners: &[
            "host/src/database",
            "host/src/memory/sqlite_store",
            "host/src/sessions",
            "host/src/state",
            "host/src/team_server",
        ],
    },
    Boundary {
        subject: "how git is started",
        scopes: PROGRAM,
        words: &["Command::new(\"git\")", "PROGRAM: &str = \"git\"", "Path::new(\"git\")"],
        owners: &["host/src/project/git"],
    },
    Boundary {
        subject: "where a program is looked up",
        scopes: HOST,
        words: &["var_os(\"PATH\")", "var(\"PATH\")", "split_paths("],
        owners: &["host/src/program_search"],
    },
    Boundary {
        subject: "how a person is asked at the terminal",
        scopes: HOST,
        words: &["stdin().read_line(", "stdin().lock().read_line(", "[y/N]"],
        owners: &["host/src/command/confirm"],
    },
    Boundary {
        subject: "how a file is replaced atomically",
        scopes: HOST,
        words: &["fs::rename(", ".persist("],
        // The log renames a full file to the older one, which is not a replacement of a file in use. A
        // database is replaced together with its write-ahead log.
        owners: &["host/src/dirs", "host/src/log/log_file", "host/src/database/replacement"],
    },
    Boundary {
        subject: "the default limits",
        scopes: HOST,
        words: &["Default for Limits", "Default for ResourceLimits"],
        owners: &["host/src/config"],
    },
    Boundary {
        subject: "which characters do not belong in a line of text",
        scopes: PROGRAM,
        words: &["is_control", "is_ascii_control", "\\u{200b}", "\\u{202e}"],
        owners: &["text"],
    },
    Boundary {
        subject: "the texts that Claude Code puts around a person's words",
        scopes: PROGRAM,
        words: &["<task-notification", "<system-reminder", "<command-name"],
        owners: &["host/src/claude", "text"],
    },
    Boundary {
        subject: "how a recording is judged",
        scopes: &["eval", "host", "plugins", "tests"],
        words: &["expectations.json\"", "\"must_match\"", "\"must_not_save\""],
        owners: &["eval/expectations"],
    },
];

/// Describes every line that shows knowledge of another module. Tests are exempt, because they prepare the
/// files that the program finds.
pub fn find(files: &[SourceFile]) -> Vec<String> {
    files.iter().filter(|file| !file.is_test).flat_map(crossings).collect()
}

fn crossings(file: &SourceFile) -> Vec<String> {
    let is_in_scope = |boundary: &&Boundary| boundary.scopes.iter().any(|scope| file.path.starts_with(scope));
    let is_owner = |boundary: &&Boundary| boundary.owners.iter().any(|owner| is_in_module(&file.path, owner));
    let foreign = BOUNDARIES.iter().filter(is_in_scope).filter(|boundary| !is_owner(boundary));
    let foreign: Vec<&Boundary> = foreign.collect();
    // Comments and tests may mention anything.
    let tokens = file.production_tokens();
    let code_lines =
        tokens.iter().flat_map(|token| token.line..=token.line + token.text.matches('\n').count());
    let code_lines: BTreeSet<usize> = code_lines.collect();
    let lines = file.text.lines().enumerate().filter(|(index, _)| code_lines.contains(&(index + 1)));
    let crossings = lines.flat_map(|(index, line)| {
        let known =
            foreign.iter().filter(move |boundary| boundary.words.iter().any(|word| line.contains(word)));
        known.map(move |boundary| {
            let (path, owners) = (file.path.display(), boundary.owners.join(", "));
            format!("{path}:{} knows {}, which belongs to {owners}", index + 1, boundary.subject)
        })
    });
    crossings.collect()
}

/// Tells whether a file is a module or below it.
fn is_in_module(path: &Path, module: &str) -> bool {
    path.starts_with(module) || path == Path::new(module).with_extension("rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_in(path: &str, text: &str) -> Vec<String> {
        find(&[SourceFile {
            path: path.into(),
            crate_folder: "host".into(),
            text: text.to_owned(),
            is_test: false,
        }])
    }

    #[test]
    fn only_the_owning_module_may_have_its_knowledge() {
        let line = "\nuse wasmtime::Engine;";

        assert_eq!(find_in("host/src/sandbox/cache.rs", line), [""; 0]);
        assert_eq!(find_in("host/src/sandbox.rs", line), [""; 0]);
        assert_eq!(
            find_in("host/src/pipeline.rs", line),
            ["host/src/pipeline.rs:2 knows wasmtime, which belongs to host/src/sandbox"]
        );
    }

    #[test]
    fn a_second_owner_is_reported() {
        for line in [
            "Command::new(\"git\")",
            "std::env::var_os(\"PATH\")",
            "io::stdin().read_line(&mut answer)",
            "fs::rename(from, to)",
            "impl Default for Limits {}",
            "text.replace(char::is_control, \"\")",
            "if text.contains(\"<task-notification>\") {}",
        ] {
            assert_eq!(find_in("host/src/layer.rs", line).len(), 1, "{line}");
        }
    }

    #[test]
    fn comments_and_tests_may_mention_anything() {
        assert_eq!(find_in("host/src/lib.rs", "//! `wasmtime::Engine` is only seen in sandbox/"), [""; 0]);
        assert_eq!(find_in("host/src/lib.rs", "#[cfg(test)]\nmod tests { use wasmtime::Engine; }"), [""; 0]);
    }
}
