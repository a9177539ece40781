//! One line of the table: an event, on one scene, many times.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::checkout;

use super::process::{self, Sample};
use super::scene::Scene;

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
}

impl Row {
    /// All of them.
    pub const ALL: [Row; 4] = [Row::NoLayer, Row::SilentPrompt, Row::MatchingPrompt, Row::SessionStart];

    /// What it is called in the table.
    pub fn name(self) -> &'static str {
        match self {
            Row::NoLayer => "event without a layer",
            Row::SilentPrompt => "prompt, silent",
            Row::MatchingPrompt => "prompt, match",
            Row::SessionStart => "session start",
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
        Row::ALL.map(cell).into()
    }

    /// Forgets the runs so far.
    pub fn forget(&mut self) {
        self.sample = Sample::default();
    }

    /// Runs it once, in a session of its own.
    pub fn run(&mut self, round: usize) -> Result<()> {
        let mut command = self.scene.interleaf(&["hook"]);
        command.env("CLAUDE_PROJECT_DIR", &self.scene.project).env("CLAUDECODE", "1");
        let ran = process::run(&mut command, &self.event(round))?;
        let injected = items(&ran.stdout);
        self.sample.add(ran);
        self.check(injected)
    }

    /// What is measured must be what the table says it is.
    fn check(&mut self, injected: usize) -> Result<()> {
        let scene = self.scene;
        let place = || format!("{}, {} memories, {}", scene.program, scene.memories, self.row.name());
        let fits = match self.row {
            Row::NoLayer | Row::SilentPrompt => injected == 0,
            Row::MatchingPrompt | Row::SessionStart => injected > 0 || scene.memories == 0,
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
            Row::NoLayer | Row::SessionStart => None,
        }
    }

    /// The event as Claude Code sends it, with its line break.
    fn event(&self, round: usize) -> String {
        let (name, key, value) = match self.row {
            Row::NoLayer => ("Notification", "message", "Claude is waiting for your input".to_owned()),
            Row::SessionStart => ("SessionStart", "source", "startup".to_owned()),
            Row::SilentPrompt | Row::MatchingPrompt => {
                ("UserPromptSubmit", "prompt", self.prompt().unwrap_or_default())
            }
        };
        let session = format!("{:08x}-0000-4000-8000-{round:012x}", self.row as usize);
        let transcript = self.scene.project.join(format!("{session}.jsonl"));
        let event = json!({
            "session_id": session, "transcript_path": transcript, "cwd": self.scene.project,
            "permission_mode": "default", "hook_event_name": name, key: value,
        });
        format!("{event}\n")
    }
}

/// How many memories a hook's reply shows.
fn items(stdout: &str) -> usize {
    let reply: Value = serde_json::from_str(stdout).unwrap_or_default();
    let context = reply["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
    context.lines().filter(|line| line.starts_with("- [")).count()
}

/// How many memories the search finds above its floor.
fn found(scene: &Scene, prompt: &str) -> Result<usize> {
    let mut search = scene.interleaf(&["memory", "search", "--json", "--limit", "1000", prompt]);
    Ok(checkout::said(&mut search)?.lines().count())
}
