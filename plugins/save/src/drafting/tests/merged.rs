//! What the rules found and what a model drafted.

use super::*;

#[test]
fn a_draft_that_says_what_a_rule_found_gives_it_words_and_leaves_its_key() {
    let known =
        [find(Category::Preference, "from now on use tabs, please", "from now on use tabs, please", 0)];
    let model = Same::new(json!([memory("Tabs", "Use tabs from now on.", &["from now on use tabs"])]));

    let drafted = drafted(&preferring(), &known, &model);

    assert_eq!(drafted.findings.len(), 1);
    assert_eq!(drafted.findings[0].key, known[0].key);
    assert_eq!(drafted.findings[0].text, "Use tabs from now on.");
    assert!(model.asked.borrow()[0].prompt.contains(r#"{"candidate":0,"#));
}

#[test]
fn what_the_agent_saved_itself_is_not_sought_again() {
    let (settings, talk) = (Settings::default(), preferring());
    let saved = ["-c preference Use tabs from now on".to_owned()];
    let model = Same::new(json!([memory("Tabs", "Use tabs from now on.", &["from now on use tabs"])]));
    let known = Known { saved: &saved, ..of(&[]) };

    let drafted = draft(&talk, &triage(&talk, &settings), known, "s", &settings, &model);

    assert!(model.asked.borrow()[0].prompt.contains(r#"{"saved":"-c preference Use tabs"#));
    assert_eq!(drafted.findings, []);
}

#[test]
fn a_find_of_the_rules_falls_only_where_both_models_say_so() {
    let known = [find(Category::Preference, "from now on use tabs", "from now on use tabs", 0)];
    let answer =
        json!({ "memories": [], "wrong": [{ "candidate": 0, "why": "a joke" }, { "candidate": 9 }] });
    let no = json!({ "verdicts": [{ "index": 0, "supported": false, "unsupported_claim": "a joke" }] });
    let one = Same::saying(&answer.to_string());
    let both = Same { verify: Ok(no.to_string()), ..Same::saying(&answer.to_string()) };
    let none = Same { verify: Err("over budget".into()), ..Same::saying(&answer.to_string()) };

    assert_eq!(drafted(&preferring(), &known, &one).findings, known);
    assert_eq!(drafted(&preferring(), &known, &none).findings, known);
    let drafted = drafted(&preferring(), &known, &both);
    assert_eq!(drafted.findings, []);
    assert!(drafted.refused[0].reason.words.contains("a joke"));
}

#[test]
fn a_model_that_fails_costs_nothing_that_the_rules_found() {
    let known = [find(Category::Preference, "Use tabs", "from now on use tabs", 0)];
    let model = Same { draft: Err("over budget".into()), ..Same::new(json!([])) };

    let drafted = drafted(&preferring(), &known, &model);

    assert_eq!(drafted.findings, known);
    assert_eq!(drafted.failed, [(Category::Preference, "over budget".to_owned())]);
}

#[test]
fn without_a_verdict_in_its_favour_a_draft_is_not_written() {
    let yes = json!({ "index": 0, "supported": true });
    let no = json!({ "index": 0, "supported": false, "unsupported_claim": "tabs" });
    let verdicts = [json!([]), json!([no]), json!([yes, no]), json!([{ "index": 0, "supported": "yes" }])];
    let known = [find(Category::Preference, "Use tabs", "from now on use tabs", 0)];
    let draft = json!([memory("Other", "Tabs everywhere.", &["Tabs it is."])]);

    for verdicts in verdicts {
        let verify = Ok(json!({ "verdicts": verdicts }).to_string());
        let drafted = drafted(&preferring(), &known, &Same { verify, ..Same::new(draft.clone()) });

        assert_eq!(drafted.findings, known);
        assert_eq!(drafted.refused.len(), 1);
    }
}

#[test]
fn where_nobody_can_verify_only_the_rules_stand() {
    let known = [find(Category::Preference, "Use tabs", "from now on use tabs", 0)];
    for verify in [Err("over budget".to_owned()), Ok("no idea".to_owned())] {
        let model =
            Same { verify, ..Same::new(json!([memory("Tabs", "Tabs now.", &["from now on use tabs"])])) };

        let drafted = drafted(&preferring(), &known, &model);

        assert_eq!(drafted.findings, known);
        assert!(drafted.failed[0].1.starts_with("the drafts were not verified"));
    }
}

#[test]
fn two_memories_a_session_are_shown_at_every_start_and_no_more() {
    let mut known = [find(Category::Decision, "Deploy with make deploy", "thanks", 2000)];
    known[0].tags = vec!["cheat-sheet".into()];
    let says = ["Use tabs.", "Indentation follows the style guide.", "Never indent with spaces."];
    let memories: Vec<Value> =
        says.iter().map(|text| memory(text, text, &["from now on use tabs"])).collect();

    let drafted = drafted(&preferring(), &known, &Same::new(json!(memories)));

    let promoted = drafted.findings.iter().filter(|find| find.tags.contains(&"cheat-sheet".to_owned()));
    assert_eq!((drafted.findings.len(), promoted.count()), (4, 2));
}

#[test]
fn no_more_are_kept_than_the_settings_say_and_the_summary_is_first() {
    let texts = ["alpha beta", "gamma delta", "epsilon zeta"];
    let known: Vec<Finding> =
        texts.iter().map(|text| find(Category::Preference, text, "thanks", 2000)).collect();
    let mut known = known;
    known.push(Finding { score: 0.1, ..find(Category::SessionSummary, "all of it", "thanks", 2000) });
    let settings = Settings::read(r#"{"drafts": 2}"#);

    let talk = preferring();
    let drafted = draft(&talk, &triage(&talk, &settings), of(&known), "s", &settings, &Same::new(json!([])));

    assert_eq!(drafted.findings.len(), 2);
    assert_eq!(drafted.findings[0].category, Category::SessionSummary);
    assert_eq!(drafted.refused.len(), 2);
}

#[test]
fn a_model_that_is_asked_again_in_other_words_writes_under_the_same_key() {
    let ask = |text: &str| {
        let model = Same::new(json!([memory("Tabs", text, &["from now on use tabs"])]));
        drafted(&preferring(), &[], &model).findings.remove(0).key
    };

    assert_eq!(ask("Use tabs."), ask("Indentation is done with tabs."));
}

#[test]
fn two_things_that_rest_on_the_same_words_have_two_keys() {
    let texts = ["Use tabs for all indentation.", "The old files keep what they have."];
    let memories: Vec<Value> =
        texts.iter().map(|text| memory(text, text, &["from now on use tabs"])).collect();

    let drafted = drafted(&preferring(), &[], &Same::new(json!(memories)));

    assert_eq!(drafted.findings.len(), 2);
    assert_ne!(drafted.findings[0].key, drafted.findings[1].key);
}

#[test]
fn a_person_who_wants_no_model_is_asked_for_none() {
    let settings = Settings::read(r#"{"model": false}"#);
    let (talk, model) = (preferring(), Same::new(json!([])));

    draft(&talk, &triage(&talk, &settings), of(&[]), "s", &settings, &model);

    assert!(model.asked.borrow().is_empty());
}

#[test]
fn a_failure_and_its_cure_are_one_request_each_for_drafting_and_verifying() {
    let talk = talk([
        user("tests are red"),
        failed("make test", "error: no .env.test"),
        ran("cp .env.example .env.test", ""),
        ran("make test", "ok"),
        assistant("A .env.test was missing."),
    ]);
    let model =
        Same::new(json!([memory("Tests", "Copy .env.example to .env.test.", &["A .env.test was missing."])]));

    let drafted = drafted(&talk, &[], &model);

    assert_eq!(drafted.findings[0].category, Category::Runbook);
    assert_eq!((model.asked("draft"), model.asked("verify")), (1, 1));
}

#[test]
fn what_the_words_did_not_tell_is_asked_for_where_the_summary_saw_it() {
    let talk = talk([
        user("we store amounts in cents, floats gave us rounding trouble"),
        ran("make test", "ok"),
        ran("git commit -m cents", ""),
        edited("a.rs"),
        edited("b.rs"),
        assistant("Amounts are cents now."),
    ]);
    let mut answer =
        json!({ "memories": [memory("Cents", "Amounts are in cents.", &["we store amounts in cents"])] });
    assert_eq!(asked(&talk, &answer), ["session_summary"]);

    answer["also"] = json!(["decision", "session_summary", "everything"]);

    assert_eq!(asked(&talk, &answer), ["session_summary", "decision"]);
}

fn asked(talk: &Transcript, answer: &Value) -> Vec<String> {
    let model = Same::saying(&answer.to_string());
    drafted(talk, &[], &model);
    let asked = model.asked.borrow();
    let drafts = asked.iter().filter_map(|prompt| prompt.prompt.strip_prefix("Task: draft\nCategory: "));
    drafts.map(|rest| rest.lines().next().unwrap().to_owned()).collect()
}
