//! Changes of memories that exist.

use super::*;

struct Memories(Vec<KnownMemory>);

impl MemoryLookup for Memories {
    fn known(&self, categories: &[Category], _: &[&str], _: usize) -> Vec<KnownMemory> {
        self.0.iter().filter(|memory| categories.contains(&memory.category)).cloned().collect()
    }
}

fn memory(id: &str, category: Category, text: &str) -> KnownMemory {
    KnownMemory { id: id.to_owned(), version: 3, category, title: "Title".to_owned(), text: text.to_owned() }
}

fn memories() -> Memories {
    Memories(vec![
        memory("limit", Category::Constraint, "Paylane allows 25 refunds a minute."),
        memory("debt", Category::TechDebt, "Idempotency keys wait for the v2 schema."),
    ])
}

fn session() -> Transcript {
    talk([
        user("paylane lets us do 100 refunds a minute now, and the idempotency keys are in"),
        assistant("Good, I raise the limit."),
    ])
}

fn changes() -> Value {
    json!([
        { "op": "replace", "id": "m1", "text": "Paylane allows 100 refunds a minute.", "from": [1] },
        { "op": "retire", "id": "m2", "why": "the idempotency keys are in", "from": [1] },
    ])
}

#[test]
fn a_memory_is_shown_whole_and_without_its_id() {
    let model = FixedModel::new(json!([]));
    read_with(&session(), &memories(), 0, &model);

    let prompt = &model.prompts("read")[0];
    assert!(prompt.contains(r#""id":"m1""#) && prompt.contains("Paylane allows 25 refunds a minute."));
    assert!(!prompt.contains("limit\"") && !prompt.contains("\"debt"));
}

#[test]
fn what_replaces_or_ends_a_memory_is_confirmed_with_the_whole_session() {
    let model = FixedModel::new(changes());
    let reading = read_with(&session(), &memories(), 0, &model);

    let asked = &model.prompts("confirm")[0];
    assert!(
        asked.contains(r#""old":"Paylane allows 25 refunds a minute.""#) && asked.contains("1 user: paylane")
    );
    let about = reading.findings[0].about.as_ref().expect("it replaces one");
    assert_eq!((about.memory.id.as_str(), about.intent), ("limit", Intent::Supersede));
    assert_eq!(reading.findings[0].category, Category::Constraint);
    assert_eq!(reading.retirements[0].memory.id, "debt");
}

#[test]
fn what_a_person_noted_is_replaced_in_its_own_category() {
    for category in [Category::Learning, Category::Context, Category::Blocker] {
        let noted = Memories(vec![memory("note", category, "Paylane allows 25 refunds a minute.")]);
        let changes = json!([
            { "op": "replace", "id": "m1", "text": "Paylane allows 100 refunds a minute.", "from": [1] },
        ]);
        let reading = read_with(&session(), &noted, 0, &FixedModel::new(changes));
        assert_eq!(reading.findings[0].category, category, "{:?}", reading.refused);
    }
}

#[test]
fn what_is_not_confirmed_changes_nothing() {
    for (confirm, failures) in [
        (Ok(r#"{"verdicts": []}"#.to_owned()), 0),
        (Ok(r#"{"verdicts": [{"index": 0, "holds": false, "because": "no"}, {"index": 1}]}"#.to_owned()), 0),
        (Ok("hm".to_owned()), 1),
        (Err("no network".to_owned()), 1),
    ] {
        let model = FixedModel { confirm, ..FixedModel::new(changes()) };
        let reading = read_with(&session(), &memories(), 0, &model);

        assert_eq!((reading.findings.len(), reading.retirements.len()), (0, 0));
        assert_eq!((reading.refused.len(), reading.failed.len()), (2, failures));
    }
}

#[test]
fn a_memory_that_was_not_shown_is_not_replaced() {
    let change = json!([{ "op": "replace", "id": "m7", "text": "Paylane allows 100 refunds.", "from": [1] }]);
    let reading = read_with(&session(), &memories(), 0, &FixedModel::new(change));

    assert_eq!(reading.refused[0].reason.rule, "it names a memory that was not shown");
}
