//! The detector: decides whether a tool run has something to learn from, with a score and reasons.

use interleaf_shell::Command;

use crate::command_kind::{self, CommandKind};
use crate::excerpt::truncate;
use crate::scanner::{Hit, ScanMode, lines, scan};
use crate::settings::Settings;
use crate::signals::{Category, Signal};
use crate::tool_run::{Outcome, ToolRun};

/// Maximum length of the words in a reason, in bytes. A line of the log has at most 2,000 bytes.
const MAX_REASON_BYTES: usize = 60;
/// Maximum number of reasons in the log and in a capture.
const MAX_REASONS: usize = 12;

/// Amount that each line of success subtracts from an uncertain score.
const SUCCESS_LINE_PENALTY: f64 = 0.05;
/// Maximum amount that all lines of success subtract together.
const MAX_SUCCESS_PENALTY: f64 = 0.3;

/// Maximum length of a line that can sum up a success, in bytes.
const MAX_SUMMARY_LINE_BYTES: usize = 200;

/// Maximum length of a line that consists of one word for success, in bytes.
const MAX_WORD_BYTES: usize = 10;

/// Phrases in which builds and test runs summarize success.
const SUCCESS_SUMMARIES: [&str; 8] = [
    "test result: ok",
    "build success",
    "build succeeded",
    "all tests passed",
    "all checks passed",
    "compiled successfully",
    " passed, 0 failed",
    " 0 failures",
];

/// One reason for a score.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// The kind of signal.
    pub signal: Signal,
    /// Its weight under the current settings.
    pub weight: f64,
    /// The matched words.
    pub words: String,
}

/// The detector's result for a tool run.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Whether the run is worth a capture.
    pub learnable: bool,
    /// Score, from 0 to 1.
    pub score: f64,
    /// The kind of lesson; none without a signal.
    pub category: Option<Category>,
    /// Severity, 0 to 3; 0 is the worst.
    pub severity: u8,
    /// Reasons for the score.
    pub reasons: Vec<Reason>,
    /// The lines with signals.
    pub hits: Vec<Hit>,
    /// Whether the tool failed; an answer "no" is not a failure.
    pub failed: bool,
}

impl Finding {
    /// Returns a finding without any signal.
    fn empty() -> Self {
        Self {
            learnable: false,
            score: 0.0,
            category: None,
            severity: 3,
            reasons: Vec::new(),
            hits: Vec::new(),
            failed: false,
        }
    }

    /// Returns the reasons as text.
    pub fn reasons(&self) -> Vec<String> {
        let words =
            |reason: &Reason| format!("{} {:.2}: {}", reason.signal.name(), reason.weight, reason.words);
        self.reasons.iter().take(MAX_REASONS).map(words).collect()
    }

    /// Tells whether to search for fixes: the tool failed, or its output reports a failure.
    pub fn needs_fix(&self) -> bool {
        self.failed || self.learnable && self.category == Some(Category::Error)
    }
}

/// Scores a tool run.
pub fn detect(run: &ToolRun, commands: &[Command], settings: &Settings) -> Finding {
    let mut finding = Finding::empty();
    let is_answer = match run.outcome {
        Outcome::Interrupted => return finding,
        Outcome::Failure(Some(code)) => command_kind::is_negative_answer(commands, code),
        Outcome::Failure(None) | Outcome::Success => run.is_explained,
    };
    finding.failed = matches!(run.outcome, Outcome::Failure(_)) && !is_answer;
    finding.hits = scan(&run.output, scan_mode(run, commands, &programs(commands)));
    if run.outcome == Outcome::Success {
        finding.apply_success_summary(&run.output);
    }
    let exit_signals = if is_answer { Vec::new() } else { exit_signals(run, commands) };
    for (signal, words) in exit_signals {
        finding.add_reason(signal, words, settings);
    }
    for at in 0..finding.hits.len() {
        let (signal, words) = (finding.hits[at].signal, finding.hits[at].words.clone());
        finding.add_reason(signal, run.output[words].trim().to_owned(), settings);
    }
    finding.conclude(run, settings);
    finding
}

