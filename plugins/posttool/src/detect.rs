//! The detector: whether there is something to learn in what happened, how sure that is, and why.

use topics::Command;

use crate::excerpt::cut;
use crate::happening::{End, Happening};
use crate::scan::{Hit, Reading, lines, scan};
use crate::settings::Settings;
use crate::signals::{Category, Signal};
use crate::verdict::{is_verdict, noise};
use crate::work::{self, Work};

/// Bytes of what showed a signal, in a reason, and reasons that are told: a line of the log has 2,000.
const MOST_WORDS: usize = 60;
const MOST_REASONS: usize = 12;

/// One reason of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// The kind of signal.
    pub signal: Signal,
    /// What it weighs here.
    pub weight: f64,
    /// What showed it.
    pub words: String,
}

/// What the detector found.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Whether it is worth a capture.
    pub learnable: bool,
    /// How sure, 0 to 1.
    pub score: f64,
    /// What it is; none where nothing speaks.
    pub category: Option<Category>,
    /// How bad it is, 0 to 3, the lower the worse.
    pub severity: u8,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The lines that showed it.
    pub hits: Vec<Hit>,
    /// Whether the tool failed and the failure was no answer.
    pub failed: bool,
}

impl Finding {
    /// Nothing, and why.
    fn nothing() -> Self {
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

    /// The reasons in words.
    pub fn reasons(&self) -> Vec<String> {
        let words =
            |reason: &Reason| format!("{} {:.2}: {}", reason.signal.name(), reason.weight, reason.words);
        self.reasons.iter().take(MOST_REASONS).map(words).collect()
    }

    /// Whether fixes should be looked for: it failed, or its output says that something in it did.
    pub fn wants_a_fix(&self) -> bool {
        self.failed || self.learnable && self.category == Some(Category::Error)
    }
}

/// Judges what happened.
pub fn detect(happening: &Happening, commands: &[Command], settings: &Settings) -> Finding {
    let mut finding = Finding::nothing();
    let no = match happening.end {
        End::Interrupted => return finding,
        End::Failed(Some(code)) => work::means_no(commands, code),
        End::Failed(None) | End::Well => happening.explained,
    };
    finding.failed = matches!(happening.end, End::Failed(_)) && !no;
    finding.hits = scan(&happening.text, reading(happening, commands, &programs(commands)));
    if happening.end == End::Well && !finding.hits.is_empty() {
        finding.believe_the_verdict(&happening.text);
    }
    let ended = if no { Vec::new() } else { ended(happening, commands) };
    for (signal, words) in ended {
        finding.reason(signal, words, settings);
    }
    for at in 0..finding.hits.len() {
        let (signal, words) = (finding.hits[at].signal, finding.hits[at].words.clone());
        finding.reason(signal, happening.text[words].trim().to_owned(), settings);
    }
    finding.conclude(happening, settings);
    finding
}

impl Finding {
    /// A run that ends with the word that all went well had its errors on purpose: what tests provoke is printed, too.
    /// What comes after that word counts, and so does a test that failed before it.
    fn believe_the_verdict(&mut self, text: &str) {
        let Some(verdict) = lines(text).filter(|line| is_verdict(&text[line.clone()])).last() else { return };
        let before = |hit: &Hit| hit.line.start < verdict.start;
        let told = |signal: Signal| matches!(signal, Signal::Tests | Signal::Compiler | Signal::WorkExit);
        if self.hits.iter().all(|hit| !before(hit) || !told(hit.signal)) {
            self.hits.retain(|hit| !before(hit) || hit.signal.category() != Category::Error);
        }
    }

    /// Each kind of signal counts once, however often it is met.
    fn reason(&mut self, signal: Signal, words: String, settings: &Settings) {
        if self.reasons.iter().all(|known| known.signal != signal) {
            let words = cut(&words, MOST_WORDS);
            self.reasons.push(Reason { signal, weight: settings.weight(signal), words });
        }
    }

    fn conclude(&mut self, happening: &Happening, settings: &Settings) {
        let sum: f64 = self.reasons.iter().map(|reason| reason.weight).sum();
        // What is enough by itself is not made doubtful by what went well beside it.
        let sure = self.reasons.iter().any(|reason| reason.weight + 1e-9 >= settings.threshold);
        let doubt = if self.failed || sure || sum == 0.0 { 0.0 } else { noise(&happening.text) };
        self.score = (sum.min(1.0) - doubt).max(0.0);
        // A sum of decimals: 0.25 and 0.35 make 0.6.
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

fn reading<'a>(happening: &Happening, commands: &[Command], programs: &'a [String]) -> Reading<'a> {
    let only_reads = !commands.is_empty() && commands.iter().all(work::reads);
    match happening.tool.as_str() {
        "Bash" if only_reads => Reading::Complaints(programs),
        "Agent" | "Task" if happening.end == End::Well => Reading::Prose,
        _ => Reading::Output,
    }
}

/// What the way it ended says.
fn ended(happening: &Happening, commands: &[Command]) -> Vec<(Signal, String)> {
    let code = match happening.end {
        End::Failed(Some(code)) => code,
        End::Failed(None) => return vec![(Signal::Failure, format!("{} failed", happening.tool))],
        End::Well | End::Interrupted => return Vec::new(),
    };
    let words = format!("exit code {code}");
    let mut ended = match work::of(commands) {
        Work::Work => vec![(Signal::WorkExit, words.clone())],
        Work::Other => vec![(Signal::Exit, words.clone())],
    };
    let told = match code {
        126 | 127 => Some(Signal::NoCommand),
        124 | 143 => Some(Signal::Timeout),
        137 => Some(Signal::Memory),
        132 | 134 | 135 | 136 | 139 => Some(Signal::Crash),
        _ => None,
    };
    ended.extend(told.map(|signal| (signal, words)));
    ended
}
