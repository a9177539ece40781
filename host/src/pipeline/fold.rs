//! The answers of several layers folded into one, in roster order.

use std::collections::{BTreeSet, HashSet};

use super::render;
use super::turns::Answer;
use crate::claude::{Permission, Reply, utf16_len};
use crate::layer::{Grants, Power};
use crate::log::{DecisionRecord, Level, Log};
use crate::memory::{Category, Policy};
use crate::sandbox::bindings::types::{Content, Context, Decision, Item};

/// The folded reply, and the context that is still to be chosen from.
pub(super) struct Fold {
    pub(super) reply: Reply,
    pub(super) blocks: Vec<Block>,
    /// The decisions that counted.
    pub(super) decisions: Vec<DecisionRecord>,
}

/// What one layer wants to show.
pub(super) struct Block {
    pub(super) layer: String,
    pub(super) heading: String,
    pub(super) urgent: bool,
    pub(super) lines: Vec<Line>,
}

/// One item, as it would read.
pub(super) struct Line {
    /// The memory it shows, if it shows one.
    pub(super) memory: Option<String>,
    /// And its category.
    pub(super) category: Option<Category>,
    pub(super) text: String,
    pub(super) relevance: f32,
    /// UTF-16 units, with its line end.
    pub(super) units: usize,
}

impl Line {
    fn new(memory: Option<String>, text: String, relevance: f32) -> Self {
        let units = utf16_len(&text) + 1;
        let relevance = if relevance.is_finite() { relevance.clamp(0.0, 1.0) } else { 0.0 };
        Self { memory, category: None, text, relevance, units }
    }
}

/// Folds the answers. What a layer has no power for is dropped and logged.
pub(super) fn fold(answers: Vec<Answer>, log: &Log) -> Fold {
    let mut fold = Fold { reply: Reply::default(), blocks: Vec::new(), decisions: Vec::new() };
    let mut seen = HashSet::new();
    for mut answer in answers {
        for decision in std::mem::take(&mut answer.reply.decisions) {
            fold.decide(&answer.layer, &answer.grants, decision, log);
        }
        if let Some(notice) = answer.reply.notice.take() {
            join(&mut fold.reply.notice, &answer.layer, &notice);
        }
        if let Some(context) = answer.reply.context.take() {
            fold.blocks.extend(block(&answer, context, &mut seen, log));
        }
    }
    fold
}

impl Fold {
    /// Says beside the heading what a category holds, where somebody gave it a meaning of their own.
    pub(super) fn describe(&mut self, policy: &Policy) {
        for block in &mut self.blocks {
            let categories: BTreeSet<Category> =
                block.lines.iter().filter_map(|line| line.category).collect();
            for category in categories {
                if let Some(description) = policy.of(category).custom_description(category) {
                    block.heading.push_str(&format!("; {category}: {description}"));
                }
            }
        }
    }

    fn decide(&mut self, layer: &str, grants: &Grants, decision: Decision, log: &Log) {
        let (power, name) = power(&decision);
        if !grants.decide.contains(&power) {
            let message = format!("answered {name}, but has no power to; it was ignored");
            return log.write(Level::Warn, Some(layer), message);
        }
        self.decisions.push(DecisionRecord { layer: layer.to_owned(), decision: name.to_owned() });
        match decision {
            Decision::Deny(reason) => self.permit(Permission::Deny, layer, &reason),
            Decision::Ask(reason) => self.permit(Permission::Ask, layer, &reason),
            Decision::Allow(reason) => self.permit(Permission::Allow, layer, &reason),
            Decision::Block(reason) => join(&mut self.reply.block, layer, &reason),
            Decision::GoOn(reason) => self.go_on(layer, &reason),
            Decision::RewriteInput(json) => set(&mut self.reply.updated_input, &json, layer, name, log),
            Decision::RewriteOutput(json) => set(&mut self.reply.updated_output, &json, layer, name, log),
        }
    }

    /// Going on is said as context: a block at Stop would make `claude -p` return nothing.
    fn go_on(&mut self, layer: &str, reason: &str) {
        self.reply.continue_turn = true;
        let line = Line::new(None, render::text(reason), 1.0);
        let heading = "The session goes on, for this reason".to_owned();
        self.blocks.push(Block { layer: layer.to_owned(), heading, urgent: true, lines: vec![line] });
    }

    /// The strictest answer wins (deny, then ask, then allow); reasons of equal answers are joined.
    fn permit(&mut self, answer: Permission, layer: &str, reason: &str) {
        let reason = format!("{layer}: {}", render::plain(reason));
        match &mut self.reply.permission {
            Some((now, reasons)) if *now == answer => *reasons = format!("{reasons}\n{reason}"),
            Some((now, _)) if *now > answer => {}
            slot => *slot = Some((answer, reason)),
        }
    }
}

fn power(decision: &Decision) -> (Power, &'static str) {
    match decision {
        Decision::Deny(_) => (Power::Deny, "deny"),
        Decision::Ask(_) => (Power::Ask, "ask"),
        Decision::Allow(_) => (Power::Allow, "allow"),
        Decision::RewriteInput(_) => (Power::RewriteInput, "rewrite-input"),
        Decision::RewriteOutput(_) => (Power::RewriteOutput, "rewrite-output"),
        Decision::Block(_) => (Power::Block, "block"),
        Decision::GoOn(_) => (Power::GoOn, "go-on"),
    }
}

fn join(slot: &mut Option<String>, layer: &str, words: &str) {
    let words = format!("{layer}: {}", render::plain(words));
    *slot = Some(slot.take().map_or(words.clone(), |before| format!("{before}\n{words}")));
}

/// The first layer that rewrites wins; a second one would rewrite what it has not seen.
fn set(slot: &mut Option<serde_json::Value>, json: &str, layer: &str, name: &str, log: &Log) {
    match serde_json::from_str(json) {
        Ok(value) if slot.is_none() => *slot = Some(value),
        Ok(_) => {
            log.write(Level::Warn, Some(layer), format!("{name} ignored: a layer before it rewrote already"))
        }
        Err(error) => log.write(Level::Error, Some(layer), format!("{name} ignored: not JSON: {error}")),
    }
}

/// The block of one layer, without memories that a layer before it shows.
fn block(answer: &Answer, context: Context, seen: &mut HashSet<String>, log: &Log) -> Option<Block> {
    let items = context.items.into_iter();
    let lines: Vec<Line> = items.filter_map(|item| line(answer, item, seen, log)).collect();
    let (layer, heading, urgent) = (answer.layer.clone(), context.heading, context.urgent);
    (!lines.is_empty()).then_some(Block { layer, heading, urgent, lines })
}

/// One item as it reads. A layer may show only what it has read in this event: ids are not guessed.
fn line(answer: &Answer, item: Item, seen: &mut HashSet<String>, log: &Log) -> Option<Line> {
    let id = match item.content {
        Content::Text(text) => return Some(Line::new(None, render::text(&text), item.relevance)),
        Content::Memory(id) => id,
    };
    let Some(memory) = answer.read.get(&id) else {
        let message = format!("wanted to show memory {id}, which it has not read; it was left out");
        log.write(Level::Warn, Some(&answer.layer), message);
        return None;
    };
    let shown = || Line::new(Some(id.clone()), render::memory(memory), item.relevance);
    seen.insert(id.clone()).then(|| Line { category: Some(memory.category), ..shown() })
}
