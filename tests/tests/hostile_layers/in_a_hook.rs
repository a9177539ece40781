//! The same in the program that people install: accepted by a person, in a hook of a process of its own.

use interleaf_tests::harmless::check_harmless;
use interleaf_tests::scratch::Scratch;
use serde_json::{Value, json};

use super::*;

/// What a project may set: less time than the patient configuration of these worlds gives.
const LIMITS: &str = "[layers.hostile.limits]\ndeadline_ms = { user-prompt = 2000 }\n";

const MISDEEDS: [(&str, &str); 6] = [
    ("spin", "stopped at its deadline of 2000 ms"),
    ("allocate", "memory limit of 134217728 bytes exceeded by 65536 bytes"),
    ("recurse", "stack limit of 524288 bytes exceeded: endless recursion?"),
    ("exit with 0", "exited with code 0 instead of answering"),
    ("flood the output", "output limit of 65536 bytes exceeded by 983060 bytes"),
    ("trap", "trapped: wasm trap: wasm `unreachable` instruction executed"),
];

#[test]
fn in_a_hook_each_is_contained_and_doctor_names_it() {
    let scratch = Scratch::new();
    scratch.interleaf(&["remember", MEMORY]).success();
    scratch.offer("hostile", &guests::hostile(), LIMITS);
    scratch.accept("hostile", &[]).success();

    for (misdeed, _) in MISDEEDS {
        // A session each: one in which a layer fails three times goes on without it.
        let fields = json!({"session_id": misdeed, "prompt": format!("{misdeed}: {QUESTION}")});
        let ran = scratch.hook(scratch.event("UserPromptSubmit", fields));
        assert_eq!(check_harmless(&ran), Ok(()), "{misdeed}");
        assert!(ran.out().contains(MEMORY), "{misdeed}: {}", ran.out());
        assert!(!ran.out().contains("layer=\\\"hostile\\\""), "{misdeed}: {}", ran.out());
    }

    let report: Value =
        serde_json::from_str(&scratch.interleaf(&["doctor", "--json"]).success()).expect("JSON");
    let failures = report["failures"].as_array().expect("a list");
    for (misdeed, record) in MISDEEDS {
        let named = |failure: &Value| failure["layer"] == "hostile" && failure["message"] == record;
        assert!(failures.iter().any(named), "{misdeed}: {failures:?}");
    }
}
