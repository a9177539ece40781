//! A layer that misbehaves in the way that the prompt asks for, up to its first colon; what follows is for the layers
//! beside it. The host must outlive every one of them.

use bindings::exports::interleaf::layer::{pre_tool, stop, user_prompt};
use bindings::interleaf::layer::types::{Content, Context, Error, Item, Reply};

mod answer;
mod ask;
mod exhaust;
mod forge;
mod reach;

/// The generated side of the contract.
#[allow(missing_docs, unsafe_code, clippy::all)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../../wit",
        inline: "package interleaf:hostile;
            world hostile {
                include interleaf:layer/host@0.1.0;
                export interleaf:layer/user-prompt@0.1.0;
                export interleaf:layer/pre-tool@0.1.0;
                export interleaf:layer/stop@0.1.0;
            }",
        world: "interleaf:hostile/hostile",
        generate_all,
    });

    // Native builds have no linker that takes such names.
    #[cfg(target_arch = "wasm32")]
    mod exports_of_the_component {
        use crate::Hostile;
        super::export!(Hostile with_types_in super);
    }
}

/// The layer.
pub struct Hostile;

impl user_prompt::Guest for Hostile {
    fn handle(event: user_prompt::Event) -> Result<Reply, Error> {
        misbehave(event.prompt.split(':').next().unwrap_or_default())
    }
}

impl pre_tool::Guest for Hostile {
    fn handle(event: pre_tool::Event) -> Result<Reply, Error> {
        let asked = answer::BEFORE_A_TOOL.into_iter().find(|how| event.tool_input.contains(how));
        misbehave(asked.unwrap_or("deny and ask"))
    }
}

impl stop::Guest for Hostile {
    fn handle(event: stop::Event) -> Result<Reply, Error> {
        misbehave(event.last_message.as_deref().unwrap_or_default())
    }
}

/// What came of a misdeed; none if the file that was asked does not know it.
type Deed = Option<Result<Reply, Error>>;

fn misbehave(how: &str) -> Result<Reply, Error> {
    let files = [exhaust::deed, reach::deed, forge::deed, answer::deed, ask::deed];
    files.into_iter().find_map(|deed| deed(how)).unwrap_or_else(|| Ok(words("all is well")))
}

fn words(text: &str) -> Reply {
    reply(vec![Item { content: Content::Text(text.to_owned()), relevance: 0.5 }])
}

fn reply(items: Vec<Item>) -> Reply {
    let context = Context { heading: "From a hostile layer".to_owned(), items, urgent: false };
    Reply { context: Some(context), decisions: Vec::new(), notice: None }
}
