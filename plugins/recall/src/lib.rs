//! **recall**: shows the memories that fit a prompt, and stays silent when none fits.
//!
//! [`prompt`], [`triggers`] and [`openspec`] decide what to search for. They do not call the host, so
//! ordinary tests can run them. This file calls the host and builds the reply.

pub mod openspec;
pub mod prompt;
pub mod triggers;

use interleaf_layer::prelude::*;
use interleaf_layer::settings::Table;
use triggers::Trigger;

/// Maximum number of memories shown for an ordinary prompt, unless the setting `memories` overrides it.
const MAX_MEMORIES_PER_PROMPT: u32 = 3;

/// Maximum number of memories shown for a prompt that asks about the past.
const MAX_MEMORIES_PER_TRIGGERED_PROMPT: u32 = 5;

/// Maximum number of memories of which only the title is shown, unless the setting `titles` overrides it.
const DEFAULT_TITLES: u64 = 3;

/// Largest value of the settings `memories` and `titles`.
const MAX_SETTING: u64 = 20;

/// Relevance assigned to the newest memories, which answer "where were we?".
const NEWEST_RELEVANCE: f32 = 0.5;

/// Heading of the block that the model sees.
const HEADING: &str = "Memories that may concern this prompt";

/// Key in the session's state that holds the OpenSpec change being worked on.
const CHANGE_KEY: &str = "change";

/// The recall layer.
pub struct Recall;
export_layer!(Recall: user_prompt);

impl user_prompt::Handler for Recall {
    fn handle(event: user_prompt::Event) -> Result<Reply> {
        if !prompt::is_searchable(&event.prompt) {
            return Ok(Reply::silent());
        }
        let settings = settings::table();
        let own_phrases = settings.texts("triggers").unwrap_or_default();
        let trigger = triggers::find(&event.prompt, &own_phrases);
        let limit = max_memories(&settings, trigger);
        if limit == 0 {
            return Ok(Reply::silent());
        }
        let change = current_change(&event.prompt);
        let query = prompt::query(&event.prompt);
        let mut hits = find(&query, change.as_deref(), limit)?;
        if hits.is_empty() && trigger == Some(Trigger::Continuation) {
            hits = newest(limit)?;
        }
        let titles = settings.integer("titles", ..=MAX_SETTING).unwrap_or(DEFAULT_TITLES);
        hits.extend(memory::suggest(&query, &Filter::unseen(), titles as u32)?);
        Ok(Reply::memories(HEADING, hits))
    }
}

fn max_memories(settings: &Table, trigger: Option<Trigger>) -> u32 {
    let setting = settings.integer("memories", ..=MAX_SETTING).and_then(|max| u32::try_from(max).ok());
    setting.unwrap_or(match trigger {
        Some(_) => MAX_MEMORIES_PER_TRIGGERED_PROMPT,
        None => MAX_MEMORIES_PER_PROMPT,
    })
}

/// Returns the change named in this prompt, else the one named earlier in the session. Without the grant
/// `state`, only the former is known.
fn current_change(prompt: &str) -> Option<String> {
    if let Some(change) = openspec::change_in(prompt) {
        let _ = state::set(Scope::Session, CHANGE_KEY, change);
        return Some(change.to_owned());
    }
    state::get(Scope::Session, CHANGE_KEY).ok().flatten()
}

/// Returns the memories that fit the prompt, or the prompt together with the change; best first. The change's
/// name gets a separate search, because it would outweigh the words of a prompt about something else.
fn find(query: &str, change: Option<&str>, limit: u32) -> Result<Vec<Hit>> {
    let mut hits = memory::search(query, &Filter::unseen(), limit)?;
    if let Some(change) = change {
        hits.extend(memory::search(&format!("{change} {query}"), &Filter::unseen(), limit)?);
        hits = memory::best(hits, limit);
    }
    Ok(hits)
}

/// Returns the newest memories about the state of the work.
fn newest(limit: u32) -> Result<Vec<Hit>> {
    let filter =
        Filter::unseen().categories([Category::SessionSummary, Category::Context, Category::Blocker]);
    let memories = memory::list(&filter, Order::Newest, limit)?;
    Ok(memories.into_iter().map(|memory| memory.into_hit(NEWEST_RELEVANCE)).collect())
}

#[cfg(test)]
mod tests {
    use interleaf_layer::testing::Host;

    use super::*;

    /// Returns the number of memories shown for a prompt with these settings, of nine that fit.
    fn number_shown(settings: &str, prompt: &str) -> usize {
        let host = Host::new();
        host.set_settings(settings);
        for n in 0..9 {
            host.add_memory(Category::Decision, &format!("The cart rounds down, reason {n}"));
        }
        let event = user_prompt::Event { prompt: prompt.to_owned(), ..Default::default() };
        let reply = <Recall as user_prompt::Handler>::handle(event).expect("nothing is denied");
        reply.context.map_or(0, |context| context.items.len())
    }

    #[test]
    fn the_setting_memories_limits_the_number_shown() {
        for (settings, number) in [
            (r#"{"memories": 7}"#, 7),
            (r#"{"memories": 0}"#, 0),
            (r#"{"memories": 21}"#, 3),
            (r#"{"memories": -1}"#, 3),
            (r#"{"memories": "many"}"#, 3),
            ("{}", 3),
            ("", 3),
        ] {
            assert_eq!(number_shown(settings, "round the cart up"), number, "{settings}");
        }
    }

    #[test]
    fn a_prompt_that_asks_about_the_past_gets_more_memories() {
        assert_eq!(number_shown("{}", "why did we round down in the cart?"), 5);
        assert_eq!(number_shown(r#"{"triggers": ["laut protokoll", 7]}"#, "Laut Protokoll: cart?"), 5);
    }

    #[test]
    fn a_prompt_that_asks_about_the_last_session_gets_the_newest_memories() {
        let host = Host::new();
        let id = host.add_memory(Category::Context, "The webhook poller is half done");
        let event = user_prompt::Event { prompt: "so, last time?".to_owned(), ..Default::default() };

        let reply = <Recall as user_prompt::Handler>::handle(event).expect("nothing is denied");

        assert_eq!(
            reply.context.map(|context| context.items),
            Some(vec![Item::memory(id, NEWEST_RELEVANCE)])
        );
    }

    #[test]
    fn a_change_named_once_is_searched_for_until_another_is_named() {
        Host::new();

        assert_eq!(current_change("/opsx:apply add-retries").as_deref(), Some("add-retries"));
        assert_eq!(current_change("go on").as_deref(), Some("add-retries"));
        assert_eq!(current_change("/opsx:apply drop-retries").as_deref(), Some("drop-retries"));
    }
}
