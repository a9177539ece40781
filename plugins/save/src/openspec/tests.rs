//! What work teaches besides facts and the summary: changes, choices, and what is saved already.

use super::mined;
use crate::finding::Origin;
use crate::rules::tests::script::talk;
use crate::rules::{Around, Design, changes, mine};
use crate::transcript::Entry;

#[test]
fn what_the_agent_saved_itself_is_not_found_again() {
    let mined = mined(
        "u: never use float for money here\n$ interleaf remember --category preference \"Never use float for money here\"\n+ saved\na: Saved.",
    );

    assert!(!mined.saved.is_empty() && mined.finds.is_empty());
}

#[test]
fn a_change_has_a_code_map_without_tests_and_manifests() {
    let mined = mined(
        "u: /opsx:apply add-search\nw src/search.rs: pub fn search() {}\nw tests/search.rs: x\nw Cargo.toml: x\nw src/search.test.ts: x\na: In.",
    );

    let (name, map) = &mined.once[0];
    assert_eq!(name, "code-map/add-search");
    assert_eq!(map.text, "The change add-search touched: src/search.rs (search)");
}

#[test]
fn any_input_is_survived_in_time() {
    let long = "a".repeat(1 << 20);
    let odd = "„".repeat(200_000)
        + &"\"".repeat(200_000)
        + "\0\0 never\u{0}use "
        + &"a. ".repeat(100_000)
        + &"1:".repeat(100_000);
    for text in [
        long.as_str(),
        odd.as_str(),
        &"日本".repeat(200_000),
        &"no, never. ".repeat(90_000),
        &"\n".repeat(1 << 20),
    ] {
        let mut talk = talk("u: x\n$ make\n- y\n$ make\n+ z\na: w");
        talk.entries.iter_mut().for_each(|entry| entry.text.push_str(text));
        let mined = mine(&talk, &Around::default());
        assert!(mined.finds.len() < 500);
    }
}

#[test]
fn changes_are_named_by_commands_skills_and_paths() {
    let mut talk = talk(
        "u: /opsx:apply add-search\n\
         r openspec/changes/fix-login/design.md: x\n\
         $ ls openspec/changes/archive/ openspec/changes/*/tasks.md openspec/changes/new-menu/\n+ ok",
    );
    let command = "<command-name>/opsx:explore</command-name>\n<command-args>dark-mode now</command-args>";
    talk.entries[0].text.push('\n');
    talk.entries.push(Entry { text: command.to_owned(), ..talk.entries[0].clone() });

    assert_eq!(changes(&talk), ["add-search", "fix-login", "new-menu", "dark-mode"]);
}

#[test]
fn a_choice_that_the_talk_changed_counts_as_it_is_now() {
    let path = "openspec/changes/add-search/design.md";
    let talk = talk(&format!("u: go\ne {path}: **Choice**: one index => **Choice**: two indexes"));
    let design =
        |text: &str| Design { change: "add-search".to_owned(), path: path.to_owned(), text: text.to_owned() };
    let mined = |text: &str| {
        let designs = [design(text)];
        let around = Around { root: Some("/home/dev/app"), designs: &designs, ..Around::default() };
        mine(&talk, &around).once.remove(0).1
    };

    let written = mined("# Design\n**Choice**: one index");
    let both = mined("# Design\n**Choice**: two indexes\n**Choice**: no stemming");

    assert_eq!(written.text, "Choices of the change add-search: two indexes");
    assert_eq!((written.origin, both.origin), (Origin::Assistant, Origin::ToolOutput));
    assert!(both.text.contains("two indexes / no stemming"));
}

#[test]
fn a_subagents_prompt_states_no_rule() {
    let mined = mined(
        "u: never use float for money in this repo\n$ python a.py\n- SyntaxError: x\n$ python3 a.py\n+ ok\na: It needs Python 3.",
    );

    let left = mined.clone().of_subagent();

    assert_eq!((mined.finds.len(), left.finds.len()), (1, 0));
    assert_eq!((left.facts.len(), left.summary), (1, None));
}
