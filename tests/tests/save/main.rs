//! The save layer: the lessons of a session are saved, each once, and nothing else is.

mod ask_agent;
mod flush_triggers;
mod followed;
mod model_failures;
mod model_resolution;
mod opt_out;
mod origin;
mod project;
mod repeated_flush;
mod rules_resolution;
mod spend_cap;
mod switched_off;

use interleaf::harness::{Harness, Outcome, event};
use interleaf_tests::transcript_builder::TranscriptBuilder;

/// Returns a session with lessons: a rule, a fact and a commit.
fn lesson() -> TranscriptBuilder {
    TranscriptBuilder::new()
        .user("install the dependencies and run the tests please")
        .command("npm install", "added 12 packages")
        .user(
            "no, from now on never use npm here, always use pnpm: npm writes a lockfile of its own and CI \
             rejects it",
        )
        .failure("make test", "error: cannot find module vitest\nmake: *** [Makefile:7: test] Error 1")
        .command("pnpm install", "Done in 412ms")
        .command("make test", "ok. 12 passed")
        .command("git commit -qam 'Install with pnpm'", "")
        .assistant("Tests pass. `make test` needs what `pnpm install` installs.")
}

/// Returns the layer with this conversation as its transcript.
fn after(conversation: &TranscriptBuilder) -> Harness {
    Harness::embedded("save").expect("it is embedded").transcript(&conversation.lines())
}

/// Ends the session, runs its jobs and returns the outcome.
fn saved(harness: &Harness) -> Outcome {
    harness.send(&event::session_end("other")).expect("an event");
    harness.run_jobs().expect("the jobs end")
}

/// Returns the texts of the memories of this category.
fn texts(outcome: &Outcome, category: &str) -> Vec<String> {
    let of = outcome.memories.iter().filter(|memory| memory.category.as_str() == category);
    of.map(|memory| memory.text.clone()).collect()
}
