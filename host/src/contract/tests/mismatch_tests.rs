//! Tests with valid components that do not match the contract: each mismatch names the expected and the found
//! type.

use super::wit_component::component;
use super::{PROMPT_WORLD, inspected, layer, mismatches};

const PROMPT: &str = "interleaf:layer/user-prompt@0.1.0, function handle";
const MEMORY: &str = "interleaf:layer/memory@0.1.0, function";

#[test]
fn a_field_of_another_type_is_found_at_any_depth() {
    let wasm = layer(PROMPT_WORLD, &[("relevance: f32", "relevance: f64")]);

    let found = mismatches(&wasm);

    assert!(
        found.contains(&format!("{PROMPT}: field `relevance` of record `item`: expected f32, found f64"))
    );
    assert!(
        found.contains(&format!(
            "{MEMORY} search: field `relevance` of record `hit`: expected f32, found f64"
        ))
    );
}

#[test]
fn a_type_that_contains_another_is_shown_in_full() {
    let wasm = layer(PROMPT_WORLD, &[("items: list<item>", "items: list<string>")]);

    assert_eq!(
        mismatches(&wasm),
        [format!("{PROMPT}: field `items` of record `context`: expected list<item>, found list<string>")]
    );
}

#[test]
fn a_missing_extra_or_renamed_field_is_named() {
    let cases = [
        ("    urgent: bool,\n", "", "record `context`: expected field `urgent`, found no field"),
        (
            "urgent: bool,",
            "urgent: bool, tone: u8,",
            "record `context`: expected no field, found field `tone`",
        ),
        (
            "urgent: bool",
            "pressing: bool",
            "record `context`: expected field `urgent`, found field `pressing`",
        ),
    ];
    for (from, to, expected) in cases {
        assert_eq!(mismatches(&layer(PROMPT_WORLD, &[(from, to)])), [format!("{PROMPT}: {expected}")]);
    }
}

#[test]
fn a_case_of_a_variant_or_enum_is_named() {
    let cases = [
        ("go-on(string)", "go-on", "case `go-on` of variant `decision`: expected string, found no value"),
        ("block(string)", "halt(string)", "variant `decision`: expected case `block`, found case `halt`"),
    ];
    for (from, to, expected) in cases {
        assert_eq!(
            mismatches(&layer("export user-prompt;", &[(from, to)])),
            [format!("{PROMPT}: {expected}")]
        );
    }
    let wasm = layer(PROMPT_WORLD, &[("context, blocker }", "context }")]);
    let expected = "enum `category`: expected case `blocker`, found no case";
    assert!(mismatches(&wasm).contains(&format!("{MEMORY} list: {expected}")), "{:?}", mismatches(&wasm));
}

#[test]
fn a_function_of_another_shape_is_shown_in_full() {
    let wasm = layer(
        "import settings; export stop;",
        &[("get: func() -> string", "get: func(key: string) -> string")],
    );

    assert_eq!(
        mismatches(&wasm),
        ["interleaf:layer/settings@0.1.0, function get: expected func() -> string, found func(key: string) \
          -> string"]
    );
}

#[test]
fn an_event_without_its_function_is_a_mismatch() {
    let wasm = layer("export user-prompt;", &[("handle: func", "on-event: func")]);

    assert_eq!(
        mismatches(&wasm),
        [format!("{PROMPT}: expected func(event: event) -> result<reply, error>, found no such function")]
    );
}

#[test]
fn an_unknown_function_or_interface_is_named() {
    let wasm = layer(PROMPT_WORLD, &[("  %list: func", "  every: func")]);
    let found = mismatches(&wasm);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with(&format!(
            "{MEMORY} every: no such function: expected one of search, suggest, list, get, about-files, \
             create, update, assess, resolve, categories, retire, found func("
        )),
        "{found:?}"
    );

    let wasm = layer(
        "import memories; export stop;",
        &[("interface memory ", "interface memories "), ("import memory;", "")],
    );
    let found = mismatches(&wasm);
    assert!(
        found[0].starts_with("interleaf:layer/memories@0.1.0: no such interface: expected one of"),
        "{found:?}"
    );
}

