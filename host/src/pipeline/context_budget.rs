//! Limits the context of all layers together to the length of a hook's reply and to the session's budget.
//! Whole lines are left out; no line is cut.

use std::collections::HashMap;

use super::context_text::{self, TOOL_SECTION};
use super::reply_merge::{ContextBlock, ContextLine};
use crate::claude::{
    BRIEF_MEMORY_PREFACE, MEMORY_PREFACE, SOME_TITLES_PREFACE, TEXT_PREFACE, TITLES_PREFACE, utf16_len,
};
use crate::config::Budget;
use crate::error::Error;
use crate::log::{ShownMemory, round_to_hundredths};
use crate::memory::Category;
use crate::state::{ConversationKey, ShownAs, State};

/// The separator of two blocks.
const BLOCK_SEPARATOR: &str = "\n\n";

/// Chooses the context of one reply.
pub(super) struct ContextBudget<'a> {
    pub(super) state: &'a State,
    pub(super) conversation: &'a ConversationKey,
    pub(super) budget: &'a Budget,
    /// Whether the reply does not count toward the session's budget (session start).
    pub(super) is_exempt: bool,
}

/// The context that was chosen.
#[derive(Default)]
pub(super) struct ChosenContext {
    /// The text, if anything is shown.
    pub(super) text: Option<String>,
    /// The memories in it.
    pub(super) shown: Vec<ShownMemory>,
    /// The number of lines that were left out.
    pub(super) left_out: usize,
    /// The first error of the state.
    pub(super) error: Option<Error>,
}

/// What earlier blocks of the conversation have explained.
#[derive(Clone, Copy, Default)]
struct Explained {
    /// What memories are.
    memories: bool,
    /// How to read more than a title.
    titles: bool,
}

impl Explained {
    fn by(shown: &HashMap<String, ShownAs>) -> Self {
        let titles = shown.values().any(|shown_as| *shown_as == ShownAs::Line);
        Self { memories: !shown.is_empty(), titles }
    }
}

impl ContextBudget<'_> {
    /// Chooses the context to print, and records it as shown before returning.
    ///
    /// If the state cannot be read or written, memories are shown nevertheless, and may be repeated.
    pub(super) fn choose(&self, mut blocks: Vec<ContextBlock>) -> ChosenContext {
        if blocks.is_empty() {
            return ChosenContext::default();
        }
        let offered = lines(&blocks).count();
        let (before, unread) = match self.state.shown(self.conversation) {
            Ok(before) => (before, None),
            Err(error) => (HashMap::new(), Some(error)),
        };
        drop_own(&mut blocks);
        drop_already_shown(&mut blocks, &before);
        let explained = Explained::by(&before);
        drop_to_fit(&mut blocks, explained, self.budget.hook_units as usize);
        let unwritten = self.record_shown(&mut blocks, explained).err();
        let left_out = offered - lines(&blocks).count();
        let (text, shown) = (print(&blocks, explained), shown_memories(&blocks));
        ChosenContext { text, shown, left_out, error: unwritten.or(unread) }
    }

    /// Records in one transaction what will be printed. Drops memories that another process of this session
    /// has shown in the meantime, and everything if the session's budget is used up. Urgent blocks are never
    /// dropped.
    fn record_shown(&self, blocks: &mut Vec<ContextBlock>, explained: Explained) -> Result<(), Error> {
        let Some(text) = print(blocks, explained) else { return Ok(()) };
        let memories = lines(blocks).filter_map(|line| Some((line.memory.clone()?, line.shown_as)));
        let memories: Vec<(String, ShownAs)> = memories.collect();
        let is_urgent = blocks.iter().all(|block| block.urgent);
        let limit = (!self.is_exempt && !is_urgent).then_some(self.budget.session_units());
        let units = utf16_len(&text) as u64;
        let recorded = self.state.record_shown(self.conversation, &memories, units, limit)?;
        retain(blocks, |urgent, line| {
            urgent
                || recorded.is_within_budget
                    && line.memory.as_ref().is_none_or(|id| recorded.new.contains_key(id))
        });
        Ok(())
    }
}

/// Drops the memories that the session saved itself and still knows. Urgent blocks may repeat its rules.
fn drop_own(blocks: &mut Vec<ContextBlock>) {
    let is_summary = |line: &ContextLine| line.category == Some(Category::SessionSummary);
    retain(blocks, |urgent, line| !line.is_own || urgent && !is_summary(line));
}

