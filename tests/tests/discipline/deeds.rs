//! One thing that somebody does: types a command, or has a hook run with a list of operations. What is acknowledged goes into
//! the journal, with a reason that nothing else has.

use super::dice::Dice;
use super::journal::{Journal, Kept};
use super::place::Place;
use interleaf_tests::run::Ran;
use serde_json::{Value, json};

/// What there is to say; the texts of one line say the same.
pub const SAYINGS: [[&str; 2]; 12] = [
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

/// One thing, drawn from the dice.
pub fn one(dice: &mut Dice, place: &Place, journal: &Journal, number: u64) {
    let reason = format!("op {number} of the test");
    match dice.below(12) {
        0..=3 => hook(dice, place, journal, number),
        4 | 5 => remember(dice, place, journal),
        6 | 7 => update(dice, place, journal, reason),
        8..=10 => turn(dice, place, journal, reason),
        _ => approve(dice, place, journal),
    }
}

fn remember(dice: &mut Dice, place: &Place, journal: &Journal) {
    let (category, text) = (*dice.of(&CATEGORIES), saying(dice));
    let ran = place.scratch.interleaf(&["remember", "--json", "-c", category, text]);
    let Some(answer) = acknowledged(ran, journal, "nothing") else { return };
    if answer["created"] == true {
        journal.keep(Kept::Made { id: named(&answer) });
    }
}

/// By somebody who has read it, or by somebody who read it some time ago.
fn update(dice: &mut Dice, place: &Place, journal: &Journal, reason: String) {
    let Some(id) = known(dice, journal) else { return };
    let shown: Value = serde_json::from_str(&place.memory(&["show", &id, "--json"]).success()).expect("JSON");
    let behind = u64::from(dice.below(4) == 0);
    let version = (shown["version"].as_u64().expect("a version") - behind).to_string();
    let update =
        ["update", &id, "--version", &version, "--reason", &reason, "--json", "--text", saying(dice)];
    if let Some(answer) = acknowledged(place.memory(&update), journal, &reason) {
        assert_eq!(behind, 0, "{id} was changed in a version that was past: {answer}");
        let version = answer["version"].as_u64().expect("a version");
        journal.keep(Kept::ChangedTo { id, version, reason });
    }
}

fn turn(dice: &mut Dice, place: &Place, journal: &Journal, reason: String) {
    let Some(id) = known(dice, journal) else { return };
    let verb = *dice.of(&["retire", "retire", "archive", "unarchive", "restore", "restore"]);
    let yes: &[&str] = if verb == "retire" { &["--yes"] } else { &[] };
    let ran = place.memory(&[&[verb, &id, "--reason", &reason, "--json"], yes].concat());
    let Some(answer) = acknowledged(ran, journal, &reason) else { return };
    let version = answer["version"].as_u64().expect("a version");
    let status = answer["status"].as_str().expect("a status").to_owned();
    journal.keep(Kept::Stood { id, version, status });
}

/// A rating, an upkeep, or a person's word at a terminal.
fn approve(dice: &mut Dice, place: &Place, journal: &Journal) {
    let Some(id) = known(dice, journal) else { return };
    match dice.below(4) {
        0 => drop(place.memory(&["gc", "--yes"]).success()),
        1 => {
            let ran = place.scratch.at_a_terminal(&format!("memory confirm {id}"), "");
            note(ran, journal, Kept::Counted { id, what: "confirmed by a person" });
        }
        _ => {
            let ran = place.memory(&["rate", &id, if dice.below(2) == 0 { "up" } else { "down" }]);
            note(ran, journal, Kept::Counted { id, what: "rated" });
        }
    }
}

fn note(ran: Ran, journal: &Journal, kept: Kept) {
    match ran.code {
        Some(0) => journal.keep(kept),
        _ => journal.refuse("nothing".into()),
    }
}

/// Up to three operations of the layer in one hook.
fn hook(dice: &mut Dice, place: &Place, journal: &Journal, number: u64) {
    let reason = |place: usize| format!("op {number}.{place} of the test");
    let operations: Vec<Value> =
        (0..=dice.below(3)).map(|at| operation(dice, journal, &reason(at))).collect();
    for (at, answer) in place.scribe(number, &operations).iter().enumerate() {
        told(answer, journal, reason(at));
    }
}

fn operation(dice: &mut Dice, journal: &Journal, reason: &str) -> Value {
    let mut operation = json!({ "category": dice.of(&CATEGORIES), "text": saying(dice), "reason": reason });
    let id = known(dice, journal);
    let word = match &id {
        Some(_) => *dice.of(&["create", "update", "retire", "assess", "resolve", "resolve"]),
        None => *dice.of(&["create", "resolve"]),
    };
    operation["do"] = word.into();
    operation["intent"] = (*dice.of(&["create", "update", "retire", "supersede"])).into();
    operation["behind"] = u64::from(dice.below(5) == 0).into();
    let about = word == "update" || word == "retire" || word == "resolve" && dice.below(3) == 0;
    if let Some(id) = id.filter(|_| about) {
        operation["id"] = id.into();
    }
    operation
}

/// What the layer says became of an operation.
fn told(answer: &Value, journal: &Journal, reason: String) {
    if answer.get("refused").is_some() {
        return refused(answer["words"].as_str().expect("words"), journal, &reason);
    }
    let (id, version) = (|| named(answer), answer["version"].as_u64());
    match answer["done"].as_str().expect("a word") {
        "nothing" => journal.refuse(reason),
        "created" => journal.keep(Kept::Made { id: id() }),
        "superseded" => {
            let old = answer["superseded"].as_str().expect("an id").to_owned();
            journal.keep(Kept::Made { id: id() });
            journal.keep(Kept::Changed { id: old, reason });
        }
        _ => journal.keep(match version {
            Some(version) => Kept::ChangedTo { id: id(), version, reason },
            None => Kept::Changed { id: id(), reason },
        }),
    }
}

/// What a command answered as JSON, unless it refused.
fn acknowledged(ran: Ran, journal: &Journal, reason: &str) -> Option<Value> {
    if ran.code == Some(0) {
        return Some(serde_json::from_str(&ran.out()).expect("JSON"));
    }
    refused(&ran.err(), journal, reason);
    None
}

/// Nobody is refused for having been in somebody's way.
fn refused(words: &str, journal: &Journal, reason: &str) {
    assert!(!words.contains("locked") && !words.contains("busy") && !words.is_empty(), "{words}");
    journal.refuse(reason.to_owned());
}

fn saying(dice: &mut Dice) -> &'static str {
    let [one, other] = *dice.of(&SAYINGS);
    if dice.below(2) == 0 { one } else { other }
}

fn known(dice: &mut Dice, journal: &Journal) -> Option<String> {
    let ids = journal.ids();
    (!ids.is_empty()).then(|| dice.of(&ids).clone())
}

fn named(answer: &Value) -> String {
    answer["id"].as_str().expect("an id").to_owned()
}
