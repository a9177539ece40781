//! A layer that misbehaves as the prompt asks. It reads the prompt up to the first colon; the rest is for the
//! layers beside it. The host must survive every misbehavior.

mod answer;
mod ask;
mod exhaust;
mod forge;
mod reach;

use interleaf_layer::prelude::*;

/// The layer.
pub struct Hostile;
export_layer!(Hostile: user_prompt, pre_tool, stop);

impl user_prompt::Handler for Hostile {
    fn handle(event: user_prompt::Event) -> Result<Reply> {
        misbehave(event.prompt.split(':').next().unwrap_or_default())
    }
}

impl pre_tool::Handler for Hostile {
    fn handle(event: pre_tool::Event) -> Result<Reply> {
        let behavior = answer::BEFORE_A_TOOL.into_iter().find(|how| event.tool_input.contains(how));
        misbehave(behavior.unwrap_or("deny and ask"))
    }
}

impl stop::Handler for Hostile {
    fn handle(event: stop::Event) -> Result<Reply> {
        misbehave(event.last_message.as_deref().unwrap_or_default())
    }
}

/// The result of a misbehavior; `None` if the module does not know it.
type Misbehavior = Option<Result<Reply>>;

fn misbehave(how: &str) -> Result<Reply> {
    let files = [exhaust::run, reach::run, forge::run, answer::run, ask::run];
    files.into_iter().find_map(|run| run(how)).unwrap_or_else(|| Ok(text_reply("all is well")))
}

fn text_reply(text: &str) -> Reply {
    reply(vec![Item::text(text, 0.5)])
}

fn reply(items: Vec<Item>) -> Reply {
    Reply::items("From a hostile layer", items)
}
