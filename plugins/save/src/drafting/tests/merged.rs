//! Tests of merging the rules' findings with a model's drafts.

use super::*;

#[test]
fn a_draft_that_repeats_a_rule_s_finding_replaces_its_words_but_not_its_key() {
    let known =
        [finding(Category::Preference, "from now on use tabs, please", "from now on use tabs, please", 0)];
    let model = FixedModel::new(json!([memory("Tabs", "Use tabs from now on.", &["from now on use tabs"])]));

    let drafted = drafted(&session_with_preference(), &known, &model);

    assert_eq!(drafted.findings.len(), 1);
    assert_eq!(drafted.findings[0].key, known[0].key);
    assert_eq!(drafted.findings[0].text, "Use tabs from now on.");
    assert!(model.asked.borrow()[0].prompt.contains(r#"{"candidate":0,"#));
}

#[test]
fn what_was_tentative_by_rule_is_certain_if_the_models_say_it_too() {
    let mut known = [finding(Category::Preference, "use tabs, please", "from now on use tabs", 0)];
    known[0].tags.push(crate::finding::TENTATIVE_TAG.to_owned());
    let model = FixedModel::new(json!([memory("Tabs", "Use tabs, please.", &["from now on use tabs"])]));

    let drafted = drafted(&session_with_preference(), &known, &model);

    assert_eq!((drafted.findings.len(), drafted.findings[0].is_tentative()), (1, false));
}

#[test]
fn a_text_that_the_agent_saved_itself_is_not_saved_again() {
    let (settings, talk) = (Settings::default(), session_with_preference());
    let saved = ["-c preference Use tabs from now on".to_owned()];
    let model = FixedModel::new(json!([memory("Tabs", "Use tabs from now on.", &["from now on use tabs"])]));
    let known = Known { saved: &saved, ..known_findings(&[]) };

    let drafted = draft(&talk, &triaged(&talk, &settings), known, "s", &settings, &model);

    assert!(model.asked.borrow()[0].prompt.contains(r#"{"saved":"-c preference Use tabs"#));
    assert_eq!(drafted.findings, []);
}

#[test]
fn a_rule_s_finding_is_dropped_only_if_both_models_reject_it() {
    let known = [finding(Category::Preference, "from now on use tabs", "from now on use tabs", 0)];
    let answer =
        json!({ "memories": [], "wrong": [{ "candidate": 0, "why": "a joke" }, { "candidate": 9 }] });
    let no = json!({ "verdicts": [{ "index": 0, "supported": false, "unsupported_claim": "a joke" }] });
    let one = FixedModel::with_draft(&answer.to_string());
    let both = FixedModel { verify: Ok(no.to_string()), ..FixedModel::with_draft(&answer.to_string()) };
    let none =
        FixedModel { verify: Err("over budget".into()), ..FixedModel::with_draft(&answer.to_string()) };

    assert_eq!(drafted(&session_with_preference(), &known, &one).findings, known);
    assert_eq!(drafted(&session_with_preference(), &known, &none).findings, known);
    let drafted = drafted(&session_with_preference(), &known, &both);
    assert_eq!(drafted.findings, []);
    assert!(drafted.refused[0].reason.words.contains("a joke"));
}

#[test]
fn a_failing_model_leaves_the_rules_findings() {
    let known = [finding(Category::Preference, "Use tabs", "from now on use tabs", 0)];
    let model = FixedModel { draft: Err("over budget".into()), ..FixedModel::new(json!([])) };

    let drafted = drafted(&session_with_preference(), &known, &model);

    assert_eq!(drafted.findings, known);
    assert_eq!(drafted.failed, [(Category::Preference, "over budget".to_owned())]);
}

#[test]
fn a_draft_without_a_unanimous_positive_verdict_is_refused() {
    let yes = json!({ "index": 0, "supported": true });
    let no = json!({ "index": 0, "supported": false, "unsupported_claim": "tabs" });
    let verdicts = [json!([]), json!([no]), json!([yes, no]), json!([{ "index": 0, "supported": "yes" }])];
    let known = [finding(Category::Preference, "Use tabs", "from now on use tabs", 0)];
    let draft = json!([memory("Other", "Tabs everywhere.", &["Tabs it is."])]);

    for verdicts in verdicts {
        let verify = Ok(json!({ "verdicts": verdicts }).to_string());
        let drafted = drafted(
            &session_with_preference(),
            &known,
            &FixedModel { verify, ..FixedModel::new(draft.clone()) },
        );

        assert_eq!(drafted.findings, known);
        assert_eq!(drafted.refused.len(), 1);
    }
}

#[test]
fn without_verification_only_the_rules_findings_are_written() {
    let known = [finding(Category::Preference, "Use tabs", "from now on use tabs", 0)];
    for verify in [Err("over budget".to_owned()), Ok("no idea".to_owned())] {
        let model = FixedModel {
            verify,
            ..FixedModel::new(json!([memory("Tabs", "Tabs now.", &["from now on use tabs"])]))
        };

        let drafted = drafted(&session_with_preference(), &known, &model);

        assert_eq!(drafted.findings, known);
        assert!(drafted.failed[0].1.starts_with("the drafts were not verified"));
    }
}

#[test]
fn a_session_adds_at_most_two_memories_to_the_cheat_sheet() {
    let mut known = [finding(Category::Decision, "Deploy with make deploy", "thanks", 2000)];
    known[0].tags = vec!["cheat-sheet".into()];
    let texts = ["Use tabs.", "Indentation follows the style guide.", "Never indent with spaces."];
    let memories: Vec<Value> =
        texts.iter().map(|text| memory(text, text, &["from now on use tabs"])).collect();

    let drafted = drafted(&session_with_preference(), &known, &FixedModel::new(json!(memories)));

    let promoted = drafted.findings.iter().filter(|finding| finding.tags.contains(&"cheat-sheet".to_owned()));
    assert_eq!((drafted.findings.len(), promoted.count()), (4, 2));
}

#[test]
fn the_number_of_findings_is_limited_by_the_settings_and_the_summary_comes_first() {
    let texts = ["alpha beta", "gamma delta", "epsilon zeta"];
    let known: Vec<Finding> =
        texts.iter().map(|text| finding(Category::Preference, text, "thanks", 2000)).collect();
    let mut known = known;
    known.push(Finding { score: 0.1, ..finding(Category::SessionSummary, "all of it", "thanks", 2000) });
    let settings = Settings::read(r#"{"drafts": 2}"#);

    let talk = session_with_preference();
    let drafted = draft(
        &talk,
        &triaged(&talk, &settings),
        known_findings(&known),
        "s",
        &settings,
        &FixedModel::new(json!([])),
    );

    assert_eq!(drafted.findings.len(), 2);
    assert_eq!(drafted.findings[0].category, Category::SessionSummary);
    assert_eq!(drafted.refused.len(), 2);
}

#[test]
fn a_draft_in_other_words_with_the_same_quote_has_the_same_key() {
    let ask = |text: &str| {
        let model = FixedModel::new(json!([memory("Tabs", text, &["from now on use tabs"])]));
        drafted(&session_with_preference(), &[], &model).findings.remove(0).key
    };

    assert_eq!(ask("Use tabs."), ask("Indentation is done with tabs."));
}

#[test]
fn two_drafts_with_the_same_quote_have_different_keys() {
    let texts = ["Use tabs for all indentation.", "The old files keep what they have."];
    let memories: Vec<Value> =
        texts.iter().map(|text| memory(text, text, &["from now on use tabs"])).collect();

    let drafted = drafted(&session_with_preference(), &[], &FixedModel::new(json!(memories)));

    assert_eq!(drafted.findings.len(), 2);
    assert_ne!(drafted.findings[0].key, drafted.findings[1].key);
}

#[test]
fn without_the_setting_model_no_request_is_sent() {
    let settings = Settings::read(r#"{"model": false}"#);
    let (talk, model) = (session_with_preference(), FixedModel::new(json!([])));

    draft(&talk, &triaged(&talk, &settings), known_findings(&[]), "s", &settings, &model);

    assert!(model.asked.borrow().is_empty());
}

#[test]
fn a_failure_and_its_fix_need_one_drafting_and_one_verifying_request() {
    let talk = talk([
        user("tests are red"),
        failed("make test", "error: no .env.test"),
        ran("cp .env.example .env.test", ""),
        ran("make test", "ok"),
        assistant("A .env.test was missing."),
    ]);
    let model = FixedModel::new(json!([memory(
        "Tests",
        "Copy .env.example to .env.test.",
        &["A .env.test was missing."]
    )]));

    let drafted = drafted(&talk, &[], &model);

    assert_eq!(drafted.findings[0].category, Category::Runbook);
    assert_eq!((model.asked("draft"), model.asked("verify")), (1, 1));
}

#[test]
fn a_category_that_triage_missed_is_drafted_if_the_summary_s_model_names_it() {
    let talk = talk([
        user("fix the rounding of the invoice"),
        ran("make test", "ok"),
        ran("git commit -m cents", ""),
        edited("a.rs"),
        edited("b.rs"),
        assistant("Amounts are cents now."),
    ]);
    let mut answer = json!({ "memories": [memory("Cents", "Amounts are in cents.", &["fix the rounding"])] });
    assert_eq!(asked(&talk, &answer), ["session_summary"]);

    answer["also"] = json!(["decision", "session_summary", "everything"]);

    assert_eq!(asked(&talk, &answer), ["session_summary", "decision"]);
}

fn asked(talk: &Transcript, answer: &Value) -> Vec<String> {
    let model = FixedModel::with_draft(&answer.to_string());
    drafted(talk, &[], &model);
    let asked = model.asked.borrow();
    let drafts = asked.iter().filter_map(|prompt| prompt.prompt.strip_prefix("Task: draft\nCategory: "));
    drafts.map(|rest| rest.lines().next().unwrap().to_owned()).collect()
}
