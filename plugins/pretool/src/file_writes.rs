//! Finds the files that a command changes, as they are written in it.

use interleaf_shell::Command;

use crate::programs::takes_text;
use crate::wildcards::fits;

/// Names of Interleaf's files and folders, which a search may find.
const NAMES: [&str; 13] = [
    "interleaf",
    "config.toml",
    "accepted.json",
    "descriptions.json",
    "gates.json",
    "folders.json",
    "compiled.key",
    "interleaf.db",
    "interleaf.toml",
    ".claude",
    "layers",
    "gate.wasm",
    "layer.toml",
];

/// Programs that change each of their operands.
const WRITERS: [&str; 22] = [
    "mkdir", "mv", "rm", "rmdir", "tee", "touch", "truncate", "shred", "unlink", "chmod", "chown", "chgrp",
    "chattr", "setfattr", "setfacl", "sponge", "ed", "ex", "vi", "vim", "nano", "sqlite3",
];
/// Programs that change their last operand.
const COPIERS: [&str; 5] = ["cp", "install", "ln", "rsync", "scp"];
/// Programs that change their operands only with the option `-i`.
const EDITORS_IN_PLACE: [&str; 8] = ["sed", "perl", "ruby", "yq", "tomlq", "awk", "gawk", "gsed"];
/// Programs that write a file or a folder that an option names.
const OPTION_WRITERS: [(&str, &[&str]); 9] = [
    ("curl", &["-o", "--output", "--output-dir"]),
    ("wget", &["-O", "-P", "--output-document", "--directory-prefix"]),
    ("sort", &["-o", "--output"]),
    ("tar", &["-C", "--directory"]),
    ("unzip", &["-d"]),
    ("cp", &["-t", "--target-directory"]),
    ("mv", &["-t", "--target-directory"]),
    ("install", &["-t", "--target-directory"]),
    ("ln", &["-t", "--target-directory"]),
];
/// Subcommands of git that change the files that they name.
const GIT_WRITERS: [&str; 4] = ["rm", "mv", "restore", "checkout"];

/// Programs of which this module knows what they change.
fn is_known(program: &str) -> bool {
    let has_option = || OPTION_WRITERS.iter().any(|(known, _)| *known == program);
    let is_other = matches!(program, "dd" | "patch" | "git" | "find" | "zip" | "interleaf");
    is_other
        || WRITERS.contains(&program)
        || COPIERS.contains(&program)
        || EDITORS_IN_PLACE.contains(&program)
        || has_option()
}

/// Tells whether a program may change any file that is named in its arguments.
pub fn may_change_arguments(command: &Command) -> bool {
    !is_known(&command.program) && !takes_text(command)
}

/// Tells whether a command changes files that it is given by another program: `xargs rm`.
pub fn changes_unknown_files(command: &Command) -> bool {
    let has_no_operand = command.operands().all(|word| word == "{}");
    has_no_operand && WRITERS.contains(&command.program.as_str())
}

/// Returns the folders into which a command copies trees, which may bring any file along.
pub fn filled_folders(command: &Command) -> Vec<&str> {
    let is_recursive = || command.has_option(&["-r", "-R", "-a", "--recursive", "--archive"]);
    match command.program.as_str() {
        "tar" | "unzip" => option_values(command),
        "cp" | "rsync" if is_recursive() => changed_files(command),
        _ => Vec::new(),
    }
}

/// Returns the files and folders that a command changes.
pub fn changed_files(command: &Command) -> Vec<&str> {
    let program = command.program.as_str();
    let mut files: Vec<&str> = option_values(command);
    match program {
        "dd" => files.extend(command.arguments.iter().filter_map(|word| word.strip_prefix("of="))),
        "patch" => files.extend(command.operands().take(1)),
        "git" if command.subcommand().is_some_and(|verb| GIT_WRITERS.contains(&verb)) => {
            files.extend(words_without_options(command).skip(1));
        }
        _ if EDITORS_IN_PLACE.contains(&program) && edits_in_place(command) => {
            files.extend(command.operands())
        }
        _ if WRITERS.contains(&program) => files.extend(words_without_options(command)),
        // A second name of a file is as good as the first.
        "ln" => files.extend(words_without_options(command)),
        _ if COPIERS.contains(&program) => files.extend(words_without_options(command).last()),
        _ => {}
    }
    files
}

