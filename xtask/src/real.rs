//! `cargo xtask real FOLDER` plays real transcripts through `interleaf learn` into one store, and prints what
//! came of them: numbers, facts with their evidence, what the next session would be shown, time and size.
//!
//! The transcripts are somebody's: they are read where they are, and nothing of them goes into the checkout.
//! Half of them are sealed: of a file whose name begins with 0 to 7, what was saved may be read and is
//! printed; of all others it is only counted, so that nobody tunes the rules on them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::checkout;
use crate::private_stage::new_stage;
use crate::setup;

const HELP: &str = "cargo xtask real FOLDER [--binary PATH] [--search WORDS]...";

/// Number of times that a search is repeated. The first one is reported as cold, the median of the others as
/// warm.
const SEARCHES: usize = 6;

/// Settings of the store: everything is recorded, and nothing removed.
const SETTINGS: &str = "record = \"on\"\nrecord_max_mb = 100000\nrecord_total_max_mb = 100000\n";

/// What the command line asks for.
struct Options {
    transcripts: PathBuf,
    binary: Option<PathBuf>,
    searches: Vec<String>,
}

impl Options {
    fn read(words: &[String]) -> Result<Self> {
        let (mut folder, mut binary, mut searches) = (None, None, Vec::new());
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--binary" => binary = Some(words.next().context(HELP)?.into()),
                "--search" => searches.push(words.next().context(HELP)?.clone()),
                _ if word.starts_with("--") || folder.is_some() => bail!("{HELP}"),
                _ => folder = Some(PathBuf::from(word)),
            }
        }
        let transcripts = folder.context(HELP)?;
        let transcripts =
            transcripts.canonicalize().with_context(|| format!("cannot read {}", transcripts.display()))?;
        Ok(Self { transcripts, binary, searches })
    }
}

/// Plays the transcripts and prints the report.
pub fn run(words: &[String]) -> Result<()> {
    let options = Options::read(words)?;
    setup::prepare()?;
    let program = match &options.binary {
        Some(program) => program.canonicalize()?,
        None => checkout::build(&mut checkout::cargo(), &[checkout::FOR_DEVELOPMENT])?,
    };
    let store = Store::new(&program)?;
    let bytes = size_of(&options.transcripts)?;
    let began = Instant::now();
    print!(
        "{}",
        store.run(&["learn", "--sessions", "1000000", "--transcripts"], Some(&options.transcripts))?
    );
    let learned = began.elapsed();
    let memories = store.memories()?;
    report_counts(&memories);
    report_memories(&memories);
    report_start(&store, &memories)?;
    println!("\n{:.1} MB of transcripts in {:.1} s", megabytes(bytes), learned.as_secs_f64());
    for (name, bytes) in store.files()? {
        println!("{name}: {:.1} MB", megabytes(bytes));
    }
    options.searches.iter().try_for_each(|words| report_search(&store, words))
}

/// A store of its own in a temporary folder, and the program that uses it.
struct Store<'a> {
    program: &'a Path,
    stage: PathBuf,
    project: PathBuf,
}

impl<'a> Store<'a> {
    fn new(program: &'a Path) -> Result<Self> {
        let stage = new_stage(&std::env::temp_dir(), "interleaf-real")?;
        let project = stage.join("project");
        for folder in ["project", "home", "interleaf/config"] {
            fs::create_dir_all(stage.join(folder))?;
        }
        fs::write(stage.join("interleaf/config/config.toml"), SETTINGS)?;
        checkout::output_of(Command::new("git").args(["init", "--quiet"]).arg(&project))?;
        Ok(Self { program, stage, project })
    }

    fn run(&self, arguments: &[&str], last: Option<&Path>) -> Result<String> {
        let mut command = Command::new(self.program);
        command.args(arguments).args(last).current_dir(&self.project);
        command.env("HOME", self.stage.join("home")).env("INTERLEAF_HOME", self.stage.join("interleaf"));
        // The client sets it, and `learn` is a person's command.
        command.env_remove("CLAUDECODE").env_remove("CLAUDE_CONFIG_DIR");
        checkout::output_of(&mut command)
    }

    fn memories(&self) -> Result<Vec<Saved>> {
        let exported = self.run(&["memory", "export"], None)?;
        exported.lines().map(|line| Saved::read(&serde_json::from_str(line)?)).collect()
    }

    /// Returns the database files with their sizes.
    fn files(&self) -> Result<BTreeMap<String, u64>> {
        let mut files = BTreeMap::new();
        for project in fs::read_dir(self.stage.join("interleaf/data/projects"))? {
            for file in fs::read_dir(project?.path()).into_iter().flatten() {
                let file = file?;
                let name = file.file_name().to_string_lossy().into_owned();
                if name.contains(".db") {
                    files.insert(name, file.metadata()?.len());
                }
            }
        }
        Ok(files)
    }
}