/// Drops the memories of which this conversation was shown as much before. Urgent blocks may repeat them.
fn drop_already_shown(blocks: &mut Vec<ContextBlock>, before: &HashMap<String, ShownAs>) {
    let is_new = |line: &ContextLine| {
        let before = line.memory.as_ref().and_then(|id| before.get(id));
        before.is_none_or(|shown_as| *shown_as < line.shown_as)
    };
    retain(blocks, |urgent, line| urgent || is_new(line));
}

/// Keeps the lines for which `keep(block is urgent, line)` holds, and no empty block.
fn retain(blocks: &mut Vec<ContextBlock>, keep: impl Fn(bool, &ContextLine) -> bool) {
    for block in blocks.iter_mut() {
        let urgent = block.urgent;
        block.lines.retain(|line| keep(urgent, line));
    }
    blocks.retain(|block| !block.lines.is_empty());
}

fn lines(blocks: &[ContextBlock]) -> impl Iterator<Item = &ContextLine> {
    blocks.iter().flat_map(|block| &block.lines)
}

/// Returns the memories in the blocks, each with its relevance and layer.
fn shown_memories(blocks: &[ContextBlock]) -> Vec<ShownMemory> {
    let of_block = |block: &ContextBlock| {
        let shown = |line: &ContextLine| {
            let relevance = round_to_hundredths(f64::from(line.relevance));
            let as_line = line.shown_as == ShownAs::Line;
            Some(ShownMemory { memory: line.memory.clone()?, relevance, layer: block.layer.clone(), as_line })
        };
        block.lines.iter().filter_map(shown).collect::<Vec<_>>()
    };
    blocks.iter().flat_map(of_block).collect()
}

/// Drops lines until the rest fits: the lowest relevance first, lines of urgent blocks last, and of equals
/// the later one first.
fn drop_to_fit(blocks: &mut Vec<ContextBlock>, explained: Explained, max_units: usize) {
    while units(blocks, explained) > max_units {
        let all = blocks.iter().enumerate().flat_map(|(block, lines)| {
            lines.lines.iter().enumerate().map(move |(at, line)| (lines.urgent, line.relevance, block, at))
        });
        let least = all
            .min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(b.2.cmp(&a.2)).then(b.3.cmp(&a.3)));
        let Some((_, _, block, at)) = least else { return };
        blocks[block].lines.remove(at);
        blocks.retain(|block| !block.lines.is_empty());
    }
}

/// Returns the length of the printed blocks in UTF-16 units.
fn units(blocks: &[ContextBlock], explained: Explained) -> usize {
    let frames = blocks.iter().map(|block| {
        let (heading, preface) = head(block, explained);
        let section = if has_section(block) { utf16_len(TOOL_SECTION) + 1 } else { 0 };
        context_text::frame_units(&block.layer, &heading, &preface) + section
    });
    frames.sum::<usize>() + lines(blocks).map(|line| line.units).sum::<usize>()
}

fn print(blocks: &[ContextBlock], explained: Explained) -> Option<String> {
    let printed = blocks.iter().map(|block| {
        let (heading, preface) = head(block, explained);
        context_text::block(&block.layer, &heading, &preface, &printed_lines(block))
    });
    (!blocks.is_empty()).then(|| printed.collect::<Vec<_>>().join(BLOCK_SEPARATOR))
}

/// Tells whether what tools reported stands apart from what people and the assistant said.
fn has_section(block: &ContextBlock) -> bool {
    let quotes = block.lines.iter().filter(|line| line.quotes_tool).count();
    quotes > 0 && quotes < block.lines.len()
}

/// Returns the lines of a block; those that quote a tool last, in a section of their own.
fn printed_lines(block: &ContextBlock) -> Vec<&str> {
    let (quotes, others): (Vec<&ContextLine>, Vec<&ContextLine>) =
        block.lines.iter().partition(|line| line.quotes_tool);
    let section = has_section(block).then_some(TOOL_SECTION);
    let others = others.into_iter().map(|line| line.text.as_str());
    let quotes = quotes.into_iter().map(|line| line.text.as_str());
    others.chain(section).chain(quotes).collect()
}

/// Returns the heading of a block and the sentences that say what its lines are. They are short if the model
/// has read them, and if there are only titles, because each costs more than a title.
fn head(block: &ContextBlock, explained: Explained) -> (String, String) {
    let preface = preface(block, explained);
    let is_brief = matches!(preface.as_str(), BRIEF_MEMORY_PREFACE | TITLES_PREFACE);
    let heading = (!is_brief && !block.heading.is_empty()).then_some(&block.heading);
    let parts: Vec<&str> = heading.into_iter().chain(&block.descriptions).map(String::as_str).collect();
    (parts.join("; "), preface)
}

