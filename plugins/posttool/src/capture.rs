//! A capture: what is queued about a tool run for a later job, and the id under which it is queued once.

use std::hash::Hasher as _;

use fnv::FnvHasher;
use interleaf_layer::prelude::{Result, Scope, jobs, log, state};
use serde_json::{Value, json};
use topics::Command;

use crate::detector::Finding;
use crate::excerpt::{excerpt, summary, truncate};
use crate::query::normalize;
use crate::scanner::Hit;
use crate::signals::Category;
use crate::tool_run::{Outcome, ToolRun};

/// Maximum length of the task and of the quoted line of output, in bytes.
const MAX_TASK_BYTES: usize = 400;
const MAX_OBSERVATION_BYTES: usize = 300;

/// Maximum number of files named in a capture.
const MAX_FILES: usize = 5;

/// Key in the session's state that holds the ids which this session has queued. They are not queued again,
/// even where a job has dealt with them since.
const QUEUED_KEY: &str = "queued";

/// Maximum number of ids remembered of a session, the newest.
const MAX_QUEUED_IDS: usize = 200;

/// Where and when a tool ran.
pub struct RunContext<'a> {
    /// The session.
    pub session: &'a str,
    /// Its current directory.
    pub cwd: &'a str,
    /// Milliseconds since the Unix epoch.
    pub at: i64,
}

/// A capture.
pub struct Capture {
    /// The same for the same failure in a session, in whatever process.
    pub id: String,
    /// JSON text.
    pub payload: String,
}

/// Makes a capture. The host removes secrets, so text is truncated between words only.
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

/// Queues a capture, unless this session has done so before. The queue is written first: a process that is
/// killed before the second step has lost nothing, and the queue keeps an id once.
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
        log::failure("the id of a capture was not remembered", &error);
    }
    Ok(())
}

/// Returns the ids with the new one, or none where it is among them.
fn with_id(queued: &str, id: &str) -> Option<String> {
    let ids: Vec<&str> = queued.split(' ').filter(|id| !id.is_empty()).collect();
    let oldest = ids.len().saturating_sub(MAX_QUEUED_IDS - 1);
    (!ids.contains(&id)).then(|| ids[oldest..].iter().copied().chain([id]).collect::<Vec<_>>().join(" "))
}

/// Returns the line with the heaviest signal.
fn main_line(run: &ToolRun, finding: &Finding) -> Option<String> {
    let of_category = |hit: &&Hit| Some(hit.signal.category()) == finding.category;
    let hits = finding.hits.iter().filter(of_category);
    // Of equal ones the first: those after it are often only its consequences.
    let main = hits
        .reduce(|best, hit| if hit.signal.line_weight() > best.signal.line_weight() { hit } else { best });
    let first = || run.output.lines().find(|line| !line.trim().is_empty() && !line.contains("-----BEGIN"));
    main.map(|hit| &run.output[hit.line.clone()]).or_else(first).map(|line| line.trim().to_owned())
}

/// Returns the name of the command, else the tool.
fn subject(run: &ToolRun, commands: &[Command]) -> String {
    let named = commands.iter().find_map(topics::topic_name);
    let first = || commands.first().map(|command| command.program.clone()).filter(|name| !name.is_empty());
    let name = named.or_else(first).filter(|name| name.len() <= 60);
    name.unwrap_or_else(|| run.tool.clone())
}

fn outcome_text(run: &ToolRun) -> String {
    match run.outcome {
        Outcome::Failure(Some(code)) => format!("exit code {code} without a word"),
        _ => "failed without a word".to_owned(),
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
        Outcome::Success | Outcome::Interrupted => format!("{subject} ran through"),
    };
    match main {
        Some(line) => format!("{ended} and said: {}", truncate(line, MAX_OBSERVATION_BYTES)),
        None => ended,
    }
}

/// Returns the files named where the signals are, relative to the current directory; those outside of it are
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

/// Returns an id made of the session, the tool, its task and the lines with signals, without what changes
/// from run to run.
fn id(run: &ToolRun, finding: &Finding, session: &str) -> String {
    let mut lines: Vec<&str> = finding.hits.iter().map(|hit| &run.output[hit.line.clone()]).collect();
    if lines.is_empty() {
        lines.push(&run.output);
    }
    let mut hasher = FnvHasher::default();
    // The separator keeps "a" "bc" apart from "ab" "c". The hash must only differ from others of one queue.
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
        let (commands, settings) = (topics::commands(command), Settings::default());
        let finding = detect(&run, &commands, &settings);
        let capture = of(&run, &commands, &finding, &CONTEXT);
        (capture.id, serde_json::from_str(&capture.payload).expect("it is JSON"))
    }

    #[test]
    fn a_capture_says_what_was_attempted_and_what_came_of_it() {
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
    fn the_same_failure_has_the_same_id_and_another_command_another() {
        let first = capture("make test", "Exit code 2\nsrc/a.c:3:5: error: no member after 3.1s").0;

        assert_eq!(capture("make test", "Exit code 2\nsrc/a.c:9:1: error: no member after 7s").0, first);
        assert_ne!(capture("make all", "Exit code 2\nsrc/a.c:3:5: error: no member after 3.1s").0, first);
        assert_ne!(capture("make test", "Exit code 2\nsrc/b.c:3:5: error: no member after 3.1s").0, first);
    }

    #[test]
    fn files_are_relative_to_the_folder_or_left_out() {
        let error = "Exit code 1\n/home/dev/shop/src/a.rs:3:5: error: x\n./lib/b.c:1: error: \
                     y\n/etc/z.conf:3: error: q";

        let (_, capture) = capture("make", error);

        assert_eq!(capture["files"], json!(["src/a.rs", "lib/b.c"]));
    }

    #[test]
    fn a_bare_failure_has_a_summary() {
        assert_eq!(
            capture("make deploy", "Exit code 2").1["summary"],
            "make deploy: exit code 2 without a word"
        );
    }
}