/// A memory, as far as the report tells it.
struct Saved {
    id: String,
    category: String,
    title: String,
    text: String,
    content: Value,
    tags: Vec<String>,
    session: String,
    is_active: bool,
}

impl Saved {
    fn read(entry: &Value) -> Result<Self> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let tags = entry["tags"].as_array().context("an exported memory has tags")?;
        Ok(Self {
            id: text(&entry["id"]),
            category: text(&entry["category"]),
            title: text(&entry["title"]),
            text: text(&entry["text"]),
            content: entry["content"].clone(),
            tags: tags.iter().map(text).collect(),
            session: text(&entry["source"]["session"]),
            is_active: entry["status"] == "active",
        })
    }

    fn is_summary(&self) -> bool {
        self.category == "session_summary"
    }

    fn kind(&self) -> &'static str {
        let has = |tag: &str| self.tags.iter().any(|own| own == tag);
        match (self.is_active, has("tentative")) {
            (false, _) => "retired",
            (_, true) => "tentative",
            _ if has("cheat-sheet") => "cheat sheet",
            _ => "certain",
        }
    }

    /// Tells whether the session that it comes from may be read.
    fn is_readable(&self) -> bool {
        self.session.starts_with(|first: char| ('0'..='7').contains(&first))
    }
}

fn report_counts(memories: &[Saved]) {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for memory in memories {
        *counts.entry((&memory.category, memory.kind())).or_default() += 1;
    }
    println!("\nMemories:");
    for ((category, kind), count) in counts {
        println!("{count:6} {category}, {kind}");
    }
    let besides = memories.iter().filter(|memory| memory.is_active && !memory.is_summary());
    println!("{:6} active besides summaries", besides.count());
}

/// Prints the memories of the readable half, without summaries first, then the summaries.
fn report_memories(memories: &[Saved]) {
    for wants_summaries in [false, true] {
        let title = if wants_summaries { "Summaries" } else { "Facts and statements" };
        println!("\n{title} of sessions that may be read:");
        let readable = memories.iter().filter(|memory| memory.is_active && memory.is_readable());
        for memory in readable.filter(|memory| memory.is_summary() == wants_summaries) {
            println!("- [{}, {}, {}] {}", memory.category, memory.kind(), memory.session, memory.text);
            if !wants_summaries {
                println!("    {}", memory.content);
            }
        }
    }
}

/// Prints the lines of the next session's start that name memories which may be read, and counts the others.
fn report_start(store: &Store, memories: &[Saved]) -> Result<()> {
    let shown = store.run(&["memory", "search", "--preview", "start"], None)?;
    let (mut hidden, mut lines) = (0, 0);
    println!("\nThe next session would be shown:");
    for line in shown.lines() {
        let named = memories.iter().find(|memory| is_named(line, memory));
        lines += usize::from(named.is_some());
        match named {
            Some(memory) if !memory.is_readable() => hidden += 1,
            _ => println!("  {line}"),
        }
    }
    println!("{lines} memories, {hidden} of them of sessions that are only counted");
    Ok(())
}

/// Tells whether a line shows this memory: by its title or its text.
fn is_named(line: &str, memory: &Saved) -> bool {
    let begins: String = memory.title.trim_end_matches('…').chars().take(40).collect();
    line.starts_with("- [") && (line.contains(&memory.id) || !begins.is_empty() && line.contains(&begins))
}

/// Prints how long a search takes: the first one, which finds no file in the page cache of the program, and
/// the median of those after it.
fn report_search(store: &Store, words: &str) -> Result<()> {
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..SEARCHES {
        let began = Instant::now();
        store.run(&["sessions", "search", words], None)?;
        times.push(began.elapsed());
    }
    let first = times.remove(0);
    times.sort();
    let median = times[times.len() / 2];
    println!("sessions search {words}: first {first:.0?}, then {median:.0?}");
    Ok(())
}

fn size_of(folder: &Path) -> Result<u64> {
    let files = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    files.map(|file| Ok(file?.metadata()?.len())).sum()
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn saved(session: &str, tags: &[&str]) -> Saved {
        let entry = json!({
            "id": "m1", "category": "runbook", "title": "`python …` failed", "text": "x", "content": {},
            "tags": tags, "source": { "session": session }, "status": "active",
        });
        Saved::read(&entry).expect("an entry")
    }

    #[test]
    fn only_files_that_begin_with_0_to_7_may_be_read() {
        for (session, expected) in [("0a", true), ("7f", true), ("8a", false), ("f0", false), ("", false)] {
            assert_eq!(saved(session, &[]).is_readable(), expected, "{session}");
        }
    }

    #[test]
    fn a_memory_is_found_in_the_line_that_shows_it() {
        let memory = saved("0a", &["tentative"]);
        assert!(is_named("- [runbook, 2026-11-20, abc] \"`python …` failed, and\"", &memory));
        assert!(!is_named("Notes of `python …` failed", &memory));
        assert_eq!(memory.kind(), "tentative");
    }
}
