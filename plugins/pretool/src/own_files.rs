//! Guards the files with which a person decides what Interleaf does: configuration, approvals, data, the
//! layers of a project. Reading them is free. Before a tool call that changes one, the person is asked.
//!
//! The host says where these files are (`own_files` in the settings), because variables can move them, and
//! which words of the call lead to one through a symbolic link.

use interleaf_layer::settings::Table;
use interleaf_shell::{Command, CommandLine, expand_braces};

use crate::file_writes::{
    changed_files, changed_trees, changes_unknown_files, filled_folders, may_change_arguments,
};
use crate::programs::runs_code;
use crate::wildcards::{WILDCARDS, fits};

/// Files in a folder called `interleaf` that hold what a person decided, or that prove it. They are known by
/// name too, for folders of another account or project.
const DECISION_FILES: [&str; 6] =
    ["config.toml", "accepted.json", "descriptions.json", "gates.json", "folders.json", "compiled.key"];

/// The reason to ask.
const REASON: &str = "this changes files with which a person decides what Interleaf does; a person has to \
                      decide again";

/// Where Interleaf's own files are.
#[derive(Debug, Default, Clone)]
pub struct OwnFiles {
    /// Absolute paths of files and folders.
    paths: Vec<String>,
    /// Words of this call that lead to one of them through a link.
    linked: Vec<String>,
    /// Words of this call that lead to a folder around one of them through a link.
    around: Vec<String>,
    /// Whether the call has more words than the host looked up.
    has_more: bool,
    /// Variables and their values.
    variables: Vec<(String, String)>,
    /// The folders that relative paths may refer to.
    folders: Vec<String>,
}

impl OwnFiles {
    /// Reads what the host says. `cwd` is the session's current folder.
    pub fn read(settings: &Table, cwd: &str) -> Self {
        let table = settings.table("own_files");
        let texts = |name: &str| table.texts(name).unwrap_or_default();
        let variables = texts("variables");
        let variables = variables.iter().filter_map(|text| text.split_once('='));
        Self {
            paths: texts("paths"),
            linked: texts("linked"),
            around: texts("around"),
            has_more: table.switch("has_more").unwrap_or_default(),
            variables: variables.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            folders: vec![cwd.to_owned()],
        }
    }

    /// Returns the reason to ask before the file at this path is changed.
    pub fn reason_to_ask_before_change(&self, path: &str) -> Option<&'static str> {
        self.is_own(path).then_some(REASON)
    }

    /// Returns the reason to ask before a shell line runs.
    pub fn reason_to_ask_before_command(mut self, line: &CommandLine) -> Option<&'static str> {
        let entered = line.commands.iter().filter(is_change_of_folder);
        for folder in entered.filter_map(Command::subcommand) {
            let folders = self.resolve(&line.variables.expand(folder));
            self.folders.extend(folders);
        }
        let is_changed = line.output_files.iter().any(|file| self.is_target(file, line))
            || line.commands.iter().any(|command| self.is_changed_by(command, line));
        is_changed.then_some(REASON)
    }

    fn is_changed_by(&self, command: &Command, line: &CommandLine) -> bool {
        changed_files(command).into_iter().any(|file| self.is_target(file, line))
            || may_change_arguments(command) && words(command).any(|word| self.is_named(word, line))
            || changes_unknown_files(command) && self.is_named_by(line)
            || filled_folders(command).into_iter().any(|folder| self.is_around_elsewhere(folder, line))
            || changed_trees(command).into_iter().any(|tree| self.is_around(&line.variables.expand(tree)))
            || runs_code(command) && self.is_named_in_code(command)
            || command.program == "sed" && self.is_named_in_script(command)
    }

    /// Tells whether a file that is written may be one of Interleaf's own. A variable that is not known may
    /// be any file that the line names.
    fn is_target(&self, file: &str, line: &CommandLine) -> bool {
        let expanded = line.variables.expand(file);
        let is_unknown = || self.with_variables(&expanded).contains('$');
        self.has_more
            || self.is_named(file, line)
            || is_unknown()
                && (line.variables.values().any(|value| self.is_own(value)) || self.is_named_by(line))
    }

    /// Tells whether a word is the path of one of the files, after braces and variables are expanded.
    fn is_named(&self, word: &str, line: &CommandLine) -> bool {
        let words = expand_braces(word).unwrap_or_else(|| vec![word.to_owned()]);
        words.iter().any(|word| self.is_own(&line.variables.expand(word)))
    }

    /// Tells whether any command of the line names one of the files.
    fn is_named_by(&self, line: &CommandLine) -> bool {
        line.commands.iter().flat_map(words).any(|word| self.is_named(word, line))
    }

    /// Tells whether a folder contains one of the files outside the current folder.
    fn is_around_elsewhere(&self, folder: &str, line: &CommandLine) -> bool {
        let cwd = &self.folders[0];
        let elsewhere = self.paths.iter().filter(|own| !is_below(own, cwd)).cloned().collect();
        Self { paths: elsewhere, ..self.clone() }.is_around(&line.variables.expand(folder))
    }

    /// Tells whether a program in an argument or in the input names one of the files.
    fn is_named_in_code(&self, command: &Command) -> bool {
        let texts = command.arguments.iter().chain([&command.input]);
        let is_end = |c: char| c.is_whitespace() || "\"'`()[]{},;<>=".contains(c);
        let may_be_path = |word: &&str| word.contains(['/', '.', '$']) || is_in(&self.linked, word);
        texts.flat_map(|text| text.split(is_end)).filter(may_be_path).any(|word| self.is_own(word))
    }

    /// Tells whether an editor's script names one of the files after a command of its own: `w FILE`, `e RM`.
    fn is_named_in_script(&self, command: &Command) -> bool {
        let scripts = command.arguments.iter().filter(|word| word.contains(char::is_whitespace));
        scripts.flat_map(|script| script.split_whitespace().skip(1)).any(|word| self.is_own(word))
    }

    /// Tells whether a path, as it is written, is one of the files or lies in one of the folders.
    fn is_own(&self, word: &str) -> bool {
        let is_own = |path: &String| has_known_name(path) || self.paths.iter().any(|own| is_below(path, own));
        !word.is_empty() && (is_in(&self.linked, word) || self.resolve(word).iter().any(is_own))
    }

    /// Tells whether a path is a folder that contains one of the files.
    fn is_around(&self, word: &str) -> bool {
        let is_around =
            |path: &String| self.paths.iter().any(|own| is_below(own, path) || is_below(path, own));
        !word.is_empty() && (is_in(&self.around, word) || self.resolve(word).iter().any(is_around))
    }

    /// Returns the absolute paths that a word may mean.
    fn resolve(&self, word: &str) -> Vec<String> {
        let path = self.with_variables(word);
        let folders = self.folders.iter();
        folders
            .map(|folder| {
                normalize(&if path.starts_with('/') { path.clone() } else { format!("{folder}/{path}") })
            })
            .collect()
    }

    /// Replaces `~` and the variables that the host knows.
    fn with_variables(&self, word: &str) -> String {
        let home = word.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let mut path = home.map_or_else(|| word.to_owned(), |rest| format!("$HOME{rest}"));
        if !path.contains('$') {
            return path;
        }
        for (name, value) in &self.variables {
            path = path.replace(&format!("${{{name}}}"), value);
            let plain = format!("${name}");
            if let Some((before, after)) = path.split_once(&plain)
                && !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
            {
                path = format!("{before}{value}{after}");
            }
        }
        path
    }
}

