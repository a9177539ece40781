//! Which event takes which part of a reply: one table.
//!
//! *Seen* means tried with the real client 2.1.329, *schema* read in its output schemas. Of an event that is
//! not in the table nothing is known but what holds for all: it takes a notice and a stop.

/// The parts of a reply that an event takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplyCapabilities {
    /// What becomes of context.
    pub context: ContextOutput,
    /// A permission decision with its reason.
    pub permission: bool,
    /// Another input for the tool.
    pub updated_input: bool,
    /// Another output for the model.
    pub updated_output: bool,
    /// A refusal with its reason.
    pub block: bool,
    /// Stop and notice, which nearly every event takes.
    pub stop_and_notice: bool,
}

/// What becomes of the context given to an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextOutput {
    /// The model never sees it.
    Hidden,
    /// The model sees it.
    Shown,
    /// The model sees it, and goes on because of it.
    Continues,
}

const NOTHING: ReplyCapabilities = ReplyCapabilities {
    context: ContextOutput::Hidden,
    permission: false,
    updated_input: false,
    updated_output: false,
    block: false,
    stop_and_notice: false,
};
const LEAST: ReplyCapabilities = ReplyCapabilities { stop_and_notice: true, ..NOTHING };
const BLOCK: ReplyCapabilities = ReplyCapabilities { block: true, ..LEAST };
const SEEN: ReplyCapabilities = ReplyCapabilities { context: ContextOutput::Shown, ..LEAST };
const SEEN_OR_BLOCK: ReplyCapabilities = ReplyCapabilities { block: true, ..SEEN };
const TOOL: ReplyCapabilities = ReplyCapabilities { permission: true, updated_input: true, ..SEEN };
const TOOL_OUTPUT: ReplyCapabilities = ReplyCapabilities { updated_output: true, ..SEEN_OR_BLOCK };
const PERMISSION: ReplyCapabilities = ReplyCapabilities { permission: true, ..LEAST };
const ONLY_BLOCK: ReplyCapabilities = ReplyCapabilities { block: true, ..NOTHING };
const GOES_ON: ReplyCapabilities = ReplyCapabilities { context: ContextOutput::Continues, ..BLOCK };

#[rustfmt::skip] // One line for each event.
const EVENTS: [(&str, ReplyCapabilities); 17] = [
    ("SessionStart",        SEEN),          // seen, also that a block has no effect
    ("SubagentStart",       SEEN),          // seen, also that a block has no effect
    ("UserPromptSubmit",    SEEN_OR_BLOCK), // seen; a block drops the prompt
    ("UserPromptExpansion", SEEN_OR_BLOCK), // context seen, block schema
    ("PreToolUse",          TOOL),          // seen; another input needs no decision beside it
    ("PostToolUse",         TOOL_OUTPUT),   // seen; the model reads a block's reason
    ("PostToolUseFailure",  SEEN_OR_BLOCK), // seen; the model reads a block's reason
    ("PostToolBatch",       SEEN_OR_BLOCK), // seen; a block ends the turn
    ("Stop",                GOES_ON),       // seen; a block makes the model go on, too
    ("SubagentStop",        GOES_ON),       // seen; a block makes the model go on, too
    ("PreCompact",          ONLY_BLOCK),    // seen: any other output, even JSON, is handed to the summariser
    ("PreModelSwitch",      PERMISSION),    // schema
    ("PostModelSwitch",     SEEN),          // schema
    ("ConfigChange",        BLOCK),         // schema
    ("TaskCreated",         BLOCK),         // schema
    ("WorktreeCreate",      NOTHING),       // schema: the output is taken for the path of the worktree
    ("Setup",               LEAST),         // seen: context does not reach the model
];

impl ReplyCapabilities {
    /// What the event of this name takes.
    pub fn of(event: &str) -> Self {
        EVENTS.iter().find(|(name, _)| *name == event).map_or(LEAST, |(_, takes)| *takes)
    }
}
