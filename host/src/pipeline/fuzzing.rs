//! The merge of layers' replies for the fuzz targets, which cannot call this module's private parts.

use std::collections::{BTreeSet, HashMap};

use super::layer_execution::LayerAnswer;
use super::reply_merge;
use crate::claude::Reply as ClientReply;
use crate::clock::Clock;
use crate::layer::{Grants, Power};
use crate::log::Log;
use crate::sandbox::bindings::types::{Content, Context, Decision, Item, Reply};

/// Merges made-up replies to an event, of layers with all powers. Each line of `text` is one layer's reply: a
/// decision of the contract with its text (`deny REASON`, `rewrite-input JSON`), `context TEXT` or
/// `notice TEXT`.
pub fn merge(event: &str, text: &str) -> ClientReply {
    let answers = text.lines().filter_map(reply).map(answer).collect();
    reply_merge::merge(event, answers, &Log::in_memory(Clock::System)).reply
}

fn answer(reply: Reply) -> LayerAnswer {
    let grants = Grants { decide: BTreeSet::from(Power::ALL), ..Grants::default() };
    LayerAnswer { layer: "made-up".to_owned(), grants, reply, read: HashMap::new() }
}

fn reply(line: &str) -> Option<Reply> {
    let (kind, text) = line.split_once(' ')?;
    let mut reply = Reply { context: None, decisions: Vec::new(), notice: None };
    match kind {
        "context" => reply.context = Some(context(text)),
        "notice" => reply.notice = Some(text.to_owned()),
        _ => reply.decisions.push(decision(kind, text.to_owned())?),
    }
    Some(reply)
}

fn context(text: &str) -> Context {
    let item = Item { content: Content::Text(text.to_owned()), relevance: 1.0 };
    Context { heading: text.to_owned(), items: vec![item], urgent: false }
}

fn decision(kind: &str, text: String) -> Option<Decision> {
    Some(match kind {
        "deny" => Decision::Deny(text),
        "ask" => Decision::Ask(text),
        "allow" => Decision::Allow(text),
        "block" => Decision::Block(text),
        "go-on" => Decision::GoOn(text),
        "rewrite-input" => Decision::RewriteInput(text),
        "rewrite-output" => Decision::RewriteOutput(text),
        _ => return None,
    })
}
