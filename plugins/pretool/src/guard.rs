//! The folder in which memories are kept as files, where they are: what is written there by hand goes round the rules
//! that every memory keeps, so it is refused with the command that does it right.
//!
//! Which folder that is, the setting `memory_folder` says; without it nothing is guarded.

use topics::Command;

use crate::call::Call;

/// Commands that write what any of their operands names.
const WRITERS: [&str; 9] = ["dd", "mkdir", "mv", "rm", "rmdir", "sed", "tee", "touch", "truncate"];
/// Commands that write what their last operand names.
const COPIERS: [&str; 4] = ["cp", "install", "ln", "rsync"];

/// The guarded folder, relative to the project's root.
pub fn folder(settings: &str) -> Option<String> {
    let settings: serde_json::Value = serde_json::from_str(settings).ok()?;
    let folder = plain(settings["memory_folder"].as_str()?);
    (!folder.is_empty()).then(|| folder.to_owned())
}

/// Why the call is refused, if it writes below the folder. `names` are those of the file that it changes.
pub fn refusal(call: &Call, names: &[String], folder: &str) -> Option<String> {
    let writes = match call {
        Call::Change(_) => names.iter().any(|name| is_below(name, folder)),
        Call::Command(line) => {
            topics::output_files(line).iter().any(|file| is_below(file, folder))
                || topics::commands(line).iter().any(|command| writes(command, folder))
        }
    };
    writes.then(|| {
        format!(
            "memories below {folder}/ are written by interleaf, which checks and cleans them; to add one: interleaf \
             remember \"…\"; to take one out: interleaf forget ID"
        )
    })
}

fn writes(command: &Command, folder: &str) -> bool {
    let mut operands = command.operands();
    match command.program.as_str() {
        "sed" if !command.arguments.iter().any(|word| word.starts_with("-i")) => false,
        "dd" => operands.any(|word| word.strip_prefix("of=").is_some_and(|path| is_below(path, folder))),
        program if WRITERS.contains(&program) => operands.any(|word| is_below(word, folder)),
        program if COPIERS.contains(&program) => operands.last().is_some_and(|word| is_below(word, folder)),
        _ => false,
    }
}

/// Whether the path is the folder or lies in it, as it is written: relative to the root, or ending in such a path.
fn is_below(path: &str, folder: &str) -> bool {
    let path = plain(path);
    let inside = |rest: &str| rest.is_empty() || rest.starts_with('/');
    path.match_indices(folder)
        .any(|(at, _)| (at == 0 || path[..at].ends_with('/')) && inside(&path[at + folder.len()..]))
}

fn plain(path: &str) -> &str {
    path.trim_start_matches("./").trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = ".claude/memory";

    fn command(line: &str) -> bool {
        refusal(&Call::Command(line.to_owned()), &[], FOLDER).is_some()
    }

    #[test]
    fn without_the_setting_nothing_is_guarded() {
        assert_eq!(folder("{}"), None);
        assert_eq!(folder(r#"{"memory_folder": ""}"#), None);
        assert_eq!(folder(r#"{"memory_folder": "./.claude/memory/"}"#).as_deref(), Some(FOLDER));
    }

    #[test]
    fn a_change_of_a_file_in_the_folder_is_refused_with_the_command_that_does_it_right() {
        let change = Call::Change("/w/.claude/memory/decision/x.json".to_owned());
        let refused = refusal(&change, &[".claude/memory/decision/x.json".to_owned()], FOLDER);
        assert!(refused.is_some_and(|reason| reason.contains("interleaf remember")));

        for other in [".claude/memory-notes.md", "src/memory.rs", "docs/.claude/memories/x"] {
            assert_eq!(refusal(&change, &[other.to_owned()], FOLDER), None, "{other}");
        }
    }

    #[test]
    fn commands_that_write_there_are_refused_and_those_that_read_are_not() {
        for line in [
            "echo '{}' > .claude/memory/decision/x.json",
            "echo x >>\"./.claude/memory/index.md\"",
            "bash -c 'cat a > .claude/memory/index.md'",
            "> .claude/memory/index.md",
            "cat a | tee -a .claude/memory/index.md",
            "cp a.json .claude/memory/decision/",
            "rm -rf .claude/memory",
            "cd x && mv /w/.claude/memory/a b",
            "sed -i s/a/b/ .claude/memory/index.md",
            "dd if=a of=.claude/memory/a",
        ] {
            assert!(command(line), "{line}");
        }
        for line in [
            "cat .claude/memory/index.md",
            "cp .claude/memory/a /tmp/a",
            "sed -n 1p .claude/memory/index.md",
            "grep -r x .claude/memory > found.txt",
            "echo x > .claude/memory-notes.md",
            "grep \"a > .claude/memory/x\" f",
            "git commit -m 'write > .claude/memory/x'",
            "cat <<END\necho > .claude/memory/x\nEND",
            "git add .claude/memory",
        ] {
            assert!(!command(line), "{line}");
        }
    }
}
