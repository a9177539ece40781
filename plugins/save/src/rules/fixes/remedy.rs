//! What was changed between the last failure and the success.

use interleaf_shell::Command;

use super::is_broad;
use super::pair::Pair;
use super::slip::{rewritten, written_before};
use crate::rules::context::Context;
use crate::rules::deeds::Deed;
use crate::rules::runs::{Known, Run, between, is_looking, is_secret, shown};
use crate::word_lists::{CONFIGURATION_EXTENSIONS, CONFIGURATION_NAMES, MENDING, SHAPING};

/// Steps and files that are told.
const MOST_STEPS: usize = 4;
const MOST_FILES: usize = 5;

/// Characters of a step.
const LONGEST_STEP: usize = 140;

/// Bytes of a command line that is told as it is.
const LONGEST_LINE: usize = 120;

/// Whether a change of a file takes back another one, which did not help.
fn takes_back(deed: &Deed, other: &Deed) -> bool {
    let (old, new) = (deed.text("old_string"), deed.text("new_string"));
    let inverse = other.text("old_string") == new && other.text("new_string") == old;
    other.at < deed.at
        && deed.written().is_some()
        && deed.written() == other.written()
        && inverse
        && old != new
}

/// What helped.
#[derive(Debug, Default)]
pub struct Remedy {
    /// Commands that were run.
    commands: Vec<String>,
    /// Files that were written, relative to the root.
    written: Vec<String>,
    /// Names among them of files outside of the project.
    outside: Vec<String>,
    /// The command as it succeeded, where it was run in another way.
    differently: Option<String>,
    /// Words of what was written, to know an explanation by.
    pub words: String,
    /// It puts back what this stretch took away.
    undoes: bool,
    regressed: bool,
    /// The command is one that everybody runs.
    broad: bool,
    /// This stretch had written something before, and the command had worked until then.
    mends: bool,
}

impl Remedy {
    /// What helped; none where nothing was changed.
    pub fn of(context: &Context, pair: &Pair) -> Option<Self> {
        let mut remedy = Self { regressed: pair.regressed, ..Self::default() };
        remedy.broad = is_broad(&pair.name());
        remedy.mends = pair.regressed && !written_before(context, pair).is_empty();
        let span = pair.last().deed.done..pair.success.deed.at;
        let tried = between(context.deeds, pair.begin()..pair.success.deed.at);
        for deed in between(context.deeds, span) {
            if tried.iter().any(|other| takes_back(deed, other)) {
                continue;
            }
            remedy.add(context, deed);
        }
        let failed = pair.last();
        let named = |command: &Command| {
            topics::topic_name(command)
                .is_some_and(|name| failed.known.iter().any(|known| known.name == name))
        };
        let new = |command: &&Command| {
            !named(command) && !failed.commands.contains(command) && !is_looking(command)
        };
        let besides = pair.success.commands.iter().filter(new);
        let line = pair.success.deed.text("command");
        remedy.commands.extend(besides.map(|command| shown(command, line)));
        let shapes =
            pair.success.commands.iter().any(|command| !is_looking(command) && changes_nothing(command));
        remedy.differently = differently(pair.last(), pair.success).filter(|_| !shapes);
        remedy.undoes = remedy.undoes(context, pair);
        remedy.commands.dedup();
        let nothing = remedy.commands.is_empty() && remedy.written.is_empty() && remedy.differently.is_none();
        (!nothing).then_some(remedy)
    }

    fn add(&mut self, context: &Context, deed: &Deed) {
        if let Some(path) = deed.written() {
            self.wrote(context, path);
            self.words.extend([" ", deed.text("new_string"), " ", deed.text("content")]);
            self.words.truncate(self.words.floor_char_boundary(20_000));
        }
        let run = Run::of(deed).filter(|run| run.ending == crate::transcript::Ending::Fine);
        for command in run.iter().flat_map(|run| &run.commands).filter(|command| !changes_nothing(command)) {
            match rewritten(command) {
                Some(files) => files.into_iter().for_each(|path| self.wrote(context, path)),
                None => self.commands.push(shown(command, deed.text("command"))),
            }
        }
    }

    /// A file that was written: of one outside of the project, which may say how something is run, only the name is told.
    fn wrote(&mut self, context: &Context, path: &str) {
        let name = path.rsplit('/').next().unwrap_or(path);
        let outside = Some(name).filter(|name| is_configuration(name));
        let inside = context.relative(path);
        let Some(path) = inside.or(outside) else { return };
        if inside.is_none() {
            self.outside.push(path.to_owned());
        }
        if !self.written.iter().any(|known| known == path) {
            self.written.push(path.to_owned());
        }
    }

