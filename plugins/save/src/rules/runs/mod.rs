//! Command lines that were run: which ones are the same, which failed, which only looked at something.

mod shown;

use std::ops::Range;

use interleaf_shell::Command;

use self::shown::named;
pub use self::shown::{is_secret, shown};
use super::deeds::Deed;
use crate::transcript::Ending;
use crate::word_lists::{ASKING, FAILING, LOOKED_AT, REFUSED, has_any};

/// Bytes of a command that is named as it was typed, or else with what it was run on.
const LONGEST_LINE: usize = 80;
const LONGEST_NAME: usize = 40;

/// One command as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// `make test`, `npm run build`.
    pub name: String,
    /// What it was run on.
    on: Vec<String>,
    /// Words behind options, which may be their values.
    valued: Vec<String>,
    /// How: options and variables.
    pub with: Vec<String>,
}

impl Known {
    /// Whether this runs what another does, with no more than further options and their values.
    fn extends(&self, other: &Self) -> bool {
        let more = |word: &&String| !other.on.contains(word);
        let all = other.on.iter().all(|word| self.on.contains(word));
        self.name == other.name && all && self.on.iter().filter(more).all(|word| self.valued.contains(word))
    }

    /// Whether both run the same on the same, in whatever way.
    pub fn is(&self, other: &Self) -> bool {
        self.name == other.name && self.on == other.on
    }
}

/// A command line that was run.
#[derive(Debug)]
pub struct Run<'a> {
    /// The call and its result.
    pub deed: &'a Deed<'a>,
    /// Its commands.
    pub commands: Vec<Command>,
    /// Those of them that are compared.
    pub known: Vec<Known>,
    /// How it ended: as the client says, and as its output does.
    pub ending: Ending,
}

impl<'a> Run<'a> {
    /// A call of a shell that came back; none for another.
    pub fn of(deed: &'a Deed<'a>) -> Option<Self> {
        let line = deed.command()?;
        let ending = ending(line, deed)?;
        let commands = interleaf_shell::commands(line);
        let known = commands.iter().filter_map(known).collect();
        Some(Self { deed, commands, known, ending })
    }

    /// Whether this line runs everything that another does, on the same things.
    pub fn repeats(&self, other: &Run) -> bool {
        !other.known.is_empty() && other.known.iter().all(|known| self.has(known))
    }

    /// Whether the success of this line mends the failure of another. The steps before the last one of a compound
    /// command are there for its sake: where the last one succeeds alone, they were done or not needed.
    pub fn mends(&self, failed: &Run) -> bool {
        failed.known.last().is_some_and(|last| self.has(last))
    }

    fn has(&self, known: &Known) -> bool {
        self.known.iter().any(|own| own.is(known) || own.extends(known))
    }

    /// What it ran last, as it was typed where that is short.
    pub fn name(&self) -> String {
        let Some(last) = self.known.last() else { return String::new() };
        let command = self.commands.iter().rfind(|command| known(command).is_some());
        let typed = command.map(|command| named(command, self.deed.text("command")));
        if let Some(typed) = typed.filter(|typed| typed.len() <= LONGEST_LINE) {
            return typed;
        }
        let whole =
            std::iter::once(&last.name).chain(&last.on).map(String::as_str).collect::<Vec<_>>().join(" ");
        if whole.len() <= LONGEST_NAME { whole } else { last.name.clone() }
    }
}

/// The runs among the deeds.
pub fn runs<'a>(deeds: &'a [Deed<'a>]) -> Vec<Run<'a>> {
    deeds.iter().filter_map(Run::of).collect()
}

/// The line that a capture tells of, as it is compared.
pub fn known_of(line: &str) -> Vec<Known> {
    interleaf_shell::commands(line).iter().filter_map(known).collect()
}

fn ending(line: &str, deed: &Deed) -> Option<Ending> {
    let (ending, output) = (deed.ending()?, deed.output());
    let start = output[..output.floor_char_boundary(300)].to_lowercase();
    let refused = has_any(&start, &REFUSED);
    let stopped = ["^C", "Exit code 130", "Exit code 143"].iter().any(|said| {
        output.starts_with(said) || output.lines().nth(1).is_some_and(|second| second.starts_with(said))
    });
    let lost = line.contains('|') || line.contains("; echo") || line.contains("2>&1;");
    Some(match ending {
        Ending::Failed if refused || stopped => Ending::Interrupted,
        Ending::Fine if lost && has_any(output, &FAILING) => Ending::Failed,
        ending => ending,
    })
}

/// A command as it is compared; none for those that fail every day.
fn known(command: &Command) -> Option<Known> {
    let name = topics::topic_name(command)?;
    let named: Vec<&str> = name.split(' ').collect();
    let operands = command.operands().filter(|word| !named.contains(word) && !word.contains('='));
    let on = operands.map(str::to_owned).collect();
    let options =
        command.arguments.iter().filter(|word| word.starts_with('-') && word.len() > 1 || word.contains('='));
    let with = options.chain(&command.variables).cloned().collect();
    let pairs = command.arguments.windows(2).filter(|pair| pair[0].starts_with('-'));
    let valued = pairs.map(|pair| pair[1].clone()).collect();
    Some(Known { name, on, valued, with })
}

/// Whether a command changes nothing but what git keeps.
pub fn is_looking(command: &Command) -> bool {
    let asks = LOOKED_AT.has(&command.program);
    let asking = asks
        && command
            .subcommand()
            .is_some_and(|word| ASKING.has(word) && (word != "add" || command.program == "git"));
    interleaf_shell::is_read_only_program(&command.program)
        || asking
        || command.has_option(&["--version", "--help"])
        || command.program == "curl" && !command.has_option(&["-X", "-d", "-F", "-T", "--request", "--data"])
        || command.program == "sed" && !command.has_option(&["-i", "--in-place"])
}

/// The deeds of a stretch between two entries.
pub fn between<'a>(deeds: &'a [Deed<'a>], entries: Range<usize>) -> &'a [Deed<'a>] {
    let first = deeds.partition_point(|deed| deed.at <= entries.start);
    let last = deeds.partition_point(|deed| deed.at < entries.end);
    deeds.get(first..last).unwrap_or_default()
}