/// Returns the folders that a command removes, moves or changes with everything in them.
pub fn changed_trees(command: &Command) -> Vec<&str> {
    let is_recursive = || command.has_option(&["-r", "-R", "--recursive"]);
    match command.program.as_str() {
        "rm" | "rmdir" => changed_files(command),
        // A file that is moved into a folder does not replace the folder.
        "mv" | "ln" => {
            let is_folder = |word: &&str| word.trim_end_matches('/').ends_with(['.', '~']);
            let (target, sources) = changed_files(command)
                .split_last()
                .map_or((None, vec![]), |(last, rest)| (Some(*last), rest.to_vec()));
            sources.into_iter().chain(target.filter(|word| !is_folder(word))).collect()
        }
        "find" if command.arguments.iter().any(|word| is_action(word)) => roots_of_find(command),
        "chmod" | "chown" | "chgrp" if is_recursive() => changed_files(command),
        "git" if matches!(command.subcommand(), Some("rm" | "mv")) => changed_files(command),
        _ => Vec::new(),
    }
}

/// Tells whether a word makes `find` change what it finds, or run a program with it.
fn is_action(word: &str) -> bool {
    matches!(word, "-delete" | "-exec" | "-execdir" | "-ok" | "-okdir" | "-fprint" | "-fls")
}

/// Returns the folders in which `find` searches, unless its patterns find no name of Interleaf's files.
fn roots_of_find(command: &Command) -> Vec<&str> {
    let arguments = &command.arguments;
    let is_pattern = |word: &str| {
        matches!(word, "-name" | "-iname" | "-path" | "-ipath" | "-wholename" | "-regex" | "-iregex")
    };
    let mut patterns =
        arguments.windows(2).filter(|pair| is_pattern(&pair[0])).map(|pair| pair[1].as_str()).peekable();
    let may_find = |pattern: &str| {
        let name = pattern.trim_end_matches("/*").rsplit('/').next().unwrap_or(pattern).to_lowercase();
        pattern.starts_with('.') && pattern.contains(".*") || NAMES.iter().any(|known| fits(&name, known))
    };
    if patterns.peek().is_some() && !patterns.any(may_find) {
        return Vec::new();
    }
    arguments.iter().map(String::as_str).take_while(|word| !word.starts_with(['-', '(', '!'])).collect()
}

/// Returns the arguments that are not options; all after `--`.
fn words_without_options(command: &Command) -> impl Iterator<Item = &str> {
    let mut only_operands = false;
    command.arguments.iter().map(String::as_str).filter(move |word| {
        let is_end = !only_operands && *word == "--";
        let is_operand = only_operands || !word.starts_with('-');
        only_operands |= is_end;
        is_operand
    })
}

fn edits_in_place(command: &Command) -> bool {
    let is_in_place = |word: &String| {
        word.starts_with("--in-place")
            || word.starts_with('-') && !word.starts_with("--") && word.contains('i')
    };
    command.arguments.iter().any(is_in_place)
}

fn option_values(command: &Command) -> Vec<&str> {
    let Some((_, options)) = OPTION_WRITERS.iter().find(|(program, _)| *program == command.program) else {
        return Vec::new();
    };
    let arguments = &command.arguments;
    let value = |(at, word): (usize, &'_ String)| {
        options
            .iter()
            .find_map(|option| match arguments[at].strip_prefix(option)? {
                "" => arguments.get(at + 1).map(String::as_str),
                rest => rest.strip_prefix('=').or((!option.starts_with("--")).then_some(rest)),
            })
            .filter(|_| word.starts_with('-'))
    };
    arguments.iter().enumerate().filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(line: &str) -> Vec<String> {
        interleaf_shell::commands(line).iter().flat_map(changed_files).map(str::to_owned).collect()
    }

    #[test]
    fn a_command_changes_the_files_that_it_writes_and_not_those_that_it_reads() {
        for (line, expected) in [
            ("rm -rf a b", &["a", "b"][..]),
            ("rm -- -a", &["-a"]),
            ("cp a b c", &["c"]),
            ("cp -t c a b", &["c", "b"]),
            ("ln -sfn a b", &["a", "b"]),
            ("dd if=a of=b", &["b"]),
            ("sed -i s/a/b/ c", &["s/a/b/", "c"]),
            ("sed --in-place=.old s/a/b/ c", &["s/a/b/", "c"]),
            ("sed -n 1p c", &[]),
            ("perl -pi -e 1 c", &["1", "c"]),
            ("find a -name b", &[]),
            ("curl -oa x", &["a"]),
            ("wget --output-document=a x", &["a"]),
            ("tar -x -C a -f b", &["a"]),
            ("patch a b.diff", &["a"]),
            ("git checkout -- a", &["a"]),
            ("git add a", &[]),
            ("git commit -m a", &[]),
            ("cat a", &[]),
        ] {
            assert_eq!(changed(line), expected, "{line}");
        }
    }
}
