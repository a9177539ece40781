//! Every input of the corpus keeps the property of its target: the seeds, and what fuzzing has once found.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::PROPERTIES;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn every_input_of_the_corpus_keeps_its_property() {
    for (name, property) in PROPERTIES {
        let folder = folder("corpus").join(name);
        let inputs = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let inputs: Vec<PathBuf> = inputs.map(|input| input.unwrap().path()).collect();
        assert!(inputs.len() >= 3, "{name} has too few seeds");
        inputs.iter().for_each(|input| property(&fs::read(input).unwrap()));
    }
}

#[test]
fn every_property_has_a_target_and_a_folder_of_the_corpus() {
    let properties: BTreeSet<String> = PROPERTIES.map(|(name, _)| name.to_owned()).into();

    assert_eq!(names(&folder("fuzz_targets")), properties);
    assert_eq!(names(&folder("corpus")), properties);
}
