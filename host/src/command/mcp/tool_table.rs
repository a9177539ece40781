//! The tools: their names, what the agent is told of each, and what they do. A description is a prompt: it
//! says when to use the tool.

use serde_json::{Map, Value};

use super::tool_arguments::{
    self as arguments, ForgetArguments, IdArguments, RecallArguments, RememberArguments,
    SearchSessionsArguments, ShowSessionArguments,
};
use super::{reading_tools, session_tools, writing_tools};
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;

/// One tool.
pub(super) struct ToolEntry {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    /// Whether it changes nothing.
    pub(super) is_reading: bool,
    /// Whether it can take something away.
    pub(super) is_destructive: bool,
    pub(super) schema: fn() -> Map<String, Value>,
    run: fn(Map<String, Value>, &ProjectContext) -> Result<String>,
}

/// The tools in the order in which they are offered.
pub(super) const TOOLS: [ToolEntry; 7] = [
    ToolEntry {
        name: "recall",
        description: "Search the memories of this project from earlier sessions. Use it before you ask \
            the person something that an earlier session may have settled, before you decide something \
            that may have been decided, and when the person refers to earlier work. It also finds what was \
            not relevant enough to be shown by itself. Returns the best matches first, each with its id.",
        is_reading: true,
        is_destructive: false,
        schema: arguments::schema::<RecallArguments>,
        run: |given, context| reading_tools::recall(arguments::read("recall", given)?, context),
    },
    ToolEntry {
        name: "show",
        description: "Show one memory in full: its whole text, tags, files, cues and origin. Use it when \
            recall cut the text, or before you correct or forget a memory.",
        is_reading: true,
        is_destructive: false,
        schema: arguments::schema::<IdArguments>,
        run: |given, context| reading_tools::show(&arguments::read("show", given)?, context),
    },
    ToolEntry {
        name: "history",
        description: "Show how a memory came about: every change with its date, author, reason and the \
            previous values. Use it when two memories contradict each other, or when it matters since when \
            something holds.",
        is_reading: true,
        is_destructive: false,
        schema: arguments::schema::<IdArguments>,
        run: |given, context| reading_tools::history(&arguments::read("history", given)?, context),
    },
    ToolEntry {
        name: "remember",
        description: "Keep something for later sessions of this project: a decision with its reason, a \
            constraint, a preference, a trap, a fix that worked. Use it sparingly, and not for what the \
            code, git or CLAUDE.md already say. Search with recall first: to correct a memory, name it in \
            supersedes.",
        is_reading: false,
        is_destructive: false,
        schema: arguments::schema::<RememberArguments>,
        run: |given, context| writing_tools::remember(arguments::read("remember", given)?, context),
    },
    ToolEntry {
        name: "forget",
        description: "Withdraw a memory that is wrong or outdated, so that it is no longer found or \
            shown. Show it to the person and ask first; after a yes, call this with yes: true. If \
            something else holds instead, use remember with supersedes.",
        is_reading: false,
        is_destructive: true,
        schema: arguments::schema::<ForgetArguments>,
        run: |given, context| writing_tools::forget(&arguments::read("forget", given)?, context),
    },
    ToolEntry {
        name: "search_sessions",
        description: "Search what was said and run in earlier sessions of this project: prompts, closing \
            messages, commands with their outcomes, error lines, changed files. Use it for how something \
            was done or fixed before, when a file or command was last worked on, or what was tried; recall \
            is for what was decided. Works only if the person has sessions recorded. Returns the best turns \
            first, each with session and turn.",
        is_reading: true,
        is_destructive: false,
        schema: arguments::schema::<SearchSessionsArguments>,
        run: |given, context| {
            session_tools::search_sessions(arguments::read("search_sessions", given)?, context)
        },
    },
    ToolEntry {
        name: "show_session",
        description: "Show a recorded session, some turns at a time: prompts, commands with their outcomes \
            and error lines, changed files, commits, closing messages. Use it to read around a turn that \
            search_sessions found.",
        is_reading: true,
        is_destructive: false,
        schema: arguments::schema::<ShowSessionArguments>,
        run: |given, context| session_tools::show_session(&arguments::read("show_session", given)?, context),
    },
];

/// Calls a tool in the project of the session.
///
/// # Errors
/// `Invalid` for an unknown tool; otherwise those of the tool.
pub(super) fn call(name: &str, given: Map<String, Value>) -> Result<String> {
    let tool = TOOLS.iter().find(|tool| tool.name == name).ok_or_else(|| {
        let names = TOOLS.map(|tool| tool.name).join(", ");
        Error::invalid(format!("there is no tool `{name}`")).hint(format!("use one of: {names}"))
    })?;
    (tool.run)(given, &crate::command::context_of_session()?)
}
