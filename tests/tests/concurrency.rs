//! Many processes write at the same time, as the hooks of parallel sessions and subagents do, and every
//! acknowledged write is stored.

use interleaf_tests::program::program;
use interleaf_tests::random::Random;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

const WRITERS: u64 = 16;
const MEMORIES_PER_WRITER: u64 = 200;

/// Time limit of an import, which may have to wait for 15 others, 200 times.
const WAIT_TIMEOUT: Duration = Duration::from_secs(300);

#[test]
fn sixteen_writers_of_two_hundred_memories_lose_none() {
    let scratch = Scratch::new();

    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let scratch = &scratch;
            scope.spawn(move || {
                for memory in 0..MEMORIES_PER_WRITER {
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

    let ran: Vec<ProcessOutput> = std::thread::scope(|scope| {
        let imports = (0..WRITERS).map(|writer| {
            let scratch = &scratch;
            scope.spawn(move || import(scratch, writer))
        });
        imports.collect::<Vec<_>>().into_iter().map(|import| import.join().unwrap()).collect()
    });

    ran.into_iter().for_each(|import| drop(import.success()));
    assert_eq!(texts(&scratch), expected());
}

/// Concurrent writes of the same memory store it once, and every writer succeeds.
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

fn import(scratch: &Scratch, writer: u64) -> ProcessOutput {
    let lines = (0..MEMORIES_PER_WRITER).map(|memory| {
        let id = format!("writer-{writer}-{memory}");
        json!({"id": id, "category": "learning", "text": text(writer, memory)}).to_string() + "\n"
    });
    let input: String = lines.collect();
    run(scratch.command(program()).args(["memory", "import", "-"]), input.as_bytes(), WAIT_TIMEOUT)
}

/// Returns eight words that no other memory has, because near-duplicates would be refused.
fn text(writer: u64, memory: u64) -> String {
    Random::new(writer * MEMORIES_PER_WRITER + memory).words(8)
}

fn expected() -> BTreeSet<String> {
    (0..WRITERS).flat_map(|writer| (0..MEMORIES_PER_WRITER).map(move |memory| text(writer, memory))).collect()
}

fn texts(scratch: &Scratch) -> BTreeSet<String> {
    exported(scratch)
        .iter()
        .map(|memory| memory["text"].as_str().expect("a memory has a text").to_owned())
        .collect()
}

/// Returns all memories from `memory export`: JSON Lines or one list.
fn exported(scratch: &Scratch) -> Vec<Value> {
    let export = run(scratch.command(program()).args(["memory", "export"]), b"", HANG_TIMEOUT).success();
    match serde_json::from_str(&export) {
        Ok(Value::Array(memories)) => memories,
        _ => export.lines().map(|line| serde_json::from_str(line).expect("a line is a memory")).collect(),
    }
}