impl Finding {
    /// Drops the errors before a summary of success: tests provoke such errors on purpose. Errors after the
    /// summary count, and so does a failed test or compilation before it.
    fn apply_success_summary(&mut self, text: &str) {
        let Some(first) = self.hits.first() else { return };
        let later = lines(text).skip_while(|line| line.start <= first.line.start);
        let Some(summary) = later.filter(|line| is_success_summary(&text[line.clone()])).last() else {
            return;
        };
        let before = |hit: &Hit| hit.line.start < summary.start;
        let is_conclusive =
            |signal: Signal| matches!(signal, Signal::Tests | Signal::Compiler | Signal::WorkExit);
        if self.hits.iter().all(|hit| !before(hit) || !is_conclusive(hit.signal)) {
            self.hits.retain(|hit| !before(hit) || hit.signal.category() != Category::Error);
        }
    }

    /// Adds a reason. Each kind of signal counts once.
    fn add_reason(&mut self, signal: Signal, words: String, settings: &Settings) {
        if self.reasons.iter().all(|known| known.signal != signal) {
            let words = truncate(&words, MAX_REASON_BYTES);
            self.reasons.push(Reason { signal, weight: settings.weight(signal), words });
        }
    }

    fn conclude(&mut self, run: &ToolRun, settings: &Settings) {
        let sum: f64 = self.reasons.iter().map(|reason| reason.weight).sum();
        // Lines of success do not reduce a score for which one reason suffices.
        let is_certain = self.reasons.iter().any(|reason| reason.weight + 1e-9 >= settings.threshold);
        let penalty =
            if self.failed || is_certain || sum == 0.0 { 0.0 } else { success_penalty(&run.output) };
        self.score = (sum.min(1.0) - penalty).max(0.0);
        // The tolerance covers rounding in sums such as 0.25 + 0.35 = 0.6.
        self.learnable = self.score > 0.0 && self.score + 1e-9 >= settings.threshold;
        let heaviest = self
            .reasons
            .iter()
            .reduce(|best, reason| if reason.weight > best.weight { reason } else { best });
        self.category = heaviest.map(|reason| reason.signal.category());
        let alike = self.reasons.iter().filter(|reason| Some(reason.signal.category()) == self.category);
        self.severity = alike.map(|reason| reason.signal.severity()).min().unwrap_or(3);
    }
}

fn programs(commands: &[Command]) -> Vec<String> {
    commands.iter().map(|command| command.program.clone()).collect()
}

fn scan_mode<'a>(run: &ToolRun, commands: &[Command], programs: &'a [String]) -> ScanMode<'a> {
    let only_reads = !commands.is_empty() && commands.iter().all(command_kind::is_reader);
    match run.tool.as_str() {
        "Bash" if only_reads => ScanMode::ErrorMessages(programs),
        "Agent" | "Task" if run.outcome == Outcome::Success => ScanMode::Prose,
        _ => ScanMode::Output,
    }
}

/// Returns the signals of the outcome.
fn exit_signals(run: &ToolRun, commands: &[Command]) -> Vec<(Signal, String)> {
    let code = match run.outcome {
        Outcome::Failure(Some(code)) => code,
        Outcome::Failure(None) => return vec![(Signal::Failure, format!("{} failed", run.tool))],
        Outcome::Success | Outcome::Interrupted => return Vec::new(),
    };
    let words = format!("exit code {code}");
    let mut signals = match command_kind::of(commands) {
        CommandKind::Build => vec![(Signal::WorkExit, words.clone())],
        CommandKind::Other => vec![(Signal::Exit, words.clone())],
    };
    let known = match code {
        126 | 127 => Some(Signal::NoCommand),
        124 | 143 => Some(Signal::Timeout),
        137 => Some(Signal::Memory),
        132 | 134 | 135 | 136 | 139 => Some(Signal::Crash),
        _ => None,
    };
    signals.extend(known.map(|signal| (signal, words)));
    signals
}

