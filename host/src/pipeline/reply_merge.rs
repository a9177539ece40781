//! Merges the answers of several layers into one reply, in the order of the roster.

use std::collections::{BTreeSet, HashSet};

use interleaf_text::markup::plain_line;
use serde_json::Value;

use super::context_text::{memory_line, text_line};
use super::layer_execution::LayerAnswer;
use crate::claude::{Permission, Reply, utf16_len};
use crate::layer::{Grants, Power};
use crate::log::{DecisionRecord, Level, Log};
use crate::memory::{Category, Policy};
use crate::sandbox::bindings::types::{Content, Context, Decision, Item};

/// The merged reply without its context, and the blocks from which the context is still to be chosen.
pub(super) struct MergedReply {
    pub(super) reply: Reply,
    pub(super) blocks: Vec<ContextBlock>,
    /// The decisions that were not ignored.
    pub(super) decisions: Vec<DecisionRecord>,
}

/// The context of one layer.
pub(super) struct ContextBlock {
    pub(super) layer: String,
    pub(super) heading: String,
    pub(super) urgent: bool,
    pub(super) lines: Vec<ContextLine>,
}

/// One item of a layer's context, as the model would see it.
pub(super) struct ContextLine {
    /// The id of the memory that the line shows, if any.
    pub(super) memory: Option<String>,
    /// The category of that memory.
    pub(super) category: Option<Category>,
    pub(super) text: String,
    /// From 0 to 1.
    pub(super) relevance: f32,
    /// Its length in UTF-16 units, with the line feed.
    pub(super) units: usize,
}

impl ContextLine {
    fn new(memory: Option<String>, text: String, relevance: f32) -> Self {
        let units = utf16_len(&text) + 1;
        let relevance = if relevance.is_finite() { relevance.clamp(0.0, 1.0) } else { 0.0 };
        Self { memory, category: None, text, relevance, units }
    }
}

/// Merges the answers. A decision for which the layer lacks the power is ignored and logged.
pub(super) fn merge(answers: Vec<LayerAnswer>, log: &Log) -> MergedReply {
    let mut merged = MergedReply { reply: Reply::default(), blocks: Vec::new(), decisions: Vec::new() };
    let mut shown = HashSet::new();
    for mut answer in answers {
        for decision in std::mem::take(&mut answer.reply.decisions) {
            merged.add_decision(&answer.layer, &answer.grants, decision, log);
        }
        if let Some(notice) = answer.reply.notice.take() {
            append(&mut merged.reply.notice, &answer.layer, &notice);
        }
        if let Some(context) = answer.reply.context.take() {
            merged.blocks.extend(context_block(&answer, context, &mut shown, log));
        }
    }
    merged
}

impl MergedReply {
    /// Adds to each heading the user's description of every category in the block.
    pub(super) fn describe_categories(&mut self, policy: &Policy) {
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

    fn add_decision(&mut self, layer: &str, grants: &Grants, decision: Decision, log: &Log) {
        let (power, name) = power(&decision);
        if !grants.decide.contains(&power) {
            let message = format!("answered {name}, but was not granted that power; the answer was ignored");
            return log.write(Level::Warn, Some(layer), message);
        }
        self.decisions.push(DecisionRecord { layer: layer.to_owned(), decision: name.to_owned() });
        match decision {
            Decision::Deny(reason) => self.add_permission(Permission::Deny, layer, &reason),
            Decision::Ask(reason) => self.add_permission(Permission::Ask, layer, &reason),
            Decision::Allow(reason) => self.add_permission(Permission::Allow, layer, &reason),
            Decision::Block(reason) => append(&mut self.reply.block, layer, &reason),
            Decision::GoOn(reason) => self.continue_turn(layer, &reason),
            Decision::RewriteInput(json) => set_once(&mut self.reply.updated_input, &json, layer, name, log),
            Decision::RewriteOutput(json) => {
                set_once(&mut self.reply.updated_output, &json, layer, name, log);
            }
        }
    }

    /// Adds the reason as context, because a block at Stop would make `claude -p` return nothing.
    fn continue_turn(&mut self, layer: &str, reason: &str) {
        self.reply.continue_turn = true;
        let line = ContextLine::new(None, text_line(reason), 1.0);
        let heading = "The session continues for this reason".to_owned();
        self.blocks.push(ContextBlock { layer: layer.to_owned(), heading, urgent: true, lines: vec![line] });
    }

    /// Keeps the strictest permission (deny, then ask, then allow) and joins the reasons of equal
    /// permissions.
    fn add_permission(&mut self, permission: Permission, layer: &str, reason: &str) {
        let reason = format!("{layer}: {}", plain_line(reason));
        match &mut self.reply.permission {
            Some((now, reasons)) if *now == permission => *reasons = format!("{reasons}\n{reason}"),
            Some((now, _)) if *now > permission => {}
            slot => *slot = Some((permission, reason)),
        }
    }
}

/// Returns the power that a decision needs, and its name in the contract.
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

/// Appends a layer's text on a line of its own.
fn append(slot: &mut Option<String>, layer: &str, text: &str) {
    let line = format!("{layer}: {}", plain_line(text));
    *slot = Some(slot.take().map_or(line.clone(), |before| format!("{before}\n{line}")));
}

/// Sets the JSON of the first layer that rewrites. A second layer would rewrite something that it has not
/// seen.
fn set_once(slot: &mut Option<Value>, json: &str, layer: &str, decision: &str, log: &Log) {
    let ignored = |level, reason: &str| {
        log.write(level, Some(layer), format!("{decision} ignored: {reason}"));
    };
    match serde_json::from_str(json) {
        Ok(value) if slot.is_none() => *slot = Some(value),
        Ok(_) => ignored(Level::Warn, "an earlier layer has rewritten it already"),
        Err(error) => ignored(Level::Error, &format!("not JSON: {error}")),
    }
}

/// Returns the block of one layer, without memories that an earlier layer shows.
fn context_block(
    answer: &LayerAnswer,
    context: Context,
    shown: &mut HashSet<String>,
    log: &Log,
) -> Option<ContextBlock> {
    let items = context.items.into_iter();
    let lines: Vec<ContextLine> = items.filter_map(|item| context_line(answer, item, shown, log)).collect();
    let (layer, heading, urgent) = (answer.layer.clone(), context.heading, context.urgent);
    (!lines.is_empty()).then_some(ContextBlock { layer, heading, urgent, lines })
}

/// Returns the line of one item. A layer may show only memories that it has read in this event, so it cannot
/// guess ids.
fn context_line(
    answer: &LayerAnswer,
    item: Item,
    shown: &mut HashSet<String>,
    log: &Log,
) -> Option<ContextLine> {
    let id = match item.content {
        Content::Text(text) => return Some(ContextLine::new(None, text_line(&text), item.relevance)),
        Content::Memory(id) => id,
    };
    let Some(memory) = answer.read.get(&id) else {
        let message = format!("tried to show memory {id}, which it has not read; the memory was left out");
        log.write(Level::Warn, Some(&answer.layer), message);
        return None;
    };
    shown.insert(id.clone()).then(|| ContextLine {
        category: Some(memory.category),
        ..ContextLine::new(Some(id), memory_line(memory), item.relevance)
    })
}
