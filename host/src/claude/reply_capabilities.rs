//! The parts of a reply that each event accepts, as one table.
//!
//! *Seen* means tried with the real client 2.1.329, *schema* means read in its output schemas. An event that
//! is not in the table accepts what every event accepts: a notice and a stop.

/// The parts of a reply that an event accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplyCapabilities {
    /// Where context goes.
    pub context: ContextOutput,
    /// A permission decision with its reason.
    pub permission: bool,
    /// New input for the tool.
    pub updated_input: bool,
    /// New output for the model.
    pub updated_output: bool,
    /// A block with its reason.
    pub block: bool,
    /// Stop and notice, which nearly every event accepts.
    pub stop_and_notice: bool,
}

/// What the client does with the context of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextOutput {
    /// The model does not see it.
    Hidden,
    /// The model sees it.
    Shown,
    /// The model sees it and continues because of it.
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
const MINIMUM: ReplyCapabilities = ReplyCapabilities { stop_and_notice: true, ..NOTHING };
const BLOCK: ReplyCapabilities = ReplyCapabilities { block: true, ..MINIMUM };
const CONTEXT: ReplyCapabilities = ReplyCapabilities { context: ContextOutput::Shown, ..MINIMUM };
const CONTEXT_OR_BLOCK: ReplyCapabilities = ReplyCapabilities { block: true, ..CONTEXT };
const TOOL: ReplyCapabilities = ReplyCapabilities { permission: true, updated_input: true, ..CONTEXT };
const TOOL_OUTPUT: ReplyCapabilities = ReplyCapabilities { updated_output: true, ..CONTEXT_OR_BLOCK };
const PERMISSION: ReplyCapabilities = ReplyCapabilities { permission: true, ..MINIMUM };
const ONLY_BLOCK: ReplyCapabilities = ReplyCapabilities { block: true, ..NOTHING };
const CONTINUE_TURN: ReplyCapabilities = ReplyCapabilities { context: ContextOutput::Continues, ..BLOCK };

#[rustfmt::skip] // One line for each event.
const EVENTS: [(&str, ReplyCapabilities); 17] = [
    ("SessionStart",        CONTEXT),          // seen, also that a block has no effect
    ("SubagentStart",       CONTEXT),          // seen, also that a block has no effect
    ("UserPromptSubmit",    CONTEXT_OR_BLOCK), // seen; a block drops the prompt
    ("UserPromptExpansion", CONTEXT_OR_BLOCK), // context seen, block schema
    ("PreToolUse",          TOOL),             // seen; new input needs no permission decision
    ("PostToolUse",         TOOL_OUTPUT),      // seen; the model reads a block's reason
    ("PostToolUseFailure",  CONTEXT_OR_BLOCK), // seen; the model reads a block's reason
    ("PostToolBatch",       CONTEXT_OR_BLOCK), // seen; a block ends the turn
    ("Stop",                CONTINUE_TURN),    // seen; a block makes the model continue, too
    ("SubagentStop",        CONTINUE_TURN),    // seen; a block makes the model continue, too
    ("PreCompact",          ONLY_BLOCK),       // seen: any other output, even JSON, goes to the summarizer
    ("PreModelSwitch",      PERMISSION),       // schema
    ("PostModelSwitch",     CONTEXT),          // schema
    ("ConfigChange",        BLOCK),            // schema
    ("TaskCreated",         BLOCK),            // schema
    ("WorktreeCreate",      NOTHING),          // schema: the output is taken for the path of the worktree
    ("Setup",               MINIMUM),          // seen: context does not reach the model
];

impl ReplyCapabilities {
    /// Returns the capabilities of the event with this `hook_event_name`.
    pub fn of(event: &str) -> Self {
        EVENTS.iter().find(|(name, _)| *name == event).map_or(MINIMUM, |(_, capabilities)| *capabilities)
    }
}
