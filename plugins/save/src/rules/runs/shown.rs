//! A command as it is told: as it was typed, with its quotation marks and the folder of a script, without what is a secret.

use interleaf_shell::Command;

use crate::word_lists::{NOISE, WITH_PASSWORD};

/// A variable or an option whose value is nobody's business.
pub fn is_secret(name: &str) -> bool {
    let name = name.to_uppercase();
    ["KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CREDENTIAL"].iter().any(|word| name.contains(word))
}

/// The command in one line; `line` is what was typed.
pub fn shown(command: &Command, line: &str) -> String {
    words(command, line, &command.arguments.iter().collect::<Vec<_>>())
}

/// The command without what only changes what it prints.
pub fn named(command: &Command, line: &str) -> String {
    let arguments = command.arguments.iter().filter(|word| !NOISE.has(word));
    words(command, line, &arguments.collect::<Vec<_>>())
}

fn words(command: &Command, line: &str, arguments: &[&String]) -> String {
    let sudo = command.is_elevated.then(|| "sudo".to_owned());
    let mut words: Vec<String> = sudo.into_iter().chain([program(command, line)]).collect();
    let mut hides = false;
    for argument in arguments {
        let value = std::mem::replace(&mut hides, false);
        let (name, own) =
            argument.split_once('=').map_or((argument.as_str(), None), |(name, own)| (name, Some(own)));
        let secret = name.starts_with("--") && is_secret(name);
        hides = secret && own.is_none();
        words.push(match (value && !argument.starts_with('-'), own) {
            (true, _) => "…".to_owned(),
            (_, Some(_)) if secret => format!("{name}=…"),
            _ if is_password(&command.program, argument) => "-p…".to_owned(),
            _ => quoted(argument, line),
        });
    }
    words.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_password(program: &str, argument: &str) -> bool {
    WITH_PASSWORD.has(program) && argument.len() > 2 && argument.starts_with("-p")
}

/// The program, with its folder where that is one of the project: `./bootstrap.sh`.
fn program(command: &Command, line: &str) -> String {
    let mut typed = line.split(|c: char| c.is_whitespace() || "\"'();&|".contains(c));
    let own = |word: &&str| {
        !word.starts_with(['/', '~', '$'])
            && word.strip_suffix(command.program.as_str()).is_some_and(|folder| folder.ends_with('/'))
    };
    typed.find(own).unwrap_or(&command.program).to_owned()
}

/// An argument as it was typed.
fn quoted(argument: &str, line: &str) -> String {
    let ways = [format!("'{argument}'"), format!("\"{argument}\"")];
    let needs =
        argument.is_empty() || argument.contains(|c: char| c.is_whitespace() || "'\"();&|<>".contains(c));
    let [single, double] = &ways;
    match ways.iter().find(|way| line.contains(way.as_str())) {
        Some(way) => way.clone(),
        None if needs && argument.contains('\'') => double.clone(),
        None if needs => single.clone(),
        None => argument.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{named, shown};

    fn last(line: &str) -> interleaf_shell::Command {
        interleaf_shell::commands(line).pop().expect("a command")
    }

    #[test]
    fn a_command_is_told_as_it_was_typed() {
        for line in [
            "./bootstrap.sh",
            "scripts/ci/build.sh --all",
            "go test -race ./...",
            "Rscript -e 'renv::restore()'",
            "mysql -u root -e \"create database shop\"",
            "godot --headless --export-release linux build/moon",
            "sudo apt-get install -y libpq-dev",
            "pnpm install --frozen-lockfile",
        ] {
            assert_eq!(shown(&last(line), line), line);
        }
    }

    #[test]
    fn what_only_changes_the_output_and_what_is_secret_is_not_told() {
        for (line, told) in [
            ("pytest -q tests", "pytest tests"),
            ("/usr/bin/make check", "make check"),
            ("deploy --token=abc --region eu", "deploy --token=… --region eu"),
            ("deploy --password hunter2 up", "deploy --password … up"),
            ("mysql -phunter2 shop", "mysql -p… shop"),
        ] {
            assert_eq!(named(&last(line), line), told);
        }
    }
}
