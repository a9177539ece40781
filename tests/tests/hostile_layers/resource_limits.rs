//! Layers that use memory, tables, instances and stack without end. The log names the limit and the excess.

use super::*;

#[test]
fn a_layer_that_allocates_without_end_is_stopped_at_the_memory_limit() {
    let outcome = misbehave(hostile("{}"), "allocate");

    assert_stopped(&outcome, "memory limit of 134217728 bytes exceeded by 65536 bytes");
}

#[test]
fn a_host_call_without_memory_left_stops_only_the_layer() {
    let outcome = misbehave(hostile(r#"{"state": true}"#), "call the host without memory");

    assert_eq!(block(&outcome, "hostile"), "");
    assert!(logged(&outcome).starts_with("memory limit of 134217728 bytes exceeded by "));
}

#[test]
fn several_memories_share_one_limit() {
    let outcome = misbehave(wat("many-memories"), "take it");

    assert_stopped(&outcome, "memory limit of 134217728 bytes exceeded by 54525952 bytes");
}

#[test]
fn several_tables_share_one_limit() {
    let outcome = misbehave(wat("many-tables"), "take it");

    assert_stopped(&outcome, "table limit of 100000 elements exceeded by 20000 elements");
}

#[test]
fn a_growing_table_is_stopped_at_its_limit() {
    let outcome = misbehave(wat("growing-table"), "take it");

    assert_stopped(&outcome, "table limit of 100000 elements exceeded by 20001 elements");
}

#[test]
fn a_layer_with_too_many_instances_is_stopped() {
    let many = guests::with_instances(guests::with_instances(guests::wat("answer"), 40), 40);
    let layer = Harness::component("hostile", many).expect("it loads");

    let outcome = misbehave(beside_recall(layer, "{}"), "multiply");

    assert_stopped(&outcome, "limit of 64 instances exceeded by 1");
}

#[test]
fn a_layer_that_recurses_without_end_is_stopped_at_the_stack_limit() {
    let outcome = misbehave(hostile("{}"), "recurse");

    assert_stopped(&outcome, "stack limit of 524288 bytes exceeded: endless recursion?");
}

#[test]
fn a_configured_stack_limit_applies_and_is_named() {
    for bytes in [65_536, 1_048_576] {
        let config = format!("[layers.hostile.limits]\nstack_bytes = {bytes}\n");

        let outcome = misbehave(hostile("{}").config(&config).expect("valid"), "recurse");

        assert_stopped(&outcome, &format!("stack limit of {bytes} bytes exceeded: endless recursion?"));
    }
}

#[test]
fn a_layer_with_another_stack_limit_is_stopped_at_its_deadline_too() {
    let config = "[layers.hostile.limits]\nstack_bytes = 65536\n";

    let outcome = misbehave(hostile("{}").config(config).expect("valid"), "spin");

    assert_stopped(&outcome, "stopped at its deadline of 400 ms");
}
