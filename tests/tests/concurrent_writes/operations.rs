//! One random operation: a command, or a hook whose layer runs a list of operations. Acknowledged operations
//! go into the journal, each with a unique reason.

use super::acknowledged::{Acknowledged, Journal};
use super::project::TestProject;
use interleaf_tests::random::Random;
use interleaf_tests::run::ProcessOutput;
use serde_json::{Value, json};

/// Statements for memories. The two texts of a row are wordings of the same statement.
pub const STATEMENTS: [[&str; 2]; 12] = [
    ["The vendor API allows 10 requests a second", "10 requests a second is what the vendor API allows"],
    ["The vendor API allows 20 requests a second", "20 requests a second is what the vendor API allows"],
    ["Run the migrations before the tests", "Run the migrations before tests"],
    ["Never run the migrations before the tests", "Never run migrations before the tests"],
    ["Use pnpm, never npm", "use pnpm and never use npm!"],
    ["The portal shows the retry count in its header", "The portal's header shows the retry count"],
    ["The staging network is down since the move", "Since the move the staging network is down"],
    ["Waiting for the licence of the map tiles", "Waiting for the map tiles' licence"],
    ["The runner has no disk left for images", "No disk is left for images on the runner"],
    ["数据库连接池上限是二十", "数据库连接池的上限是二十"],
    [
        "Statements are rendered on the server with liquid",
        "Statements are rendered with liquid on the server",
    ],
    ["Invoices need two signatures from accounting", "Invoices need two signatures of accounting"],
];

const CATEGORIES: [&str; 4] = ["decision", "blocker", "learning", "constraint"];

/// Runs one random operation.
pub fn run_one(random: &mut Random, project: &TestProject, journal: &Journal, number: u64) {
    let reason = format!("op {number} of the test");
    match random.below(12) {
        0..=3 => hook(random, project, journal, number),
        4 | 5 => remember(random, project, journal),
        6 | 7 => update(random, project, journal, reason),
        8..=10 => change_status(random, project, journal, reason),
        _ => approve(random, project, journal),
    }
}

fn remember(random: &mut Random, project: &TestProject, journal: &Journal) {
    let (category, text) = (*random.choose(&CATEGORIES), statement(random));
    let ran = project.scratch.interleaf(&["remember", "--json", "-c", category, &text]);
    let Some(answer) = acknowledged(ran, journal, "nothing") else { return };
    if answer["created"] == true {
        journal.acknowledge(Acknowledged::Created { id: id_of(&answer) });
    }
}

/// Updates a memory, sometimes with an outdated version.
fn update(random: &mut Random, project: &TestProject, journal: &Journal, reason: String) {
    let Some(id) = known_id(random, journal) else { return };
    let shown: Value =
        serde_json::from_str(&project.memory(&["show", &id, "--json"]).success()).expect("JSON");
    let behind = u64::from(random.below(4) == 0);
    let version = (shown["version"].as_u64().expect("a version") - behind).to_string();
    let update =
        ["update", &id, "--version", &version, "--reason", &reason, "--json", "--text", &statement(random)];
    if let Some(answer) = acknowledged(project.memory(&update), journal, &reason) {
        assert_eq!(behind, 0, "{id} was changed in an outdated version: {answer}");
        let version = answer["version"].as_u64().expect("a version");
        journal.acknowledge(Acknowledged::ChangedTo { id, version, reason });
    }
}

fn change_status(random: &mut Random, project: &TestProject, journal: &Journal, reason: String) {
    let Some(id) = known_id(random, journal) else { return };
    let verb = *random.choose(&[
        "retire",
        "retire",
        "archive",
        "unarchive",
        "unarchive",
        "restore",
        "restore",
        "restore",
    ]);
    let yes: &[&str] = if verb == "retire" { &["--yes"] } else { &[] };
    let ran = project.memory(&[&[verb, &id, "--reason", &reason, "--json"], yes].concat());
    let Some(answer) = acknowledged(ran, journal, &reason) else { return };
    let version = answer["version"].as_u64().expect("a version");
    let status = answer["status"].as_str().expect("a status").to_owned();
    journal.acknowledge(Acknowledged::HadStatus { id, version, status });
}

