#[path = "trigger_examples.rs"]
mod trigger_examples;

use super::*;
use crate::sample::{assistant, edited, failed, ran, read, sessions, talk, tool, user};
use crate::transcript::{Ending, Entry};

use Category::{Constraint, Decision, Preference, Runbook, SessionSummary, TechDebt};

fn triggered(parts: impl IntoIterator<Item = Vec<Entry>>) -> Vec<Category> {
    let found = triage(&talk(parts), &Settings::default());
    found.into_iter().filter(|it| it.triggered).map(|it| it.category).collect()
}

fn score(category: Category, parts: impl IntoIterator<Item = Vec<Entry>>) -> f32 {
    let found = triage(&talk(parts), &Settings::default());
    found.into_iter().find(|it| it.category == category).map(|it| it.score).unwrap()
}

/// Checks sentences that a keyword search misses or misreads.
#[test]
fn reasons_and_causes_trigger_and_common_words_do_not() {
    let reasoned = "We decided to keep one table because joins were too slow.";
    let fixed =
        "The build failed with a linker error. The root cause was a stale cache, fixed by make clean.";
    let standards = "It is in the standard library.\nPrint it to standard output.\nThe standard way works.";
    let thirty = (0..30).map(|at| if at % 2 == 0 { user("and then?") } else { assistant("It goes on.") });

    assert_eq!(triggered([assistant(reasoned)]), [Decision]);
    assert_eq!(triggered([assistant(fixed)]), [Runbook]);
    assert_eq!(triggered([user(standards), assistant(standards)]), []);
    assert_eq!(triggered(thirty), []);
}

#[test]
fn a_repeated_phrase_counts_once() {
    let plain = [assistant("I selected it."), assistant("I selected it."), assistant("I selected it again.")];

    assert_eq!(score(Decision, plain.clone()), score(Decision, plain[..1].to_vec()));
}

#[test]
fn statements_in_four_languages_trigger_their_category() {
    let statements: [(&str, &[Category]); 30] = [
        ("let's go with sqlite instead of postgres, it is one file less to run", &[Decision]),
        ("we decided: no ORM", &[Decision]),
        ("we switched to vite because webpack was too slow", &[Decision]),
        ("Wir haben uns für Postgres entschieden, weil die Joins sonst zu langsam sind", &[Decision]),
        ("wir nehmen Redis statt Memcached, damit die Sitzungen bleiben", &[Decision]),
        ("On a décidé de garder le monolithe parce que l'équipe est petite", &[Decision]),
        ("nous avons choisi Kafka plutôt que RabbitMQ", &[Decision]),
        ("hemos decidido usar Go porque es más simple", &[Decision]),
        ("the API is limited to 5 uploads, the vendor will not raise it", &[Constraint]),
        ("turns out the platform does not support symlinks", &[Constraint]),
        ("200 MB is a hard limit", &[Constraint]),
        ("Der Anbieter erlaubt höchstens drei Verbindungen", &[Constraint]),
        ("100 Anfragen pro Minute, das können wir nicht ändern", &[Constraint]),
        ("le fournisseur limite à 10 appels par seconde", &[Constraint]),
        ("el proveedor no admite archivos grandes", &[Constraint]),
        ("put a TODO there, we do the retries once the queue exists", &[TechDebt]),
        ("the cleanup is postponed until the migration is through", &[TechDebt]),
        ("das verschieben wir, bis der Umbau fertig ist", &[TechDebt]),
        ("das machen wir später, erst wenn die Tests stehen", &[TechDebt]),
        ("on fera ça plus tard, dès que le schéma est prêt", &[TechDebt]),
        ("lo dejamos para más adelante, hasta que haya tests", &[TechDebt]),
        ("always use pnpm here", &[Preference]),
        ("from now on, commit messages in English", &[Preference]),
        ("please never push to main", &[Preference]),
        ("don't touch the generated files", &[Preference]),
        ("Bitte keine Emojis in den Texten", &[Preference]),
        ("ab jetzt immer per Du", &[Preference]),
        ("N'utilise jamais npm ici", &[Preference]),
        ("désormais, les commits en français", &[Preference]),
        ("a partir de ahora usa siempre tabuladores", &[Preference]),
    ];

    for (text, expected) in statements {
        assert_eq!(triggered([user(text)]), expected, "{text}");
    }
}

