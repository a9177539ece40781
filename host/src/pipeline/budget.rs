//! One budget over all layers: what fits into a hook's reply and a session's allowance, the rest left out whole.

use std::collections::HashSet;

use super::fold::{Block, Line};
use super::render;
use crate::claude::utf16_len;
use crate::config::Budget;
use crate::error::Error;
use crate::log::{ShownMemory, round_to_hundredths};
use crate::state::{ConversationKey, State};

/// Between two blocks.
const GAP: &str = "\n\n";

/// What is needed to spend.
pub(super) struct Spending<'a> {
    pub(super) state: &'a State,
    pub(super) conversation: &'a ConversationKey,
    pub(super) budget: &'a Budget,
    /// Whether the session's allowance does not count here (session start).
    pub(super) exempt: bool,
}

/// What is shown.
#[derive(Default)]
pub(super) struct Chosen {
    /// The context, if there is any.
    pub(super) text: Option<String>,
    /// The memories in it.
    pub(super) shown: Vec<ShownMemory>,
    /// How many lines were left out.
    pub(super) left_out: usize,
    /// What went wrong while choosing.
    pub(super) trouble: Option<Error>,
}

impl Spending<'_> {
    /// Chooses what to print, and marks it as shown before it returns.
    ///
    /// A state that cannot be read or written does not silence a memory that was found: it may then be repeated.
    pub(super) fn choose(&self, mut blocks: Vec<Block>) -> Chosen {
        if blocks.is_empty() {
            return Chosen::default();
        }
        let offered = lines(&blocks).count();
        let unread = self.drop_seen(&mut blocks).err();
        fit(&mut blocks, self.budget.hook_units as usize);
        let unmarked = self.mark(&mut blocks).err();
        let left_out = offered - lines(&blocks).count();
        Chosen { text: print(&blocks), shown: shown(&blocks), left_out, trouble: unmarked.or(unread) }
    }

    /// Leaves out what this context was shown already; what is urgent may repeat itself.
    fn drop_seen(&self, blocks: &mut Vec<Block>) -> Result<(), Error> {
        let shown = self.state.shown(self.conversation)?;
        retain(blocks, |block, line| block || line.memory.as_ref().is_none_or(|id| !shown.contains(id)));
        Ok(())
    }

    /// Marks in one transaction what will be printed. Another process of this session may have been faster: what it
    /// showed is left out. So is everything, but for what is urgent, when the session's allowance is used up.
    fn mark(&self, blocks: &mut Vec<Block>) -> Result<(), Error> {
        let Some(text) = print(blocks) else { return Ok(()) };
        let ids = memories(blocks);
        let urgent = blocks.iter().all(|block| block.urgent);
        let limit = (!self.exempt && !urgent).then_some(self.budget.session_units());
        let printed = self.state.record_shown(self.conversation, &ids, utf16_len(&text) as u64, limit)?;
        let fresh: HashSet<String> = printed.fresh;
        retain(blocks, |urgent, line| {
            urgent || printed.allowed && line.memory.as_ref().is_none_or(|id| fresh.contains(id))
        });
        Ok(())
    }
}

/// Keeps the lines for which `keep(block is urgent, line)` holds, and no empty block.
fn retain(blocks: &mut Vec<Block>, keep: impl Fn(bool, &Line) -> bool) {
    for block in blocks.iter_mut() {
        let urgent = block.urgent;
        block.lines.retain(|line| keep(urgent, line));
    }
    blocks.retain(|block| !block.lines.is_empty());
}

fn lines(blocks: &[Block]) -> impl Iterator<Item = &Line> {
    blocks.iter().flat_map(|block| &block.lines)
}

/// The memories that are shown, and by whom.
fn shown(blocks: &[Block]) -> Vec<ShownMemory> {
    let of_block = |block: &Block| {
        let shown = |line: &Line| {
            let relevance = round_to_hundredths(f64::from(line.relevance));
            Some(ShownMemory { memory: line.memory.clone()?, relevance, layer: block.layer.clone() })
        };
        block.lines.iter().filter_map(shown).collect::<Vec<_>>()
    };
    blocks.iter().flat_map(of_block).collect()
}

fn memories(blocks: &[Block]) -> Vec<String> {
    lines(blocks).filter_map(|line| line.memory.clone()).collect()
}

/// Leaves out whole lines, lowest relevance first, until the rest fits; urgent ones go last. Of equal ones the later
/// goes first.
fn fit(blocks: &mut Vec<Block>, limit: usize) {
    while cost(blocks) > limit {
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

fn cost(blocks: &[Block]) -> usize {
    let frames: usize = blocks.iter().map(|block| render::frame_units(&block.layer, &block.heading)).sum();
    frames + lines(blocks).map(|line| line.units).sum::<usize>()
}

fn print(blocks: &[Block]) -> Option<String> {
    let printed: Vec<String> = blocks
        .iter()
        .map(|block| {
            let lines: Vec<&str> = block.lines.iter().map(|line| line.text.as_str()).collect();
            render::block(&block.layer, &block.heading, &lines)
        })
        .collect();
    (!printed.is_empty()).then(|| printed.join(GAP))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(layer: &str, urgent: bool, lines: &[(&str, f32)]) -> Block {
        let line = |(text, relevance): &(&str, f32)| Line {
            memory: None,
            category: None,
            text: (*text).to_owned(),
            relevance: *relevance,
            units: utf16_len(text) + 1,
        };
        let lines = lines.iter().map(line).collect();
        Block { layer: layer.to_owned(), heading: "Seen".to_owned(), urgent, lines }
    }

    fn texts(blocks: &[Block]) -> Vec<&str> {
        lines(blocks).map(|line| line.text.as_str()).collect()
    }

    #[test]
    fn whole_items_are_left_out_lowest_relevance_first_over_all_layers() {
        let mut blocks =
            vec![block("a", false, &[("a1", 0.9), ("a2", 0.2)]), block("b", false, &[("b1", 0.5)])];
        let all_but_one = cost(&blocks) - 1;

        fit(&mut blocks, all_but_one);

        assert_eq!(texts(&blocks), ["a1", "b1"]);
    }

    #[test]
    fn an_urgent_item_stays_longest() {
        let mut blocks = vec![block("a", false, &[("a1", 0.9)]), block("b", true, &[("b1", 0.1)])];
        let less = cost(&blocks) - 1;

        fit(&mut blocks, less);

        assert_eq!(texts(&blocks), ["b1"]);
    }

    #[test]
    fn what_is_printed_never_exceeds_the_limit() {
        let long = "ü😀".repeat(300);
        for limit in [0, 100, 500, 1_000, 2_000] {
            let mut blocks =
                vec![block("a", false, &[(&long, 0.9), ("short", 0.3)]), block("b", false, &[(&long, 0.5)])];

            fit(&mut blocks, limit);

            assert!(print(&blocks).is_none_or(|text| utf16_len(&text) <= limit), "limit {limit}");
        }
    }
}
