//! `interleaf topics`: which commands are worth a look at the memory here, and where each came from.
//!
//! Layers write the list and layers match it; this only shows what they keep in the project's state.

use std::io::Write;

use serde::{Deserialize, Serialize};

use super::output::{Output, tame};
use crate::clock::Millis;
use crate::error::Result;
use crate::grant::SHARED_OWNER;
use crate::project_context::ProjectContext;
use crate::state::{Scope, State};

/// Where the layers keep the list.
pub(super) const KEY: &str = "hot-topics";

/// What is matched whatever the list says; the layers know it by heart.
const ALWAYS: &str = "remote (ssh, scp, …), destructive (rm -rf, git push --force, DROP TABLE, …), elevated (sudo, doas), \
     containers (docker, kubectl, …)";

const MINUTE: Millis = 60_000;

/// Shows the topics.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print JSON: {patterns, generated_at, promoted}
    #[arg(long)]
    json: bool,
}

/// The list as the layers keep it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
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

/// The list as it is kept; none where nothing was discovered or promoted yet.
pub(super) fn kept(state: &State) -> Result<Option<String>> {
    state.get(Scope::Project, SHARED_OWNER, KEY)
}

/// Shows what is always matched, what was discovered, and what failures promoted.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let text = kept(&context.state()?)?.unwrap_or_default();
    let kept: Kept = serde_json::from_str(&text).unwrap_or_default();
    if args.json {
        return out.json(&kept);
    }
    let now = context.clock.now();
    writeln!(out, "always       {ALWAYS}")?;
    match kept.generated_at {
        Some(at) => writeln!(out, "\ndiscovered   {} ago, at a session's start", age(now - at))?,
        None => writeln!(out, "\nNothing was discovered yet; the start of a session does.")?,
    }
    for topic in &kept.patterns {
        row(topic, &topic.source, out)?;
    }
    if !kept.promoted.is_empty() {
        writeln!(out, "\npromoted     by failures; forgotten 30 days after the last one")?;
    }
    for topic in &kept.promoted {
        let times = if topic.count == 1 { "once".to_owned() } else { format!("{} times", topic.count) };
        row(topic, &format!("failed {times}, {} ago", age(now - topic.at)), out)?;
    }
    Ok(())
}

fn row(topic: &Topic, about: &str, out: &mut Output) -> std::io::Result<()> {
    let command = out.strong(&format!("{:<30}", tame(&topic.command)));
    let about = out.faint(&tame(about));
    writeln!(out, "  {command} {about}")
}

/// How long that is, in the largest unit that is full.
fn age(millis: Millis) -> String {
    let minutes = millis.max(0) / MINUTE;
    match minutes {
        0..60 => format!("{minutes} min"),
        60..2_880 => format!("{} h", minutes / 60),
        _ => format!("{} days", minutes / 1_440),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_told_in_its_largest_full_unit() {
        let told = [-5, 0, 59, 60, 2_879, 2_880, 44_000].map(|minutes| age(minutes * MINUTE));
        assert_eq!(told, ["0 min", "0 min", "59 min", "1 h", "47 h", "2 days", "30 days"]);
    }
}
