//! One line of the table: an event, on one scene, many times.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::checkout;

use super::example;
use super::process::{self, Sample};
use super::scene::{COMMAND, Scene};
use super::tool;
use super::work;

/// The kinds of event that are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// An event that no layer answers.
    NoLayer,
    /// A prompt that shares two everyday words with memories.
    SilentPrompt,
    /// A prompt that a memory bears on.
    MatchingPrompt,
    /// A session that begins.
    SessionStart,
    /// A command that nothing is known about is about to run.
    ToolWithoutMatch,
    /// A command that a memory bears on is about to run.
    ToolWithMatch,
    /// A command has run and said much, nothing of it worth learning.
    CleanOutput,
    /// The same, and a secret is in it, with a failure that is worth learning.
    OutputWithSecret,
    /// A turn has ended: work is put off, and a worker started that does it.
    Stop,
    /// A shell command that a team's layer has the person asked about.
    Asked,
    /// A shell command that a team's layer lets pass.
    Passed,
}

impl Row {
    /// Those for the layers that come with Interleaf.
    const OURS: [Row; 9] = [
        Row::NoLayer,
        Row::SilentPrompt,
        Row::MatchingPrompt,
        Row::SessionStart,
        Row::ToolWithoutMatch,
        Row::ToolWithMatch,
        Row::CleanOutput,
        Row::OutputWithSecret,
        Row::Stop,
    ];

    /// Those for a layer that a project brings along.
    const THEIRS: [Row; 2] = [Row::Passed, Row::Asked];

    fn name(self) -> &'static str {
        match self {
            Row::NoLayer => "event without a layer",
            Row::SilentPrompt => "prompt, silent",
            Row::MatchingPrompt => "prompt, match",
            Row::SessionStart => "session start",
            Row::ToolWithoutMatch => "pre-tool, silent",
            Row::ToolWithMatch => "pre-tool, match",
            Row::CleanOutput => "post-tool, 30 kB",
            Row::OutputWithSecret => "post-tool, secret",
            Row::Stop => "stop, worker started",
            Row::Asked => "force push, asked",
            Row::Passed => "command, silent",
        }
    }
}

/// An event on a scene.
pub struct Cell<'a> {
    /// Where it is measured.
    pub scene: &'a Scene,
    /// What is measured.
    pub row: Row,
    /// What it cost so far.
    pub sample: Sample,
    /// Memories that the search finds for the prompt.
    pub hits: Option<usize>,
    /// Memories that a hook injected, the same in every run.
    pub injected: Option<usize>,
}

impl<'a> Cell<'a> {
    /// Every event on a scene.
    pub fn all(scene: &'a Scene) -> Vec<Self> {
        let cell = |row| Cell { scene, row, sample: Sample::default(), hits: None, injected: None };
        match scene.layer {
            None => Row::OURS.map(cell).into(),
            Some(_) => Row::THEIRS.map(cell).into(),
        }
    }

    /// What it is called in the table.
    pub fn name(&self) -> String {
        let layer = self.scene.layer.map(|layer| format!(" (layer in {layer})"));
        format!("{}{}", self.row.name(), layer.unwrap_or_default())
    }

    /// Forgets the runs so far.
    pub fn forget(&mut self) {
        self.sample = Sample::default();
    }

    /// Runs it once, in a session of its own.
    pub fn run(&mut self, round: usize) -> Result<()> {
        match self.row {
            Row::Stop => work::around(self.scene, &session(self.row, round), || self.hook(round)),
            _ => self.hook(round),
        }
    }

    fn hook(&mut self, round: usize) -> Result<()> {
        let mut command = self.scene.interleaf(&["hook"]);
        command.env("CLAUDE_PROJECT_DIR", &self.scene.project).env("CLAUDECODE", "1");
        let ran = process::run(&mut command, &self.event(round))?;
        let reply = serde_json::from_str(&ran.stdout).unwrap_or_default();
        self.sample.add(ran);
        if asks(&reply) != (self.row == Row::Asked) {
            bail!("{}, {}: answered {reply}", self.scene.program, self.name());
        }
        self.check(items(&reply))
    }