/// Returns the words of a command that may be paths: its arguments, and the values of its options.
fn words(command: &Command) -> impl Iterator<Item = &str> {
    let arguments = command.arguments.iter().map(String::as_str);
    arguments.flat_map(|word| [Some(word), word.split_once('=').map(|(_, value)| value)]).flatten()
}

fn is_change_of_folder(command: &&Command) -> bool {
    matches!(command.program.as_str(), "cd" | "pushd" | "chdir")
}

fn is_in(words: &[String], word: &str) -> bool {
    words.iter().any(|known| known == word)
}

/// Tells whether a path has the name of one of the files, wherever its folder is.
fn has_known_name(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let is_layer = parts.windows(2).any(|pair| pair == [".claude", "layers"]);
    let is_project_file = parts.ends_with(&[".claude", "interleaf.toml"]);
    let file = parts.last().copied().unwrap_or_default();
    let is_decision = DECISION_FILES.contains(&file) && parts[..parts.len() - 1].contains(&"interleaf");
    is_layer || is_project_file || is_decision
}

/// Removes `.` and `..` from an absolute path.
fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Tells whether a path is the folder or lies in it. Either may have the wildcards of a shell.
fn is_below(path: &str, folder: &str) -> bool {
    if !path.contains(WILDCARDS) && !folder.contains(WILDCARDS) {
        let rest = path.strip_prefix(folder.trim_end_matches('/'));
        return rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    }
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let mut folders = folder.split('/').filter(|part| !part.is_empty());
    folders.all(|of| parts.next().is_some_and(|part| fits(part, of) || fits(of, part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> OwnFiles {
        let settings = r#"{"own_files": {
            "paths": ["/home/u/.config/interleaf", "/il/config", "/w/.claude/layers",
                "/w/.claude/interleaf.toml"],
            "linked": ["notes.txt"], "around": ["box"],
            "variables": ["HOME=/home/u", "INTERLEAF_HOME=/il"]}}"#;
        OwnFiles::read(&Table::parse(settings), "/w")
    }

    fn is_asked(line: &str) -> bool {
        own().reason_to_ask_before_command(&CommandLine::read(line)).is_some()
    }

    #[test]
    fn the_person_is_asked_before_a_file_of_interleaf_is_changed_by_a_tool() {
        for path in [
            "/home/u/.config/interleaf/config.toml",
            "/elsewhere/.local/share/interleaf/projects/0123/accepted.json",
            "/elsewhere/.local/share/interleaf/gates.json",
            "/il/config/layers/a.wasm",
            "/il/state/../config/config.toml",
            "/w/.claude/interleaf.toml",
            ".claude/layers/gate.wasm",
            "/clone/.claude/interleaf.toml",
            "notes.txt",
        ] {
            assert!(own().reason_to_ask_before_change(path).is_some(), "{path}");
        }
        for path in [
            "/src/config.toml",
            "/src/interleaf/README.md",
            "/src/interleaf-config.toml",
            "/w/.claude/settings.json",
            "/w/notes/layers/a.wasm",
        ] {
            assert_eq!(own().reason_to_ask_before_change(path), None, "{path}");
        }
    }

    #[test]
    fn the_person_is_asked_before_a_shell_changes_a_file_of_interleaf() {
        for line in [
            "echo x >> .claude/interleaf.toml",
            "cat a | tee -a /w/.claude/interleaf.toml",
            "sed -i s/a/b/ ~/.config/interleaf/config.toml",
            "perl -pi -e s/a/b/ \"$HOME/.config/interleaf/config.toml\"",
            "rm -f ${INTERLEAF_HOME}/config/config.toml",
            "mv /tmp/x .claude/layers/gate.wasm",
            "mv .claude/layers/gate.wasm /tmp",
            "cp /tmp/x.wasm .claude/layers/",
            "cp -t .claude/layers /tmp/x.wasm",
            "ln -sf /tmp/x .claude/layers/gate.wasm",
            "dd if=/tmp/x of=.claude/layers/gate.wasm",
            "install -m 644 x .claude/layers/gate.wasm",
            "truncate -s 0 .claude/layers/gate.wasm",
            "chmod 000 .claude/layers",
            "rm -rf .claude",
            "rm -rf .claude/lay*",
            "rm -r .cl?ude/[il]*",
            "mv .claude .old",
            "rm -rf /il",
            "cd ~/.config && echo x > interleaf/config.toml",
            "cd .claude/layers; rm gate.wasm",
            "d=~/.config/interleaf; echo x > $d/config.toml",
            "for d in .claude/layers/*; do rm $d; done",
            "python3 -c \"open('.claude/interleaf.toml', 'w')\"",
            "python3 - <<E\nopen('/il/config/config.toml', 'w')\nE",
            "find .claude/layers -name '*.wasm' -delete",
            "sudo sh -c 'echo x > /home/u/.config/interleaf/config.toml'",
            "git checkout -- .claude/interleaf.toml",
            "curl -o .claude/layers/a.wasm https://host/a.wasm",
            "echo x > notes.txt",
            "rm -rf box",
            "echo x > /elsewhere/.local/share/interleaf/gates.json",
            "gzip -r ~/.config/interleaf",
            "./evil /il/config/config.toml",
            "crudini --set /il/config/config.toml llm client openai",
            "cat x | tee ~/.config/{interleaf,x}/config.toml",
            "rm -rf ~/.config/{interleaf,foo}",
            "ln -s ~/.config/interleaf z && cp x z/config.toml",
            "ln /il/config/config.toml notes",
            "cat x > \"$(echo ~/.config/interleaf)/config.toml\"",
            "ls -d ~/.config/interleaf | xargs rm -rf",
            "find ~ -iname 'inter*f' -exec rm -rf {} +",
            "find / -name config.toml -delete",
            "cp -r dotfiles/.config ~",
            "tar xf d.tar -C ~",
            "PS4='$(rm -rf .claude/layers)' bash -x a.sh",
            "GIT_PAGER='rm -rf .claude/layers' git -p log",
            "git -c core.pager='rm .claude/layers/gate.wasm' log",
            "tar xf a.tar --to-command='rm -rf .claude/layers'",
            "ssh -o ProxyCommand='rm -rf .claude/layers' host",
            "rg --pre 'rm -rf .claude/layers' x",
            "sed '1e rm -rf .claude/layers' f",
            "sed -n 'w .claude/interleaf.toml' f",
        ] {
            assert!(is_asked(line), "{line}");
        }
        for line in [
            "cat .claude/interleaf.toml",
            "ls -l .claude/layers ~/.config/interleaf",
            "grep -r x .claude/layers > found.txt",
            "cp .claude/layers/gate.wasm /tmp/x",
            "sed -n 1p .claude/interleaf.toml",
            "git add .claude && git commit -m 'the layers of .claude/layers'",
            "git add .claude/interleaf.toml",
            "git checkout main",
            "rm -rf target",
            "rm *.o",
            "rm -rf *",
            "touch /w/a",
            "mkdir -p .claude/commands",
            "echo x > .claude/settings.json",
            "echo 'rm .claude/layers/gate.wasm'",
            "cd .claude/layers && ls",
            "cargo build > $LOG",
            "python3 -c 'print(1)'",
            "sha256sum .claude/layers/*.wasm",
            "find . -name '*.pyc' -delete",
            "mv ~/Downloads/x.zip .",
            "interleaf layer check .claude/layers/gate.wasm",
            "tar czf backup.tgz ~/.config/interleaf",
            "ln -s ../shared/node_modules .",
            "cp -r ../other/src .",
            "tar xf x.tar -C build",
        ] {
            assert!(!is_asked(line), "{line}");
        }
    }
}
