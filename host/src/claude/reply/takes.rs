//! Which event takes which part of a reply: one table.
//!
//! *Seen* means tried with the real client 2.1.329, *schema* read in its output schemas. Of an event that is
//! not in the table nothing is known but what holds for all: it takes a notice and a stop.

/// The parts of a reply that an event takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Takes {
    /// What becomes of context.
    pub context: Context,
    /// A permission decision with its reason.
    pub permission: bool,
    /// Another input for the tool.
    pub updated_input: bool,
    /// Another output for the model.
    pub updated_output: bool,
    /// A refusal with its reason.
    pub block: bool,
    /// Stop and notice, which nearly every event takes.
    pub general: bool,
}

/// What becomes of the context given to an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// The model never sees it.
    Unseen,
    /// The model sees it.
    Seen,
    /// The model sees it, and goes on because of it.
    GoesOn,
}

const NOTHING: Takes = Takes {
    context: Context::Unseen,
    permission: false,
    updated_input: false,
    updated_output: false,
    block: false,
    general: false,
};
const LEAST: Takes = Takes { general: true, ..NOTHING };
const BLOCK: Takes = Takes { block: true, ..LEAST };
const SEEN: Takes = Takes { context: Context::Seen, ..LEAST };
const SEEN_OR_BLOCK: Takes = Takes { block: true, ..SEEN };
const TOOL: Takes = Takes { permission: true, updated_input: true, ..SEEN };
const TOOL_OUTPUT: Takes = Takes { updated_output: true, ..SEEN_OR_BLOCK };
const PERMISSION: Takes = Takes { permission: true, ..LEAST };
const ONLY_BLOCK: Takes = Takes { block: true, ..NOTHING };
const GOES_ON: Takes = Takes { context: Context::GoesOn, ..BLOCK };

#[rustfmt::skip] // One line for each event.
const EVENTS: [(&str, Takes); 17] = [
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

impl Takes {
    /// What the event of this name takes.
    pub fn of(event: &str) -> Self {
        EVENTS.iter().find(|(name, _)| *name == event).map_or(LEAST, |(_, takes)| *takes)
    }
}
