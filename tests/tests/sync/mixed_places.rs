//! Memories that go through places of every kind: notes, a server and files that travel with commits. Four
//! people write, change and retire them, and some of their exchanges are killed.

use std::process::Stdio;
use std::time::Duration;

use interleaf_tests::program::program;
use interleaf_tests::random::{Random, Seed};

use super::clones::{Clone, Origin};
use super::team::{PROJECT, Team};

/// The people, and where each exchanges memories. Between the first and the last lie places of all kinds.
const PEOPLE: [(&str, &[&str]); 4] = [
    ("ada", &["git-notes"]),
    ("ben", &["git-notes", "postgres"]),
    ("cleo", &["postgres", "files"]),
    ("dan", &["files"]),
];

const STEPS: usize = 80;

/// The number of exchanges of everybody after which nothing is left to be exchanged: each takes a memory one
/// place further, in the worst case.
const ROUNDS: usize = 6;

struct Person {
    clone: Clone,
    places: &'static [&'static str],
}

#[test]
fn memories_that_go_through_places_of_all_kinds_are_the_same_everywhere() {
    let Some(team) = Team::new() else { return };
    let (origin, seed) = (Origin::new(), Seed::of_this_run());
    let mut random = Random::new(seed.number());
    let people = PEOPLE.map(|(name, places)| Person::new(&team, &origin, name, places));
    let (mut written, mut retired) = (Vec::new(), Vec::new());

    for _ in 0..STEPS {
        let person = random.choose(&people);
        match random.below(8) {
            0..=2 => written.push(person.clone.remember(&random.words(9))),
            3 => person.update_one(&mut random),
            4 => retired.extend(person.retire_one(&mut random)),
            5 => person.start_and_kill_an_exchange(&mut random),
            _ => person.exchange(),
        }
    }
    for _ in 0..ROUNDS {
        people.iter().for_each(Person::exchange);
    }

    let first = people[0].clone.active();
    let ids: Vec<String> = people[0].ids();
    for id in &written {
        assert_eq!(ids.contains(id), !retired.contains(id), "{id}: was it retired: {}", retired.contains(id));
    }
    for person in &people {
        let active = person.clone.active();
        let differing: Vec<&String> = first.symmetric_difference(&active).collect();
        assert!(differing.is_empty(), "{:?}: {differing:#?}", person.places);
        let again = person.clone.interleaf(&["sync", "--yes"]).success();
        assert!(again.contains("Nothing new"), "{:?}: {again}", person.places);
    }
}

impl Person {
    fn new(team: &Team, origin: &Origin, name: &str, places: &'static [&'static str]) -> Self {
        let clone = origin.clone_for(name);
        let clone = match places.contains(&"postgres") {
            true => team.join(clone, name, "curate", &format!("project = \"{PROJECT}\"")).clone,
            false => clone,
        };
        for place in places {
            clone.interleaf(&["sync", "--to", place, "--yes"]).success();
        }
        Self { clone, places }
    }

    /// The ids of the active memories.
    fn ids(&self) -> Vec<String> {
        let list = self.clone.interleaf(&["memory", "list", "--json", "--limit", "1000"]).success();
        let memories =
            list.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a memory"));
        memories.map(|memory| memory["id"].as_str().expect("an id").to_owned()).collect()
    }

    fn update_one(&self, random: &mut Random) {
        let ids = self.ids();
        if !ids.is_empty() {
            let (id, text) = (random.choose(&ids).clone(), random.words(9));
            let version = self.clone.memory(&id)["version"].to_string();
            let change = ["--text", &text, "--version", &version, "--reason", "it changed"];
            self.clone.interleaf(&[&["memory", "update", &id], &change[..]].concat()).success();
        }
    }

    /// Retires a memory, unless there is none, and returns its id.
    fn retire_one(&self, random: &mut Random) -> Option<String> {
        let ids = self.ids();
        let id = (!ids.is_empty()).then(|| random.choose(&ids).clone())?;
        self.clone.interleaf(&["forget", &id, "--yes"]).success();
        Some(id)
    }

    /// Exchanges with all places of this person. Files come with the commits of others, and go with theirs.
    fn exchange(&self) {
        let uses_files = self.places.contains(&"files");
        self.clone.interleaf(&["sync", "--yes"]).success();
        if uses_files {
            self.pull_and_push();
            self.clone.interleaf(&["sync", "--yes"]).success();
            self.pull_and_push();
        }
    }

    /// Commits everything, merges what others committed, also in conflict, and pushes.
    fn pull_and_push(&self) {
        self.commit();
        if !self.git(&["pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main"]) {
            self.commit();
        }
        assert!(self.git(&["push", "--quiet", "origin", "HEAD:main"]), "the push is a fast-forward");
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "memories"]);
    }

    /// Returns whether git succeeded.
    fn git(&self, arguments: &[&str]) -> bool {
        let mut git = self.clone.scratch.command("git");
        git.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        git.status().expect("git is installed").success()
    }

    fn start_and_kill_an_exchange(&self, random: &mut Random) {
        let mut exchange = self.clone.scratch.command(program());
        exchange.args(["sync", "--yes"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut exchange = exchange.spawn().expect("it is built");
        std::thread::sleep(Duration::from_millis(random.below(120) as u64));
        let _ = exchange.kill();
        let _ = exchange.wait();
    }
}
