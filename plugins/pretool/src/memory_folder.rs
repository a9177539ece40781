//! Guards the folder in which a project keeps its memories as files. Writing there by hand would bypass the
//! write rules for memories, so the layer refuses it and names the command to use instead. The setting
//! `memory_folder` names the folder; without the setting, no folder is guarded.

use interleaf_layer::settings::Table;
use interleaf_shell::CommandLine;

use crate::file_writes::changed_files;
use crate::tool_call::ToolCall;

/// Returns the guarded folder, relative to the project's root.
pub fn guarded_folder(settings: &Table) -> Option<String> {
    let folder = normalize(settings.text("memory_folder")?);
    (!folder.is_empty()).then(|| folder.to_owned())
}

/// Returns the reason to refuse the call, if it writes below the folder. `names` are the names of the file
/// that it changes.
pub fn refusal(call: &ToolCall, names: &[String], folder: &str) -> Option<String> {
    let is_write = match call {
        ToolCall::Change(_) => names.iter().any(|name| is_below(name, folder)),
        ToolCall::Command(line) => {
            let line = CommandLine::read(line);
            let changed = line.commands.iter().flat_map(changed_files);
            let mut files = line.output_files.iter().map(String::as_str).chain(changed);
            files.any(|file| is_below(file, folder))
        }
        ToolCall::Mcp(_) => false,
    };
    is_write.then(|| {
        format!(
            "memories below {folder}/ are written by interleaf, which checks and cleans them; to add one: \
             interleaf remember \"…\"; to remove one: interleaf forget ID"
        )
    })
}

/// Tells whether the path, as it is written, is the folder or lies in it: relative to the root, or ending in
/// such a path.
fn is_below(path: &str, folder: &str) -> bool {
    let path = normalize(path);
    let inside = |rest: &str| rest.is_empty() || rest.starts_with('/');
    path.match_indices(folder)
        .any(|(at, _)| (at == 0 || path[..at].ends_with('/')) && inside(&path[at + folder.len()..]))
}

fn normalize(path: &str) -> &str {
    path.trim_start_matches("./").trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = ".claude/memory";

    fn folder(settings: &str) -> Option<String> {
        guarded_folder(&Table::parse(settings))
    }

    fn is_refused(line: &str) -> bool {
        refusal(&ToolCall::Command(line.to_owned()), &[], FOLDER).is_some()
    }

    #[test]
    fn no_folder_is_guarded_without_the_setting() {
        assert_eq!(folder("{}"), None);
        assert_eq!(folder(r#"{"memory_folder": ""}"#), None);
        assert_eq!(folder(r#"{"memory_folder": "./.claude/memory/"}"#).as_deref(), Some(FOLDER));
    }

    #[test]
    fn a_refused_change_names_the_command_to_use_instead() {
        let change = ToolCall::Change("/w/.claude/memory/decision/x.json".to_owned());
        let refused = refusal(&change, &[".claude/memory/decision/x.json".to_owned()], FOLDER);
        assert!(refused.is_some_and(|reason| reason.contains("interleaf remember")));

        for other in [".claude/memory-notes.md", "src/memory.rs", "docs/.claude/memories/x"] {
            assert_eq!(refusal(&change, &[other.to_owned()], FOLDER), None, "{other}");
        }
    }

    #[test]
    fn commands_that_write_to_the_folder_are_refused_and_commands_that_read_it_are_not() {
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
            assert!(is_refused(line), "{line}");
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
            assert!(!is_refused(line), "{line}");
        }
    }
}
