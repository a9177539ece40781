//! Exhaustion of time, memory, stack, output, log, state and host calls; and exits before an answer.

use std::hint::black_box;

use interleaf_layer::prelude::*;

use crate::{Misbehavior, text_reply};

/// Nesting depth of a value.
const DEEP: usize = 50_000;

pub(crate) fn run(how: &str) -> Misbehavior {
    Some(match how {
        "spin" => spin(),
        "spin around a host call" => spin_around_a_host_call(),
        "allocate" => allocate(),
        "call the host without memory" => call_without_memory(),
        "trap" => std::process::abort(),
        "exit with 0" => std::process::exit(0),
        "exit with 1" => std::process::exit(1),
        "recurse" => Ok(text_reply(&recurse(black_box(1)).to_string())),
        "flood the output" => Ok(text_reply(&"x".repeat(1 << 20))),
        "flood the standard output" => Ok(flood_standard_output()),
        "flood the log" => Ok(flood_log()),
        "flood the host" => flood_host(),
        "flood the host in silence" => Ok(flood_host().unwrap_or_else(|_| text_reply("as if nothing were"))),
        "flood the state" => flood_state(),
        "flood the queue" => flood_queue(),
        "hand over a large string" => search(2 << 20),
        "hand over a huge string" => search(40 << 20),
        "hand over deep JSON" => deep_json(),
        _ => return None,
    })
}

fn spin<T>() -> T {
    let mut n = 0u64;
    loop {
        n = black_box(n.wrapping_add(1));
    }
}

fn spin_around_a_host_call<T>() -> T {
    loop {
        let _ = black_box(state::get(Scope::Project, "key"));
    }
}

fn allocate<T>() -> T {
    let mut hoard = Vec::new();
    loop {
        hoard.push(black_box(vec![1u8; 1 << 20]));
    }
}

/// Allocates all memory down to the last bytes, then calls a host function that returns a string.
fn call_without_memory() -> Result<Reply> {
    state::set(Scope::Project, "key", &"x".repeat(10_000))?;
    let mut hoard: Vec<Vec<u8>> = Vec::with_capacity(10_000);
    for size in [1 << 20, 1 << 16, 1 << 12, 1 << 8] {
        loop {
            let mut more = Vec::new();
            if hoard.len() == hoard.capacity() || more.try_reserve_exact(size).is_err() {
                break;
            }
            hoard.push(black_box(more));
        }
    }
    let value = state::get(Scope::Project, "key")?;
    Ok(text_reply(&format!("{} bytes", value.map_or(0, |value| value.len()))))
}

/// Calls itself without locals in memory, so that the host's stack runs out and not its own.
#[inline(never)]
fn recurse(depth: u64) -> u64 {
    if depth == 0 {
        return 1;
    }
    recurse(depth + 1).wrapping_mul(31) ^ depth
}

#[allow(clippy::print_stdout)]
fn flood_standard_output() -> Reply {
    let line = "x".repeat(1 << 10);
    for _ in 0..10_000 {
        println!("{line}");
    }
    text_reply("printed")
}

fn flood_log() -> Reply {
    for n in 0..10_000 {
        log::write(Level::Error, &format!("line {n}"));
    }
    text_reply("flooded")
}

fn flood_host() -> Result<Reply> {
    loop {
        memory::search("anything", &Filter::new(), 1)?;
    }
}

fn flood_state() -> Result<Reply> {
    let value = "x".repeat(60_000);
    for n in 0.. {
        state::set(Scope::Project, &format!("key {n}"), &value)?;
    }
    Ok(text_reply("flooded"))
}

fn flood_queue() -> Result<Reply> {
    for n in 0.. {
        jobs::push_capture(&jobs::Capture { id: format!("capture {n}"), payload: "{}".to_owned() })?;
    }
    Ok(text_reply("flooded"))
}

fn search(bytes: usize) -> Result<Reply> {
    memory::search(&"x".repeat(bytes), &Filter::new(), 1)
        .map(|hits| text_reply(&format!("{} hits", hits.len())))
}

fn deep_json() -> Result<Reply> {
    let deep = "[".repeat(DEEP) + &"]".repeat(DEEP);
    state::set(Scope::Project, "deep", &deep[..60_000])?;
    let draft = Draft { content: Some(deep), ..crate::forge::draft(Category::Learning, Origin::Assistant) };
    memory::create(&draft).map(|_| text_reply("written"))
}
