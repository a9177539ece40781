//! Many processes write at once, as the hooks of parallel sessions and subagents do, and everything that was
//! acknowledged is there afterwards.

use interleaf_tests::program::program;
use interleaf_tests::random::Random;
use interleaf_tests::run::{Ran, run};
use interleaf_tests::scratch::{HANG, Scratch};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

const WRITERS: u64 = 16;
const EACH: u64 = 200;

/// A writer may have to wait for 15 others, 200 times.
const PATIENCE: Duration = Duration::from_secs(300);

#[test]
fn sixteen_writers_of_two_hundred_memories_lose_none() {
    let scratch = Scratch::new();

    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let scratch = &scratch;
            scope.spawn(move || {
                for memory in 0..EACH {
                    scratch.interleaf(&["remember", &text(writer, memory)]).success();
                }
            });
        }
    });

    assert_eq!(texts(&scratch), expected());
}

#[test]
fn sixteen_imports_of_two_hundred_memories_lose_none() {
    let scratch = Scratch::new();

    let ran: Vec<Ran> = std::thread::scope(|scope| {
        let imports = (0..WRITERS).map(|writer| {
            let scratch = &scratch;
            scope.spawn(move || import(scratch, writer))
        });
        imports.collect::<Vec<_>>().into_iter().map(|import| import.join().unwrap()).collect()
    });

    ran.into_iter().for_each(|import| drop(import.success()));
    assert_eq!(texts(&scratch), expected());
}

/// The same memory from everybody at once is one memory, and every writer is told that all is well.
#[test]
fn sixteen_writers_of_the_same_memory_leave_one() {
    let scratch = Scratch::new();

    std::thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| scratch.interleaf(&["remember", &text(0, 0)]).success());
        }
    });

    assert_eq!(texts(&scratch), BTreeSet::from([text(0, 0)]));
    assert_eq!(exported(&scratch).len(), 1);
}

fn import(scratch: &Scratch, writer: u64) -> Ran {
    let lines = (0..EACH).map(|memory| {
        let id = format!("writer-{writer}-{memory}");
        json!({"id": id, "category": "learning", "text": text(writer, memory)}).to_string() + "\n"
    });
    let input: String = lines.collect();
    run(scratch.command(program()).args(["memory", "import", "-"]), input.as_bytes(), PATIENCE)
}

/// Eight words that no other memory has, or the near-duplicates would rightly be refused.
fn text(writer: u64, memory: u64) -> String {
    Random::new(writer * EACH + memory).words(8)
}

fn expected() -> BTreeSet<String> {
    (0..WRITERS).flat_map(|writer| (0..EACH).map(move |memory| text(writer, memory))).collect()
}

fn texts(scratch: &Scratch) -> BTreeSet<String> {
    exported(scratch)
        .iter()
        .map(|memory| memory["text"].as_str().expect("a memory has a text").to_owned())
        .collect()
}

/// All memories, as `memory export` writes them: JSON Lines or one list.
fn exported(scratch: &Scratch) -> Vec<Value> {
    let export = run(scratch.command(program()).args(["memory", "export"]), b"", HANG).success();
    match serde_json::from_str(&export) {
        Ok(Value::Array(memories)) => memories,
        _ => export.lines().map(|line| serde_json::from_str(line).expect("a line is a memory")).collect(),
    }
}
