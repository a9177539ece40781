//! A family's memories in a store of the program, and the program's answers to events.

use std::collections::HashMap;

use anyhow::{Context, Result, bail};
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::Value;
use std::path::Path;

use super::family::{Family, StoredMemory};
use super::needing_event::NeedingEvent;
use crate::memory_line::memory_lines;
use crate::reply::Reply;

/// What `interleaf why` says of a session whose events needed no search.
const NOTHING_SEARCHED: &str = "searched or showed memories";

/// More tokens than all titles of a store have.
const MANY_TOKENS: usize = 1_000_000;

/// The word before the id that `interleaf remember` prints.
const REMEMBERED: &str = "Remembered as ";

/// What an event made the program show.
#[derive(Debug, Default)]
pub struct Answer {
    /// The text for the model.
    pub text: String,
    /// The ids that the data give to the memories that were shown whole, in order.
    pub whole: Vec<String>,
    /// Those of the memories whose title was shown.
    pub titles: Vec<String>,
}

/// A store with the memories of a family.
pub struct Store<'a> {
    program: &'a Path,
    scratch: Scratch,
    /// The id of the data for each id of the store.
    ids: HashMap<String, String>,
}

impl<'a> Store<'a> {
    /// Writes the memories with `interleaf remember`, as a person would. If there is a sentence model, it is
    /// installed afterwards, so that one process loads it for the vectors of all memories.
    ///
    /// # Errors
    /// If a memory is refused, the model cannot be installed, or a vector cannot be computed.
    pub fn new(program: &'a Path, model: Option<&Path>, family: &Family) -> Result<Self> {
        let mut store = Self { program, scratch: Scratch::new(), ids: HashMap::new() };
        for memory in &family.memories {
            let id = store.remember(memory).with_context(|| format!("{}: {}", family.name, memory.id))?;
            store.ids.insert(id, memory.id.clone());
        }
        if let Some(model) = model {
            install_model(&store.scratch, model).with_context(|| model.display().to_string())?;
            store.compute_vectors()?;
        }
        Ok(store)
    }

    fn compute_vectors(&self) -> Result<()> {
        let ran = self.run(&["model", "index"], b"");
        if ran.code != Some(0) {
            bail!("the vectors are not computed: {}", ran.err());
        }
        Ok(())
    }

    fn remember(&self, memory: &StoredMemory) -> Result<String> {
        let mut arguments = vec!["remember", "--force", "--category", &memory.category];
        let cheat_sheet = memory.cheat_sheet.then_some("cheat-sheet");
        for tag in memory.tags.iter().map(String::as_str).chain(cheat_sheet) {
            arguments.extend(["--tag", tag]);
        }
        for cue in &memory.asked_as {
            arguments.extend(["--asked-as", cue]);
        }
        arguments.extend(["--", &memory.text]);
        let ran = self.run(&arguments, b"");
        let out = ran.out();
        let id = out.split_once(REMEMBERED).and_then(|(_, rest)| rest.split(['.', ' ']).next());
        match id {
            Some(id) if ran.code == Some(0) => Ok(id.to_owned()),
            _ => bail!("it is not remembered: {out}{}", ran.err()),
        }
    }

    /// Answers an event in a session of its own.
    pub fn answer(&self, event: &NeedingEvent, session: usize) -> Answer {
        let (name, mut fields) = event.occasion.hook_event(&self.scratch.project.to_string_lossy());
        fields["session_id"] = session_name(session).into();
        let ran = self.run(&["hook"], self.scratch.event(name, fields).as_bytes());
        let text = Reply::read(&ran.out()).map(|reply| reply.injected()).unwrap_or_default();
        let (mut whole, mut titles) = (Vec::new(), Vec::new());
        for line in memory_lines(&text) {
            let shown = if line.is_whole { &mut whole } else { &mut titles };
            shown.extend(self.ids.get(line.id).cloned());
        }
        Answer { text, whole, titles }
    }

    /// Lets hooks show the title of every memory that shares a word with an event.
    pub fn show_all_titles(&self) {
        let all = ["prompt", "command", "failure"]
            .map(|occasion| format!("[budget.wasted_tokens.{occasion}]\ntitles = {MANY_TOKENS}\n"));
        self.scratch.configure(&all.concat());
    }

    /// Answers an event, and returns the memories that the hook's searches compared: the ids of the data with
    /// the features of each.
    ///
    /// # Errors
    /// If `interleaf why` prints no record of the event.
    pub fn compared(&self, event: &NeedingEvent, session: usize) -> Result<Vec<(String, Value)>> {
        self.answer(event, session);
        let session = session_name(session);
        let ran = self.run(&["why", "--session", &session, "--json"], b"");
        if ran.err().contains(NOTHING_SEARCHED) {
            return Ok(Vec::new());
        }
        let mut why: Value =
            serde_json::from_str(&ran.out()).with_context(|| format!("interleaf why: {}", ran.err()))?;
        let searches = why["searches"].as_array_mut().into_iter().flatten();
        let hits = searches.filter_map(|search| search["hits"].as_array_mut()).flatten();
        let mut found: Vec<(String, Value)> = Vec::new();
        for hit in hits {
            let id = hit["memory"].as_str().and_then(|id| self.ids.get(id));
            // A layer may search twice, for a command and for a file.
            if let Some(id) = id.filter(|id| found.iter().all(|(known, _)| known != *id)) {
                found.push((id.clone(), hit["features"].take()));
            }
        }
        Ok(found)
    }

    fn run(&self, arguments: &[&str], stdin: &[u8]) -> ProcessOutput {
        let mut command = self.scratch.command(self.program);
        run(command.args(arguments).env("CLAUDE_PROJECT_DIR", &self.scratch.project), stdin, HANG_TIMEOUT)
    }
}

fn session_name(number: usize) -> String {
    format!("s{number}")
}

/// Installs a converted model, which takes no time.
///
/// # Errors
/// If there is no such file.
pub fn install_model(scratch: &Scratch, model: &Path) -> Result<()> {
    let data = scratch.interleaf_home.join("data");
    std::fs::create_dir_all(&data)?;
    Ok(std::os::unix::fs::symlink(model.canonicalize()?, data.join("sentence.model"))?)
}