#[test]
fn another_version_of_the_contract_is_reported_once_with_a_hint() {
    let inspection = inspected(&layer(PROMPT_WORLD, &[("@0.1.0", "@0.2.0")]));

    assert_eq!(inspection.contract.as_deref(), Some("0.2.0"));
    let [mismatch] = inspection.mismatches.as_slice() else {
        panic!("one mismatch: {:?}", inspection.mismatches)
    };
    assert_eq!(
        mismatch.message,
        "expected version 0.1.x of the contract (this host serves 0.1.0), found version 0.2.0"
    );
    assert!(mismatch.hint.as_deref().is_some_and(|next| next.starts_with("update interleaf")));
}

#[test]
fn a_newer_patch_version_is_served_unless_the_layer_uses_an_addition() {
    let newer = [("@0.1.0", "@0.1.7")];
    assert_eq!(mismatches(&layer(PROMPT_WORLD, &newer)), [""; 0]);

    let uses_more = [("@0.1.0", "@0.1.7"), ("get: func() -> string;", "get: func() -> string; all: func();")];
    let inspection = inspected(&layer(PROMPT_WORLD, &uses_more));

    let [mismatch] = inspection.mismatches.as_slice() else {
        panic!("one mismatch: {:?}", inspection.mismatches)
    };
    assert_eq!(mismatch.function.as_deref(), Some("all"));
    assert!(mismatch.hint.as_deref().is_some_and(|next| next.starts_with("update interleaf")));
}

#[test]
fn a_component_of_another_package_answers_nothing() {
    let wasm = component(&["package a:b; interface c { d: func(); } world test { export c; }".to_owned()]);

    let found = mismatches(&wasm);

    assert_eq!(found.len(), 1);
    assert!(
        found[0].contains("it answers no event: expected an export of one of session-start,"),
        "{found:?}"
    );
    assert!(found[0].ends_with("found a:b/c"), "{found:?}");
}

/// Builds a component that imports this interface, which has one function.
fn importing(package: &str, interface: &str) -> Vec<u8> {
    let imported = format!("package {package} {{ interface {interface} {{ f: func(); }} }}");
    let (name, version) = package.split_once('@').expect("a version");
    let world =
        format!("package test:test; {imported} world test {{ import {name}/{interface}@{version}; }}");
    component(&[world])
}

#[test]
fn an_unavailable_import_is_named_with_a_hint() {
    let http = inspected(&importing("wasi:http@0.2.6", "outgoing-handler"));
    let mismatch = http
        .mismatches
        .iter()
        .find(|mismatch| mismatch.interface.starts_with("wasi:http"))
        .expect("a mismatch");
    assert!(
        mismatch
            .hint
            .as_deref()
            .is_some_and(|next| next.contains("disableFeatures: [\"http\", \"fetch-event\"]"))
    );
    assert!(mismatch.hint.as_deref().is_some_and(|next| next.contains("--stub-wasi")));

    let other = mismatches(&importing("acme:db@1.0.0", "sql"));
    assert!(
        other
            .iter()
            .any(|mismatch| mismatch.starts_with("acme:db/sql@1.0.0: expected interleaf:layer or WASI 0.2"))
    );
}

#[test]
fn only_wasi_0_2_is_served() {
    let found = |version: &str| {
        let package = format!("wasi:cli@{version}");
        let all = mismatches(&importing(&package, "environment"));
        all.into_iter().filter(|mismatch| mismatch.starts_with("wasi:")).collect::<Vec<_>>()
    };
    assert_eq!(found("0.2.0"), [""; 0]);
    assert_eq!(found("0.2.12"), [""; 0]);
    assert_eq!(
        found("0.3.0"),
        ["wasi:cli/environment@0.3.0: expected WASI of version 0.2.0 to 0.2.12, found 0.3.0"]
    );
    assert!(
        mismatches(&importing("wasi:cli@0.2.6", "shell"))
            .iter()
            .any(|mismatch| mismatch.ends_with("found shell"))
    );
}
