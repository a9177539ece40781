//! Two sessions of one project that end at the same moment, with a model and a cap on its tokens.

use interleaf_tests::program::program;
use interleaf_tests::run::run;
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use interleaf_tests::stub_llm::{StubLlm, StubReply};
use interleaf_tests::transcript_builder::TranscriptBuilder;
use serde_json::{Value, json};
use std::thread;

/// Number of rounds in which two sessions end together.
const ROUNDS: u32 = 20;

/// Daily cap in tokens. Every session asks for a draft, and the cap does not suffice for all.
const CAP: u64 = 20_000;

/// Tokens that the server reports for one answer.
const TOOK: u64 = 900 + 100;

#[test]
fn two_sessions_that_end_together_lose_and_duplicate_nothing_and_respect_the_cap() {
    let model = StubLlm::start([StubReply::chat_for(
        "{\"memories\": []}",
        json!({ "prompt_tokens": 900, "completion_tokens": 100 }),
    )]);
    let scratch = Scratch::new();
    scratch.configure(&format!(
        "[llm]\nclient = \"openai\"\nbase_url = \"{}/v1\"\nsmall = \"s\"\nstrong = \"t\"\ndaily_tokens = \
         {CAP}\n",
        model.url()
    ));
    // `init` compiles the layers, too.
    scratch.interleaf(&["compile"]).success();

    for round in 0..ROUNDS {
        thread::scope(|scope| {
            for session in ["one", "two"] {
                let event = ending(&scratch, session, round);
                let mut command = scratch.command(program());
                command.arg("hook").env("CLAUDECODE", "1");
                scope.spawn(move || run(&mut command, event.as_bytes(), HANG_TIMEOUT).success());
            }
        });
    }
    scratch.interleaf(&["jobs", "run"]).success();

    let export = scratch.interleaf(&["memory", "export"]).success();
    let memories: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for (session, round) in
        ["one", "two"].iter().flat_map(|session| (0..ROUNDS).map(move |round| (session, round)))
    {
        let says = |memory: &&Value| {
            memory["text"].as_str().is_some_and(|text| text.contains(&tool(session, round)))
        };
        let rules = memories.iter().filter(says).filter(|memory| memory["category"] == "preference");
        assert_eq!(rules.count(), 1, "{session} {round}: {export}");
    }
    let took = model.requests().len() as u64 * TOOK;
    assert!(took > 0 && took <= CAP, "{took} tokens of {CAP}");
    let shown = scratch.interleaf(&["llm", "--json"]).success();
    let shown: Value = serde_json::from_str(&shown).expect("JSON");
    assert!(shown.to_string().contains(&took.to_string()), "{took} were taken: {shown}");
}

/// Returns the end of a session with a rule that no other session has.
fn ending(scratch: &Scratch, session: &str, round: u32) -> String {
    let rule = format!(
        "from now on always use {} for the {} exports here, the other one loses the last line",
        tool(session, round),
        word(session, round + 500)
    );
    let conversation = TranscriptBuilder::new()
        .user(&rule)
        .assistant("I will.")
        .command("make export", "done")
        .assistant("The export is made.");
    let session = format!("{session}-{round}");
    let transcript = scratch.root.join(&session).with_extension("jsonl");
    std::fs::write(&transcript, conversation.lines()).expect("ours");
    let fields = json!({ "session_id": session, "transcript_path": transcript, "reason": "other" });
    scratch.event("SessionEnd", fields)
}

fn tool(session: &str, round: u32) -> String {
    format!("{}writer", word(session, round))
}

/// Returns a unique word for every session and round.
fn word(session: &str, round: u32) -> String {
    let mut left = round * 2 + u32::from(session == "two");
    let mut word = String::from("zq");
    for _ in 0..4 {
        word.push(char::from(b"bcdfghklmnprstvw"[(left % 16) as usize]));
        word.push(char::from(b"aeiou"[(left % 5) as usize]));
        left /= 16;
    }
    word
}
