//! Merges the answers of several layers into one reply, in the order of the roster.

use std::collections::{BTreeSet, HashSet};
use std::time::{Duration, Instant};

use interleaf_text::markup::plain_line;
use serde_json::Value;

use super::context_text::{memory_line, outdated_mark, suggestion_line, text_line, title_line};
use super::layer_execution::LayerAnswer;
use crate::claude::{ContextOutput, Permission, Reply, ReplyCapabilities, utf16_len};
use crate::grant::ReadMemory;
use crate::layer::{Grants, Power};
use crate::log::{DecisionRecord, Level, Log};
use crate::memory::{Category, Citation, Origin, Policy};
use crate::sandbox::bindings::types::{Content, Context, Decision, Item};
use crate::state::ShownAs;

/// Maximum number of memories in a reply whose citations are looked up, some 0.1 milliseconds each.
const MAX_CHECKED_MEMORIES: usize = 16;

/// Time after which no further citations are looked up: the files are the project's, and may be slow.
const MAX_CHECK_TIME: Duration = Duration::from_millis(20);

/// The merged reply without its context, and the blocks from which the context is still to be chosen.
#[derive(Default)]
pub(super) struct MergedReply {
    pub(super) reply: Reply,
    /// The event's `hook_event_name`, which tells which decisions count.
    event: String,
    /// The layer that rewrote the tool's input.
    input_author: Option<String>,
    /// The layers whose decision is to allow the call.
    allowing: Vec<String>,
    pub(super) blocks: Vec<ContextBlock>,
    /// The decisions that were not ignored.
    pub(super) decisions: Vec<DecisionRecord>,
}

/// The context of one layer.
pub(super) struct ContextBlock {
    pub(super) layer: String,
    pub(super) heading: String,
    /// The user's description of each category that has one and is in the block.
    pub(super) descriptions: Vec<String>,
    pub(super) urgent: bool,
    pub(super) lines: Vec<ContextLine>,
}

/// One item of a layer's context, as the model would see it.
pub(super) struct ContextLine {
    /// The id of the memory that the line shows, if any.
    pub(super) memory: Option<String>,
    /// How much of it the line shows.
    pub(super) shown_as: ShownAs,
    /// Whether the session saved that memory itself and still knows it.
    pub(super) is_own: bool,
    /// The category of that memory.
    pub(super) category: Option<Category>,
    /// Whether it quotes a tool.
    pub(super) quotes_tool: bool,
    pub(super) text: String,
    /// From 0 to 1.
    pub(super) relevance: f32,
    /// Its length in UTF-16 units, with the line feed.
    pub(super) units: usize,
    /// What the memory cites of the working tree.
    pub(super) citations: Vec<Citation>,
}

impl ContextLine {
    fn new(memory: Option<String>, text: String, relevance: f32) -> Self {
        let units = utf16_len(&text) + 1;
        let relevance = if relevance.is_finite() { relevance.clamp(0.0, 1.0) } else { 0.0 };
        Self {
            memory,
            shown_as: ShownAs::Whole,
            is_own: false,
            category: None,
            quotes_tool: false,
            text,
            relevance,
            units,
            citations: Vec::new(),
        }
    }

    /// Marks the memory as possibly out of date. Returns whether it is still worth its line.
    fn mark(&mut self, outdated: &[Citation]) -> bool {
        if self.shown_as == ShownAs::Line {
            let is_outdated = |cited: &Citation| {
                outdated.iter().any(|gone| gone.file == cited.file && (gone.term.is_none() || gone == cited))
            };
            return !self.citations.iter().all(is_outdated);
        }
        let mark = outdated_mark(outdated);
        self.units += utf16_len(&mark);
        self.text.push_str(&mark);
        true
    }
}

