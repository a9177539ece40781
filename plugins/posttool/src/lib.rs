//! **posttool**: after a tool. A failure brings the fixes that are known for it, its command becomes a topic, and what
//! there is to learn is queued.
//!
//! The way of an event: [`happening`] reads what happened, [`detect`] judges it by the [`signals`] whose [`phrases`] [`scan`] finds
//! and [`guard`] lets stand, [`capture`] puts together what is queued, with its [`excerpt`], and [`query`] says what to
//! search for. They know nothing of the host and run in ordinary tests; this file and [`queue`] ask the host and answer.

pub mod capture;
pub mod detect;
pub mod excerpt;
pub mod guard;
pub mod happening;
pub mod phrases;
pub mod query;
mod queue;
pub mod scan;
pub mod settings;
pub mod signals;
#[cfg(test)]
mod tests;
pub mod verdict;
pub mod work;

use bindings::exports::interleaf::layer::{post_tool, tool_failure};
use bindings::interleaf::layer::log::{self, Level};
use bindings::interleaf::layer::memory::{self, Category, Filter, Hit};
use bindings::interleaf::layer::types::{Common, Content, Context, Error, Item, Reply};
use detect::Finding;
use happening::{End, Happening};
use settings::Settings;
use topics::Command;

/// The generated side of the contract.
#[allow(missing_docs, unsafe_code, clippy::all)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        inline: "package interleaf:posttool;
            world posttool {
                include interleaf:layer/host@0.1.0;
                export interleaf:layer/post-tool@0.1.0;
                export interleaf:layer/tool-failure@0.1.0;
            }",
        world: "interleaf:posttool/posttool",
        generate_all,
    });

    // Native builds, which only run the tests, have no linker that takes such names.
    #[cfg(target_arch = "wasm32")]
    mod exports_of_the_component {
        use crate::Posttool;
        super::export!(Posttool with_types_in super);
    }
}

/// Fixes shown for one failure (seed 000), and how many are looked at to put runbooks first.
const MOST_FIXES: usize = 3;
const LOOKED_AT: u32 = 8;

/// Characters below which an error says nothing to search for (seed 000).
const LEAST_ERROR: usize = 10;

/// The layer.
pub struct Posttool;

impl post_tool::Guest for Posttool {
    fn handle(event: post_tool::Event) -> Result<Reply, Error> {
        let settings = settings();
        if !settings.looks_at(&event.tool_name) {
            return Ok(answer(Vec::new()));
        }
        let happening = Happening::ran(&event.tool_name, &event.tool_input, &event.tool_response);
        Ok(learn(&happening, &event.common, &settings))
    }
}

impl tool_failure::Guest for Posttool {
    fn handle(event: tool_failure::Event) -> Result<Reply, Error> {
        let happening =
            Happening::failed(&event.tool_name, &event.tool_input, &event.error, event.interrupted);
        Ok(learn(&happening, &event.common, &settings()))
    }
}

fn settings() -> Settings {
    Settings::read(&bindings::interleaf::layer::settings::get())
}

/// Judges what happened, queues what there is to learn, and looks for fixes. What the host refuses is in the log: it
/// is no reason to keep silent about the rest.
fn learn(happening: &Happening, common: &Common, settings: &Settings) -> Reply {
    let commands = happening.command.as_deref().map(topics::commands).unwrap_or_default();
    let finding = detect::detect(happening, &commands, settings);
    tell(happening, &finding);
    if finding.learnable {
        let at = queue::now();
        let place = capture::Place { session: &common.session_id, cwd: &common.cwd, at };
        queue::push(&capture::of(happening, &commands, &finding, &place));
    }
    if !finding.wants_a_fix() {
        return answer(Vec::new());
    }
    if settings.promote {
        queue::promote(&commands);
    }
    let hits = if settings.fixes { fixes(happening, &commands, &finding) } else { Vec::new() };
    answer(hits)
}

/// One line for the log: what the detector decided, and why.
fn tell(happening: &Happening, finding: &Finding) {
    let mut reasons = finding.reasons();
    if reasons.is_empty() {
        let interrupted = happening.end == End::Interrupted;
        reasons.push(if interrupted { "it was interrupted" } else { "nothing speaks for it" }.to_owned());
    }
    let detector = serde_json::json!({
        "learnable": finding.learnable,
        "score": (finding.score * 100.0).round() / 100.0,
        "category": finding.category.map(signals::Category::as_str),
        "reasons": reasons,
    });
    log::write(Level::Info, &serde_json::json!({ "detector": detector }).to_string());
}

/// Memories that fit the error, else those that fit the command together with it; runbooks first. An error that says
/// nothing is a failure only of a build, a test or a deployment, and then the command is all there is. What this context
/// was shown already is among them on purpose: the host leaves it out, and nothing that fits less takes its place.
fn fixes(happening: &Happening, commands: &[Command], finding: &Finding) -> Vec<Hit> {
    let error = query::query(&happening.text, &finding.hits, |hit| hit.signal.tells());
    let says_something = happening.text.trim().chars().count() >= LEAST_ERROR && !error.is_empty();
    if !says_something && work::of(commands) == work::Work::Other {
        return Vec::new();
    }
    let mut hits = if says_something { search(&error) } else { Vec::new() };
    let command = commands.iter().find_map(topics::topic_name);
    if let (true, Some(command)) = (hits.is_empty(), command) {
        hits = search(&format!("{command} {error}"));
    }
    hits.sort_by_key(|hit| hit.memory.category != Category::Runbook);
    hits.truncate(MOST_FIXES);
    hits
}

fn search(query: &str) -> Vec<Hit> {
    let categories = vec![Category::Runbook, Category::Learning, Category::Decision, Category::Constraint];
    let filter = Filter {
        categories,
        tags: Vec::new(),
        branch: None,
        since: None,
        origins: Vec::new(),
        unseen: false,
    };
    memory::search(query, &filter, LOOKED_AT).unwrap_or_else(|error| {
        queue::complain("fixes could not be searched for", &error);
        Vec::new()
    })
}

fn answer(hits: Vec<Hit>) -> Reply {
    let item = |hit: Hit| Item { content: Content::Memory(hit.memory.id), relevance: hit.relevance };
    let items: Vec<Item> = hits.into_iter().map(item).collect();
    let heading = "Fixes known from earlier failures".to_owned();
    let context = (!items.is_empty()).then_some(Context { heading, items, urgent: false });
    Reply { context, decisions: Vec::new(), notice: None }
}
