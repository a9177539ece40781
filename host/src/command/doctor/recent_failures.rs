//! The failures of a project's hooks and jobs, read from the log: one for each cause, however many layers and
//! events met it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::clock::Millis;
use crate::command::output::count;
use crate::log::{LayerOutcome, Level, LogLine};
use crate::project_context::ProjectContext;

/// Age of the oldest failure that is listed, in milliseconds: a week.
const MAX_AGE: Millis = 7 * 24 * 3_600_000;

/// A cause, and how often something failed for it.
#[derive(Debug, Serialize)]
pub(super) struct Failure {
    /// The layer that met it last; `None` for the host.
    pub layer: Option<String>,
    /// The event of the last occurrence.
    pub event: String,
    /// The message of the last occurrence.
    pub message: String,
    /// Where else it occurred: `layer save on Stop`.
    pub others: Vec<String>,
    pub times: usize,
    pub last: Millis,
}

impl Failure {
    fn place(&self) -> String {
        place(self.layer.as_deref(), &self.event)
    }

    /// Returns the place and the message of the last occurrence.
    pub fn headline(&self) -> String {
        format!("{}: {}", self.place(), self.message)
    }
}

/// Collects the warnings and errors of this project's hooks, newest first. Leaves out those of a layer that
/// has answered the same event since, and those whose cause is among the warnings, which then tell how often
/// it was met.
pub(super) fn recent_failures(context: &ProjectContext, warnings: &mut [String]) -> Vec<Failure> {
    let since = context.clock.now() - MAX_AGE;
    let lines = context.log.lines().into_iter();
    let lines: Vec<LogLine> =
        lines.filter(|line| line.project == context.project.id && line.at >= since).collect();
    let answered = last_answers(&lines);
    let is_over = |line: &LogLine| {
        let key = line.layer.as_deref().map(|layer| (layer.to_owned(), line.event.clone()));
        key.and_then(|key| answered.get(&key)).is_some_and(|at| *at > line.at)
    };
    let failed = lines.iter().filter(|line| line.level >= Level::Warn && !is_over(line));
    let database = context.database_file().display().to_string();
    let mut failures = without_known_causes(group(failed, &database), warnings, &database);
    failures.sort_by_key(|failure| std::cmp::Reverse(failure.last));
    failures
}

fn without_known_causes(failures: Vec<Failure>, warnings: &mut [String], database: &str) -> Vec<Failure> {
    let causes: Vec<String> = warnings.iter().map(|warning| cause(warning, database)).collect();
    let mut times = vec![0; warnings.len()];
    let mut rest = Vec::new();
    for failure in failures {
        let of_failure = cause(&failure.message, database);
        // Every text contains an empty one.
        let is_same = |known: &String| {
            !of_failure.is_empty() && (known.contains(&of_failure) || of_failure.contains(known))
        };
        match causes.iter().position(is_same) {
            Some(index) => times[index] += failure.times,
            None => rest.push(failure),
        }
    }
    for (warning, times) in warnings.iter_mut().zip(times).filter(|(_, times)| *times > 0) {
        warning.push_str(&format!(" ({} in the last week)", count(times, "failure")));
    }
    rest
}

/// Returns for each layer and event when the layer began to answer such an event last. What it logged in the
/// course of that answer is not over.
fn last_answers(lines: &[LogLine]) -> BTreeMap<(String, String), Millis> {
    let mut answers = BTreeMap::new();
    for line in lines {
        for layer in line.event_record.iter().flat_map(|record| &record.layers) {
            if matches!(layer.outcome, LayerOutcome::Silent | LayerOutcome::Answered) {
                let began = line.at - layer.ms.ceil() as Millis;
                let last: &mut Millis = answers.entry((layer.layer.clone(), line.event.clone())).or_default();
                *last = began.max(*last);
            }
        }
    }
    answers
}

fn group<'l>(lines: impl Iterator<Item = &'l LogLine>, database: &str) -> Vec<Failure> {
    let mut failures: BTreeMap<String, Failure> = BTreeMap::new();
    for line in lines {
        let (layer, event) = (line.layer.clone(), line.event.clone());
        let message = line.message.clone();
        let failure = failures.entry(cause(&line.message, database)).or_insert_with(|| Failure {
            layer: layer.clone(),
            event: event.clone(),
            message: message.clone(),
            others: Vec::new(),
            times: 0,
            last: Millis::MIN,
        });
        failure.add(layer, event, message, line.at);
    }
    failures.into_values().collect()
}

