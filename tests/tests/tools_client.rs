//! Tools in the real client: memories about a failure are in the request that follows it, and memories about
//! a command are in the request that follows its next run.

use interleaf_tests::client::{Client, Session};
use interleaf_tests::harmless::check_harmless;
use interleaf_tests::program::program;
use interleaf_tests::scratch::Scratch;
use interleaf_tests::stub_api::{Request, Script, StubApi, Turn};
use serde_json::json;

/// A fix, a unique part of its text, and the failure that it helps with.
const FIX: &str =
    "When the parcel export says that its registry handshake expired, run `make renew-lease` and try again.";
const FIX_MARK: &str = "make renew-lease";
const FAILING: &str = "echo 'error: registry handshake expired, parcel export stopped' >&2; exit 3";

/// A memory about a command that has failed.
const SHIP: &str = "ship.sh wants the cold-chain switch off on weekdays, or the carrier refuses the parcels";
const SHIP_MARK: &str = "cold-chain switch";

/// A memory about a command that never failed.
const PACK: &str = "pack.sh wants the blue tape roll loaded, or the packing robot stops";
const PACK_MARK: &str = "blue tape roll";

const OTHERS: [&str; 3] = [
    "Customs forms for Norway need the tariff number on the first page, or the post sends them back.",
    "The search index is rebuilt every night at three; a reindex during the day makes queries slow.",
    "Discount codes are compared without case since the spring campaign.",
];

#[test]
fn a_failing_command_shows_the_fix_saved_earlier_and_a_second_failure_does_not_repeat_it() {
    let Some(client) = Client::find() else { return };
    let scratch = shop(&[FIX]);
    let stub = StubApi::start(Script::new([bash(FAILING), bash(FAILING), Turn::says("fine")]));
    let mut session = client.run(&scratch, &stub).session();

    session.say("please do it");

    assert_eq!(shown(&stub, FIX_MARK), [0, 1, 1], "not before, after the first failure, and once");
    assert_hooks_harmless(&session, "PostToolUseFailure", 2);
    // Checked before the session ends, because its end empties the queue.
    let waiting = scratch.interleaf(&["queue", "list", "--json"]).success();
    assert_eq!(waiting.lines().count(), 1, "{waiting}");
    session.end();
}

#[test]
fn what_a_session_remembers_of_a_command_is_recalled_before_its_next_run_in_the_next_session() {
    let Some(client) = Client::find() else { return };
    let scratch = shop(&[PACK]);
    scratch.write("pack.sh", "#!/bin/sh\necho packed\n");
    scratch.write("ship.sh", "#!/bin/sh\necho \"carrier: refused parcels ($1)\" >&2\nexit 4\n");
    let remember = format!("'{}' remember -c learning '{SHIP}'", program().display());
    let turns = [bash("sh ./ship.sh one"), bash(&remember), bash("sh ship.sh two; true"), Turn::says("fine")];
    let first = StubApi::start(Script::new(turns));
    let mut session = client.run(&scratch, &first).session();

    session.say("please do it");

    assert_eq!(shown(&first, SHIP_MARK), [0, 0, 0, 0], "this session wrote it");
    session.end();
    let turns = [bash("sh pack.sh"), bash("sh ship.sh three; true"), Turn::says("fine")];
    let second = StubApi::start(Script::new(turns));
    let mut session = client.run(&scratch, &second).session();

    session.say("please do it");

    assert_eq!(shown(&second, SHIP_MARK), [0, 0, 1], "with the command, in the next session");
    assert_eq!(shown(&second, PACK_MARK), [0, 1, 1], "before a command that never failed, too");
    assert_hooks_harmless(&session, "PreToolUse", 2);
    session.end();
}

/// Counts for each request of the main conversation how often it shows this memory.
fn shown(stub: &StubApi, mark: &str) -> Vec<usize> {
    let in_memories = |request: &Request| {
        let passages = request.passages_with(mark);
        passages.iter().filter(|passage| passage.text.contains("<interleaf-memory")).count()
    };
    stub.requests_of("main").iter().map(in_memories).collect()
}

fn bash(command: &str) -> Turn {
    Turn::uses("Bash", json!({ "command": command, "description": "a step" }))
}

/// Creates a project with hooks and memories.
fn shop(memories: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    for text in OTHERS.iter().chain(memories) {
        scratch.interleaf(&["remember", "-c", "learning", text]).success();
    }
    scratch.interleaf(&["init"]).success();
    scratch
}

/// Checks that the client ran the hooks this many times and that none of them did harm.
fn assert_hooks_harmless(session: &Session<'_>, event: &str, times: usize) {
    let hooks = session.hook_runs(event);
    assert_eq!(hooks.len(), times, "{event}");
    for hook in hooks {
        assert_eq!(check_harmless(&hook), Ok(()), "{event}");
    }
}
