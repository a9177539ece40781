//! The changes of a session, what their designs chose, and the files that they touched.

use super::{changes, in_path, without_date};
use crate::finding::Origin;
use crate::rules;
use crate::sample_script::{found, transcript};
use crate::session::{Design, Surroundings};
use crate::transcript::Entry;

#[test]
fn an_archived_change_has_the_name_that_it_had_before() {
    let mut found = Vec::new();
    in_path(
        "openspec/changes/archive/2026-01-02-add-x/tasks.md openspec/changes/add-x/design.md",
        &mut found,
    );

    assert_eq!(found, ["add-x"]);
    for name in ["2026-01-02", "2026-1-2-add", "v2-add", "2026年-add-something", ""] {
        assert_eq!(without_date(name), name);
    }
}

#[test]
fn a_change_has_a_code_map_without_tests_and_manifests() {
    let found = found(
        "u: /opsx:apply add-search\nw src/search.rs: pub fn search() {}\nw tests/search.rs: x\n\
          w Cargo.toml: x\nw src/search.test.ts: x\na: In.",
    );

    let (name, map) = &found.once[0];
    assert_eq!(name, "code-map/add-search");
    assert_eq!(map.text, "The change add-search touched: src/search.rs (search)");
}

#[test]
fn changes_are_named_by_commands_skills_and_paths() {
    let mut talk = transcript(
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
    let talk = transcript(&format!("u: go\ne {path}: **Choice**: one index => **Choice**: two indexes"));
    let design =
        |text: &str| Design { change: "add-search".to_owned(), path: path.to_owned(), text: text.to_owned() };
    let choices = |text: &str| {
        let designs = [design(text)];
        let surroundings =
            Surroundings { root: Some("/home/dev/app"), designs: &designs, ..Surroundings::default() };
        rules::find(&talk, &surroundings).once.remove(0).1
    };

    let written = choices("# Design\n**Choice**: one index");
    let both = choices("# Design\n**Choice**: two indexes\n**Choice**: no stemming");

    assert_eq!(written.text, "Choices of the change add-search: two indexes");
    assert_eq!((written.origin, both.origin), (Origin::Assistant, Origin::ToolOutput));
    assert!(both.text.contains("two indexes / no stemming"));
}
