//! The same misbehaviors in the program that people install: the layer is accepted and runs in a hook's
//! process.

use interleaf_tests::harmless::check_harmless;
use interleaf_tests::scratch::Scratch;
use serde_json::{Value, json};

use super::*;

/// Project settings that shorten the long deadline of the test configuration.
const LIMITS: &str = "[layers.hostile.limits]\ndeadline_ms = { user-prompt = 2000 }\n";

const MISBEHAVIORS: [(&str, &str); 6] = [
    ("spin", "stopped at its deadline of 2000 ms"),
    ("allocate", "memory limit of 134217728 bytes exceeded by 65536 bytes"),
    ("recurse", "stack limit of 524288 bytes exceeded: endless recursion?"),
    ("exit with 0", "exited with code 0 instead of answering"),
    ("flood the output", "output limit of 65536 bytes exceeded by 983060 bytes"),
    ("trap", "trapped: wasm trap: wasm `unreachable` instruction executed"),
];

#[test]
fn in_a_hook_each_misbehavior_is_contained_and_doctor_names_it() {
    let scratch = Scratch::new();
    scratch.interleaf(&["remember", MEMORY]).success();
    scratch.add_layer("hostile", &guests::hostile(), LIMITS);
    scratch.accept("hostile", &[]).success();

    for (misbehavior, _) in MISBEHAVIORS {
        // One session each, because a layer that fails three times in a session is suspended.
        let fields = json!({"session_id": misbehavior, "prompt": format!("{misbehavior}: {QUESTION}")});
        let ran = scratch.hook(scratch.event("UserPromptSubmit", fields));
        assert_eq!(check_harmless(&ran), Ok(()), "{misbehavior}");
        assert!(ran.out().contains(MEMORY), "{misbehavior}: {}", ran.out());
        assert!(!ran.out().contains("layer=\\\"hostile\\\""), "{misbehavior}: {}", ran.out());
    }

    let report: Value = serde_json::from_str(&scratch.interleaf(&["doctor", "--json"]).out()).expect("JSON");
    let failures = report["failures"].as_array().expect("a list");
    for (misbehavior, record) in MISBEHAVIORS {
        let named = |failure: &Value| failure["layer"] == "hostile" && failure["message"] == record;
        assert!(failures.iter().any(named), "{misbehavior}: {failures:?}");
    }
}