impl Failure {
    fn add(&mut self, layer: Option<String>, event: String, message: String, at: Millis) {
        self.times += 1;
        if at >= self.last {
            let before = self.place();
            (self.layer, self.event, self.message, self.last) = (layer, event, message, at);
            self.others.push(before);
        } else {
            self.others.push(place(layer.as_deref(), &event));
        }
        let current = self.place();
        self.others.retain(|other| *other != current);
        self.others.sort_unstable();
        self.others.dedup();
    }
}

/// Returns what the messages of one cause have in common: what they say of the database, without what was
/// being done, details in parentheses and the hint; otherwise the message without numbers.
fn cause(message: &str, database: &str) -> String {
    if let Some((_, of_database)) = message.split_once(&format!("{database}: ")) {
        let message = of_database.split("; ").next().unwrap_or_default();
        return message.split(" (").next().unwrap_or_default().to_owned();
    }
    let fold = |char: char| if char.is_ascii_digit() { '0' } else { char };
    let mut folded: String = message.chars().map(fold).collect();
    while folded.contains("00") {
        folded = folded.replace("00", "0");
    }
    folded
}

fn place(layer: Option<&str>, event: &str) -> String {
    let who = layer.map_or("the host".to_owned(), |layer| format!("layer {layer}"));
    if event.is_empty() { who } else { format!("{who} on {event}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{EventRecord, LayerRecord};

    fn line(at: Millis, layer: &str, event: &str, message: &str) -> LogLine {
        LogLine {
            at,
            level: Level::Error,
            project: String::new(),
            session: String::new(),
            event: event.to_owned(),
            layer: Some(layer.to_owned()),
            message: message.to_owned(),
            event_record: None,
        }
    }

    #[test]
    fn one_cause_is_one_failure_however_many_meet_it() {
        let lines = [
            line(1, "save", "Stop", "was not run: /d/a.db: the database is locked; try again"),
            line(3, "recall", "UserPromptSubmit", "/d/a.db: the database is locked"),
            line(2, "save", "Stop", "cannot count its failure: /d/a.db: the database is locked"),
            line(4, "save", "Stop", "stopped at its deadline of 400 ms"),
            line(5, "recall", "SessionStart", "stopped at its deadline of 1000 ms"),
        ];

        let failures = group(lines.iter(), "/d/a.db");

        let summary = |failure: &Failure| (failure.times, failure.headline(), failure.others.join(", "));
        let mut summaries: Vec<_> = failures.iter().map(summary).collect();
        summaries.sort();
        let [deadline, locked] = &summaries[..] else { panic!("{summaries:?}") };
        assert_eq!((deadline.0, deadline.2.as_str()), (2, "layer save on Stop"));
        assert_eq!(deadline.1, "layer recall on SessionStart: stopped at its deadline of 1000 ms");
        assert_eq!((locked.0, locked.2.as_str()), (3, "layer save on Stop"));
        assert!(locked.1.starts_with("layer recall on UserPromptSubmit: "), "{}", locked.1);
    }

    #[test]
    fn a_cause_that_still_holds_is_told_once_with_the_number_of_its_failures() {
        let lines = [
            line(1, "save", "Stop", "was not run: /d/a.db: the disk is full; free some space"),
            line(2, "save", "Stop", "cannot count its failure: /d/a.db: the disk is full"),
            line(3, "team", "Stop", "it trapped"),
        ];
        let mut warnings = vec!["memories cannot be saved: /d/a.db: the disk is full".to_owned()];

        let rest = without_known_causes(group(lines.iter(), "/d/a.db"), &mut warnings, "/d/a.db");

        assert_eq!(
            rest.iter().map(Failure::headline).collect::<Vec<_>>(),
            ["layer team on Stop: it trapped"]
        );
        assert!(warnings[0].ends_with("the disk is full (2 failures in the last week)"), "{}", warnings[0]);
    }

    #[test]
    fn an_answer_to_the_same_event_is_known_with_the_time_at_which_it_began() {
        let outcome = |layer: &str, outcome| LayerRecord {
            layer: layer.to_owned(),
            ms: 1.0,
            outcome,
            logged: Vec::new(),
            searches: Vec::new(),
        };
        let layers = vec![outcome("save", LayerOutcome::Silent), outcome("team", LayerOutcome::Failed)];
        let record = EventRecord { layers, ..EventRecord::default() };
        let lines = [LogLine { event_record: Some(record), ..line(7, "", "Stop", "") }];

        let answers = last_answers(&lines);

        assert_eq!(answers.into_iter().collect::<Vec<_>>(), [(("save".into(), "Stop".into()), 6)]);
    }
}
