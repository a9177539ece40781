//! `cargo xtask link-order` records which functions hooks run, for the linker script of `cargo xtask dist`.
//!
//! Valgrind names the functions that the hook of each event runs, and the linker's map their sections. Those
//! of an event without a layer come first, because every hook runs them.
//! `docs/decisions/0081-link-order.md` says what this is good for.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::bench::events::Event;
use crate::bench::fixture::Fixture;
use crate::bench::options::Program;
use crate::bench::process;
use crate::checkout::{self, exists, host, root};
use crate::dist::{HOOK_SECTION, LINKER_SCRIPT, ORDERED_TARGET, cargo_for_static, options};
use crate::example::LANGUAGES;
use crate::link_map::LinkMap;
use crate::setup;

/// Number of memories in the store.
const MEMORIES: usize = 10_000;

/// The person's configuration: Valgrind makes a hook a hundred times slower, and the end of a turn starts a
/// worker at once.
const CONFIG: &str = "\
[layers.save.settings]
debounce_seconds = 0

[limits.deadline_ms]
session-start = 60_000
user-prompt = 60_000
pre-tool = 60_000
post-tool = 60_000
stop = 60_000
other-event = 60_000
";

/// Events whose answer shows that no deadline cut the hook off.
const ANSWERED: [Event; 3] = [Event::MatchingPrompt, Event::SessionStart, Event::ToolWithMatch];

/// The first line of the linker script.
const COMMENT: &str =
    "/* The functions that hooks run, by event. Made by `cargo xtask link-order`; do not edit. */";

/// Records the functions and writes the script.
pub fn run() -> Result<()> {
    if host()? != ORDERED_TARGET {
        bail!("the order is recorded on {ORDERED_TARGET}");
    }
    if !exists("valgrind", "--version") {
        bail!("cannot run valgrind\nnext: install it (Debian, Ubuntu: apt install valgrind)");
    }
    setup::prepare()?;
    let folder = std::env::temp_dir().join("interleaf-link-order");
    fs::create_dir_all(&folder)?;
    let map_file = folder.join("map");
    let path = build_with_map(&map_file)?;
    let map = LinkMap::parse(&String::from_utf8_lossy(&fs::read(&map_file)?));
    // With a layer of a team, which many hooks check and load. To accept it also records the folder of the
    // configuration as the person's, which may then move the deadline of the guard.
    let program = Program { name: "link-order".to_owned(), path };
    let fixture = Fixture::new(&folder, &program, MEMORIES, Some(&LANGUAGES[0]))?;
    fs::write(fixture.config(), CONFIG)?;
    let patterns = patterns(&fixture, &map, &folder.join("calls"))?;
    fs::write(root().join(LINKER_SCRIPT), script(&patterns))?;
    println!("{LINKER_SCRIPT} names {} sections", patterns.len());
    Ok(())
}

/// Builds the program with symbols, and with a map of its sections in this file.
fn build_with_map(map: &Path) -> Result<PathBuf> {
    let map = format!("link-arg={}", map.display());
    let arguments = ["strip=none", "link-arg=-Wl,--no-demangle,-Map", "link-arg=-Xlinker", &map];
    let for_rustc: Vec<&str> = arguments.iter().flat_map(|argument| ["-C", argument]).collect();
    checkout::build_with(&mut cargo_for_static(ORDERED_TARGET), &options(ORDERED_TARGET), &for_rustc)
}

/// Returns the patterns of the functions that the hooks of all events run, each once.
fn patterns(fixture: &Fixture, map: &LinkMap, calls: &Path) -> Result<Vec<String>> {
    let (mut patterns, mut seen) = (Vec::new(), HashSet::new());
    for event in Event::EMBEDDED_LAYERS {
        let functions = functions_run(fixture, event, calls)?;
        println!("{}: {} functions", event.name(), functions.len());
        let new = functions.iter().filter_map(|name| map.pattern(name));
        patterns.extend(new.filter(|pattern| seen.insert(pattern.clone())));
    }
    Ok(patterns)
}

/// Runs the hook of an event under Valgrind and returns the functions that it ran.
fn functions_run(fixture: &Fixture, event: Event, calls: &Path) -> Result<Vec<String>> {
    let prompt = event.prompt(&fixture.corpus, fixture.memories);
    let fields = event.fields(&fixture.corpus, prompt.as_deref());
    let session = format!("{:08x}-0000-4000-8000-000000000000", event as usize);
    let calls_file = format!("--callgrind-out-file={}", calls.display());
    let mut command = fixture.hook_under("valgrind", &["--tool=callgrind", "--demangle=no", &calls_file]);
    let reply = process::run(&mut command, &fixture.payload(&session, fields))?.stdout;
    if ANSWERED.contains(&event) && reply.is_empty() {
        bail!("{}: under Valgrind, the hook answered nothing", event.name());
    }
    let calls = fs::read_to_string(calls).with_context(|| calls.display().to_string())?;
    Ok(function_names(&calls))
}

/// Returns the names of the functions in what Callgrind writes (Valgrind manual, Callgrind format
/// specification): `fn=(1) name` or `cfn=(1) name` where a name occurs first.
fn function_names(calls: &str) -> Vec<String> {
    let lines = calls.lines().filter_map(|line| line.strip_prefix("fn=").or(line.strip_prefix("cfn=")));
    let names = lines.filter_map(|line| line.split_once(") ").map(|(_, name)| name));
    // `'2` marks the second level of a recursion.
    let names = names.map(|name| name.split_once('\'').map_or(name, |(name, _)| name).to_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.dedup();
    names
}

/// Returns the linker script that places the sections of these patterns in this order, before the rest of the
/// code.
fn script(patterns: &[String]) -> String {
    let patterns: String = patterns.iter().map(|pattern| format!("    {pattern}\n")).collect();
    format!("{COMMENT}\nSECTIONS {{\n  {HOOK_SECTION} : {{\n{patterns}  }}\n}}\nINSERT BEFORE .text;\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_of_a_recording_is_named_once() {
        let calls = "events: Ir\nfn=(1) main\n12 3\ncfn=(2) parse'2\ncalls=1 7\nfn=(2)\ncfn=(3) parse\n";

        assert_eq!(function_names(calls), ["main", "parse"]);
    }

    #[test]
    fn the_script_is_the_one_that_this_file_writes() {
        let script_file = fs::read_to_string(root().join(LINKER_SCRIPT)).unwrap();

        let patterns = script_file.lines().filter_map(|line| line.strip_prefix("    "));
        let patterns: Vec<String> = patterns.map(str::to_owned).collect();
        assert!(patterns.iter().any(|pattern| pattern.contains("9interleaf7command4hook")));
        assert_eq!(script(&patterns), script_file);
    }
}
