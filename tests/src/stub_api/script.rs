//! The answers of the stub: routes of turns. A text of the conversation selects the route, so a subagent,
//! whose conversation begins with its own prompt, can have a route of its own.

use super::request::Request;
use serde_json::Value;
use std::collections::BTreeMap;

/// Name of the default route.
pub const MAIN: &str = "main";
/// Name of the route of requests without tools: titles, summaries of the screen and so on.
pub const ASIDE: &str = "aside";

/// All answers of a stub.
pub struct Script {
    routes: Vec<Route>,
}

impl Script {
    /// Creates a script whose main conversation is `turns`. The last turn is repeated as often as needed.
    pub fn new(turns: impl Into<Vec<Turn>>) -> Script {
        Script { routes: vec![Route { name: MAIN, condition: Condition::Otherwise, turns: turns.into() }] }
    }

    /// Adds a route. The first matching route answers.
    pub fn route(mut self, route: Route) -> Script {
        let before_main = self.routes.len() - 1;
        self.routes.insert(before_main, route);
        self
    }
}

/// Turns for certain conversations.
pub struct Route {
    name: &'static str,
    condition: Condition,
    turns: Vec<Turn>,
}

enum Condition {
    Begins(String),
    Asks(String),
    Otherwise,
}

impl Route {
    /// Creates a route for conversations whose first user message contains `text`. This distinguishes a
    /// subagent from its parent.
    pub fn begins(name: &'static str, text: &str, turns: impl Into<Vec<Turn>>) -> Route {
        Route { name, condition: Condition::Begins(text.to_owned()), turns: turns.into() }
    }

    /// Creates a route for requests whose last user message contains `text`.
    pub fn asks(name: &'static str, text: &str, turns: impl Into<Vec<Turn>>) -> Route {
        Route { name, condition: Condition::Asks(text.to_owned()), turns: turns.into() }
    }

    fn matches(&self, request: &Request) -> bool {
        match &self.condition {
            Condition::Begins(text) => request.first_user_text().contains(text),
            Condition::Asks(text) => request.last_user_text().contains(text),
            Condition::Otherwise => request.has_tools(),
        }
    }
}

/// One answer of the model.
#[derive(Clone)]
pub struct Turn {
    pub(super) blocks: Vec<Block>,
    pub(super) input_tokens: u32,
    pub(super) cut_off: bool,
}

/// A part of an answer.
#[derive(Clone)]
pub enum Block {
    /// Text.
    Text(String),
    /// A tool for the client to run.
    ToolUse {
        /// The tool's name, as the client calls it: `Bash`, `Agent`.
        name: &'static str,
        /// Its input.
        input: Value,
    },
}

impl Turn {
    /// Returns a turn in which the model answers with text.
    pub fn says(text: &str) -> Turn {
        Turn::of(Block::Text(text.to_owned()))
    }

    /// Returns a turn in which the model calls a tool; the client then sends the result.
    pub fn uses(name: &'static str, input: Value) -> Turn {
        Turn::of(Block::ToolUse { name, input })
    }

    /// Adds a block. Two tools in one turn run in parallel.
    pub fn and(mut self, block: Block) -> Turn {
        self.blocks.push(block);
        self
    }

    /// Sets the input tokens that the client is told. About 195,000 make it compact the conversation.
    pub fn input_tokens(mut self, tokens: u32) -> Turn {
        self.input_tokens = tokens;
        self
    }

    /// Ends the turn at its token limit.
    pub fn cut_off(mut self) -> Turn {
        self.cut_off = true;
        self
    }

    fn of(block: Block) -> Turn {
        Turn { blocks: vec![block], input_tokens: 100, cut_off: false }
    }
}

/// A script with the progress of each route.
pub struct ScriptState {
    script: Script,
    played: BTreeMap<&'static str, usize>,
}

impl From<Script> for ScriptState {
    fn from(script: Script) -> Self {
        ScriptState { script, played: BTreeMap::new() }
    }
}

impl ScriptState {
    /// Returns the route of `body` and its next turn.
    pub fn next(&mut self, body: &Value) -> (&'static str, Turn) {
        let request = Request { route: ASIDE, body: body.clone() };
        let Some(route) = self.script.routes.iter().find(|route| route.matches(&request)) else {
            return (ASIDE, Turn::says("an aside"));
        };
        let played = self.played.entry(route.name).or_default();
        let turn = route.turns.get(*played).or(route.turns.last()).cloned();
        *played += 1;
        (route.name, turn.unwrap_or_else(|| Turn::says("nothing more to say")))
    }
}
