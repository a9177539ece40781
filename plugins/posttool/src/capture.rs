//! Builds the capture of a tool run, which is queued for a later job, and the id that keeps it from being
//! queued twice.

use std::hash::Hasher as _;

use fnv::FnvHasher;
use interleaf_layer::prelude::{Result, Scope, jobs, log, state};
use interleaf_shell::Command;
use serde_json::{Value, json};

use crate::detector::Finding;
use crate::excerpt::{excerpt, summary, truncate};
use crate::failure_query::normalize;
use crate::scanner::Hit;
use crate::signals::Category;
use crate::tool_run::{Outcome, ToolRun};

/// Maximum length of the task, in bytes.
const MAX_TASK_BYTES: usize = 400;
/// Maximum length of the quoted line of output, in bytes.
const MAX_OBSERVATION_BYTES: usize = 300;

/// Maximum number of files named in a capture.
const MAX_FILES: usize = 5;

/// Key in the session's state that holds the ids which this session has queued. They are not queued again,
/// even after a job has processed them.
const QUEUED_KEY: &str = "queued";

/// Maximum number of queued ids stored per session, the newest.
const MAX_QUEUED_IDS: usize = 200;

/// Where and when a tool ran.
pub struct RunContext<'a> {
    /// The id of the session.
    pub session: &'a str,
    /// Its current directory.
    pub cwd: &'a str,
    /// Time of the run, in milliseconds since the Unix epoch.
    pub at: i64,
}

/// A capture as it is queued.
pub struct Capture {
    /// Hash that is equal for the same failure in the same session, in every process.
    pub id: String,
    /// The capture as JSON text.
    pub payload: String,
}

/// Builds a capture. The host removes secrets later, so text is truncated only between words.
pub fn of(run: &ToolRun, commands: &[Command], finding: &Finding, context: &RunContext) -> Capture {
    let line_weight = |hit: &Hit| hit.signal.line_weight();
    let main = main_line(run, finding);
    let subject = subject(run, commands);
    let id = id(run, finding, context.session);
    let category = finding.category.unwrap_or(Category::Error).as_str();
    let payload = json!({
        "id": id,
        "category": category,
        "severity": format!("sev-{}", finding.severity),
        "score": (finding.score * 100.0).round() / 100.0,
        "reasons": finding.reasons(),
        "summary": summary(&subject, main.as_deref().unwrap_or(&outcome_text(run))),
        "attempted": task_text(run),
        "observation": observation(run, &subject, main.as_deref()),
        "excerpt": excerpt(&run.output, &finding.hits, line_weight),
        "tool": run.tool,
        "files": files(run, finding, context.cwd),
        "at": context.at,
    });
    Capture { id, payload: payload.to_string() }
}

/// Queues a capture, unless this session has queued it before. The queue is written first: a process that is
/// killed before the second step loses nothing, because the queue stores an id only once.
pub fn push(capture: &Capture) {
    if let Err(error) = try_push(capture) {
        log::failure("a capture was not queued", &error);
    }
}

fn try_push(capture: &Capture) -> Result<()> {
    let queued = state::get(Scope::Session, QUEUED_KEY).ok().flatten().unwrap_or_default();
    if queued.split(' ').any(|id| id == capture.id) {
        return Ok(());
    }
    jobs::push_capture(&jobs::Capture { id: capture.id.clone(), payload: capture.payload.clone() })?;
    let add = |queued: Option<&str>| with_id(queued.unwrap_or_default(), &capture.id);
    if let Err(error) = state::update(Scope::Session, QUEUED_KEY, add) {
        log::failure("the id of a capture was not stored", &error);
    }
    Ok(())
}

/// Returns the ids with the new one added, or none if it is already among them.
fn with_id(queued: &str, id: &str) -> Option<String> {
    let ids: Vec<&str> = queued.split(' ').filter(|id| !id.is_empty()).collect();
    let oldest = ids.len().saturating_sub(MAX_QUEUED_IDS - 1);
    (!ids.contains(&id)).then(|| ids[oldest..].iter().copied().chain([id]).collect::<Vec<_>>().join(" "))
}

/// Returns the line with the heaviest signal.
fn main_line(run: &ToolRun, finding: &Finding) -> Option<String> {
    let of_category = |hit: &&Hit| Some(hit.signal.category()) == finding.category;
    let hits = finding.hits.iter().filter(of_category);
    // Of equally heavy lines the first: the others are often its consequences.
    let main = hits
        .reduce(|best, hit| if hit.signal.line_weight() > best.signal.line_weight() { hit } else { best });
    let first = || run.output.lines().find(|line| !line.trim().is_empty() && !line.contains("-----BEGIN"));
    main.map(|hit| &run.output[hit.line.clone()]).or_else(first).map(|line| line.trim().to_owned())
}

/// Returns the topic name or the program of the command, else the name of the tool.
fn subject(run: &ToolRun, commands: &[Command]) -> String {
    let named = commands.iter().find_map(topics::topic_name);
    let first = || commands.first().map(|command| command.program.clone()).filter(|name| !name.is_empty());
    let name = named.or_else(first).filter(|name| name.len() <= 60);
    name.unwrap_or_else(|| run.tool.clone())
}

fn outcome_text(run: &ToolRun) -> String {
    match run.outcome {
        Outcome::Failure(Some(code)) => format!("exit code {code} without an error message"),
        _ => "failed without an error message".to_owned(),
    }
}

fn task_text(run: &ToolRun) -> String {
    let text = truncate(run.task.trim(), MAX_TASK_BYTES);
    match (&run.command, text.is_empty()) {
        (Some(_), false) => format!("Running: {text}"),
        _ => text,
    }
}

