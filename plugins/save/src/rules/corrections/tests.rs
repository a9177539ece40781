//! What is said later wins, and what is only near it changes nothing.

use crate::rules::tests::script::talk;
use crate::rules::{Around, mine};

/// What is kept of a script, without its runbooks and summary.
fn kept(script: &str) -> Vec<String> {
    let mined = mine(&talk(script), &Around { session: "s", root: None, designs: &[] });
    mined.finds.into_iter().map(|find| find.text).collect()
}

/// Scripts, and words that what is kept must have; `!` before those that it must not have.
fn table(rows: &[(&str, &[&str])]) {
    let holds = |texts: &[String], word: &str| texts.iter().any(|text| text.contains(word));
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(script, words)| {
            let texts = kept(script);
            let fits = words.iter().all(|word| match word.strip_prefix('!') {
                Some(word) => !holds(&texts, word),
                None => holds(&texts, word),
            });
            (!fits).then(|| format!("{script}\n    kept {texts:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn plan_that_is_dropped_later_falls() {
    table(&[
        (
            "u: lets go with memcached for the cache, files are too slow\ne a: b => c\na: Done.\nu: ok forget memcached, back to files",
            &["!memcached"],
        ),
        (
            "u: lets go with memcached for the cache, files are too slow\ne a: b => c\na: Done.\nu: nvm, scrap the memcached thing",
            &["!memcached"],
        ),
        (
            "u: we use kafka instead of rabbit because it scales\ne a: b => c\na: Done.\nu: hm, revert that, its too much to run",
            &["!kafka"],
        ),
        (
            "u: we use kafka instead of rabbit because it scales\ne a: b => c\na: Done.\nu: thx\na: ok\nu: back to rabbit please",
            &["!instead of rabbit"],
        ),
        (
            "u: we use kafka instead of rabbit because it scales\ne a: b => c\na: Done.\nu: thx\na: ok\nu: drop the kafka idea",
            &["!scales"],
        ),
        (
            "u: Wir nehmen Kafka statt Rabbit, weil es besser skaliert\ne a: b => c\na: Fertig.\nu: vergiss kafka, zurück zu rabbit",
            &["!skaliert"],
        ),
        (
            "u: on utilise Kafka au lieu de Rabbit parce que ça passe mieux à l'échelle\ne a: b => c\na: Fait.\nu: finalement pas kafka, on revient à rabbit",
            &["!échelle"],
        ),
        (
            "u: usamos Kafka en vez de Rabbit porque escala mejor\ne a: b => c\na: Hecho.\nu: olvida kafka, volvemos a rabbit",
            &["!escala"],
        ),
        ("u: never use moment here\na: ok\nu: ah forget what i said about moment, its fine", &["!moment"]),
    ]);
}

#[test]
fn value_that_is_corrected_later_holds() {
    table(&[
        (
            "u: the api allows at most 200 calls per minute\na: ok\nu: actually its 80 per minute",
            &["80", "!200"],
        ),
        (
            "u: the api allows at most 200 calls per minute\na: ok\nu: next: the export\ne a: b => c\na: Done.\nu: sorry, 80 calls per minute, not 200",
            &["80", "!200"],
        ),
        (
            "u: their gateway accepts at most 20 items per request, thats fixed\na: ok\nu: wait, its 25 items",
            &["25", "!20 "],
        ),
        (
            "u: Die API erlaubt maximal 200 Aufrufe pro Minute\na: ok\nu: Korrektur: 80 pro Minute",
            &["80", "!200"],
        ),
        (
            "u: Die API erlaubt maximal 200 Aufrufe pro Minute\na: ok\nu: eigentlich sind es 80, nicht 200",
            &["80", "!200"],
        ),
        (
            "u: the retention of the events is 14 days\na: Set.\nu: legal says 60 days retention for events, so change it to that",
            &["60 days retention", "!14"],
        ),
    ]);
}

#[test]
fn rule_in_whose_place_another_comes_falls() {
    table(&[(
        "u: always use tabs in this repo\na: ok\nu: hm no, always spaces in this repo",
        &["!tabs", "spaces"],
    )]);
}

#[test]
fn work_that_was_put_off_and_then_done_is_no_debt() {
    table(&[
        (
            "u: we'll leave the csv import out for now, not before the parser is stable\na: ok\nu: ok parser is stable, do the csv import now\ne a: b => c\na: Imported.",
            &["!sv import"],
        ),
        (
            "u: Der CSV-Import kommt später, erst muss der Parser stabil sein\na: ok\nu: so, jetzt bau den CSV-Import\ne a: b => c\na: Fertig.",
            &["!Import"],
        ),
    ]);
}

#[test]
fn what_only_stands_near_changes_nothing() {
    table(&[
        (
            "u: we use kafka instead of rabbit because it scales\ne a: b => c\na: Done.\nu: dont forget kafka in the readme",
            &["kafka"],
        ),
        (
            "u: we use kafka instead of rabbit because it scales\ne a: b => c\na: Done.\nu: back to the readme now",
            &["kafka"],
        ),
        (
            "u: we decided to go with vitest rather than jest, because jest is too slow for us\ne a: b => c\na: Done.\nu: ok back to the tests",
            &["vitest"],
        ),
        (
            "u: always use tabs in this repo. rename a to b\ne a: b => c\na: Done.\nu: revert that, the name was fine",
            &["tabs"],
        ),
        ("u: the api allows at most 200 calls per minute\na: ok\nu: so retry after 5 seconds", &["200"]),
        (
            "u: the api allows at most 200 calls per minute\na: ok\nu: actually make the page size 50 rows",
            &["200"],
        ),
        (
            "u: the api allows at most 200 calls per minute\na: ok\nu: is it 80 calls per minute, not 200?",
            &["200"],
        ),
        (
            "u: we'll leave the csv import out for now, not before the parser is stable\na: ok\nu: fix the parser now\ne a: b => c\na: Fixed.",
            &["sv import"],
        ),
        (
            "u: we'll leave the csv import out for now, not before the parser is stable\na: ok\nu: csv import is still not now, but rename the file\ne a: b => c\na: Ok.",
            &["sv import"],
        ),
        (
            "u: from now on never drop tables in a migration\na: ok\nu: can you empty the test db?\n$ psql -c x\n+ ok\na: Done.",
            &["tables in a migration"],
        ),
        ("u: we set the timeout to 14 days\na: ok\nu: my friend says 60 days, so change it", &["!60 days"]),
    ]);
}

#[test]
fn what_was_told_of_something_else_is_not_corrected() {
    table(&[
        (
            "u: the vendor limits a run of the lambda to 15 minutes, we can't change that\na: ok\nu: no, set the retry to 3 minutes",
            &["15"],
        ),
        (
            "u: the vendor limits a run of the lambda to 15 minutes, we can't change that\na: ok\nu: change the schedule to 30 minutes",
            &["15"],
        ),
        (
            "u: we decided to go with redis for the queue because we run it anyway\ne a: b => c\na: ok\nu: never mind the warning about redis",
            &["redis"],
        ),
        (
            "u: we decided to go with redis for the queue because we run it anyway\ne a: b => c\na: ok\nu: forget the last test, it is flaky",
            &["redis"],
        ),
        ("u: never use any in typescript here\na: ok\nu: add a test with any input", &["ever use any"]),
    ]);
}

#[test]
fn correction_is_known_in_other_words_too() {
    table(&[
        (
            "u: we decided to use grpc between the services because of the types\ne a: b => c\na: Done.\nu: ok\na: hm\nu: scratch grpc, plain http is enough",
            &["!because of the types"],
        ),
        (
            "u: Wir haben uns für GraphQL entschieden, weil die App so nur eine Anfrage braucht\ne a: b => c\na: Fertig.\nu: doch kein graphql, REST reicht",
            &["!nur eine Anfrage"],
        ),
        (
            "u: the proxy limits uploads to 10 MB, we can't change that\na: ok\nu: ok next\na: sure\nu: correction, the limit is 25 MB",
            &["25", "!10 MB"],
        ),
        (
            "u: always use single quotes here\na: ok\nu: sorry, always use double quotes here",
            &["!single", "double"],
        ),
    ]);
}
