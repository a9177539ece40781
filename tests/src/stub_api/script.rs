//! What the stub answers: routes of turns. A route is chosen by a text of the conversation, so that a
//! subagent, whose conversation begins with its own prompt, plays a script of its own.

use super::request::Request;
use serde_json::Value;
use std::collections::BTreeMap;

/// The name of the route that everything goes to which no other takes.
pub const MAIN: &str = "main";
/// The name of the route of requests without tools: titles, summaries of the screen, and the like.
pub const ASIDE: &str = "aside";

/// All that the stub will say.
pub struct Script {
    routes: Vec<Route>,
}

impl Script {
    /// A script whose main conversation is `turns`. The last turn is repeated for as long as the client asks.
    pub fn new(turns: impl Into<Vec<Turn>>) -> Script {
        Script { routes: vec![Route { name: MAIN, when: When::Otherwise, turns: turns.into() }] }
    }

    /// Adds a route; the first that fits is taken.
    pub fn route(mut self, route: Route) -> Script {
        let before_main = self.routes.len() - 1;
        self.routes.insert(before_main, route);
        self
    }
}

/// Turns for certain conversations.
pub struct Route {
    name: &'static str,
    when: When,
    turns: Vec<Turn>,
}

enum When {
    Begins(String),
    Asks(String),
    Otherwise,
}

impl Route {
    /// Conversations whose first user message contains `text`: how a subagent is told from its parent.
    pub fn begins(name: &'static str, text: &str, turns: impl Into<Vec<Turn>>) -> Route {
        Route { name, when: When::Begins(text.to_owned()), turns: turns.into() }
    }

    /// Requests whose last user message contains `text`.
    pub fn asks(name: &'static str, text: &str, turns: impl Into<Vec<Turn>>) -> Route {
        Route { name, when: When::Asks(text.to_owned()), turns: turns.into() }
    }

    fn fits(&self, request: &Request) -> bool {
        match &self.when {
            When::Begins(text) => request.first_user_text().contains(text),
            When::Asks(text) => request.last_user_text().contains(text),
            When::Otherwise => request.has_tools(),
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
    /// Words.
    Text(String),
    /// A tool that the client shall run.
    ToolUse {
        /// The tool's name, as the client calls it: `Bash`, `Agent`.
        name: &'static str,
        /// Its input.
        input: Value,
    },
}

impl Turn {
    /// The model says something, and its turn is over.
    pub fn says(text: &str) -> Turn {
        Turn::of(Block::Text(text.to_owned()))
    }

    /// The model uses a tool, and the client will come back with the result.
    pub fn uses(name: &'static str, input: Value) -> Turn {
        Turn::of(Block::ToolUse { name, input })
    }

    /// One part more: two tools in one turn run side by side.
    pub fn and(mut self, block: Block) -> Turn {
        self.blocks.push(block);
        self
    }

    /// How large the client is told its request was; about 195,000 makes it compact by itself.
    pub fn input_tokens(mut self, tokens: u32) -> Turn {
        self.input_tokens = tokens;
        self
    }

    /// The model's turn ends at its limit of tokens.
    pub fn cut_off(mut self) -> Turn {
        self.cut_off = true;
        self
    }

    fn of(block: Block) -> Turn {
        Turn { blocks: vec![block], input_tokens: 100, cut_off: false }
    }
}

/// A script and how far each of its routes has come.
pub struct Playing {
    script: Script,
    played: BTreeMap<&'static str, usize>,
}

impl From<Script> for Playing {
    fn from(script: Script) -> Self {
        Playing { script, played: BTreeMap::new() }
    }
}

impl Playing {
    /// The route of `body` and its next turn.
    pub fn next(&mut self, body: &Value) -> (&'static str, Turn) {
        let request = Request { route: ASIDE, body: body.clone() };
        let Some(route) = self.script.routes.iter().find(|route| route.fits(&request)) else {
            return (ASIDE, Turn::says("an aside"));
        };
        let played = self.played.entry(route.name).or_default();
        let turn = route.turns.get(*played).or(route.turns.last()).cloned();
        *played += 1;
        (route.name, turn.unwrap_or_else(|| Turn::says("nothing more to say")))
    }
}
