//! **pretool**: what is known of a command before it runs, and of a file before it is changed.
//!
//! The thinking is in [`call`], [`danger`], [`guard`], [`widen`] and [`words`] and in the crate `topics`, which know nothing of the host and
//! run in ordinary tests; this file asks the host and answers. Most calls end before anything is asked.

pub mod call;
pub mod danger;
pub mod guard;
pub mod widen;
pub mod words;

use bindings::exports::interleaf::layer::pre_tool::{Event, Guest};
use bindings::interleaf::layer::log::{self, Level};
use bindings::interleaf::layer::memory::{self, Category, Filter, Hit, Memory, Order};
use bindings::interleaf::layer::types::{Content, Context, Decision, Error, Item, Reply};
use bindings::interleaf::layer::{project, settings, state};
use call::Call;
use topics::{Command, Topics};

/// The generated side of the contract.
#[allow(missing_docs, unsafe_code, clippy::all)]
mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "interleaf:layer/on-pre-tool" });

    // Native builds, which only run the tests, have no linker that takes such names.
    #[cfg(target_arch = "wasm32")]
    mod exports_of_the_component {
        use crate::Pretool;
        super::export!(Pretool with_types_in super);
    }
}

/// Memories shown before a command or a change (seed 000: 2).
const LIMIT: u32 = 2;

/// Where the project's list of topics is kept; warmstart and posttool write it.
const TOPICS: &str = "hot-topics";

/// Rules looked through before what cannot be taken back, the most important first.
const RULES: u32 = 100;

/// Commands of one line that are held against the rules.
const GRAVE: usize = 16;

/// Relevance claimed for a memory that names the file, or what is about to be done.
const NAMED: f32 = 0.7;

/// The layer.
pub struct Pretool;

impl Guest for Pretool {
    fn handle(event: Event) -> Result<Reply, Error> {
        let Some(call) = Call::of(&event.tool_name, &event.tool_input) else { return Ok(silence()) };
        let names = names(&call, &event.common.cwd);
        let refused =
            guard::folder(&settings::get()).and_then(|folder| guard::refusal(&call, &names, &folder));
        match (refused, &call) {
            (Some(reason), _) => Ok(Reply { decisions: vec![Decision::Deny(reason)], ..silence() }),
            (None, Call::Command(line)) => before_command(line),
            (None, Call::Change(_)) => before_change(&names),
        }
    }
}

fn before_command(line: &str) -> Result<Reply, Error> {
    let commands = topics::commands(line);
    let asks = widen::reason(&commands).map(|reason| Decision::Ask(reason.to_owned()));
    let grave: Vec<&Command> =
        commands.iter().filter(|command| topics::is_irreversible(command)).take(GRAVE).collect();
    let mut reply = if grave.is_empty() { silence() } else { before_the_irreversible(&grave)? };
    if reply.context.is_none() {
        reply = before_a_topic(&commands)?;
    }
    reply.decisions.extend(asks);
    Ok(reply)
}

/// A rule that fits is shown even if it was shown before: what was read an hour ago is easily forgotten, and this
/// cannot be taken back. The words of such rules are everyday ones (push, drop, delete), by which a search finds
/// nothing, so the rules themselves are looked through.
fn before_the_irreversible(commands: &[&Command]) -> Result<Reply, Error> {
    let categories = vec![Category::Constraint, Category::Decision];
    let filter = Filter { unseen: false, categories, ..unseen() };
    let concerns = |memory: &Memory| {
        let rule = format!("{}\n{}", memory.title, memory.text);
        commands.iter().any(|command| danger::concerns(command, &rule))
    };
    let rules = memory::list(&filter, Order::Importance, RULES)?.into_iter().filter(concerns);
    let mut hits: Vec<Hit> = rules.map(|memory| Hit { memory, relevance: NAMED }).collect();
    hits.extend(search(&[words::whole(commands[0])], &filter)?);
    hits.retain(|hit| hit.memory.is_project_rule);
    let heading = "Settled earlier; what this command does cannot be taken back";
    Ok(answer("irreversible", &commands[0].program, heading, best(hits), true))
}

/// Base patterns are matched before anything is opened, then the project's list.
fn before_a_topic(commands: &[Command]) -> Result<Reply, Error> {
    if let Some(found) = topics::builtin_topic(commands) {
        let command = &commands[found.index];
        let reply = recall(command, found.source, &words::of_base(command))?;
        if reply.context.is_some() {
            return Ok(reply);
        }
    }
    if commands.is_empty() {
        return Ok(silence());
    }
    let kept = state::get(state::Scope::Shared, TOPICS).ok().flatten().unwrap_or_default();
    let topics = Topics::read(&kept);
    let Some((found, topic)) = topics.find(commands).and_then(|found| Some((found, found.topic?))) else {
        return Ok(silence());
    };
    let command = &commands[found.index];
    recall(command, found.source, &words::of_topic(command, &topic.command))
}

fn recall(command: &Command, source: &str, queries: &[String]) -> Result<Reply, Error> {
    let hits = search(queries, &unseen())?;
    Ok(answer(source, &command.program, "What is known of this command", hits, false))
}

/// The best answers to any of the queries.
fn search(queries: &[String], filter: &Filter) -> Result<Vec<Hit>, Error> {
    let mut hits: Vec<Hit> = Vec::new();
    for query in queries {
        hits.extend(memory::search(query, filter, LIMIT)?);
    }
    Ok(best(hits))
}

/// The most relevant, each once.
fn best(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
    let mut seen = std::collections::HashSet::new();
    hits.retain(|hit| seen.insert(hit.memory.id.clone()));
    hits.truncate(LIMIT as usize);
    hits
}

/// The names of the file that is about to be changed; none for a command.
fn names(call: &Call, cwd: &str) -> Vec<String> {
    match call {
        Call::Change(path) => call::names(path, cwd, project::relative_path(path).ok().flatten()),
        Call::Command(_) => Vec::new(),
    }
}

fn before_change(names: &[String]) -> Result<Reply, Error> {
    let hit = |memory: Memory| Hit { memory, relevance: NAMED };
    let hits = memory::about_files(names, &unseen(), LIMIT)?.into_iter().map(hit).collect();
    Ok(answer("file", "", "What is known of this file", hits, false))
}

fn unseen() -> Filter {
    Filter {
        categories: Vec::new(),
        tags: Vec::new(),
        branch: None,
        since: None,
        origins: Vec::new(),
        unseen: true,
    }
}

fn silence() -> Reply {
    Reply { context: None, decisions: Vec::new(), notice: None }
}

fn answer(source: &str, program: &str, heading: &str, hits: Vec<Hit>, urgent: bool) -> Reply {
    if hits.is_empty() {
        return silence();
    }
    let best = hits.iter().map(|hit| hit.relevance).fold(0.0, f32::max);
    let decided = serde_json::json!({ "pretool": {
        "matched": source, "program": program, "hits": hits.len(), "relevance": best, "urgent": urgent,
    } });
    log::write(Level::Info, &decided.to_string());
    let item = |hit: Hit| Item { content: Content::Memory(hit.memory.id), relevance: hit.relevance };
    let items = hits.into_iter().map(item).collect();
    Reply { context: Some(Context { heading: heading.to_owned(), items, urgent }), ..silence() }
}