/// Rates a memory, collects garbage, or confirms a memory at a terminal.
fn approve(random: &mut Random, project: &TestProject, journal: &Journal) {
    let Some(id) = known_id(random, journal) else { return };
    match random.below(4) {
        0 => drop(project.memory(&["gc", "--yes"]).success()),
        1 => {
            let ran = project.scratch.at_a_terminal(&format!("memory confirm {id}"), "");
            record_exit(ran, journal, Acknowledged::Counted { id, what: "confirmed by a person" });
        }
        _ => {
            let ran = project.memory(&["rate", &id, if random.below(2) == 0 { "up" } else { "down" }]);
            record_exit(ran, journal, Acknowledged::Counted { id, what: "rated" });
        }
    }
}

fn record_exit(ran: ProcessOutput, journal: &Journal, change: Acknowledged) {
    match ran.code {
        Some(0) => journal.acknowledge(change),
        _ => journal.refuse("nothing".into()),
    }
}

/// Runs up to three operations of the layer in one hook.
fn hook(random: &mut Random, project: &TestProject, journal: &Journal, number: u64) {
    let reason = |index: usize| format!("op {number}.{index} of the test");
    let operations: Vec<Value> =
        (0..=random.below(3)).map(|index| operation(random, journal, &reason(index))).collect();
    for (index, answer) in project.scribe(number, &operations).iter().enumerate() {
        record_answer(answer, journal, reason(index));
    }
}

fn operation(random: &mut Random, journal: &Journal, reason: &str) -> Value {
    let mut operation =
        json!({ "category": random.choose(&CATEGORIES), "text": statement(random), "reason": reason });
    let id = known_id(random, journal);
    let word = match &id {
        Some(_) => *random
            .choose(&["create", "update", "retire", "assess", "resolve", "resolve", "resolve", "resolve"]),
        None => *random.choose(&["create", "resolve"]),
    };
    operation["do"] = word.into();
    operation["intent"] = (*random.choose(&["create", "update", "retire", "supersede"])).into();
    operation["behind"] = u64::from(random.below(5) == 0).into();
    let about = word == "update" || word == "retire" || word == "resolve" && random.below(3) == 0;
    if let Some(id) = id.filter(|_| about) {
        operation["id"] = id.into();
    }
    operation
}

/// Records how the layer says that an operation ended.
fn record_answer(answer: &Value, journal: &Journal, reason: String) {
    if answer.get("refused").is_some() {
        return refused(answer["words"].as_str().expect("words"), journal, &reason);
    }
    let (id, version) = (|| id_of(answer), answer["version"].as_u64());
    match answer["done"].as_str().expect("a word") {
        "nothing" => journal.refuse(reason),
        "created" => journal.acknowledge(Acknowledged::Created { id: id() }),
        "superseded" => {
            let old = answer["superseded"].as_str().expect("an id").to_owned();
            journal.acknowledge(Acknowledged::Created { id: id() });
            journal.acknowledge(Acknowledged::Changed { id: old, reason });
        }
        _ => journal.acknowledge(match version {
            Some(version) => Acknowledged::ChangedTo { id: id(), version, reason },
            None => Acknowledged::Changed { id: id(), reason },
        }),
    }
}

/// Returns a command's JSON output, unless it refused.
fn acknowledged(ran: ProcessOutput, journal: &Journal, reason: &str) -> Option<Value> {
    if ran.code == Some(0) {
        return Some(serde_json::from_str(&ran.out()).expect("JSON"));
    }
    refused(&ran.err(), journal, reason);
    None
}

/// Records a refusal, which must not be caused by another writer's lock.
fn refused(words: &str, journal: &Journal, reason: &str) {
    assert!(!words.contains("locked") && !words.contains("busy") && !words.is_empty(), "{words}");
    journal.refuse(reason.to_owned());
}

/// Returns a statement that other operations also use, or a unique one.
fn statement(random: &mut Random) -> String {
    if random.below(3) == 0 {
        return random.words(6);
    }
    let [one, other] = *random.choose(&STATEMENTS);
    if random.below(2) == 0 { one } else { other }.to_owned()
}

fn known_id(random: &mut Random, journal: &Journal) -> Option<String> {
    let ids = journal.ids();
    (!ids.is_empty()).then(|| random.choose(&ids).clone())
}

fn id_of(answer: &Value) -> String {
    answer["id"].as_str().expect("an id").to_owned()
}