/// Returns the amount that lines of success subtract from the score.
fn success_penalty(text: &str) -> f64 {
    let count = lines(text).filter(|line| is_success_line(text[line.clone()].trim())).take(6).count();
    (SUCCESS_LINE_PENALTY * count as f64).min(MAX_SUCCESS_PENALTY)
}

/// Tells whether a line may report success. The full check takes ten times as long as this one. Each such
/// line is a single word, or contains one of a few groups of three bytes, and most lines contain none.
fn may_report_success(line: &str) -> bool {
    let mut last_three = 0;
    let mut ends_group = |byte: u8| {
        last_three = after(last_three, byte);
        SUCCESS_GROUPS.contains(&last_three)
    };
    let is_word = line.trim_end_matches(['.', '!']).len() <= MAX_WORD_BYTES;
    line.len() <= MAX_SUMMARY_LINE_BYTES && (is_word || line.bytes().any(&mut ends_group))
}

const SUCCESS_GROUPS: [u32; 6] =
    [group(b"suc"), group(b"ass"), group(b": o"), group(b"0 f"), group(b"[in"), group(b"d c")];

const fn group(text: &[u8; 3]) -> u32 {
    after(after(after(0, text[0]), text[1]), text[2])
}

/// Returns the last three bytes as a number, after one more byte. Letters are equal in either case.
const fn after(last_three: u32, byte: u8) -> u32 {
    (last_three << 8 | (byte | 0x20) as u32) & 0xff_ffff
}

/// Tells whether a line summarizes success.
fn is_success_summary(line: &str) -> bool {
    if !may_report_success(line) {
        return false;
    }
    let line = line.to_ascii_lowercase();
    let counted = line.trim_start_matches(['=', ' ']);
    let passed = counted.starts_with("tests:") && counted.contains(" passed") && !counted.contains("fail")
        || counted.starts_with(|c: char| c.is_ascii_digit())
            && counted.contains(" passed in ")
            && !counted.contains("fail");
    let is_negated = line.contains("error") || line.contains("not all ");
    passed || contains_any(&line, &SUCCESS_SUMMARIES) && !is_negated
}

fn is_success_line(line: &str) -> bool {
    if !may_report_success(line) {
        return false;
    }
    let line = line.to_ascii_lowercase();
    let bare = matches!(
        line.trim_end_matches(['.', '!']),
        "ok" | "done" | "success" | "passed" | "all checks passed"
    );
    let ends = [
        "build complete",
        "successfully installed",
        "build succeeded",
        "build successful",
        "test result: ok",
    ];
    bare || line.starts_with("[info]") || line.ends_with("tests passed") || contains_any(&line, &ends)
}

/// Tells whether a line contains one of the phrases. `str::contains` prepares its search for every phrase and
/// line, which takes longer than to look for its first byte.
fn contains_any(line: &str, phrases: &[&str]) -> bool {
    let begins = |rest: &[u8], phrase: &[u8]| rest[0] == phrase[0] && rest.starts_with(phrase);
    let line = line.as_bytes();
    (0..line.len()).any(|at| phrases.iter().any(|phrase| begins(&line[at..], phrase.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_success_gets_a_closer_look() {
        let lines =
            ["ok", "Done...........", "success", "PASSED", "[INFO] x", "Build complete", "12 passed in 3.1s"];
        for line in SUCCESS_SUMMARIES.into_iter().chain(lines) {
            assert!(may_report_success(line), "{line}");
        }
        assert!(!may_report_success("copying the file to the server"));
        assert!(!may_report_success(&format!("ok{}", ".".repeat(MAX_SUMMARY_LINE_BYTES))));
    }

    #[test]
    fn a_line_that_denies_success_is_no_summary_of_it() {
        assert!(is_success_summary("All tests passed"));
        assert!(!is_success_summary("Not all tests passed"));
    }
}