    /// Whether it brings back a file that was removed before the first failure.
    fn undoes(&self, context: &Context, pair: &Pair) -> bool {
        let earlier = context.deeds_before(pair.begin()).iter().filter_map(Deed::command);
        let removed: Vec<String> = earlier
            .flat_map(interleaf_shell::commands)
            .filter(|command| matches!(command.program.as_str(), "rm" | "mv" | "unlink"))
            .flat_map(|command| command.operands().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        let made = self
            .commands
            .iter()
            .flat_map(|command| command.split(' ').skip(1))
            .chain(self.written.iter().map(String::as_str));
        let mut made = made.filter(|word| !word.starts_with('-'));
        made.any(|word| {
            removed.iter().any(|path| path.trim_start_matches("./") == word.trim_start_matches("./"))
        })
    }

    /// Whether it is worth telling: more than putting back, and more than mending in the code what was just written there.
    pub fn teaches(&self) -> bool {
        !(self.undoes || self.is_code() && self.mends)
    }

    /// Whether only code was changed: it says itself what it is now.
    pub fn is_code(&self) -> bool {
        self.is_written() && !self.written.iter().any(|path| is_configuration(path))
    }

    /// Whether only files were changed.
    pub fn is_written(&self) -> bool {
        self.commands.is_empty() && self.differently.is_none()
    }

    /// How sure it is worth keeping. What is not in the code is worth most.
    pub fn score(&self, explained: bool) -> f32 {
        match (self.is_code(), explained) {
            (true, _) if self.regressed => 0.47,
            (true, _) => 0.58,
            (false, true) => 0.9,
            // Nobody says why, but that it helped was seen: worth more where everybody will run into it.
            (false, false) if self.broad && !self.commands.is_empty() => 0.68,
            (false, false) => 0.55,
        }
    }

    /// What to do, in a few words each.
    pub fn steps(&self) -> Vec<String> {
        let commands = self.commands.iter().filter(|command| command.chars().count() <= LONGEST_STEP);
        let commands = commands.map(|command| format!("`{command}`"));
        let written = self.written.iter().map(|path| format!("a change of {path}"));
        let differently = self.differently.iter().map(|line| format!("running it as `{line}`"));
        let mut steps: Vec<String> = commands.chain(written).chain(differently).take(MOST_STEPS).collect();
        if steps.is_empty() {
            steps.push("a change of the command".to_owned());
        }
        steps
    }

    /// Files that were written.
    pub fn files(&self) -> Vec<String> {
        self.written.iter().filter(|path| !self.outside.contains(path)).take(MOST_FILES).cloned().collect()
    }

    /// Everything that names it.
    pub fn names(&self) -> String {
        let parts =
            [self.commands.join(" "), self.written.join(" "), self.differently.clone().unwrap_or_default()];
        format!("{} {}", parts.join(" "), self.words)
    }
}

/// Whether a command only looked at something, or only brought the code into shape.
fn changes_nothing(command: &Command) -> bool {
    let name = topics::topic_name(command).unwrap_or_default();
    let checks = ["test", "lint", "check", "jest", "vitest", "eslint", "ruff", "biome", "format"];
    let mends = command.arguments.iter().any(|word| MENDING.has(word))
        && name.split([' ', ':', '-']).any(|word| checks.contains(&word));
    is_looking(command) || SHAPING.has(&command.program) || name == "cargo fmt" || mends
}

/// The command as it succeeded, if it had options or variables that it had not when it failed.
pub fn differently(failed: &Run, success: &Run) -> Option<String> {
    let other = failed.known.iter().find_map(|known| {
        let new = |other: &&Known| {
            other.name == known.name && other.with.iter().any(|word| !known.with.contains(word))
        };
        success.known.iter().find(new)
    })?;
    let same = |command: &&Command| topics::topic_name(command).as_deref() == Some(&other.name);
    let command = success.commands.iter().rfind(same)?;
    let line = success.deed.text("command").trim();
    if success.commands.len() == 1
        && line.len() <= LONGEST_LINE
        && !command.variables.iter().any(|name| is_secret(name))
    {
        return Some(line.to_owned());
    }
    let variables = command.variables.iter().map(|name| format!("{name}=… ")).collect::<String>();
    Some(format!("{variables}{}", shown(command, line)))
}

/// Files that say how something is run, not what it does.
pub fn is_configuration(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    CONFIGURATION_NAMES.iter().any(|known| name.starts_with(*known))
        || CONFIGURATION_EXTENSIONS.has(extension)
        || name.contains(".config.")
}