fn preface(block: &ContextBlock, explained: Explained) -> String {
    let is_memory = |line: &&ContextLine| line.memory.is_some();
    let is_title = |line: &&ContextLine| line.shown_as == ShownAs::Line;
    let (memories, titles) =
        (block.lines.iter().filter(is_memory).count(), block.lines.iter().filter(is_title).count());
    let explains_titles = titles > 0 && !explained.titles;
    match (memories, explained.memories && !block.urgent) {
        (0, _) => TEXT_PREFACE.to_owned(),
        _ if explains_titles && titles == block.lines.len() => TITLES_PREFACE.to_owned(),
        (_, true) if explains_titles => format!("{BRIEF_MEMORY_PREFACE} {SOME_TITLES_PREFACE}"),
        (_, true) => BRIEF_MEMORY_PREFACE.to_owned(),
        (_, false) if explains_titles => format!("{MEMORY_PREFACE} {SOME_TITLES_PREFACE}"),
        (_, false) => MEMORY_PREFACE.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Explained = Explained { memories: false, titles: false };

    fn block(layer: &str, urgent: bool, lines: &[(&str, f32)]) -> ContextBlock {
        let line = |(text, relevance): &(&str, f32)| ContextLine {
            memory: None,
            shown_as: ShownAs::Whole,
            is_own: false,
            category: None,
            quotes_tool: text.starts_with("tool"),
            citations: Vec::new(),
            text: (*text).to_owned(),
            relevance: *relevance,
            units: utf16_len(text) + 1,
        };
        let lines = lines.iter().map(line).collect();
        let (layer, heading) = (layer.to_owned(), "Seen".to_owned());
        ContextBlock { layer, heading, descriptions: Vec::new(), urgent, lines }
    }

    fn texts(blocks: &[ContextBlock]) -> Vec<&str> {
        lines(blocks).map(|line| line.text.as_str()).collect()
    }

    #[test]
    fn the_line_of_lowest_relevance_in_all_layers_is_dropped_first() {
        let mut blocks =
            vec![block("a", false, &[("a1", 0.9), ("a2", 0.2)]), block("b", false, &[("b1", 0.5)])];
        let all_but_one = units(&blocks, NOTHING) - 1;

        drop_to_fit(&mut blocks, NOTHING, all_but_one);

        assert_eq!(texts(&blocks), ["a1", "b1"]);
    }

    #[test]
    fn what_tools_reported_stands_last_in_a_section_of_its_own() {
        let mixed = [block("a", false, &[("tool 1", 0.9), ("said", 0.5)])];
        let text = print(&mixed, NOTHING).expect("a block");
        assert!(text.contains(&format!("\nsaid\n{TOOL_SECTION}\ntool 1\n</")), "{text}");
        assert!(units(&mixed, NOTHING) >= utf16_len(&text), "the section counts");

        let alone = print(&[block("a", false, &[("tool 1", 0.9)])], NOTHING).expect("a block");
        assert!(!alone.contains(TOOL_SECTION), "{alone}");
    }

    #[test]
    fn an_urgent_line_is_dropped_last() {
        let mut blocks = vec![block("a", false, &[("a1", 0.9)]), block("b", true, &[("b1", 0.1)])];
        let less = units(&blocks, NOTHING) - 1;

        drop_to_fit(&mut blocks, NOTHING, less);

        assert_eq!(texts(&blocks), ["b1"]);
    }

    #[test]
    fn what_the_session_saved_itself_is_dropped_but_for_the_rules_of_an_urgent_block() {
        let own = |urgent, category| {
            let mut block = block("a", urgent, &[("own", 0.9), ("other", 0.8)]);
            block.lines[0].is_own = true;
            block.lines[0].category = Some(category);
            block
        };
        let mut blocks = vec![
            own(false, Category::Constraint),
            own(true, Category::Constraint),
            own(true, Category::SessionSummary),
        ];

        drop_own(&mut blocks);

        assert_eq!(texts(&blocks), ["other", "own", "other", "other"]);
    }

    #[test]
    fn the_printed_text_never_exceeds_the_limit() {
        let long = "ü😀".repeat(300);
        for limit in [0, 100, 500, 1_000, 2_000] {
            let mut blocks =
                vec![block("a", false, &[(&long, 0.9), ("short", 0.3)]), block("b", false, &[(&long, 0.5)])];

            drop_to_fit(&mut blocks, NOTHING, limit);

            assert!(print(&blocks, NOTHING).is_none_or(|text| utf16_len(&text) <= limit), "limit {limit}");
        }
    }
}