fn observation(run: &ToolRun, subject: &str, main: Option<&str>) -> String {
    let ended = match run.outcome {
        Outcome::Failure(Some(code)) => format!("{subject} failed with exit code {code}"),
        Outcome::Failure(None) => format!("{subject} failed"),
        Outcome::Success | Outcome::Interrupted => format!("{subject} succeeded"),
    };
    match main {
        Some(line) => format!("{ended} and printed: {}", truncate(line, MAX_OBSERVATION_BYTES)),
        None => ended,
    }
}

/// Returns the files named on lines with signals, relative to the current directory; files outside of it are
/// left out.
fn files(run: &ToolRun, finding: &Finding, cwd: &str) -> Vec<Value> {
    let lines = finding.hits.iter().map(|hit| &run.output[hit.line.clone()]);
    let words = lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || "\"'`()[]<>,;".contains(c)));
    let named = run.file.iter().map(String::as_str).chain(words);
    let mut files: Vec<&str> = Vec::new();
    for file in named.filter_map(|word| file(word, cwd)) {
        if !files.contains(&file) && files.len() < MAX_FILES {
            files.push(file);
        }
    }
    files.into_iter().map(Value::from).collect()
}

/// Returns `src/a.rs` of `/home/dev/shop/src/a.rs:12:5` in `/home/dev/shop`.
fn file<'a>(word: &'a str, cwd: &str) -> Option<&'a str> {
    let path = word.split(':').next().unwrap_or_default().trim_end_matches('.');
    let path = match path.strip_prefix('/') {
        Some(_) if cwd.len() > 1 => path.strip_prefix(cwd)?.strip_prefix('/')?,
        Some(_) => return None,
        None => path.strip_prefix("./").unwrap_or(path),
    };
    let (stem, extension) = path.rsplit_once('.')?;
    let is_plain = !path.contains("..") && !path.contains("//") && path.len() <= 200 && !stem.is_empty();
    let has_extension =
        (1..=5).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_lowercase());
    (is_plain && has_extension && (path.contains('/') || word.contains(':'))).then_some(path)
}

/// Returns an id computed from the session, the tool, its task and the lines with signals, without the words
/// that change from run to run.
fn id(run: &ToolRun, finding: &Finding, session: &str) -> String {
    let mut lines: Vec<&str> = finding.hits.iter().map(|hit| &run.output[hit.line.clone()]).collect();
    if lines.is_empty() {
        lines.push(&run.output);
    }
    let mut hasher = FnvHasher::default();
    // The separator makes "a" "bc" differ from "ab" "c". The hash has to be unique only within one queue.
    let mut add = |text: &str| {
        hasher.write(text.as_bytes());
        hasher.write_u8(0xff);
    };
    add(session);
    add(&run.tool);
    add(&normalize(&run.task));
    lines.into_iter().for_each(|line| add(&normalize(line)));
    if let Outcome::Failure(code) = run.outcome {
        add(&format!("{code:?}"));
    }
    format!("posttool-{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detector::detect;
    use crate::settings::Settings;

    const CONTEXT: RunContext = RunContext { session: "s", cwd: "/home/dev/shop", at: 7 };

    fn capture(command: &str, error: &str) -> (String, Value) {
        let input = json!({ "command": command }).to_string();
        let run = ToolRun::from_failure("Bash", &input, error, false);
        let (commands, settings) = (interleaf_shell::commands(command), Settings::default());
        let finding = detect(&run, &commands, &settings);
        let capture = of(&run, &commands, &finding, &CONTEXT);
        (capture.id, serde_json::from_str(&capture.payload).expect("it is JSON"))
    }

    #[test]
    fn a_capture_holds_the_task_and_its_outcome() {
        let error = "Exit code 101\n   Compiling shop\nerror[E0308]: mismatched types\n --> \
                     src/main.rs:3:5\n\n\nerror: could not compile `shop`";

        let (id, capture) = capture("cd /home/dev/shop && cargo build --locked", error);

        assert_eq!(capture["id"], id);
        assert_eq!(capture["summary"], "cargo build: error[E0308]: mismatched types");
        assert_eq!(capture["attempted"], "Running: cd /home/dev/shop && cargo build --locked");
        assert_eq!((&capture["category"], &capture["severity"]), (&json!("error"), &json!("sev-1")));
        assert!(capture["observation"].as_str().is_some_and(|text| text.contains("exit code 101")));
        assert!(capture["excerpt"].as_str().is_some_and(|text| text.contains("src/main.rs:3:5")));
    }

    #[test]
    fn the_id_depends_on_the_command_and_the_error_but_not_on_positions_and_times() {
        let first = capture("make test", "Exit code 2\nsrc/a.c:3:5: error: no member after 3.1s").0;

        assert_eq!(capture("make test", "Exit code 2\nsrc/a.c:9:1: error: no member after 7s").0, first);
        assert_ne!(capture("make all", "Exit code 2\nsrc/a.c:3:5: error: no member after 3.1s").0, first);
        assert_ne!(capture("make test", "Exit code 2\nsrc/b.c:3:5: error: no member after 3.1s").0, first);
    }

    #[test]
    fn files_are_relative_to_the_current_directory_or_left_out() {
        let error = "Exit code 1\n/home/dev/shop/src/a.rs:3:5: error: x\n./lib/b.c:1: error: \
                     y\n/etc/z.conf:3: error: q";

        let (_, capture) = capture("make", error);

        assert_eq!(capture["files"], json!(["src/a.rs", "lib/b.c"]));
    }

    #[test]
    fn a_failure_without_output_has_a_summary() {
        assert_eq!(
            capture("make deploy", "Exit code 2").1["summary"],
            "make deploy: exit code 2 without an error message"
        );
    }
}