#[test]
fn questions_negations_suppositions_and_jokes_do_not_count() {
    let statements = [
        "should we go with sqlite instead of postgres, because it is smaller?",
        "we have not decided yet, because the numbers are missing",
        "if we went with kafka instead of a table, it would be because of the load",
        "maybe we should use rust, since it is faster",
        "what if we switched to bazel because make is too slow",
        "from tomorrow we switch to yarn because it is faster. just kidding",
        "always use spaces, haha, joke",
        "there is no limit on the provider's side",
        "is there a hard limit on their side?",
        "I wonder: would it be limited to 5 by the vendor?",
        "nothing failed, and nothing had to be fixed",
        "error handling: the fix is in the error page component",
        "vielleicht nehmen wir Redis, weil es schneller ist",
        "wenn wir Kafka nehmen, dann weil es skaliert",
        "wir haben uns nicht für Kafka entschieden, weil es noch offen ist",
        "sollen wir ab jetzt immer rebasen?",
        "peut-être qu'on a choisi trop vite, parce que c'est cher",
        "quizás usaremos Kafka porque escala",
        "they wrote:\n> we decided to always use npm because it is there",
        "look at this:\n```\nalways use npm, we decided so because of CI\n```\nwhat does it say?",
        "thanks! how do I center a div",
        "moin! was kochst du heute?",
    ];

    for text in statements {
        assert_eq!(triggered([user(text)]), [], "{text}");
    }
}

#[test]
fn a_no_before_a_comma_is_not_a_negation_and_a_supposition_after_the_phrase_is_ignored() {
    assert_eq!(triggered([user("no, we decided to keep it, because it works")]), [Decision]);
    assert_eq!(triggered([user("nein, bitte keine absoluten Links")]), [Preference]);
    assert_eq!(
        triggered([user("We chose sqlite because it is simpler, which could help later.")]),
        [Decision]
    );
}

#[test]
fn successful_and_interrupted_tools_trigger_nothing() {
    let stated = "We decided to always use npm because of the vendor's hard limit. TODO until later. error: \
                  fixed by x";

    assert_eq!(triggered([user("show me"), ran("cat NOTES.md", stated)]), []);
    assert_eq!(triggered([user("show me"), tool("Read", "{}", stated, Ending::Interrupted)]), []);
}

#[test]
fn a_command_that_fails_and_later_succeeds_triggers_a_runbook() {
    let failure = failed("cd app && make test", "Exit code 2\nerror: .env not found");
    let fixed = [user("los"), failure.clone(), ran("cp a .env", ""), ran("make test", "ok")];
    let other = [user("los"), failure.clone(), ran("make lint", "ok")];
    let stopped = [
        user("los"),
        tool("Bash", r#"{"command":"make load"}"#, "no", Ending::Interrupted),
        ran("make load", ""),
    ];

    assert_eq!(triggered(fixed), [Runbook]);
    assert_eq!(triggered(other), []);
    assert_eq!(triggered(stopped), []);
}

#[test]
fn the_assistant_s_always_is_not_a_preference() {
    assert_eq!(
        triggered([assistant("Always use prepared statements because of injections, as a rule.")]),
        []
    );
}

#[test]
fn a_reason_counts_within_four_sentences() {
    let after = |sentences: usize| {
        let between = "It is so. ".repeat(sentences);
        triggered([assistant(&format!("We went with sqlite. {between}That is because of the size."))])
    };

    assert_eq!(after(3), [Decision]);
    assert_eq!(after(4), []);
}

#[test]
fn a_session_with_work_triggers_a_summary() {
    let edits = || [edited("a.rs"), edited("b.rs")];
    let commands = || [ran("make test", "ok"), ran("git commit -m x", "")];
    let reads = || [ran("ls", ""), ran("git status", ""), ran("cat a | grep b", "")];

    assert_eq!(triggered([user("go")].into_iter().chain(edits()).chain(commands())), [SessionSummary]);
    assert_eq!(triggered([user("a"), user("b"), user("c")].into_iter().chain(edits())), [SessionSummary]);
    assert_eq!(triggered([user("a"), user("b"), user("c")].into_iter().chain(reads())), []);
    assert_eq!(triggered([user("a"), user("b")].into_iter().chain(reads()).chain([edited("a.rs")])), []);
}

#[test]
fn evidence_is_verbatim_and_has_a_cursor() {
    let found = triage(&talk([user("hi"), user("Well. From now on: tabs!")]), &Settings::default());

    let preference = found.iter().find(|it| it.category == Preference).unwrap();

    assert_eq!(preference.evidence, [Evidence { quote: "From now on: tabs!".into(), cursor: 1000 }]);
    assert_eq!(found.len(), TRIAGED_CATEGORIES.len());
}

#[test]
fn a_threshold_can_be_set() {
    let talk = talk([user("always use tabs")]);
    let settings = Settings::read(r#"{"thresholds": {"preference": 0.9}}"#);

    assert!(triage(&talk, &settings).iter().all(|it| !it.triggered));
}

#[test]
fn every_quote_of_the_recorded_sessions_is_in_the_entry_at_its_cursor() {
    for session in sessions() {
        let talk = read(&session);
        for it in triage(&talk, &Settings::default()).iter().flat_map(|it| &it.evidence) {
            let mut entries = talk.entries.iter().filter(|entry| entry.cursor == it.cursor);
            assert!(entries.any(|entry| entry.text.contains(&it.quote)), "{session}: {it:?}");
        }
    }
}

#[test]
fn small_talk_triggers_nothing_in_the_recorded_sessions() {
    let found = triage(&read("handbook/s3"), &Settings::default());

    assert!(found.iter().all(|it| !it.triggered), "{found:#?}");
}
