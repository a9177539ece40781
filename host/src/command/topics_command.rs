//! `interleaf topics`: lists the commands that trigger a memory lookup, and the source of each.
//!
//! Layers write and match the list. This command prints the list from the project's state.

use std::io::Write;

use interleaf_text::for_terminal;
use serde::{Deserialize, Serialize};

use super::output::{Output, count, format_duration};
use crate::clock::Millis;
use crate::error::Result;
use crate::grant::SHARED_OWNER;
use crate::project_context::ProjectContext;
use crate::state::{Scope, State};

/// Key of the list in the project's state.
pub(super) const TOPICS_KEY: &str = "hot-topics";

/// The commands that the layers match in every project.
const BUILT_IN: &str = "remote (ssh, scp, …), destructive (rm -rf, git push --force, DROP TABLE, …), \
     elevated (sudo, doas), containers (docker, kubectl, …)";

/// List the commands that trigger a memory lookup, and where each comes from
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print JSON: {patterns, generated_at, promoted}
    #[arg(long)]
    json: bool,
}

/// The list as the layers store it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Topics {
    patterns: Vec<Topic>,
    generated_at: Option<Millis>,
    promoted: Vec<Topic>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Topic {
    command: String,
    source: String,
    count: u32,
    at: Millis,
}

/// Returns the stored list as JSON text; `None` if no topic was ever discovered or promoted.
pub(super) fn stored_topics(state: &State) -> Result<Option<String>> {
    state.get(Scope::Project, SHARED_OWNER, TOPICS_KEY)
}

/// Prints the built-in topics, the discovered ones, and those that failures promoted.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let stored = stored_topics(&context.state()?)?.unwrap_or_default();
    let topics: Topics = serde_json::from_str(&stored).unwrap_or_default();
    if args.json {
        return out.json(&topics);
    }
    let now = context.clock.now();
    let ago = |at: Millis| format!("{} ago", format_duration(now - at));
    writeln!(out, "built in     {BUILT_IN}")?;
    match topics.generated_at {
        Some(at) => writeln!(out, "\ndiscovered   {}, at the start of a session", ago(at))?,
        None => {
            writeln!(out, "\nNo topics were discovered yet. The next start of a session looks for them.")?
        }
    }
    for topic in &topics.patterns {
        print(topic, &topic.source, out)?;
    }
    if !topics.promoted.is_empty() {
        writeln!(out, "\npromoted     after a failure, for 30 days")?;
    }
    for topic in &topics.promoted {
        let failures = count(topic.count as usize, "failure");
        print(topic, &format!("{failures}, the last one {}", ago(topic.at)), out)?;
    }
    Ok(())
}

fn print(topic: &Topic, origin: &str, out: &mut Output) -> std::io::Result<()> {
    let command = out.bold(&format!("{:<30}", for_terminal(&topic.command)));
    let origin = out.faint(&for_terminal(origin));
    writeln!(out, "  {command} {origin}")
}