/// Merges the answers to the event with this `hook_event_name`. A decision for which the layer lacks the
/// power, or that the event does not take, is ignored and logged.
pub(super) fn merge(event: &str, answers: Vec<LayerAnswer>, log: &Log) -> MergedReply {
    let mut merged = MergedReply { event: event.to_owned(), ..MergedReply::default() };
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
    /// Returns only what this reply refuses or asks.
    pub(super) fn without_context(self) -> Self {
        let permission = self.reply.permission.filter(|(permission, _)| *permission > Permission::Allow);
        let reply = Reply { permission, ..Reply::default() };
        Self { reply, event: self.event, decisions: self.decisions, ..Self::default() }
    }

    /// Returns the tool's new input and the layer that wrote it.
    pub(super) fn rewritten_input(&self) -> Option<(String, &Value)> {
        Some((self.input_author.clone()?, self.reply.updated_input.as_ref()?))
    }

    /// Drops the permission to run the tool if a layer other than `author` gave it: it allowed another input.
    pub(super) fn drop_allowance_of_others(&mut self, author: &str) {
        let is_allowed = matches!(self.reply.permission, Some((Permission::Allow, _)));
        if is_allowed && self.allowing.iter().any(|layer| layer != author) {
            self.reply.permission = None;
        }
    }

    /// Adds what these answers allow, ask or deny, and nothing else of them.
    pub(super) fn add_verdicts(&mut self, answers: Vec<LayerAnswer>, log: &Log) {
        for answer in answers {
            for decision in answer.reply.decisions {
                if matches!(decision, Decision::Deny(_) | Decision::Ask(_) | Decision::Allow(_)) {
                    self.add_decision(&answer.layer, &answer.grants, decision, log);
                }
            }
        }
    }

    /// Adds to each block the user's description of every category in it.
    pub(super) fn describe_categories(&mut self, policy: &Policy) {
        for block in &mut self.blocks {
            let categories: BTreeSet<Category> =
                block.lines.iter().filter_map(|line| line.category).collect();
            for category in categories {
                if let Some(description) = policy.of(category).custom_description(category) {
                    block.descriptions.push(format!("{category}: {description}"));
                }
            }
        }
    }

    /// Says behind each memory what it cites that is no longer there, and drops a title of which nothing is
    /// left. `outdated` looks citations up.
    pub(super) fn mark_outdated(&mut self, outdated: impl Fn(&[Citation]) -> Vec<Citation>) {
        let (mut left, began) = (MAX_CHECKED_MEMORIES, Instant::now());
        for block in &mut self.blocks {
            block.lines.retain_mut(|line| {
                if line.citations.is_empty() || left == 0 || began.elapsed() > MAX_CHECK_TIME {
                    return true;
                }
                left -= 1;
                line.mark(&outdated(&line.citations))
            });
        }
        self.blocks.retain(|block| !block.lines.is_empty());
    }

    fn add_decision(&mut self, layer: &str, grants: &Grants, decision: Decision, log: &Log) {
        let (power, name) = power(&decision);
        if !grants.decide.contains(&power) {
            let message = format!("answered {name}, but was not granted that power; the answer was ignored");
            return log.write(Level::Warn, Some(layer), message);
        }
        let accepts = Reply::capabilities(&self.event);
        if !takes(accepts, power) {
            let taken = taken_powers(accepts);
            let message = format!(
                "answered {name}, but {} takes {taken}; the answer was ignored",
                plain_line(&self.event)
            );
            return log.write(Level::Warn, Some(layer), message);
        }
        self.decisions.push(DecisionRecord { layer: layer.to_owned(), decision: name.to_owned() });
        match decision {
            Decision::Deny(reason) => self.add_permission(Permission::Deny, layer, &reason),
            Decision::Ask(reason) => self.add_permission(Permission::Ask, layer, &reason),
            Decision::Allow(reason) => {
                self.allowing.push(layer.to_owned());
                self.add_permission(Permission::Allow, layer, &reason);
            }
            Decision::Block(reason) => append(&mut self.reply.block, layer, &reason),
            Decision::GoOn(reason) => self.continue_turn(layer, &reason),
            Decision::RewriteInput(json) => {
                if set_once(&mut self.reply.updated_input, &json, layer, name, log) {
                    self.input_author = Some(layer.to_owned());
                }
            }
            Decision::RewriteOutput(json) => {
                _ = set_once(&mut self.reply.updated_output, &json, layer, name, log);
            }
        }
    }

    /// Adds the reason as context, because a block at Stop would make `claude -p` return nothing.
    fn continue_turn(&mut self, layer: &str, reason: &str) {
        self.reply.continue_turn = true;
        let line = ContextLine::new(None, text_line(reason), 1.0);
        let heading = "The session continues for this reason".to_owned();
        self.blocks.push(ContextBlock {
            layer: layer.to_owned(),
            heading,
            descriptions: Vec::new(),
            urgent: true,
            lines: vec![line],
        });
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

/// Tells whether an event that accepts these parts of a reply takes the decisions of a power.
fn takes(accepts: ReplyCapabilities, power: Power) -> bool {
    match power {
        Power::Deny | Power::Ask | Power::Allow => accepts.permission,
        Power::RewriteInput => accepts.updated_input,
        Power::RewriteOutput => accepts.updated_output,
        Power::Block => accepts.block,
        Power::GoOn => accepts.context == ContextOutput::Continues,
    }
}

/// Returns the decisions that an event takes, for a message.
fn taken_powers(accepts: ReplyCapabilities) -> String {
    let taken = Power::ALL.into_iter().filter(|power| takes(accepts, *power)).map(Power::as_str);
    let taken: Vec<&str> = taken.collect();
    if taken.is_empty() { "no decision".to_owned() } else { format!("only {}", taken.join(", ")) }
}

/// Appends a layer's text on a line of its own.
fn append(slot: &mut Option<String>, layer: &str, text: &str) {
    let line = format!("{layer}: {}", plain_line(text));
    *slot = Some(slot.take().map_or(line.clone(), |before| format!("{before}\n{line}")));
}

/// Sets the JSON of the first layer that rewrites, and returns whether this one was the first. A second layer
/// would rewrite something that it has not seen.
fn set_once(slot: &mut Option<Value>, json: &str, layer: &str, decision: &str, log: &Log) -> bool {
    let ignored = |level, reason: &str| {
        log.write(level, Some(layer), format!("{decision} ignored: {reason}"));
        false
    };
    match serde_json::from_str(json) {
        Ok(value) if slot.is_none() => {
            *slot = Some(value);
            true
        }
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
    let descriptions = Vec::new();
    (!lines.is_empty()).then_some(ContextBlock { layer, heading, descriptions, urgent, lines })
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
    let Some(read) = answer.read.get(&id) else {
        let message = format!("tried to show memory {id}, which it has not read; the memory was left out");
        log.write(Level::Warn, Some(&answer.layer), message);
        return None;
    };
    if !shown.insert(id.clone()) {
        return None;
    }
    let ReadMemory { memory, shown_as, is_title_cut, is_own } = read;
    let text = match shown_as {
        ShownAs::Whole => memory_line(memory),
        ShownAs::Line if *is_title_cut => suggestion_line(memory)?,
        ShownAs::Line => title_line(memory)?,
    };
    let (category, citations) = (Some(memory.category), memory.citations.clone());
    Some(ContextLine {
        category,
        quotes_tool: memory.origin == Origin::ToolOutput,
        citations,
        shown_as: *shown_as,
        is_own: *is_own,
        ..ContextLine::new(Some(id), text, item.relevance)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    fn answer(layer: &str, power: Power, decision: Decision) -> LayerAnswer {
        let grants = Grants { decide: [power].into(), ..Grants::default() };
        let reply =
            crate::sandbox::bindings::types::Reply { context: None, decisions: vec![decision], notice: None };
        LayerAnswer { layer: layer.to_owned(), grants, reply, read: Default::default() }
    }

    fn merged(answers: Vec<LayerAnswer>) -> MergedReply {
        merge("PreToolUse", answers, &Log::in_memory(Clock::System))
    }

    fn rewrite(layer: &str) -> LayerAnswer {
        answer(layer, Power::RewriteInput, Decision::RewriteInput("{}".to_owned()))
    }

    fn allow(layer: &str) -> LayerAnswer {
        answer(layer, Power::Allow, Decision::Allow("fine".to_owned()))
    }

    #[test]
    fn permission_to_run_does_not_survive_the_rewriting_of_another_layer() {
        let mut merged = merged(vec![allow("one"), rewrite("two")]);
        let (author, _) = merged.rewritten_input().expect("rewritten");

        merged.drop_allowance_of_others(&author);

        assert_eq!((author.as_str(), merged.reply.permission), ("two", None));
    }

    #[test]
    fn a_layer_may_allow_what_it_has_written_itself() {
        let mut merged = merged(vec![allow("one"), rewrite("one")]);

        merged.drop_allowance_of_others("one");

        assert!(matches!(merged.reply.permission, Some((Permission::Allow, _))));
    }

    #[test]
    fn of_the_second_look_only_verdicts_count() {
        let mut merged = merged(vec![rewrite("one")]);
        let log = Log::in_memory(Clock::System);

        merged.add_verdicts(
            vec![rewrite("two"), answer("two", Power::Deny, Decision::Deny("no".into()))],
            &log,
        );

        assert_eq!(merged.rewritten_input().map(|(author, _)| author).as_deref(), Some("one"));
        assert_eq!(merged.reply.permission, Some((Permission::Deny, "two: no".to_owned())));
    }
}
