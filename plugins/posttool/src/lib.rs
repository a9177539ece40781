//! **posttool**: after a tool run, shows known fixes for a failure, makes the failed command a topic, and
//! queues a capture if there is something to learn.
//!
//! [`tool_run`] reads an event, [`detector`] scores it by the [`signals`] that [`scanner`] finds and
//! [`false_positives`] confirms, [`capture`] queues it with an [`excerpt`], [`failure_query`] builds the
//! search query, and [`episodes`] tells what the record knows of the failure. This file calls the host and
//! builds the reply.

pub mod capture;
pub mod command_kind;
pub mod detector;
pub mod episodes;
pub mod excerpt;
pub mod failure_query;
pub mod false_positives;
pub mod scanner;
pub mod settings;
pub mod signals;
#[cfg(test)]
mod tests;
pub mod tool_run;

use capture::RunContext;
use command_kind::CommandKind;
use detector::Finding;
use interleaf_layer::prelude::*;
use interleaf_shell::Command;
use settings::Settings;
use tool_run::{Outcome, ToolRun};
use topics::Topics;

/// Maximum number of fixes shown for one failure.
const MAX_FIXES: usize = 3;

/// Number of search results, of which runbooks are shown first.
const MAX_SEARCH_RESULTS: u32 = 8;

/// Maximum number of episodes read for one failure.
const MAX_EPISODES: u32 = 20;

/// Relevance assigned to what passed after the same failure.
const EPISODE_RELEVANCE: f32 = 0.9;

/// Maximum length of the command in a query, in characters.
const MAX_COMMAND_CHARS: usize = 300;

/// Minimum length of an output that is searched for, in characters.
const MIN_ERROR_CHARS: usize = 10;

/// The posttool layer.
pub struct Posttool;
export_layer!(Posttool: post_tool, tool_failure);

impl post_tool::Handler for Posttool {
    fn handle(event: post_tool::Event) -> Result<Reply> {
        let settings = read_settings();
        if !settings.is_tool_enabled(&event.tool_name) || tool_run::is_own_tool(&event.tool_name) {
            return Ok(Reply::silent());
        }
        let run = ToolRun::from_response(&event.tool_name, &event.tool_input, &event.tool_response);
        Ok(learn(&run, &event.common, &settings))
    }
}

impl tool_failure::Handler for Posttool {
    fn handle(event: tool_failure::Event) -> Result<Reply> {
        if tool_run::is_own_tool(&event.tool_name) {
            return Ok(Reply::silent());
        }
        let run = ToolRun::from_failure(&event.tool_name, &event.tool_input, &event.error, event.interrupted);
        Ok(learn(&run, &event.common, &read_settings()))
    }
}

fn read_settings() -> Settings {
    Settings::parse(&interleaf_layer::settings::get())
}

/// Scores the run, queues a capture, makes the command a topic and searches for fixes. If the host refuses
/// one of these steps, a log line says so and the other steps still run.
fn learn(run: &ToolRun, common: &Common, settings: &Settings) -> Reply {
    let commands = run.command.as_deref().map(interleaf_shell::commands).unwrap_or_default();
    let finding = detector::detect(run, &commands, settings);
    log_finding(run, &finding);
    if finding.learnable {
        let at = interleaf_layer::now_ms();
        let context = RunContext { session: &common.session_id, cwd: &common.cwd, at };
        capture::push(&capture::of(run, &commands, &finding, &context));
    }
    if !finding.needs_fix() {
        return Reply::silent();
    }
    if settings.promote {
        promote(&commands);
    }
    if !settings.fixes {
        return Reply::silent();
    }
    let hits = fixes(run, &commands, &finding, settings.titles).into_iter().map(Item::from);
    Reply::items("Memories about earlier failures like this one", hits.chain(seen_before(run, &common.cwd)))
}

/// Returns what passed after this failure in earlier sessions, as the record has it.
fn seen_before(run: &ToolRun, cwd: &str) -> Option<Item> {
    let line = run.command.as_deref()?;
    match sessions::episodes(line, &run.output, MAX_EPISODES) {
        Ok(known) => Some(Item::text(episodes::text(&known, cwd)?, EPISODE_RELEVANCE)),
        Err(error) => {
            log::failure("the search for earlier sessions failed", &error);
            None
        }
    }
}

/// Promotes the failing command to a topic: the first command that has a topic name.
fn promote(commands: &[Command]) {
    let Some(command) = commands.iter().find(|command| topics::topic_name(command).is_some()) else { return };
    let promoted = |stored: Option<&str>| {
        let mut topics = Topics::read(stored.unwrap_or_default());
        topics.promote(command, interleaf_layer::now_ms()).then(|| topics.to_json())
    };
    if let Err(error) = state::update(Scope::Shared, topics::STATE_KEY, promoted) {
        log::failure("the command was not made a topic", &error);
    }
}

/// Logs the detector's decision and its reasons.
fn log_finding(run: &ToolRun, finding: &Finding) {
    let mut reasons = finding.reasons();
    if reasons.is_empty() {
        let is_interrupted = run.outcome == Outcome::Interrupted;
        reasons.push(if is_interrupted { "the tool was interrupted" } else { "no signal found" }.to_owned());
    }
    log::decision(&serde_json::json!({ "detector": {
        "learnable": finding.learnable,
        "score": (finding.score * 100.0).round() / 100.0,
        "category": finding.category.map(signals::Category::as_str),
        "reasons": reasons,
    } }));
}

/// Returns the memories that fit the command together with its error; runbooks first. A build that failed
/// without an error text is searched for by its command. The search includes memories that this context has
/// seen, on purpose: the host drops them later, so that less relevant memories do not take their places.
fn fixes(run: &ToolRun, commands: &[Command], finding: &Finding, titles: u32) -> Vec<Hit> {
    let error = failure_query::query(&run.output, &finding.hits, |hit| hit.signal.line_weight());
    let has_error = run.output.trim().chars().count() >= MIN_ERROR_CHARS && !error.is_empty();
    if !has_error && command_kind::of(commands) == CommandKind::Other {
        return Vec::new();
    }
    let command: String = run.command.iter().flat_map(|text| text.chars()).take(MAX_COMMAND_CHARS).collect();
    let query = format!("{command}\n{error}");
    let mut hits = found(memory::search(&query, &fix_filter(Filter::new()), MAX_SEARCH_RESULTS));
    hits.sort_by_key(|hit| hit.memory.category != Category::Runbook);
    hits.truncate(MAX_FIXES);
    hits.extend(found(memory::suggest(&query, &fix_filter(Filter::unseen()), titles)));
    hits
}

fn fix_filter(filter: Filter) -> Filter {
    filter.categories([Category::Runbook, Category::Learning, Category::Decision, Category::Constraint])
}

/// Returns the hits; none if the search failed, which is logged.
fn found(hits: Result<Vec<Hit>>) -> Vec<Hit> {
    hits.unwrap_or_else(|error| {
        log::failure("the search for fixes failed", &error);
        Vec::new()
    })
}
