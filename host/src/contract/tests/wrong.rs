//! Whole components that are made for something else: each is told what was expected and what was found.

use super::made::component;
use super::{PROMPTS, inspected, layer, told};

const PROMPT: &str = "interleaf:layer/user-prompt@0.1.0, function handle";
const MEMORY: &str = "interleaf:layer/memory@0.1.0, function";

#[test]
fn a_field_of_another_type_is_found_however_deep_it_lies() {
    let wasm = layer(PROMPTS, &[("relevance: f32", "relevance: f64")]);

    let faults = told(&wasm);

    assert!(
        faults.contains(&format!("{PROMPT}: field `relevance` of record `item`: expected f32, found f64"))
    );
    assert!(
        faults.contains(&format!(
            "{MEMORY} search: field `relevance` of record `hit`: expected f32, found f64"
        ))
    );
}

#[test]
fn a_type_around_another_is_told_whole() {
    let wasm = layer(PROMPTS, &[("items: list<item>", "items: list<string>")]);

    assert_eq!(
        told(&wasm),
        [format!("{PROMPT}: field `items` of record `context`: expected list<item>, found list<string>")]
    );
}

#[test]
fn a_field_too_few_too_many_or_renamed_is_named() {
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
        assert_eq!(told(&layer(PROMPTS, &[(from, to)])), [format!("{PROMPT}: {expected}")]);
    }
}

#[test]
fn a_case_of_a_variant_or_enum_is_named() {
    let cases = [
        ("go-on(string)", "go-on", "case `go-on` of variant `decision`: expected string, found no value"),
        ("block(string)", "halt(string)", "variant `decision`: expected case `block`, found case `halt`"),
    ];
    for (from, to, expected) in cases {
        assert_eq!(told(&layer("export user-prompt;", &[(from, to)])), [format!("{PROMPT}: {expected}")]);
    }
    let wasm = layer(PROMPTS, &[("context, blocker }", "context }")]);
    let expected = "enum `category`: expected case `blocker`, found no case";
    assert!(told(&wasm).contains(&format!("{MEMORY} list: {expected}")), "{:?}", told(&wasm));
}

#[test]
fn a_function_of_another_shape_is_told_whole() {
    let wasm = layer(
        "import settings; export stop;",
        &[("get: func() -> string", "get: func(key: string) -> string")],
    );

    assert_eq!(
        told(&wasm),
        ["interleaf:layer/settings@0.1.0, function get: expected func() -> string, \
          found func(key: string) -> string"]
    );
}

#[test]
fn an_event_without_its_function_is_no_answer() {
    let wasm = layer("export user-prompt;", &[("handle: func", "on-event: func")]);

    assert_eq!(
        told(&wasm),
        [format!("{PROMPT}: expected func(event: event) -> result<reply, error>, found no such function")]
    );
}

#[test]
fn a_function_or_interface_that_does_not_exist_is_named() {
    let wasm = layer(PROMPTS, &[("  %list: func", "  every: func")]);
    let found = told(&wasm);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with(&format!(
            "{MEMORY} every: no such function: expected one of search, list, get, about-files, create, update, assess, resolve, categories, retire, found func("
        )),
        "{found:?}"
    );

    let wasm = layer(
        "import memories; export stop;",
        &[("interface memory ", "interface memories "), ("import memory;", "")],
    );
    let found = told(&wasm);
    assert!(
        found[0].starts_with("interleaf:layer/memories@0.1.0: no such interface: expected one of"),
        "{found:?}"
    );
}

#[test]
fn another_version_of_the_contract_is_told_once_with_the_next_step() {
    let inspection = inspected(&layer(PROMPTS, &[("@0.1.0", "@0.2.0")]));

    assert_eq!(inspection.contract.as_deref(), Some("0.2.0"));
    let [fault] = inspection.mismatches.as_slice() else { panic!("one fault: {:?}", inspection.mismatches) };
    assert_eq!(
        fault.what,
        "expected version 0.1.x of the contract (this host serves 0.1.0), found version 0.2.0"
    );
    assert!(fault.next.as_deref().is_some_and(|next| next.starts_with("update interleaf")));
}

#[test]
fn a_version_that_only_adds_is_served_until_something_new_is_used() {
    let newer = [("@0.1.0", "@0.1.7")];
    assert_eq!(told(&layer(PROMPTS, &newer)), [""; 0]);

    let uses_more = [("@0.1.0", "@0.1.7"), ("get: func() -> string;", "get: func() -> string; all: func();")];
    let inspection = inspected(&layer(PROMPTS, &uses_more));

    let [fault] = inspection.mismatches.as_slice() else { panic!("one fault: {:?}", inspection.mismatches) };
    assert_eq!(fault.function.as_deref(), Some("all"));
    assert!(fault.next.as_deref().is_some_and(|next| next.starts_with("update interleaf")));
}

#[test]
fn a_component_for_another_world_answers_nothing() {
    let wasm = component(&["package a:b; interface c { d: func(); } world made { export c; }".to_owned()]);

    let faults = told(&wasm);

    assert_eq!(faults.len(), 1);
    assert!(
        faults[0].contains("it answers no event: expected an export of one of session-start,"),
        "{faults:?}"
    );
    assert!(faults[0].ends_with("found a:b/c"), "{faults:?}");
}

/// A world of these imports; each is an interface with one function.
fn importing(package: &str, interface: &str) -> Vec<u8> {
    let theirs = format!("package {package} {{ interface {interface} {{ f: func(); }} }}");
    let (name, version) = package.split_once('@').expect("a version");
    let world = format!("package made:made; {theirs} world made {{ import {name}/{interface}@{version}; }}");
    component(&[world])
}

#[test]
fn what_this_host_does_not_have_is_named_with_the_remedy() {
    let http = inspected(&importing("wasi:http@0.2.6", "outgoing-handler"));
    let fault =
        http.mismatches.iter().find(|fault| fault.interface.starts_with("wasi:http")).expect("a fault");
    assert!(
        fault
            .next
            .as_deref()
            .is_some_and(|next| next.contains("disableFeatures: [\"http\", \"fetch-event\"]"))
    );
    assert!(fault.next.as_deref().is_some_and(|next| next.contains("--stub-wasi")));

    let other = told(&importing("acme:db@1.0.0", "sql"));
    assert!(
        other
            .iter()
            .any(|fault| fault.starts_with("acme:db/sql@1.0.0: expected interleaf:layer or WASI 0.2"))
    );
}

#[test]
fn wasi_is_served_in_its_second_version() {
    let faults = |version: &str| {
        let package = format!("wasi:cli@{version}");
        let told = told(&importing(&package, "environment"));
        told.into_iter().filter(|fault| fault.starts_with("wasi:")).collect::<Vec<_>>()
    };
    assert_eq!(faults("0.2.0"), [""; 0]);
    assert_eq!(faults("0.2.12"), [""; 0]);
    assert_eq!(
        faults("0.3.0"),
        ["wasi:cli/environment@0.3.0: expected WASI of version 0.2.0 to 0.2.12, found 0.3.0"]
    );
    assert!(told(&importing("wasi:cli@0.2.6", "shell")).iter().any(|fault| fault.ends_with("found shell")));
}