    /// What is measured must be what the table says it is.
    fn check(&mut self, injected: usize) -> Result<()> {
        let scene = self.scene;
        let name = self.name();
        let place = || format!("{}, {} memories, {name}", scene.program, scene.memories);
        let fits = match self.row {
            Row::NoLayer
            | Row::SilentPrompt
            | Row::ToolWithoutMatch
            | Row::CleanOutput
            | Row::Stop
            | Row::Passed => injected == 0,
            // The layer's own constraint, and what pretool knows of such a command.
            Row::Asked => injected > 0,
            // Whether a failure brings something is for posttool; that it is always the same is asked below.
            Row::OutputWithSecret => true,
            Row::MatchingPrompt | Row::SessionStart | Row::ToolWithMatch => {
                injected > 0 || scene.memories == 0
            }
        };
        if !fits {
            bail!("{}: {injected} memories were injected", place());
        }
        if self.injected.is_some_and(|before| before != injected) {
            bail!("{}: {injected} memories were injected, and {:?} before", place(), self.injected);
        }
        self.injected = Some(injected);
        if self.hits.is_none() {
            self.hits = self.prompt().map(|prompt| found(scene, &prompt)).transpose().with_context(place)?;
        }
        Ok(())
    }

    fn prompt(&self) -> Option<String> {
        match self.row {
            Row::SilentPrompt => Some(self.scene.corpus.silent_prompt()),
            Row::MatchingPrompt => Some(self.scene.corpus.matching_prompt(self.scene.memories)),
            _ => None,
        }
    }

    /// The event as Claude Code sends it, with its line break.
    fn event(&self, round: usize) -> String {
        let session = session(self.row, round);
        let transcript = self.scene.project.join(format!("{session}.jsonl"));
        let mut event = json!({
            "session_id": session, "transcript_path": transcript, "cwd": self.scene.project,
            "permission_mode": "default",
        });
        if let (Value::Object(event), Value::Object(fields)) = (&mut event, self.fields()) {
            event.extend(fields);
        }
        format!("{event}\n")
    }

    /// What the event has of its own.
    fn fields(&self) -> Value {
        let output = |secret: Option<&str>| tool::output(&self.scene.corpus, secret);
        match self.row {
            Row::NoLayer => {
                json!({ "hook_event_name": "Notification", "message": "Claude is waiting for your input" })
            }
            Row::SessionStart => json!({ "hook_event_name": "SessionStart", "source": "startup" }),
            Row::SilentPrompt | Row::MatchingPrompt => {
                json!({ "hook_event_name": "UserPromptSubmit", "prompt": self.prompt().unwrap_or_default() })
            }
            Row::ToolWithoutMatch => tool::before("ls -l src"),
            Row::ToolWithMatch => tool::before(COMMAND),
            Row::CleanOutput => tool::after("cat notes.txt", &output(None)),
            Row::OutputWithSecret => tool::after(COMMAND, &output(Some(&tool::secret()))),
            Row::Stop => json!({
                "hook_event_name": "Stop", "stop_hook_active": false, "last_assistant_message": "All is done.",
            }),
            Row::Asked => tool::before(example::PUSH),
            Row::Passed => tool::before(example::OTHER),
        }
    }
}

/// Nobody has had this session before.
fn session(row: Row, round: usize) -> String {
    format!("{:08x}-0000-4000-8000-{round:012x}", row as usize)
}

/// How many memories a hook's reply shows.
fn items(reply: &Value) -> usize {
    let context = reply["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
    context.lines().filter(|line| line.starts_with("- [")).count()
}

/// Whether a hook's reply has the person asked.
fn asks(reply: &Value) -> bool {
    reply["hookSpecificOutput"]["permissionDecision"] == "ask"
}

/// How many memories the search finds above its floor.
fn found(scene: &Scene, prompt: &str) -> Result<usize> {
    let mut search = scene.interleaf(&["memory", "search", "--json", "--limit", "1000", prompt]);
    Ok(checkout::said(&mut search)?.lines().count())
}
