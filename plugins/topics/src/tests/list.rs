//! The project's own list.

use super::*;

const DAY: i64 = 24 * 60 * 60 * 1_000;

fn promoted(lines: &[&str]) -> Topics {
    let mut topics = Topics::default();
    for line in lines {
        topics.promote(&commands(line)[0], 0);
    }
    topics
}

#[test]
fn a_topic_fits_words_of_a_command_and_nothing_else() {
    for (topic, line, expected) in [
        ("make deploy", "cd x && FOO=1 make -j 4 clean deploy", true),
        ("make deploy", "make deploy-docs", false),
        ("make deploy", "echo make deploy", false),
        ("g++", "g++ -O2 main.cc", true),
        ("g++", "gggg x", false),
        ("[", "[ -f x ]", true),
        ("(", "make deploy", false),
        (".*", "make deploy", false),
        ("npm run build", "npm run build -- --watch", true),
        ("npm run build", "npm run test", false),
        ("npm run build", "npm --prefix web run build", true),
        ("pnpm run build", "pnpm build", true),
        ("npm run test", "npm test -- -u", true),
        ("npm run build", "npm install build", false),
        ("python -m pytest", "python -m pytest -q", true),
        ("bin/deploy", "./bin/deploy staging", true),
        ("wt", "cat swt.txt wt", false),
    ] {
        let topics = Topics::read(&serde_json::json!({ "patterns": [topic] }).to_string());

        assert_eq!(topics.find(&commands(line)).is_some(), expected, "{topic}: {line}");
    }
}

#[test]
fn a_failure_promotes_once_and_counts_on() {
    let mut topics = promoted(&["make deploy", "make deploy A=1"]);
    assert_eq!((topics.promoted.len(), topics.promoted[0].count), (1, 2));

    assert!(!topics.promote(&commands("grep x")[0], 1), "too ordinary");
    assert_eq!(topics.find(&commands("make deploy")).map(|found| found.source), Some("failure"));
}

#[test]
fn promotions_are_capped_and_forgotten_after_a_month() {
    let mut topics = Topics::default();
    for day in 0..60 {
        assert!(topics.promote(&commands(&format!("tool{day}"))[0], day * DAY / 3));
    }
    assert_eq!(topics.promoted.len(), 50);
    assert_eq!(topics.promoted[0].command, "tool10", "the oldest made room");

    topics.expire(60 * DAY);

    assert!(topics.promoted.is_empty());
}

#[test]
fn what_is_written_reads_the_same_and_what_is_broken_is_empty() {
    let mut topics = promoted(&["make deploy", "g++ x"]);
    topics.generated_at = Some(7);
    topics.patterns =
        vec![Topic { command: "npm run a".into(), source: "package.json".into(), ..Topic::default() }];

    assert_eq!(Topics::read(&topics.to_json()), topics);
    assert_eq!(Topics::generated_at(&topics.to_json()), Some(7));
    assert_eq!(Topics::generated_at(&Topics::default().to_json()), None);
    for broken in ["", "[", "null", "[]", r#"{"patterns": 7, "promoted": [7, null, {"command": ""}, {}]}"#] {
        assert_eq!(Topics::read(broken), Topics::default(), "{broken}");
    }
}
