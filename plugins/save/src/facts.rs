//! Facts: a command that failed and passed later with one difference, as the tools reported it.
//!
//! The rule is that of [`interleaf_shell::episodes`]. A fact names the difference and nothing else: not the
//! file that was run, which may be gone tomorrow, and no reason, because nobody but the assistant gives one.

use interleaf_shell::{Call, Difference, Episode, NormalizedCommand, Reported, Run, Step, episodes};
use serde_json::{Value, json};

use crate::finding::{Evidence, Finding, Origin};
use crate::session::Session;
use crate::session::calls::ToolCall;
use crate::session::read_only::is_read_only_tool;
use crate::transcript::Ending;
use interleaf_layer::memory::Category;

/// The tag of all facts.
pub const OBSERVED_TAG: &str = "observed";

/// The tag of facts that several sessions saw. Only these may be shown when a session starts.
pub const REPEATED_TAG: &str = "repeated";

/// Maximum length of a statement, in characters. A longer remedy would have to be cut, and the part that is
/// left out may be the one that helped.
const MAX_STATEMENT_CHARS: usize = 130;

/// A fact of one session.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Equal for the same fact in every session.
    pub key: String,
    /// What was observed, without the number of sessions.
    statement: String,
    /// The content of a runbook.
    content: Value,
    /// The calls and the error line.
    evidence: Vec<Evidence>,
}

impl Fact {
    /// Returns the memory of a fact that this many sessions saw.
    pub fn finding(&self, sessions: usize) -> Finding {
        let is_repeated = sessions > 1;
        let seen = if is_repeated { format!("{sessions} sessions") } else { "one session".to_owned() };
        let tags = [OBSERVED_TAG].into_iter().chain(is_repeated.then_some(REPEATED_TAG));
        Finding {
            category: Category::Runbook,
            title: None,
            text: format!("{} (seen in {seen})", self.statement),
            content: self.content.clone(),
            tags: tags.map(str::to_owned).collect(),
            files: Vec::new(),
            cues: Vec::new(),
            confidence: 0.9,
            importance: importance(sessions),
            origin: Origin::ToolOutput,
            score: 0.9,
            about: None,
            evidence: self.evidence.clone(),
            key: self.key.clone(),
        }
    }
}

/// Returns the importance, by which the start of a session chooses: it grows with the sessions.
fn importance(sessions: usize) -> f32 {
    (0.4 + 0.05 * (sessions as f32).log2()).min(0.9)
}

/// Returns the facts that the session shows, each once.
pub fn facts(session: &Session) -> Vec<Fact> {
    let calls = session.calls;
    let steps: Vec<Step> = calls.iter().map(step).collect();
    let mut facts: Vec<Fact> = Vec::new();
    for episode in episodes(&steps) {
        let found = fact(calls, &steps, &episode);
        facts.extend(found.filter(|found| facts.iter().all(|known| known.key != found.key)));
    }
    facts
}

/// Returns what a call was.
fn step(call: &ToolCall) -> Step {
    match run(call) {
        Some(run) => Step::Run(run),
        None if call.tool == "Bash" || is_read_only_tool(call.tool) => Step::Looked,
        None => Step::Edited,
    }
}

/// Returns the run of a call of the shell.
pub fn run(call: &ToolCall) -> Option<Run> {
    let reported = match call.ending() {
        Some(Ending::Fine) => Reported::Succeeded,
        Some(Ending::Failed) => Reported::Failed,
        Some(Ending::Interrupted) | None => Reported::Interrupted,
    };
    let in_background = call.input["run_in_background"] == true;
    Run::read(&Call { line: call.command()?, output: call.output(), reported, in_background })
}

/// Returns the fact of an episode; none if it names something that does not last or is a secret.
fn fact(calls: &[ToolCall], steps: &[Step], episode: &Episode) -> Option<Fact> {
    let Step::Run(failed) = &steps[episode.failed] else { return None };
    let name = match &episode.difference {
        Difference::Folder(folder) => format!("cd {folder}"),
        _ => command_name(failed.line.commands.last()?),
    };
    let remedy = episode.difference.to_string();
    let (statement, step) = match &episode.difference {
        Difference::Interpreter { failing, passing } => (
            format!("`{failing} …` failed, and the same command passed with `{passing}`"),
            format!("run `{passing}` in place of `{failing}`"),
        ),
        Difference::Variables(_) => {
            (format!("`{name}` failed, and passed with `{remedy}`"), format!("set `{remedy}` for `{name}`"))
        }
        Difference::Packages(_) => {
            (format!("`{name}` failed, and passed after `{remedy}`"), format!("run `{remedy}`"))
        }
        Difference::Folder(folder) => (
            format!("`cd {folder}` failed, and the command behind it passed without it"),
            format!("leave out `cd {folder}` where the shell is in that folder already"),
        ),
        // Whether a path is right depends on where the shell stands: there is no lasting fact in it.
        Difference::Path(_) => return None,
    };
    let passes = statement.chars().count() <= MAX_STATEMENT_CHARS && !is_temporary(&remedy);
    passes.then(|| Fact {
        key: key(&name, episode),
        content: content(failed, &name, &step),
        evidence: evidence(calls, failed, episode),
        statement,
    })
}

/// Tells whether a remedy names what will be gone, or a secret that was removed.
fn is_temporary(remedy: &str) -> bool {
    remedy.contains("/tmp/") || remedy.contains("[SECRET:") || remedy.contains("$(")
}

fn key(name: &str, episode: &Episode) -> String {
    match &episode.difference {
        Difference::Interpreter { failing, passing } => format!("interpreter/{failing}/{passing}"),
        Difference::Variables(_) => format!("variables/{name}/{}", episode.difference),
        Difference::Packages(_) => format!("packages/{name}/{}", episode.difference),
        Difference::Folder(folder) => format!("folder/{folder}"),
        Difference::Path(path) => format!("path/{path}"),
    }
}

/// Returns the command's name: the program and the words that specify its action. The script that an
/// interpreter runs is left out.
pub fn command_name(command: &NormalizedCommand) -> String {
    if command.is_interpreter() {
        return match &command.words[..] {
            [python, m, module, ..] if m == "-m" => format!("{python} -m {module}"),
            _ => format!("{} …", command.program()),
        };
    }
    let plain = interleaf_shell::Command {
        program: command.base_name().to_owned(),
        arguments: command.words[1..].to_vec(),
        ..interleaf_shell::Command::default()
    };
    topics::topic_name(&plain).unwrap_or_else(|| plain.program.clone())
}

fn content(failed: &Run, name: &str, step: &str) -> Value {
    let line = failed.failure.as_ref().map(|failure| failure.line.as_str());
    json!({
        "trigger": format!("`{name}` fails"),
        "symptoms": line.filter(|line| !line.is_empty()).into_iter().collect::<Vec<_>>(),
        "steps": [step],
        "verification": "the same command passes",
    })
}

/// Returns the error line, which the tool printed, and the two calls.
fn evidence(calls: &[ToolCall], failed: &Run, episode: &Episode) -> Vec<Evidence> {
    let (failure, success) = (&calls[episode.failed], &calls[episode.passed]);
    let line = failed.failure.as_ref().map(|failure| failure.line.trim_end_matches('…').trim_end());
    let line = line.filter(|line| !line.is_empty()).zip(failure.result);
    let line = line.map(|(line, result)| Evidence { quote: line.to_owned(), cursor: result.cursor });
    let calls = [failure, success].into_iter().filter_map(|call| call.quote(call.text("command")));
    line.into_iter().chain(calls).collect()
}

#[cfg(test)]
#[path = "facts_tests.rs"]
mod tests;
