//! What is queued of something learned, and the id by which it is known once.

use serde_json::{Value, json};
use topics::Command;

use crate::detect::Finding;
use crate::excerpt::{cut, excerpt, summary};
use crate::happening::{End, Happening};
use crate::query::known_by;
use crate::scan::Hit;
use crate::signals::Category;

/// Bytes of what was attempted and of the observation.
const MOST_ATTEMPTED: usize = 400;
const MOST_OBSERVED: usize = 300;

/// Files named in a capture.
const MOST_FILES: usize = 5;

/// Where something happened.
pub struct Place<'a> {
    /// The session.
    pub session: &'a str,
    /// Its current directory.
    pub cwd: &'a str,
    /// Milliseconds since the Unix epoch.
    pub at: i64,
}

/// A capture: its id, and its JSON.
pub struct Capture {
    /// The same for the same failure in a session, whatever process brings it.
    pub id: String,
    /// The JSON.
    pub payload: String,
}

/// Puts a capture together. Secrets are the host's business: nothing here is cut inside a word.
pub fn of(happening: &Happening, commands: &[Command], finding: &Finding, place: &Place) -> Capture {
    let tells = |hit: &Hit| hit.signal.tells();
    let main = main_line(happening, finding);
    let subject = subject(happening, commands);
    let id = id(happening, finding, place.session);
    let category = finding.category.unwrap_or(Category::Error).as_str();
    let payload = json!({
        "id": id,
        "category": category,
        "severity": format!("sev-{}", finding.severity),
        "score": (finding.score * 100.0).round() / 100.0,
        "reasons": finding.reasons(),
        "summary": summary(&subject, main.as_deref().unwrap_or(&ending(happening))),
        "attempted": attempted(happening),
        "observation": observation(happening, &subject, main.as_deref()),
        "excerpt": excerpt(&happening.text, &finding.hits, tells),
        "tool": happening.tool,
        "files": files(happening, finding, place.cwd),
        "at": place.at,
    });
    Capture { id, payload: payload.to_string() }
}

/// The line that says most.
fn main_line(happening: &Happening, finding: &Finding) -> Option<String> {
    let of_category = |hit: &&Hit| Some(hit.signal.category()) == finding.category;
    let hits = finding.hits.iter().filter(of_category);
    // Of equal ones the first: what follows is often only its consequence.
    let main = hits.reduce(|best, hit| if hit.signal.tells() > best.signal.tells() { hit } else { best });
    let first =
        || happening.text.lines().find(|line| !line.trim().is_empty() && !line.contains("-----BEGIN"));
    main.map(|hit| &happening.text[hit.line.clone()]).or_else(first).map(|line| line.trim().to_owned())
}

/// The command by its name, else the tool.
fn subject(happening: &Happening, commands: &[Command]) -> String {
    let named = commands.iter().find_map(topics::topic_name);
    let first = || commands.first().map(|command| command.program.clone()).filter(|name| !name.is_empty());
    let name = named.or_else(first).filter(|name| name.len() <= 60);
    name.unwrap_or_else(|| happening.tool.clone())
}

fn ending(happening: &Happening) -> String {
    match happening.end {
        End::Failed(Some(code)) => format!("exit code {code} without a word"),
        _ => "failed without a word".to_owned(),
    }
}

fn attempted(happening: &Happening) -> String {
    let text = cut(happening.attempted.trim(), MOST_ATTEMPTED);
    match (&happening.command, text.is_empty()) {
        (Some(_), false) => format!("Running: {text}"),
        _ => text,
    }
}

fn observation(happening: &Happening, subject: &str, main: Option<&str>) -> String {
    let ended = match happening.end {
        End::Failed(Some(code)) => format!("{subject} failed with exit code {code}"),
        End::Failed(None) => format!("{subject} failed"),
        End::Well | End::Interrupted => format!("{subject} ran through"),
    };
    match main {
        Some(line) => format!("{ended} and said: {}", cut(line, MOST_OBSERVED)),
        None => ended,
    }
}

/// Files named where the signals are, relative to the current directory; those outside of it are left out.
fn files(happening: &Happening, finding: &Finding, cwd: &str) -> Vec<Value> {
    let lines = finding.hits.iter().map(|hit| &happening.text[hit.line.clone()]);
    let words = lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || "\"'`()[]<>,;".contains(c)));
    let named = happening.file.iter().map(String::as_str).chain(words);
    let mut files: Vec<&str> = Vec::new();
    for file in named.filter_map(|word| file(word, cwd)) {
        if !files.contains(&file) && files.len() < MOST_FILES {
            files.push(file);
        }
    }
    files.into_iter().map(Value::from).collect()
}

/// `/home/dev/shop/src/a.rs:12:5` in `/home/dev/shop` is `src/a.rs`.
fn file<'a>(word: &'a str, cwd: &str) -> Option<&'a str> {
    let path = word.split(':').next().unwrap_or_default().trim_end_matches('.');
    let path = match path.strip_prefix('/') {
        Some(_) if cwd.len() > 1 => path.strip_prefix(cwd)?.strip_prefix('/')?,
        Some(_) => return None,
        None => path.strip_prefix("./").unwrap_or(path),
    };
    let (stem, extension) = path.rsplit_once('.')?;
    let plain = !path.contains("..") && !path.contains("//") && path.len() <= 200 && !stem.is_empty();
    let letters =
        (1..=5).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_lowercase());
    (plain && letters && (path.contains('/') || word.contains(':'))).then_some(path)
}

/// Made of the session, the tool, what was attempted, and what was said, but for what changes by itself.
fn id(happening: &Happening, finding: &Finding, session: &str) -> String {
    let mut said: Vec<&str> = finding.hits.iter().map(|hit| &happening.text[hit.line.clone()]).collect();
    if said.is_empty() {
        said.push(&happening.text);
    }
    let mut hash = Fnv::default();
    hash.part(session);
    hash.part(&happening.tool);
    hash.part(&known_by(&happening.attempted));
    said.into_iter().for_each(|line| hash.part(&known_by(line)));
    if let End::Failed(code) = happening.end {
        hash.part(&format!("{code:?}"));
    }
    format!("posttool-{:016x}", hash.0)
}

/// FNV-1a, 64 bits: only captures of one queue have to differ.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn part(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::detect;
    use crate::settings::Settings;

    const PLACE: Place = Place { session: "s", cwd: "/home/dev/shop", at: 7 };

    fn capture(command: &str, error: &str) -> (String, Value) {
        let input = json!({ "command": command }).to_string();
        let happening = Happening::failed("Bash", &input, error, false);
        let (commands, settings) = (topics::commands(command), Settings::default());
        let finding = detect(&happening, &commands, &settings);
        let capture = of(&happening, &commands, &finding, &PLACE);
        (capture.id, serde_json::from_str(&capture.payload).expect("it is JSON"))
    }

    #[test]
    fn a_capture_says_what_was_attempted_and_what_came_of_it() {
        let error = "Exit code 101\n   Compiling shop\nerror[E0308]: mismatched types\n --> src/main.rs:3:5\n\n\nerror: could not compile `shop`";

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
        let error = "Exit code 1\n/home/dev/shop/src/a.rs:3:5: error: x\n./lib/b.c:1: error: y\n/etc/z.conf:3: error: q";

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
